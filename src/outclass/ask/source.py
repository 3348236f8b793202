"""Data and wishes, brought together: what reading uses up is not asked again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from outclass.ask.label_sets import label_set_of
from outclass.ask.question import Wishes
from outclass.ask.read import Data, given_columns, logs_in, read
from outclass.ask.sliced import is_sliced, read_sliced
from outclass.data.slicing import Sliced
from outclass.errors import InputError, quoted

OF_SYSTEMS: Final = ("system", "systems", "model", "models", "classifier", "run")  # columns that may name the systems


def source_of(
    data: Any, predictions: Sequence[Any], wishes: Wishes, columns: Mapping[str, Any], *, apart: bool = False
) -> tuple[Any, Wishes]:
    """Read the data, by slices if these are asked for, and return what is left to ask of them."""
    if isinstance(data, Sliced) or is_sliced(wishes.by):
        sliced = read_sliced(data, predictions, wishes, columns)
        return sliced, replace(settled(sliced.whole, wishes), by=None, test_share=columns.get("test_share"))
    named: Any = dict(columns)
    source = read(data, *predictions, positive=wishes.positive, measure=wishes.measure, apart=apart, **named)
    wishes = replace(wishes, test_share=columns.get("test_share"))
    if columns.get("qrels") is not None:
        return source, replace(wishes, measure=None)  # what the runs were measured by
    return source, wishes if source is data else settled(source, wishes)


@dataclass(frozen=True, slots=True)
class LogPart:
    """One metric of evaluation logs: what is asked of it; and the same with failed samples as wrong answers."""

    metric: str
    source: Any
    wishes: Wishes
    strict: Any = None


def log_parts(
    data: Any, predictions: Sequence[Any], wishes: Wishes, columns: Mapping[str, Any], *, strict: bool = False
) -> list[LogPart] | None:
    """Read evaluation logs metric by metric; None if the data are something else."""
    own = logs_in(data, predictions, given_columns(columns))
    if own is None:
        return None
    from outclass.ask.logs import asked_metrics, measure_of  # loaded for paths alone

    left = {name: value for name, value in columns.items() if name in ("group", "merge", "test_share")}
    parts = []
    for metric in asked_metrics(own, wishes.measure, several=True):
        one = replace(own, choice=replace(own.choice, metric=metric))
        own_wishes = replace(wishes, measure=measure_of(one, metric, wishes.measure))
        source, asked = source_of(one, (), own_wishes, left)
        other = None
        if strict and one.failed and getattr(source, "higher_is_better", True):
            other, _ = source_of(replace(one, errors_wrong=True), (), own_wishes, left)
        parts.append(LogPart(metric, source, asked, other))
    return parts


def settled(source: Any, wishes: Wishes) -> Wishes:
    """Return what is left to ask of data just read: of classifier scores, the positive label is settled."""
    source = getattr(source, "base", source)  # of runs, what they are runs on
    if (wishes.labels, wishes.exclude_labels) != (None, None) and hasattr(source, "labels"):
        # A slice may lack some of the labels; which are asked about is settled by all items.
        own = label_set_of(source.labels, wishes.labels, wishes.exclude_labels)
        wishes = replace(wishes, labels=own, exclude_labels=None)
    return wishes if getattr(source, "truth", None) is None else replace(wishes, positive=None)


def check_two(source: Data, what: str) -> None:
    """Refuse a single system; what was left out of a table may be the other."""
    if len(source.systems) >= 2:
        return
    told = "".join(f" {each.told[:1].upper()}{each.told[1:]}" for each in source.findings if each.code == "OC100")
    if any(f"'{name}'" in told.casefold() for name in OF_SYSTEMS):
        told += " For a long table, name its columns: ⟨item=COL⟩, ⟨system_column=COL⟩, ⟨label=COL⟩."
    raise InputError(
        f"there is only one system, {quoted(source.systems)}; {what} needs two.{told} To judge it by itself, use "
        "evaluate."
    )
