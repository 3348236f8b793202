"""The one builder of rows: a fit, two systems and a measure give a `Contrast`; one system gives an `Appraisal`."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from outclass.inference.chains import Chains
from outclass.inference.distribution import Distribution, Interval, equal_tailed
from outclass.inference.draws import Draws
from outclass.inference.lazy import LazyDistribution
from outclass.inference.mode import mode_of
from outclass.inference.summary import Summary, summarise
from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import Fit
from outclass.models.judged_fit import JudgedFit
from outclass.models.sent_draws import kept_draws
from outclass.models.table.sign import Sign
from outclass.models.table_fit import TableFit
from outclass.planning.additional_items import AdditionalItems, additional_items
from outclass.rows.beside import tests_beside
from outclass.rows.checks import Case, findings_of
from outclass.rows.factors import factors_of
from outclass.rows.labelling_types import Labelling
from outclass.rows.runs import runs_part, system_runs
from outclass.rows.same_items import unknown_agreement
from outclass.rows.tipping import tipping_point
from outclass.rows.types import Appraisal, Contrast, LogOdds, MeasureInfo, Pairing, SystemSummary
from outclass.verdict.rope import Verdict

REMEMBERED: Final = 10_000  # systems' numbers: many rare labels have the same counts
KEPT: Final = 40  # rows that keep what their posteriors were made from: up to some megabytes each


def contrast(fit: Fit, a: int, b: int, measure: Any) -> Contrast:
    """Answer for one pair and one measure."""
    question = fit.question
    law = fit.difference(a, b, measure)
    systems = (system_summary(fit, a, measure, b), system_summary(fit, b, measure, a))
    observed = [system.observed for system in systems]
    rope = question.rope.of(observed, measure.low, measure.high, higher_is_better=measure.higher_is_better)
    difference = summarise(law, rope, question.hdi_mass)
    beyond = fit.rope_probabilities(law, a, b, measure, rope)
    verdict = fit.verdict(difference.hdi, rope, beyond)
    factors = factors_of(fit, a, b, measure, law, rope)
    row = Contrast(
        systems=systems,
        observed=fit.observed_difference(a, b, measure),
        difference=difference,
        rope=rope,
        verdict=verdict,
        bayes_factors=factors.factors,
        tests=tests_beside(fit, a, b, measure),
        pairing=_pairing(fit, a, b, measure, systems, difference.std),
        log_odds=_log_odds(fit, measure),
        additional_items=_additional(fit, verdict, difference, rope),
        rope_probabilities=beyond,
        unknown_agreement=unknown_agreement(fit, measure, rope, difference.hdi) if isinstance(fit, TableFit) else None,
        runs=runs_part(fit, a, b, measure, difference, rope),
        labelling=_labelling(fit, a, b, measure, difference.hdi),
        law=fit.kept_difference(law, a, b, measure),
        factor_prior=factors.prior,
        prior_law=kept_draws(factors.before) if type(factors.before) is Draws else factors.before,
        evidence=fit.evidence if isinstance(fit, TableFit) else None,
        **_shared(fit, measure, law),
    )
    row = replace(row, tipping_point=tipping_point(fit, a, b, measure, row))
    return replace(row, findings=findings_of(Case(fit=fit, measure=measure, a=a, b=b, row=row)))


def contrasts(fit: Fit) -> list[Contrast]:
    """Answer for every pair and measure of a fit."""
    places = range(len(fit.systems))
    asked = [(a, b, measure) for a in places for b in places[a + 1 :] for measure in fit.question.measures]
    rows = []
    for a, b, measure in asked:
        rows.append(contrast(fit, a, b, measure))
        if len(asked) > KEPT:
            rows[-1].forget()
    if fit.question.by_label and isinstance(fit, DrawsFit):
        # Draws of labels are found by the labels' names; the rows are of F1.
        shown = MeasureInfo(name="f1", title="F1", higher_is_better=True, in_points=True)
        rows = [replace(row, measure=shown, label=row.measure.name) for row in rows]
    return rows


def appraise(fit: Fit, which: int, measure: Any) -> Appraisal:
    """Judge one system in one measure."""
    question = fit.question
    law = fit.value(which, measure)
    assert law is not None
    summary = system_summary(fit, which, measure, law=law)
    row = Appraisal(
        system=summary,
        median=float(law.quantile(0.5)),
        mode=mode_of(law),
        equal_tailed=equal_tailed(law, question.hdi_mass),
        law=summary.law,
        runs=system_runs(fit, which, measure),
        **_shared(fit, measure, law),
    )
    return replace(row, findings=findings_of(Case(fit=fit, measure=measure, a=which, row=row)))


def _shared(fit: Fit, measure: Any, law: Distribution) -> dict[str, Any]:
    """Return what every row says of where its numbers come from; findings are added when the row is there."""
    return {
        "measure": info(measure),
        "label": fit.label,
        "model": fit.title,
        "model_key": fit.model,
        "prior": fit.prior,
        "prior_words": fit.prior_words,
        "items": fit.items,
        "hdi_mass": fit.question.hdi_mass,
        "findings": (),
        "seed": fit.question.settings.seed,
        "method": law.method,
        "diagnostics": law.diagnostics if isinstance(law, Chains) else None,
    }


def info(measure: Any) -> MeasureInfo:
    """Return what a report must know of a measure."""
    return MeasureInfo(
        name=measure.name,
        title=measure.title,
        higher_is_better=measure.higher_is_better,
        in_points=(measure.low, measure.high) in ((0.0, 1.0), (-1.0, 1.0)),
    )


def system_summary(
    fit: Fit, which: int, measure: Any, beside: int | None = None, law: Distribution | None = None
) -> SystemSummary:
    """Return what is known of one system; a model of wins knows nothing of it."""
    name, observed, mass = fit.systems[which], fit.observed(which, measure), fit.question.hdi_mass
    key = fit.value_key(which, measure) if law is None else None
    if key is not None and (numbers := _known().get((key, mass))) is not None:
        mean, std, hdi, recipe = numbers
        return SystemSummary(name=name, observed=observed, mean=mean, std=std, hdi=hdi, law=recipe)
    law = fit.value(which, measure, beside) if law is None else law
    if law is None:
        return SystemSummary(
            name=name, observed=observed, mean=math.nan, std=math.nan, hdi=Interval(math.nan, math.nan)
        )
    kept = fit.kept_value(law, which, measure)
    found = SystemSummary(name=name, observed=observed, mean=law.mean, std=law.std, hdi=law.hdi(mass), law=kept)
    if key is not None and isinstance(kept, LazyDistribution):
        if len(_known()) >= REMEMBERED:
            _known().clear()
        _known()[key, mass] = found.mean, found.std, found.hdi, kept.recipe
    return found


@lru_cache(maxsize=1)
def _known() -> dict[Any, tuple[float, float, Interval, LazyDistribution]]:
    """Return what was read off systems' posteriors before."""
    return {}


def _pairing(
    fit: Fit, a: int, b: int, measure: Any, systems: tuple[SystemSummary, SystemSummary], std: float
) -> Pairing | None:
    """Compare with the spread that two independent systems of the same posteriors would have."""
    apart = math.hypot(*(system.std for system in systems))
    own = fit.unpaired_std(a, b, measure, std, apart)
    if own is None or not (own > 0 and apart > 0 and std > 0):
        return None
    return Pairing(narrower=1 - own / apart, items_saved=max(0, round(fit.items * ((apart / own) ** 2 - 1))))


def _additional(fit: Fit, verdict: Verdict, difference: Summary, rope: Interval) -> AdditionalItems | None:
    """Say how many more items would decide, where the verdict is still open."""
    if verdict.is_decided or rope.width == 0 or not fit.adds_by_items or not difference.std > 0:
        return None
    return additional_items(difference.mean, difference.std, fit.items, rope, fit.question.hdi_mass)


def _labelling(fit: Fit, a: int, b: int, measure: Any, hdi: Interval) -> Labelling | None:
    if not isinstance(fit, JudgedFit):
        return None
    from outclass.rows.labelling import labelling_of  # loaded for partly labelled items alone

    values = fit.values[measure.name]
    return labelling_of(fit, a, b, measure, values[:, a] - values[:, b], hdi)


def _log_odds(fit: Fit, measure: Any) -> LogOdds | None:
    posterior = fit.posterior(measure) if isinstance(fit, TableFit) else None
    if not isinstance(posterior, Sign):
        return None
    law = posterior.log_odds()
    return LogOdds(mean=law.mean, std=law.std, hdi=law.hdi(fit.question.hdi_mass))
