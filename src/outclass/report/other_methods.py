"""What McNemar's test, the t-test, the bootstrap and the unpaired model make of the same counts, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass import measures
from outclass.arrays import Counts
from outclass.errors import InputError
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models import fitted
from outclass.models.evidence import Evidence, Wins
from outclass.models.prior import prior_of
from outclass.report import words
from outclass.rows.types import Contrast
from outclass.significance.bootstrap import bootstrap
from outclass.significance.result import TestResult
from outclass.significance.sign import mcnemar_exact
from outclass.verdict.rope import decide

UNPAIRED: Final = "unpaired"  # a file of `models/table`
ROUGHLY: Final = Settings(tolerance=1e-3)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherMethod:
    """What another method says, and why it differs."""

    method: str
    says: str
    why: str


def other_methods(row: Contrast) -> list[OtherMethod]:
    """Ask the others about the counts of one label; nothing of items in groups, which they do not know."""
    evidence, name = row.evidence, row.measure.name
    if (
        evidence is None
        or evidence.joint is None
        or row.unknown_agreement is not None
        or name not in measures.MEASURES
        or row.model_key == f"table.{UNPAIRED}"
    ):
        return []
    measure = measures.get(name)
    found = [] if evidence.wins is None else [_mcnemar(row, evidence.wins)]
    found += [other for test in row.tests for other in _of_test(row, test)]
    return [*found, _bootstrap(row, measure, evidence.joint), _unpaired(row, measure, evidence)]


def _mcnemar(row: Contrast, wins: Wins) -> OtherMethod:
    p = mcnemar_exact(np.array([[0, wins.a], [wins.b, wins.same]])).p_value
    about = "" if row.measure.name == "accuracy" else f", not {row.measure.title}"
    return OtherMethod(
        method="McNemar's test, exact",
        says=_p_value(p),
        why=f"Tests accuracy{about}, and whether the difference is exactly zero; it cannot show equivalence.",
    )


def _of_test(row: Contrast, test: TestResult) -> Iterator[OtherMethod]:
    if test.name == "welch_t":
        yield OtherMethod(
            method="t-test",
            says=_p_value(test.p_value),
            why="Tests accuracy, and ignores that both systems saw the same items.",
        )
    if test.name in ("permutation_exact", "permutation"):
        exact = ", exact" if test.name == "permutation_exact" else ""
        yield OtherMethod(
            method=f"permutation test of {row.measure.title}{exact}",
            says=_p_value(test.p_value),
            why="Tests whether the difference is exactly zero, not whether it is large enough to matter.",
        )


def _bootstrap(row: Contrast, measure: Measure, joint: Counts) -> OtherMethod:
    drawn = bootstrap(measure, joint, "two-sided", np.random.default_rng(row.seed))
    return OtherMethod(
        method="bootstrap (BCa)",
        says=f"95% interval {words.interval(drawn.interval, words.decimals(row.difference.std))}, "
        f"p {words.p_equals(drawn.p_value)}",
        why="Uses no prior; too narrow with few items, and a confidence interval rather than a credible one.",
    )


def _unpaired(row: Contrast, measure: Measure, evidence: Evidence) -> OtherMethod:
    try:
        prior, told = prior_of(row.prior).of(measure, UNPAIRED), ""
        law = fitted(UNPAIRED, evidence, prior, ROUGHLY).difference(measure)
    except InputError:
        # A prior of four outcomes, or one that needs chains, is not this model's.
        told = " Here with the uniform prior."
        law = fitted(UNPAIRED, evidence, prior_of("uniform"), ROUGHLY).difference(measure)
    hdi = law.hdi(row.hdi_mass)
    interval = words.interval(hdi, words.decimals(law.std))
    return OtherMethod(
        method="the unpaired model",
        says=f"{100 * row.hdi_mass:g}% HDI {interval}: {decide(hdi, row.rope).sign}",
        why="Treats the systems as if tested on different items, so it ignores their agreement." + told,
    )


def _p_value(p: float) -> str:
    rejected = "rejected" if p <= words.SIGNIFICANT else "not rejected"
    return f"p {words.p_equals(p)}: the null hypothesis of no difference is {rejected} at α = .05"
