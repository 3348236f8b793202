"""Student's t held to where a number can lie: what would be outside lies on the bound."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from outclass.arrays import Floats
from outclass.inference.closed import EXACT
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.grid import StudentLaw
from outclass.inference.hdi import check_mass

NODES = 4_001  # quantiles that the moments are summed over


@dataclass(frozen=True)
class BoundedStudent:
    """The distribution of t clipped to its support, so that its interval is that of t, cut at the bounds."""

    t: StudentLaw
    support: Interval

    method = "closed form"

    @cached_property
    def _nodes(self) -> Floats:
        return self.quantile((np.arange(NODES) + 0.5) / NODES)

    @property
    def mean(self) -> float:
        # The centre: with few degrees of freedom a mean would be that of the bounds.
        return float(np.clip(self.t.mean, *self.support))

    @property
    def std(self) -> float:
        return float(self._nodes.std())

    def cdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        low, high = self.support
        return np.where(at < low, 0.0, np.where(at >= high, 1.0, self.t.cdf(at)))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        return np.where((at < self.support.low) | (at > self.support.high), 0.0, self.t.pdf(at))

    def quantile(self, p: ArrayLike) -> Floats:
        return np.clip(self.t.quantile(p), *self.support)

    def hdi(self, mass: float = 0.95) -> Interval:
        check_mass(mass)
        low, high = np.clip(self.t.hdi(mass), *self.support)
        return Interval(float(low), float(high))

    def probability(self, low: float, high: float) -> float:
        if high < self.support.low or low > self.support.high:
            return 0.0
        return self.t.probability(
            -math.inf if low <= self.support.low else low, math.inf if high >= self.support.high else high
        )

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return np.clip(self.t.sample(n, rng), *self.support)

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, EXACT)
