"""The Beta law in the logit scale, tabulated once so that thousands of quantiles and probabilities cost microseconds.

SciPy's `betaincinv` costs about a microsecond a value at ordinary parameters, a hundred at parameters of 1e10, and
loses values below 1e-300 and complements below 1e-16. The table keeps the logit, in which both tails are safe.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.inference.scores import REACH, ScoreSpline

# From larger parameters on the curve is so nearly straight that fewer knots are as good: the error stays below 5e-8
# (below 2e-9 from parameters of two on). Quantiles are inverted at every second or fourth: a polynomial of degree five,
# with the second derivatives that the density gives, is exact between them where the cubics of a spline are not.
KNOTS: Final = ((5_000.0, 41, 2), (50.0, 81, 4), (1.0, 201, 4), (0.0, 201, 1))
LARGE: Final = 1e6  # both parameters above this: the expansion in cumulants is exact to double precision


@lru_cache(maxsize=512)
def logit_beta(a: float, b: float) -> ScoreSpline:
    """Return the distribution of t = log(x / (1 - x)) for x ~ Beta(a, b)."""
    knots, every = next((knots, every) for least, knots, every in KNOTS if min(a, b) >= least)
    z = np.linspace(-REACH, REACH, knots)
    if min(a, b) > LARGE:
        t, slope = _from_cumulants(a, b, z)
    else:
        t, slope = _between(a, b, z[::every], every)
    return ScoreSpline(z, t, slope)


def _between(a: float, b: float, z: Floats, parts: int) -> tuple[Floats, Floats]:
    """Return quantiles and slopes at even scores, and at `parts - 1` places between each and the next."""
    t, slope = _from_quantiles(a, b, z)
    if not (np.all(np.isfinite(t)) and np.all(slope > 0)):
        return _from_quantiles(a, b, np.linspace(z[0], z[-1], parts * (len(z) - 1) + 1))
    width = z[1] - z[0]
    # dt/dz is the normal density over the law's own, f(t): its logarithm falls by z, and by f'/f = a(1 - x) - bx.
    bend = width**2 * slope * (-z - (a * special.expit(-t) - b * special.expit(t)) * slope)
    start, end = width * slope[:-1, None], width * slope[1:, None]
    rise, bent, bends = np.diff(t)[:, None], bend[:-1, None], bend[1:, None]
    third = 10 * rise - 6 * start - 4 * end - 1.5 * bent + 0.5 * bends
    fourth = -15 * rise + 8 * start + 7 * end + 1.5 * bent - bends
    fifth = 6 * rise - 3 * start - 3 * end - 0.5 * bent + 0.5 * bends
    u = np.arange(parts) / parts
    inner = ((((fifth * u + fourth) * u + third) * u + bent / 2) * u + start) * u + t[:-1, None]
    paces = ((((5 * fifth * u + 4 * fourth) * u + 3 * third) * u + bent) * u + start) / width
    return np.append(inner.ravel(), t[-1]), np.append(paces.ravel(), slope[-1])


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


def _from_quantiles(a: float, b: float, z: Floats) -> tuple[Floats, Floats]:
    """Invert the incomplete Beta function, in each tail from the side that keeps its digits."""
    log_norm = special.betaln(a, b)
    below, above = special.ndtr(z), special.ndtr(-z)
    lower_half = z < 0
    x = np.empty_like(z)
    x[lower_half] = special.betaincinv(a, b, below[lower_half])
    x[~lower_half] = special.betainccinv(a, b, above[~lower_half])
    y = 1 - x
    near_one, low = x > 0.9, lower_half
    y[near_one & low] = special.betainccinv(b, a, below[near_one & low])
    y[near_one & ~low] = special.betaincinv(b, a, above[near_one & ~low])
    with np.errstate(divide="ignore", over="ignore"):
        t = np.where(x < y, np.log(x) - np.log1p(-x), np.log1p(-y) - np.log(y))
        # So deep in a tail that the integrand is a pure power, the inverse is closed form, and x may be 1e-10000.
        deep_low = (special.log_ndtr(z) + np.log(a) + log_norm) / a
        deep_high = (special.log_ndtr(-z) + np.log(b) + log_norm) / b
        t = np.where(deep_low + np.log1p(b) < -37, deep_low, t)
        t = np.where(deep_high + np.log1p(a) < -37, -deep_high, t)
        log_density = -a * np.logaddexp(0, -t) - b * np.logaddexp(0, t) - log_norm
        slope = np.exp(-0.5 * z * z - 0.5 * np.log(2 * np.pi) - log_density)
    return t, slope
