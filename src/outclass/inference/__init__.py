"""Takes distributions of unknowns, gives distribution objects: closed forms, quadrature, Sobol points, draws.

May import NumPy and SciPy's special functions; must not know classifiers.
"""
