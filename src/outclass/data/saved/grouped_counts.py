"""Counts per item in groups, saved item by item: its group, and its label and every system's TP, FP and FN."""

from collections.abc import Sequence
from typing import Final

from outclass.data.coding import numbered
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_names, damaged, parsed, written
from outclass.data.saved.unit_counts import Item, checked, counted, items_of, together
from outclass.data.unit_counts import GroupedCounts
from outclass.findings import Finding

MARK: Final = KINDS["GroupedCounts"].mark
FIELDS: Final = ("systems", "labels", "groups", "items")


def to_json(data: GroupedCounts) -> str:
    """Write one item per line, sorted: the code of its group, and its rows."""
    head = {"systems": list(data.systems), "labels": list(data.labels), "groups": list(data.names)}
    return written(MARK, head, "items", sorted(items_of(data.counts, data.group.tolist())))


def from_json(text: str) -> GroupedCounts:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, labels, groups, items = (plain.get(name, []) for name in FIELDS)
    checked(systems, labels, items)
    if not are_names(groups) or not all(item[0] < len(groups) for item in items):
        raise damaged("groups are not a list of different names, of which every item has one")
    return _of_items(systems, labels, items, [groups[item[0]] for item in items])


def added(state: GroupedCounts | None, evidence: GroupedCounts, *, new_labels: bool) -> GroupedCounts:
    """Add the items; groups of one name are one group."""
    systems, labels, items, findings = together(state, evidence, new_labels=new_labels)
    parts = [evidence] if state is None else [state, evidence]
    names = [part.names[code] for part in parts for code in part.group.tolist()]
    return _of_items(systems, labels, items, names, findings)


def _of_items(
    systems: Sequence[str],
    labels: Sequence[str],
    items: Sequence[Item],
    groups: Sequence[str],
    findings: tuple[Finding, ...] = (),
) -> GroupedCounts:
    found = counted(systems, labels, items, findings, group=numbered(groups))
    assert isinstance(found, GroupedCounts)
    return found
