"""Weights on items with counts, the same for all systems, and a prior of pseudo-items."""

from outclass.models.units.paired import MODEL

__all__ = ["MODEL"]
