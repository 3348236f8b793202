"""Partly labelled test sets: the truth of some items, and what is known of all: every system's and judge's label.

The distinct rows (truth or none, predictions, judges' labels) with their counts are the sufficient statistic. Items
that are alike in everything but the truth are a stratum, within which the labelled ones were drawn at random.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.labels import Label, relabelled
from outclass.data.names import selection
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, did_you_mean, printable, quoted
from outclass.findings import Finding

UNLABELLED: Final = -1  # the code of a truth that is not known
POLICIES: Final = ("use", "drop", "error")


INCLUSION: Final = "(inclusion)"  # strata of items that were as likely to be labelled, as if a judge told them apart


class Judge(NamedTuple):
    """A column that is known for all items: its name, what it says, and whether these are bins of numbers."""

    name: str
    labels: tuple[str, ...]
    binned: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class PartlyLabelled:
    """Counts of items by their true label, where it is known, the systems' predictions and the judges' labels.

    Parameters
    ----------
    systems, labels
        The systems' names; all labels of the truth and the predictions, sorted.
    judges
        The judges, whose labels are named by themselves.
    patterns
        Distinct rows of codes, sorted: the truth (-1 is none), every system's prediction (-1 is a missing one that
        counts as wrong), every judge's label.
    counts
        Number of items with each pattern.
    weights
        Of labelled rows, the sum of their weights (one over the probability of being labelled), and of the squares.
    """

    kind: ClassVar[str] = "partly labelled"
    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    judges: tuple[Judge, ...]
    patterns: Counts
    counts: Counts
    weights: Floats
    findings: tuple[Finding, ...] = field(default=())

    def __post_init__(self) -> None:
        for array in (self.patterns, self.counts, self.weights):
            array.setflags(write=False)

    def __repr__(self) -> str:
        judged = f", judges {printable(', '.join(each.name for each in self.judges))}" if self.judges else ""
        return (
            f"PartlyLabelled({self.labelled:,} of {self.items:,} items labelled, "
            f"systems {printable(', '.join(self.systems))}{judged})"
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PartlyLabelled)
            and (self.systems, self.labels, self.judges) == (other.systems, other.labels, other.judges)
            and np.array_equal(self.patterns, other.patterns)
            and np.array_equal(self.counts, other.counts)
            and np.allclose(self.weights, other.weights, rtol=1e-9)
        )

    __hash__ = None  # type: ignore[assignment]  # holds arrays

    @property
    def items(self) -> int:
        """Number of items, labelled or not."""
        return int(self.counts.sum())

    @property
    def labelled(self) -> int:
        """Number of labelled items."""
        return int(self.counts[self.patterns[:, 0] >= 0].sum())

    @property
    def weighted(self) -> bool:
        """Whether items were labelled with different known probabilities."""
        known = self.patterns[:, 0] >= 0
        return not np.allclose(self.weights[known, 0], self.counts[known])

    @cached_property
    def outcomes(self) -> Outcomes:
        """The labelled items by themselves."""
        known = self.patterns[:, 0] >= 0
        columns = slice(0, 1 + len(self.systems))
        whole = Outcomes(
            systems=self.systems,
            labels=self.labels,
            patterns=np.zeros((0, 1 + len(self.systems)), dtype=np.int64),
            counts=np.zeros(0, dtype=np.int64),
            findings=self.findings,
        )
        return whole.part(self.patterns[known][:, columns], self.counts[known])

    def column(self, system: str) -> int:
        """Return the place of a system among the patterns' columns."""
        if system not in self.systems:
            raise InputError(f"no system {quoted([system])}. {did_you_mean(system, self.systems)}")
        return 1 + self.systems.index(system)

    def selected(self, systems: Sequence[str]) -> "PartlyLabelled":
        """Return the same items with some of the systems; what the others say still makes strata, as judges do.

        Labelled items may have been drawn at random within strata of all systems only.
        """
        own = selection(systems, self.systems)
        others = [system for system in self.systems if system not in own]
        first = 1 + len(self.systems)
        judges = [Judge(system, tuple(map(str, self.labels))) for system in others]
        columns = [
            0,
            *(self.column(system) for system in own),
            *range(first, first + len(self.judges)),
            *(self.column(system) for system in others),
        ]
        found = replace(
            self, systems=tuple(own), judges=(*self.judges, *judges), patterns=self.patterns[:, columns].copy()
        )
        return found if not others else _shifted(found, len(others))._merged()

    def with_findings(self, findings: tuple[Finding, ...]) -> "PartlyLabelled":
        """Return the same items with other findings."""
        return replace(self, findings=findings)

    def without_judges(self) -> "PartlyLabelled":
        """Return the same items without what judges say of them."""
        return replace(self, judges=(), patterns=self.patterns[:, : 1 + len(self.systems)].copy())._merged()

    def __add__(self, other: "PartlyLabelled") -> "PartlyLabelled":
        """Return the items of both, which must be different items."""
        if self.systems != other.systems:
            raise InputError(
                f"items of different systems cannot be added: {quoted(self.systems)} and {quoted(other.systems)}."
            )
        if [each.name for each in self.judges] != [each.name for each in other.judges]:
            raise InputError(
                f"items of different judges cannot be added: {_named(self)} and {_named(other)}. Name the same columns "
                "(⟨judge⟩)."
            )
        for mine, theirs in zip(self.judges, other.judges, strict=True):
            if (mine.binned or theirs.binned) and mine.labels != theirs.labels:
                raise InputError(
                    f"judge {quoted([mine.name])} is cut into other bins in each batch; give it as labels, or read "
                    "all items at once."
                )
        labels, places = relabelled([self.labels, other.labels])
        judges = []
        recoded = [self.patterns.copy(), other.patterns.copy()]
        first = 1 + len(self.systems)
        for part, to in zip(recoded, places, strict=True):
            part[:, :first] = np.array([*to, UNLABELLED], dtype=np.int64)[part[:, :first]]
        for at, (mine, theirs) in enumerate(zip(self.judges, other.judges, strict=True), start=first):
            if mine.binned:
                judges.append(mine)
                continue
            whole = tuple(sorted({*mine.labels, *theirs.labels}))
            judges.append(Judge(mine.name, whole))
            for part, own in zip(recoded, (mine, theirs), strict=True):
                part[:, at] = np.array([whole.index(label) for label in own.labels], dtype=np.int64)[part[:, at]]
        return PartlyLabelled(
            systems=self.systems,
            labels=labels,
            judges=tuple(judges),
            patterns=np.concatenate(recoded),
            counts=np.concatenate([self.counts, other.counts]),
            weights=np.concatenate([self.weights, other.weights]),
            findings=tuple(dict.fromkeys((*self.findings, *other.findings))),
        )._merged()

    def _merged(self) -> "PartlyLabelled":
        """Return the same items with distinct rows in order."""
        patterns, place = np.unique(self.patterns, axis=0, return_inverse=True)
        place = place.ravel()
        counts = np.bincount(place, weights=self.counts, minlength=len(patterns)).astype(np.int64)
        sums = [np.bincount(place, weights=each, minlength=len(patterns)) for each in self.weights.T]
        weights: Floats = np.stack(sums, axis=1).astype(float)
        seen = counts > 0
        return replace(self, patterns=patterns[seen], counts=counts[seen], weights=weights[seen])


def partly_labelled(
    systems: Sequence[str],
    labels: Sequence[Label],
    judges: Sequence[Judge],
    patterns: Counts,
    counts: Counts,
    weights: Floats | None = None,
    findings: tuple[Finding, ...] = (),
) -> PartlyLabelled:
    """Make partly labelled data of counted rows; without `weights`, labelled items count alike."""
    if weights is None:
        weights = np.stack([counts, counts], axis=1).astype(float)
    known = patterns[:, 0] >= 0
    return PartlyLabelled(
        systems=tuple(systems),
        labels=tuple(labels),
        judges=tuple(judges),
        patterns=np.asarray(patterns, dtype=np.int64),
        counts=np.asarray(counts, dtype=np.int64),
        weights=np.where(known[:, None], weights, 0.0),
        findings=findings,
    )._merged()


def _shifted(data: PartlyLabelled, others: int) -> PartlyLabelled:
    """Give the codes of systems that became judges a place for what they left out."""
    patterns, judges = data.patterns.copy(), list(data.judges)
    for at in range(len(judges) - others, len(judges)):
        column = 1 + len(data.systems) + at
        if (patterns[:, column] < 0).any():
            patterns[:, column] = np.where(patterns[:, column] < 0, len(judges[at].labels), patterns[:, column])
            judges[at] = judges[at]._replace(labels=(*judges[at].labels, "(missing)"))
    return replace(data, patterns=patterns, judges=tuple(judges))


def _named(data: PartlyLabelled) -> str:
    return quoted([each.name for each in data.judges]) if data.judges else "none"
