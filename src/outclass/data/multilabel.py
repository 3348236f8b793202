"""Multi-label outcomes, kept sparse: a row for each item and label that is true or that some system predicts."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from outclass.arrays import Counts
from outclass.data.bits import bit_of
from outclass.data.classes import Classes
from outclass.data.coding import distinct_rows, numbered, placed
from outclass.data.columns import roles_of
from outclass.data.counted import check_policy, settle_missing
from outclass.data.grouped import Grouped, read_grouped
from outclass.data.in_memory import check_columns, check_ids, columns_of_any
from outclass.data.labels import is_missing, name_of
from outclass.data.names import selection
from outclass.data.outcomes import Outcomes
from outclass.data.tally import whole_counts
from outclass.data.unit_counts import GroupedCounts, UnitCounts
from outclass.errors import InputError, did_you_mean, printable, quoted
from outclass.findings import Finding, finding


@dataclass(frozen=True, kw_only=True, eq=False)
class MultiLabel:
    """What some systems said of some items, label by label.

    Parameters
    ----------
    systems, labels
        Their names.
    items
        How many items there are.
    item, label
        The place of each row's item and label.
    marks
        Shape (rows, 1 + systems): whether the label is true, and whether each system predicts it.
    """

    kind: ClassVar[str] = "many labels"
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    items: int
    item: Counts
    label: Counts
    marks: np.ndarray
    findings: tuple[Finding, ...] = field(default=())

    def __repr__(self) -> str:
        names = printable(", ".join(self.systems))
        return f"MultiLabel({self.items:,} items, {len(self.labels)} labels, systems {names})"

    def with_findings(self, findings: tuple[Finding, ...]) -> "MultiLabel":
        """Return the same items with other findings."""
        return replace(self, findings=findings)

    @property
    def decisions(self) -> int:
        """How many yes-or-no decisions there are."""
        return self.items * len(self.labels)

    def column(self, system: str) -> int:
        """Return the place of a system among the marks' columns."""
        if system not in self.systems:
            raise InputError(f"no system {quoted([system])}. {did_you_mean(system, self.systems)}")
        return 1 + self.systems.index(system)

    def selected(self, systems: Sequence[str]) -> "MultiLabel":
        """Return the same items with some of the systems."""
        columns = [self.column(system) for system in selection(systems, self.systems)]
        return replace(self, systems=tuple(systems), marks=self.marks[:, [0, *columns]])

    def only(self, places: Sequence[int]) -> "MultiLabel":
        """Return the decisions on some of the labels, on all items."""
        kept = np.isin(self.label, places)
        to = np.full(len(self.labels), -1, dtype=np.int64)
        to[list(places)] = np.arange(len(places))
        names = tuple(self.labels[place] for place in places)
        label, marks = to[self.label[kept]], self.marks[kept]
        return replace(self, labels=names, item=self.item[kept], label=label, marks=marks)

    def of_label(self, label: str) -> Outcomes:
        """Return the outcomes of one label against the rest."""
        places, order, ends = self._by_label
        if label not in places:
            raise InputError(f"no label {quoted([label])}. {did_you_mean(label, self.labels)}")
        marks = self.marks[order[slice(*ends[places[label] : places[label] + 2])]]
        patterns, counts = np.unique(marks, axis=0, return_counts=True)
        rest = self.items - len(marks)
        if rest:
            # Where there is no row, all say no.
            patterns = np.vstack([np.zeros_like(patterns, shape=(1, marks.shape[1])), patterns])
            counts = np.append(rest, counts)
        return Outcomes(
            systems=self.systems,
            labels=(f"not {label}", label),
            patterns=patterns.astype(np.int64),
            counts=counts.astype(np.int64),
            findings=self.findings,
        )

    @cached_property
    def _by_label(self) -> tuple[dict[str, int], Counts, Counts]:
        """The place of each label, the rows in the order of their labels, and where those of each begin and end."""
        places = {label: place for place, label in enumerate(self.labels)}
        ends = np.concatenate([[0], np.cumsum(np.bincount(self.label, minlength=len(self.labels)))])
        return places, np.argsort(self.label, kind="stable"), ends

    def joints(self, a: str, b: str) -> Counts:
        """Return one (2, 4) table per label: positives, negatives; both say yes, only A, only B, neither."""
        truth, by_a, by_b = (self.marks[:, column] for column in (0, self.column(a), self.column(b)))
        cell = np.where(truth, 0, 4) + np.where(by_a, 0, 2) + np.where(by_b, 0, 1)
        table = np.zeros((len(self.labels), 8), dtype=np.int64)
        np.add.at(table, (self.label, cell), 1)
        table[:, 7] += self.items - table.sum(axis=1)
        return table.reshape(-1, 2, 4)

    def tables(self, system: str) -> Counts:
        """Return one (2, 2) table per label: positives, negatives; says yes, says no."""
        both, only, _, neither = np.moveaxis(self.joints(system, system), 2, 0)
        return np.stack([both + only, neither], axis=2)

    @cached_property
    def frequencies(self) -> Counts:
        """How many items have each label."""
        return np.bincount(self.label[self.marks[:, 0]], minlength=len(self.labels)).astype(np.int64)

    @property
    def units(self) -> Counts:
        """How often each unit occurs: every document is itself."""
        return np.ones(self.items, dtype=np.int64)

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the unit, the label and the kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        truth, said = self.marks[:, 0], self.marks[:, self.column(system)]
        counts = truth | said
        kind = np.where(truth & said, 0, np.where(said, 1, 2))
        return self.item[counts], self.label[counts], kind[counts].astype(np.int64)


def from_lists(truth: Sequence[Iterable[str]], predictions: Mapping[str, Sequence[Iterable[str]]]) -> MultiLabel:
    """Take lists of labels, one per item, for the truth and for each system."""
    lengths = {len(truth), *(len(lists) for lists in predictions.values())}
    if len(lengths) > 1:
        raise InputError(
            f"the lists differ in length: {', '.join(map(str, sorted(lengths)))}. Each must have one entry per item."
        )
    if not len(truth):
        raise InputError("there are no items to compare.")
    columns = [[set(_names(labels)) for labels in lists] for lists in (truth, *predictions.values())]
    labels = tuple(sorted(set().union(*(labels for lists in columns for labels in lists))))
    if not labels:
        raise InputError("no item has a label, and no system predicts one.")
    code = {label: place for place, label in enumerate(labels)}
    item, label, marks = [], [], []
    for place, sets in enumerate(zip(*columns, strict=True)):
        for each in sorted(set().union(*sets)):
            item.append(place)
            label.append(code[each])
            marks.append([each in labels_of for labels_of in sets])
    return MultiLabel(
        systems=tuple(predictions),
        labels=labels,
        items=len(truth),
        item=np.array(item, dtype=np.int64),
        label=np.array(label, dtype=np.int64),
        marks=np.array(marks, dtype=bool),
    )


def from_long(
    items: Sequence[Any], labels: Sequence[Any], marks: Mapping[str, Sequence[Any]], missing: str = "error"
) -> MultiLabel:
    """Take one row for each item and label, with 0 or 1 for the truth (first) and for each system.

    Pairs of an item and a label that have no row are decisions "no" on which all agree.
    """
    check_policy(missing)
    if not len(items):
        raise InputError("there are no decisions to compare.")
    for name, column in (("item", items), ("label", labels)):
        if any(map(is_missing, column)):
            raise InputError(f"the column of the {name}s (--{name}) has empty cells; every row needs its {name}.")
    names, places = numbered(items)
    kinds, codes = numbered(labels)
    keys = places * len(kinds) + codes
    distinct, first = np.unique(keys, return_index=True)
    if len(distinct) < len(keys):
        repeated = np.ones(len(keys), dtype=bool)
        repeated[first] = False
        again = int(np.flatnonzero(repeated)[0])
        raise InputError(f"item {quoted([items[again]])} has label {quoted([labels[again]])} twice (⟨item⟩, ⟨label⟩).")
    gone = np.stack([_each(column, is_missing) for column in marks.values()], axis=1)
    notes = _lacking(gone, places, names, list(marks), missing)
    if missing == "drop" and gone.any():
        whole = ~np.isin(places, places[gone.any(axis=1)])
        if not whole.any():
            raise InputError("no items are left: every item has a missing decision (⟨missing⟩).")
        left = [[column[at] for at in np.flatnonzero(whole).tolist()] for column in (items, labels, *marks.values())]
        rest = from_long(left[0], left[1], dict(zip(marks, left[2:], strict=True)))
        return replace(rest, findings=(*notes, *rest.findings))
    absent = len(names) * len(kinds) - len(keys)
    if absent:
        told = (
            f"{absent:,} of {len(names) * len(kinds):,} item-label pairs have no row; they count as negative, in the "
            "truth and for every system."
        )
        notes = (*notes, finding("OC115", told))
    bits = np.stack([_each(column, partial(bit_of, column=name)) for name, column in marks.items()], axis=1)
    bits = np.where(gone, ~bits[:, :1], bits)
    kept = bits.any(axis=1)
    return MultiLabel(
        systems=tuple(marks)[1:],
        labels=kinds,
        items=len(names),
        item=places[kept],
        label=codes[kept],
        marks=bits[kept],
        findings=notes,
    )


def _each(column: Sequence[Any], told: Callable[[Any], bool]) -> np.ndarray:
    """Return what is told of every value of a column; each distinct one is asked once."""
    codes, distinct = placed(column)
    return np.array([told(value) for value in distinct])[codes]


def _lacking(
    gone: np.ndarray, places: Counts, items: Sequence[object], columns: Sequence[str], missing: str
) -> tuple[Finding, ...]:
    """Settle what to do with decisions that are missing; `gone` has a row for each and `places` its item."""
    rows = np.flatnonzero(gone.any(axis=1))
    shown = [
        f"item {quoted([items[places[at]]])}: nothing in "
        + quoted(name for name, empty in zip(columns, gone[at], strict=True) if empty)
        for at in rows[:5]
    ]
    truths = len(np.unique(places[gone[:, 0]]))
    return settle_missing(missing, rows=len(np.unique(places[rows])), truths=truths, shown=shown, items=len(items))


def read_multilabel(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    item: str | None = None,
    label: str | None = None,
    separator: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> MultiLabel:
    """Read multi-label outcomes from a table: long (item, label, 1 or 0), or cells with lists of labels."""
    if separator == "":
        raise InputError("the label separator must not be empty; use for instance ⟨separator=;⟩.")
    if separator is not None and (item is not None or label is not None):
        raise InputError("a long table (⟨item⟩, ⟨label⟩) and lists in cells (⟨separator⟩) cannot be combined.")
    if item is not None and id is not None:
        raise InputError("⟨item⟩ and ⟨id⟩ both name the items: give only one.")
    if label is not None:
        item = item or id
    if (item is None) != (label is None):
        raise InputError("a long table of decisions needs both its items (⟨item=COL⟩) and its labels (⟨label=COL⟩).")
    keys = [name for name in (item or id, label) if name is not None]
    shared = [] if truth is None else [truth]
    needed = None if truth is None or not systems else [*dict.fromkeys([*keys, *shared, *systems])]
    columns = columns_of_any(data, keys=keys, shared=shared, only=needed, filled=False)  # no labels are a truth
    check_columns(columns, {"item": item, "label": label, "id": id})
    roles = roles_of(list(columns), truth=truth, systems=systems, count=None, other=keys, place="the table")
    if item is not None and label is not None:
        wanted = {name: columns[name] for name in (roles.truth, *roles.systems)}
        return from_long(columns[item], columns[label], wanted, missing)
    if id is not None:
        check_ids(columns, id)
    predictions = {name: columns[name] for name in roles.systems}
    return from_cells(columns[roles.truth], predictions, separator or ";", missing)


def from_cells(
    truth: Sequence[Any], predictions: Mapping[str, Sequence[Any]], separator: str | None, missing: str = "error"
) -> MultiLabel:
    """Take cells that hold labels, as text with a separator or as lists; an empty one has none.

    Items with an empty cell are left out with `missing='drop'`; with 'wrong' an empty truth is an error.
    """
    check_policy(missing)
    columns = [list(truth), *map(list, predictions.values())]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise InputError(
            f"the lists differ in length: {', '.join(map(str, sorted(lengths)))}. Each must have one entry per item."
        )
    if not columns[0]:
        raise InputError("there are no items to compare.")
    kinds, first = distinct_rows(columns)  # documents that are alike are looked at once
    rows = [tuple(column[at] for column in columns) for at in first.tolist()]
    notes: list[Finding] = []
    lacks = np.array([list(map(_is_empty, row)) for row in rows])
    if missing != "error" and lacks.any():
        gone, places = lacks[kinds], np.arange(len(kinds))
        notes += _lacking(gone, places, range(1, len(kinds) + 1), ["the truth", *predictions], missing)
        if missing == "drop":
            kinds = kinds[~gone.any(axis=1)]
        if not len(kinds):
            raise InputError("no items are left: every item has missing labels (⟨missing⟩).")
        used, kinds = np.unique(kinds, return_inverse=True)
        rows = [rows[at] for at in used.tolist()]
    lists = [[_labels(cell, separator) for cell in column] for column in zip(*rows, strict=True)]
    found = _repeated(from_lists(lists[0], dict(zip(predictions, lists[1:], strict=True))), kinds)
    cells = [cell for row in rows for cell in row if isinstance(cell, str)]
    if separator is not None and cells and not any(separator in cell for cell in cells):
        other = [each for each in (";", "|", ",") if each != separator and any(each in cell for cell in cells)]
        if other:
            told = (
                f"no cell contains the separator {separator!r}, but some contain {quoted(other)}: is it one of these?"
            )
            notes.append(finding("OC117", told))
    empty = int(np.array([sum(not labels for labels in row) for row in zip(*lists, strict=True)])[kinds].sum())
    if empty:
        told = f"{empty:,} of {len(lists) * found.items:,} cells are empty; they were read as no label."
        notes.append(finding("OC116", told))
    return replace(found, findings=tuple(notes))


def _is_empty(cell: Any) -> bool:
    return not isinstance(cell, list | tuple | np.ndarray) and is_missing(cell)


def _repeated(distinct: MultiLabel, kinds: Counts) -> MultiLabel:
    """Return the items of which each is like one of the distinct ones, as `kinds` says."""
    sizes = np.bincount(distinct.item, minlength=distinct.items)
    many, starts = sizes[kinds], (np.cumsum(sizes) - sizes)[kinds]
    item = np.repeat(np.arange(len(kinds)), many)
    # The rows of a distinct item lie together: the first of them, and how far on in the item.
    rows = np.repeat(starts - (np.cumsum(many) - many), many) + np.arange(len(item))
    return replace(distinct, items=len(kinds), item=item, label=distinct.label[rows], marks=distinct.marks[rows])


def _names(labels: Iterable[Any]) -> list[str]:
    """Return what the labels in a list are called; null, which a list may hold, is none."""
    return [name_of(label) for label in labels if not is_missing(label)]


def _labels(cell: Any, separator: str | None) -> list[str]:
    """Return the labels in a cell; an empty one has none."""
    if isinstance(cell, str):
        text = cell.strip()
        if text.startswith("[") and text.endswith("]"):
            try:
                parsed = json.loads(text)
            except (ValueError, RecursionError):
                parsed = None
            if isinstance(parsed, list):
                return _names(parsed)
        parts = [text] if separator is None else text.split(separator)
        return [part.strip() for part in parts if part.strip()]
    if isinstance(cell, Iterable):
        return _names(cell)
    return [] if is_missing(cell) else [name_of(cell)]


Decisions = MultiLabel | Classes | Grouped | UnitCounts | GroupedCounts


def frequencies_of(path: str | Path) -> dict[str, int]:
    """Read how common each label is from a table of two columns, the label and its count."""
    columns = columns_of_any(path)
    if len(columns) != 2:
        raise InputError(
            f"{quoted([Path(path).name])} needs two columns, the label and its count; it has {quoted(columns)}."
        )
    labels, counts = columns.values()
    return {name_of(label): count for label, count in zip(labels, whole_counts(zip(counts), "count"), strict=True)}


__all__ = [
    "Classes",
    "Decisions",
    "Grouped",
    "MultiLabel",
    "frequencies_of",
    "from_cells",
    "from_lists",
    "from_long",
    "read_grouped",
    "read_multilabel",
]
