"""Runs in memory: a list of arrays for a system, or a matrix with one run per row."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from outclass.data.run_tables import run_name
from outclass.errors import InputError, quoted

MATRIX: Final = 2


def arrays_of_runs(truth: Any, predictions: Any) -> dict[str, dict[str, Any]] | None:
    """Return the arrays of each system's runs: of a mapping with a list of arrays, or a matrix, for some systems."""
    if not isinstance(predictions, Mapping) or not hasattr(truth, "__len__"):
        return None
    items = len(truth)
    found: dict[str, dict[str, Any]] = {}
    several = False
    for name, value in predictions.items():
        rows = _rows(value, items, str(name))
        several = several or rows is not None
        runs = (
            {str(name): value} if rows is None else {run_name(str(name), str(at + 1)): r for at, r in enumerate(rows)}
        )
        found[str(name)] = runs
    return found if several else None


def _rows(value: Any, items: int, name: str) -> list[Any] | None:
    """Return the runs in a value, if it holds several: one per row, with one value per item each."""
    shape: tuple[int, ...] = np.shape(value) if hasattr(value, "shape") else ()
    if len(shape) == MATRIX:
        if shape[1] != items and shape[0] == items:
            if shape[1] <= MATRIX:
                return None  # probabilities of two classes
            raise InputError(
                f"{quoted([name])} has shape {shape[0]} x {shape[1]}: runs are rows, with one value per item each, so "
                "transpose it; or turn class probabilities into labels first (argmax)."
            )
        if shape[1] != items:
            raise InputError(f"{quoted([name])} has runs of {shape[1]:,} items, and the truth has {items:,}.")
        return list(np.asarray(value))
    if not isinstance(value, list | tuple) or not value or len(value) == items:
        return None
    if not all(hasattr(each, "__len__") and not isinstance(each, str | bytes) for each in value):
        return None
    if wrong := [len(each) for each in value if len(each) != items]:
        raise InputError(f"a run of {quoted([name])} has {wrong[0]:,} items, and the truth has {items:,}.")
    return list(value)
