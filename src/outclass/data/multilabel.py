"""Multi-label outcomes: every item has any number of labels, and so has every prediction.

Kept sparse: a row for each item and label that is true or that some system predicts. Everything else is a decision "no"
on which all agree.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import numbered
from outclass.data.columns import columns_in, roles_of
from outclass.data.labels import canonical, harmonised, is_missing
from outclass.data.outcomes import BINARY, WRONG, Outcomes
from outclass.data.tally import whole_counts
from outclass.errors import InputError, did_you_mean, quoted
from outclass.findings import Finding, finding

YES: Final = frozenset({"1", "true", "yes", "y", "t", "1.0", "+", "pos", "positive"})
NO: Final = frozenset({"0", "false", "no", "n", "f", "0.0", "-", "neg", "negative", "-1"})


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

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    items: int
    item: Counts
    label: Counts
    marks: np.ndarray
    findings: tuple[Finding, ...] = field(default=())

    def __repr__(self) -> str:
        return f"MultiLabel({self.items:,} items, {len(self.labels)} labels, systems {', '.join(self.systems)})"

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
        columns = [self.column(system) for system in systems]
        if len(set(systems)) < len(systems):
            raise InputError(f"a system is named twice: {quoted(systems)}.")
        return replace(self, systems=tuple(systems), marks=self.marks[:, [0, *columns]])

    def of_label(self, label: str) -> Outcomes:
        """Return the outcomes of one label against the rest."""
        if label not in self.labels:
            raise InputError(f"no label {quoted([label])}. {did_you_mean(label, self.labels)}")
        marks = self.marks[self.label == self.labels.index(label)]
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

    def joints(self, a: str, b: str) -> Counts:
        """Return a (2, 4) table a label: positives, negatives; both say yes, only A, only B, neither."""
        truth, by_a, by_b = (self.marks[:, column] for column in (0, self.column(a), self.column(b)))
        cell = np.where(truth, 0, 4) + np.where(by_a, 0, 2) + np.where(by_b, 0, 1)
        table = np.zeros((len(self.labels), 8), dtype=np.int64)
        np.add.at(table, (self.label, cell), 1)
        table[:, 7] += self.items - table.sum(axis=1)
        return table.reshape(-1, 2, 4)

    def tables(self, system: str) -> Counts:
        """Return a (2, 2) table a label: positives, negatives; says yes, says no."""
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
    """Take lists of labels, one an item, for the truth and for each system."""
    lengths = {len(truth), *(len(lists) for lists in predictions.values())}
    if len(lengths) > 1:
        raise InputError(f"the lists differ in length: {', '.join(map(str, sorted(lengths)))}. Each needs every item.")
    if not len(truth):
        raise InputError("there is no item to compare.")
    columns = [[{str(label) for label in labels} for labels in lists] for lists in (truth, *predictions.values())]
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


def from_long(items: Sequence[Any], labels: Sequence[Any], marks: Mapping[str, Sequence[Any]]) -> MultiLabel:
    """Take one row for each item and label, with 0 or 1 for the truth (first) and for each system.

    Pairs of an item and a label that have no row are decisions "no" on which all agree.
    """
    if not len(items):
        raise InputError("there is no decision to compare.")
    for name, column in (("item", items), ("label", labels)):
        if any(is_missing(value) for value in column):
            raise InputError(f"the column of the {name}s has empty cells; every row needs its {name}.")
    names, places = numbered(items)
    kinds, codes = numbered(labels)
    keys = places * len(kinds) + codes
    distinct, first = np.unique(keys, return_index=True)
    if len(distinct) < len(keys):
        repeated = np.ones(len(keys), dtype=bool)
        repeated[first] = False
        again = int(np.flatnonzero(repeated)[0])
        raise InputError(f"item {quoted([items[again]])} has label {quoted([labels[again]])} twice.")
    absent = len(names) * len(kinds) - len(keys)
    notes: tuple[Finding, ...] = ()
    if absent:
        notes = (
            finding(
                "OC115",
                f"{absent:,} of {len(names) * len(kinds):,} pairs of an item and a label have no row; they were taken "
                "as 'no' by the truth and by every system.",
            ),
        )
    bits = np.array([[_bit(value, name) for value in column] for name, column in marks.items()], dtype=bool).T
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


def _bit(value: Any, column: str) -> bool:
    if is_missing(value):
        raise InputError(f"column {quoted([column])} has empty cells; every decision is 1 or 0.")
    text = str(value).strip().lower()
    if text not in YES and text not in NO:
        raise InputError(
            f"column {quoted([column])} holds {quoted([value])}; in a table of decisions every cell is 1 or 0."
        )
    return text in YES


def read_multilabel(
    data: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    item: str | None,
    label: str | None,
    separator: str | None,
) -> MultiLabel:
    """Read multi-label outcomes from a file or frame: long (item, label, 1 or 0), or cells with lists of labels."""
    if separator == "":
        raise InputError("the separator of labels must not be empty; say for instance --separator ';'.")
    if separator is not None and (item is not None or label is not None):
        raise InputError("a long table (--item, --label) and lists in cells (--separator) do not go together.")
    columns = columns_of_any(data)
    if (item is None) != (label is None) and separator is None:
        raise InputError("a long table of decisions needs both its items (--item COL) and its labels (--label COL).")
    long = item is not None and label is not None
    other = [name for name in (item, label) if name is not None]
    for name in other:
        if name not in columns:
            raise InputError(f"there is no column {quoted([name])}. {did_you_mean(name, list(columns))}")
    roles = roles_of(list(columns), truth=truth, systems=systems, count=None, other=other, place="the table")
    wanted = {name: columns[name] for name in (roles.truth, *roles.systems)}
    if long:
        assert item is not None
        assert label is not None
        return from_long(columns[item], columns[label], wanted)
    lists = {name: [_labels(cell, separator or ";") for cell in column] for name, column in wanted.items()}
    found = from_lists(lists[roles.truth], {name: lists[name] for name in roles.systems})
    notes = []
    cells = [cell for column in wanted.values() for cell in column if isinstance(cell, str)]
    sign = separator or ";"
    if cells and not any(sign in cell for cell in cells):
        other = [each for each in (";", "|", ",") if each != sign and any(each in cell for cell in cells)]
        if other:
            told = f"no cell holds the separator {sign!r}, but some hold {quoted(other)}: is it one of these?"
            notes.append(finding("OC117", told))
    empty = sum(not labels for column in lists.values() for labels in column)
    if empty:
        told = f"{empty:,} of {len(lists) * found.items:,} cells are empty; they were taken as no label at all."
        notes.append(finding("OC116", told))
    return replace(found, findings=tuple(notes))


def _labels(cell: Any, separator: str) -> list[str]:
    """Return the labels in a cell; an empty one has none."""
    if isinstance(cell, str):
        text = cell.strip()
        if text.startswith("[") and text.endswith("]"):
            try:
                parsed = json.loads(text)
            except (ValueError, RecursionError):
                parsed = None
            if isinstance(parsed, list):
                return [str(each).strip() for each in parsed]
        return [part.strip() for part in text.split(separator) if part.strip()]
    if isinstance(cell, Iterable):
        return [str(each).strip() for each in cell]
    return [] if is_missing(cell) else [str(cell)]


def columns_of_any(data: Any) -> dict[str, list[Any]]:
    """Return the columns of a file or frame."""
    if isinstance(data, str | Path):
        from outclass.data.files import read_columns  # DuckDB is loaded for files only

        return read_columns(data)
    from outclass.data.frames import columns_of, is_frame  # Narwhals is loaded for frames only

    if is_frame(data):
        return columns_of(data)
    if (mapped := columns_in(data)) is not None:
        return {name: list(column) for name, column in mapped.items()}
    raise InputError(f"cannot read labels from {type(data).__name__}; give a path or a dataframe.")


class Classes:
    """Single-label outcomes as decisions, one a label: the same view as `MultiLabel`, from counted patterns."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.systems, self.items, self.findings = outcomes.systems, outcomes.items, outcomes.findings
        self.labels = tuple(str(label) for label in outcomes.labels)

    @property
    def decisions(self) -> int:
        """How many yes-or-no decisions there are."""
        return self.items * len(self.labels)

    def joints(self, a: str, b: str) -> Counts:
        """Return a (2, 4) table a label."""
        return np.stack([self.outcomes.joint(a, b, label) for label in self.outcomes.labels])

    def tables(self, system: str) -> Counts:
        """Return a (2, 2) table a label."""
        return np.stack([self.outcomes.table(system, label) for label in self.outcomes.labels])

    @property
    def frequencies(self) -> Counts:
        """How many items have each label."""
        truth = self.outcomes.patterns[:, 0]
        found = np.zeros(len(self.labels), dtype=np.int64)
        np.add.at(found, truth, self.outcomes.counts)
        return found

    @property
    def units(self) -> Counts:
        """How often each pattern occurs."""
        return self.outcomes.counts

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the pattern, label and kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        truth, said = self.outcomes.patterns[:, 0], self.outcomes.patterns[:, self.outcomes.column(system)]
        if len(self.labels) == BINARY:
            said = np.where(said == WRONG, 1 - truth, said)  # of two labels a missing one is the other
        place = np.arange(len(truth))
        right, named = truth == said, said >= 0
        parts = [
            (place[right], truth[right], 0),
            (place[~right & named], said[~right & named], 1),
            (place[~right], truth[~right], 2),
        ]
        return (
            np.concatenate([unit for unit, _, _ in parts]),
            np.concatenate([label for _, label, _ in parts]),
            np.concatenate([np.full(len(unit), kind, dtype=np.int64) for unit, _, kind in parts]),
        )


class Grouped:
    """Single-label outcomes of items in groups: what is weighted is the group, with all its items."""

    def __init__(
        self, outcomes: Outcomes, codes: Counts, group: Counts, groups: int, names: Sequence[str] | None = None
    ) -> None:
        self.outcomes, self.codes, self.group, self._groups = outcomes, codes, group, groups
        self.names = tuple(map(str, range(groups))) if names is None else tuple(names)
        self.systems, self.items, self.findings = outcomes.systems, len(codes), outcomes.findings
        self.labels = tuple(str(label) for label in outcomes.labels)
        self.items_in_words = f"{groups:,} groups"

    @property
    def decisions(self) -> int:
        """How many yes-or-no decisions there are."""
        return self.items * len(self.labels)

    def joints(self, a: str, b: str) -> Counts:
        """Return a (2, 4) table a label."""
        return Classes(self.outcomes).joints(a, b)

    def tables(self, system: str) -> Counts:
        """Return a (2, 2) table a label."""
        return Classes(self.outcomes).tables(system)

    @property
    def frequencies(self) -> Counts:
        """How many items have each label."""
        return Classes(self.outcomes).frequencies

    @property
    def units(self) -> Counts:
        """Every group is itself."""
        return np.ones(self._groups, dtype=np.int64)

    @property
    def single(self) -> bool:
        """Whether every group has one item, so that there are none."""
        return self._groups == self.items

    def selected(self, systems: Sequence[str]) -> "Grouped":
        """Return the same items with some of the systems."""
        outcomes = self.outcomes.selected(systems)
        codes = self.codes[:, [0, *(self.outcomes.column(system) for system in systems)]]
        return Grouped(outcomes, codes, self.group, self._groups, self.names)

    def with_findings(self, findings: tuple[Finding, ...]) -> "Grouped":
        """Return the same items with other findings."""
        return Grouped(replace(self.outcomes, findings=findings), self.codes, self.group, self._groups, self.names)

    @property
    def sizes(self) -> Counts:
        """How many items each group has."""
        return np.bincount(self.group, minlength=self._groups)

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the group, label and kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        truth, said = self.codes[:, 0], self.codes[:, self.outcomes.column(system)]
        right = truth == said
        return (
            np.concatenate([self.group[right], self.group[~right], self.group[~right]]),
            np.concatenate([truth[right], said[~right], truth[~right]]),
            np.repeat([0, 1, 2], [int(right.sum()), int((~right).sum()), int((~right).sum())]),
        )


def read_grouped(data: Any, group: str, *, truth: str | None, systems: Sequence[str] | None) -> Grouped:
    """Read single-label outcomes with the group of every item."""
    columns = columns_of_any(data)
    if group not in columns:
        raise InputError(f"there is no column {quoted([group])} (group). {did_you_mean(group, list(columns))}")
    roles = roles_of(list(columns), truth=truth, systems=systems, count=None, other=[group], place="the table")
    names = (roles.truth, *roles.systems)
    for name in (group, *names):
        gone = sum(map(is_missing, columns[name]))
        if gone:
            raise InputError(
                f"column {quoted([name])} lacks {gone:,} values; with groups every item needs all of them."
            )
    labels = [[canonical(value, column=name) for value in columns[name]] for name in names]
    same, _ = harmonised(labels)
    outcomes = Outcomes.of_rows(roles.systems, list(zip(*same, strict=True)), [1] * len(same[0]))
    place = {label: code for code, label in enumerate(outcomes.labels)}
    codes = np.array([[place[label] for label in column if label is not None] for column in same], dtype=np.int64).T
    groups, found = numbered(columns[group])
    return Grouped(outcomes, codes, found, len(groups), groups)


Decisions = MultiLabel | Classes | Grouped


def frequencies_of(path: str | Path) -> dict[str, int]:
    """Read how common each label is from a table of two columns, the label and its count."""
    columns = columns_of_any(path)
    if len(columns) != 2:
        raise InputError(
            f"{quoted([Path(path).name])} needs two columns, the label and its count; it has {quoted(columns)}."
        )
    labels, counts = columns.values()
    return {str(label).strip(): count for label, count in zip(labels, whole_counts(zip(counts), "count"), strict=True)}
