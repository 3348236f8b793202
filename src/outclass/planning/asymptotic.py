"""Asymptotic confidence sequences: for estimates that are means of influences, such as F1, macro-F1 and AUC.

Waudby-Smith, Arbel, Sinha & Ramdas 2024: a normal mixture over all times, whose limits hold at any time once there are
enough items for the normal approximation. The evidence against a difference and the interval are of the same process:
the interval holds the differences whose evidence is below 1/alpha.
"""

import math
from typing import Final

from outclass.inference.distribution import Interval

USUAL: Final = 500  # items at which the sequence is sharpest, if nobody says when he looks first
ALPHA: Final = 0.05
# Items of every label, or of either class, before an average over labels or a measure of scores has limits: with fewer,
# a label's own value jumps, and up to a third of the differences of nothing are rejected instead of a twentieth.
FEWEST: Final = 20


def rho_squared(items: float, alpha: float = ALPHA) -> float:
    """Return the variance of the mixture with which the sequence is about sharpest at a number of items."""
    size = -2 * math.log(alpha)
    return (size + math.log(size + 1)) / items


def log_e_value(estimate: float, spread: float, items: int, value: float = 0.0, *, sharpest: float = USUAL) -> float:
    """Return the log of the evidence against a value.

    Parameters
    ----------
    estimate, spread, items
        The estimate, the std of its influences, and of how many items.
    value
        What the evidence is against.
    sharpest
        The number of items at which the sequence is sharpest; it must not depend on the data.
    """
    if items < 2 or not spread > 0:
        return 0.0
    rho = rho_squared(sharpest)
    total = items * (estimate - value) / spread
    return -0.5 * math.log(items * rho + 1) + rho * total**2 / (2 * (items * rho + 1))


def two_sided(estimate: float, spread: float, items: int, alpha: float = ALPHA, *, sharpest: float = USUAL) -> Interval:
    """Return the values whose evidence is below 1/alpha."""
    if items < 2 or not spread > 0:
        return Interval(-math.inf, math.inf)
    rho = rho_squared(sharpest)
    size = 2 * (items * rho + 1) / rho * (math.log(1 / alpha) + 0.5 * math.log(items * rho + 1))
    half = spread * math.sqrt(size) / items
    return Interval(estimate - half, estimate + half)


def reach(items: int, alpha: float, *, sharpest: float = USUAL) -> float:
    """Return how many stds of the influences a one-sided limit is from the estimate."""
    rho = rho_squared(sharpest, min(2 * alpha, 0.5))
    return math.sqrt(2 * (items * rho + 1) / (items**2 * rho) * math.log(1 + math.sqrt(items * rho + 1) / (2 * alpha)))


def one_sided(
    estimate: float,
    spread: float,
    items: int,
    alpha: float = ALPHA,
    *,
    alpha_high: float | None = None,
    sharpest: float = USUAL,
) -> Interval:
    """Return limits that hold at any time, each with probability 1 - alpha (or `alpha_high`)."""
    if items < 2 or not spread > 0:
        return Interval(-math.inf, math.inf)
    low = estimate - spread * reach(items, alpha, sharpest=sharpest)
    high = estimate + spread * reach(items, alpha if alpha_high is None else alpha_high, sharpest=sharpest)
    return Interval(low, high)
