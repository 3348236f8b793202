"""Single-label outcomes as decisions, one per label."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.outcomes import BINARY, WRONG, Outcomes
from outclass.errors import InputError


def check_predicted(said: Counts) -> None:
    """Refuse missing predictions that count as wrong: no column of a table of confusions is theirs."""
    if (said == WRONG).any():
        raise InputError(
            "a table of confusions has no column for missing predictions that count as wrong (⟨missing=wrong⟩); drop "
            "these items (⟨missing=drop⟩), or give them a label of their own."
        )


class Classes:
    """Single-label outcomes as decisions, one a label: the same view as `MultiLabel`, from counted patterns."""

    def __init__(self, outcomes: Outcomes) -> None:
        self.outcomes = outcomes
        self.systems, self.items, self.findings = outcomes.systems, outcomes.items, outcomes.findings
        self.labels = tuple(str(label) for label in outcomes.labels)

    def selected(self, systems: Sequence[str]) -> "Classes":
        """Return the decisions of some of the systems."""
        return Classes(self.outcomes.selected(systems))

    def only(self, places: Sequence[int]) -> "SomeClasses":
        """Return the decisions on some of the labels, on all items."""
        return SomeClasses(self.outcomes, places)

    @property
    def decisions(self) -> int:
        """How many yes-or-no decisions there are."""
        return self.items * len(self.labels)

    def joints(self, a: str, b: str) -> Counts:
        """Return one (2, 4) table per label."""
        return self.outcomes.joints(a, b)

    def tables(self, system: str) -> Counts:
        """Return one (2, 2) table per label."""
        return self.outcomes.tables(system)

    @cached_property
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

    def _labelled(self, system: str) -> "tuple[Counts, Counts]":
        truth, said = self.outcomes.patterns[:, 0], self.outcomes.patterns[:, self.outcomes.column(system)]
        if len(self.labels) == BINARY:
            said = np.where(said == WRONG, 1 - truth, said)  # of two labels a missing one is the other
        return truth, said

    def confusions(self, system: str) -> "tuple[Counts, Counts]":
        """Return, of one system, every pattern and its cell (truth by prediction) in the table of confusions."""
        truth, said = self._labelled(system)
        check_predicted(said)
        return np.arange(len(truth)), truth * len(self.labels) + said

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the pattern, label and kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        truth, said = self._labelled(system)
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


class Parts(Classes, ABC):
    """Decisions on items that are of several labels at once, each for a part: amounts rather than ones."""

    @abstractmethod
    def amounts(self, system: str) -> Floats:
        """Return how much of its unit each decision is, in the order of `contributions`."""

    @abstractmethod
    def confusion_amounts(self) -> Floats:
        """Return how much of its unit is in each cell, in the order of `confusions`."""


class SomeClasses(Classes):
    """The decisions on some of the labels: an item of another label is a negative of each."""

    def __init__(self, outcomes: Outcomes, places: Sequence[int]) -> None:
        super().__init__(outcomes)
        self._places = list(places)
        self._whole = Classes(outcomes)
        self.labels = tuple(self._whole.labels[place] for place in self._places)

    def joints(self, a: str, b: str) -> Counts:
        """Return one (2, 4) table per label."""
        return self._whole.joints(a, b)[self._places]

    def tables(self, system: str) -> Counts:
        """Return one (2, 2) table per label."""
        return self._whole.tables(system)[self._places]

    @cached_property
    def frequencies(self) -> Counts:
        """How many items have each label."""
        return self._whole.frequencies[self._places]

    def contributions(self, system: str) -> "tuple[Counts, Counts, Counts]":
        """Return, of one system, the pattern, label and kind of every decision that counts."""
        unit, label, kind = self._whole.contributions(system)
        place = {own: at for at, own in enumerate(self._places)}
        kept = np.isin(label, self._places)
        return unit[kept], np.array([place[each] for each in label[kept].tolist()], dtype=np.int64), kind[kept]
