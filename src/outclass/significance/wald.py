"""The difference of a measure with its standard error, by the delta method on the table of both systems' decisions."""

import math

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure, pair_difference
from outclass.significance.result import NOWHERE

STEP = 1e-4  # of a cell's own share


def standard_error(measure: Measure, joint: Counts) -> float:
    """Return the standard error of a difference over independent items; nan where it has none."""
    n = int(joint.sum())
    return float(standard_errors(measure, joint[None] / n, n)[0]) if n >= 2 else math.nan


def standard_errors(measure: Measure, shares: Floats, n: int) -> Floats:
    """Return the standard errors of tables of shares, shape (tables, 2, 4), of n items each; nan where it has none."""
    flat = shares.reshape(-1, 8)
    # A step is a little more of one cell, the others being scaled down; cells that do not occur carry no variance.
    step = STEP * flat[:, :, None]
    moved = np.stack(
        [(1 - step) * flat[:, None, :] + step * np.eye(8), (1 + step) * flat[:, None, :] - step * np.eye(8)]
    )
    up, down = pair_difference(measure, moved.reshape(2, len(flat), 8, 2, 4))
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.where(flat > 0, (up - down) / (2 * step[:, :, 0]), 0.0)
    variance = (flat * slopes**2).sum(axis=1) - (flat * slopes).sum(axis=1) ** 2
    return np.asarray(np.where(np.isfinite(variance), np.sqrt(np.maximum(variance, 0.0) / n), np.nan))


def wald(measure: Measure, joint: Counts, level: float = 0.95) -> tuple[float, Interval]:
    """Return the observed difference and its normal interval."""
    effect = float(pair_difference(measure, joint))
    error = standard_error(measure, joint)
    if math.isnan(effect) or not error > 0:
        return effect, NOWHERE  # without any spread in the data there is none to tell
    reach = float(special.ndtri((1 + level) / 2)) * error
    most = measure.high - measure.low
    return effect, Interval(max(effect - reach, -most), min(effect + reach, most))
