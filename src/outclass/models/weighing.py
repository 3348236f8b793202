"""A measure of numbers as a function of weights on the items."""

from collections.abc import Callable
from typing import Any

import numpy as np

from outclass.arrays import Floats
from outclass.measures.scored import ScoreMeasure


def weighing(truth: np.ndarray | None, values: Floats, measure: Any) -> Callable[[Floats], Floats]:
    """Return what gives a measure of numbers under weights, (draws, items), one value per draw."""
    if isinstance(measure, ScoreMeasure):
        assert truth is not None
        return measure.prepare(truth, values)
    if measure.kind == "median":
        return _median_of(values)
    return lambda weights: np.asarray(weights @ values / weights.sum(axis=1))


def _median_of(values: Floats) -> Callable[[Floats], Floats]:
    place = np.argsort(values, kind="stable")
    ranked = values[place]

    def weigh(weights: Floats) -> Floats:
        below = np.cumsum(weights[:, place], axis=1)
        half = below[:, -1:] / 2
        return np.asarray(ranked[(below < half).sum(axis=1)])

    return weigh
