"""Bets on the mean of bounded numbers: an e-process for every mean, and the confidence sequence of those not refuted.

A bettor starts with one unit and stakes a share of it, item by item, on numbers above (or below) a mean m; if m is the
mean, the capital exceeds 1/alpha at any time with a probability of alpha at most. The stakes are a mixture of fixed
shares (Waudby-Smith & Ramdas 2024; Cover's universal portfolio), so that the capital depends on the items alone and not
on their order, and falls as m grows: the means that are not refuted are an interval.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from outclass.arrays import Floats
from outclass.inference.distribution import Interval

# Shares of the largest stake that cannot lose everything: from differences of a hundredth of a std up to all there is.
SHARES: Final = np.geomspace(0.005, 0.9, 16)
STEPS: Final = 50  # of a bisection
NEAR: Final = 3  # of the mixed stakes win about as much as the best
RESERVE: Final = 0.8416212  # stds beyond the mean within which four of five cases are
CELLS: Final = 4_000_000  # numbers and shares at a time


def log_capital(values: ArrayLike, mean: float, low: float = -1.0, high: float = 1.0) -> float:
    """Return the log of the capital of a bettor that numbers are above a mean; they lie between `low` and `high`."""
    numbers = np.asarray(values, dtype=float)
    kinds, counts = np.unique(numbers, return_counts=True)
    if mean <= low:
        return 0.0
    stakes = SHARES / (mean - low)
    total = np.zeros(len(SHARES))
    size = max(1, CELLS // len(SHARES))
    for at in range(0, len(kinds), size):
        own, many = kinds[at : at + size], counts[at : at + size]
        total += (many[:, None] * np.log1p(np.outer(own - mean, stakes))).sum(axis=0)
    top = float(total.max())
    return top + math.log(float(np.exp(total - top).mean()))


def log_e_value(values: ArrayLike, mean: float, low: float = -1.0, high: float = 1.0) -> float:
    """Return the log of the evidence against a mean: that of two bettors, one on either side."""
    numbers = np.asarray(values, dtype=float)
    above = log_capital(numbers, mean, low, high)
    below = log_capital(-numbers, -mean, -high, -low)
    return float(np.logaddexp(above, below) - math.log(2))


def lower_limit(values: ArrayLike, alpha: float, low: float = -1.0, high: float = 1.0) -> float:
    """Return the lower limit: the means below it are refuted by the bettor that numbers are above them."""
    numbers: Floats = np.asarray(values, dtype=float)
    if not len(numbers):
        return low
    bound = math.log(1 / alpha)
    inside, outside = float(numbers.mean()), low
    kinds, counts = np.unique(numbers, return_counts=True)

    def capital(mean: float) -> float:
        stakes = SHARES / (mean - low)
        total = counts @ np.log1p(np.outer(kinds - mean, stakes))
        top = float(total.max())
        return top + math.log(float(np.exp(total - top).mean()))

    for _ in range(STEPS):
        middle = (inside + outside) / 2
        if middle <= low:
            return low
        if capital(middle) >= bound:
            outside = middle
        else:
            inside = middle
    return outside


def items_to_refute(values: ArrayLike, mean: float, alpha: float, low: float = -1.0) -> int | None:
    """Return how many items like these refute a mean below theirs in four of five cases; None if no number does."""
    numbers = np.asarray(values, dtype=float)
    kinds, counts = np.unique(numbers, return_counts=True)
    if mean <= low or not numbers.mean() > mean:
        return None
    gains = np.log1p(np.outer(kinds - mean, SHARES / (mean - low)))
    shares = counts / counts.sum()
    growth = shares @ gains
    spread = np.sqrt(np.maximum(shares @ gains**2 - growth**2, 0))[growth > 0]
    growth = growth[growth > 0]
    if not len(growth):
        return None
    # growth * n - reserve * spread * sqrt(n) = what the best of the mixed stakes must win.
    reserve = RESERVE * spread
    roots = (reserve + np.sqrt(reserve**2 + 4 * growth * math.log(len(SHARES) / NEAR / alpha))) / (2 * growth)
    return math.ceil(float(roots.min()) ** 2)


def confidence_sequence(
    values: ArrayLike, alpha: float, low: float = -1.0, high: float = 1.0, *, alpha_high: float | None = None
) -> Interval:
    """Return limits of the mean that hold at any time, each with probability 1 - alpha (or `alpha_high`)."""
    numbers = np.asarray(values, dtype=float)
    upper = -lower_limit(-numbers, alpha if alpha_high is None else alpha_high, -high, -low)
    return Interval(lower_limit(numbers, alpha, low, high), upper)


def two_sided(values: ArrayLike, alpha: float, low: float = -1.0, high: float = 1.0) -> Interval:
    """Return the means whose evidence (`log_e_value`) is below 1/alpha: zero is outside exactly if it is refuted."""
    numbers = np.asarray(values, dtype=float)
    if not len(numbers):
        return Interval(low, high)
    bound, mean = math.log(1 / alpha), float(numbers.mean())
    ends = []
    for end in (low, high):
        inside, outside = mean, end
        for _ in range(STEPS):
            middle = (inside + outside) / 2
            if middle <= low or middle >= high:
                break
            if log_e_value(numbers, middle, low, high) < bound:
                inside = middle
            else:
                outside = middle
        ends.append(outside)
    return Interval(ends[0], ends[1])
