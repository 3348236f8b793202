"""Takes counts, gives p-values: the frequentist side road.

May import `models` and below; must not know reports. One file per family of tests.
"""
