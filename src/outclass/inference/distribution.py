"""What every posterior is: a distribution object, wherever its numbers came from.

Closed forms, quadrature, Sobol points, iid draws and (later) chains all satisfy `Distribution`; decisions and reports
use nothing else. Its own numerical error is told through `replicates`: independent, coarser versions of itself.
"""

from collections.abc import Callable, Sequence
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
        """How wide the interval is."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """The point half-way."""
        return (self.low + self.high) / 2


class Distribution(Protocol):
    """The law of one number."""

    @property
    def method(self) -> str:
        """How its numbers are made: 'closed form', 'quadrature', 'sobol', 'draws'."""

    @property
    def support(self) -> Interval:
        """Where the density can be positive."""

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
        """Return the value below which a share p of the probability lies."""

    def hdi(self, mass: float = 0.95) -> Interval:
        """Return the shortest interval that holds the mass."""

    def probability(self, low: float, high: float) -> float:
        """Return P(low <= value <= high)."""

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n independent draws."""

    def replicates(self) -> Sequence["Distribution"]:
        """Return independent, coarser versions of this law, from which its numerical error is told."""

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        """Return the numerical error of numbers, given the same numbers of each replicate, one a row."""


def equal_tailed(law: Distribution, mass: float) -> Interval:
    """Return the interval that leaves as much probability below it as above it."""
    low, high = law.quantile([(1 - mass) / 2, (1 + mass) / 2])
    return Interval(float(low), float(high))


def numerical_error(law: Distribution, numbers: Callable[[Distribution], Sequence[float]]) -> Floats:
    """Return the numerical error (98% half-widths) of any numbers read off a distribution."""
    own = np.array(numbers(law), dtype=float)
    return law.error(own, np.array([list(numbers(part)) for part in law.replicates()], dtype=float))


def spread(of_replicates: Floats) -> Floats:
    """Return the 98% half-width of the mean of independent replicates (Student's t, since they are few)."""
    count = len(of_replicates)
    reach = float(special.stdtrit(count - 1, 0.99))
    return np.asarray(reach * of_replicates.std(axis=0, ddof=1) / np.sqrt(count))
