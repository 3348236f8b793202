"""Partly labelled items: few labels, strata without any, and judges that share a system's errors."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from outclass.data.outcomes import BINARY
from outclass.findings import Finding, declare, finding
from outclass.models.strata import Estimated
from outclass.rows.checks import Case

declare(
    OC700="few labelled items",
    OC703="items in strata without labels",
    OC704="a judge shares one system's errors",
    OC705="the interval is wider than it needs to be",
    OC706="labels were spent on some strata",
    OC708="how many items are labelled",
)

FEW_LABELS: Final = 50
FEW_APART: Final = 15  # labels where systems differ: with fewer, coverage can fall to 91% (docs/judged-coverage.md)
BARE: Final = 0.01  # of all items, in types of strata without a label
SURE: Final = 0.975
SHARED: Final = 0.1  # more of one system's errors than of the other's
# Judge's errors, or items of a class, among the labelled: with fewer, coverage is above 97% (docs/judged-coverage.md);
# with many classes, which borrow from each other, of judge's errors more.
SEEN: Final = 10
SEEN_OF_MANY: Final = 30
UNEVEN: Final = 1.5  # times as many labels as a random sample would have


def check(case: Case) -> Iterator[Finding]:
    """Look at where the labels are, and at the judges."""
    data = case.fit.data
    if not isinstance(data, Estimated):
        return
    apart = int(data.strata.labelled[_apart(data)].sum())
    if data.data.labelled < FEW_LABELS:
        yield finding("OC700", f"only {data.data.labelled:,} items are labelled, so the result depends on the prior.")
    elif len(data.systems) > 1 and apart < FEW_APART and data.data.labelled < data.items:
        yield finding(
            "OC700",
            f"the systems differ on only {apart} of the {data.data.labelled:,} labelled items, so the result depends "
            "on the prior. Label more of those where they differ (⟨label()⟩).",
        )
    yield from _strata(data)
    if case.row is None or case.b is None or case.row.labelling is None:
        yield finding("OC708", f"{data.data.labelled:,} of {data.items:,} items are labelled.")
        return
    yield from _judges(case)
    yield from _wide(case, data)


def _apart(data: Estimated) -> np.ndarray:
    """Return in which strata the systems differ."""
    said = data.strata.said[:, : len(data.systems)]
    return np.asarray((said != said[:, :1]).any(axis=1))


def _strata(data: Estimated) -> Iterator[Finding]:
    strata = data.strata
    bare = sum(
        int(strata.sizes[group.strata].sum()) for group in strata.groups if not strata.labelled[group.strata].any()
    )
    if bare > BARE * data.items:
        yield finding(
            "OC703",
            f"{bare / data.items:.0%} of the items are alike in what systems and judges say and none of them is "
            "labelled: the interval is wide for it. Label some of them (⟨label()⟩).",
        )
    if len(data.systems) < 2:
        return
    apart = _apart(data)
    items, labels = strata.sizes[apart].sum() / data.items, strata.labelled[apart].sum() / max(strata.labelled.sum(), 1)
    spread = 2 * np.sqrt(max(items * (1 - items), 1e-9) / max(strata.labelled.sum(), 1))
    if labels > UNEVEN * items and labels > items + spread and not data.data.weighted:
        yield finding(
            "OC706",
            f"{labels:.0%} of the labels are on the {items:.0%} of the items where the systems differ: the answer "
            "assumes that items which systems and judges label alike were chosen at random.",
        )


def _judges(case: Case) -> Iterator[Finding]:
    a, b = case.names
    for judge in case.row.labelling.judges:
        if judge.shares_a is None or judge.shares_b is None:
            continue
        more = judge.shares_a.mean - judge.shares_b.mean
        if abs(more) < SHARED or not (judge.shares_more_of_a > SURE or judge.shares_more_of_a < 1 - SURE):
            continue
        own, other = (a, b) if more > 0 else (b, a)
        high, low = sorted((judge.shares_a.mean, judge.shares_b.mean), reverse=True)
        yield finding(
            "OC704",
            f"the judge {judge.name} shares {high:.0%} of the errors of {own} and {low:.0%} of those of {other}: taken "
            f"for the truth, it favours {own}. Here it is not.",
        )


def _wide(case: Case, data: Estimated) -> Iterator[Finding]:
    """Say where little was seen of what the interval is about, and the prior makes it wide."""
    if case.row.verdict.is_decided:
        return
    known = data.data.patterns[:, 0] >= 0
    truth, counts = data.data.patterns[known, 0], data.data.counts[known]
    told: list[Any] = []
    for name in data.judges:
        said = data.judged_rows(name)[known]
        errors = int(counts[(said != truth) & (said >= 0)].sum())
        if errors < (SEEN if len(data.labels) <= BINARY else SEEN_OF_MANY) and (said >= 0).any():
            told.append(f"the judge {name} is wrong on only {errors} of the labelled items")
    seen = np.bincount(truth, weights=counts, minlength=len(data.labels))
    if case.measure.label is not None and seen[case.measure.label] < SEEN:
        told.append(f"only {int(seen[case.measure.label])} labelled items are {data.labels[case.measure.label]}")
    if told:
        yield finding("OC705", f"{' and '.join(told)}, so the interval is likely wider than it needs to be.")
