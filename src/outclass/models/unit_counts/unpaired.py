"""Weights on items with counts, each system with its own."""

from outclass.models.units.unpaired import MODEL

__all__ = ["MODEL"]
