"""The Beta law in the logit scale, tabulated once so that thousands of quantiles and probabilities cost microseconds.

SciPy's `betaincinv` costs about a microsecond a value at ordinary parameters, a hundred at parameters of 1e10, and
loses values below 1e-300 and complements below 1e-16. The table keeps the logit, in which both tails are safe.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from scipy import special

from outclass.arrays import Floats, frozen
from outclass.inference.scores import REACH, EvenCubics, ScoreSpline

# From larger parameters on the curve is so nearly straight that fewer knots are as good: the error stays below 5e-8
# (below 2e-8 from parameters of two on). Quantiles are inverted at every second or fourth: a polynomial of degree five,
# with the second derivatives that the density gives, is exact between them where the cubics of a spline are not.
KNOTS: Final = ((5_000.0, 41, 2), (8.0, 81, 4), (4.0, 126, 5), (1.0, 201, 4), (0.0, 201, 1))
SHALLOW: Final = 1.0  # from this parameter on no tail down to `REACH` is a pure power
LARGE: Final = 1e6  # both parameters above this: the expansion in cumulants is exact to double precision


@lru_cache(maxsize=512)
def logit_beta(a: float, b: float) -> ScoreSpline:
    """Return the distribution of t = log(x / (1 - x)) for x ~ Beta(a, b)."""
    knots, every = _knots(min(a, b))
    z = _even(knots)
    if min(a, b) > LARGE:
        t, slope = _from_cumulants(a, b, z)
    elif every == 1:
        t, slope = _from_quantiles(a, b, z)
    else:
        t, slope = _between(a, b, z[::every], every)
    return ScoreSpline(z, t, slope)


@lru_cache
def _even(knots: int) -> Floats:
    """Return even scores."""
    return frozen(np.linspace(-REACH, REACH, knots))


def _knots(least: float) -> tuple[int, int]:
    """Return how many knots there are, and every how many of them quantiles are inverted."""
    return next((knots, every) for above, knots, every in KNOTS if least >= above)


class LogitBetas:
    """Several Beta distributions in the logit scale: those at whose scores things are computed, and one that is exact.

    They are inverted in one go, since each call costs as much as some dozens of values.
    """

    def __init__(self, laws: Sequence[tuple[float, float]], exact: tuple[float, float]) -> None:
        self._laws, self._own = laws, exact
        self._curves = _together((*laws, exact))

    def value(self, scores: Floats) -> Floats:
        """Return log(x / (1 - x)) at normal scores, one law for each place of the first axis."""
        if self._curves is None:
            return np.stack([logit_beta(*law).value(each) for law, each in zip(self._laws, scores, strict=True)])
        return self._curves[0](scores)

    @property
    def exact(self) -> ScoreSpline:
        """The distribution of the logit of the last one."""
        return logit_beta(*self._own) if self._curves is None else self._curves[1]


@lru_cache(maxsize=64)
def _together(laws: tuple[tuple[float, float], ...]) -> tuple[EvenCubics, ScoreSpline] | None:
    """Return curves on the same knots, the last one by itself; None where one of them needs a way of its own."""
    least = min(map(min, laws))
    knots, every = _knots(least)
    if every == 1 or max(map(min, laws)) > LARGE:
        return None
    z = _even(knots)
    # The smaller parameter first: then x, and not 1 - x, is the small one, and is what is inverted.
    a, b = np.sort(laws, axis=1).T[:, :, None]
    t, slope = _between(a, b, z[::every], every)
    turned = np.array([[law[0] > law[1]] for law in laws])
    t, slope = np.where(turned, -t[:, ::-1], t), np.where(turned, slope[:, ::-1], slope)
    if not (np.all(np.isfinite(t)) and np.all(slope > 0) and np.all(t[:, 1:] > t[:, :-1])):
        return None
    return EvenCubics(-REACH, z[1] - z[0], t[:-1], slope[:-1]), ScoreSpline(z, t[-1], slope[-1])


def _between(a: Any, b: Any, z: Floats, parts: int) -> tuple[Floats, Floats]:
    """Return quantiles and slopes at even scores, and at `parts - 1` places between each and the next."""
    t, slope = _from_quantiles(a, b, z)
    if not (np.all(np.isfinite(t)) and np.all(slope > 0)):
        return _from_quantiles(a, b, np.linspace(z[0], z[-1], parts * (len(z) - 1) + 1))
    width = z[1] - z[0]
    # dt/dz is the normal density over the law's own, f(t): its logarithm falls by z, and by f'/f = a(1 - x) - bx.
    bend = width**2 * slope * (-z - (a * special.expit(-t) - b * special.expit(t)) * slope)
    start, end, bent, bends = width * slope[..., :-1], width * slope[..., 1:], bend[..., :-1], bend[..., 1:]
    rise, paces = t[..., 1:] - t[..., :-1], start + end
    third = 10 * rise - 4 * paces - 2 * start + (bends - 3 * bent) / 2
    fourth = -15 * rise + 7 * paces + start + (3 * bent - 2 * bends) / 2
    fifth = 6 * rise - 3 * paces + (bends - bent) / 2
    powers, slopes = _powers(parts)
    terms = np.stack([t[..., :-1], start, bent / 2, third, fourth, fifth], axis=-1)
    inner, inner_slopes = ((terms @ each).reshape(*t.shape[:-1], -1) for each in (powers, slopes / width))
    last = (..., slice(-1, None))
    return np.concatenate([inner, t[last]], axis=-1), np.concatenate([inner_slopes, slope[last]], axis=-1)


@lru_cache
def _powers(parts: int) -> tuple[Floats, Floats]:
    """Return the powers up to the fifth of places within a piece, and their derivatives."""
    u, degree = np.arange(parts) / parts, np.arange(6)[:, None]
    return u**degree, degree * u ** np.maximum(degree - 1, 0)


def _from_cumulants(a: float, b: float, z: Floats) -> tuple[Floats, Floats]:
    """Cornish-Fisher for t = log G_a - log G_b, whose cumulants are polygamma functions."""
    mean = special.digamma(a) - special.digamma(b)
    variance = 1 / a + 1 / b + (1 / a**2 + 1 / b**2) / 2
    deviation = np.sqrt(variance)
    skew = (1 / b**2 - 1 / a**2) / deviation**3
    excess = (2 / a**3 + 2 / b**3) / deviation**4
    t = z + skew * (z**2 - 1) / 6 + excess * (z**3 - 3 * z) / 24 - skew**2 * (2 * z**3 - 5 * z) / 36
    slope = 1 + skew * z / 3 + excess * (z**2 - 1) / 8 - skew**2 * (6 * z**2 - 5) / 36
    return mean + deviation * t, deviation * slope


def _from_quantiles(a: Any, b: Any, z: Floats) -> tuple[Floats, Floats]:
    """Invert the incomplete Beta function, in each tail from the side that keeps its digits."""
    log_norm = special.betaln(a, b)
    below, above = special.ndtr(z), special.ndtr(-z)
    half = int(np.searchsorted(z, 0.0))
    x = np.concatenate([special.betaincinv(a, b, below[:half]), special.betainccinv(a, b, above[half:])], axis=-1)
    y = 1 - x
    if np.any(near_one := x > 0.9):
        low = near_one & (z < 0)
        for part, inverse, shares in ((low, special.betainccinv, below), (near_one & ~low, special.betaincinv, above)):
            if part.any():
                y[part] = inverse(*(np.broadcast_to(each, x.shape)[part] for each in (b, a, shares)))
    with np.errstate(divide="ignore", over="ignore"):
        t = np.where(x < y, np.log(x) - np.log1p(-x), np.log1p(-y) - np.log(y))
        if np.min(a) < SHALLOW or np.min(b) < SHALLOW:
            t = _deep(a, b, z, t, log_norm)
        log_density = -a * np.logaddexp(0, -t) - b * np.logaddexp(0, t) - log_norm
        slope = np.exp(-0.5 * z * z - 0.5 * np.log(2 * np.pi) - log_density)
    return t, slope


def _deep(a: Any, b: Any, z: Floats, t: Floats, log_norm: Any) -> Floats:
    """Return t, but so deep in a tail that the integrand is a pure power by its closed form: x may be 1e-10000."""
    deep_low = (special.log_ndtr(z) + np.log(a) + log_norm) / a
    deep_high = (special.log_ndtr(-z) + np.log(b) + log_norm) / b
    t = np.where(deep_low + np.log1p(b) < -37, deep_low, t)
    return np.where(deep_high + np.log1p(a) < -37, -deep_high, t)
