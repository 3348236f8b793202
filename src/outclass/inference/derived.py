"""Laws made from another law: cut to a range, or stretched; and the law of a quantity without an interval."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from outclass.arrays import Floats
from outclass.inference.alike import ByQuantiles, FromEqualTails
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.hdi import check_mass

POINTS: Final = 4_000  # quantiles on which moments are taken
NOTHING: Final = 1e-12  # probability outside a range that is rounding


@dataclass(frozen=True)
class Truncated(FromEqualTails, ByQuantiles):
    """A distribution given that its value lies in a range."""

    law: Distribution
    support: Interval

    @property
    def method(self) -> str:
        return self.law.method

    @cached_property
    def _ends(self) -> tuple[float, float]:
        below, above = self.law.cdf(list(self.support))
        return float(below), float(above)

    def _within(self, x: ArrayLike) -> Floats:
        return np.asarray(np.clip(np.asarray(x, dtype=float), *self.support))

    @cached_property
    def _moments(self) -> tuple[float, float]:
        values = self.quantile((np.arange(POINTS) + 0.5) / POINTS)
        return float(values.mean()), float(values.std())

    @property
    def mean(self) -> float:
        return self._moments[0]

    @property
    def std(self) -> float:
        return self._moments[1]

    def cdf(self, x: ArrayLike) -> Floats:
        below, above = self._ends
        return np.asarray((self.law.cdf(self._within(x)) - below) / (above - below))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        below, above = self._ends
        inside = (at >= self.support.low) & (at <= self.support.high)
        return np.where(inside, self.law.pdf(self._within(at)) / (above - below), 0.0)

    def quantile(self, p: ArrayLike) -> Floats:
        below, above = self._ends
        return self._within(self.law.quantile(below + (above - below) * np.asarray(p, dtype=float)))

    def probability(self, low: float, high: float) -> float:
        below, above = self._ends
        ends = float(self._within(low)), float(self._within(high))
        if high < self.support.low or low > self.support.high:
            return 0.0
        return self.law.probability(*ends) / (above - below)

    def replicates(self) -> Sequence[Distribution]:
        return [Truncated(each, self.support) for each in self.law.replicates()]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return self.law.error(numbers, of_replicates)


def truncated(law: Distribution, support: Interval) -> Distribution:
    """Cut a distribution to a range; as it is, where nothing lies outside."""
    if not law.std > 0:
        return law
    below, above = law.cdf(list(support))
    return law if below < NOTHING and above > 1 - NOTHING else Truncated(law, support)


@dataclass(frozen=True)
class Scaled:
    """The distribution of factor * value + shift, the factor not zero."""

    law: Distribution
    factor: float
    shift: float = 0.0

    def _to(self, x: ArrayLike) -> Floats:
        return np.asarray((np.asarray(x, dtype=float) - self.shift) / self.factor)

    def carried(self, interval: Interval) -> Interval:
        """Return where an interval of the value's lies."""
        return Interval(*sorted(self.factor * end + self.shift for end in interval))

    @property
    def method(self) -> str:
        return self.law.method

    @property
    def support(self) -> Interval:
        return self.carried(self.law.support)

    @property
    def mean(self) -> float:
        return self.factor * self.law.mean + self.shift

    @property
    def std(self) -> float:
        return abs(self.factor) * self.law.std

    def cdf(self, x: ArrayLike) -> Floats:
        below = self.law.cdf(self._to(x))
        return below if self.factor > 0 else np.asarray(1 - below)

    def pdf(self, x: ArrayLike) -> Floats:
        return np.asarray(self.law.pdf(self._to(x)) / abs(self.factor))

    def quantile(self, p: ArrayLike) -> Floats:
        share = np.asarray(p, dtype=float)
        return np.asarray(self.factor * self.law.quantile(share if self.factor > 0 else 1 - share) + self.shift)

    def hdi(self, mass: float = 0.95) -> Interval:
        return self.carried(self.law.hdi(mass))

    def probability(self, low: float, high: float) -> float:
        return self.law.probability(*np.sort(self._to([low, high])).tolist())

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(self.factor * self.law.sample(n, rng) + self.shift)

    def replicates(self) -> Sequence[Distribution]:
        return [Scaled(each, self.factor, self.shift) for each in self.law.replicates()]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return self.law.error(numbers, of_replicates)


@dataclass(frozen=True)
class NoLaw:
    """The distribution of what has no trustworthy interval: every number of it is nan."""

    support: Interval
    method = "none"
    mean = math.nan
    std = math.nan

    def cdf(self, x: ArrayLike) -> Floats:
        return np.full(np.shape(x), math.nan)

    def pdf(self, x: ArrayLike) -> Floats:
        return np.full(np.shape(x), math.nan)

    def quantile(self, p: ArrayLike) -> Floats:
        return np.full(np.shape(p), math.nan)

    def hdi(self, mass: float = 0.95) -> Interval:
        check_mass(mass)
        return Interval(math.nan, math.nan)

    def probability(self, low: float, high: float) -> float:
        return math.nan

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return np.full(n, math.nan)

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, math.nan)
