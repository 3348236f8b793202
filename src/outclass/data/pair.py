"""Two systems and where their outcomes are: on one test set, each on its own, or in somebody's table."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.names import stem_of
from outclass.data.outcomes import Outcomes
from outclass.data.published import CountsPair, WinCounts
from outclass.errors import InputError, quoted
from outclass.findings import Finding


@dataclass(frozen=True, slots=True)
class Pair:
    """A on some outcomes, B on the same or on others."""

    first: Outcomes
    a: str
    second: Outcomes
    b: str

    @property
    def same_items(self) -> bool:
        """Whether both systems saw the same items."""
        return self.first is self.second

    @property
    def items(self) -> int:
        """How many items were seen in all."""
        return self.first.items if self.same_items else self.first.items + self.second.items

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the readers of the outcomes had to say."""
        return tuple(dict.fromkeys((*self.first.findings, *self.second.findings)))

    def positives(self, wanted: Any, *, by_label: bool) -> list[Label | None]:
        """Return the labels to take as the positive, in turn."""
        for outcomes in (self.first, self.second):
            outcomes.require_two_classes()
        if by_label:
            return list(dict.fromkeys((*self.first.true_labels, *self.second.true_labels)))
        positive = self.first.positive(wanted)
        if self.second.positive(wanted) != positive:
            raise InputError(
                f"the two test sets have different labels: {quoted(self.first.labels)} and "
                f"{quoted(self.second.labels)}."
            )
        return [positive]

    def joint(self, positive: Label) -> Counts | None:
        """Return the (2, 4) table of both systems, if they saw the same items."""
        return self.first.joint(self.a, self.b, positive) if self.same_items else None

    def rights(self) -> Counts | None:
        """Return how often A (rows) and B (columns) are right and wrong, if they saw the same items."""
        return self.first.rights(self.a, self.b) if self.same_items else None

    def tables(self, positive: Label) -> tuple[Counts, Counts]:
        """Return each system's own (2, 2) table."""
        return self.first.table(self.a, positive), self.second.table(self.b, positive)


@dataclass(frozen=True, slots=True)
class TwoSets:
    """Two test sets, with one system each."""

    kind: ClassVar[str] = "two test sets"
    first: Outcomes
    second: Outcomes

    def __post_init__(self) -> None:
        """Check that each has one system, and give the second another name where both have one."""
        for outcomes in (self.first, self.second):
            if len(outcomes.systems) != 1:
                raise InputError(
                    f"a comparison of two test sets takes one system from each, got {quoted(outcomes.systems)}. Name "
                    "one of them."
                )
        if self.first.systems == self.second.systems:
            (name,) = self.second.systems
            object.__setattr__(self, "second", self.second.renamed({name: f"{name} (second set)"}))

    @classmethod
    def of_files(cls, first: tuple[Any, Outcomes], second: tuple[Any, Outcomes]) -> "TwoSets":
        """Take two files; where both call their system the same, it is named by its file."""
        (one, a), (other, b) = first, second
        if (
            a.systems == b.systems
            and len(a.systems) == 1
            and all(isinstance(each, str | Path) for each in (one, other))
        ):
            stems = [stem_of(each) for each in (one, other)]
            if stems[0] != stems[1]:
                a, b = (each.renamed({each.systems[0]: stem}) for each, stem in zip((a, b), stems, strict=True))
        return cls(a, b)

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return *self.first.systems, *self.second.systems

    @property
    def items(self) -> int:
        """How many items were seen in all."""
        return self.first.items + self.second.items

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the readers of the outcomes had to say."""
        return tuple(dict.fromkeys((*self.first.findings, *self.second.findings)))

    def with_findings(self, findings: tuple[Finding, ...]) -> "TwoSets":
        """Return the same items with other findings."""
        return TwoSets(self.first.with_findings(findings), self.second.with_findings(findings))

    def pair(self) -> "Pair":
        """Return the two systems, each on its own items."""
        return Pair(self.first, self.first.systems[0], self.second, self.second.systems[0])


PairData = Pair | CountsPair | WinCounts
