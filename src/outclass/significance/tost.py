"""Two one-sided tests: is the difference credibly inside the region of practical equivalence?

Each is a score test: the standard error is that of the null hypothesis, a difference at the edge, and not that of the
data, which is too small just where the difference came out small by chance. The table at the edge is the data's, with
the items on which only A is right made more frequent and those on which only B is, less so; for accuracy that is the
restricted maximum likelihood of Tango 1998.
"""

import math
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.findings import finding
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure, pair_difference
from outclass.significance.result import NOWHERE, TestResult
from outclass.significance.wald import standard_errors

FEW: Final = 10
ADDED: Final = 0.25  # items in each cell of disagreement, one in all, so that every difference is possible
STEPS: Final = 2_401
REACH: Final = 18.0
# Cells in which only A is right, and in which only B is: positives and negatives; both, only A, only B, neither.
FAVOURS: Final = np.array([[0.0, 1.0, -1.0, 0.0], [0.0, -1.0, 1.0, 0.0]])
LEVEL: Final = 0.90


def tost(measure: Measure, joint: Counts, rope: Interval) -> TestResult:
    """Return the equivalence test: a small p-value supports equivalence, within the region."""
    effect = float(pair_difference(measure, joint))
    at, errors = _along(measure, joint)
    found = []
    p_value = statistic = math.nan
    interval = NOWHERE
    if not math.isnan(effect) and len(at) > 1:
        scores = (effect - at) / errors
        low, high = (float(np.interp(edge, at, scores)) for edge in rope)
        p_value = max(float(special.ndtr(-low)), float(special.ndtr(high)))
        statistic = low if abs(low) < abs(high) else high
        reach = float(special.ndtri((1 + LEVEL) / 2))
        inside = np.flatnonzero(np.abs(scores) <= reach)
        if len(inside):
            interval = Interval(*(_crossing(at, scores, sign * reach) for sign in (1, -1)))
        discordant = int(joint[:, 1:3].sum())
        if discordant < FEW:
            found.append(
                finding("OC402", f"{discordant} discordant items are too few for the normal approximation of tost.")
            )
    one_sided = math.isinf(rope.low) or math.isinf(rope.high)
    what, region = ("non-inferiority" if one_sided else "equivalence"), f"{rope.low:+g} to {rope.high:+g}"
    how = "one-sided score test" if one_sided else "two one-sided score tests"
    return TestResult(
        name="tost",
        p_value=p_value,
        statistic=statistic,
        words=f"{what} in {measure.title} within {region} ({how}): a small p-value supports {what}",
        measure=measure.name,
        alternative=what,
        effect=effect,
        effect_name=f"difference in {measure.title}, 90% interval",
        interval=interval,
        assumptions=f"items are independent; the estimate is normal; {what} means within {region}",
        findings=tuple(found),
    )


def _along(measure: Measure, joint: Counts) -> tuple[Floats, Floats]:
    """Return differences from one end to the other, and the standard error of each table that has it."""
    n = int(joint.sum())
    if n < 2:
        return np.empty(0), np.empty(0)
    u = np.linspace(-REACH, REACH, STEPS)[:, None, None]
    # c / (1 - theta s) with theta = tanh(u), which is what maximum likelihood gives under a linear constraint.
    tilted = (joint + ADDED * np.abs(FAVOURS)) * np.where(FAVOURS == 0, 1.0, (1 + np.exp(2 * u * FAVOURS)) / 2)
    shares = tilted / tilted.sum(axis=(1, 2), keepdims=True)
    at, errors = np.asarray(pair_difference(measure, shares)), standard_errors(measure, shares, n)
    kept = np.isfinite(at) & (errors > 0)
    at, errors = at[kept], errors[kept]
    order = np.argsort(at, kind="stable")
    return at[order], errors[order]


def _crossing(at: Floats, scores: Floats, level: float) -> float:
    """Return the difference at which the score, which falls along the differences, has the level."""
    falling = np.minimum.accumulate(scores)
    return float(np.interp(-level, -falling, at))
