"""Two systems and one positive label, by counts: what a row can be made of."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, Final, cast

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.pair import PairData
from outclass.data.published import CountsPair, SameItems, WinCounts
from outclass.errors import InputError
from outclass.inference.chains import Chains
from outclass.inference.closed import BetaLaw
from outclass.inference.derived import Scaled
from outclass.inference.distribution import Distribution
from outclass.inference.draws import Draws
from outclass.inference.lazy import LazyDistribution
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models import Posterior, fitted
from outclass.models.evidence import Evidence, Wins
from outclass.models.fit import Fit
from outclass.models.one.single import Single
from outclass.models.prior import Prior, prior_of
from outclass.models.question import Question
from outclass.models.table.paired import Paired

UNIFORM: Final = prior_of("uniform")
FACTOR_TOLERANCE: Final = 5e-4  # Bayes factors are read to two digits


@dataclass(frozen=True, kw_only=True, eq=False)
class TableFit(Fit):
    """A pair of systems under a model of counts."""

    evidence: Evidence
    known: dict[Any, Posterior] = field(default_factory=dict, repr=False)

    @property
    def key(self) -> str:
        """The model's own name."""
        return self.question.model

    def posterior_of(self, prior: Prior, settings: Settings) -> Posterior:
        """Return the posterior under a prior; measures with the same prior have the same."""
        key = (prior, settings)
        if key not in self.known:
            self.known[key] = fitted(self.key, self.evidence, prior, settings)
        return self.known[key]

    def posterior(self, measure: Any) -> Posterior:
        """Return the posterior that a measure is read off."""
        return self.posterior_of(self.question.prior.of(measure, self.key), self.question.settings)

    def _again(self, measure: Any) -> Posterior:
        """Return the posterior without what it remembers: enough to make a distribution again."""
        posterior = self.posterior(measure)
        return posterior if self.question.settings.method == "mcmc" else replace(cast("Any", posterior))

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of A's measure minus B's."""
        return of_line(self._remembering("difference", self.posterior(measure).difference), measure)

    def _remembering(self, what: str, find: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the same way to find a distribution, which remembers those that others are a linear function of."""
        bases = {each.line.measure for each in self.question.measures if isinstance(each, Measure) and each.line}

        def found(measure: Any, *further: Any) -> Any:
            if measure not in bases:
                return find(measure, *further)
            key = (what, measure)
            if key not in self.known:
                self.known[key] = find(measure, *further)
            return self.known[key]

        return found

    def kept_difference(
        self, law: Distribution, a: int, b: int, measure: Any
    ) -> Distribution | LazyDistribution | None:
        """Return the distribution itself where it is small, or cannot be made again; otherwise its recipe."""
        return _kept(law, partial(of_line, self._again(measure).difference, measure))

    def _own(self, which: int, measure: Any) -> "partial[Any]":
        """Return how one system's own distribution is made: as `evaluate` makes it, wherever the prior allows that."""
        evidence, settings = self.evidence, self.question.settings
        if self.key == "sign" and evidence.systems is not None and measure.name in ("accuracy", "error"):
            right, wrong = (float(count) for count in right_and_wrong(evidence.systems[which]))
            ends = (right + 1, wrong + 1) if measure.name == "accuracy" else (wrong + 1, right + 1)
            return partial(BetaLaw, *ends)
        prior = self.question.prior.of(measure, "single")
        alone = all(not isinstance(part, tuple) or len(part) == 2 for part in (prior.positives, prior.negatives))
        of_pair = self.key not in ("paired", "unpaired") or settings.method == "mcmc" or not alone
        if of_pair or evidence.systems is None:
            return partial(self._again(measure).system, which, measure)
        return partial(of_line, Single.fit(evidence.systems[which], prior, settings).law, measure, shifted=True)

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution | None:
        """Return the posterior of one system's measure; a model of wins has none."""
        make = self._own(which, measure)
        if make.func is not of_line:
            found: Distribution | None = make()
            return found
        return of_line(self._remembering(f"system {which}", make.args[0]), measure, shifted=True)

    def kept_value(self, law: Distribution, which: int, measure: Any) -> Distribution | LazyDistribution | None:
        """Return the distribution itself where it is small, or cannot be made again; otherwise its recipe."""
        return _kept(law, self._own(which, measure))

    def value_key(self, which: int, measure: Any) -> Hashable:
        """Return the posterior of one system's counts, which those of many rare labels share."""
        make = self._own(which, measure)
        own = getattr(make.args[0], "__self__", None) if make.func is of_line else None
        return (own, measure) if isinstance(own, Single) else None

    def observed(self, which: int, measure: Any) -> float:
        """Return the measure of the counts."""
        return math.nan if self.evidence.systems is None else observed(measure, self.evidence.systems[which])

    def observed_difference(self, a: int, b: int, measure: Any) -> float:
        """Return the difference in the counts; of wins, the lead."""
        wins = self.evidence.wins
        if self.evidence.systems is None and wins is not None:
            lead = (wins.a - wins.b) / max(sum(wins), 1)
            return lead if measure.higher_is_better else -lead
        return super().observed_difference(a, b, measure)

    def constant(self, measure: Any) -> float:
        """Return the measure of a system that always gives the same answer: the better of the two there are."""
        if self.evidence.systems is None or not self.evidence.negatives_known or len(self.evidence.systems[0]) == 1:
            return math.nan
        positives, negatives = (int(count) for count in self.evidence.systems[0].sum(axis=1))
        both = [float(measure(positives, negatives, 0, 0)), float(measure(0, 0, positives, negatives))]
        known = [value for value in both if not math.isnan(value)]
        return (max if measure.higher_is_better else min)(known, default=math.nan)

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Only the paired model uses that both systems saw the same items."""
        return std if self.key == "paired" and not isinstance(self.data, SameItems) else None

    # --- before the data ----------------------------------------------------------------------------------------

    @property
    def rough(self) -> Settings:
        """A prior's numbers only scale the factors, so a tenth of the accuracy is enough, and they serve again."""
        own = self.question.settings
        settings = replace(own, tolerance=min(0.05, 10 * own.tolerance), progress=None)
        # A conjugate prior needs no chain.
        conjugate = settings.method == "mcmc" and not self.question.prior.laws
        return replace(settings, method="auto") if conjugate else settings

    def judging(self, measure: Any) -> Prior:
        """Return the prior of Bayes factors: they compare with it, so it is one that is fit for that, the papers'."""
        prior = self.question.prior.of(measure, self.key)
        return UNIFORM if prior.matched else prior

    def judged(self, measure: Any) -> Posterior:
        """Return the posterior under the prior of Bayes factors."""
        own = self.question.settings
        if not self.question.prior.matched:
            return self.posterior(measure)
        # The uniform prior is conjugate: its factors need no second chain.
        method = "auto" if own.method == "mcmc" else own.method
        return self.posterior_of(UNIFORM, replace(own, method=method, tolerance=max(FACTOR_TOLERANCE, own.tolerance)))

    def judged_difference(self, measure: Any) -> Distribution:
        """Return the difference under the prior of Bayes factors."""
        own, judged = self.posterior(measure), self.judged(measure)
        find = judged.difference
        if isinstance(own, Paired) and isinstance(judged, Paired):
            find = partial(own.difference_under, judged)
        return of_line(self._remembering("judged", find), measure)

    def prior_law(self, measure: Any, known: Distribution) -> LazyDistribution:
        """Return the difference's distribution before the data; `known` is that under the prior of Bayes factors."""
        prior = self.question.prior.of(measure, self.key)
        before = partial(law_before, self.key, prior, self.rough, measure, has_classes=self.evidence.has_classes)
        return LazyDistribution(None if prior.matched else known, before)


def of_line(find: Callable[[Any], Distribution], measure: Any, *, shifted: bool = False) -> Distribution:
    """Find the distribution of a measure, or of a difference; of a linear function of another measure, that one's.

    Draws are those of the measure itself, since what is said of them depends on their number.
    """
    if measure.line is not None:
        law = find(measure.line.measure)
        if not isinstance(law, Draws | Chains):
            return Scaled(law, measure.line.factor, measure.line.shift if shifted else 0.0)
    return find(measure)


def fit(pair: PairData, positive: Label | None, question: Question) -> TableFit:
    """Learn from a pair of systems, one label being the positive."""
    evidence = evidence_of(pair, positive)
    if not evidence.negatives_known and question.model != "goutte":
        raise InputError(
            f"the {question.model} model needs the true negatives too: give tn in both counts, or use the goutte model."
        )
    return TableFit(
        data=pair,
        question=question,
        model=f"table.{question.model}",
        title=question.model,
        prior=question.prior.name,
        prior_words=question.prior.words,
        systems=(pair.a, pair.b),
        items=pair.items,
        label=positive,
        findings=pair.findings,
        evidence=evidence,
    )


def right_and_wrong(table: Counts) -> tuple[int, int]:
    """Return how many items a system got right, and wrong."""
    right = int(table.trace())
    return right, int(table.sum()) - right


def evidence_of(pair: PairData, positive: Label | None) -> Evidence:
    """Return what a model learns from a pair."""
    if isinstance(pair, WinCounts):
        a, b = pair.wins_a, pair.wins_b
        return Evidence(joint=None, systems=None, wins=Wins(a, b, pair.items - a - b))
    if isinstance(pair, SameItems) and pair.first.has_classes:
        return Evidence.of_joint(pair.joint)
    if isinstance(pair, CountsPair):
        wins = None
        if isinstance(pair, SameItems):
            both, a, b, neither = (int(count) for count in pair.rights[0])
            wins = Wins(a, b, both + neither)
        return Evidence(
            joint=None,
            systems=(pair.first.table, pair.second.table),
            wins=wins,
            negatives_known=pair.first.tn is not None and pair.second.tn is not None,
            has_classes=pair.first.has_classes,
        )
    if positive is None:
        # Who is right, of any number of labels: a table whose only class is "right or wrong".
        right = pair.rights()
        if right is None:
            raise InputError("the sign model needs two systems on the same items.")
        (both, a), (b, neither) = (tuple(map(int, row)) for row in right)
        tables = [np.array([[hits, both + a + b + neither - hits], [0, 0]]) for hits in (both + a, both + b)]
        return Evidence(joint=None, systems=(tables[0], tables[1]), wins=Wins(a, b, both + neither), has_classes=False)
    joint = pair.joint(positive)
    return Evidence(joint=None, systems=pair.tables(positive)) if joint is None else Evidence.of_joint(joint)


def observed(measure: Measure, table: Counts) -> float:
    """Return the measure of the data themselves."""
    (tp, fn), (fp, tn) = table if len(table) > 1 else (*table, (0, 0))
    return float(measure(tp, fp, fn, tn))


def _kept(law: Distribution, make: Callable[[], Distribution | None]) -> Distribution | LazyDistribution:
    if isinstance(law, Chains | BetaLaw):
        return law
    return LazyDistribution(law, cast("Callable[[], Distribution]", make))


NOTHING: Final = Evidence.of_joint(np.zeros((2, 4), dtype=np.int64))
_NO_ANSWERS: Final = np.zeros((1, 2), dtype=np.int64)
_NOTHING_RIGHT: Final = replace(NOTHING, joint=None, systems=(_NO_ANSWERS, _NO_ANSWERS), has_classes=False)


def posterior_before(model: str, prior: Prior, settings: Settings, *, has_classes: bool = True) -> Posterior:
    """Return what is known before any data."""
    return fitted(model, NOTHING if has_classes else _NOTHING_RIGHT, prior, settings)


@lru_cache(maxsize=256)
def law_before(
    model: str, prior: Prior, settings: Settings, measure: Measure, *, has_classes: bool = True
) -> Distribution:
    """Return the distribution of a difference before any data."""
    return posterior_before(model, prior, settings, has_classes=has_classes).difference(measure)


# --- one system ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, eq=False)
class OneTableFit(Fit):
    """One system under a model of counts."""

    table: Counts

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """There is nothing to subtract."""
        raise InputError("a difference needs two systems.")

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of the system's measure."""
        return _law_of_one(self.question, self.table, measure)

    def kept_value(self, law: Distribution, which: int, measure: Any) -> Distribution | LazyDistribution | None:
        """Return the distribution itself where it is small, or cannot be made again; otherwise its recipe."""
        return _kept(law, partial(_law_of_one, self.question, self.table, measure))

    def observed(self, which: int, measure: Any) -> float:
        """Return the measure of the counts."""
        return observed(measure, self.table)


def _law_of_one(question: Question, table: Counts, measure: Any) -> Distribution:
    """Return the posterior of one system's measure."""
    model, settings = question.model, question.settings
    prior = question.prior.of(measure, model)
    if settings.method != "mcmc":
        if prior.laws:
            raise InputError("a non-conjugate prior needs MCMC: use ⟨method=mcmc⟩.")
        from outclass.models import model_of

        posterior = model_of(model, ["one"]).posterior.fit(table, prior, settings)
        return of_line(posterior.law, measure, shifted=True)
    if model != "single":
        raise InputError(f"MCMC supports the single model, not {model}: leave out ⟨method=mcmc⟩.")
    from outclass.models.mcmc import Sampled  # loaded with the rest of PyMC alone

    return Sampled.fit_one(table, prior, settings).system(0, measure)


def fit_one(data: Any, system: str, table: Counts, positive: Label | None, question: Question) -> OneTableFit:
    """Learn from one system's counts."""
    return OneTableFit(
        data=data,
        question=question,
        model=f"one.{question.model}",
        title=question.model,
        prior=question.prior.name,
        prior_words=question.prior.words,
        systems=(system,),
        items=int(table.sum()),
        label=positive,
        findings=data.findings,
        table=table,
    )
