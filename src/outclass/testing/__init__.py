"""Takes data and what is to be tested, gives `TestResult` rows: the frequentist side road.

May import `rows` and below; must not know reports or commands. One file a test.
"""
