"""Mixtures of normal distributions: what is left of a normal model when its scale is summed over a grid."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from outclass.arrays import Floats
from outclass.inference.alike import ByQuantiles, FromEqualTails
from outclass.inference.distribution import Distribution, Interval

EXACT: Final = 1e-12  # what rounding leaves
HALVINGS: Final = 80
EVERYWHERE: Final = Interval(-math.inf, math.inf)
ROOT: Final = math.sqrt(2 * math.pi)


@dataclass(frozen=True, eq=False)
class Normals(FromEqualTails, ByQuantiles):
    """A mixture of normal distributions, with the weight, the mean and the standard deviation of each.

    Of a number that lies within `possible`, what lies beyond counts as the nearest possible value, in the interval.
    """

    weights: Floats
    means: Floats
    stds: Floats
    possible: Interval = EVERYWHERE

    @property
    def method(self) -> str:
        return "quadrature"

    @property
    def support(self) -> Interval:
        return EVERYWHERE

    def hdi(self, mass: float = 0.95) -> Interval:
        return super().hdi(mass).within(self.possible)

    @cached_property
    def mean(self) -> float:
        return float(self.weights @ self.means)

    @cached_property
    def std(self) -> float:
        return float(np.sqrt(self.weights @ (self.stds**2 + (self.means - self.mean) ** 2)))

    def _scores(self, x: ArrayLike) -> Floats:
        return np.asarray((np.asarray(x, dtype=float)[..., None] - self.means) / self.stds)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.asarray(ndtr(self._scores(x)) @ self.weights)

    def pdf(self, x: ArrayLike) -> Floats:
        return np.asarray(np.exp(-(self._scores(x) ** 2) / 2) @ (self.weights / self.stds) / ROOT)

    def quantile(self, p: ArrayLike) -> Floats:
        wanted = np.asarray(p, dtype=float)
        # It lies between the least and the greatest of the parts' own quantiles.
        own = self.means + self.stds * ndtri(wanted)[..., None]
        low, high = own.min(axis=-1), own.max(axis=-1)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            short = self.cdf(middle) < wanted
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return np.asarray((low + high) / 2)

    def probability(self, low: float, high: float) -> float:
        return max(float(self.cdf(high) - self.cdf(low)), 0.0)

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, EXACT)
