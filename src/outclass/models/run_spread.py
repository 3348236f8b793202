"""The spread between the runs of a system, from the differences between them that items do not explain.

The values of R runs of a system are M + run + item noise. Differences between them do not depend on M, nor on what the
items do to all of them alike: their sum of squares over v + sigma² is chi² with R - 1 degrees of freedom, where v is
what items add to the differences between runs, and sigma is the spread. Everything is summed over a grid of sigma.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Floats

# The prior of sigma is nothing at all with the probability `NONE`; otherwise its density is that of Jeffreys' rule for
# the scale, (v + sigma²)^-1/2, up to about a seventh of the range of the measure. A system's spread is that of all
# systems with the probability `ALIKE`, and otherwise its own. They were chosen by coverage (docs/runs-coverage.md):
# without the point at nothing, intervals of runs that do not vary are too wide; with more of it, or a steeper density,
# those of a few runs that do are too narrow.
WIDEST: Final = 0.15
NONE: Final = 0.2
ALIKE: Final = 0.85
POINTS: Final = 161
LEAST: Final = 1e-12


@dataclass(frozen=True, kw_only=True)
class Squares:
    """Differences between runs: their sum of squares, its degrees of freedom, and what items add to its mean."""

    total: float
    freedom: int
    noise: float


@dataclass(frozen=True, kw_only=True)
class SpreadGrid:
    """A grid of spreads, and the prior probability of each."""

    sigma: Floats
    prior: Floats

    @classmethod
    def of(cls, squares: Sequence[Squares], widest: float) -> "SpreadGrid":
        """Make a grid that is fine where these spreads can be."""
        known = [each for each in squares if each.freedom > 0]
        least = max(float(np.mean([each.noise for each in known])), (LEAST * widest) ** 2)
        ends = min(np.sqrt(least) / 30, widest / 30), 4 * widest
        sigma = np.concatenate([[0.0], np.geomspace(*ends, POINTS - 1)])
        width = np.gradient(sigma)
        width[0] = sigma[1] / 2
        prior = np.exp(-((sigma / widest) ** 2) / 2) / np.sqrt(sigma**2 + least) * width
        prior *= (1 - NONE) / prior.sum()
        prior[0] += NONE
        return cls(sigma=sigma, prior=prior)

    def likelihood(self, squares: Squares) -> Floats:
        """Return the likelihood at each spread, up to a factor."""
        if squares.freedom < 1:
            return np.ones_like(self.sigma)
        scale = self.sigma**2 + max(squares.noise, LEAST * float(self.sigma[-1]) ** 2)
        log = -squares.freedom / 2 * np.log(scale) - squares.total / 2 / scale
        return np.asarray(np.exp(log - log.max()))

    def drawn(self, squares: Sequence[Squares], draws: int, rng: np.random.Generator) -> Floats:
        """Return joint draws of the systems' spreads, (draws, systems)."""
        likelihoods = np.array([self.likelihood(each) for each in squares])
        alone: Floats = likelihoods @ self.prior
        # A single run says nothing of its own: its spread is that of the others.
        alike = np.array([ALIKE if each.freedom > 0 and len(squares) > 1 else 1.0 for each in squares])
        mixed = alike[:, None] * likelihoods + ((1 - alike) * alone)[:, None]
        shared = self.prior * np.exp(np.log(np.maximum(mixed, 1e-300)).sum(axis=0))
        common = _picked(shared, draws, rng)
        found = np.empty((draws, len(squares)))
        for place, likelihood in enumerate(likelihoods):
            together = alike[place] * likelihood[common]
            own = rng.random(draws) * (together + (1 - alike[place]) * alone[place]) >= together
            at = np.where(own, _picked(self.prior * likelihood, draws, rng), common)
            found[:, place] = self.sigma[at]
        return found


def _picked(weights: Floats, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return points of a grid, with probabilities in proportion to their weights."""
    below = np.cumsum(weights)
    # One in each of as many equal parts, in any order: the grid's moments come out all but exactly.
    shares = (rng.permutation(draws) + rng.random(draws)) / draws
    found: np.ndarray = np.searchsorted(below, shares * below[-1], side="right")
    return np.asarray(np.minimum(found, len(weights) - 1))


def within(values: Floats, covariance: Floats) -> Squares:
    """Return the differences between the runs of one system."""
    count = len(values)
    if count < 2:
        return Squares(total=0.0, freedom=0, noise=0.0)
    noise = (float(np.trace(covariance)) - float(covariance.sum()) / count) / (count - 1)
    return Squares(total=float(((values - values.mean()) ** 2).sum()), freedom=count - 1, noise=max(noise, 0.0))


def of_pairs(values: Floats, covariance: Floats) -> tuple[Squares, Squares]:
    """Return what is left of paired runs beside their systems and seeds, and the differences between seeds.

    `values` are (systems, runs), `covariance` that of all of them in this order. The mean square of seeds is as of the
    mean of all systems.
    """
    systems, runs = values.shape
    of_systems, of_runs = np.eye(systems) - 1 / systems, np.eye(runs) - 1 / runs
    rest = np.kron(of_systems, of_runs)
    seeds = np.kron(np.full((systems, systems), 1 / systems), of_runs)
    flat = values.ravel()
    found = []
    for project, freedom in ((rest, (systems - 1) * (runs - 1)), (seeds, runs - 1)):
        noise = float(np.sum(project * covariance)) / max(freedom, 1)
        found.append(Squares(total=float(flat @ project @ flat), freedom=freedom, noise=max(noise, 0.0)))
    return found[0], found[1]
