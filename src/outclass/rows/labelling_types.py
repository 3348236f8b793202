"""What labels and judges of a partly labelled test set are worth: plain numbers, part of a row."""

import math
from dataclasses import dataclass

from outclass.inference.distribution import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A posterior mean with its interval."""

    mean: float
    hdi: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeWorth:
    """A judge of partly labelled items; of one that gives numbers, or no label of the truth, only the name is known.

    `shares_a` is how often it gives A's wrong label where A is wrong, `shares_more_of_a` the probability that it does
    so more often than with B's. `alone` is the difference with the judge taken for the truth, and `bias` how far off
    that is.
    """

    name: str
    accuracy: Estimate | None = None
    recall: Estimate | None = None
    false_positive_rate: Estimate | None = None
    shares_a: Estimate | None = None
    shares_b: Estimate | None = None
    shares_more_of_a: float = math.nan
    alone: float = math.nan
    bias: Estimate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """What the labels of a partly labelled test set are worth.

    `equivalent` is the number of labels of a random sample, without predictions and judges of unlabelled items, that
    would tell as much; `further_width` the expected width of the interval with so many `further` labels, well chosen.
    """

    labelled: int
    items: int
    equivalent: int
    further: int
    further_width: float
    judges: tuple[JudgeWorth, ...] = ()
