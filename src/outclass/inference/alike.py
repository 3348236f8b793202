"""What several distributions compute alike, to be mixed in: the interval, draws, moments on a grid, a grid's error."""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from outclass.arrays import Floats
from outclass.inference.distribution import Distribution, Interval, equal_tailed
from outclass.inference.hdi import check_mass, interval_of
from outclass.inference.nodes import grid_error


class FromEqualTails:
    """The shortest interval, searched for from the equal-tailed one."""

    def hdi(self: Distribution, mass: float = 0.95) -> Interval:
        check_mass(mass)
        return interval_of(self, equal_tailed(self, mass), mass)


class ByQuantiles:
    """Draws are quantiles of random shares."""

    def sample(self: Distribution, n: int, rng: np.random.Generator) -> Floats:
        return self.quantile(rng.random(n))


class OnGrid:
    """Moments are sums over a grid."""

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        """Values, and their weights."""
        raise NotImplementedError

    @cached_property
    def mean(self) -> float:
        values, weights = self._grid
        return float(weights @ values)

    @cached_property
    def std(self) -> float:
        values, weights = self._grid
        return float(np.sqrt(weights @ (values - self.mean) ** 2))


class _Coarsened(Distribution, Protocol):
    @property
    def _coarser(self) -> Distribution | None: ...


class BesideCoarser:
    """The error is the distance from the same distribution on a coarser grid."""

    def replicates(self: _Coarsened) -> Sequence[Distribution]:
        return [self._coarser or self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return grid_error(numbers, of_replicates)
