"""A Dirichlet process prior: a few pseudo-items, at random places, that stand for what was not seen.

Weights on observed items know nothing of other items, so one discordant item would be certainty. A Dirichlet process
adds pseudo-items of a total `mass`. For any two systems it is a Dirichlet prior of their cells, however many other
systems there are: a ranking agrees with the comparison of each pair, and nothing accumulates.
"""

import math
from typing import Final

import numpy as np

from outclass.arrays import Floats

MOST: Final = 256  # pseudo-items that are drawn
LEFT: Final = 1e-3  # the share of the mass that may end in the last pseudo-item


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
