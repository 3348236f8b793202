"""Outcomes: the distinct (truth, prediction of each system) rows of a test, with their counts.

It is the sufficient statistic of everything that follows. Outcomes of two tests can be added: `a + b`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import Coded, coded
from outclass.data.distinct import EXACT, FEW_ROWS, runs_of, tabulated
from outclass.data.labels import Label, find, normalised, ordered, positive_of, relabelled
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_labels, damaged, is_list, parsed, written
from outclass.data.tally import MOST_ITEMS
from outclass.errors import InputError, did_you_mean, printable, quoted
from outclass.findings import Finding

WRONG: Final = -1  # the code of a missing prediction that counts as wrong, whatever the truth is
BINARY: Final = 2
KIND: Final = KINDS["Outcomes"].mark
FIELDS: Final = ("systems", "labels", "outcomes")
MOST_CONFUSED: Final = 256  # cells of a table of confusions that is counted for the sake of its sums


def _used(column: Coded) -> Counts:
    """Return the codes that occur, in order: by counting where that takes no more than sorting would."""
    if len(column.labels) > len(column.codes):
        return np.unique(column.codes)
    return np.flatnonzero(np.bincount(column.codes, minlength=len(column.labels)))


def patterns_of(systems: Sequence[str], columns: Sequence[Coded]) -> tuple[tuple[Label, ...], Counts]:
    """Return all labels, sorted, and rows of codes into them, of a column for the truth and for each system."""
    names = ("truth", *systems)
    used = [_used(column) for column in columns]
    known = normalised(
        [[column.labels[code] for code in own] for column, own in zip(columns, used, strict=True)], names
    )
    labels = ordered(label for column in known for label in column if label is not None)
    place: dict[Label | None, int] = {label: code for code, label in enumerate(labels)} | {None: WRONG}
    # As narrow as they can be until they are merged: there may be a million rows of fifty systems.
    patterns = np.empty((len(columns[0].codes), len(names)), dtype=np.min_scalar_type(-max(len(labels), 1)))
    for at, (column, own, shown) in enumerate(zip(columns, used, known, strict=True)):
        to = np.full(len(column.labels), WRONG, dtype=np.int64)
        to[own] = [place[label] for label in shown]
        patterns[:, at] = to[column.codes]
    return labels, patterns


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcomes:
    """Counts of true labels and predictions of several systems on the same items.

    Parameters
    ----------
    systems
        The systems' names.
    labels
        All labels, sorted.
    patterns
        Distinct rows of codes into `labels`, truth first, sorted; -1 is a missing prediction counted as wrong.
    counts
        Number of items with each pattern.
    findings
        Warnings from reading the data.
    """

    kind: ClassVar[str] = "labels"
    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    patterns: Counts
    counts: Counts
    findings: tuple[Finding, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for array in (self.patterns, self.counts):
            array.setflags(write=False)

    @classmethod
    def of_rows(
        cls,
        systems: Sequence[str],
        rows: Iterable[Sequence[Any]],
        counts: Iterable[int],
        *,
        findings: Sequence[Finding] = (),
    ) -> "Outcomes":
        """Count rows of labels, truth first, each with how often it occurs; a missing prediction counts as wrong."""
        names = ("truth", *systems)
        listed = [tuple(row) for row in rows]
        weights = np.fromiter(counts, dtype=np.int64, count=len(listed))
        columns = [coded((row[place] for row in listed), name) for place, name in enumerate(names)]
        return cls.of_codes(systems, columns, weights, findings=findings)

    @classmethod
    def of_codes(
        cls, systems: Sequence[str], columns: Sequence[Coded], counts: Counts, *, findings: Sequence[Finding] = ()
    ) -> "Outcomes":
        """Count rows of codes, a column for the truth and for each system, each with the labels of its codes."""
        labels, patterns = patterns_of(systems, columns)
        return cls._merged(tuple(systems), labels, patterns, counts, tuple(findings))

    @classmethod
    def _merged(
        cls,
        systems: tuple[str, ...],
        labels: tuple[Label, ...],
        patterns: Counts,
        counts: Counts,
        findings: tuple[Finding, ...],
    ) -> "Outcomes":
        if (small := tabulated(patterns, counts)) is not None:
            return cls(systems=systems, labels=labels, patterns=small[0], counts=small[1], findings=findings)
        order, starts = runs_of(patterns)
        summed = np.add.reduceat(counts[order], starts) if len(starts) else counts[:0]
        seen = summed > 0
        distinct = patterns[order[starts[seen]]].astype(np.int64)
        return cls(systems=systems, labels=labels, patterns=distinct, counts=summed[seen], findings=findings)

    def part(self, patterns: Counts, counts: Counts) -> "Outcomes":
        """Return some of the items, given as rows of codes: the labels stay those of all items."""
        return self._merged(self.systems, self.labels, patterns, counts, self.findings)

    def __add__(self, other: "Outcomes") -> "Outcomes":
        """Return the combined outcomes."""
        if self.systems != other.systems:
            raise InputError(
                f"outcomes of different systems cannot be added: {quoted(self.systems)} and {quoted(other.systems)}."
            )
        labels, places = relabelled([self.labels, other.labels])
        parts = [
            np.array([*to, WRONG], dtype=np.int64)[part.patterns]
            for to, part in zip(places, (self, other), strict=True)
        ]
        return self._merged(
            self.systems,
            labels,
            np.concatenate(parts),
            np.concatenate([self.counts, other.counts]),
            tuple(dict.fromkeys((*self.findings, *other.findings))),
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Outcomes)
            and self.systems == other.systems
            and self.labels == other.labels
            and np.array_equal(self.patterns, other.patterns)
            and np.array_equal(self.counts, other.counts)
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    def __repr__(self) -> str:
        return (
            f"Outcomes({self.items:,} items, {len(self.labels)} labels, systems {printable(', '.join(self.systems))})"
        )

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.counts.sum())

    @cached_property
    def true_labels(self) -> tuple[Label, ...]:
        """The labels that occur in the truth."""
        return tuple(self.labels[code] for code in np.unique(self.patterns[:, 0]) if code != WRONG)

    @cached_property
    def never_true(self) -> tuple[str, ...]:
        """The labels that do not, sorted."""
        return tuple(sorted({str(label) for label in self.labels} - {str(label) for label in self.true_labels}))

    @cached_property
    def _places(self) -> dict[Label, int]:
        return {label: place for place, label in enumerate(self.labels)}

    def column(self, system: str) -> int:
        """Return the place of a system among the patterns' columns."""
        if system not in self.systems:
            raise InputError(f"no system {quoted([system])}. {did_you_mean(system, self.systems)}")
        return 1 + self.systems.index(system)

    def positive(self, wanted: Any = None) -> Label:
        """Return the positive label: the given one, or the obvious one of two."""
        if not self.labels:
            raise InputError("there are no items to compare: the table is empty, or every row has a missing value.")
        if wanted is not None:
            return find(wanted, self.labels)
        if len(self.labels) > 2:
            raise InputError(
                f"there are {len(self.labels)} labels: {quoted(self.labels)}. "
                "Name the positive one (⟨positive=LABEL⟩), compare each label against the rest (⟨by=label⟩), or use "
                "an average (compare or rank with ⟨measure=macro_f1⟩)."
            )
        plain = positive_of(self.labels)
        if plain is None:
            raise InputError(
                f"which label is positive? The labels are {quoted(self.labels)}; name it with ⟨positive=LABEL⟩."
            )
        return plain

    def require_two_classes(self) -> None:
        """Raise an error if the truth has only one class."""
        if len(self.true_labels) < 2:
            raise InputError(
                f"the truth has only one class, {quoted(self.true_labels)}, in all {self.items:,} items. "
                "Items of both classes are required. To compare only how often two systems are right, use the sign "
                "model (compare with ⟨model=sign⟩)."
            )

    def said(self, system: str, positive: Label) -> tuple[np.ndarray, np.ndarray]:
        """Return, for each pattern, whether the item is positive and whether the system predicts positive."""
        code = self._places[positive]
        true = self.patterns[:, 0] == code
        column = self.patterns[:, self.column(system)]
        # With two labels a missing prediction is the other one; with more it is none of them.
        wrong = ~true if len(self.labels) <= BINARY else np.zeros_like(true)
        return true, np.where(column == WRONG, wrong, column == code)

    def joint(self, a: str, b: str, positive: Label) -> Counts:
        """Return the (2, 4) table of two systems: rows positives, negatives; columns both, only A, only B, neither."""
        if len(self.labels) > BINARY:
            found: Counts = self._latest((a, b), lambda: self.joints(a, b))[self._places[positive]]
            return found.copy()
        true, by_a = self.said(a, positive)
        _, by_b = self.said(b, positive)
        cell = np.where(true, 0, 4) + np.where(by_a, 0, 2) + np.where(by_b, 0, 1)
        table = np.zeros(8, dtype=np.int64)
        np.add.at(table, cell, self.counts)
        return table.reshape(2, 4)

    def joints(self, a: str, b: str) -> Counts:
        """Return the (2, 4) table of two systems for every label, in one pass over the patterns."""
        if len(self.labels) <= BINARY:
            tables = [self.joint(a, b, label) for label in self.labels]
            return np.array(tables, dtype=np.int64).reshape(-1, 2, 4)
        if len(self.systems) > BINARY and len(self.patterns) > FEW_ROWS:
            return self.selected(tuple(dict.fromkeys((a, b)))).joints(a, b)  # far fewer rows
        truth, by_a, by_b = (self.patterns[:, at] for at in (0, self.column(a), self.column(b)))
        only_a = (by_a != truth) & (by_a >= 0)
        only_b = (by_b != truth) & (by_b != by_a) & (by_b >= 0)
        found = np.zeros((len(self.labels), 8), dtype=np.int64)
        # An item is a positive of its true label, and a negative of the labels that somebody gives it instead.
        np.add.at(found, (truth, np.where(by_a == truth, 0, 2) + np.where(by_b == truth, 0, 1)), self.counts)
        np.add.at(found, (by_a[only_a], np.where(by_b == by_a, 4, 5)[only_a]), self.counts[only_a])
        np.add.at(found, (by_b[only_b], 6), self.counts[only_b])
        found[:, 7] += self.items - found.sum(axis=1)
        return found.reshape(-1, 2, 4)

    def tables(self, system: str) -> Counts:
        """Return the (2, 2) table of one system for every label."""
        return self._tables(self.patterns[:, 0], self.patterns[:, self.column(system)])

    def all_tables(self) -> Iterator[Counts]:
        """Return the tables of one system after another."""
        # Of many systems the columns lie far apart.
        truth, *columns = np.ascontiguousarray(self.patterns.astype(self._narrow).T)
        return (self._tables(truth, said) for said in columns)

    @property
    def _narrow(self) -> np.dtype[Any]:
        """The smallest numbers that hold the codes."""
        return np.min_scalar_type(-max(len(self.labels), 1))

    def _tables(self, truth: Counts, said: Counts) -> Counts:
        labels = len(self.labels)
        if labels <= BINARY:
            said = np.where(said == WRONG, 1 - truth, said)  # as `said` has it
        if labels * (labels + 1) <= MOST_CONFUSED and self.items < EXACT:
            # Of few labels one table of confusions has it all, with a column for missing predictions.
            cell = truth.astype(np.int64) * (labels + 1) + said + 1
            confused = np.bincount(cell, weights=self.counts, minlength=labels * (labels + 1)).reshape(labels, -1)
            of_labels = (confused[:, 1:].diagonal(), confused.sum(axis=1), confused[:, 1:].sum(axis=0))
            tp, true, named = (each.astype(np.int64) for each in of_labels)
        else:
            kept = ((truth, said == truth), (truth, None), (said, said >= 0))
            tp, true, named = (self._of_labels(code, which) for code, which in kept)
        return np.stack([tp, true - tp, named - tp, self.items - true - named + tp], axis=1).reshape(-1, 2, 2)

    def _of_labels(self, codes: Counts, kept: np.ndarray | None) -> Counts:
        """Return how many items have each code, of some of the patterns or of all."""
        codes, counts = (codes, self.counts) if kept is None else (codes[kept], self.counts[kept])
        if self.items < EXACT:
            return np.bincount(codes, weights=counts, minlength=len(self.labels)).astype(np.int64)
        found = np.zeros(len(self.labels), dtype=np.int64)
        np.add.at(found, codes, counts)
        return found

    def _latest(self, key: tuple[str, ...], make: Callable[[], Counts]) -> Counts:
        """Return the tables of all labels, which are asked for one by one; those asked for last are kept."""
        known: dict[tuple[str, ...], Counts] = self.__dict__.setdefault("_kept", {})
        if key not in known:
            known.clear()
            known[key] = make()
        return known[key]

    def all_predicted(self, *systems: str) -> bool:
        """Whether no prediction of these systems is missing: a missing one that counts as wrong is of no label."""
        return bool((self.patterns[:, [self.column(system) for system in systems]] >= 0).all())

    def rights(self, a: str, b: str) -> Counts:
        """Return the (2, 2) table of A (rows) and B (columns) being right or wrong, over all labels."""
        truth = self.patterns[:, 0]
        wrong = [(self.patterns[:, self.column(system)] != truth).astype(np.int64) for system in (a, b)]
        table = np.zeros((2, 2), dtype=np.int64)
        np.add.at(table, (wrong[0], wrong[1]), self.counts)
        return table

    def table(self, system: str, positive: Label) -> Counts:
        """Return the (2, 2) table of one system: rows are the true class, columns the predicted one; positive first."""
        if len(self.labels) > BINARY:
            found: Counts = self._latest((system,), lambda: self.tables(system))[self._places[positive]]
            return found.copy()
        true, said = self.said(system, positive)
        table = np.zeros(4, dtype=np.int64)
        np.add.at(table, np.where(true, 0, 2) + np.where(said, 0, 1), self.counts)
        return table.reshape(2, 2)

    def selected(self, systems: Sequence[str]) -> "Outcomes":
        """Return the outcomes of some of the systems, in this order."""
        columns = [0, *(self.column(system) for system in systems)]
        many = 2 * len(columns) > self.patterns.shape[1]
        patterns = self.patterns.astype(self._narrow)[:, columns] if many else self.patterns[:, columns]
        return self._merged(tuple(systems), self.labels, patterns, self.counts, self.findings)

    def with_findings(self, findings: tuple[Finding, ...]) -> "Outcomes":
        """Return the same items with other findings."""
        return replace(self, findings=findings)

    def to_json(self) -> str:
        """Return JSON, one line per pattern: codes of the truth and the predictions, and the number of items.

        The bytes depend only on the items, not on batches or their order.
        """
        head = {"systems": list(self.systems), "labels": list(self.labels)}
        return written(KIND, head, "outcomes", np.column_stack([self.patterns, self.counts]).tolist())

    @classmethod
    def from_json(cls, text: str | bytes) -> "Outcomes":
        """Read the output of `to_json`."""
        plain = parsed(text, KIND, FIELDS)
        systems, labels, rows = (plain.get(key) for key in FIELDS)
        if not (is_list(systems, str) and systems and are_labels(systems) and are_labels(labels)):
            raise damaged("systems or labels are not lists of different names")
        assert labels is not None
        most = len(labels)
        if not isinstance(rows, list) or not all(
            is_list(row, int)
            and len(row) == len(systems) + 2
            and 0 <= row[0] < most
            and all(WRONG <= code < most for code in row[1:-1])
            and row[-1] > 0
            for row in rows
        ):
            raise damaged("outcomes are not rows of codes and a count")
        if sum(row[-1] for row in rows) > MOST_ITEMS:
            raise InputError(f"this state holds more than {MOST_ITEMS:.0e} items.")
        table = np.array(rows, dtype=np.int64).reshape(len(rows), len(systems) + 2)
        order, (places,) = relabelled([labels])
        return cls._merged(tuple(systems), order, np.array([*places, WRONG])[table[:, :-1]], table[:, -1], ())

    def renamed(self, names: Mapping[str, str]) -> "Outcomes":
        """Return the same outcomes with other system names."""
        return Outcomes(
            systems=tuple(names.get(system, system) for system in self.systems),
            labels=self.labels,
            patterns=self.patterns,
            counts=self.counts,
            findings=self.findings,
        )
