"""A Dirichlet process prior: a few pseudo-items, at random places, that stand for what was not seen.

Weights on observed items know nothing of other items, so one discordant item would be certainty. A Dirichlet process
adds pseudo-items of a total `mass`. For any two systems it is a Dirichlet prior of their cells, however many other
systems there are: a ranking agrees with the comparison of each pair, and nothing accumulates.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats

MOST: Final = 256  # pseudo-items that are drawn
LEFT: Final = 1e-3  # the share of the mass that may end in the last pseudo-item


class Placed(NamedTuple):
    """Pseudo-items: their mass, which labels they are about, and how they are counted."""

    mass: float
    label: int | None  # against the rest; None: of several labels
    masked: bool  # whether labels can be undefined
    places: tuple[int, ...] | None = None  # of the labels that are averaged over; None: all
    matrix: bool = False  # whether they are counted in a table of confusions, rather than label by label
    pooled: bool = False  # whether the counts of all labels, or of the one, are summed


class Scattered(NamedTuple):
    """A few numbers that are added at places of a flat table, some of them perhaps at the same."""

    at: Counts
    own: Floats

    def times(self, factors: Floats, rows: int) -> "Scattered":
        """Return the numbers times the factor of the table's row that each is in."""
        return Scattered(self.at, self.own * factors.ravel()[self.at // rows])


@dataclass(frozen=True)
class Pseudo:
    """What pseudo-items add: to each system's counts (3 x labels, rows), and to the items (rows).

    Of many labels a pseudo-item is about one or two, so that its numbers are scattered. Or `summed`, to TP, FP and FN
    over the labels, (3, systems, rows).
    """

    counts: Mapping[str, Floats | Scattered]
    items: Floats
    summed: Floats | None = None

    def added_to(self, seen: Floats, system: str) -> Floats:
        """Return a system's counts with those of the pseudo-items; the table given may be changed."""
        own = self.counts[system]
        if not isinstance(own, Scattered):
            return seen + own
        np.add.at(seen.reshape(-1), own.at, own.own)
        return seen


def sticks(mass: float, rows: int, rng: np.random.Generator, total: Floats | None = None) -> Floats:
    """Return the weights of pseudo-items, (items, rows), on the scale where an observed item weighs Gamma(1).

    Stick-breaking (Sethuraman 1994) of a Gamma(mass) total, or of the totals given.
    """
    items = max(4, math.ceil(math.log(LEFT) / math.log(mass / (mass + 1))))
    if items > MOST:
        # A heavy prior has so many that they are alike: as many of equal mass come near enough.
        weights = rng.standard_gamma(mass / MOST, (MOST, rows))
        return weights if total is None else np.asarray(weights / weights.sum(axis=0) * total)
    kept = rng.random((items, rows)) ** (1 / mass)
    kept[-1] = 0.0
    rest = np.vstack([np.ones((1, rows)), np.cumprod(kept[:-1], axis=0)])
    return np.asarray(rest * (1 - kept) * (rng.standard_gamma(mass, rows) if total is None else total))
