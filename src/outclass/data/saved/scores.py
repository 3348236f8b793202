"""A number per item and system, saved item by item with what is known of it: its id, group, data set and truth."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import numbered
from outclass.data.labels import name_of, relabelled
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_names, can_be_written, damaged, parsed, written
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted
from outclass.findings import Finding

MARK: Final = KINDS["Scores"].mark
FIELDS: Final = ("systems", "columns", "name", "higher_is_better", "items")
SCORE_OF: Final = "score of "  # and the positive label, as classifier scores are called
COLUMNS: Final = ("id", "group", "data_set", "truth")  # of an item, those that are known


def to_json(data: Scores) -> str:
    """Write one item per line, sorted: what is known of it, and every system's number."""
    columns, rows = _rows(data)
    head = {
        "systems": list(data.systems),
        "columns": columns,
        "name": data.name,
        "higher_is_better": data.higher_is_better,
    }
    return written(MARK, head, "items", sorted(rows))


def from_json(text: str) -> Scores:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, columns, name, better, rows = (plain.get(field) for field in FIELDS)
    if not (are_names(systems) and systems) or not (isinstance(columns, list) and columns in _known()):
        raise damaged("systems or columns are not lists of known names")
    if not (isinstance(name, str) and can_be_written(name) and isinstance(better, bool)):
        raise damaged("name is no text, or what is better is neither true nor false")
    if not isinstance(rows, list) or not rows or not all(_is_item(row, columns, len(systems)) for row in rows):
        raise damaged("items are not rows of what is known of an item and a number for each system")
    if "id" in columns and len({row[0] for row in rows}) < len(rows):
        raise damaged("items have an id twice")
    return _of_rows(tuple(systems), columns, rows, name=name, higher_is_better=better)


def _known() -> list[list[str]]:
    """Return all lists of columns that an item may have."""
    kinds = range(1 << len(COLUMNS))
    return [[name for place, name in enumerate(COLUMNS) if kind >> place & 1] for kind in kinds]


def _is_item(row: Any, columns: Sequence[str], systems: int) -> bool:
    if not isinstance(row, list) or len(row) != len(columns) + systems:
        return False
    own, numbers = row[: len(columns)], row[len(columns) :]
    words = all(
        type(value) is int and value in (0, 1)
        if column == "truth"
        else isinstance(value, str) and can_be_written(value)
        for column, value in zip(columns, own, strict=True)
    )
    return words and all(type(value) is float and math.isfinite(value) for value in numbers)


def added(state: Scores | None, evidence: Scores, *, new_labels: bool) -> Scores:
    """Add the items; groups, and data sets, of one name are one."""
    if evidence.fold_share is not None:
        raise InputError(
            "folds of a cross-validation share their items and cannot be accumulated: compare them together, without "
            "a state."
        )
    if new_labels:
        raise InputError("scores have no labels: leave out ⟨new_labels=True⟩.")
    columns, rows = _rows(evidence)
    if state is None:
        return _of_rows(evidence.systems, columns, rows, **_told(evidence))
    before, old = _rows(state)
    if columns != before:
        raise InputError(
            f"the items of the state have {quoted(before) or 'numbers only'}, the new ones "
            f"{quoted(columns) or 'numbers only'}. Name the same columns in every batch."
        )
    name = _shared_name(state, evidence)
    if name is None or state.higher_is_better != evidence.higher_is_better:
        raise InputError(f"the state is about {_in_words(state)}, the new evidence about {_in_words(evidence)}.")
    if "id" in columns:
        known = {name_of(row[0]) for row in old}  # 1, 1.0 and "1 " are one item, whoever wrote the state
        if again := [row[0] for row in rows if name_of(row[0]) in known]:
            raise InputError(f"{len(again):,} items are already in the state: {quoted(again, most=5)}. Remove them.")
    findings = tuple(dict.fromkeys((*state.findings, *evidence.findings)))
    return _of_rows(state.systems, columns, old + rows, **(_told(state) | {"name": name, "findings": findings}))


def _shared_name(state: Scores, evidence: Scores) -> str | None:
    """Return what both are numbers of, None if they are not of the same; True and 1 are one positive label."""
    if state.name == evidence.name:
        return state.name
    positives = [data.name.removeprefix(SCORE_OF) for data in (state, evidence) if data.name.startswith(SCORE_OF)]
    if len(positives) < 2 or state.truth is None or evidence.truth is None:
        return None
    labels, _ = relabelled([[positive] for positive in positives])
    return f"{SCORE_OF}{labels[0]}" if len(labels) == 1 else None


def _told(data: Scores) -> dict[str, Any]:
    return {"name": data.name, "higher_is_better": data.higher_is_better, "findings": data.findings}


def _in_words(data: Scores) -> str:
    return f"{quoted([data.name])} ({'higher' if data.higher_is_better else 'lower'} is better)"


def _rows(data: Scores) -> tuple[list[str], list[list[Any]]]:
    """Return the columns that items have, and the items."""
    found: dict[str, list[Any] | None] = {
        "id": None if data.ids is None else list(data.ids),
        "group": _names(data.group, data.group_names),
        "data_set": _names(data.data_set, data.data_set_names),
        "truth": None if data.truth is None else data.truth.astype(int).tolist(),
    }
    known = {name: column for name, column in found.items() if column is not None}
    # Zero has two signs, of which only one is needed.
    numbers = [(np.asarray(own, dtype=float) + 0.0).tolist() for own in data.values.values()]
    return list(known), [list(row) for row in zip(*known.values(), *numbers, strict=True)]


def _names(codes: Counts | None, names: Sequence[str] | None) -> list[str] | None:
    """Return the name of each item's group; one that has none goes by its code."""
    if codes is None:
        return None
    return [str(code) if names is None else names[code] for code in codes.tolist()]


def _of_rows(
    systems: tuple[str, ...],
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    name: str,
    higher_is_better: bool,
    findings: tuple[Finding, ...] = (),
) -> Scores:
    """Return items in their order in the file, whatever order they come in."""
    listed = list(zip(*sorted(map(list, rows)), strict=True))
    own = dict(zip(columns, listed, strict=False))
    more: dict[str, Any] = {}
    for column in ("group", "data_set"):
        if column in own:
            more[f"{column}_names"], more[column] = numbered(own[column])
    return Scores(
        values={each: np.array(listed[len(columns) + at], dtype=float) for at, each in enumerate(systems)},
        truth=np.array(own["truth"], dtype=bool) if "truth" in own else None,
        ids=tuple(own["id"]) if "id" in own else None,
        name=name,
        higher_is_better=higher_is_better,
        findings=findings,
        **more,
    )
