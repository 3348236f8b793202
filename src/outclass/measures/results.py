"""Measures of results: the mean or the median of numbers per item."""

from dataclasses import dataclass
from typing import Final

OF_RESULTS: Final = ("mean", "median")


@dataclass(frozen=True, kw_only=True)
class ResultMeasure:
    """What is taken of the numbers: `kind` is 'mean' or 'median'; the title says what the numbers are."""

    name: str
    title: str
    kind: str
    low: float
    high: float
    higher_is_better: bool
    interval: bool = True
