"""Averages over labels of a few items."""

from collections.abc import Iterator
from typing import Any

from outclass.findings import Finding, declare, finding
from outclass.rows.checks import Case
from outclass.rows.checks.sizes import FEW_OF_A_CLASS

declare(
    OC208="an average over labels includes rare labels",
)


def check(case: Case) -> Iterator[Finding]:
    """Count the labels that are rare."""
    data: Any = case.fit.data
    if not hasattr(data, "frequencies") or not case.measure.name.startswith("macro"):
        return
    known = data.frequencies if case.measure.places is None else data.frequencies[list(case.measure.places)]
    rare = int(((known > 0) & (known < FEW_OF_A_CLASS)).sum())
    if rare:
        yield finding(
            "OC208",
            f"{rare} of {len(known)} labels have fewer than {FEW_OF_A_CLASS} items, so the interval of an average "
            "over labels may be too narrow (docs/coverage.md).",
        )
