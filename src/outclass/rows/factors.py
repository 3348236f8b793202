"""Bayes factors: every one that the model and the data allow."""

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from outclass.inference.chains import Chains
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.mixture import Mixture
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models.draws_fit import DrawsFit
from outclass.models.evidence import rights
from outclass.models.fit import Fit
from outclass.models.prior import Prior
from outclass.models.table.paired import Paired
from outclass.models.table.sign import Sign
from outclass.models.table_fit import NOTHING, TableFit, law_before, posterior_before, right_and_wrong
from outclass.verdict import bayes_factor
from outclass.verdict.bayes_factor import FEW_DRAWS, BayesFactor


class Factors(NamedTuple):
    """Bayes factors, the prior they are under, and the difference's distribution before the data."""

    factors: tuple[BayesFactor, ...] = ()
    prior: str = ""
    before: Any = None


def factors_of(fit: Fit, a: int, b: int, measure: Any, law: Distribution, rope: Interval) -> Factors:
    """Return every Bayes factor that the model and the data allow."""
    if isinstance(fit, TableFit):
        return _of_table(fit, measure, law, rope)
    if isinstance(fit, DrawsFit) and fit.prior_fit is not None and fit.judged is not None:
        return _of_weights(fit.judged, fit.prior_fit, a, b, measure, rope)
    return Factors()


def _of_weights(judged: DrawsFit, before: DrawsFit, a: int, b: int, measure: Any, rope: Interval) -> Factors:
    """Compare the odds of practical equivalence before and after the data."""
    values = before.joint_draws(measure)
    apart = (values[:, a] - values[:, b])[np.isfinite(values[:, [a, b]]).all(axis=1)]
    inside = float(np.sum((apart >= rope.low) & (apart <= rope.high)))
    if min(inside, len(apart) - inside) < FEW_DRAWS:
        return Factors()  # the odds before the data are not known: a ROPE next to nothing, or next to everything
    prior = before.difference(a, b, measure)
    odds = bayes_factor.odds(prior, rope)
    factor = bayes_factor.interval_null(judged.difference(a, b, measure), odds, rope)
    if math.isnan(factor.value):
        return Factors()
    return Factors((factor,), "uniform" if judged.question.mass is None else judged.prior, prior)


class _Before(NamedTuple):
    law: Distribution
    odds: float
    density: float
    kernel: float


@lru_cache(maxsize=256)
def _before(
    model: str, prior: Prior, settings: Settings, measure: Measure, rope: Interval, *, has_classes: bool
) -> _Before:
    """Return what the Bayes factors need of the prior; the same for every pair and label."""
    law = law_before(model, prior, settings, measure, has_classes=has_classes)
    return _Before(
        law=law,
        odds=bayes_factor.odds(law, rope),
        density=posterior_before(model, prior, settings, has_classes=has_classes).density_at_zero(measure),
        kernel=bayes_factor.kernel_density(law, smooth=False),
    )


def _of_table(fit: TableFit, measure: Any, law: Distribution, rope: Interval) -> Factors:
    evidence, prior = fit.evidence, fit.judging(measure)
    before = _before(fit.key, prior, fit.rough, measure, rope, has_classes=evidence.has_classes)
    posterior: Any = fit.judged(measure)
    law = fit.judged_difference(measure) if fit.question.prior.matched else law
    if isinstance(law, Mixture):
        law.look(bayes_factor.asked(law, rope))
    after = float(law.pdf(0.0))
    infinite = math.isnan(before.density) and not fit.question.prior.laws
    factors = [bayes_factor.interval_null(law, before.odds, rope, prior_is_infinite=infinite)]
    if isinstance(posterior, Paired):
        factors.append(
            bayes_factor.savage_dickey(after, _given_share(fit, posterior, prior, measure), conditional=True)
        )
    if not isinstance(law, Chains):
        # A density at one point is not for draws: they tell neither a very small one nor one without bounds.
        factors.append(bayes_factor.savage_dickey(after, before.density, conditional=False))
    if fit.key in ("paired", "unpaired"):
        factors.append(bayes_factor.paper_recipe(law, before.kernel))
    if evidence.wins is not None and fit.key in ("paired", "sign"):
        pseudo = prior.outcomes("wins", 3)[:2] if isinstance(posterior, Sign) else (1.0, 1.0)
        factors.append(bayes_factor.same_accuracy(evidence.wins.a, evidence.wins.b, (pseudo[0], pseudo[1])))
    if evidence.joint is not None and fit.key == "paired":
        right = rights(evidence.joint)
        factors += [bayes_factor.same_or_dependent(right), bayes_factor.independent_or_dependent(right)]
    if evidence.systems is not None and evidence.negatives_known:
        factors.append(bayes_factor.same_or_independent(*map(right_and_wrong, evidence.systems)))
    return Factors(tuple(factors), prior.name, fit.prior_law(measure, before.law))


def _given_share(fit: TableFit, posterior: Paired, prior: Prior, measure: Any) -> float:
    """Return the density of no difference before a test of which the number of positives is known."""
    known = replace(Paired.fit(NOTHING, prior, fit.rough), mu=posterior.mu)
    return known.density_at_zero(measure, share_known=True)
