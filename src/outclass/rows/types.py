"""The typed rows of an answer: plain numbers and words, no arrays, the same in JSON, table and page."""

import warnings
from dataclasses import dataclass, field, replace
from typing import Any

from outclass.data.labels import Label
from outclass.findings import Finding
from outclass.inference.chains import Diagnostics
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.lazy import LazyDistribution
from outclass.inference.summary import Summary
from outclass.models.evidence import Evidence
from outclass.models.many_data_sets import RopeProbabilities
from outclass.planning.additional_items import AdditionalItems
from outclass.planning.anytime import Anytime
from outclass.rows.label_parts import TippingPoint, UnknownAgreement
from outclass.rows.labelling_types import Labelling
from outclass.rows.run_parts import RunsPart, SystemRuns
from outclass.significance.result import TestResult
from outclass.verdict.bayes_factor import BayesFactor
from outclass.verdict.rope import Verdict


def _made(law: Distribution | LazyDistribution | None) -> Distribution | None:
    return law() if isinstance(law, LazyDistribution) else law


def renamed(row: object, old: str, new: str) -> Any:
    """Return a field by its old name, which will be removed in the next release."""
    warnings.warn(
        f"{old} was renamed to {new}; the old name will be removed in the next release.",
        DeprecationWarning,
        stacklevel=3,
    )
    return getattr(row, new)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemSummary:
    """One system's score: the observed value and its posterior."""

    name: str
    observed: float
    mean: float
    std: float
    hdi: Interval
    law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)

    @property
    def posterior(self) -> Distribution | None:
        """The posterior distribution, recomputed if it was not kept; None for answers loaded from a file."""
        return _made(self.law)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """The benefit of testing both systems on the same items.

    `narrower` is the reduction in width compared with separate test sets of the same size (0.4 is 40%); `items_saved`
    is the number of additional items that would compensate for it.
    """

    narrower: float
    items_saved: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOdds:
    """The log odds that only A is right rather than only B (Goutte & Gaussier 2005, eq. 21)."""

    mean: float
    std: float
    hdi: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureInfo:
    """Properties of a measure for reports."""

    name: str
    title: str
    higher_is_better: bool
    in_points: bool = False  # whether a difference is read as points, hundredths of a rate


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledSlice:
    """The difference in a slice, partially pooled with the other slices of its column.

    `below_rope` and `above_rope` are the probabilities of a difference below and above the ROPE.
    """

    difference: Summary
    below_rope: float
    above_rope: float
    verdict: Verdict
    law: Distribution | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The items that a row is about: those with one value of a column, or all of them (`column` is empty)."""

    column: str
    name: str
    items: int
    share: float
    pooled: PooledSlice | None = None

    @property
    def title(self) -> str:
        """What a table calls it."""
        return f"{self.column}: {self.name}" if self.column else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Regressions:
    """Slices in which a system is worse than the other by more than the ROPE.

    `any` is the probability that there is one, `expected` their expected number, and `listed` names slices of which an
    expected 95% at least are such.
    """

    any: float
    expected: float
    listed: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceFamily:
    """All slices of one column, for one pair and one measure: how much they differ, and where a system is worse."""

    a: str
    b: str
    measure: str
    label: Label | None
    column: str
    slices: int
    spread: float
    spread_interval: Interval
    a_worse: Regressions
    b_worse: Regressions


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """A against B in one measure, for one label."""

    systems: tuple[SystemSummary, SystemSummary]
    measure: MeasureInfo
    label: Label | None
    model: str
    prior: str
    items: int
    observed: float
    difference: Summary
    rope: Interval
    hdi_mass: float
    verdict: Verdict
    bayes_factors: tuple[BayesFactor, ...]
    tests: tuple[TestResult, ...]
    pairing: Pairing | None
    log_odds: LogOdds | None
    additional_items: AdditionalItems | None
    findings: tuple[Finding, ...]
    seed: int
    method: str
    prior_words: str = ""
    model_key: str = ""  # which model it was, as in 'units.paired'; `model` is what a report calls it
    factor_prior: str = ""  # under which the Bayes factors are
    diagnostics: Diagnostics | None = None  # of chains
    anytime: Anytime | None = None  # what may be said whenever one looks; of evidence that grows
    rope_probabilities: RopeProbabilities | None = None  # of a difference beyond the ROPE, to either side
    slice: Slice | None = None  # where there is a row for every slice
    unknown_agreement: UnknownAgreement | None = None  # of published results on the same items
    tipping_point: TippingPoint | None = None  # of a decision about labels
    runs: RunsPart | None = None  # where systems have several runs
    labelling: Labelling | None = None  # of partly labelled items
    law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)
    prior_law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)
    evidence: Evidence | None = field(default=None, compare=False, repr=False)

    @property
    def part(self) -> Label | None:
        """What distinguishes the row from others of the same systems and measure: its slice, or its label."""
        return self.label if self.slice is None else self.slice.title

    @property
    def is_whole(self) -> bool:
        """Whether it is the row of all items, beside those of slices."""
        return self.slice is not None and not self.slice.column

    @property
    def pooled(self) -> "Contrast":
        """The row with the pooled difference of its slice, by which slices are judged; the row itself, if it has none.

        What was computed from the slice alone is left out, but for the tests.
        """
        own = None if self.slice is None else self.slice.pooled
        if own is None:
            return self
        return replace(
            self,
            difference=own.difference,
            verdict=own.verdict,
            law=own.law,
            prior_law=None,
            pairing=None,
            additional_items=None,
            bayes_factors=(),
        )

    @property
    def posterior(self) -> Distribution | None:
        """The posterior distribution, recomputed if it was not kept; None for answers loaded from a file."""
        return _made(self.law)

    @property
    def further(self) -> Any:
        """The old name of `additional_items`."""
        return renamed(self, "further", "additional_items")

    @property
    def watched(self) -> Any:
        """The old name of `anytime`."""
        return renamed(self, "watched", "anytime")

    @property
    def practical(self) -> Any:
        """The old name of `rope_probabilities`."""
        return renamed(self, "practical", "rope_probabilities")

    @property
    def before(self) -> Distribution | None:
        """The prior distribution of the difference."""
        return _made(self.prior_law)

    def forget(self) -> None:
        """Drop distributions that can be recomputed."""
        for law in (self.law, self.prior_law, *(system.law for system in self.systems)):
            if isinstance(law, LazyDistribution):
                law.forget()


@dataclass(frozen=True, slots=True, kw_only=True)
class Appraisal:
    """One system in one measure, for one label."""

    system: SystemSummary
    median: float
    mode: float
    equal_tailed: Interval
    measure: MeasureInfo
    label: Label | None
    model: str
    prior: str
    items: int
    hdi_mass: float
    findings: tuple[Finding, ...]
    seed: int
    method: str
    prior_words: str = ""
    model_key: str = ""
    diagnostics: Diagnostics | None = None
    slice: Slice | None = None
    runs: SystemRuns | None = None  # where systems have several runs
    law: Distribution | LazyDistribution | None = field(default=None, compare=False, repr=False)

    @property
    def part(self) -> Label | None:
        """What distinguishes the row from others of the same system and measure: its slice, or its label."""
        return self.label if self.slice is None else self.slice.title

    @property
    def is_whole(self) -> bool:
        """Whether it is the row of all items, beside those of slices."""
        return self.slice is not None and not self.slice.column

    @property
    def posterior(self) -> Distribution | None:
        """The posterior distribution, recomputed if it was not kept; None for answers loaded from a file."""
        return _made(self.law)

    def forget(self) -> None:
        """Drop distributions that can be recomputed."""
        for law in (self.law, self.system.law):
            if isinstance(law, LazyDistribution):
                law.forget()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One system in a ranking."""

    system: SystemSummary
    expected_rank: float
    best: float
    ranks: tuple[float, ...]  # P(rank = 1), P(rank = 2), ...
    simultaneous: Interval
    rank_interval: Interval  # of all systems at once
    tiers: tuple[int, ...]
    runs: SystemRuns | None = None  # where systems have several runs


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemScores:
    """One system over all categories; `defined` is the number of categories with a defined F1."""

    name: str
    micro_precision: float
    micro_recall: float
    micro_f1: float
    macro_precision: float
    macro_recall: float
    macro_f1: float
    error: float
    defined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One category: its frequency, its number of items, and the F1 of every system."""

    label: str
    frequency: int
    positives: int
    f1: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyBand:
    """Categories of similar frequency, and the macro-F1 of every system on them."""

    low: int
    high: int
    categories: int
    macro_f1: tuple[float, ...]
