"""One pair, one positive label, one or more measures: from counts to the rows of an answer."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import Any, cast

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.outcomes import Outcomes
from outclass.data.pair import PairData
from outclass.data.published import ConfusionCounts, CountsPair, WinCounts
from outclass.errors import InputError
from outclass.inference.chains import Chains
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Distribution, Interval, equal_tailed
from outclass.inference.lazy import LazyDistribution
from outclass.inference.mode import mode_of
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.measures.measure import Measure
from outclass.models import Posterior, fitted
from outclass.models.evidence import Evidence, Wins, rights
from outclass.models.goutte import GoutteOne
from outclass.models.paired import Paired
from outclass.models.prior import Prior, prior_of
from outclass.models.sign import Sign
from outclass.models.single import Single
from outclass.rows.checks.labels import (
    additional_items_of,
    notice,
    notice_chains,
    notice_data,
    notice_pair,
    notice_rope,
    notice_table,
)
from outclass.rows.types import Appraisal, Contrast, LogOdds, MeasureInfo, Pairing, SystemSummary
from outclass.significance.permutation import permutation_exact
from outclass.significance.result import TestResult
from outclass.significance.sign import sign_exact
from outclass.significance.welch import welch_t
from outclass.verdict import bayes_factor
from outclass.verdict.bayes_factor import BayesFactor
from outclass.verdict.rope import Rope, decide

QUICK = 200_000  # terms of a sum that are no trouble
UNIFORM = prior_of("uniform")
FACTOR_TOLERANCE = 5e-4  # Bayes factors are read to two digits


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of every pair."""

    measures: tuple[Measure, ...]
    model: str
    prior: Prior
    rope: Rope
    hdi_mass: float
    settings: Settings


def contrast(pair: PairData, positive: Label | None, question: Question) -> list[Contrast]:
    """Answer a question about one pair, all measures from one posterior."""
    check_exact(question.measures, question.settings)
    evidence = evidence_of(pair, positive)
    if not evidence.negatives_known and question.model != "goutte":
        raise InputError(
            f"the {question.model} model needs the true negatives too: give tn in both counts, or use the goutte model."
        )
    common = (*pair.findings, *notice_data(pair, positive, evidence, question.model, question.prior))
    tests = _tests(evidence)
    rough = _rough(question)

    @cache  # measures with the same prior have the same posterior
    def posterior_of(prior: Prior, settings: Settings) -> Posterior:
        return fitted(question.model, evidence, prior, settings)

    def row_of(measure: Measure) -> Contrast:
        prior = question.prior.of(measure, question.model)
        posterior = posterior_of(prior, question.settings)
        # The same without what it remembers: enough to make a law again.
        again = posterior if question.settings.method == "mcmc" else replace(cast("Any", posterior))
        law = posterior.difference(measure)
        values = [math.nan] * 2
        if evidence.systems is not None:
            values = [observed(measure, table) for table in evidence.systems]
        rope = question.rope.of(values, measure.low, measure.high, higher_is_better=measure.higher_is_better)
        difference = summarise(law, rope, question.hdi_mass)
        verdict = decide(difference.hdi, rope)
        systems = tuple(
            _system(
                name,
                own(),
                measure,
                None if evidence.systems is None else evidence.systems[which],
                question.hdi_mass,
                own,
            )
            for which, name in enumerate((pair.a, pair.b))
            for own in (_own(again, which, measure, evidence, question),)
        )
        # Bayes factors compare with the prior itself, so they take one that is fit for that: the papers'.
        judging = UNIFORM if prior.matched else prior
        before = _prior_numbers(question.model, judging, rough, measure, rope)
        if prior.matched:
            # The uniform prior is conjugate: its factors need no second chain.
            method = "auto" if question.settings.method == "mcmc" else question.settings.method
            tolerance = max(FACTOR_TOLERANCE, question.settings.tolerance)
            coarse = replace(question.settings, method=method, tolerance=tolerance)
            factors = _factors(posterior_of(judging, coarse), None, measure, evidence, question, before, rough, rope)
        else:
            factors = _factors(posterior, law, measure, evidence, question, before, rough, rope)
        row = Contrast(
            systems=(systems[0], systems[1]),
            measure=info(measure),
            label=positive,
            model=question.model,
            prior=question.prior.name,
            items=pair.items,
            observed=_observed_difference(evidence, systems, measure),
            difference=difference,
            rope=rope,
            hdi_mass=question.hdi_mass,
            verdict=verdict,
            bayes_factors=factors,
            tests=(*tests, *_own_test(measure, evidence)),
            pairing=_pairing(systems, difference.std, pair.items) if question.model == "paired" else None,
            log_odds=_log_odds(posterior, question.hdi_mass) if isinstance(posterior, Sign) else None,
            additional_items=additional_items_of(verdict, difference, pair.items, rope, question.hdi_mass),
            findings=common,
            seed=question.settings.seed,
            method=law.method,
            prior_words=question.prior.words,
            diagnostics=law.diagnostics if isinstance(law, Chains) else None,
            law=_kept(law, partial(again.difference, measure)),
            factor_prior=judging.name if factors else "",
            prior_law=LazyDistribution(
                None if prior.matched else before.law, partial(_prior_law, question.model, prior, rough, measure)
            ),
            evidence=evidence,
        )
        notes = [
            *common,
            *notice_pair(pair, measure, evidence, question.model),
            *notice_rope(row, question.rope, measure.low, measure.high, _of_constant(measure, evidence)),
        ]
        return replace(row, findings=(*notes, *notice(row, measure, question.settings)))

    return [row_of(measure) for measure in question.measures]


def _right_and_wrong(table: Counts) -> tuple[int, int]:
    right = int(table[0, 0] + table[1, 1])
    return right, int(table.sum()) - right


def _of_constant(measure: Measure, evidence: Evidence) -> float:
    """Return the measure of a system that always gives the same answer: the better of the two there are."""
    if evidence.systems is None or not evidence.negatives_known:
        return math.nan
    positives, negatives = (int(count) for count in evidence.systems[0].sum(axis=1))
    both = [float(measure(positives, negatives, 0, 0)), float(measure(0, 0, positives, negatives))]
    known = [value for value in both if not math.isnan(value)]
    return (max if measure.higher_is_better else min)(known, default=math.nan)


def _own(
    again: Posterior, which: int, measure: Measure, evidence: Evidence, question: Question
) -> Callable[[], Distribution | None]:
    """Return how one system's own law is made: as `evaluate` makes it, wherever the prior allows that."""
    if question.model == "sign" and evidence.systems is not None and measure.name in ("accuracy", "error"):
        right, wrong = (float(count) for count in _right_and_wrong(evidence.systems[which]))
        ends = (right + 1, wrong + 1) if measure.name == "accuracy" else (wrong + 1, right + 1)
        return partial(BetaLaw, *ends)
    prior = question.prior.of(measure, "single")
    alone = all(not isinstance(part, tuple) or len(part) == 2 for part in (prior.positives, prior.negatives))
    if (
        question.model not in ("paired", "unpaired")
        or question.settings.method == "mcmc"
        or not alone
        or evidence.systems is None
    ):
        return partial(again.system, which, measure)
    return partial(Single.fit(evidence.systems[which], prior, question.settings).law, measure)


def evidence_of(trial: PairData, positive: Label | None) -> Evidence:
    """Return what a model learns from a trial."""
    if isinstance(trial, WinCounts):
        a, b = trial.wins_a, trial.wins_b
        return Evidence(joint=None, systems=None, wins=Wins(a, b, trial.items - a - b))
    if isinstance(trial, CountsPair):
        known = trial.first.tn is not None and trial.second.tn is not None
        return Evidence(joint=None, systems=(trial.first.table, trial.second.table), negatives_known=known)
    if positive is None:
        # Who is right, of any number of labels: a table whose only class is "right or wrong".
        right = trial.rights()
        if right is None:
            raise InputError("the sign model needs two systems on the same items.")
        (both, a), (b, neither) = (tuple(map(int, row)) for row in right)
        tables = [np.array([[hits, both + a + b + neither - hits], [0, 0]]) for hits in (both + a, both + b)]
        return Evidence(joint=None, systems=(tables[0], tables[1]), wins=Wins(a, b, both + neither), has_classes=False)
    joint = trial.joint(positive)
    return Evidence(joint=None, systems=trial.tables(positive)) if joint is None else Evidence.of_joint(joint)


def _observed_difference(evidence: Evidence, systems: Sequence[SystemSummary], measure: Measure) -> float:
    if evidence.systems is None and evidence.wins is not None:
        wins = evidence.wins
        lead = (wins.a - wins.b) / max(sum(wins), 1)
        return lead if measure.higher_is_better else -lead
    return systems[0].observed - systems[1].observed


def _log_odds(posterior: Sign, hdi_mass: float) -> LogOdds:
    law = posterior.log_odds()
    return LogOdds(mean=law.mean, std=law.std, hdi=law.hdi(hdi_mass))


def check_exact(measures: Sequence[Measure], settings: Settings) -> None:
    """Refuse to pass sampling off as integration."""
    for measure in measures:
        if settings.method == "exact" and measure.ratio is None:
            raise InputError(
                f"{measure.title} cannot be integrated exactly; use method auto, which takes Sobol draws for it."
            )


ONE_SYSTEM: dict[str, type[Single] | type[GoutteOne]] = {"single": Single, "goutte": GoutteOne}


def appraise(
    source: Outcomes | ConfusionCounts,
    system: str,
    positive: Label | None,
    measure: Measure,
    model: str,
    prior: Prior,
    hdi_mass: float,
    settings: Settings,
) -> Appraisal:
    """Judge one system in one measure."""
    check_exact([measure], settings)
    if isinstance(source, ConfusionCounts):
        table = source.table
        if source.tn is None and model != "goutte":
            raise InputError(f"the {model} model needs the true negatives too: add tn=N, or use the goutte model.")
    else:
        assert positive is not None
        table = source.table(system, positive)
    law = _law_of_one(table, measure, model, prior.of(measure, model), settings)
    return Appraisal(
        system=_system(system, law, measure, table, hdi_mass),
        median=float(law.quantile(0.5)),
        mode=mode_of(law),
        equal_tailed=equal_tailed(law, hdi_mass),
        measure=info(measure),
        label=positive,
        model=model,
        prior=prior.name,
        items=int(table.sum()),
        hdi_mass=hdi_mass,
        findings=(
            *source.findings,
            *notice_table(system, table, measure, model),
            *(notice_chains(law) if isinstance(law, Chains) else ()),
        ),
        seed=settings.seed,
        method=law.method,
        prior_words=prior.words,
        diagnostics=law.diagnostics if isinstance(law, Chains) else None,
        law=law,
    )


def _law_of_one(table: Counts, measure: Measure, model: str, prior: Prior, settings: Settings) -> Distribution:
    if settings.method != "mcmc":
        if prior.laws:
            raise InputError("a prior that is not conjugate needs chains: use method mcmc.")
        return ONE_SYSTEM[model].fit(table, prior, settings).law(measure)
    if model != "single":
        raise InputError(f"chains are run for the single model, not for {model}: leave out mcmc.")
    from outclass.models.mcmc import Sampled  # loaded with the rest of PyMC alone

    return Sampled.fit_one(table, prior, settings).system(0, measure)


def info(measure: Measure) -> MeasureInfo:
    """Return what a report must know of a measure."""
    return MeasureInfo(name=measure.name, title=measure.title, higher_is_better=measure.higher_is_better)


def observed(measure: Measure, table: Counts) -> float:
    """Return the measure of the data themselves."""
    (tp, fn), (fp, tn) = table
    return float(measure(tp, fp, fn, tn))


def _system(
    name: str,
    law: Distribution | None,
    measure: Measure,
    table: Counts | None,
    hdi_mass: float,
    make: Callable[[], Distribution | None] | None = None,
) -> SystemSummary:
    """Return what is known of one system; a model of wins knows nothing of it, and a count of wins less."""
    seen = math.nan if table is None else observed(measure, table)
    if law is None:
        nothing = Interval(math.nan, math.nan)
        return SystemSummary(name=name, observed=seen, mean=math.nan, std=math.nan, hdi=nothing)
    kept = law if make is None else _kept(law, make)
    return SystemSummary(name=name, observed=seen, mean=law.mean, std=law.std, hdi=law.hdi(hdi_mass), law=kept)


def _kept(law: Distribution, make: Callable[[], Distribution | None]) -> Distribution | LazyDistribution:
    """Return what an answer holds of a law: the law itself where it is small, or cannot be made again."""
    return law if isinstance(law, Chains | BetaLaw) else LazyDistribution(law, cast("Callable[[], Distribution]", make))


def _pairing(systems: tuple[SystemSummary, ...], std: float, items: int) -> Pairing | None:
    """Compare with the spread that two independent systems of the same posteriors would have."""
    apart = math.hypot(*(system.std for system in systems))
    if not (std > 0 and apart > 0):
        return None
    return Pairing(narrower=1 - std / apart, items_saved=max(0, round(items * ((apart / std) ** 2 - 1))))


def _tests(evidence: Evidence) -> tuple[TestResult, ...]:
    """The two p-values that the 2016 paper prints beside its answer."""
    tests = []
    if evidence.wins is not None:
        tests.append(sign_exact(evidence.wins.a, evidence.wins.b))
    if evidence.systems is not None and evidence.negatives_known:
        (right_a, wrong_a), (right_b, wrong_b) = map(_right_and_wrong, evidence.systems)
        tests.append(welch_t(right_a, right_a + wrong_a, right_b, right_b + wrong_b))
    return tuple(tests)


def _own_test(measure: Measure, evidence: Evidence) -> tuple[TestResult, ...]:
    """The test of the measure itself, where both systems saw the same items."""
    if evidence.joint is None:
        return ()
    return (permutation_exact(measure, evidence.joint, most_cells=QUICK),)


def _factors(
    posterior: Posterior,
    law: Distribution | None,
    measure: Measure,
    evidence: Evidence,
    question: Question,
    before: "_Before",
    rough: Settings,
    rope: Interval,
) -> tuple[BayesFactor, ...]:
    """Every Bayes factor that the model and the data allow."""
    law = posterior.difference(measure) if law is None else law
    after = float(law.pdf(0.0))
    by_chains = isinstance(law, Chains)
    infinite = math.isnan(before.density) and not question.prior.laws
    factors = [bayes_factor.interval_null(law, before.odds, rope, prior_is_infinite=infinite)]
    if not by_chains:
        # A density at one point is not for draws: they tell neither a very small one nor one without bounds.
        factors.append(bayes_factor.savage_dickey(after, before.density, conditional=False))
    if isinstance(posterior, Paired):
        # What is known before a test of which the number of positives is known.
        given_mu = replace(Paired.fit(_nothing(), before.prior, rough), mu=posterior.mu)
        known = given_mu.density_at_zero(measure, share_known=True)
        factors.insert(1, bayes_factor.savage_dickey(after, known, conditional=True))
    if question.model in ("paired", "unpaired"):
        factors.append(bayes_factor.paper_recipe(law, before.kernel))
    if evidence.wins is not None and question.model in ("paired", "sign"):
        pseudo = before.prior.outcomes("wins", 3)[:2] if isinstance(posterior, Sign) else (1.0, 1.0)
        factors.append(bayes_factor.same_accuracy(evidence.wins.a, evidence.wins.b, (pseudo[0], pseudo[1])))
    if evidence.joint is not None and question.model == "paired":
        right = rights(evidence.joint)
        factors += [bayes_factor.same_or_dependent(right), bayes_factor.independent_or_dependent(right)]
    if evidence.systems is not None and evidence.negatives_known:
        factors.append(bayes_factor.same_or_independent(*map(_right_and_wrong, evidence.systems)))
    return tuple(factors)


def _rough(question: Question) -> Settings:
    """A prior's numbers only scale the factors, so a tenth of the accuracy is enough, and they serve again."""
    settings = replace(question.settings, tolerance=min(0.05, 10 * question.settings.tolerance))
    # A conjugate prior needs no chain.
    return replace(settings, method="auto") if settings.method == "mcmc" and not question.prior.laws else settings


@dataclass(frozen=True, slots=True)
class _Before:
    prior: Prior
    law: Distribution
    odds: float
    density: float
    kernel: float


@lru_cache(maxsize=256)
def _prior_numbers(model: str, prior: Prior, settings: Settings, measure: Measure, rope: Interval) -> _Before:
    """Return what the Bayes factors need of the prior; the same for every pair and label."""
    law = _prior_law(model, prior, settings, measure)
    return _Before(
        prior=prior,
        law=law,
        odds=bayes_factor.odds(law, rope),
        density=fitted(model, _nothing(), prior, settings).density_at_zero(measure),
        kernel=bayes_factor.kernel_density(law, smooth=False),
    )


def _prior_law(model: str, prior: Prior, settings: Settings, measure: Measure) -> Distribution:
    return fitted(model, _nothing(), prior, settings).difference(measure)


def _nothing() -> Evidence:
    return Evidence.of_joint(np.zeros((2, 4), dtype=np.int64))
