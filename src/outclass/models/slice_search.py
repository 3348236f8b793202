"""Where a system lost: all slices of single columns pooled together, and pairs of columns beside what these explain.

Slices of single columns are one hierarchical model (`pooling`), whatever their column: how many columns are searched is
then part of what the model knows. A pair of columns is pooled towards the sum of what its two columns explain, so that
what it has of its own, the interaction, is what is drawn to zero. Both lists hold an expected 5% of false discoveries
at most. A slice is listed only if it says more than what contains it: its loss exceeds the ROPE; and where what
contains it is listed already, it exceeds by more than the ROPE what that explains.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure
from outclass.models.pooling import Pooled, discoveries, pooled, smoothed
from outclass.models.slice_estimates import Estimates, estimates

LEAST_ITEMS: Final = 10  # of a pair of columns; with fewer nothing can be said that its columns do not say


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of some slices: how much worse the second system is.

    Parameters
    ----------
    law, explained
        The pooled posterior of what is not explained by what contains a slice; and what is explained.
    own
        The estimates without pooling.
    beyond
        The probability of each slice to be worse by more than the ROPE.
    telling
        The probability to say more than what contains it, as the list asks.
    listed
        Which slices are listed.
    """

    law: Pooled
    explained: Floats
    own: Estimates
    beyond: Floats
    telling: Floats
    listed: np.ndarray

    @property
    def mean(self) -> Floats:
        """The pooled loss of every slice."""
        return self.explained + self.law.mean

    def intervals(self, places: list[int], mass: float) -> list[Interval]:
        """Return the pooled intervals of some slices."""
        found = self.law.of(places).intervals(mass)
        shifts = self.explained[places]
        return [
            Interval(float(low + shift), float(high + shift)) for (low, high), shift in zip(found, shifts, strict=True)
        ]


def losses(joints: Counts, measure: Measure) -> Estimates:
    """Return how much worse the second system is in tables of shape (slices, 2, 4)."""
    found = estimates(joints, measure)
    return found if measure.higher_is_better else found._replace(means=-found.means)


def single(joints: Counts, measure: Measure, rope: float, whole: float | None = None) -> Losses:
    """Find the losses in slices of single columns; `whole` is the loss of all items, where that is beyond the ROPE."""
    own = losses(joints, measure)
    law = pooled(own.means, _errors(own))
    telling = 1 - law.below(limit_of(rope, whole))
    return _losses(law, np.zeros(len(own.means)), own, telling, rope)


def paired(
    joints: Counts, parents: Counts, singles: Losses, measure: Measure, rope: float, whole: float | None = None
) -> Losses:
    """Find the losses in slices of pairs of columns; `parents` are the two single slices that each lies in."""
    own = losses(joints, measure)
    centre = float(singles.law.weights @ singles.law.centre)
    explained = singles.mean[parents].sum(axis=1) - centre
    unsure = (singles.law.std[parents] ** 2).sum(axis=1)
    law = pooled(own.means - explained, _errors(own), unsure)
    known = singles.listed[parents].any(axis=1) | (whole is not None)
    limits = np.where(known, np.maximum(rope + explained, limit_of(rope, whole)), rope)
    return _losses(law, explained, own, 1 - law.below(limits - explained), rope)


def within(
    singles: Losses,
    pairs: Losses,
    parents: Counts,
    joints: tuple[Counts, Counts],
    measure: Measure,
    limit: float,
) -> np.ndarray:
    """Return which single slices owe their loss to a listed pair: without its items it is below the limit."""
    found = np.zeros(len(singles.listed), dtype=bool)
    for pair in np.flatnonzero(pairs.listed):
        for parent in parents[pair]:
            if not found[parent]:
                rest = losses((joints[0][parent] - joints[1][pair])[None], measure)
                found[parent] = rest.items[0] == 0 or rest.means[0] <= limit
    return found


def limit_of(rope: float, whole: float | None) -> float:
    """Return the loss beyond which a slice of a single column is listed: more than all items lost, by the ROPE."""
    return rope + max(whole or 0.0, 0.0)


def _errors(own: Estimates) -> Floats:
    return smoothed(own.stds, own.items, rates=True)


def _losses(law: Pooled, explained: Floats, own: Estimates, telling: Floats, rope: float) -> Losses:
    listed = np.zeros(len(own.means), dtype=bool)
    listed[discoveries(telling)] = True
    return Losses(law, explained, own, 1 - law.below(rope - explained), telling, listed)
