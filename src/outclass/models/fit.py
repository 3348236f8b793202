"""What a model makes of data: posteriors of systems and of differences, whatever the data were."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from outclass.arrays import Floats
from outclass.data.labels import Label
from outclass.errors import InputError
from outclass.findings import Finding
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.lazy import LazyDistribution
from outclass.models.many_data_sets import RopeProbabilities
from outclass.models.question import AnyMeasure, Question
from outclass.verdict.rope import Verdict, decide


@dataclass(frozen=True, kw_only=True)
class FitModel:
    """What a model of all systems is: how it is fitted, and what it supports.

    Parameters
    ----------
    fit
        From the data and a question to a `Fit`.
    measures, usual
        The names of the measures that it knows, None for all; and those that are taken where none is named.
    prior, chains, averages
        Whether it has a prior to name, can be run by MCMC, and tells averages over groups from those over items.
    ranks, alone
        Whether it gives draws of all systems together, and judges one system by itself.
    draws
        Whether the rows of a comparison depend on draws, so that their number can be named.
    shares
        Whether it uses the share of the data that a fold tests.
    """

    fit: "Callable[[Any, Question], Fit]"
    measures: tuple[str, ...] | None = None
    usual: tuple[str, ...] | None = None
    prior: bool = False
    chains: bool = False
    averages: bool = False
    ranks: bool = True
    alone: bool = True
    draws: bool = True
    shares: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class Fit(ABC):
    """Posteriors of some systems' measures.

    Parameters
    ----------
    data, question
        What it was made from.
    model, title
        The model's key, with the view it is of, as in 'units.paired'; and what a report calls it.
    prior, prior_words
        What a report calls the prior, and its parts said back.
    systems, items, label
        Who was tested, on how many items, and on which label against the rest, if it is one.
    findings
        What the data and the fitting gave rise to, whatever the pair and the measure.
    """

    data: Any
    question: Question
    model: str
    title: str
    prior: str
    systems: tuple[str, ...]
    items: int
    label: Label | None = None
    prior_words: str = ""
    findings: tuple[Finding, ...] = ()

    @abstractmethod
    def difference(self, a: int, b: int, measure: AnyMeasure) -> Distribution:
        """Return the posterior of one system's measure minus another's."""

    @abstractmethod
    def value(self, which: int, measure: AnyMeasure, beside: int | None = None) -> Distribution | None:
        """Return the posterior of one system's measure, if the model has one.

        `beside` is the system that it is compared with, if it is.
        """

    @abstractmethod
    def observed(self, which: int, measure: AnyMeasure) -> float:
        """Return the measure of the data themselves."""

    def joint_draws(self, measure: AnyMeasure) -> Floats:
        """Return joint draws of all systems' measures, (draws, systems)."""
        raise InputError(f"the {self.title} model compares pairs and gives no ranking; compare the systems in pairs.")

    # --- what most models have in common ------------------------------------------------------------------------

    def observed_difference(self, a: int, b: int, measure: AnyMeasure) -> float:
        """Return the difference in the data themselves."""
        return self.observed(a, measure) - self.observed(b, measure)

    def support(self, measure: AnyMeasure) -> Interval:
        """Return where a difference can lie."""
        reach = measure.high - measure.low
        return Interval(-reach, reach)

    def kept_difference(
        self, law: Distribution, a: int, b: int, measure: AnyMeasure
    ) -> Distribution | LazyDistribution | None:
        """Return what a row keeps of a difference's posterior."""
        return law

    def kept_value(self, law: Distribution, which: int, measure: AnyMeasure) -> Distribution | LazyDistribution | None:
        """Return what a row keeps of a system's posterior."""
        return law

    def value_key(self, which: int, measure: AnyMeasure) -> Hashable:
        """Return what systems with the same posterior share, whose numbers need not be read off again; or None."""
        return None

    def constant(self, measure: AnyMeasure) -> float:
        """Return the measure of a system that always gives the same answer; nan where that is not known."""
        return math.nan

    def unpaired_std(self, a: int, b: int, measure: AnyMeasure, std: float, apart: float) -> float | None:
        """Return the std to compare with `apart`, that of independent systems; None if pairing is not used.

        `std` is that of the difference.
        """
        return std

    @property
    def adds_by_items(self) -> bool:
        """Whether more items tell more, so that it can be said how many would decide."""
        return True

    def verdict(self, hdi: Interval, rope: Interval, beyond: RopeProbabilities | None) -> Verdict:
        """Decide."""
        return decide(hdi, rope)

    def rope_probabilities(
        self, law: Distribution, a: int, b: int, measure: AnyMeasure, rope: Interval
    ) -> RopeProbabilities | None:
        """Return how probable a difference beyond the ROPE is, to either side; None where the summary says it."""
        return None
