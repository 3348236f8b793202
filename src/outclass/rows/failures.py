"""Samples of evaluation logs that failed: whether the verdict is another one if they count as wrong answers."""

from collections.abc import Sequence
from dataclasses import replace

from outclass.findings import finding
from outclass.rows.types import Contrast


def verdicts_of_failures(rows: Sequence[Contrast], strict: Sequence[Contrast]) -> tuple[Contrast, ...]:
    """Add a finding to the rows whose verdict changes; `strict` has the same rows with failures as wrong answers."""
    others = {_key(row): row for row in strict}
    return tuple(_told(row, others.get(_key(row))) for row in rows)


def _key(row: Contrast) -> tuple[object, ...]:
    return (*(system.name for system in row.systems), row.measure.name, row.label, str(row.slice))


def _told(row: Contrast, other: Contrast | None) -> Contrast:
    if other is None or str(row.verdict) == str(other.verdict):
        return row
    told = (
        f"with failed samples as wrong answers the verdict is '{other.verdict}' instead of '{row.verdict}': "
        "find out why "
        "they failed, or run them again."
    )
    return replace(row, findings=(*row.findings, finding("OC506", told)))
