"""A distribution on a few dozen knots, made from any smooth cdf and pdf; and the difference of two independent ones.

The knots are equally spaced in the logit of the position within the support (or in the value itself where the support
has no ends), where the normal score is close to a straight line.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.alike import BesideCoarser, ByQuantiles, FromEqualTails, OnGrid
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.nodes import grid_scores
from outclass.inference.scores import ScoreSpline, normal_density

ENOUGH: Final = 30
LOOKED_AT: Final = 8  # places between the knots, where a table is least to be trusted
STEEPEST: Final = 2  # more of them, beside what may be a spike
OFF: Final = 1e-3  # in probability: what no table may be off there


class Detail(NamedTuple):
    """How fine a table is, how far out it goes, and how exact it must be.

    Parameters
    ----------
    knots
        How many there are; `enough` of them must lie where there is probability to see.
    reach
        The least stds to either side; it goes on until no more probability than `tail` lies beyond.
    off
        In probability: what it may be off where it is least to be trusted.
    """

    knots: int
    enough: int
    reach: float
    tail: float
    off: float


FINE: Final = Detail(121, ENOUGH, reach=7.0, tail=1e-11, off=OFF)
ROUGH: Final = Detail(33, 20, reach=5.3, tail=1e-7, off=2e-4)


class _Scale:
    """The map from values to the scale of the knots."""

    def __init__(self, support: Interval) -> None:
        self._support = support
        self._bounded = bool(np.isfinite(support.low) and np.isfinite(support.high))

    def to(self, x: Floats) -> Floats:
        if not self._bounded:
            return x
        with np.errstate(divide="ignore", invalid="ignore"):
            inside = np.clip(x, self._support.low, self._support.high)
            return np.asarray(np.log(inside - self._support.low) - np.log(self._support.high - inside))

    def back(self, t: Floats) -> Floats:
        if not self._bounded:
            return t
        return np.asarray(self._support.low + self._support.width * special.expit(t))

    def pace(self, x: Floats) -> Floats:
        """Return dt/dx."""
        if not self._bounded:
            return np.ones_like(x)
        with np.errstate(divide="ignore"):
            return np.asarray(1 / (x - self._support.low) + 1 / (self._support.high - x))


class _Knots(NamedTuple):
    t: Floats
    z: Floats
    slope: Floats  # of z


def _knots(scale: _Scale, x: Floats, below: Floats, density: Floats, enough: int = ENOUGH) -> _Knots:
    """Return normal scores, or raise an error where they cannot be those of a smooth distribution."""
    t, z = scale.to(x), special.ndtri(below)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = density / scale.pace(x) / normal_density(z)
    # Steps in the cdf, or a density that is not its slope, mean that there is more to see than the knots show.
    if len(t) < enough or not np.all((np.diff(z) > 0) & np.isfinite(slope[1:])) or np.diff(z).max() > 1:
        raise RoughLawError("too rough to tabulate")
    return _Knots(t, z, slope)


class Tabulated(FromEqualTails, ByQuantiles, OnGrid, BesideCoarser):
    """A distribution by its table of normal scores."""

    method = "quadrature"

    def __init__(self, spline: ScoreSpline, support: Interval, coarser: "Tabulated | None" = None) -> None:
        self._spline, self.support, self._scale = spline, support, _Scale(support)
        self._coarser = coarser

    @classmethod
    def of(
        cls,
        cdf: Callable[[Floats], Floats],
        pdf: Callable[[Floats], Floats],
        support: Interval,
        centre: float,
        spread: float,
        coarser: "Tabulated | None" = None,
        detail: Detail = FINE,
    ) -> "Tabulated":
        """Tabulate a cdf and pdf around a centre, as far out as there is probability to see."""
        scale = _Scale(support)
        middle = float(scale.to(np.array(centre)))
        pace = float(scale.pace(np.array(centre))) * spread
        ends = []
        for side in (-1.0, 1.0):
            reach = detail.reach
            for _ in range(40):
                at = float(cdf(scale.back(np.array([middle + side * reach * pace])))[0])
                if min(at, 1 - at) < detail.tail:
                    break
                reach *= 1.5
            ends.append(middle + side * reach * pace)
        t = np.linspace(ends[0], ends[1], detail.knots)
        x = scale.back(t)
        below = cdf(x)
        keep = (below > detail.tail / 10) & (below < 1 - detail.tail / 10)
        t, z, slope = _knots(scale, x[keep], below[keep], pdf(x[keep]), detail.enough)
        spline = ScoreSpline(z, t, 1 / slope)
        # Where the slopes at two knots do not go with what lies between them, there may be a corner.
        bent = np.abs(np.diff(t) - np.diff(z) * (1 / slope[1:] + 1 / slope[:-1]) / 2)
        # Beside a spike the scores are bent, and hardly the values.
        steep = np.abs(np.diff(z) - np.diff(t) * (slope[1:] + slope[:-1]) / 2)
        doubtful = np.concatenate([np.argsort(bent)[-LOOKED_AT:], np.argsort(steep)[-STEEPEST:]])
        between = (t[1:] + t[:-1])[doubtful] / 2
        if np.abs(spline.cdf(between) - cdf(scale.back(between))).max() > detail.off:
            raise RoughLawError("too rough to tabulate")
        return cls(spline, support, coarser)

    @classmethod
    def on(
        cls, x: Floats, below: Floats, density: Floats, support: Interval, coarser: "Tabulated | None" = None
    ) -> Self:
        """Take a cdf and a density at values that are known to be close enough."""
        inside = (x > support.low) & (x < support.high)
        if below[~inside & (x < support.middle)].max(initial=0.0) > OFF or (
            1 - below[~inside & (x > support.middle)].min(initial=1.0) > OFF
        ):
            raise RoughLawError("too much of the distribution lies beyond what is possible")
        t, z, slope = _knots(_Scale(support), x[inside], below[inside], density[inside])
        return cls(ScoreSpline(z, t, 1 / slope), support, coarser)

    def cdf(self, x: ArrayLike) -> Floats:
        return self._spline.cdf(self._scale.to(np.asarray(x, dtype=float)))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=float)
        inside = (at > self.support.low) & (at < self.support.high)
        safe = np.where(inside, at, self.support.middle if np.isfinite(self.support.middle) else 0.0)
        return np.where(inside, self._spline.pdf(self._scale.to(safe)) * self._scale.pace(safe), 0.0)

    def quantile(self, p: ArrayLike) -> Floats:
        z = special.ndtri(np.asarray(p, dtype=float))
        with np.errstate(invalid="ignore"):
            inner = self._scale.back(self._spline.value(np.clip(z, -40, 40)))
        return np.where(z == np.inf, self.support.high, np.where(z == -np.inf, self.support.low, inner))

    @cached_property
    def _grid(self) -> tuple[Floats, Floats]:
        z, weights = grid_scores(0.125, reach=8.0)
        return self._scale.back(self._spline.value(z)), weights

    def probability(self, low: float, high: float) -> float:
        below, above = self._spline.score(self._scale.to(np.array([low, high], dtype=float)))
        if below > 0:
            return float(special.ndtr(-below) - special.ndtr(-above))
        return float(special.ndtr(above) - special.ndtr(below))


def independent_difference(a: Distribution, b: Distribution, step: float = 0.125) -> Tabulated:
    """Return the law of a - b for independent a and b: P(a - b <= d) = E[cdf_a(d + b)], on a grid of b's quantiles."""
    z, weights = grid_scores(step, reach=8.0)
    others = b.quantile(special.ndtr(z))
    width = Interval(a.support.low - b.support.high, a.support.high - b.support.low)

    def cdf(x: Floats) -> Floats:
        return a.cdf(x[:, None] + others) @ weights

    def pdf(x: Floats) -> Floats:
        return a.pdf(x[:, None] + others) @ weights

    coarser = independent_difference(a, b, 2 * step) if step < 0.2 else None
    return Tabulated.of(cdf, pdf, width, a.mean - b.mean, float(np.hypot(a.std, b.std)), coarser)
