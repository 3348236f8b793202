"""Single-label outcomes as decisions, one per label."""

from functools import cached_property

import numpy as np

from outclass.arrays import Counts
from outclass.data.outcomes import BINARY, WRONG, Outcomes


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
