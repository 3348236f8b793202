"""A Dirichlet process prior: a few pseudo-items, at random places, that stand for what was not seen.

Weights on observed items know nothing of other items, so one discordant item would be certainty. A Dirichlet process
adds pseudo-items of a total `mass`. For any two systems it is a Dirichlet prior of their cells, however many other
systems there are: a ranking agrees with the comparison of each pair, and nothing accumulates.
"""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Floats

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


@dataclass(frozen=True)
class Pseudo:
    """What pseudo-items add: to each system's counts (3 x labels, rows), and to the items (rows).

    Or `summed`, to TP, FP and FN over the labels, (3, systems, rows).
    """

    counts: dict[str, Floats]
    items: Floats
    summed: Floats | None = None


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
