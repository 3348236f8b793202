"""Systems that make hardly any error: their own intervals then depends on the prior."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.multilabel import MultiLabel
from outclass.data.unit_counts import PerItem, by_item
from outclass.findings import Finding, declare, finding
from outclass.measures.measure import Measure
from outclass.models.draws_fit import JackknifeFit
from outclass.models.strata import Estimated
from outclass.models.table_fit import OneTableFit, TableFit
from outclass.rows.checks import Case

declare(
    OC109="a system makes few errors",
)

FEW_ERRORS: Final = 6  # of one system, below which its own interval covers the true value more often than it says


def check(case: Case) -> Iterator[Finding]:
    """Count the errors that the measure sees."""
    fit: Any = case.fit
    if isinstance(fit.data, Estimated):
        return  # see `labelling`
    if isinstance(fit, OneTableFit):
        if fit.question.model != "goutte":
            yield from _of_table(case.names[0], fit.table, case.measure)
    elif isinstance(fit, TableFit):
        evidence = fit.evidence
        if evidence.systems is not None and evidence.negatives_known and evidence.has_classes:
            for name, table in zip(case.names, evidence.systems, strict=True):
                yield from _of_table(name, table, case.measure)
    elif hasattr(fit.data, "decisions"):
        prior = not (isinstance(fit, JackknifeFit) or fit.prior == "no prior")
        for name in case.names:
            yield from few_errors(name, errors_of(fit.data, name, case.measure), case.measure.title, prior=prior)


def _of_table(name: str, table: Counts, measure: Measure) -> Iterator[Finding]:
    counts = {"fn": int(table[0, 1]), "fp": int(table[1, 0])}
    kind = {"fn": "false negative", "fp": "false positive"}[measure.errors[0]]
    errors = sum(counts[each] for each in measure.errors)
    yield from few_errors(name, errors, measure.title, "error" if len(measure.errors) > 1 else kind)


def few_errors(name: str, errors: int, title: str, what: str = "error", *, prior: bool = True) -> Iterator[Finding]:
    """Say if a system makes hardly any error, whatever the data are."""
    if errors < FEW_ERRORS:
        many = f"no {what}s" if errors == 0 else f"only {errors} {what}{'' if errors == 1 else 's'}"
        rest = "depends on the prior" if prior else "may be too narrow"
        yield finding("OC109", f"{name} makes {many}, so the interval of its own {title} {rest}.")


def errors_of(decisions: Any, system: str, measure: Any) -> int:
    """Return how many errors of a system a measure sees: wrong items, documents or, of one label, decisions."""
    if measure.label is not None and not isinstance(decisions, MultiLabel | PerItem):
        (_, fn), (fp, _) = decisions.tables(system)[measure.label]
        return int(fn + fp)
    if isinstance(decisions, PerItem):
        counts = by_item(decisions)
        return int(counts.times[counts.apart(None, system, measure.label) > 0].sum())
    if isinstance(decisions, MultiLabel):
        wrong = decisions.marks[:, 0] != decisions.marks[:, decisions.column(system)]
        if measure.places is not None:
            wrong = wrong & np.isin(decisions.label, measure.places)
        return len(np.unique(decisions.item[wrong]))
    patterns = measure.told_apart(decisions.outcomes.patterns)
    return int(decisions.outcomes.counts[patterns[:, 0] != patterns[:, decisions.outcomes.column(system)]].sum())
