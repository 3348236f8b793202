"""Takes the typed rows of an answer, gives text: terminal, Markdown, LaTeX, CSV.

May import `results` and what they are made of; must not compute. Sentences are made in `words` alone.
"""
