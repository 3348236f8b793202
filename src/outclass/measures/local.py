"""Measures of scores near given weights: the value, and what it changes by with the weight of each item.

With these, the law of a measure under random weights follows without a draw (`models/score_laws.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from outclass.arrays import Floats
from outclass.measures.ranked import Ranked


@dataclass(frozen=True)
class Local:
    """A measure at given weights, and its first and second derivative in the weight of each item by itself."""

    value: float
    slopes: Floats
    bend: Callable[[], Floats]

    @cached_property
    def bends(self) -> Floats:
        """The second derivatives, computed where they are asked for."""
        return self.bend()


At = Callable[[Floats], Local]  # weights (items,) -> the measure there
Derive = Callable[[np.ndarray, Floats], At]  # of the truth and a system's scores


def auc(truth: np.ndarray, scores: Floats) -> At:
    """Of the share of pairs in the right order, an item's slope is its placement, less the whole."""
    ranked = Ranked.of(truth, scores)
    positive = ranked.positive.astype(float)

    def above(weights: Floats) -> tuple[Floats, float]:
        """Return the weight above each item, ties for half; and all of it."""
        found = np.cumsum(weights)
        total = float(found[-1])
        if ranked.tied:
            found = (found[ranked.last] + found[ranked.first] - weights[ranked.first]) / 2
        return found, total

    def at(weights: Floats) -> Local:
        own = ranked.sorted(weights)
        hits = own * positive
        (hits_above, all_hits), (alarms_above, all_alarms) = above(hits), above(own - hits)
        value = 1 - float(hits @ alarms_above) / (all_hits * all_alarms)
        slopes = np.where(
            ranked.positive,
            (1 - value - alarms_above / all_alarms) / all_hits,
            (hits_above / all_hits - value) / all_alarms,
        )

        def bend() -> Floats:
            # Within a class the measure is a weighted mean, whose slope falls as the class grows.
            return ranked.given(slopes * np.where(ranked.positive, -2 / all_hits, -2 / all_alarms))

        return Local(value, ranked.given(slopes), bend)

    return at


def average_precision(truth: np.ndarray, scores: Floats) -> At:
    """The mean precision at the positives, P of H hits among S items; an item moves all precisions from its rank on."""
    ranked = Ranked.of(truth, scores)
    positive = ranked.positive.astype(float)

    def down(each: Floats) -> Floats:
        """Return, for each item, the sum over the items that are not ranked above it."""
        return np.asarray(np.cumsum(each[::-1])[::-1][ranked.first])

    def at(weights: Floats) -> Local:
        own = ranked.sorted(weights)
        hits = own * positive
        found, seen = np.cumsum(hits)[ranked.last], np.cumsum(own)[ranked.last]
        total = found[-1]
        precision = found / seen
        value = float(hits @ precision) / total
        share = hits / seen
        missed = share * (1 - precision)
        gained, lost = precision + down(missed), down(share * precision)
        slopes = np.where(ranked.positive, gained - value, -lost) / total

        def bend() -> Floats:
            # Of a positive: by its own precision, by those below, and by the mean that it is a part of.
            own = (1 - precision) / seen - down(missed / seen) - slopes
            return ranked.given(2 * np.where(ranked.positive, own, down(share * precision / seen)) / total)

        return Local(value, ranked.given(slopes), bend)

    return at


def mean_of(losses: Callable[[np.ndarray, Floats], Floats]) -> Derive:
    """Make the derivatives of the mean of a loss."""

    def derive(truth: np.ndarray, scores: Floats) -> At:
        found = losses(truth, scores)

        def at(weights: Floats) -> Local:
            total = float(weights.sum())
            value = float(weights @ found) / total
            slopes = (found - value) / total
            return Local(value, slopes, lambda: slopes * (-2 / total))

        return at

    return derive
