"""The difference of a measure with its standard error, by the delta method on the table of both systems' decisions."""

import math

import numpy as np
from scipy import special

from outclass.arrays import Counts
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure, pair_difference
from outclass.significance.result import NOWHERE

STEP = 1e-4  # of a cell's own share


def standard_error(measure: Measure, joint: Counts) -> float:
    """Return the standard error of a difference over independent items; nan where it has none."""
    n = int(joint.sum())
    if n < 2:
        return math.nan
    shares = joint / n
    flat = shares.ravel()
    # Only cells that occur carry variance; a step is a little more of one cell, the others being scaled down.
    seen = np.flatnonzero(flat)
    step = STEP * flat[seen][:, None]
    units = np.eye(8)[seen]
    moved = np.stack([(1 - step) * flat + step * units, (1 + step) * flat - step * units]).reshape(2, -1, 2, 4)
    up, down = pair_difference(measure, moved)
    slopes = np.zeros(8)
    slopes[seen] = (up - down) / (2 * step[:, 0])
    variance = float(flat @ slopes**2 - (flat @ slopes) ** 2)
    return math.sqrt(max(variance, 0.0) / n) if math.isfinite(variance) else math.nan


def wald(measure: Measure, joint: Counts, level: float = 0.95) -> tuple[float, Interval]:
    """Return the observed difference and its normal interval."""
    effect = float(pair_difference(measure, joint))
    error = standard_error(measure, joint)
    if math.isnan(effect) or not error > 0:
        return effect, NOWHERE  # without any spread in the data there is none to tell
    reach = float(special.ndtri((1 + level) / 2)) * error
    most = measure.high - measure.low
    return effect, Interval(max(effect - reach, -most), min(effect + reach, most))
