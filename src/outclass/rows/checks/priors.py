"""Priors that weigh as much as the data, or that move the result."""

from collections.abc import Iterator
from typing import Any, Final

from outclass.data.pair import Pair
from outclass.findings import Finding, declare, finding
from outclass.models.draws_fit import DrawsFit
from outclass.models.table_fit import TableFit
from outclass.rows.checks import Case

declare(
    OC202="the prior has as much weight as the data",
    OC207="the prior shifts the result",
)

HEAVY: Final = 10  # pseudo-items, below which no prior is called heavy
MOVED: Final = 0.1  # stds by which a prior may move a result before it is said


def check(case: Case) -> Iterator[Finding]:
    """Compare the prior with the data."""
    fit: Any = case.fit
    if isinstance(fit, TableFit):
        yield from _heavy(fit)
    elif isinstance(fit, DrawsFit) and fit.moved and case.row is not None and case.b is not None:
        a, b, std = case.a, case.b, case.row.difference.std
        seen, moved = fit.seen[case.measure.name], fit.moved[case.measure.name]
        shift = abs((moved[a] - moved[b]) - (seen[a] - seen[b]))
        if std > 0 and shift > MOVED * std:
            yield finding(
                "OC207",
                f"the prior shifts the difference in {case.measure.title} by {shift / std:.1f} posterior standard "
                "deviations. Use ⟨model=bootstrap⟩ for no prior, or a smaller ⟨prior⟩.",
            )


def _heavy(fit: TableFit) -> Iterator[Finding]:
    evidence, prior = fit.evidence, fit.question.prior
    if evidence.systems is None or not isinstance(fit.data, Pair) or not evidence.has_classes:
        return
    if fit.key not in ("paired", "unpaired"):
        return
    positives, negatives = (sum(int(table[row].sum()) for table in evidence.systems) for row in (0, 1))
    if evidence.joint is not None:
        positives, negatives = positives // 2, negatives // 2
    outcomes = 4 if fit.key == "paired" else 2
    weights = {
        "items": (sum(prior.mu), positives + negatives),
        "positives": (sum(prior.outcomes("positives", outcomes)), positives),
        "negatives": (sum(prior.outcomes("negatives", outcomes)), negatives),
    }
    for what, (mass, count) in weights.items():
        if 2 * mass > count and mass > HEAVY:
            yield finding("OC202", f"the prior has the weight of {mass:.3g} {what}; the data have {count:,}.")
