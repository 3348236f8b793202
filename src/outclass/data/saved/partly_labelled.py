"""Partly labelled items, saved as counted patterns with the judges' labels."""

from typing import Any, Final

import numpy as np

from outclass.data.labels import relabelled
from outclass.data.partly_labelled import UNLABELLED, Judge, PartlyLabelled, partly_labelled
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_labels, are_names, check_new, damaged, is_list, parsed, written
from outclass.data.tally import MOST_ITEMS

MARK: Final = KINDS["PartlyLabelled"].mark
FIELDS: Final = ("systems", "labels", "judges", "items")
WEIGHTS: Final = 2  # numbers at the end of a row: the sum of the labelled items' weights, and of their squares


def to_json(data: PartlyLabelled) -> str:
    """Write one pattern per line: codes of the truth, predictions and judges, the items, and their weights."""
    judges = [[each.name, list(each.labels), each.binned] for each in data.judges]
    head = {"systems": list(data.systems), "labels": list(data.labels), "judges": judges}
    rows = [
        [*row, count, *(round(each, 9) for each in weights)]
        for row, count, weights in zip(data.patterns.tolist(), data.counts.tolist(), data.weights.tolist(), strict=True)
    ]
    return written(MARK, head, "items", rows)


def from_json(text: str) -> PartlyLabelled:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, labels, judges, rows = (plain.get(name) for name in FIELDS)
    if not (are_names(systems) and systems and are_labels(labels)):
        raise damaged("systems or labels are not lists of different names")
    if not (
        isinstance(judges, list) and all(map(_is_judge, judges)) and len({each[0] for each in judges}) == len(judges)
    ):
        raise damaged("judges are not lists of a name, labels, and whether these are bins")
    assert isinstance(systems, list)
    assert isinstance(labels, list)
    most = [len(labels)] * (1 + len(systems)) + [len(each[1]) for each in judges]
    least = [UNLABELLED] * (1 + len(systems)) + [0] * len(judges)
    if not isinstance(rows, list) or not rows or not all(_is_row(row, least, most) for row in rows):
        raise damaged("items are not rows of codes, a count and weights")
    table = np.array([row[: len(most) + 1] for row in rows], dtype=np.int64)
    weights = np.array([row[len(most) + 1 :] for row in rows], dtype=float)
    order, (places,) = relabelled([labels])
    patterns = table[:, :-1].copy()
    first = 1 + len(systems)
    patterns[:, :first] = np.array([*places, UNLABELLED])[patterns[:, :first]]
    own = [Judge(name, tuple(said), bool(bins)) for name, said, bins in judges]
    return partly_labelled(systems, order, own, patterns, table[:, -1], weights)


def _is_judge(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and are_names(value[:1])
        and are_names(value[1])
        and bool(value[1])
        and isinstance(value[2], bool)
    )


def _is_row(row: Any, least: list[int], most: list[int]) -> bool:
    codes = len(most)
    if not isinstance(row, list) or len(row) != codes + 1 + WEIGHTS or not is_list(row[: codes + 1], int):
        return False
    if not (is_list(row[codes + 1 :], (int, float)) and all(0 <= each <= 1e18 for each in row[codes + 1 :])):
        return False
    known = row[0] == UNLABELLED or row[-1] > 0
    return (
        known
        and 0 < row[codes] <= MOST_ITEMS
        and all(low <= code < high for low, code, high in zip(least, row, most, strict=False))
    )


def added(state: PartlyLabelled | None, evidence: PartlyLabelled, *, new_labels: bool) -> PartlyLabelled:
    """Add the items, which must be others than those of the state."""
    if state is None:
        return evidence
    if len(state.labels) >= 2:
        check_new(state.labels, evidence.labels, new_labels=new_labels)
    return state + evidence
