"""Rows of several metrics in one answer, told apart by the names of their measures: else all would be the mean."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from outclass.measures.repeated import repeat_measure
from outclass.measures.results import OF_RESULTS
from outclass.rows.types import Appraisal, Contrast, MeasureInfo, SliceFamily

Row = TypeVar("Row", Contrast, Appraisal)


def rows_of_metric(rows: Iterable[Row], metric: str) -> list[Row]:
    """Return the rows of one metric of several, whose measures are called after it."""
    return [replace(row, measure=_named(row.measure, metric)) for row in rows]


def families_of_metric(
    families: Sequence[SliceFamily], before: Sequence[Contrast], after: Sequence[Contrast]
) -> list[SliceFamily]:
    """Return the families of slices of these rows, called as the rows are now."""
    names = {one.measure.name: other.measure.name for one, other in zip(before, after, strict=True)}
    return [replace(family, measure=names.get(family.measure, family.measure)) for family in families]


def _named(measure: MeasureInfo, metric: str) -> MeasureInfo:
    if measure.name in OF_RESULTS:
        return replace(measure, name=measure.title)
    if repeat_measure(measure.name) is not None:
        title = f"{measure.title} {metric}"
        return replace(measure, name=title, title=title)
    return measure  # of labels, which have names of their own
