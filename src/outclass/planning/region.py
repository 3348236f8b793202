"""Choosing a region of practical equivalence: from what errors cost, or from how far reruns of one system differ."""

import math
from collections.abc import Sequence

import numpy as np

from outclass.errors import InputError


def rope_from_costs(missed: float, false_alarm: float, budget: float) -> float:
    """Return the difference in error rate whose cost over all items stays within a budget for each item.

    An error costs the mean of a missed item's and a false alarm's price; a difference below budget / price is small.
    """
    if min(missed, false_alarm) < 0 or missed + false_alarm <= 0 or not budget > 0:
        raise InputError("costs must not be negative, not both zero, and the budget for an item must be positive.")
    return float(min(1.0, budget / ((missed + false_alarm) / 2)))


def rope_from_reruns(values: Sequence[float]) -> float:
    """Return the difference that two reruns of one system exceed one time in twenty: 1.96 sqrt(2) of their stds."""
    numbers = np.asarray(list(values), dtype=float)
    if len(numbers) < 3 or not np.all(np.isfinite(numbers)):
        raise InputError(f"the noise between reruns needs three values of the measure at least, got {len(numbers)}.")
    return float(1.959964 * math.sqrt(2) * numbers.std(ddof=1))
