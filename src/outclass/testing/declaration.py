"""What a significance test says of itself, and what a user can choose about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.inference.distribution import Interval
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.measures.scored import ScoreMeasure
from outclass.significance.result import TestResult
from outclass.testing.views import GroupedItems, PooledTable, View

Results = Iterator[TestResult]

# Kinds of data, in words; which tests run by default depends on them.
KINDS: Final = {
    "two_classes": "labels of two classes",
    "categories": "labels of several categories",
    "one_label": "one label per item",
    "right_wrong": "right and wrong answers",
    "results": "results",
    "folds": "results of folds",
    "scores": "classifier scores",
    "groups": "items in groups",
    "unit_counts": "counts per item",
    "wins": "wins",
    "two_sets": "two test sets",
    "counts": "published counts",
}


@dataclass(frozen=True, kw_only=True)
class TestOptions:
    """What to test, and how.

    Parameters
    ----------
    measures, averages, score_measures
        What is tested where a test takes any measure: of two classes, of many labels, of scores.
    rope
        The region of practical equivalence, of the equivalence test.
    alternative
        The side to test; None is the test's own.
    undefined
        What an undefined F1 (0/0) of a category counts as: 'drop', '0' or '1'.
    draws
        The number of bootstrap draws and random swaps; None is the test's own.
    average
        Of items in groups: whether every item ('items') or every group ('groups') counts equally.
    """

    __test__ = False  # not a pytest class, whatever its name says

    measures: tuple[Measure, ...] = ()
    averages: tuple[Average, ...] = ()
    score_measures: tuple[ScoreMeasure, ...] = ()
    rope: Interval
    undefined: str = "drop"
    seed: int = 0
    alternative: str | None = None
    draws: int | None = None
    average: str = "items"

    @property
    def places(self) -> tuple[int, ...] | None:
        """The places of the labels that averages are over; None of all."""
        return self.averages[0].places if self.averages else None

    @property
    def side(self) -> str:
        """The side to test."""
        return self.alternative or "two-sided"

    def rng(self) -> np.random.Generator:
        """Return a fresh generator, so that one test's draws do not depend on which others were asked for."""
        return np.random.default_rng(self.seed)


@dataclass(frozen=True, kw_only=True)
class SignificanceTest:
    """A test; its key is the name of its file.

    Parameters
    ----------
    title, reference
        What it is called in a table, and where it is described.
    order
        Tests are shown from low to high.
    needs
        The views it can be made from; the first that the data provide is taken.
    run
        From the view and the options to results.
    default_on
        The kinds of data (`KINDS`) on which it runs by default; without any, only if it is named.
    side
        The alternative it tests by default.
    uses
        The options it uses: 'alternative', 'measure', 'draws', 'rope'.
    all_systems
        Whether it compares all systems at once, three or more.
    same_as
        The test that this is another name of.
    """

    title: str
    reference: str
    order: int
    needs: tuple[type[View], ...]
    run: Callable[[Any, TestOptions], Results]
    default_on: tuple[str, ...] = ()
    side: str = "two-sided"
    uses: tuple[str, ...] = ("alternative",)
    all_systems: bool = False
    same_as: str = ""

    @property
    def pools(self) -> bool:
        """Whether it takes the decisions on one item as independent."""
        return PooledTable in self.needs

    @property
    def knows_groups(self) -> bool:
        """Whether it allows for items that come in groups."""
        return GroupedItems in self.needs
