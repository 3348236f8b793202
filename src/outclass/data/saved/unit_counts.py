"""Counts per item, saved kind by kind: how often it occurs, and its label and every system's TP, FP and FN."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_names, check_new, damaged, is_list, parsed, written
from outclass.data.unit_counts import GroupedCounts, PerItem, UnitCounts, by_item, unit_counts
from outclass.errors import InputError
from outclass.findings import Finding

MARK: Final = KINDS["UnitCounts"].mark
FIELDS: Final = ("systems", "labels", "items")
MOST: Final = 10**12  # of one count
Row = list[int]  # the code of a label, and TP, FP and FN of each system
Item = list[Any]  # how often it occurs (or the code of its group), and its rows


def to_json(data: UnitCounts) -> str:
    """Write one kind of item per line, sorted."""
    head = {"systems": list(data.systems), "labels": list(data.labels)}
    return written(MARK, head, "items", sorted(items_of(data, data.times.tolist())))


def from_json(text: str) -> UnitCounts:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, labels, items = (plain.get(name) for name in FIELDS)
    checked(systems, labels, items)
    if not all(item[0] > 0 for item in items):  # type: ignore[union-attr]
        raise damaged("items are not all counted at least once")
    return _of_items(systems, labels, items)  # type: ignore[arg-type]


def added(state: UnitCounts | None, evidence: UnitCounts, *, new_labels: bool) -> UnitCounts:
    """Add the items; the labels are those of both."""
    systems, labels, items, findings = together(state, evidence, new_labels=new_labels)
    return _of_items(systems, labels, items, findings)


def _of_items(
    systems: Sequence[str], labels: Sequence[str], items: Sequence[Item], findings: tuple[Finding, ...] = ()
) -> UnitCounts:
    found = counted(systems, labels, items, findings, times=np.array([item[0] for item in items], dtype=np.int64))
    assert isinstance(found, UnitCounts)
    return found


# --- of items in groups, too -----------------------------------------------------------------------------------------


def items_of(data: UnitCounts, first: Sequence[int]) -> list[Item]:
    """Return every item as its first entry and its rows."""
    found: list[Item] = [[each, []] for each in first]
    for unit, row in zip(data.unit.tolist(), data.rows().tolist(), strict=True):
        found[unit][1].append(row)
    return found


def checked(systems: Any, labels: Any, items: Any) -> None:
    """Check what a file says."""
    if not (are_names(systems) and systems and are_names(labels) and labels):
        raise damaged("systems or labels are not lists of different names")
    if not isinstance(items, list) or not items:
        raise damaged("items are not a list")
    if not all(_is_item(each, len(labels), len(systems)) for each in items):
        raise damaged("items are not numbers and rows of a label and counts")
    if not any(any(row[1:]) for each in items for row in each[1]):
        raise damaged("items have no counts")


def _is_item(value: Any, labels: int, systems: int) -> bool:
    if not (isinstance(value, list) and len(value) == 2 and is_list(value[:1], int) and isinstance(value[1], list)):
        return False
    rows = value[1]
    return (
        0 <= value[0] <= MOST
        and all(
            is_list(row, int)
            and len(row) == 1 + 3 * systems
            and row[0] < labels
            and all(0 <= each <= MOST for each in row)
            for row in rows
        )
        and len({row[0] for row in rows}) == len(rows)
    )


def together(
    state: PerItem | None, evidence: PerItem, *, new_labels: bool
) -> tuple[tuple[str, ...], tuple[str, ...], list[Item], tuple[Finding, ...]]:
    """Return the systems, labels, items and findings of a state and a batch."""
    parts = [evidence] if state is None else [state, evidence]
    if state is not None:
        if state.typed != evidence.typed:
            raise InputError("one of the state and the new data has labels, the other has none: read both alike.")
        check_new(state.labels, evidence.labels, new_labels=new_labels)
    labels = tuple(sorted({label for part in parts for label in part.labels}))
    items: list[Item] = []
    for part in parts:
        place = [labels.index(label) for label in part.labels]
        first = part.group if isinstance(part, GroupedCounts) else part.times
        for often, rows in items_of(by_item(part), first.tolist()):
            items.append([often, sorted([place[row[0]], *row[1:]] for row in rows)])
    findings = tuple(dict.fromkeys(each for part in parts for each in part.findings))
    return evidence.systems, labels, items, findings


def counted(
    systems: Sequence[str],
    labels: Sequence[str],
    items: Sequence[Item],
    findings: tuple[Finding, ...],
    *,
    times: Counts | None = None,
    group: tuple[Sequence[str], Counts] | None = None,
) -> PerItem:
    """Return items in their order in the file, whatever order they come in."""
    order = sorted(range(len(items)), key=lambda at: items[at] if group is None else [int(group[1][at]), items[at][1]])
    rows = [(place, row) for place, at in enumerate(order) for row in items[at][1]]
    cells = np.array([row[1:] for _, row in rows], dtype=np.int64).reshape(len(rows), len(systems), 3)
    return unit_counts(
        *(systems, labels, len(items)),
        np.array([place for place, _ in rows], dtype=np.int64),
        np.array([row[0] for _, row in rows], dtype=np.int64),
        cells,
        times=None if times is None else times[order],
        group=None if group is None else (group[0], group[1][order]),
        findings=findings,
    )
