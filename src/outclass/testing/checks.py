"""Every finding of a significance test that its data give rise to: condition, threshold and sentence."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.outcomes import Outcomes
from outclass.data.unit_counts import UnitCounts
from outclass.errors import quoted
from outclass.findings import Finding, finding
from outclass.rows.checks.disagreement import FEW_DISAGREEMENTS
from outclass.rows.checks.predictions import always_the_same
from outclass.rows.checks.sizes import FEW_ITEMS
from outclass.significance.result import TestResult
from outclass.testing.views import CategoryF1, PooledTable, View


def check_outcomes(outcomes: Outcomes, positive: Label | None) -> Iterator[Finding]:
    """Check one label per item: few items, few disagreements, constant predictions, unknown labels."""
    if outcomes.items < FEW_ITEMS:
        yield finding("OC107", f"the test set has only {outcomes.items} items.")
    for a, b in combinations(outcomes.systems, 2):
        right = outcomes.rights(a, b)
        same = outcomes.patterns[:, outcomes.column(a)] == outcomes.patterns[:, outcomes.column(b)]
        if same.all():
            yield finding("OC105", f"{a} and {b} agree on all {outcomes.items:,} items.")
        else:
            yield from check_wins(a, b, int(right[0, 1] + right[1, 0]), outcomes.items)
    if positive is not None:
        for system in outcomes.systems:
            yield from always_the_same(system, outcomes.table(system, positive))
    strange = sorted({str(label) for label in outcomes.labels} - {str(label) for label in outcomes.true_labels})
    if strange:
        yield finding("OC110", f"predicted but never true: {quoted(strange)}.")


def check_counts(counts: UnitCounts) -> Iterator[Finding]:
    """Check counts per item: few items, and few on which two systems differ."""
    if counts.items < FEW_ITEMS:
        yield finding("OC107", f"the test set has only {counts.items} items.")
    for a, b in combinations(counts.systems, 2):
        apart = int(counts.times[counts.apart(a, b) > 0].sum())
        if not apart:
            yield finding("OC105", f"{a} and {b} have the same counts on all {counts.items:,} items.")
        elif apart < FEW_DISAGREEMENTS:
            told = f"{a} and {b} differ on only {apart} of {counts.items:,} items, so the tests have little power."
            yield finding("OC104", told)


def check_wins(a: str, b: str, wins: int, items: int) -> Iterator[Finding]:
    """Check on how many items exactly one of two systems is right."""
    if 0 < wins < FEW_DISAGREEMENTS:
        told = f"exactly one of {a} and {b} is right on only {wins} of {items:,} items, so the tests have little power."
        yield finding("OC104", told)


def check_categories(labels: Sequence[str], undefined: Counts) -> Iterator[Finding]:
    """Check for categories whose F1 is undefined; `undefined` holds their places."""
    if len(undefined):
        gone = quoted([labels[place] for place in undefined], most=5)
        yield finding(
            "OC404",
            f"F1 is undefined (0/0) for at least one system on {len(undefined)} of {len(labels)} categories, which "
            f"the tests drop: {gone}. To count them instead, use ⟨undefined=0⟩ or ⟨undefined=1⟩.",
        )


def check_result(name: str, view: View, side: str, result: TestResult) -> Iterator[Finding]:
    """Check what contradicts a p-value: dependent decisions or categories, a side chosen after looking."""
    if isinstance(view, PooledTable):
        yield finding(
            "OC401",
            f"{name} treats the decisions on one item as independent, which they are not; the permutation test and the "
            "bootstrap resample whole items.",
        )
    if isinstance(view, CategoryF1):
        why = "an error in one category is an error in another" if view.one_label else "categories share documents"
        yield finding(
            "OC405",
            f"{name} treats categories as independent, but {why}. Its measured false-positive rate is two to three "
            "times the nominal one; the bootstrap over items accounts for the dependence.",
        )
    direction = result.effect if result.direction is None else result.direction
    if side == "observed" and result.alternative in ("greater", "less") and direction and not math.isnan(direction):
        yield finding(
            "OC403",
            "one-sided in the observed direction, as in Yang & Liu 1999, which doubles the false-positive rate: 10% at "
            "α = .05. Use ⟨alternative=two-sided⟩.",
        )


def same_items() -> Finding:
    """Say that a test ignores the pairing."""
    return finding("OC406", "both systems saw the same items, but this test treats them as independent samples.")


def unknown_agreement(a: str, b: str, largest: float, least: float) -> Finding:
    """Say what published counts on the same items leave open."""
    return finding(
        "OC632",
        f"which items {a} and {b} agree on is unknown; the tests assume the least possible agreement, at which "
        f"p-values are largest. For these counts, McNemar's exact p lies between {least:.3g} and {largest:.3g}.",
    )


def unknown_items() -> Finding:
    """Say what published counts leave open."""
    return finding(
        "OC120",
        "counts do not show whether the systems saw the same items; the tests treat them as independent samples.",
    )
