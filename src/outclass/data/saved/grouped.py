"""Labels in groups, saved item by item: its group, its true label, and what each system says."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import numbered
from outclass.data.labels import Label, relabelled
from outclass.data.multilabel import Grouped
from outclass.data.outcomes import Outcomes
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_labels, are_names, check_new, damaged, is_list, parsed, written
from outclass.findings import Finding

MARK: Final = KINDS["Grouped"].mark
FIELDS: Final = ("systems", "labels", "groups", "items")


def to_json(data: Grouped) -> str:
    """Write one item per line, sorted: codes of its group, of its true label and of every system's."""
    head = {"systems": list(data.systems), "labels": list(data.outcomes.labels), "groups": list(data.names)}
    return written(MARK, head, "items", sorted(np.column_stack([data.group, data.codes]).tolist()))


def from_json(text: str) -> Grouped:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, labels, groups, rows = (plain.get(name, ()) for name in FIELDS)
    if not (are_names(systems) and systems and are_labels(labels) and are_names(groups)):
        raise damaged("systems, labels or groups are not lists of different names")
    if not isinstance(rows, list) or not rows:
        raise damaged("items are not a list")
    if not all(_is_item(row, len(groups), len(labels), 1 + len(systems)) for row in rows):
        raise damaged("items are not rows of codes: of the group, the true label and each system's")
    table = np.array(rows, dtype=np.int64)
    return _grouped(tuple(systems), labels, table[:, 1:], [groups[code] for code in table[:, 0].tolist()])


def _is_item(row: Any, groups: int, labels: int, columns: int) -> bool:
    return (
        is_list(row, int)
        and len(row) == 1 + columns
        and 0 <= row[0] < groups
        and all(0 <= code < labels for code in row[1:])
    )


def added(state: Grouped | None, evidence: Grouped, *, new_labels: bool) -> Grouped:
    """Add the items; groups of one name are one group."""
    parts = [evidence] if state is None else [state, evidence]
    if state is not None:
        check_new(state.outcomes.labels, evidence.outcomes.labels, new_labels=new_labels)
    whole, places = relabelled([part.outcomes.labels for part in parts])
    codes = [np.array(to, dtype=np.int64)[part.codes] for to, part in zip(places, parts, strict=True)]
    names = [part.names[code] for part in parts for code in part.group.tolist()]
    findings = tuple(dict.fromkeys(each for part in parts for each in part.findings))
    return _grouped(evidence.systems, whole, np.concatenate(codes), names, findings)


def _grouped(
    systems: tuple[str, ...],
    labels: Sequence[Label],
    codes: Counts,
    groups: Sequence[str],
    findings: tuple[Finding, ...] = (),
) -> Grouped:
    """Return items in their order in the file, whatever order they come in."""
    order, (places,) = relabelled([labels])
    to = np.array(places, dtype=np.int64)
    names, group = numbered(groups)
    rows = np.array(sorted(np.column_stack([group, to[codes]]).tolist()), dtype=np.int64)
    patterns, counts = np.unique(rows[:, 1:], axis=0, return_counts=True)
    outcomes = Outcomes(systems=systems, labels=order, patterns=patterns, counts=counts, findings=findings)
    return Grouped(outcomes, rows[:, 1:], rows[:, 0], len(names), names)
