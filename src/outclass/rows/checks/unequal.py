"""Counts per item: a few large items that decide alone."""

from collections.abc import Iterator
from typing import Final

from outclass.data.unit_counts import UnitCounts
from outclass.findings import Finding, declare, finding
from outclass.rows.checks import Case

declare(OC622="a few large items hold most of the decisions")

# Effective items (sum n)² / sum n², below which that of very unequal ones is too narrow (docs/questions/spans.md).
FEW: Final = 50
UNEQUAL: Final = 3  # times as many items as that


def check(case: Case) -> Iterator[Finding]:
    """Look at how many items of the same size would be worth as much."""
    data = case.fit.data
    if not isinstance(data, UnitCounts):
        return
    effective = data.effective_items
    if effective < FEW and data.items >= UNEQUAL * effective:
        yield finding(
            "OC622",
            f"a few large items hold most of the decisions: {data.items:,} items are worth {effective:.0f} of the same "
            "size, so the interval may be too narrow.",
        )
