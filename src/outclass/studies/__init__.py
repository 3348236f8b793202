"""Takes the papers' corpora, gives the predictions of the papers' classifiers and the papers' tables.

May import everything below the command line, and scikit-learn (the extra `studies`). Texts are read, never shipped.
"""
