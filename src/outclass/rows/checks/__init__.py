"""Takes a row and what it was made from, gives findings: every condition, threshold and sentence in one place."""
