"""Gamma weights of patterns, each of as many items as it occurs: rows of draws, (patterns, draws)."""

from typing import Final

import numpy as np

from outclass.arrays import Floats

FEW: Final = 3  # occurrences of a pattern, whose weight is the sum of as many exponentials
LONG: Final = 150  # draws of a pattern, from which on a call for each is quicker than one for all


def gammas_one_by_one(shapes: Floats, size: int, rng: np.random.Generator) -> Floats:
    """Return weights of a few patterns: a pattern's draws lie together, which is how they are made fastest."""
    single = shapes == 1
    if single.all():
        return rng.standard_exponential((len(shapes), size))
    drawn = np.empty((len(shapes), size))
    # Most patterns of many systems occur once, and exponentials are quick.
    drawn[single] = rng.standard_exponential((int(single.sum()), size))
    for unit in np.flatnonzero(~single):
        rng.standard_gamma(shapes[unit], out=drawn[unit])
    return drawn


def gammas(shapes: Floats, size: int, rng: np.random.Generator) -> Floats:
    """Return weights of many patterns, most of which occur once or a few times: sums of exponentials are quick."""
    drawn = rng.standard_exponential((len(shapes), size))
    few = np.isin(shapes, range(1, FEW + 1))
    for times in range(2, FEW + 1):
        some = np.flatnonzero(few & (shapes >= times))
        drawn[some] += rng.standard_exponential((len(some), size))
    many = np.flatnonzero(~few)
    if size < LONG:
        drawn[many] = rng.standard_gamma(shapes[many, None], (len(many), size))
        return drawn
    for unit in many:
        rng.standard_gamma(shapes[unit], out=drawn[unit])
    return drawn
