"""Counts per item: how many true positives, false positives and false negatives each system has on every item.

An item is a sentence with its entities, a question with its answers, an image with its objects, a query with a set of
documents. Kept sparse: a row for each item and label on which some system has a count. Items that are alike are kept
once, with how often they occur.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.names import selection
from outclass.errors import InputError, did_you_mean, printable, quoted
from outclass.findings import Finding

ALL: Final = "all"  # the label of counts that have none
TP, FP, FN = range(3)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitCounts:
    """What some systems found in some items, label by label.

    Parameters
    ----------
    systems, labels
        Their names; labels are the types of what is found, or `ALL` alone.
    times
        How often each of the distinct items occurs.
    unit, label
        The place of each row's item and label; rows are sorted by them.
    cells
        Shape (rows, systems, 3): each system's true positives, false positives and false negatives.
    """

    kind: ClassVar[str] = "counts per item"
    systems: tuple[str, ...]
    labels: tuple[str, ...]
    times: Counts
    unit: Counts
    label: Counts
    cells: Counts
    findings: tuple[Finding, ...] = field(default=())

    def __repr__(self) -> str:
        types = "" if not self.typed else f"{len(self.labels)} labels, "
        return f"UnitCounts({self.items:,} items, {types}systems {printable(', '.join(self.systems))})"

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.times.sum())

    @property
    def typed(self) -> bool:
        """Whether what is counted has labels."""
        return self.labels != (ALL,)

    @property
    def decisions(self) -> int:
        """How many decisions are counted, of the system with the most."""
        return int((self.cells.sum(axis=2) * self.times[self.unit][:, None]).sum(axis=0).max(initial=0))

    @property
    def effective_items(self) -> float:
        """How many items of the same size would tell as much: (sum n)² / sum n²."""
        per_row = self.cells.sum(axis=2).mean(axis=1)
        sizes = np.bincount(self.unit, weights=per_row, minlength=len(self.times))
        total = float(self.times @ sizes)
        return total**2 / float(self.times @ sizes**2) if total else 0.0

    @property
    def units(self) -> Counts:
        """How often each distinct item occurs."""
        return self.times

    def column(self, system: str) -> int:
        """Return the place of a system."""
        if system not in self.systems:
            raise InputError(f"no system {quoted([system])}. {did_you_mean(system, self.systems)}")
        return self.systems.index(system)

    def place_of(self, label: object) -> int:
        """Return the place of a label."""
        if not self.typed or str(label) not in self.labels:
            told = did_you_mean(str(label), self.labels) if self.typed else "These counts have no labels."
            raise InputError(f"no label {quoted([label])}. {told}")
        return self.labels.index(str(label))

    def selected(self, systems: Sequence[str]) -> "UnitCounts":
        """Return the same items with some of the systems."""
        places = [self.column(system) for system in selection(systems, self.systems)]
        return replace(self, systems=tuple(systems), cells=self.cells[:, places])

    def tables(self, system: str) -> Counts:
        """Return one (2, 2) table per label: positives, negatives; found, not found. Nobody counts true negatives."""
        weighted = self.cells[:, self.column(system)] * self.times[self.unit][:, None]
        table = np.zeros((len(self.labels), 3), dtype=np.int64)
        np.add.at(table, self.label, weighted)
        rows = np.stack([table[:, TP], table[:, FN], table[:, FP], np.zeros_like(table[:, FP])], axis=1)
        return np.asarray(rows.reshape(-1, 2, 2))

    @cached_property
    def frequencies(self) -> Counts:
        """How many positives each label has: of the system with the most, should they differ."""
        return np.asarray(np.max([self.tables(system)[:, 0].sum(axis=1) for system in self.systems], axis=0))

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the unit, the label and the kind (0 TP, 1 FP, 2 FN) of every count that is not 0."""
        row, kind = np.nonzero(self.cells[:, self.column(system)])
        return self.unit[row], self.label[row], kind

    def amounts(self, system: str) -> Floats:
        """Return the counts themselves, in the order of `contributions`."""
        own = self.cells[:, self.column(system)]
        return np.asarray(own[own != 0], dtype=float)

    def rows(self) -> Counts:
        """Return the label of each row, and the counts of all systems."""
        return np.column_stack([self.label, self.cells.reshape(len(self.label), 3 * len(self.systems))])

    # --- how large a difference is ------------------------------------------------------------------------------

    def apart(self, a: str | None, b: str, label: int | None = None) -> Counts:
        """Return on how many decisions two systems differ in each unit; without `a`, one system and the truth.

        With a `label`, those about it alone.
        """
        other = self.cells[:, self.column(b)]
        if a is None:
            own = np.stack([other[:, TP] + other[:, FN], np.zeros_like(other[:, FP])], axis=1)
        else:
            own = self.cells[:, self.column(a)][:, : FP + 1]
        differ = np.abs(own - other[:, : FP + 1]) * self._about(label)[:, None]
        # One entity with another type is a count of two labels, and one decision.
        sums = [np.bincount(self.unit, weights=each, minlength=len(self.times)) for each in differ.T]
        return np.maximum(*sums).astype(np.int64)

    def typical(self, label: int | None = None) -> float:
        """Return how many decisions an item has on average, of items that have some."""
        per_row = self.cells.sum(axis=2).mean(axis=1) * self._about(label)
        per_unit = np.bincount(self.unit, weights=per_row, minlength=len(self.times))
        some = per_unit > 0
        return float(np.average(per_unit[some], weights=self.times[some])) if some.any() else 1.0

    def _about(self, label: int | None) -> np.ndarray:
        """Return which rows are about a label; all are about None."""
        return np.ones(len(self.label), dtype=bool) if label is None else np.asarray(self.label == label)

    def difference_size(self, systems: Sequence[str], label: int | None = None) -> float:
        """Return how many decisions there are in an item on which systems differ.

        The geometric mean over such items and one whole item, which counts for what was not seen. Of several systems
        each is compared with the next; one alone, with the truth.
        """
        pairs: Iterable[tuple[str | None, str]] = pairwise(systems) if len(systems) > 1 else [(None, systems[0])]
        logs, many = float(np.log(max(self.typical(label), 1.0))), 1
        for a, b in pairs:
            apart = self.apart(a, b, label)
            seen = apart > 0
            logs += float(np.log(apart[seen]) @ self.times[seen])
            many += int(self.times[seen].sum())
        return float(np.exp(logs / many))


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedCounts:
    """Counts per item, of items in groups: what is weighted or left out is the group, with all its items.

    `counts` holds every item by itself, and `group` the place of its group among the `names`.
    """

    kind: ClassVar[str] = "counts per item in groups"
    counts: UnitCounts
    group: Counts
    names: tuple[str, ...]

    def __repr__(self) -> str:
        systems = printable(", ".join(self.systems))
        return f"GroupedCounts({self.items:,} items in {len(self.names):,} groups, systems {systems})"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return self.counts.systems

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels' names."""
        return self.counts.labels

    @property
    def typed(self) -> bool:
        """Whether what is counted has labels."""
        return self.counts.typed

    @property
    def items(self) -> int:
        """How many items there are."""
        return self.counts.items

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found while reading."""
        return self.counts.findings

    @property
    def decisions(self) -> int:
        """How many decisions are counted."""
        return self.counts.decisions

    @property
    def frequencies(self) -> Counts:
        """How many positives each label has."""
        return self.counts.frequencies

    @property
    def units(self) -> Counts:
        """Every group is itself."""
        return np.ones(len(self.names), dtype=np.int64)

    @property
    def sizes(self) -> Counts:
        """How many items each group has."""
        return np.bincount(self.group, minlength=len(self.names))

    def place_of(self, label: object) -> int:
        """Return the place of a label."""
        return self.counts.place_of(label)

    def tables(self, system: str) -> Counts:
        """Return one (2, 2) table per label."""
        return self.counts.tables(system)

    def selected(self, systems: Sequence[str]) -> "GroupedCounts":
        """Return the same items with some of the systems."""
        return replace(self, counts=self.counts.selected(systems))

    def with_findings(self, findings: tuple[Finding, ...]) -> "GroupedCounts":
        """Return the same items with other findings."""
        return replace(self, counts=replace(self.counts, findings=findings))

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the group, the label and the kind of every count that is not 0."""
        unit, label, kind = self.counts.contributions(system)
        return self.group[unit], label, kind

    def amounts(self, system: str) -> Floats:
        """Return the counts themselves, in the order of `contributions`."""
        return self.counts.amounts(system)


PerItem = UnitCounts | GroupedCounts


def label_of(decisions: object, place: int | None) -> str | None:
    """Return the label of counts that a measure is about, if it is about one."""
    return decisions.labels[place] if isinstance(decisions, PerItem) and place is not None else None


def by_item(decisions: PerItem) -> UnitCounts:
    """Return the counts of items, in groups or not."""
    return decisions.counts if isinstance(decisions, GroupedCounts) else decisions


def unit_counts(
    systems: Sequence[str],
    labels: Sequence[str],
    units: int,
    unit: Counts,
    label: Counts,
    cells: Counts,
    *,
    times: Counts | None = None,
    group: tuple[Sequence[str], Counts] | None = None,
    findings: tuple[Finding, ...] = (),
) -> PerItem:
    """Return counts of some units: what is alike is counted once, unless units come in groups (names and places).

    A unit and label may have several rows, which add up. Units without a row have no counts.
    """
    if not units:
        raise InputError("there are no items to compare.")
    keys, place = np.unique(unit * len(labels) + label, return_inverse=True)
    sums = np.zeros((len(keys), len(systems), 3), dtype=np.int64)
    np.add.at(sums, place.ravel(), cells)
    kept = sums.any(axis=(1, 2))
    own, kind = np.divmod(keys[kept], len(labels))
    found = UnitCounts(
        systems=tuple(systems),
        labels=tuple(labels),
        times=np.ones(units, dtype=np.int64) if times is None else times,
        unit=own,
        label=kind,
        cells=sums[kept],
        findings=findings,
    )
    if group is not None:
        return GroupedCounts(counts=found, group=group[1], names=tuple(group[0]))
    return _distinct(found)


def _distinct(counts: UnitCounts) -> UnitCounts:
    """Return the same items, those that are alike once."""
    starts = np.searchsorted(counts.unit, np.arange(len(counts.times) + 1))
    rows = counts.rows()
    kinds: dict[bytes, int] = {}
    first: list[int] = []
    many: list[int] = []
    for at, often in enumerate(counts.times.tolist()):
        if not often:
            continue
        place = kinds.setdefault(rows[starts[at] : starts[at + 1]].tobytes(), len(kinds))
        if place == len(first):
            first.append(at)
            many.append(0)
        many[place] += often
    sizes = np.diff(starts)[first]
    taken = np.concatenate([np.arange(starts[at], starts[at + 1]) for at in first]) if first else np.arange(0)
    return replace(
        counts,
        times=np.array(many, dtype=np.int64),
        unit=np.repeat(np.arange(len(first)), sizes),
        label=counts.label[taken],
        cells=counts.cells[taken],
    )
