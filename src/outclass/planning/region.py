"""Choosing a region of practical equivalence from the costs of errors, or from the variation between reruns."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.inference.summary import Summary


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


def overturning(difference: Summary, rope: Interval, mass: float) -> float:
    """Return the spread between runs that would leave a decided comparison of single runs open; nan if it is open.

    The interval of a difference of two single runs holds their items' noise alone. A standard deviation sigma between
    runs of each system adds 2 sigma² to its variance.
    """
    found = []
    for edge in rope:
        end = difference.hdi.low if difference.mean > edge else difference.hdi.high
        reach, half = abs(difference.mean - edge), abs(difference.mean - end)
        if math.isfinite(edge):
            found.append(math.sqrt(reach**2 - half**2) if reach > half else math.nan)
    if not found or any(map(math.isnan, found)):
        return math.nan
    return min(found) / (float(special.ndtri((1 + mass) / 2)) * math.sqrt(2))


def spread_to_overturn(answer: Any) -> float:
    """Return how large the spread between runs would have to be to leave a decided comparison open.

    Two systems were compared by one run each, which says nothing of other seeds. If the standard deviation between runs
    of a system is larger than this, the HDI of the difference crosses an edge of the ROPE.

    Parameters
    ----------
    answer
        A comparison with one row, as of `compare`.

    Returns
    -------
    A standard deviation in the unit of the measure; nan if the comparison is undecided.
    """
    row = answer.only
    if row.runs is not None and max(len(each.runs) for each in row.runs.systems) > 1:
        raise InputError(
            "spread_to_overturn() applies to systems with a single run; here systems have several, and the interval "
            "already includes the spread between them."
        )
    return overturning(row.difference, row.rope, row.hdi_mass)
