"""Takes counts, gives p-values: the frequentist side road.

May import NumPy and SciPy's special functions; must not know models or reports. One file a family of tests.
"""
