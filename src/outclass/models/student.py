"""The mean of per-item differences: Student's t model on a grid, its normal limit, and items in groups.

The t model is that of Kruschke 2013: mu ~ N(mean, 1000 sd), sigma ~ U(sd / 1000, 1000 sd), nu - 1 ~ Exp(mean 29).
"""

import math
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats, means_by
from outclass.inference.distribution import Distribution
from outclass.inference.grid import GridLaw, StudentLaw

NU_MEAN: Final = 29.0
WIDE: Final = 1000.0
MANY: Final = 2_000  # differences above which they are gathered into bins
BINS: Final = 1_000
SMALL: Final = 20  # values
NODES: Final = 33  # of log sigma and of log (nu - 1)
NEGLIGIBLE: Final = 18.0  # nats below the best at which a corner of the grid is left out


def spread_of(values: Floats) -> float:
    """Return the standard deviation; zero where what there is of it is rounding."""
    if len(values) < 2:
        return 0.0
    found = float(np.std(values, ddof=1))
    return found if found > 1e-12 * float(np.abs(values).max()) else 0.0


def t_law(values: Floats, rho: float = 0.0) -> StudentLaw:
    """Return the distribution of a mean under normal errors and flat priors; `rho` correlates the values, as folds are.

    With rho = 0 it is the posterior whose tails are the p-values of the t-test; with the share of the data that a fold
    tests, that of Nadeau & Bengio 2003 and Corani & Benavoli 2015.
    """
    n = len(values)
    return StudentLaw(max(n - 1, 1), float(np.mean(values)), spread_of(values) * math.sqrt(1 / n + rho / (1 - rho)))


def binned(values: Floats) -> tuple[Floats, Floats]:
    """Gather many values into bins, each at the mean of its own: narrow in the middle, wider in the tails."""
    if len(values) <= MANY:
        return values, np.ones(len(values))
    middle = float(np.median(values))
    scale = float(np.median(np.abs(values - middle))) or float(np.std(values)) or 1.0
    place = np.arcsinh((values - middle) / scale)
    edges = np.linspace(place.min(), place.max(), BINS + 1)
    bins = np.clip(np.searchsorted(edges, place, side="right") - 1, 0, BINS - 1)
    counts = np.bincount(bins, minlength=BINS).astype(float)
    sums = np.bincount(bins, weights=values, minlength=BINS)
    kept = counts > 0
    return sums[kept] / counts[kept], counts[kept]


def student_law(values: Floats) -> Distribution:
    """Return the posterior of the mean (the centre) of values under Kruschke's t model, integrated on a grid."""
    spread = spread_of(values)
    if spread == 0:
        return StudentLaw(max(len(values) - 1, 1), float(np.mean(values)), 0.0)
    points, counts = binned(values)
    centre = float(np.mean(values))
    unit = (points - centre) / spread  # the model has no scale of its own
    box = _box(unit, counts)
    grid = [np.linspace(low, high, NODES) for low, high in box]
    weights = _weights(*grid)
    start, width = _start(unit, counts)
    n = float(counts.sum())

    def log_density(mu: Floats) -> Floats:
        at = (mu - centre) / spread
        found = _log_sums(unit, counts, n, at, *grid) + weights
        top = found.max(axis=(1, 2))
        inside = np.log(np.exp(found - top[:, None, None]).sum(axis=(1, 2))) + top
        return np.asarray(inside - 0.5 * (at / WIDE) ** 2)

    reach = 6.0 if n >= SMALL else 10.0
    return GridLaw(log_density, centre + spread * start, spread * width, points=97 if n >= SMALL else 161, reach=reach)


def _log_sums(unit: Floats, counts: Floats, n: float, mu: Floats, sigma: Floats, nu: Floats) -> Floats:
    """Return the log likelihood for every mu, log sigma and log (nu - 1)."""
    found = np.empty((len(mu), len(sigma), len(nu)))
    squares = (unit[None, :] - mu[:, None]) ** 2
    for place, log_sigma in enumerate(sigma):
        scaled = squares * math.exp(-2 * log_sigma)
        for at, log_rest in enumerate(nu):
            df = 1 + math.exp(log_rest)
            constant = (
                special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - 0.5 * math.log(math.pi * df) - log_sigma
            )
            found[:, place, at] = n * constant - (df + 1) / 2 * (np.log1p(scaled / df) @ counts)
    return found


def _weights(sigma: Floats, nu: Floats) -> Floats:
    """Return the log prior of log sigma (sigma flat) and log (nu - 1) (exponential), with the trapezoid's weights."""
    ends = [
        np.where((np.arange(len(part)) == 0) | (np.arange(len(part)) == len(part) - 1), 0.5, 1.0)
        for part in (sigma, nu)
    ]
    return np.asarray((sigma + np.log(ends[0]))[:, None] + (nu - np.exp(nu) / NU_MEAN + np.log(ends[1]))[None, :])


def _start(unit: Floats, counts: Floats) -> tuple[float, float]:
    """Return where the posterior of the mean is, and about how wide: that of the best t, by a few steps."""
    order = np.argsort(unit)
    below = np.cumsum(counts[order])
    n = below[-1]
    middle = float(unit[order][np.searchsorted(below, n / 2)])
    near = np.abs(unit - middle)
    order = np.argsort(near)
    mad = float(near[order][np.searchsorted(np.cumsum(counts[order]), n / 2)])
    robust = min(1.4826 * mad, 1.0) if mad > 0 else 1.0
    # A compromise of mean (0) and median, for the distribution lies between.
    return middle / 2, max(robust, 0.05) * math.sqrt(1 / n) * 1.3 + abs(middle) / 4


def _box(unit: Floats, counts: Floats) -> list[tuple[float, float]]:
    """Find the part of (log sigma, log (nu - 1)) that matters, zooming in on it."""
    n = float(counts.sum())
    box = [(-math.log(WIDE), math.log(WIDE)), (math.log(1e-3), math.log(NU_MEAN * 25))]
    start, width = _start(unit, counts)
    steps = np.array([0.0, 1.0, 2.0, 4.0])
    if n < SMALL:
        # Of a few values the distribution has heavy tails, where sigma is large.
        steps = np.append(steps, 4.0 ** np.arange(2, 8 if n > 2 else 10))
    mu = start + width * np.concatenate([-steps[:0:-1], steps])
    for _ in range(8):
        grid = [np.linspace(low, high, 17) for low, high in box]
        found = (_log_sums(unit, counts, n, mu, *grid) + _weights(*grid)).max(axis=0)
        seen = found > found.max() - NEGLIGIBLE
        smaller = []
        for axis, part in enumerate(grid):
            kept = np.flatnonzero(seen.any(axis=1 - axis))
            step = part[1] - part[0]
            smaller.append((max(part[0], part[kept[0]] - step), min(part[-1], part[kept[-1]] + step)))
        if all(new[1] - new[0] > 0.9 * (old[1] - old[0]) for new, old in zip(smaller, box, strict=True)):
            return smaller
        box = smaller
    return box


def grouped_law(values: Floats, group: Counts) -> Distribution:
    """Return the posterior of the mean of values that come in groups: topics, documents, repeated runs.

    Values are normal around their group's mean, these normal around the mean of all; the spreads are integrated on a
    grid: log sigma flat, the spread of groups half-Cauchy with the scale of the values. Given the spreads, the mean is
    normal, so that its distribution is a mixture of normals.
    """
    sizes = np.bincount(group).astype(float)
    means = means_by(group, values)
    groups = len(sizes)
    spread = spread_of(values)
    centre = float(np.mean(means))
    if spread == 0:
        return StudentLaw(max(groups - 1, 1), centre, 0.0)
    within = float(((values - means[group]) ** 2).sum()) / spread**2
    unit = (means - centre) / spread
    free = len(values) - groups
    # Where every group has one value nothing tells the two spreads apart: all is between groups.
    sigma = np.linspace(math.log(1e-2), math.log(10.0), 161) if free > 0 else np.array([math.log(1e-6)])
    tau = np.linspace(math.log(1e-4), math.log(100.0), 201)
    # Groups of one size are alike but for their means, of which sums are enough.
    alike, place = np.unique(sizes, return_inverse=True)
    many, firsts, seconds = (np.bincount(place.ravel(), weights=each) for each in (np.ones(groups), unit, unit**2))
    inner = np.exp(2 * sigma)[:, None, None] / alike + np.exp(2 * tau)[None, :, None]
    precision = (many / inner).sum(axis=2)
    at = (firsts / inner).sum(axis=2) / precision
    rest = (seconds / inner).sum(axis=2) - at**2 * precision
    log = -0.5 * (many * np.log(inner)).sum(axis=2) - 0.5 * np.log(precision) - 0.5 * rest
    if free > 0:
        log = log - (free * sigma + 0.5 * within * np.exp(-2 * sigma))[:, None]
    log = log + (tau - np.log1p(np.exp(2 * tau)))[None, :]
    return normal_mixture(np.exp(log - log.max()), centre + spread * at, spread / np.sqrt(precision))


def normal_mixture(weights: Floats, means: Floats, stds: Floats) -> Distribution:
    """Return the distribution of a mixture of normals."""
    kept = weights > weights.max() * 1e-12
    w, m, s = weights[kept] / weights[kept].sum(), means[kept], stds[kept]
    centre = float(w @ m)
    width = float(np.sqrt(w @ (s**2 + (m - centre) ** 2)))

    def log_density(x: Floats) -> Floats:
        z = (x[:, None] - m) / s
        parts = -0.5 * z**2 - np.log(s) + np.log(w)
        return np.asarray(special.logsumexp(parts, axis=1))

    return GridLaw(log_density, centre, width / 2, points=121, reach=8.0)


def data_sets_law(values: Floats, data_set: Counts, rho: float) -> Distribution:
    """Return the mean difference over data sets of which each has several folds.

    Every data set has its own difference, known with the error of a correlated t (its degrees of freedom included); the
    differences are normal around their mean, whose spread is integrated on a grid.
    """
    sizes = np.bincount(data_set).astype(float)
    means = means_by(data_set, values)
    squares = np.bincount(data_set, weights=(values - means[data_set]) ** 2)
    # The variance of a t: what the normal needs to be as wide.
    free = np.maximum(sizes - 1, 1)
    inflated = np.where(free > 2, free / np.maximum(free - 2, 1e-9), 3.0)
    # A data set with one fold has no spread of its own; it borrows that of the others.
    pooled = float(squares.sum() / max(float((sizes - 1).sum()), 1.0))
    variances = np.where(sizes > 1, squares / free, pooled)
    errors = variances * (1 / sizes + rho / (1 - rho)) * inflated
    spread = spread_of(means) or float(np.sqrt(errors.max()))
    centre = float(np.mean(means))
    if not spread > 0:
        return StudentLaw(max(len(means) - 1, 1), centre, 0.0)
    tau = np.linspace(math.log(1e-3), math.log(50.0), 301)
    inner = errors[None, :] / spread**2 + np.exp(2 * tau)[:, None]
    unit = (means - centre) / spread
    precision = (1 / inner).sum(axis=1)
    at = (unit / inner).sum(axis=1) / precision
    rest = (unit**2 / inner).sum(axis=1) - at**2 * precision
    log = -0.5 * np.log(inner).sum(axis=1) - 0.5 * np.log(precision) - 0.5 * rest + tau - np.log1p(np.exp(2 * tau))
    return normal_mixture(np.exp(log - log.max()), centre + spread * at, spread / np.sqrt(precision))
