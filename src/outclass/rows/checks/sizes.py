"""Few items, or few of a class."""

from collections.abc import Iterator
from typing import Any, Final

from outclass.data.pair import Pair
from outclass.data.published import CountsPair, SameItems
from outclass.findings import Finding, declare, finding
from outclass.models.table_fit import OneTableFit, TableFit
from outclass.rows.checks import Case

declare(
    OC108="few items of one class",
    OC120="published counts were treated as independent samples",
)

FEW_ITEMS: Final = 30
FEW_OF_A_CLASS: Final = (
    20  # below which intervals may cover the true value less, or more, often than they say (docs/coverage.md)
)


def check(case: Case) -> Iterator[Finding]:
    """Look at the counts."""
    fit = case.fit
    if isinstance(fit, OneTableFit):
        yield from _of_one(case.names[0], fit)
    elif isinstance(fit, TableFit) and isinstance(fit.data, CountsPair):
        yield from _published(fit.data)
    elif isinstance(fit, TableFit) and isinstance(fit.data, Pair) and fit.evidence.has_classes:
        yield from _of_classes(fit)


def _of_classes(fit: TableFit) -> Iterator[Finding]:
    systems: Any = fit.evidence.systems
    positives, negatives = (sum(int(table[row].sum()) for table in systems) for row in (0, 1))
    if fit.evidence.joint is not None:
        positives, negatives = positives // 2, negatives // 2
    if fit.items < FEW_ITEMS:
        yield finding("OC107", f"there are only {fit.items} items, so the result depends on the prior.")
    elif min(positives, negatives) < FEW_OF_A_CLASS:
        few, which = min((positives, f"have the label {fit.label}"), (negatives, f"do not have the label {fit.label}"))
        yield finding(
            "OC108", f"only {few} items {which}, so intervals may be too narrow or too wide (docs/coverage.md)."
        )


def _published(pair: CountsPair) -> Iterator[Finding]:
    if isinstance(pair, SameItems) and pair.items < FEW_ITEMS:
        yield finding("OC107", f"there are only {pair.items} items, so the result depends on the prior.")
    for each in () if isinstance(pair, SameItems) else (pair.first, pair.second):
        if each.table.sum() < FEW_ITEMS:
            yield few_items(int(each.table.sum()), each.name)
    positives = {int(each.table[0].sum()) for each in (pair.first, pair.second)}
    if len(positives) == 1 and not isinstance(pair, SameItems):
        what = "positives" if pair.first.has_classes else "items"
        yield finding(
            "OC120",
            f"both results have {positives.pop():,} {what}, as if from the same test set, but counts do not show "
            "on which items the systems agree, so the interval is likely too wide. Use labels per item if you have "
            "them; or ⟨same_items⟩, which looks at every possible agreement.",
        )


def few_items(items: int, name: str) -> Finding:
    """Say that a system was tested on few items."""
    told = "is only 1 item" if items == 1 else f"are only {items} items"
    return finding("OC107", f"there {told} for {name}, so the result depends on the prior.")


def _of_one(name: str, fit: OneTableFit) -> Iterator[Finding]:
    goutte = fit.question.model == "goutte"  # which knows no true negatives
    positives, negatives = (int(count) for count in (*fit.table.sum(axis=1), 0)[:2])
    if fit.items < FEW_ITEMS:
        yield few_items(fit.items, name)
    elif len(fit.table) == 1:
        return  # of right and wrong answers there are no classes
    elif positives < FEW_OF_A_CLASS:
        yield finding("OC108", f"only {positives} items are positive, so the interval of {name} may be too narrow.")
    elif negatives < FEW_OF_A_CLASS and not goutte:
        yield finding("OC108", f"only {negatives} items are negative, so the interval of {name} may be too narrow.")
