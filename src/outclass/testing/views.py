"""What a test can be made from: views of the data of two systems, or of all of them; arrays and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Decisions, MultiLabel
from outclass.inference.distribution import Interval
from outclass.significance.intervals import bonett_price, newcombe_paired
from outclass.significance.result import CATEGORIES, Blocks
from outclass.significance.swappable import GroupedMeasure


class View:
    """A view of the data.

    Parameters
    ----------
    required
        What data must be to have it, in words.
    apart
        Whether each system has items of its own.
    """

    required: ClassVar[str]
    apart: ClassVar[bool] = False


@dataclass(frozen=True)
class PairedTable(View):
    """The (2, 4) table of two systems: positives, negatives; both say positive, only A, only B, neither."""

    required: ClassVar[str] = "labels of two classes, or one label against the rest (⟨positive=LABEL⟩)"
    joint: Counts


@dataclass(frozen=True)
class PooledTable(View):
    """The same table, of the decisions on all categories together."""

    required: ClassVar[str] = "labels"
    joint: Counts


@dataclass(frozen=True)
class RightWrong(View):
    """How often A (rows) and B (columns) are right and wrong."""

    required: ClassVar[str] = "one label per item"
    table: Counts

    @property
    def interval(self) -> Interval:
        """Newcombe's interval of the difference in accuracy."""
        (both, only_a), (only_b, neither) = (tuple(map(int, row)) for row in self.table)
        return newcombe_paired(both, only_a, only_b, neither)


@dataclass(frozen=True)
class Wins(View):
    """How often only A and only B is right; not how often both are."""

    required: ClassVar[str] = "how often each won (⟨wins⟩)"
    only_a: int
    only_b: int
    items: int

    @property
    def table(self) -> Counts:
        """The table of who is right, with all ties in one cell."""
        return np.array([[self.items - self.only_a - self.only_b, self.only_a], [self.only_b, 0]], dtype=np.int64)

    @property
    def interval(self) -> Interval:
        """Bonett & Price's interval of the difference in accuracy, which does not ask how often both are right."""
        return bonett_price(self.only_a, self.only_b, self.items)


@dataclass(frozen=True)
class TwoAccuracies(View):
    """Right answers and items of two systems, each on items of its own."""

    required: ClassVar[str] = "two test sets, or counts with tn"
    apart: ClassVar[bool] = True
    a: tuple[int, int]
    b: tuple[int, int]


@dataclass(frozen=True)
class TwoTables(View):
    """The (2, 2) tables of two systems, each on items of its own: positives, negatives; says positive, negative."""

    required: ClassVar[str] = "two test sets or published counts (⟨counts⟩)"
    apart: ClassVar[bool] = True
    a: Counts
    b: Counts
    negatives_known: bool = True


@dataclass(frozen=True)
class Values(View):
    """Numbers of every system: shape (blocks, systems), with what the blocks are; and how correlated folds are."""

    required: ClassVar[str] = "results (⟨scores=True⟩ without a truth)"
    values: Floats
    systems: tuple[str, ...]
    blocks: Blocks = CATEGORIES
    rho: float = 0.0

    @property
    def pair(self) -> tuple[Floats, Floats]:
        """The values of the first system and of the second."""
        return self.values[:, 0], self.values[:, 1]


@dataclass(frozen=True)
class CategoryF1(Values):
    """The F1 of every category that has one for all of the systems."""

    required: ClassVar[str] = "categories: more than two labels"
    one_label: bool = False  # per item, so that an error in one category is an error in another


@dataclass(frozen=True)
class RightPatterns(View):
    """Who of all systems is right (1) or wrong (0): a row per pattern, and how often it occurs."""

    required: ClassVar[str] = "one label per item"
    right: Counts
    counts: Counts
    systems: tuple[str, ...]


@dataclass(frozen=True)
class ScoredItems(View):
    """The scores of two classifiers, and which items are positive."""

    required: ClassVar[str] = "classifier scores (⟨scores=True⟩, ⟨truth⟩)"
    truth: np.ndarray
    a: Floats
    b: Floats


@dataclass(frozen=True)
class LabelledItems(View):
    """The decisions of two systems on all categories, kept together by item."""

    required: ClassVar[str] = "labels, or counts per item"
    decisions: Decisions
    systems: tuple[str, str]

    @property
    def noun(self) -> str:
        """What the units are called."""
        return "documents" if isinstance(self.decisions, MultiLabel) else "items"


@dataclass(frozen=True)
class GroupedItems(View):
    """Every measure of two systems on items in groups, made when it is first asked for."""

    required: ClassVar[str] = "items in groups (⟨group⟩)"
    make: Callable[[], tuple[GroupedMeasure, ...]]

    @cached_property
    def measures(self) -> tuple[GroupedMeasure, ...]:
        """The measures."""
        return self.make()
