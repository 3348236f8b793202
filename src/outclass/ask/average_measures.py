"""Measures over many labels: those that were named, or the usual ones, over all labels or some of them."""

from collections.abc import Sequence
from typing import Any

from outclass import measures
from outclass.ask.label_sets import label_set_of, over_labels
from outclass.ask.per_item import measures_of_counts
from outclass.ask.question import listed
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.unit_counts import PerItem
from outclass.errors import InputError, quoted, shown
from outclass.measures import averages
from outclass.measures.averages import Average
from outclass.measures.names import unknown_measure


def undefined_of(policy: Any) -> str:
    """Return how an undefined value of a label counts in an average; None is the default."""
    found = "drop" if policy is None else str(policy)
    if found not in averages.UNDEFINED:
        raise InputError(f"⟨undefined⟩ must be one of {quoted(averages.UNDEFINED)}, got {shown(policy)}.")
    return found


def averages_of(
    decisions: Decisions,
    measure: Any,
    positive: Any,
    *,
    known: tuple[Sequence[str] | None, str] = (None, ""),
    sets: tuple[Any, Any] = (None, None),
) -> tuple[Average, ...]:
    """Find measures over many labels; with a positive label, or two labels in groups, also those of one label.

    `known` are the names that a model knows, None for all, and what it is called; `sets` are the labels to average over
    and those to leave out.
    """
    if isinstance(decisions, PerItem):
        return measures_of_counts(decisions, measure, positive, sets)
    single = not isinstance(decisions, MultiLabel)
    own_labels = label_set_of(decisions.labels, *sets)
    if measure is None:
        binary = sets == (None, None) and single and (len(decisions.labels) == 2 or positive is not None)
        measure = ["f1"] if binary else list(averages.USUAL)
    found: list[Average] = []
    if not listed(measure):
        raise InputError("no measure was named.")
    for each in listed(measure):
        average = averages.find(each)
        if average is not None and average.single and not single:
            raise InputError(
                f"{average.title} needs one label per item; multi-label items have micro, macro and weighted F1, "
                "precision and recall."
            )
        if average is None and sets != (None, None):
            raise InputError(
                f"{quoted([str(each)])} is not an average over labels, which ⟨labels⟩ and ⟨exclude_labels⟩ restrict. "
                "Use macro_f1, micro_f1, weighted_f1, or such an average of precision or recall."
            )
        if average is None or (positive is not None and single):
            average = _of_one_label(each, decisions, positive)
        same = [other for other in found if other.name == average.name]
        if any(other.function is not average.function for other in same if average.matrix):
            raise InputError(f"two measures are called {quoted([average.name])}: give each a name of its own.")
        if not same:
            found.append(average)
    names, what = known
    for average in found:
        if names is not None and average.name not in names:
            raise InputError(f"{what} supports only {', '.join(names)}, not {average.name}.")
    return over_labels(found, own_labels, decisions.labels)


def _of_one_label(spec: Any, decisions: Decisions, positive: Any) -> Average:
    """Find a measure of one label against the rest."""
    if isinstance(spec, Average) and spec.matrix:
        raise InputError(f"{spec.title} is a function of the whole confusion matrix: leave out ⟨positive⟩.")
    own = None if isinstance(spec, Average) else measures.get(spec)
    if own is None or not isinstance(decisions, Classes | Grouped):
        raise unknown_measure("measure of many labels", str(spec), averages.AVERAGES)
    label = decisions.outcomes.positive(positive)
    return averages.of_label(own, decisions.outcomes.labels.index(label), str(label))
