"""Takes data and the tests to run, gives `TestResult` rows: the frequentist side road.

May import `rows` and below; must not know reports or commands. One file per test in `tests/`, discovered automatically.
"""
