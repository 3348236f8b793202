"""Takes a fit and a question, gives the typed rows of an answer.

May import `planning` and below; must not know files, reports or commands.
"""
