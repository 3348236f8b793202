"""Counts per item: which measures they have. Nobody counts true negatives, so that some have no value."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from outclass import measures
from outclass.arrays import Floats
from outclass.ask.label_sets import label_set_of, over_labels
from outclass.ask.question import listed
from outclass.data.unit_counts import PerItem
from outclass.errors import InputError, quoted
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.measure import Measure
from outclass.measures.names import unknown_measure

TYPED: Final = ("micro_f1", "macro_f1")
POOLED: Final = "micro_"
KNOWN: Final = ("micro_f1", "micro_precision", "micro_recall", "macro_f1", "macro_precision", "macro_recall")


def measures_of_counts(
    decisions: PerItem, measure: Any, positive: Any, sets: tuple[Any, Any] = (None, None)
) -> tuple[Average, ...]:
    """Find measures of counts: of all labels together, averaged over them, or of one (`positive`).

    `sets` are the labels to average over, and those to leave out.
    """
    if not decisions.typed and sets != (None, None):
        raise InputError("⟨labels⟩ and ⟨exclude_labels⟩ need labels, and these counts have none (⟨label=COL⟩).")
    if measure is None:
        # Where nothing is to be found, labels have no value of their own.
        typed = decisions.typed and decisions.frequencies.any()
        measure = "f1" if positive is not None else TYPED if typed else TYPED[0]
    if not listed(measure):
        raise InputError("no measure was named.")
    place = None if positive is None else decisions.place_of(positive)
    found: dict[str, Average] = {}
    for each in listed(measure):
        own = _pooled(each) if place is None else _of_label(each, place)
        if not decisions.typed and not own.name.startswith(POOLED):
            raise InputError(
                f"{own.title} averages over labels, and these counts have none: use micro_f1, or name the column of "
                "labels (⟨label=COL⟩)."
            )
        found.setdefault(own.name, own)
    return over_labels(found.values(), label_set_of(decisions.labels, *sets), decisions.labels)


def _pooled(spec: Any) -> Average:
    """Find an average over labels; without the name of one, the measure is that of all counts together."""
    average = averages.find(spec)
    if average is None or average.single:
        own = _counted(spec)
        # With one decision per item, this is the measure of two classes, and has the same prior.
        return replace(_seen(own, None), name=f"{POOLED}{own.name}", title=f"micro-{own.title}")
    if average.name.startswith(POOLED):
        return replace(average, pseudo_count=measures.get(average.name.removeprefix(POOLED)).pseudo_count)
    return average


def _of_label(spec: Any, place: int) -> Average:
    if averages.find(spec) is not None and not averages.find(spec).single:  # type: ignore[union-attr]
        raise InputError(f"{quoted([spec])} is an average over all labels: leave out ⟨positive⟩ and ⟨by⟩.")
    return _seen(_counted(spec), place)


def _counted(spec: Any) -> Measure:
    """Find a measure of two classes that does not depend on true negatives."""
    if isinstance(spec, Average) or (isinstance(spec, str) and spec == "all"):
        raise unknown_measure("measure of counts per item", str(getattr(spec, "name", spec)), KNOWN)
    own = measures.get(spec)
    few, many = (float(own(3.0, 2.0, 1.0, tn)) for tn in (4.0, 40.0))
    if not np.isclose(few, many):
        raise InputError(
            f"{own.title} depends on true negatives, which counts per item do not have: use f1, precision, recall, "
            "fbeta:2 or jaccard."
        )
    return own


def _seen(measure: Measure, place: int | None) -> Average:
    """See a measure of two classes as one of all labels' counts together, or of one label's."""
    return replace(averages.of_label(measure, 0), function=partial(_at, measure, place), label=place)


def _at(measure: Measure, place: int | None, tp: Floats, fp: Floats, fn: Floats, items: Floats, fill: float) -> Floats:
    own = [each.sum(axis=-1) if place is None else each[..., place] for each in (tp, fp, fn)]
    return np.asarray(measure(own[0], own[1], own[2], np.zeros_like(own[0])))
