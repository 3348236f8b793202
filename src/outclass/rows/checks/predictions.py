"""Systems that always say the same, and labels that are never true."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.multilabel import Classes, Grouped
from outclass.data.pair import Pair
from outclass.data.unit_counts import PerItem
from outclass.errors import quoted
from outclass.findings import Finding, declare, finding
from outclass.models.strata import Estimated
from outclass.models.table_fit import OneTableFit, TableFit
from outclass.rows.checks import Case

declare(
    OC106="a system never predicts positive, or always does",
)

SKIPPED: Final = " A macro average skips such a label unless every system predicts it; then it counts as 0."


def check(case: Case) -> Iterator[Finding]:
    """Look at what was predicted."""
    fit: Any = case.fit
    if isinstance(fit, OneTableFit) and fit.question.model != "goutte":
        yield from always_the_same(case.names[0], fit.table)
    if isinstance(fit, TableFit):
        evidence = fit.evidence
        if evidence.systems is not None and evidence.negatives_known and evidence.has_classes:
            for name, table in zip(case.names, evidence.systems, strict=True):
                yield from always_the_same(name, table)
        if isinstance(fit.data, Pair) and evidence.has_classes and fit.model != "units.decisions":
            for outcomes in (fit.data.first, *(() if fit.data.same_items else (fit.data.second,))):
                yield from _strange(outcomes.never_true)
    elif isinstance(fit.data, Classes | Grouped) and not isinstance(fit.data, Estimated):
        outcomes = fit.data.outcomes
        yield from never_true(outcomes.labels, outcomes.true_labels, SKIPPED, case.measure.places)
    elif isinstance(fit.data, PerItem) and fit.data.typed and case.measure.label is None:
        labels = fit.data.labels
        true = [labels[place] for place in np.flatnonzero(fit.data.frequencies)]
        yield from never_true(labels, true, SKIPPED, case.measure.places)


def never_true(
    labels: Sequence[Label], true: Sequence[Label], consequence: str = "", places: Sequence[int] | None = None
) -> Iterator[Finding]:
    """Say which labels are predicted but never true, among those in some places."""
    asked = labels if places is None else [labels[place] for place in places]
    yield from _strange(sorted({str(label) for label in asked} - {str(label) for label in true}), consequence)


def _strange(strange: Sequence[str], consequence: str = "") -> Iterator[Finding]:
    if strange:
        yield finding("OC110", f"predicted but never true: {quoted(strange, most=5)}.{consequence}")


def always_the_same(name: str, table: Counts) -> Iterator[Finding]:
    """Say if a system always gives the same answer."""
    said_yes, said_no = (int(count) for count in table.sum(axis=0))
    if said_yes == 0:
        yield finding("OC106", f"{name} never predicts the positive label.")
    elif said_no == 0:
        yield finding("OC106", f"{name} predicts the positive label for every item.")
