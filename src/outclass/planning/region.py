"""Choosing a region of practical equivalence from the costs of errors, or from the variation between reruns."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from outclass.errors import InputError


def rope_from_costs(missed: float, false_alarm: float, budget: float) -> float:
    """Return the difference in error rate whose cost stays within a budget per item, whatever the errors."""
    if not all(math.isfinite(each) for each in (missed, false_alarm, budget)):
        raise InputError("costs and the budget must be numbers.")
    if min(missed, false_alarm) < 0 or max(missed, false_alarm) <= 0 or not budget > 0:
        raise InputError("costs must be non-negative and not both zero, and the budget per item must be positive.")
    return float(min(1.0, budget / max(missed, false_alarm)))


def rope_from_reruns(values: Sequence[float]) -> float:
    """Return the difference that two reruns of one system exceed one time in twenty (by Student's t)."""
    numbers = np.asarray(list(values), dtype=float)
    if len(numbers) < 3 or not np.all(np.isfinite(numbers)):
        raise InputError(
            f"estimating the noise between reruns needs at least three values of the measure, got {len(numbers)}."
        )
    spread = float(numbers.std(ddof=1))
    if spread <= 1e-12 * float(np.abs(numbers).max()):
        raise InputError("the reruns are identical, so there is no noise to derive a ROPE from.")
    return float(special.stdtrit(len(numbers) - 1, 0.975)) * math.sqrt(2) * spread
