"""Two systems on many data sets: the Bayesian sign and signed-rank tests (Benavoli et al. 2014, 2017).

Each data set is a win of A, of B, or a tie within the region of practical equivalence; the question is which of the
three is most probable on the next data set.
"""

from typing import Final, NamedTuple

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.inference.distribution import Interval

SIGN_PRIOR, RANK_PRIOR = 1.0, 0.5  # pseudo data sets, placed in the region, as in the papers' own software
DRAWS: Final = 50_000
LEAST: Final = 1e-4  # of a Dirichlet's parameter, so that what was never seen is not impossible


class RopeProbabilities(NamedTuple):
    """How probable it is that A is better by more than the region, neither is, and B is."""

    a: float
    equivalent: float
    b: float


def counts_of(differences: Floats, rope: Interval) -> tuple[int, int, int]:
    """Return on how many data sets A is better by more than the region, neither, and B."""
    a, b = int((differences > rope.high).sum()), int((differences < rope.low).sum())
    return a, len(differences) - a - b, b


def sign(differences: Floats, rope: Interval, prior: float = SIGN_PRIOR) -> RopeProbabilities:
    """Return how probable it is that each of the three is the most frequent: of a Dirichlet, by one integral each."""
    a, ties, b = counts_of(differences, rope)
    found = RopeProbabilities(*largest((a + LEAST, ties + prior + LEAST, b + LEAST)))
    if rope.width > 0:
        return found
    # There is no region to be in: who is ahead, if one of them is.
    return RopeProbabilities(found.a / (found.a + found.b), 0.0, found.b / (found.a + found.b))


def largest(alpha: tuple[float, ...]) -> list[float]:
    """Return the probability that each share of a Dirichlet is the largest.

    Shares are ordered as independent gamma variates are: P(i largest) = E[prod of F_j(g_i)], on a grid of g_i's
    quantiles.
    """
    z = np.linspace(-8.5, 8.5, 4_001)
    weights = np.exp(-0.5 * z**2)
    weights /= weights.sum()
    shares = special.ndtr(z)
    found = []
    for place, own in enumerate(alpha):
        values = special.gammaincinv(own, shares)
        others = [special.gammainc(other, values) for at, other in enumerate(alpha) if at != place]
        found.append(float(weights @ np.prod(others, axis=0)))
    total = sum(found)
    return [each / total for each in found]


def signed_rank(
    differences: Floats, rope: Interval, rng: np.random.Generator, prior: float = RANK_PRIOR, draws: int = DRAWS
) -> RopeProbabilities:
    """Return how probable it is that each of the three has the most pairs of data sets (Walsh averages), by draws."""
    centre = (rope.low + rope.high) / 2
    values = np.concatenate([[centre], differences])
    sums = values[:, None] + values[None, :]
    above = (sums > 2 * rope.high) + 0.5 * (sums == 2 * rope.high)
    below = (sums < 2 * rope.low) + 0.5 * (sums == 2 * rope.low)
    if rope.width == 0:
        # There is no region to be in: what is exactly even counts for both by half.
        above, below = above.astype(float), below.astype(float)
    wins = np.zeros(3)
    alpha = np.concatenate([[prior], np.ones(len(differences))])
    for start in range(0, draws, 2_000):
        weights = rng.dirichlet(alpha, min(2_000, draws - start))
        a = np.einsum("ij,ij->i", weights @ above, weights)
        b = np.einsum("ij,ij->i", weights @ below, weights)
        if rope.width > 0:
            wins += np.bincount(np.argmax(np.stack([a, 1 - a - b, b]), axis=0), minlength=3)
        else:
            even = np.isclose(a, b, rtol=0, atol=1e-12)
            wins += np.array([(~even & (a > b)).sum() + even.sum() / 2, 0, (~even & (b > a)).sum() + even.sum() / 2])
    return RopeProbabilities(*(float(each) for each in wins / draws))
