"""Data and wishes, brought together: what reading uses up is not asked again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from outclass.ask.label_sets import label_set_of
from outclass.ask.question import Wishes
from outclass.ask.read import Data, read
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
