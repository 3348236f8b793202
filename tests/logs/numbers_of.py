"""All numbers of two systems' logs, out of what outclass reads and answers, under the names of expected.json."""

import math
from typing import Any

import numpy as np
import pytest

import outclass as oc

CLOSE = 1e-9


def is_same(found: Any, wanted: Any) -> bool:
    """Return whether there is a number for every number expected and no further one, each to 1e-9 of its size."""
    if isinstance(wanted, dict):
        assert found.keys() == wanted.keys()
        return all(is_same(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(is_same, found, wanted))
    if isinstance(wanted, float):  # printed to ten digits
        same = found == pytest.approx(wanted, rel=CLOSE, abs=CLOSE)
    else:
        same = found is None if wanted is None else found == wanted
    assert same, f"{found!r} instead of {wanted!r}"
    return True


def without(wanted: dict[str, Any], *words: str) -> dict[str, Any]:
    """Return the numbers of a case, without what is prose."""
    return {key: value for key, value in wanted.items() if key not in words}


def spread(one: np.ndarray, other: np.ndarray) -> dict[str, Any]:
    """Return the standard errors of a difference, and what pairing has to do with them."""
    many, constant = len(one), bool(one.std() == 0 or other.std() == 0)
    return {
        "sd_difference": (one - other).std(ddof=1),
        "se_paired": (one - other).std(ddof=1) / math.sqrt(many),
        "se_unpaired": math.sqrt((one.var(ddof=1) + other.var(ddof=1)) / many),
        "correlation": None if constant else np.corrcoef(one, other)[0, 1],
    }


def of_numbers(data: Any) -> dict[str, Any]:
    """Return means, their difference, its standard error and its paired t-test."""
    values = oc.read(data)
    one, other = (values.values[name] for name in values.systems)
    row = oc.compare(data, measure="mean").rows[0]
    paired = oc.test(data, tests="paired_t").rows[0]
    assert paired.interval is not None
    return {
        "n": len(values),
        "mean_a": row.systems[0].observed,
        "mean_b": row.systems[1].observed,
        "difference": row.observed,
        **spread(one, other),
        "t": paired.statistic,
        "p_paired_t": paired.p_value,
        "ci95_t": list(paired.interval),
    }


def of_right_and_wrong(data: oc.Logs) -> dict[str, Any]:
    """Return the same and what is counted: who is right on which items, and McNemar's tests."""
    values = oc.read(data)
    one, other = (values.values[name] for name in values.systems)
    flips = data.flips(*values.systems)
    return {
        **of_numbers(data),
        "correct_a": int(one.sum()),
        "correct_b": int(other.sum()),
        "both": int((one * other).sum()),
        "only_a": len(flips.worse),
        "only_b": len(flips.better),
        "neither": int(((1 - one) * (1 - other)).sum()),
        "mcnemar_exact_p": oc.test(data, tests="sign_exact").rows[0].p_value,
        "mcnemar_midp": oc.test(data, tests="mcnemar_midp").rows[0].p_value,
    }


def of_tasks(data: oc.Logs) -> dict[str, Any]:
    """Return the items and both means of each task."""
    if len(data.tasks) == 1:
        named = {data.tasks[0]: oc.compare(data).rows[0]}
    else:
        rows = oc.compare(data, by="task").rows
        named = {str(row.slice.name): row for row in rows if row.slice is not None and row.slice.column}
    return {
        name: {"n": row.items, "a": row.systems[0].observed, "b": row.systems[1].observed}
        for name, row in named.items()
    }


def same_hashes(data: oc.Logs, column: str) -> int:
    """Return how many items have the same digest in both systems."""
    cells = zip(*data.matched().cells.values(), strict=True)
    return sum(
        getattr(one.run.samples, column)[one.at] == getattr(other.run.samples, column)[other.at]
        for one, other in cells
        if one is not None and other is not None
    )
