"""The Bayesian bootstrap of items with counts: weights without a prior (Rubin 1981)."""

from outclass.models.units.bootstrap import MODEL

__all__ = ["MODEL"]
