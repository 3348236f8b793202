"""Takes a view of the data and options, gives results: one file per test, found by itself.

A file declares `TEST`; its name is the test's key.
"""
