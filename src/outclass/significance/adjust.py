"""p-values of a family of tests: Holm keeps the chance of any false alarm, Benjamini & Hochberg their share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, unknown
from outclass.significance.result import Adjusted, TestResult


def holm(p_values: Sequence[float]) -> Floats:
    """Return Holm's step-down p-values; what is not a number stays so, and counts for nothing."""
    return _stepped(p_values, lambda m, order: m - order, upward=False)


def benjamini_hochberg(p_values: Sequence[float]) -> Floats:
    """Return Benjamini & Hochberg's p-values, for the false discovery rate."""
    return _stepped(p_values, lambda m, order: m / (order + 1), upward=True)


METHODS: Final = {"holm": holm, "benjamini_hochberg": benjamini_hochberg}


def adjust(p_values: Sequence[float], method: str = "holm") -> Floats:
    """Adjust p-values for their number."""
    if method not in METHODS:
        raise unknown("adjustment", str(method), METHODS)
    return METHODS[method](p_values)


def _stepped(p_values: Sequence[float], factor: Callable[[int, Floats], Floats], *, upward: bool) -> Floats:
    values = np.asarray(p_values, dtype=float)
    known = np.isfinite(values)
    if np.any((values[known] < 0) | (values[known] > 1)):
        raise InputError("p-values lie between 0 and 1.")
    m = int(known.sum())
    order = np.argsort(values[known], kind="stable")
    scaled = values[known][order] * factor(m, np.arange(m, dtype=float))
    stepped = np.minimum.accumulate(scaled[::-1])[::-1] if upward else np.maximum.accumulate(scaled)
    found = np.full(values.shape, np.nan)
    places = np.flatnonzero(known)
    found[places[order]] = np.minimum(stepped, 1.0)
    return found


def adjusted(results: Sequence[TestResult]) -> list[TestResult]:
    """Adjust every test within its family: the same test and measure over all pairs and labels."""
    families: dict[tuple[str, str], list[int]] = {}
    for place, result in enumerate(results):
        # Nemenyi's p-values allow for all pairs by themselves.
        if result.name != "nemenyi":
            # The same test has another name where its arrangements were too many to be summed.
            families.setdefault((result.name.removesuffix("_exact"), result.measure), []).append(place)
    found = list(results)
    for (_, measure), places in families.items():
        if len(places) < 2:
            continue
        p_values = [results[place].p_value for place in places]
        name = " and ".join(dict.fromkeys(results[place].name for place in places))
        for place, strict, mild in zip(places, holm(p_values), benjamini_hochberg(p_values), strict=True):
            family = f"{name} on {measure}: {int(np.isfinite(p_values).sum())} tests"
            found[place] = replace(
                results[place], adjusted=Adjusted(holm=float(strict), benjamini_hochberg=float(mild), family=family)
            )
    return found
