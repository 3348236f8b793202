"""Laws with a closed form: the Beta law, and monotone functions of it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.hdi import check_mass, interval_of


@dataclass(frozen=True)
class BetaLaw:
    """The law of x ~ Beta(a, b), or of scale * x + shift."""

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

    def _unit(self, x: ArrayLike) -> Floats:
        return np.clip((np.asarray(x, dtype=float) - self.shift) / self.scale, 0, 1)

    def cdf(self, x: ArrayLike) -> Floats:
        below, above = (self.a, self.b), (self.b, self.a)
        unit = self._unit(x)
        return np.asarray(special.betainc(*below, unit) if self.scale > 0 else special.betainc(*above, 1 - unit))

    def pdf(self, x: ArrayLike) -> Floats:
        unit = self._unit(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            log = special.xlogy(self.a - 1, unit) + special.xlog1py(self.b - 1, -unit) - special.betaln(self.a, self.b)
        return np.asarray(np.exp(log) / abs(self.scale))

    def quantile(self, p: ArrayLike) -> Floats:
        share = np.asarray(p, dtype=float)
        unit = special.betaincinv(self.a, self.b, share if self.scale > 0 else 1 - share)
        return np.asarray(self.shift + self.scale * unit)

    def hdi(self, mass: float = 0.95) -> Interval:
        check_mass(mass)
        spare = (1 - mass) / 2
        start = Interval(*(float(end) for end in self.quantile([spare, 1 - spare])))
        return interval_of(self, start, mass)

    def probability(self, low: float, high: float) -> float:
        return float(self.cdf(high) - self.cdf(low))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return self.shift + self.scale * rng.beta(self.a, self.b, n)

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, 1e-12)
