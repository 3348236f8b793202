"""Systems that hardly differ: what is known of their difference comes from few items, or from the prior."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from outclass.data.multilabel import Decisions, MultiLabel
from outclass.findings import Finding, finding
from outclass.models.draws_fit import JackknifeFit
from outclass.models.table_fit import TableFit
from outclass.rows.checks import Case
from outclass.rows.checks.sizes import FEW_ITEMS

FEW_DISAGREEMENTS: Final = (
    30  # below it 95% intervals may cover the true value in more than 97% of the sets (docs/coverage.md)
)


def check(case: Case) -> Iterator[Finding]:
    """Look at the items on which two systems differ."""
    if case.b is None:
        return
    fit = case.fit
    if isinstance(fit, TableFit):
        yield from _of_table(case, fit)
    elif hasattr(fit.data, "decisions"):
        yield from _of_decisions(case, fit.data)


def _of_table(case: Case, fit: TableFit) -> Iterator[Finding]:
    evidence = fit.evidence
    if evidence.wins is None:
        return
    items, apart, unit = fit.items, evidence.wins.a + evidence.wins.b, "items"
    if case.measure.given is not None and evidence.joint is not None:
        row = evidence.joint[0 if case.measure.given == "positives" else 1]
        items, apart, unit = int(row.sum()), int(row[1:3].sum()), f"{case.measure.given[:-1]} items"
    yield from few_disagreements(case.names[0], case.names[1], items, apart, unit=unit)


def _of_decisions(case: Case, decisions: Decisions) -> Iterator[Finding]:
    a, b = case.names
    items, apart = decisions.items, differing(decisions, a, b)
    unit, measure = "documents" if isinstance(decisions, MultiLabel) else "items", case.measure
    if measure.given is not None and not isinstance(decisions, MultiLabel):
        outcomes = decisions.outcomes
        row = outcomes.joint(a, b, outcomes.labels[measure.label])[0 if measure.given == "positives" else 1]
        items, apart, unit = int(row.sum()), int(row[1:3].sum()), f"{measure.given[:-1]} items"
    without_prior = isinstance(case.fit, JackknifeFit) or case.fit.prior == "no prior"
    yield from few_disagreements(a, b, items, apart, unit=unit, prior=not without_prior)
    if items < FEW_ITEMS:
        yield few_units(items, unit)


def few_units(items: int, unit: str = "items") -> Finding:
    """Say that there are few of whatever is counted."""
    return finding("OC107", f"there are only {items} {unit}, so the result depends on the model's assumptions.")


def few_disagreements(
    a: str,
    b: str,
    items: int,
    disagreements: int,
    *,
    unit: str = "items",
    least: int = FEW_DISAGREEMENTS,
    prior: bool = True,
) -> Iterator[Finding]:
    """Say if two systems differ on few units, or on none."""
    if disagreements == 0:
        rest = "any remaining difference comes from the prior" if prior else "the data show no difference at all"
        yield finding("OC105", f"{a} and {b} agree on all {items:,} {unit}; {rest}.")
    elif disagreements < least:
        rest = "the result depends on the prior" if prior else "the result depends on these few"
        yield finding("OC104", f"{a} and {b} differ on only {disagreements} of {items:,} {unit}, so {rest}.")


def differing(decisions: Decisions, a: str, b: str) -> int:
    """Return how many items show a difference: exactly one system is right, or the two name other labels."""
    if isinstance(decisions, MultiLabel):
        apart: Any = decisions.marks[:, decisions.column(a)] != decisions.marks[:, decisions.column(b)]
        return len(np.unique(decisions.item[apart]))
    right = decisions.outcomes.rights(a, b)
    return int(right[0, 1] + right[1, 0])
