"""An independent long run of the paired F1 model: other coordinates, other code, 2**20 points.

Stick-breaking coordinates (anyone says positive, both if any, A if only one), the split of the positives integrated by
SciPy's incomplete Beta function, SciPy's own scrambled Sobol points, Beta quantiles from a dense table of `betaincinv`.
Formulas: method.md section 4.
"""

from typing import NamedTuple

import numpy as np
from scipy import special
from scipy.interpolate import CubicHermiteSpline
from scipy.stats import qmc

POWER = 20


class Reference(NamedTuple):
    """P(difference > 0), P(in ROPE), and where the ends of an interval ought to be."""

    above: float
    rope: float
    low: float
    high: float


def _quantiles(a: float, b: float, z: np.ndarray) -> np.ndarray:
    """Beta quantiles at normal scores, by a cubic through 1,601 exact ones (in the logit)."""
    knots = np.linspace(-6.4, 6.4, 1601)
    below = special.ndtr(knots)
    x = np.where(knots < 0, special.betaincinv(a, b, below), special.betainccinv(a, b, special.ndtr(-knots)))
    y = np.where(knots < 0, special.betainccinv(b, a, below), special.betaincinv(b, a, special.ndtr(-knots)))
    t = np.log(x) - np.log(y)
    log_pdf = a * np.log(x) + b * np.log(y) - special.betaln(a, b)
    slope = np.exp(-knots * knots / 2 - 0.5 * np.log(2 * np.pi) - log_pdf)
    return special.expit(CubicHermiteSpline(knots, t, slope)(z))


def long_run(table: np.ndarray, ends: tuple[float, float], rope: float, mass: float, seed: int) -> Reference:
    """Integrate the posterior of the difference in F1, all priors 1, and correct an interval by one Newton step."""
    (p11, p10, p01, p00), (q11, q10, q01, q00) = table + 1.0
    z = special.ndtri(np.clip(qmc.Sobol(6, seed=seed).random_base2(POWER).T, 1e-10, 1 - 1e-10))
    mu = _quantiles(table[0].sum() + 1.0, table[1].sum() + 1.0, z[0])
    w, u = _quantiles(p11 + p10 + p01, p00, z[1]), _quantiles(p11, p10 + p01, z[2])
    x, y, r = (
        _quantiles(q11 + q10 + q01, q00, z[3]),
        _quantiles(q11, q10 + q01, z[4]),
        _quantiles(q10, q01, z[5]),
    )
    both, s = w * u, w * (1 - u)
    odds = (1 - mu) / mu
    g_a, g_b = (1 + odds * x * (y + (1 - y) * part) for part in (r, 1 - r))

    def at(d: float) -> tuple[float, float]:
        """The cdf and the density at d."""
        b = 2 * (g_a + g_b) - d * (s + g_b - g_a)
        c = 2 * g_b * both - 2 * g_a * (both + s) - d * (both + g_a) * (both + s + g_b)
        root = -2 * c / (b + np.sqrt(np.maximum(b * b - 4 * d * c, 0))) / s
        inside = (root > 0) & (root < 1)
        root = np.clip(root, 0, 1)
        recall_a, recall_b = both + s * root, both + s * (1 - root)
        pace = s * (2 * g_a / (recall_a + g_a) ** 2 + 2 * g_b / (recall_b + g_b) ** 2)
        log = special.xlogy(p10 - 1, root) + special.xlog1py(p01 - 1, -root) - special.betaln(p10, p01)
        density = np.where(inside, np.exp(log) / pace, 0.0)
        return float(special.betainc(p10, p01, root).mean()), float(density.mean())

    low, high = ends
    step = 0.02 * (high - low)
    (f_low, d_low), (f_high, d_high) = at(low), at(high)
    slope_low = (at(low + step)[1] - at(low - step)[1]) / (2 * step)
    slope_high = (at(high + step)[1] - at(high - step)[1]) / (2 * step)
    jacobian = np.array([[-d_low, d_high], [-slope_low, slope_high]])
    moved = -np.linalg.solve(jacobian, [f_high - f_low - mass, d_high - d_low])
    return Reference(1 - at(0.0)[0], at(rope)[0] - at(-rope)[0], low + moved[0], high + moved[1])


def random_table(number: int) -> np.ndarray:
    """A random paired table: N from 20 to a million, prevalence from .001 to .999, systems alike or not.

    At least one item is positive and one is not: `compare` refuses a truth of one class.
    """
    rng = np.random.default_rng(1000 + number)
    n = int(10 ** rng.uniform(np.log10(20), 6))
    prevalence = special.expit(rng.uniform(-6.9, 6.9))
    positives = int(np.clip(rng.binomial(n, prevalence), 1, n - 1))
    right, wrong = rng.uniform(0.3, 0.95), rng.uniform(0.01, 0.4)
    apart = rng.uniform(0.02, 0.3)
    cells = [
        rng.multinomial(count, [rate * (1 - apart), *rng.dirichlet([3, 3]) * apart, (1 - rate) * (1 - apart)])
        for count, rate in ((positives, right), (n - positives, wrong))
    ]
    return np.array(cells)
