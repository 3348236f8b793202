"""Numbers that are less exact than was asked for, Bayes factors that disagree, and chains that did not converge."""

import math
from collections.abc import Iterator
from typing import Final

from outclass.findings import Finding, declare, finding
from outclass.inference.chains import Chains
from outclass.inference.settings import CHAINS
from outclass.models.table_fit import TableFit
from outclass.rows.checks import Case
from outclass.rows.types import Contrast
from outclass.verdict.bayes_factor import equality_recipes

declare(
    OC205="the Bayes factors disagree",
)

SAMPLED: Final = ("draws", *CHAINS)  # whose error is what it is
MANY_ITEMS: Final = 1000


def check(case: Case) -> Iterator[Finding]:
    """Look at errors, factors and chains."""
    if case.row is None:
        return
    if isinstance(case.row, Contrast) and isinstance(case.fit, TableFit):
        yield from _rough(case.row, case.fit.question.settings.tolerance)
        yield from _contradicting(case.row)
    law = case.row.law  # chains are kept as they are
    if isinstance(law, Chains) and law.diagnostics.faults:
        told = "; ".join(law.diagnostics.faults)
        yield finding("OC210", f"the chains did not converge: {told}. Use more draws, or the exact method.")


def _rough(row: Contrast, wanted: float) -> Iterator[Finding]:
    errors = row.difference.errors
    worst = max(errors.below, errors.above, errors.rope, *errors.hdi)
    if row.method not in SAMPLED and (worst > max(5 * wanted, 1e-3) or worst > 2 * wanted < 1e-4):
        yield finding("OC203", f"the numerical error is {worst:.1g}, above the requested {wanted:g}: {_why(row)}.")


def _why(row: Contrast) -> str:
    """Say why integration did not come nearer."""
    if row.method == "sobol draws":
        return f"{row.measure.title}, or a prior this weak, can only be sampled"
    if row.hdi_mass > 0.99:
        return "an interval this wide ends far in the tails"
    if row.items < MANY_ITEMS:
        return "with so few items the posterior is not smooth"
    return "it would need more integration points than outclass uses"


def _contradicting(row: Contrast) -> Iterator[Finding]:
    factors = {factor.name: factor.value for factor in row.bayes_factors}
    recipes = equality_recipes(row.measure.name)
    known = [factors[name] for name in recipes if not math.isnan(factors.get(name, math.nan))]
    if known and min(known) < 1 / 3 and max(known) > 3:
        yield finding(
            "OC205", "the Bayes factors for exact equality contradict each other; do not rely on any of them."
        )
