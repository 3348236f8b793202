"""Items that several annotators labelled: each label counts as much as the others of its item, or most decide."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.classes import Parts, check_predicted
from outclass.data.labels import Label, relabelled
from outclass.data.names import selection
from outclass.data.outcomes import BINARY, Outcomes
from outclass.errors import InputError, did_you_mean, printable, quoted
from outclass.findings import Finding, finding

NONE: Final = -1  # the code of an annotator who did not label the item, and of a missing prediction
WAYS: Final = ("soft", "majority")
DRAWS, MASS, SEED = 4_000, 0.95, 0  # of the interval of agreement


class Agreement(NamedTuple):
    """How far annotators agree.

    Parameters
    ----------
    items
        How many items have two labels at least.
    agree
        The share of pairs of labels of one item that are the same.
    alpha, low, high
        Krippendorff's alpha for categories, with a 95% interval by weights on items.
    error
        The share of labels that are wrong, if annotators err independently and all wrong labels are alike.
    """

    items: int
    agree: float
    alpha: float
    low: float
    high: float
    error: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Annotated:
    """Counts of items by every annotator's label and every system's prediction.

    Parameters
    ----------
    systems, labels, annotators
        The systems' names, all labels, sorted, and the annotators' names.
    patterns
        Distinct rows of codes: every annotator's label, then every system's prediction; -1 is none.
    counts
        Number of items with each pattern.
    """

    kind: ClassVar[str] = "labels by several annotators"
    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    annotators: tuple[str, ...]
    patterns: Counts
    counts: Counts
    findings: tuple[Finding, ...] = field(default=())

    def __post_init__(self) -> None:
        for array in (self.patterns, self.counts):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return (
            f"Annotated({self.items:,} items, {len(self.annotators)} annotators, {len(self.labels)} labels, systems "
            f"{printable(', '.join(self.systems))})"
        )

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.counts.sum())

    @property
    def given(self) -> Counts:
        """The annotators' labels, (patterns, annotators)."""
        return self.patterns[:, : len(self.annotators)]

    @property
    def said(self) -> Counts:
        """The systems' predictions, (patterns, systems)."""
        return self.patterns[:, len(self.annotators) :]

    @cached_property
    def votes(self) -> Floats:
        """How many annotators give each pattern's items each label, (patterns, labels)."""
        found = np.zeros((len(self.patterns), len(self.labels)))
        for column in self.given.T:
            named = np.flatnonzero(column >= 0)
            found[named, column[named]] += 1
        return found

    @cached_property
    def agreement(self) -> Agreement:
        """How far the annotators agree."""
        return _agreement(self.votes, self.counts)

    def selected(self, systems: Sequence[str]) -> "Annotated":
        """Return the same items with some of the systems."""
        own = selection(systems, self.systems)
        first = len(self.annotators)
        columns = [*range(first), *(first + self.systems.index(system) for system in own)]
        return replace(self, systems=tuple(own), patterns=self.patterns[:, columns].copy())._merged()

    def with_findings(self, findings: tuple[Finding, ...]) -> "Annotated":
        """Return the same items with other findings."""
        return replace(self, findings=findings)

    def __add__(self, other: "Annotated") -> "Annotated":
        """Return the items of both, which must be different items."""
        if (self.systems, self.annotators) != (other.systems, other.annotators):
            raise InputError(
                "items of different systems or annotators cannot be added: "
                f"{quoted([*self.annotators, *self.systems])} and {quoted([*other.annotators, *other.systems])}."
            )
        labels, places = relabelled([self.labels, other.labels])
        parts = [
            np.array([*to, NONE], dtype=np.int64)[part.patterns] for to, part in zip(places, (self, other), strict=True)
        ]
        return replace(
            self,
            labels=labels,
            patterns=np.concatenate(parts),
            counts=np.concatenate([self.counts, other.counts]),
            findings=tuple(dict.fromkeys((*self.findings, *other.findings))),
        )._merged()

    def _merged(self) -> "Annotated":
        patterns, place = np.unique(self.patterns, axis=0, return_inverse=True)
        counts = np.bincount(place.ravel(), weights=self.counts, minlength=len(patterns)).astype(np.int64)
        return replace(self, patterns=patterns, counts=counts)

    def against(self, annotator: str) -> Outcomes:
        """Return the outcomes against the labels of one annotator, of the items that this one labelled."""
        if annotator not in self.annotators:
            raise InputError(f"no annotator {quoted([annotator])}. {did_you_mean(annotator, self.annotators)}")
        return self._outcomes(self.given[:, self.annotators.index(annotator)])

    @cached_property
    def leading(self) -> Counts:
        """The label with the most votes of each pattern, the first of several."""
        return np.asarray(self.votes.argmax(axis=1))

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes against the label with the most votes, the first of several."""
        return self._outcomes(self.leading)

    def majority(self) -> Outcomes:
        """Return the outcomes against the label that most annotators give; ties are left out, and told."""
        most = self.votes.max(axis=1)
        tied = (self.votes == most[:, None]).sum(axis=1) > 1
        items = int(self.counts[tied].sum())
        if items == self.items:
            raise InputError(
                "no item has a label that most annotators give, so there is no majority: use ⟨annotators=soft⟩."
            )
        found = self._outcomes(np.where(tied, NONE, self.leading))
        if not items:
            return found
        told = (
            f"{items:,} of {self.items:,} items have no label that most annotators give; these items were dropped "
            "(⟨annotators=soft⟩ keeps them)."
        )
        return found.with_findings((*found.findings, finding("OC722", told)))

    def _outcomes(self, truth: Counts) -> Outcomes:
        known = truth >= 0
        empty = np.zeros((0, 1 + len(self.systems)), dtype=np.int64)
        whole = Outcomes(
            systems=self.systems, labels=self.labels, patterns=empty, counts=self.counts[:0], findings=self.findings
        )
        return whole.part(np.column_stack([truth, self.said])[known], self.counts[known])


def _agreement(votes: Floats, counts: Counts) -> Agreement:
    many = votes.sum(axis=1)
    paired = many >= 2
    votes, many, sizes = votes[paired], many[paired], counts[paired].astype(float)
    items = int(sizes.sum())
    if not items:
        return Agreement(0, *[math.nan] * 5)
    # Of every item, the share of pairs of its labels that are the same; each label counts once (Krippendorff).
    same = (votes * (votes - 1)).sum(axis=1) / (many - 1)
    rng = np.random.default_rng(SEED)
    weights = np.vstack([sizes, rng.standard_gamma(sizes, (DRAWS, len(sizes)))])
    total, agreeing = weights @ many, weights @ same
    labelled = weights @ votes
    chance = (labelled * (labelled - 1)).sum(axis=1) / (total * (total - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha = (agreeing / total - chance) / (1 - chance)
    low, high = np.quantile(alpha[1:], [(1 - MASS) / 2, (1 + MASS) / 2])
    pairs = many * (many - 1)
    agree = float(sizes @ (votes * (votes - 1)).sum(axis=1) / (sizes @ pairs))
    return Agreement(items, agree, float(alpha[0]), float(low), float(high), _error(agree, votes.shape[1]))


def _error(agree: float, labels: int) -> float:
    """Return the e with (1 - e)² + e²/(labels - 1) = agree; nan if they agree less than by chance.

    Of two labels that are wrong, one in so many is the same by chance.
    """
    others = max(labels - 1, 1)
    root = 1 - (1 + 1 / others) * (1 - agree)
    return math.nan if root < 0 else (1 - math.sqrt(root)) / (1 + 1 / others)


def agreement_note(found: Agreement) -> Finding:
    """Say how far annotators agree."""
    told = (
        f"annotators agree on {found.agree:.1%} of the pairs of labels (Krippendorff's alpha {found.alpha:.2f}, 95% "
        f"interval {found.low:.2f} to {found.high:.2f})"
    )
    if not math.isnan(found.error):
        told += f"; if they err independently, {found.error:.1%} of the labels are wrong"
    return finding("OC720", f"{told}.")


class Votes(Parts):
    """Items with several labels as decisions: an item that k annotators labelled is k parts, each with one label."""

    def __init__(self, data: Annotated) -> None:
        super().__init__(data.outcomes)
        self.data, self.items, self.findings = data, data.items, data.findings

    @property
    def units(self) -> Counts:
        """How often each pattern occurs."""
        return self.data.counts

    @cached_property
    def _parts(self) -> tuple[Counts, Counts, Floats]:
        """Return unit, label and share of every label of every pattern."""
        unit, label = np.nonzero(self.data.votes)
        return unit, label, self.data.votes[unit, label] / self.data.votes.sum(axis=1)[unit]

    @cached_property
    def frequencies(self) -> Counts:
        """How many items have each label; of several labels of one item, each counts for a part."""
        unit, label, share = self._parts
        return np.bincount(label, weights=self.units[unit] * share, minlength=len(self.labels))

    def _own(self, system: str) -> tuple[Counts, Counts, Counts, Floats]:
        unit, truth, share = self._parts
        said = self.data.said[unit, self.systems.index(system)]
        if len(self.labels) == BINARY:
            said = np.where(said == NONE, 1 - truth, said)  # of two labels a missing one is the other
        return unit, truth, said, share

    def confusions(self, system: str) -> tuple[Counts, Counts]:
        """Return, of one system, every part and its cell (truth by prediction) in the table of confusions."""
        unit, truth, said, _ = self._own(system)
        check_predicted(said)
        return unit, truth * len(self.labels) + said

    def confusion_amounts(self) -> Floats:
        """Return how much of its unit each part is, in the order of `confusions`."""
        return self._parts[2]

    def _counted(self, system: str) -> tuple[Counts, Counts, Counts, Floats]:
        unit, truth, said, share = self._own(system)
        right, named = truth == said, said >= 0
        kinds = [(right, truth, 0), (~right & named, said, 1), (~right, truth, 2)]
        return (
            np.concatenate([unit[own] for own, _, _ in kinds]),
            np.concatenate([label[own] for own, label, _ in kinds]),
            np.concatenate([np.full(int(own.sum()), kind, dtype=np.int64) for own, _, kind in kinds]),
            np.concatenate([share[own] for own, _, _ in kinds]),
        )

    def contributions(self, system: str) -> tuple[Counts, Counts, Counts]:
        """Return, of one system, the pattern, label and kind (0 TP, 1 FP, 2 FN) of every decision that counts."""
        return self._counted(system)[:3]

    def amounts(self, system: str) -> Floats:
        """Return how much of its unit each decision is, in the order of `contributions`."""
        return self._counted(system)[3]

    def tables(self, system: str) -> Any:
        """Return one (2, 2) table per label: positives, negatives; says yes, says no."""
        unit, label, kind, share = self._counted(system)
        found = np.zeros((len(self.labels), 3))
        np.add.at(found, (label, kind), self.units[unit] * share)
        tp, fp, fn = found.T
        return np.stack([tp, fn, fp, self.items - tp - fp - fn], axis=1).reshape(-1, 2, 2)

    def selected(self, systems: Sequence[str]) -> "Votes":
        """Return the same items with some of the systems."""
        return Votes(self.data.selected(systems))
