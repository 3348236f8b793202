"""A user's own function of the whole confusion matrix, as a measure over many classes."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, shown
from outclass.measures.averages import Average
from outclass.measures.measure import PSEUDO_COUNT

ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class _Guarded:
    """A user's function, with its errors reported as such."""

    function: Callable[[Any], Any]
    name: str
    low: float
    high: float

    def __call__(self, table: Floats) -> Floats:
        try:
            with np.errstate(all="ignore"):
                value = np.asarray(self.function(table), dtype=float)
        except Exception as error:  # whatever a user's function may raise
            raise self._error(str(error)) from None
        if value.shape != table.shape[:-2]:
            raise self._error(f"it returned shape {value.shape} for matrices of shape {table.shape}")
        room = ROUNDING * max(1.0, *(abs(end) for end in (self.low, self.high) if math.isfinite(end)), 1.0)
        beyond = value[(value < self.low - room) | (value > self.high + room)]
        if beyond.size:
            raise InputError(
                f"the measure {self.name!r} is {float(beyond.flat[0]):g} for some counts, beyond its bounds "
                f"{self.low:g} to {self.high:g}: correct low and high."
            )
        return value

    def _error(self, why: str) -> InputError:
        return InputError(
            f"the measure {self.name!r} failed: {why}. It is called with an array of shape (..., K, K), whose rows are "
            "true labels and whose columns are predictions, and must return one number per matrix, shape (...); use "
            "NumPy functions along the last two axes, as in np.trace(m, axis1=-2, axis2=-1) / m.sum(axis=(-2, -1))."
        )


def confusion_measure(
    function: Callable[[Any], Any],
    *,
    name: str,
    title: str | None = None,
    low: float = -math.inf,
    high: float = math.inf,
    higher_is_better: bool = True,
    pseudo_count: float = PSEUDO_COUNT,
) -> Average:
    """Return a measure of one label per item from a function of the confusion matrix.

    Parameters
    ----------
    function
        Takes weighted counts of shape (..., K, K): rows are true labels, columns predictions, both in the order of
        `outclass.read(...).labels` (sorted). Returns shape (...), and nan where the measure is undefined.
    name, title
        Key, and name in reports; by default the same.
    low, high
        Its bounds.
    higher_is_better
        Its direction; False for a cost.
    pseudo_count
        Pseudo-count of the matched prior, as in `outclass.measures.Measure`.
    """
    if not callable(function):
        raise InputError(f"confusion_measure needs a function of the confusion matrix, got {shown(function)}.")
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"confusion_measure needs a name for the measure, got {shown(name)}.")
    if not low < high:
        raise InputError(f"the bounds of a measure must be low < high, got {shown(low)} and {shown(high)}.")
    if not 0 <= pseudo_count < math.inf:
        raise InputError(f"pseudo_count must be a number of at least 0, got {shown(pseudo_count)}.")
    return Average(
        name=name,
        title=title or name,
        function=_Guarded(function, name, low, high),
        low=low,
        high=high,
        higher_is_better=higher_is_better,
        single=True,
        pseudo_count=pseudo_count,
        matrix=True,
    )
