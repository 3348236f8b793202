"""Distributions with a closed form: the Beta distribution, and functions of a Beta variate that keep its order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats
from outclass.inference.alike import FromEqualTails, OnGrid
from outclass.inference.beta import logit_beta
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.nodes import grid_scores

EXACT = 1e-12  # what rounding leaves of a closed form
MANY = 1e4  # counts from which on a density is written from its mode: logarithms of the parts would cancel


@dataclass(frozen=True)
class BetaLaw(FromEqualTails):
    """The distribution of x ~ Beta(a, b), or of scale * x + shift."""

    a: float
    b: float
    scale: float = 1.0
    shift: float = 0.0

    @property
    def method(self) -> str:
        return "closed form"

    @property
    def support(self) -> Interval:
        return Interval(*sorted((self.shift, self.shift + self.scale)))

    @property
    def mean(self) -> float:
        return self.shift + self.scale * self.a / (self.a + self.b)

    @property
    def std(self) -> float:
        total = self.a + self.b
        return abs(self.scale) * float(np.sqrt(self.a / total * (self.b / total) / (total + 1)))

    @property
    def mode(self) -> float:
        """Where the density is highest; nan where it is so at both ends, or everywhere."""
        return self.shift + self.scale * _mode(self.a, self.b, 1.0)

    def _unit(self, x: ArrayLike) -> Floats:
        return np.clip((np.asarray(x, dtype=float) - self.shift) / self.scale, 0, 1)

    def cdf(self, x: ArrayLike) -> Floats:
        below, above = (self.a, self.b), (self.b, self.a)
        unit = self._unit(x)
        return np.asarray(special.betainc(*below, unit) if self.scale > 0 else special.betainc(*above, 1 - unit))

    def pdf(self, x: ArrayLike) -> Floats:
        unit = self._unit(x)
        return np.asarray(np.exp(_log_density(self.a, self.b, unit, 1 - unit)) / abs(self.scale))

    def quantile(self, p: ArrayLike) -> Floats:
        share = np.asarray(p, dtype=float)
        unit = special.betaincinv(self.a, self.b, share if self.scale > 0 else 1 - share)
        return np.asarray(self.shift + self.scale * unit)

    def probability(self, low: float, high: float) -> float:
        return float(self.cdf(high) - self.cdf(low))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return self.shift + self.scale * rng.beta(self.a, self.b, n)

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, EXACT)


def _log_density(a: float, b: float, x: Floats, rest: Floats) -> Floats:
    """Return the logarithm of the density of Beta(a, b) at x; `rest` is 1 - x.

    With large parameters it is the height at the mode, and the fall from there, since the usual parts cancel. The fall
    is n times the Kullback-Leibler divergence of the mode from x, and the height that of a binomial probability by
    Stirling's series (Loader 2000, Fast and accurate computation of binomial probabilities).
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if min(a, b) <= MANY:
            # Each from the smaller of the two, which has more digits.
            first_part = np.where(x <= 0.5, special.xlogy(a - 1, x), special.xlog1py(a - 1, -rest))
            second_part = np.where(x <= 0.5, special.xlog1py(b - 1, -x), special.xlogy(b - 1, rest))
            return np.asarray(first_part + second_part - special.betaln(a, b))
        n = a + b - 2
        first, second = (a - 1) / n, (b - 1) / n
        gap = np.where(x <= 0.5, x - first, second - rest)
        fall = first * _excess(gap / first) + second * _excess(-gap / second)
    stirling = (1 / n - 1 / (a - 1) - 1 / (b - 1)) / 12
    height = math.log(n + 1) - 0.5 * (math.log(2 * math.pi * n) + math.log(first) + math.log(second)) + stirling
    return np.asarray(height - n * fall)


def _excess(t: Floats) -> Floats:
    """Return t - log(1 + t), which is about t**2 / 2 near zero."""
    near = t * t * (1 / 2 - t * (1 / 3 - t * (1 / 4 - t * (1 / 5 - t * (1 / 6 - t / 7)))))
    return np.where(np.abs(t) < 1e-3, near, t - np.log1p(t))


def _mode(a: float, b: float, factor: float) -> float:
    """Return the mode of x in (0, 1) whose odds are `factor` times those of a Beta(a, b) variate.

    Goutte & Gaussier's eq. 9 is the case factor = 1, and names the ends too: the density is infinite at 0 if a < 1 and
    at 1 if b < 1. Where it is so at both, the end that is approached faster, if either is; flat distributions have no
    mode.
    """
    if a < 1 or b < 1:
        return math.nan if a == b else float(a > b)
    if a == b == factor == 1:
        return math.nan
    # d log density / dx = 0, cleared of its denominators, is a quadratic.
    tilt = 1 - factor
    linear = (a - 1) * (tilt - factor) - factor * (b - 1) - tilt * (a + b)
    roots = np.roots([2 * tilt, linear, factor * (a - 1)]) if tilt else np.array([-(a - 1) / linear])
    inside = [float(root.real) for root in roots if abs(root.imag) < 1e-12 and 0 <= root.real <= 1]
    ends = [end for end, power in ((0.0, a), (1.0, b)) if power == 1]

    def height(x: float) -> float:
        with np.errstate(divide="ignore"):
            return float(special.xlogy(a - 1, x) + special.xlogy(b - 1, 1 - x) - (a + b) * math.log(factor + tilt * x))

    return max([*inside, *ends], key=height)


@dataclass(frozen=True)
class OddsLaw(FromEqualTails, OnGrid):
    """The law of x whose odds are `factor` times those of a Beta(a, b) variate: F1 is such a multiple of Jaccard."""

    a: float
    b: float
    factor: float
    step: float = 0.1  # of the grid on which its moments are taken

    method = "closed form"
    support = Interval(0.0, 1.0)

    def _beta(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the Beta variate and what it lacks to 1."""
        inside = np.clip(x, 0, 1)
        whole = inside + self.factor * (1 - inside)
        return inside / whole, self.factor * (1 - inside) / whole

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        z, weights = grid_scores(self.step, reach=8.0)
        return special.expit(logit_beta(self.a, self.b).value(z) + math.log(self.factor)), weights

    @property
    def mode(self) -> float:
        """Where the density is highest; nan where it is so at both ends."""
        return _mode(self.a, self.b, self.factor)

    def cdf(self, x: ArrayLike) -> Floats:
        return np.asarray(special.betainc(self.a, self.b, self._beta(np.asarray(x, dtype=float))[0]))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        y, rest = self._beta(at)
        with np.errstate(divide="ignore", invalid="ignore"):
            log = _log_density(self.a, self.b, y, rest)
            inside = np.clip(at, 0, 1)
            pace = self.factor / (inside + self.factor * (1 - inside)) ** 2
        return np.where((at < 0) | (at > 1), 0.0, np.exp(log) * pace)

    def quantile(self, p: ArrayLike) -> Floats:
        y = special.betaincinv(self.a, self.b, np.asarray(p, dtype=float))
        return np.asarray(self.factor * y / (self.factor * y + 1 - y))

    def probability(self, low: float, high: float) -> float:
        return float(self.cdf(high) - self.cdf(low))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        y = rng.beta(self.a, self.b, n)
        return np.asarray(self.factor * y / (self.factor * y + 1 - y))

    def replicates(self) -> Sequence[Distribution]:
        return [OddsLaw(self.a, self.b, self.factor, 1.5 * self.step)]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.asarray(np.abs(numbers - of_replicates[0]) + 1e-9)


@dataclass(frozen=True)
class LogOddsLaw(FromEqualTails):
    """The distribution of ln(r / (1 - r)) for r ~ Beta(a, b): of the log odds of two shares of a Dirichlet."""

    a: float
    b: float

    method = "closed form"
    support = Interval(-math.inf, math.inf)

    @property
    def mean(self) -> float:
        return float(special.digamma(self.a) - special.digamma(self.b))

    @property
    def std(self) -> float:
        return float(np.sqrt(special.polygamma(1, self.a) + special.polygamma(1, self.b)))

    @property
    def mode(self) -> float:
        """Where the density is highest."""
        return math.log(self.a / self.b)

    def cdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        low = special.betainc(self.a, self.b, special.expit(at))
        return np.asarray(np.where(at < 0, low, special.betaincc(self.b, self.a, special.expit(-at))))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        log = self.a * special.log_expit(at) + self.b * special.log_expit(-at) - special.betaln(self.a, self.b)
        if min(self.a, self.b) > MANY:
            y, rest = special.expit(at), special.expit(-at)
            with np.errstate(divide="ignore"):
                log = _log_density(self.a, self.b, y, rest) + np.log(y) + np.log(rest)
        return np.asarray(np.exp(log))

    def quantile(self, p: ArrayLike) -> Floats:
        share = np.asarray(p, dtype=float)
        # Each end from the tail it lies in.
        y, rest = special.betaincinv(self.a, self.b, share), special.betainccinv(self.b, self.a, share)
        with np.errstate(divide="ignore"):  # the ends are infinite
            return np.asarray(np.log(y) - np.log(rest))

    def probability(self, low: float, high: float) -> float:
        if low > self.mean:
            # From above, both ends: what is left of 1 - cdf(high) is rounding.
            above_low, above_high = special.betainc(self.b, self.a, special.expit([-low, -high]))
            return float(above_low - above_high)
        return float(self.cdf(high) - self.cdf(low))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(special.logit(rng.beta(self.a, self.b, n)))

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, EXACT)
