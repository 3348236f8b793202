"""Distributions of a mean: Student's t in closed form, and any density that is known on a grid."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats
from outclass.inference.alike import BesideCoarser, ByQuantiles, FromEqualTails
from outclass.inference.closed import EXACT
from outclass.inference.distribution import Distribution, Interval, equal_tailed
from outclass.inference.hdi import check_mass

FINER: Final = 16  # points between two of the grid
EVERYWHERE: Final = Interval(-math.inf, math.inf)


@dataclass(frozen=True)
class StudentLaw:
    """Student's t with `df` degrees of freedom, moved and stretched; a scale of zero is a point."""

    df: float
    centre: float
    scale: float

    method = "closed form"
    support = EVERYWHERE

    @property
    def mean(self) -> float:
        return self.centre if self.df > 1 or self.scale == 0 else math.nan

    @property
    def mode(self) -> float:
        """Where the density is highest."""
        return self.centre

    @property
    def std(self) -> float:
        if self.scale == 0:
            return 0.0
        return self.scale * math.sqrt(self.df / (self.df - 2)) if self.df > 2 else math.inf

    def _unit(self, x: ArrayLike) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num((np.asarray(x, dtype=float) - self.centre) / self.scale, nan=0.0)

    def cdf(self, x: ArrayLike) -> Floats:
        if self.scale == 0:
            return np.asarray(np.asarray(x, dtype=float) >= self.centre, dtype=float)
        return np.asarray(special.stdtr(self.df, self._unit(x)))

    def pdf(self, x: ArrayLike) -> Floats:
        if self.scale == 0:
            return np.where(np.asarray(x) == self.centre, np.inf, 0.0)
        log = special.gammaln((self.df + 1) / 2) - special.gammaln(self.df / 2) - 0.5 * math.log(math.pi * self.df)
        with np.errstate(over="ignore"):  # infinitely far out the density is nothing
            fall = (self.df + 1) / 2 * np.log1p(self._unit(x) ** 2 / self.df)
        return np.asarray(np.exp(log - fall) / self.scale)

    def quantile(self, p: ArrayLike) -> Floats:
        if self.scale == 0:
            return np.full(np.shape(p), self.centre)
        share = np.asarray(p, dtype=float)
        # At a share of zero SciPy's inverse is plus infinity.
        unit = np.where(share == 0, -np.inf, special.stdtrit(self.df, share))
        return np.asarray(self.centre + self.scale * unit)

    def hdi(self, mass: float = 0.95) -> Interval:
        check_mass(mass)
        return equal_tailed(self, mass)  # the distribution is even

    def probability(self, low: float, high: float) -> float:
        if self.scale == 0:
            return float(low <= self.centre <= high)
        a, b = self._unit([low, high])
        if a > 0:
            a, b = -b, -a  # where the upper tail would be lost in rounding
        return float(special.stdtr(self.df, b) - special.stdtr(self.df, a))

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(self.centre + self.scale * rng.standard_t(self.df, n))

    def replicates(self) -> Sequence[Distribution]:
        return [self]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return np.full(numbers.shape, EXACT)


class GridLaw(FromEqualTails, ByQuantiles, BesideCoarser):
    """A law on the whole line, by its log density on a grid that reaches far out: x = centre + scale * sinh(t).

    Parameters
    ----------
    log_density
        Of x, not normalised; called once with all points.
    centre, scale
        Where the distribution is, and about how wide.
    reach
        How far out, in t: sinh(9) is four thousand scales.
    """

    method = "quadrature"
    support = EVERYWHERE

    def __init__(
        self,
        log_density: Callable[[Floats], Floats],
        centre: float,
        scale: float,
        *,
        points: int = 121,
        reach: float = 9.0,
        coarser: bool = True,
    ) -> None:
        self._centre, self._scale = centre, scale
        t = np.linspace(-reach, reach, points)
        heights = log_density(self._x(t))
        seen = np.isfinite(heights) & (heights > heights.max() - 700)
        first, last = np.flatnonzero(seen)[[0, -1]]
        self._integrate(t[first : last + 1], heights[first : last + 1] - heights.max())
        self._coarser = (
            GridLaw(log_density, centre, scale, points=points // 2 + 1, reach=reach, coarser=False) if coarser else None
        )

    def _integrate(self, t: Floats, heights: Floats) -> None:
        """Find the tails from the log density at the points of the grid."""
        from scipy.interpolate import CubicSpline  # loaded for scores alone

        self._known = t, heights
        self._spline = CubicSpline(t, heights)
        fine = np.linspace(t[0], t[-1], FINER * (len(t) - 1) + 1)
        self._t = fine
        speed = np.exp(self._spline(fine)) * np.cosh(fine)
        # The trapezoid rule with the end correction of a cubic: third order in each step, and far better in sum.
        step = fine[1] - fine[0]
        slope = np.gradient(speed, step, edge_order=2)
        parts = step * (speed[1:] + speed[:-1]) / 2 - step**2 * np.diff(slope) / 12
        below = np.concatenate([[0.0], np.cumsum(np.maximum(parts, 0.0))])
        self._total = float(below[-1])
        self._below = below / self._total
        # Upper tails by themselves, for the sake of small ones.
        self._above = np.concatenate([np.cumsum(np.maximum(parts, 0.0)[::-1])[::-1], [0.0]]) / self._total
        self._speed = speed / self._total

    def __getstate__(self) -> tuple[Any, ...]:
        """Send the grid alone: what is found from it is found again."""
        return self._centre, self._scale, self._known, self._coarser

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._centre, self._scale, known, self._coarser = state
        self._integrate(*known)

    def _x(self, t: Floats) -> Floats:
        return np.asarray(self._centre + self._scale * np.sinh(t))

    def _at(self, x: ArrayLike) -> Floats:
        return np.asarray(np.arcsinh((np.asarray(x, dtype=float) - self._centre) / self._scale))

    @cached_property
    def _hermite(self) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        from scipy.interpolate import CubicHermiteSpline

        return (
            CubicHermiteSpline(self._t, self._below, self._speed),
            CubicHermiteSpline(self._t, self._above, -self._speed),
        )

    def _tail(self, x: ArrayLike, which: int) -> Floats:
        t = np.clip(self._at(x), self._t[0], self._t[-1])
        return np.asarray(np.clip(self._hermite[which](t), 0.0, 1.0))

    def cdf(self, x: ArrayLike) -> Floats:
        return self._tail(x, 0)

    def pdf(self, x: ArrayLike) -> Floats:
        t = self._at(x)
        inside = (t >= self._t[0]) & (t <= self._t[-1])
        heights = self._spline(np.clip(t, self._t[0], self._t[-1]))
        return np.where(inside, np.exp(heights) / (self._total * self._scale), 0.0)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        x = np.sinh(self._t)
        step = self._t[1] - self._t[0]
        mean = float(np.sum(x * self._speed) * step)
        return mean, float(np.sum((x - mean) ** 2 * self._speed) * step)

    @property
    def mean(self) -> float:
        return self._centre + self._scale * self._moments[0]

    @property
    def std(self) -> float:
        return self._scale * math.sqrt(self._moments[1])

    def quantile(self, p: ArrayLike) -> Floats:
        share = np.asarray(p, dtype=float)
        t = np.interp(share, self._below, self._t)
        for _ in range(3):
            speed = np.interp(t, self._t, self._speed)
            lack = self._hermite[0](t) - share
            move = np.divide(lack, speed, out=np.zeros_like(lack), where=speed > 1e-12)
            t = np.clip(t - np.clip(move, -0.1, 0.1), self._t[0], self._t[-1])
        return self._x(t)

    def probability(self, low: float, high: float) -> float:
        if low > self._centre:
            return float(self._tail(low, 1) - self._tail(high, 1))
        return float(self._tail(high, 0) - self._tail(low, 0))
