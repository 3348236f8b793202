"""Takes the typed rows of an answer, gives text (terminal, Markdown, LaTeX, CSV), charts and a page.

May import `rows` and what they are made of; must not compute. Sentences are made in `words` alone; charts are one file
each in `charts`, of pieces from `drawing`.
"""
