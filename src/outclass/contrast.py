"""One pair, one positive label, one or more measures: from counts to the rows of an answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.outcomes import Outcomes
from outclass.data.trial import Pair
from outclass.errors import InputError
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.measures.measure import Measure
from outclass.models import model_of
from outclass.models.evidence import Evidence
from outclass.models.paired import Paired
from outclass.models.prior import Prior
from outclass.models.single import Single
from outclass.models.unpaired import Unpaired
from outclass.noticing import notice, notice_data, notice_table
from outclass.results import Appraisal, Contrast, MeasureInfo, Pairing, SystemSummary
from outclass.significance.result import TestResult
from outclass.significance.sign import sign_exact
from outclass.significance.welch import welch_t
from outclass.verdict import bayes_factor
from outclass.verdict.bayes_factor import BayesFactor
from outclass.verdict.rope import decide


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of every pair."""

    measures: tuple[Measure, ...]
    model: str
    prior: Prior
    rope: Interval
    hdi_mass: float
    settings: Settings


def contrast(pair: Pair, positive: Label, question: Question) -> list[Contrast]:
    """Answer a question about one pair, all measures from one posterior."""
    check_exact(question.measures, question.settings)
    joint = pair.joint(positive)
    evidence = Evidence(joint=joint, systems=pair.tables(positive))
    posterior = model_of(question.model).fit(evidence, question.prior, question.settings)
    common = (*pair.findings, *notice_data(pair, positive, evidence, question.model, question.prior))
    tests = _tests(evidence)
    rows = []
    for measure in question.measures:
        law = posterior.difference(measure)
        difference = summarise(law, question.rope, question.hdi_mass)
        verdict = decide(difference.hdi, question.rope)
        systems = tuple(
            _system(name, posterior.system(which, measure), measure, evidence.systems[which], question.hdi_mass)
            for which, name in enumerate((pair.a, pair.b))
        )
        factors = _factors(posterior, law, measure, evidence, question)
        row = Contrast(
            systems=(systems[0], systems[1]),
            measure=info(measure),
            label=positive,
            model=question.model,
            prior=question.prior.name,
            items=pair.items,
            observed=systems[0].observed - systems[1].observed,
            difference=difference,
            rope=question.rope,
            hdi_mass=question.hdi_mass,
            verdict=verdict,
            bayes_factors=factors,
            tests=tests,
            pairing=_pairing(systems, difference.std, pair.items) if isinstance(posterior, Paired) else None,
            findings=common,
            seed=question.settings.seed,
            method=law.method,
            posterior=law,
        )
        rows.append(replace(row, findings=(*common, *notice(row, measure, question.settings))))
    return rows


def check_exact(measures: Sequence[Measure], settings: Settings) -> None:
    """Refuse to pass sampling off as integration."""
    for measure in measures:
        if settings.method == "exact" and measure.ratio is None:
            raise InputError(
                f"{measure.title} cannot be integrated exactly; use method auto, which takes Sobol draws for it."
            )


def appraise(
    outcomes: Outcomes,
    system: str,
    positive: Label,
    measure: Measure,
    prior: Prior,
    hdi_mass: float,
    settings: Settings,
) -> Appraisal:
    """Judge one system in one measure."""
    check_exact([measure], settings)
    table = outcomes.table(system, positive)
    law = Single.fit(table, prior, settings).law(measure)
    return Appraisal(
        system=_system(system, law, measure, table, hdi_mass),
        measure=info(measure),
        label=positive,
        model="single",
        prior=prior.name,
        items=outcomes.items,
        hdi_mass=hdi_mass,
        findings=(*outcomes.findings, *notice_table(system, table, measure)),
        seed=settings.seed,
        method=law.method,
        posterior=law,
    )


def info(measure: Measure) -> MeasureInfo:
    """Return what a report must know of a measure."""
    return MeasureInfo(name=measure.name, title=measure.title, higher_is_better=measure.higher_is_better)


def observed(measure: Measure, table: Counts) -> float:
    """Return the measure of the data themselves."""
    (tp, fn), (fp, tn) = table
    return float(measure(tp, fp, fn, tn))


def _system(name: str, law: Distribution, measure: Measure, table: Counts, hdi_mass: float) -> SystemSummary:
    return SystemSummary(
        name=name, observed=observed(measure, table), mean=law.mean, std=law.std, hdi=law.hdi(hdi_mass)
    )


def _pairing(systems: tuple[SystemSummary, ...], std: float, items: int) -> Pairing | None:
    """Compare with the spread that two independent systems of the same posteriors would have."""
    apart = math.hypot(*(system.std for system in systems))
    if not (std > 0 and apart > 0):
        return None
    return Pairing(narrower=1 - std / apart, items_saved=max(0, round(items * ((apart / std) ** 2 - 1))))


def _tests(evidence: Evidence) -> tuple[TestResult, ...]:
    """The two p-values that the 2016 paper prints beside its answer."""
    rights = [int(table[0, 0] + table[1, 1]) for table in evidence.systems]
    sizes = [int(table.sum()) for table in evidence.systems]
    tests = [welch_t(rights[0], sizes[0], rights[1], sizes[1])]
    if evidence.joint is not None:
        right = _right(evidence.joint)
        tests.insert(0, sign_exact(int(right[0, 1]), int(right[1, 0])))
    return tuple(tests)


def _right(joint: Counts) -> Counts:
    """Return how often A (rows) and B (columns) are right and wrong, in that order."""
    (pp, pa, pb, pn), (np_, na, nb, nn) = joint
    return np.array([[pp + nn, pa + nb], [pb + na, pn + np_]], dtype=np.int64)


def _factors(
    posterior: Paired | Unpaired, law: Distribution, measure: Measure, evidence: Evidence, question: Question
) -> tuple[BayesFactor, ...]:
    """Every Bayes factor that the model and the data allow."""
    # A prior's numbers only scale the factors, so a tenth of the accuracy is enough, and they serve again.
    settings = replace(question.settings, tolerance=min(0.05, 10 * question.settings.tolerance))
    before = _prior_numbers(question.model, question.prior, settings, measure, question.rope)
    after = float(law.pdf(0.0))
    factors = [
        bayes_factor.interval_null(law, before.odds, question.rope, prior_is_infinite=math.isnan(before.density)),
        bayes_factor.savage_dickey(after, before.density, conditional=False),
    ]
    if isinstance(posterior, Paired):
        empty = Paired.fit(_nothing(), question.prior, settings)
        known = replace(empty, mu=posterior.mu).density_at_zero(measure, share_known=True)
        factors.insert(1, bayes_factor.savage_dickey(after, known, conditional=True))
    factors.append(bayes_factor.paper_recipe(law, before.kernel))
    rights = [(int(table[0, 0] + table[1, 1]), int(table[0, 1] + table[1, 0])) for table in evidence.systems]
    if evidence.joint is not None and isinstance(posterior, Paired):
        right = _right(evidence.joint)
        factors += [
            bayes_factor.same_accuracy(int(right[0, 1]), int(right[1, 0])),
            bayes_factor.same_or_dependent(right),
            bayes_factor.independent_or_dependent(right),
        ]
    factors.append(bayes_factor.same_or_independent(*rights))
    return tuple(factors)


@dataclass(frozen=True, slots=True)
class _Before:
    odds: float
    density: float
    kernel: float


@lru_cache(maxsize=256)
def _prior_numbers(model: str, prior: Prior, settings: Settings, measure: Measure, rope: Interval) -> _Before:
    """Return what the Bayes factors need of the prior; the same for every pair and label."""
    empty = model_of(model).fit(_nothing(), prior, settings)
    law = empty.difference(measure)
    density = (
        empty.density_at_zero(measure, share_known=False)
        if isinstance(empty, Paired)
        else empty.density_at_zero(measure)
    )
    return _Before(
        odds=bayes_factor.odds(law, rope), density=density, kernel=bayes_factor.kernel_density(law, smooth=False)
    )


def _nothing() -> Evidence:
    return Evidence.of_joint(np.zeros((2, 4), dtype=np.int64))
