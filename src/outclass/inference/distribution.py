"""The interface of every posterior distribution, however it is computed.

Closed forms, quadrature, Sobol points, independent draws and chains all implement `Distribution`; decisions and reports
use nothing else. The numerical error is estimated from `replicates`: independent, coarser versions of the distribution.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats


class Interval(NamedTuple):
    """An interval of values, both ends included."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Width of the interval."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """Midpoint of the interval."""
        return (self.low + self.high) / 2

    def within(self, other: "Interval") -> "Interval":
        """Return the interval with ends that lie within another; those beyond it are moved to its own."""
        low, high = (min(max(end, other.low), other.high) for end in self)
        return Interval(low, high)


class Distribution(Protocol):
    """The distribution of one number."""

    @property
    def method(self) -> str:
        """How it is computed: 'closed form', 'quadrature', 'inversion', 'cubature', 'sobol', 'draws'."""

    @property
    def support(self) -> Interval:
        """The support of the density."""

    @property
    def mean(self) -> float:
        """The expectation."""

    @property
    def std(self) -> float:
        """The standard deviation."""

    def cdf(self, x: ArrayLike) -> Floats:
        """Return P(value <= x)."""

    def pdf(self, x: ArrayLike) -> Floats:
        """Return the density at x."""

    def quantile(self, p: ArrayLike) -> Floats:
        """Return the p-quantile."""

    def hdi(self, mass: float = 0.95) -> Interval:
        """Return the highest-density interval: the shortest one with this probability mass."""

    def probability(self, low: float, high: float) -> float:
        """Return P(low <= value <= high)."""

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n independent draws."""

    def replicates(self) -> Sequence["Distribution"]:
        """Return independent, coarser versions of this distribution, from which its numerical error is estimated."""

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        """Return the numerical error of numbers, given those of each replicate, one per row."""


def equal_tailed(law: Distribution, mass: float) -> Interval:
    """Return the equal-tailed interval."""
    low, high = law.quantile([(1 - mass) / 2, (1 + mass) / 2])
    return Interval(float(low), float(high))


def numerical_error(
    law: Distribution, numbers: Callable[[Distribution], Sequence[float]], known: Sequence[float] | None = None
) -> Floats:
    """Return the numerical error (98% half-widths) of numbers read off a distribution, which may be known already."""
    own = np.array(numbers(law) if known is None else known, dtype=float)
    return law.error(own, np.array([list(numbers(part)) for part in law.replicates()], dtype=float))


def spread(of_replicates: Floats) -> Floats:
    """Return the 98% half-width of the mean of independent replicates (Student's t, since they are few)."""
    apart = of_replicates - of_replicates.mean(axis=0)
    return np.asarray(_reach(len(of_replicates)) * np.sqrt((apart * apart).sum(axis=0)))


@lru_cache(maxsize=16)
def _reach(count: int) -> float:
    """Return Student's quantile over the root of what sums of squares are divided by."""
    return float(special.stdtrit(count - 1, 0.99)) / math.sqrt(count * (count - 1)) if count > 1 else math.nan
