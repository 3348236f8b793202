"""A distribution as numbers for a picture or a page: its density as a curve, and its cdf at round places."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.derived import Scaled
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.inference.tabulated import Tabulated

SHOWN: Final = 161  # points of a curve that is drawn
SEEN: Final = 2e-4  # of the highest density: what is below it cannot be seen
ROUNDING: Final = 1e-12
MOST_STEPS: Final = 120
REACH: Final = 7.0  # stds to either side
NEAR: Final = 0.02  # stds to either side of an interval's end, by which the slope of the density is told
FURTHEST: Final = 0.5  # stds that an end moves at once
SETTLED: Final = 1e-6  # stds that it moves no more
MOVES: Final = 12


def quick(law: Distribution, *, roughly: bool = False) -> Distribution:
    """Return the same law where many numbers can be read off it quickly: on a table, if it is smooth enough for one.

    A rougher table is made sooner, finer than what can be seen: of a hundred items its intervals are exact to 1e-4
    stds; of a few dozen, whose law has small steps, to a hundredth, as those of any table are.
    """
    if isinstance(law, Scaled):
        return replace(law, law=quick(law.law, roughly=roughly))
    if not isinstance(law, Mixture):
        return law
    for rough in (True, False) if roughly else (False,):
        try:
            return law.sketch if rough else law.table
        except RoughLawError:
            continue
    return law


def intervals_of(law: Distribution, masses: Sequence[float]) -> list[Interval]:
    """Return the shortest intervals of several masses: on a table all at once, elsewhere one by one."""
    if isinstance(law, Scaled):
        return [law.carried(interval) for interval in intervals_of(law.law, masses)]
    if not isinstance(law, Tabulated):
        return [law.hdi(mass) for mass in masses]
    found = _settled(law, np.array(masses))
    return [
        Interval(*ends) if not math.isnan(ends[0]) else law.hdi(mass)
        for mass, ends in zip(masses, found.T.tolist(), strict=True)
    ]


def _settled(law: Tabulated, masses: Floats) -> Floats:
    """Move the ends of equal-tailed intervals by Newton's method until the densities there are alike, (2, masses).

    NaN where they do not settle around a peak inside the support.
    """
    std, support = law.std, law.support
    ends = law.quantile(np.stack([(1 - masses) / 2, (1 + masses) / 2]))
    with np.errstate(all="ignore"):
        for _ in range(MOVES):
            density = std * law.pdf(ends + NEAR * std * np.array([-1.0, 0.0, 1.0])[:, None, None])
            (low, high), (up, down) = density[1], (density[2] - density[0]) / (2 * NEAR)
            below, above = law.cdf(ends)
            short, uneven, turn = above - below - masses, high - low, high * up - low * down
            moves = np.stack([high * uneven - down * short, low * uneven - up * short]) / turn
            ends = ends + std * np.clip(moves, -FURTHEST, FURTHEST)
            if not np.any(np.abs(moves) > SETTLED):
                break
    inside = (ends[0] - NEAR * std > support.low) & (ends[1] + NEAR * std < support.high)
    return np.where((np.abs(moves) <= SETTLED).all(axis=0) & inside & (up > 0) & (down < 0), ends, np.nan)


@dataclass(frozen=True)
class Curve:
    """A density where there is something to see."""

    x: Floats
    density: Floats


def curve_of(law: Distribution, points: int = SHOWN) -> Curve:
    """Return the density of a distribution as a curve."""
    support, spread = law.support, law.std if law.std > 0 else 1e-9
    low, high = max(support.low, law.mean - REACH * spread), min(support.high, law.mean + REACH * spread)
    for _ in range(2):
        x = np.linspace(low, high, points)
        with np.errstate(all="ignore"):
            density = np.nan_to_num(np.asarray(law.pdf(x), dtype=float), nan=0.0, posinf=0.0)
        seen = np.flatnonzero(density > SEEN * max(density.max(), 1e-300))
        if len(seen) < 2:
            break
        step = x[1] - x[0]
        low, high = max(low, x[seen[0]] - step), min(high, x[seen[-1]] + step)
    return Curve(x, density)


def round_step(widest: float, *, coarse: bool = False) -> float:
    """Return a round step of which a few hundred span the widest distribution; a hundred at most, if coarse."""
    power = 10.0 ** math.floor(math.log10(max(widest, 1e-9) / 60))
    return next(each * power for each in (1, 2, 5, 10) if widest / (each * power) <= MOST_STEPS) if coarse else power


@dataclass(frozen=True)
class Steps:
    """P(value < x) and P(value <= x) at multiples of a step, from the first at which it is not 0 to the last."""

    first: int
    below: Floats
    up_to: Floats

    def inside(self, low: int, high: int) -> float:
        """Return P(low <= value <= high), both in steps."""
        return float(self._at(self.up_to, high) - self._at(self.below, low))

    def _at(self, values: Floats, place: int) -> float:
        where = place - self.first
        return 0.0 if where < 0 else 1.0 if where >= len(values) else float(values[where])


def steps_of(law: Distribution, step: float) -> Steps:
    """Read the cdf off at multiples of a step."""
    reach = Interval(law.mean - REACH * law.std, law.mean + REACH * law.std)
    low, high = max(law.support.low, reach.low), min(law.support.high, reach.high)
    first, last = math.floor(low / step), math.ceil(high / step)
    places = np.arange(first, last + 1) * step
    if isinstance(law, Draws):
        size = law.values.size
        # A place that is a multiple of the step only up to rounding must still meet a draw that is there.
        below = np.searchsorted(law.values, places - ROUNDING, side="left") / size
        up_to = np.searchsorted(law.values, places + ROUNDING, side="right") / size
        return Steps(first, np.asarray(below), np.asarray(up_to))
    cdf = np.asarray(law.cdf(places), dtype=float)
    return Steps(first, cdf, cdf)
