"""Systems that hardly differ: what is known of their difference comes from few items, or from the prior."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.data.multilabel import Decisions, MultiLabel
from outclass.data.outcomes import BINARY
from outclass.data.pair import Pair
from outclass.data.published import SameItems
from outclass.data.unit_counts import PerItem, by_item
from outclass.findings import Finding, finding
from outclass.models.draws_fit import JackknifeFit
from outclass.models.strata import Estimated
from outclass.models.table_fit import TableFit
from outclass.rows.checks import Case
from outclass.rows.checks.sizes import FEW_ITEMS

FEW_DISAGREEMENTS: Final = (
    30  # below it 95% intervals may cover the true value in more than 97% of the sets (docs/coverage.md)
)

# Averages over labels to which all wrong labels are alike: of one label per item, they depend on who is right alone.
BY_RIGHT: Final = ("accuracy", "error", "balanced_accuracy", "micro_", "macro_recall", "weighted_recall")


class Disagreements(NamedTuple):
    """How many of all units show a difference between two systems.

    `by_right`: the measure to which all wrong labels are alike, so that those count which exactly one system gets
    right; `about`: the one label that the measure looks at, where there are more than two.
    """

    items: int
    apart: int
    unit: str = "items"
    by_right: str = ""
    about: str = ""


def check(case: Case) -> Iterator[Finding]:
    """Look at the items on which two systems differ."""
    if case.b is None:
        return
    fit = case.fit
    if isinstance(fit.data, Estimated):
        return  # see `labelling`
    if isinstance(fit, TableFit):
        yield from _of_table(case, fit)
    elif hasattr(fit.data, "decisions"):
        yield from _of_decisions(case, fit.data)


def _of_table(case: Case, fit: TableFit) -> Iterator[Finding]:
    evidence = fit.evidence
    if evidence.wins is None or isinstance(fit.data, SameItems):  # which may also agree on more
        return
    items, apart, unit = fit.items, evidence.wins.a + evidence.wins.b, "items"
    if case.measure.given is not None and evidence.joint is not None:
        row = evidence.joint[0 if case.measure.given == "positives" else 1]
        items, apart, unit = int(row.sum()), int(row[1:3].sum()), f"{case.measure.given[:-1]} items"
    told = Disagreements(items, apart, unit)
    if not evidence.has_classes or evidence.joint is None:
        told = told._replace(by_right=case.measure.title)
    elif isinstance(fit.data, Pair) and len(fit.data.first.labels) > BINARY:
        told = told._replace(about=str(fit.label))
    yield from few_disagreements(case.names[0], case.names[1], told)


def _of_decisions(case: Case, decisions: Decisions) -> Iterator[Finding]:
    a, b = case.names
    told = differing(decisions, a, b, case.measure)
    without_prior = isinstance(case.fit, JackknifeFit) or case.fit.prior == "no prior"
    yield from few_disagreements(a, b, told, prior=not without_prior)
    if told.items < FEW_ITEMS:
        yield few_units(told.items, told.unit)


def few_units(items: int, unit: str = "items") -> Finding:
    """Say that there are few of whatever is counted."""
    return finding("OC107", f"there are only {items} {unit}, so the result depends on the model's assumptions.")


def few_disagreements(
    a: str, b: str, seen: Disagreements, *, least: int = FEW_DISAGREEMENTS, prior: bool = True
) -> Iterator[Finding]:
    """Say if two systems differ on few units, or on none."""
    about = f" about {seen.about}" if seen.about else ""
    if seen.apart == 0:
        of = f" in {seen.by_right}" if seen.by_right else ""
        rest = f"any remaining difference{of} comes from the prior" if prior else "the data show no difference at all"
        told = f"agree{about} on all {seen.items:,} {seen.unit}"
        if seen.by_right:
            told = f"are right on the same {seen.unit} (of {seen.items:,})"
        yield finding("OC105", f"{a} and {b} {told}; {rest}.")
    elif seen.apart < least:
        rest = "the result depends on the prior" if prior else "the result depends on these few"
        # More than half of them are not few of them: there are few in all, which is another finding.
        only = "" if 2 * seen.apart > seen.items else "only "
        where = f"{only}{seen.apart} of {seen.items:,} {seen.unit}"
        told = f"{a} and {b} differ{about} on {where}"
        if seen.by_right:
            told = f"exactly one of {a} and {b} is right on {where}"
        yield finding("OC104", f"{told}, so {rest}.")


def differing(decisions: Decisions, a: str, b: str, measure: Any) -> Disagreements:
    """Count what shows a difference to a measure: labels that differ, or items that exactly one system gets right."""
    if isinstance(decisions, PerItem):
        counts = by_item(decisions)
        about = "" if measure.label is None else counts.labels[measure.label]
        differ = counts.apart(a, b, measure.label) > 0
        return Disagreements(counts.items, int(counts.times[differ].sum()), about=about)
    if isinstance(decisions, MultiLabel):
        apart: Any = decisions.marks[:, decisions.column(a)] != decisions.marks[:, decisions.column(b)]
        if measure.places is not None:
            apart = apart & np.isin(decisions.label, measure.places)
        return Disagreements(decisions.items, len(np.unique(decisions.item[apart])), "documents")
    outcomes = decisions.outcomes
    if measure.label is not None:
        joint = outcomes.joint(a, b, outcomes.labels[measure.label])
        rows, unit = joint, "items"
        if measure.given is not None:
            place = 0 if measure.given == "positives" else 1
            rows, unit = joint[place : place + 1], f"{measure.given[:-1]} items"
        about = str(outcomes.labels[measure.label]) if len(outcomes.labels) > BINARY else ""
        return Disagreements(int(rows.sum()), int(rows[:, 1:3].sum()), unit, about=about)
    said = [measure.told_apart(outcomes.patterns[:, outcomes.column(system)]) for system in (a, b)]
    other = int(outcomes.counts[said[0] != said[1]].sum())
    # An item without a prediction is no false positive of anything: to a micro average that differs from a wrong one.
    by_right = BY_RIGHT if outcomes.all_predicted(a, b) else tuple(name for name in BY_RIGHT if name != "micro_")
    counts_right = measure.name.startswith(by_right) and measure.places is None and not measure.matrix
    if other and counts_right and len(outcomes.labels) > BINARY:
        right = outcomes.rights(a, b)
        return Disagreements(decisions.items, int(right[0, 1] + right[1, 0]), by_right=measure.title)
    return Disagreements(decisions.items, other)
