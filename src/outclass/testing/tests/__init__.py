"""Takes a view of the data and options, gives results: one file per test, discovered automatically.

A file declares `TEST`; its name is the test's key.
"""
