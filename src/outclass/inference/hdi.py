"""The highest-density interval, as the shortest interval that holds the mass.

For a density with one peak the two definitions agree. For one with its peak at the end of its range (a system
without a single error) the shortest interval starts there, as it should.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError
from outclass.inference.distribution import Distribution, Interval

STEPS: Final = 10
WINDOW: Final = 0.1  # stds around an end in which the cdf is a polynomial of degree five: ends to 1e-7 stds
WINDOWED: Final = 5e-8  # a finer precision takes a narrower window in the end
BENT, HARDLY_BENT = 2e-3, 2e-5  # of a window's probability: what Simpson's rule may be off, roughly and precisely
PLACES: Final = np.array([-1.0, 0.0, 1.0])
SIMPSON: Final = np.array([1.0, 4.0, 1.0]) / 3
# From values and slopes at the three places to the coefficients of the polynomial through them.
_POWERS: Final = np.arange(6)
HERMITE: Final = np.linalg.inv(
    np.concatenate([PLACES[:, None] ** _POWERS, _POWERS * PLACES[:, None] ** np.maximum(_POWERS - 1, 0)])
).T
ROUGH_PRECISION: Final = 1e-4  # in stds: the precision of distributions known at random points


def check_mass(mass: float) -> None:
    """Raise an error for a mass that no interval holds."""
    if not 0 < mass < 1:
        raise InputError(f"the mass of an interval must lie in (0, 1), got {mass}.")


def shortest_of_sorted(values: Floats, mass: float) -> Interval:
    """Return the shortest interval that holds the share `mass` of sorted values."""
    n = len(values)
    inside = min(max(int(np.ceil(mass * n)), 1), n)
    widths = values[inside - 1 :] - values[: n - inside + 1]
    start = int(np.argmin(widths))
    return Interval(float(values[start]), float(values[start + inside - 1]))


def lack(law: Distribution, ends: Floats, mass: float) -> Floats:
    """Return what an interval's ends lack: mass inside, and equal densities at the ends (in units of 1 / std)."""
    below, above = law.cdf(ends)
    at_low, at_high = law.pdf(ends)
    return np.array([above - below - mass, (at_high - at_low) * law.std])


class Polished(NamedTuple):
    """An interval, the derivatives of `lack` at its ends, and where near them the distribution was looked at."""

    interval: Interval
    jacobian: Floats
    near: Interval


def _normal_jacobian(law: Distribution, ends: Floats) -> Floats:
    """Return the derivatives of `lack`, the slopes of the density as a normal law of this mean and std has them."""
    density = law.pdf(ends)
    slopes = (law.mean - ends) / law.std * density
    return np.array([[-density[0], density[1]], [-slopes[0], slopes[1]]])


def _jacobian(law: Distribution, ends: Floats) -> Floats:
    """Return the derivatives of `lack`, the slopes of the density by differences."""
    step = 0.05 * law.std
    near = np.clip(np.stack([ends - step, ends, ends + step]), law.support.low, law.support.high)
    density = law.pdf(near)
    with np.errstate(invalid="ignore"):  # of a law narrower than numbers are apart there is no slope, nor an interval
        slopes = (density[2] - density[0]) / (near[2] - near[0]) * law.std
    return np.array([[-density[1, 0], density[1, 1]], [-slopes[0], slopes[1]]])


def polished(
    law: Distribution, start: Interval, mass: float, precision: float = 1e-9, *, smooth: bool = True
) -> Polished | None:
    """Solve cdf(high) - cdf(low) = mass and pdf(low) = pdf(high), from a good start.

    `precision` is in stds. For a distribution that is not `smooth`, or is expensive to evaluate, two values are
    evaluated at a time. Returns None where that does not settle inside the support, as with a peak at its end.
    """
    if not law.std > 0:
        return None
    if smooth and (found := _by_windows(law, start, mass, precision)) is not None:
        return found
    # Most distributions are near enough to normal, which spares four evaluations.
    found = _search(law, start, mass, precision, _normal_jacobian) or _search(law, start, mass, precision, _jacobian)
    if found is not None:
        low, high = found.interval
        within = law.mean if low < law.mean < high else found.interval.middle
        if not float(law.pdf(within)) >= float(law.pdf(low)):
            return None  # the distribution has its peaks at its ends, and what was found is the longest such interval
    return found


def _by_windows(law: Distribution, start: Interval, mass: float, precision: float) -> Polished | None:
    """Solve on polynomials through the cdf and pdf at three places around each end: few evaluations of the law."""
    ends, std, width = np.array(start), law.std, WINDOW * law.std
    for _ in range(STEPS):
        near = ends[:, None] + width * PLACES
        if not (law.support.low < near[0, 0] and near[1, 2] < law.support.high and near[0, 2] < near[1, 0]):
            return None
        cdf, pdf = law.cdf(near), width * law.pdf(near)
        # Simpson's rule tells whether the density bends too much within a window.
        unlike = float((np.abs(cdf[:, 2] - cdf[:, 0] - pdf @ SIMPSON) / np.maximum(pdf[:, 1], 1e-300)).max())
        if not unlike <= BENT:
            return None
        low, high = (np.concatenate([cdf, pdf], axis=1) @ HERMITE).tolist()
        found = _newton(low, high, mass)
        if found is None:
            return None
        moves, slopes, bends = found
        if max(abs(moves[0]), abs(moves[1])) > 1:
            ends = ends + width * np.clip(moves, -2, 2)
            continue
        interval = Interval(*(ends + width * np.array(moves)).tolist())
        bent = unlike > HARDLY_BENT and precision < ROUGH_PRECISION
        if width > WINDOW * std / 2 and (bent or precision < WINDOWED):
            ends, width = np.array(interval), width / 10
            continue
        if bent:
            return None
        if bends[0] < 0 < bends[1]:
            return None  # the distribution has its peaks at its ends, and what was found is the longest such interval
        density, slope = np.array(slopes) / width, np.array(bends) * std / width**2
        return Polished(
            interval, np.array([[-density[0], density[1]], [-slope[0], slope[1]]]), Interval(*ends.tolist())
        )
    return None


Pair = tuple[float, float]


def _newton(low: list[float], high: list[float], mass: float) -> tuple[Pair, Pair, Pair] | None:
    """Solve on two polynomials, each in its own window: where the ends move, and the first and second derivatives."""
    u, v = 0.0, 0.0
    for _ in range(2 * STEPS):
        (below, slope_low, bend_low), (above, slope_high, bend_high) = _at(low, u), _at(high, v)
        short, uneven = above - below - mass, slope_high - slope_low
        turn = -slope_low * bend_high + slope_high * bend_low
        if not abs(turn) > 0:
            return None
        by_low = (slope_high * uneven - bend_high * short) / turn
        by_high = (slope_low * uneven - bend_low * short) / turn
        u, v = u + by_low, v + by_high
        if not (abs(u) < 4 and abs(v) < 4):
            # Far outside the windows the polynomials say no more than in which direction to go.
            return (min(max(u, -4.0), 4.0), min(max(v, -4.0), 4.0)), (slope_low, slope_high), (bend_low, bend_high)
        if abs(by_low) + abs(by_high) < 1e-12:
            return (u, v), (slope_low, slope_high), (bend_low, bend_high)
    return None


def _at(c: list[float], u: float) -> tuple[float, float, float]:
    """Return a polynomial of degree five with its first two derivatives."""
    value = ((((c[5] * u + c[4]) * u + c[3]) * u + c[2]) * u + c[1]) * u + c[0]
    slope = (((5 * c[5] * u + 4 * c[4]) * u + 3 * c[3]) * u + 2 * c[2]) * u + c[1]
    bend = ((20 * c[5] * u + 12 * c[4]) * u + 6 * c[3]) * u + 2 * c[2]
    return value, slope, bend


def _search(
    law: Distribution, start: Interval, mass: float, precision: float, derivatives: Callable[..., Floats]
) -> Polished | None:
    support, furthest = law.support, 0.5 * law.std
    ends = np.array(start)
    jacobian = derivatives(law, ends)
    wrong = lack(law, ends, mass)
    best = None
    for _ in range(STEPS):
        if not (np.all(np.isfinite(jacobian)) and abs(np.linalg.det(jacobian)) > 1e-12):
            break
        step = -np.linalg.solve(jacobian, wrong)
        step *= min(1.0, furthest / max(np.abs(step).max(), 1e-300))
        ends = ends + step
        if not support.low < ends[0] < ends[1] < support.high:
            break
        if np.abs(step).max() < precision * law.std:
            interval = Interval(float(ends[0]), float(ends[1]))
            return Polished(interval, jacobian, interval)
        found = lack(law, ends, mass)
        if best is None or np.abs(found).max() < best[0]:
            interval = Interval(float(ends[0]), float(ends[1]))
            best = np.abs(found).max(), Polished(interval, jacobian, interval)
        jacobian = jacobian + np.outer(found - wrong - jacobian @ step, step) / (step @ step)
        wrong = found
    # The density of a few uniform variates at random points has steps, on which the search can only come near.
    enough = 5 * precision if precision >= ROUGH_PRECISION else 1e-7
    return best[1] if best is not None and best[0] < enough else None


def interval_of(law: Distribution, start: Interval, mass: float) -> Interval:
    """Return the shortest interval of a distribution that is cheap to evaluate."""
    found = polished(law, start, mass)
    return shortest(law, mass) if found is None else found.interval


def shortest_by_cdf(law: Distribution, guesses: Floats, mass: float) -> Interval:
    """Return the shortest interval of a law whose cdf is all that can be trusted; `guesses` are about its quantiles."""
    from scipy import optimize  # loaded for odd distributions alone

    support = law.support
    at = np.unique(np.clip(np.concatenate([[support.low, support.high], guesses]), support.low, support.high))
    below = np.maximum.accumulate(np.clip(law.cdf(at), 0, 1))

    @cache
    def quantile(p: float) -> float:
        place = int(np.clip(np.searchsorted(below, p), 1, len(at) - 1))
        low, high = float(at[place - 1]), float(at[place])
        if below[place - 1] >= p:
            return low
        if below[place] <= p:
            return high
        return float(optimize.brentq(lambda x: float(law.cdf(x)) - p, low, high, xtol=1e-11, rtol=1e-11))

    spare = 1 - mass
    starts = np.unique(np.concatenate([np.linspace(0, spare, 201), below[below < spare]]))
    widths = np.interp(starts + mass, below, at) - np.interp(starts, below, at)
    best = int(np.argmin(widths))
    low, high = starts[max(best - 2, 0)], starts[min(best + 2, len(starts) - 1)]
    found = optimize.minimize_scalar(
        lambda p: quantile(p + mass) - quantile(p), bounds=(low, high), method="bounded", options={"xatol": 1e-5}
    )
    choices = [float(found.x), float(low), float(high)]

    def tilt(p: float) -> float:
        """Return by how much the density at the lower end exceeds that at the upper: zero for the shortest interval."""
        at_low, at_high = law.pdf([quantile(p), quantile(p + mass)])
        return float(at_low - at_high)

    # Widths hardly differ near the best; where the densities at the ends cross is told far more sharply.
    near, far = max(0.0, float(found.x) - 0.2 * spare), min(spare, float(found.x) + 0.2 * spare)
    ends = tilt(near), tilt(far)
    if np.all(np.isfinite(ends)) and ends[0] < 0 < ends[1]:
        choices.insert(0, float(optimize.brentq(tilt, near, far, xtol=1e-12)))
    widths_of = {p: quantile(p + mass) - quantile(p) for p in choices}
    best_width = min(widths_of.values())
    start = next(p for p in choices if widths_of[p] <= best_width * (1 + 1e-5))
    return Interval(quantile(start), quantile(start + mass))


def shortest(law: Distribution, mass: float) -> Interval:
    """Return the shortest interval by search over the quantile function; slower than `polished`, and never lost."""
    spare = 1 - mass
    starts = spare * (1 - np.cos(np.linspace(0, np.pi, 129))) / 2
    for _ in range(4):
        lows, highs = law.quantile(starts), law.quantile(np.minimum(starts + mass, 1.0))
        best = int(np.argmin(highs - lows))
        starts = np.linspace(starts[max(best - 1, 0)], starts[min(best + 1, len(starts) - 1)], 33)
    return Interval(float(lows[best]), float(highs[best]))
