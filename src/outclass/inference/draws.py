"""A distribution known by independent draws, with the Monte-Carlo error that goes with them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from outclass.arrays import Floats
from outclass.errors import InputError
from outclass.inference.distribution import Interval, spread
from outclass.inference.hdi import check_mass, shortest_of_sorted
from outclass.inference.scores import normal_density

BATCHES: Final = 10


class Draws:
    """The empirical distribution of independent draws, or of Sobol points in independently scrambled batches.

    Parameters
    ----------
    values
        Shape (batches, draws in each). Batches are independent; their spread gives the error. Draws that are not finite
        are left out; `undefined` is their share.
    """

    def __init__(self, values: Floats, support: Interval, method: str = "draws") -> None:
        defined = np.isfinite(values)
        self.undefined = 1 - float(defined.mean())
        if self.undefined:
            # What is undefined cannot be ranked: keep as many of each batch as every batch has.
            least = int(defined.sum(axis=1).min())
            if least == 0:
                raise InputError("the measure is undefined for every draw: its function returns no finite number.")
            values = np.stack([batch[kept][:least] for batch, kept in zip(values, defined, strict=True)])
        # Rounding may carry a value a last digit beyond what is possible.
        self._batches = np.clip(values, support.low, support.high)
        self.support, self.method = support, method

    @classmethod
    def iid(cls, values: Floats, support: Interval) -> "Draws":
        """Take iid draws, in ten batches."""
        return cls(values[: len(values) // BATCHES * BATCHES].reshape(BATCHES, -1), support)

    @cached_property
    def values(self) -> Floats:
        """All draws, sorted."""
        return np.sort(self._batches, axis=None)

    @property
    def in_order(self) -> Floats:
        """The draws as they came, in batches."""
        return self._batches

    @cached_property
    def mean(self) -> float:
        return float(self._batches.mean())

    @cached_property
    def std(self) -> float:
        return float(self._batches.std())

    def cdf(self, x: ArrayLike) -> Floats:
        return np.asarray(np.searchsorted(self.values, np.asarray(x, dtype=float), side="right") / self.values.size)

    @cached_property
    def bandwidth(self) -> float:
        """Scott's rule, as in the papers' kernel density estimates."""
        return float(self._batches.std(ddof=1) * self.values.size ** (-1 / 5))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        if not self.bandwidth > 0:
            return np.full(at.shape, np.nan)
        # Only draws within nine bandwidths can be seen, so a window of the sorted draws is enough.
        ends = np.searchsorted(self.values, [at.ravel() - 9 * self.bandwidth, at.ravel() + 9 * self.bandwidth])
        found = [
            normal_density((point - self.values[first:last]) / self.bandwidth).sum()
            for point, first, last in zip(at.ravel(), *ends, strict=True)
        ]
        return np.array(found).reshape(at.shape) / (self.bandwidth * self.values.size)

    def quantile(self, p: ArrayLike) -> Floats:
        return np.asarray(np.quantile(self.values, np.asarray(p, dtype=float)))

    def hdi(self, mass: float = 0.95) -> Interval:
        check_mass(mass)
        return shortest_of_sorted(self.values, mass)

    def probability(self, low: float, high: float) -> float:
        first = np.searchsorted(self.values, low, side="left")
        last = np.searchsorted(self.values, high, side="right")
        return max(0.0, float(last - first) / self.values.size)

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return rng.choice(self.values, n)

    def replicates(self) -> Sequence["Draws"]:
        return [Draws(batch[None, :], self.support, self.method) for batch in self._batches]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return spread(of_replicates)
