"""Counts without items: a published table of TP, FP and FN, or how often each of two systems won."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.names import selection
from outclass.data.recovered import Recovered
from outclass.errors import InputError
from outclass.findings import Finding, finding


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusionCounts:
    """One system's decisions, counted by somebody else; often without the true negatives.

    Without classes, only right (`tp`) and wrong (`fn`) answers were counted. `recovered` is what the counts were found
    from, where rates were published.
    """

    name: str
    tp: int
    fp: int
    fn: int
    tn: int | None = None
    has_classes: bool = True
    recovered: Recovered | None = None

    @property
    def table(self) -> Counts:
        """The (2, 2) table: rows positives, negatives; columns predicted positive, predicted negative.

        Without classes it has one row: right, wrong.
        """
        rows = [[self.tp, self.fn], [self.fp, self.tn or 0]]
        return np.array(rows if self.has_classes else rows[:1], dtype=np.int64)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about these counts."""
        found = []
        if self.recovered is not None:
            found.append(finding("OC630", f"{self.name}: {self._solutions(self.recovered)}."))
        for size, what, told in (
            (self.tp + self.fp, "returned nothing", "precision"),
            (self.tp + self.fn, "was tested on no relevant items", "recall"),
        ):
            if size == 0 and self.has_classes:
                found.append(finding("OC112", f"{self.name} {what}: the posterior of its {told} equals the prior."))
        return tuple(found)

    def _solutions(self, own: Recovered) -> str:
        cells = f"{self.tp:,} right" if not self.has_classes else f"tp={self.tp}, fp={self.fp}, fn={self.fn}"
        if own.solutions == 1:
            return f"only {cells} gives {own.given}"
        about = "" if own.is_exact else "about "
        return f"{about}{own.solutions:,} different counts give {own.given}; the nearest, {cells}, was used"

    def alternatives(self) -> "Iterator[ConfusionCounts]":
        """Return counts that give the same published rates, among them those with the extremes of any measure."""
        if self.recovered is None:
            yield self
            return
        for tp, fp in self.recovered.ends:
            tn = None if self.tn is None else self.tn + self.fp - fp
            yield replace(self, tp=tp, fp=fp, fn=self.tp + self.fn - tp, tn=tn)


@dataclass(frozen=True, slots=True)
class CountsPair:
    """Two published results, from different test sets or from one whose items are not available."""

    first: ConfusionCounts
    second: ConfusionCounts

    @property
    def a(self) -> str:
        """The first system's name."""
        return self.first.name

    @property
    def b(self) -> str:
        """The second system's name."""
        return self.second.name

    @property
    def items(self) -> int:
        """How many items were counted in all."""
        return int(self.first.table.sum()) + int(self.second.table.sum())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about the counts."""
        return (*self.first.findings, *self.second.findings)

    def positives(self, wanted: Any, *, by_label: bool) -> list[Label | None]:
        """Counts have no labels."""
        _no_labels(wanted, by_label)
        return [None]


@dataclass(frozen=True, slots=True)
class SameItems(CountsPair):
    """Two published results on one test set, with one of the ways in which the systems may agree.

    `both` is how many positives and how many negatives both systems get right; None until it is chosen. Every number
    within `ranges` is possible.
    """

    both: tuple[int, int] | None = None

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.first.table.sum())

    @property
    def right(self) -> Counts:
        """How many items of each class (rows) each system (columns) gets right; without classes, of all items."""
        tables = (self.first, self.second)
        rows = [[each.tp for each in tables], [each.tn or 0 for each in tables]]
        return np.array(rows if self.first.has_classes else [rows[0], [0, 0]], dtype=np.int64)

    @property
    def sizes(self) -> Counts:
        """How many items of each class there are."""
        return np.array([*self.first.table.sum(axis=1), 0][:2], dtype=np.int64)

    @property
    def ranges(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The fewest and the most positives, and negatives, that both systems can get right."""
        found = [
            (max(0, a + b - n), min(a, b)) for (a, b), n in zip(self.right.tolist(), self.sizes.tolist(), strict=True)
        ]
        return found[0], found[1]

    @property
    def rights(self) -> Counts:
        """For each class: both right, only A, only B, neither."""
        assert self.both is not None
        rows = zip(self.right.tolist(), self.sizes.tolist(), self.both, strict=True)
        return np.array([[k, a - k, b - k, n - a - b + k] for (a, b), n, k in rows], dtype=np.int64)

    @property
    def joint(self) -> Counts:
        """The (2, 4) table: rows positives and negatives; columns both say positive, only A, only B, neither."""
        positives, negatives = self.rights
        return np.stack([positives, negatives[::-1]])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about the counts."""
        return (*self.first.findings, *self.second.findings)


@dataclass(frozen=True, slots=True)
class WinCounts:
    """How often only one of two systems was right, and on how many items."""

    kind: ClassVar[str] = "wins"
    a: str
    b: str
    wins_a: int
    wins_b: int
    items: int

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return self.a, self.b

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Nothing need be said."""
        return ()

    def positives(self, wanted: Any, *, by_label: bool) -> list[Label | None]:
        """Wins have no labels."""
        _no_labels(wanted, by_label)
        return [None]


@dataclass(frozen=True, slots=True)
class PublishedCounts:
    """Published results of any number of systems, on test sets of their own or all on one."""

    kind: ClassVar[str] = "counts"
    results: tuple[ConfusionCounts, ...]
    same_items: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(each.name for each in self.results)

    @property
    def items(self) -> int:
        """How many items were counted in all."""
        each = [int(each.table.sum()) for each in self.results]
        return each[0] if self.same_items else sum(each)

    @property
    def has_classes(self) -> bool:
        """Whether positives are told from negatives; otherwise only right answers from wrong ones."""
        return self.results[0].has_classes

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about the counts."""
        return tuple(found for each in self.results for found in each.findings)

    def selected(self, systems: Sequence[str]) -> "PublishedCounts":
        """Return the results of some of the systems."""
        found = {each.name: each for each in self.results}
        return replace(self, results=tuple(found[name] for name in selection(systems, found)))

    def pairs(self) -> list[CountsPair]:
        """Return every two of the results."""
        made = SameItems if self.same_items else CountsPair
        return [made(first, second) for first, second in combinations(self.results, 2)]


def _no_labels(wanted: Any, by_label: bool) -> None:
    if wanted is not None or by_label:
        raise InputError("counts have no labels: leave out ⟨positive⟩ and ⟨by⟩.")
