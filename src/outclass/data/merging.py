"""Labels merged into coarser ones, in the truth and in all predictions, right after reading.

Takes data whose labels are codes, gives the same kind of data with other labels: what was counted is counted no more.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.data.grouped import Grouped
from outclass.data.in_memory import columns_of_any
from outclass.data.labels import Label, is_missing, normal, ordered, shown_as
from outclass.data.multilabel import MultiLabel
from outclass.data.outcomes import WRONG, Outcomes
from outclass.data.pair import TwoSets
from outclass.data.partly_labelled import PartlyLabelled, partly_labelled
from outclass.data.partly_lists import PartlyLists
from outclass.data.slicing import Part, Sliced
from outclass.errors import InputError, did_you_mean, quoted, shown
from outclass.findings import Finding, finding

HEADS: Final = ("old", "new")


class Merge(NamedTuple):
    """Which label becomes which; `whole_scheme` if it may name labels that do not occur, as a file of a scheme does."""

    new_of: dict[Label, Label]
    whole_scheme: bool = False


def merge_of(spec: Any) -> Merge:
    """Read a merge: 'NEW=OLD|OLD', a mapping {new: [old, ...]} or {old: new}, a CSV file (old, new), or several."""
    listed = [spec] if isinstance(spec, str | Path | Mapping) else list(spec) if isinstance(spec, Sequence) else []
    if not listed or not all(isinstance(each, str | Path | Mapping) for each in listed):
        raise InputError(f"⟨merge⟩ must be a mapping, 'NEW=OLD|OLD' or the path of a CSV file, got {shown(spec)}.")
    new_of: dict[Label, Label] = {}
    from_file = False
    for each in listed:
        is_file = not isinstance(each, Mapping) and ("=" not in str(each) or os.path.isfile(each))
        from_file = from_file or is_file
        pairs = _of_file(Path(str(each))) if is_file else _pairs(each)
        if not pairs or (isinstance(each, Mapping) and [] in map(_listed, each.values())):
            raise InputError(f"⟨merge⟩ names no labels to merge in {shown(each)}: write NEW=OLD|OLD.")
        for old, new in pairs:
            if is_missing(old) or is_missing(new):
                raise InputError(f"⟨merge⟩ has an empty label in {shown(each)}: write NEW=OLD|OLD.")
            own, to = normal(old), normal(new)
            if new_of.setdefault(own, to) != to:
                raise InputError(
                    f"⟨merge⟩ puts {quoted([own])} into both {quoted([new_of[own]])} and {quoted([to])}: a label goes "
                    "into one."
                )
    chained = [new for old, new in new_of.items() if new_of.get(new, new) != new]
    if chained:
        raise InputError(
            f"⟨merge⟩ makes {quoted(chained[:1])} a new label and merges it into {quoted([new_of[chained[0]]])}: name "
            "the last one directly."
        )
    return Merge(new_of, from_file)


def _pairs(spec: Any) -> list[tuple[Any, Any]]:
    if isinstance(spec, Mapping):
        found: list[tuple[Any, Any]] = []
        for key, value in spec.items():
            several = _listed(value)
            found += [(key, value)] if several is None else [(old, key) for old in several]
        return found
    new, _, olds = str(spec).partition("=")
    return [(old, new) for old in olds.split("|")]


def _listed(value: Any) -> list[Any] | None:
    """Return the labels that a mapping lists for a new one; None if it maps an old label to a new one."""
    return list(value) if isinstance(value, list | tuple | set | frozenset) else None


def _of_file(path: Path) -> list[tuple[Any, Any]]:
    """Read a table with the columns old and new; without this header, a row might be taken for one."""
    columns = columns_of_any(path)
    if not set(HEADS) <= set(columns):
        raise InputError(
            f"{quoted([path.name])} (⟨merge⟩) needs the columns 'old' and 'new'; it has {quoted(columns)}. To merge "
            "without a file, write NEW=OLD|OLD."
        )
    old, new = (list(columns[name]) for name in HEADS)
    return list(zip(old, new, strict=True))


def merged(data: Any, merge: Merge, *, some: bool = False) -> Any:
    """Return data with merged labels.

    A label that does not occur is an error; of a file that lists a whole scheme, and with `some` (a batch of a state),
    it is a finding.
    """
    known = {normal(label) for label in _labels_of(data)}
    gone = [label for label in merge.new_of if label not in known]
    notes: tuple[Finding, ...] = ()
    if gone and (len(gone) == len(merge.new_of) or not (some or merge.whole_scheme)):
        text = str(gone[0])
        raise InputError(f"no label {quoted([text])} (⟨merge⟩). {did_you_mean(text, map(str, _labels_of(data)))}")
    if gone:
        are = "is a label" if len(gone) == 1 else "are labels"
        notes = (finding("OC612", f"{quoted(gone, most=3)} {are} to merge (⟨merge⟩) and not in these data."),)
    if len({merge.new_of.get(label, label) for label in known}) < 2:
        raise InputError("⟨merge⟩ leaves a single label, so there is nothing to compare: merge fewer labels.")
    found = _applied(data, merge.new_of)
    return found.with_findings((*found.findings, *notes)) if notes else found


def _labels_of(data: Any) -> tuple[Label, ...]:
    if isinstance(data, TwoSets):
        return tuple(dict.fromkeys((*data.first.labels, *data.second.labels)))
    whole = data.whole if isinstance(data, Sliced) else data
    if not isinstance(whole, Outcomes | MultiLabel | Grouped | PartlyLabelled | PartlyLists):
        if getattr(whole, "typed", False):
            raise InputError(
                "⟨merge⟩ cannot merge types that were counted already: merge them in the tags or the table."
            )
        raise InputError(f"⟨merge⟩ is not used with {whole.kind}, which have no labels to merge: leave it out.")
    return tuple(whole.labels)


def _applied(data: Any, new_of: Mapping[Label, Label]) -> Any:
    if isinstance(data, Sliced):
        parts = (replace(part, data=_applied(part.data, new_of)) if part.data else part for part in data.parts)
        whole: tuple[Part, ...] = tuple(parts)
        return Sliced(_applied(data.whole, new_of), whole)
    if isinstance(data, TwoSets):
        return TwoSets(_of_outcomes(data.first, new_of), _of_outcomes(data.second, new_of))
    if isinstance(data, PartlyLabelled):
        return _of_partly(data, new_of)
    if isinstance(data, PartlyLists):
        return replace(data, said=_of_many(data.said, new_of))
    if isinstance(data, Grouped):
        _, to = _recoded(data.outcomes.labels, new_of)
        outcomes = _of_outcomes(data.outcomes, new_of)
        return Grouped(outcomes, to[data.codes], data.group, len(data.names), data.names)
    return _of_many(data, new_of) if isinstance(data, MultiLabel) else _of_outcomes(data, new_of)


def _recoded(labels: Sequence[Label], new_of: Mapping[Label, Label]) -> tuple[tuple[Label, ...], Any]:
    """Return the labels that there are then, and the code of each old one among them; the last is that of none."""
    own = [new_of.get(normal(label), normal(label)) for label in labels]
    shown_labels = shown_as(own)
    whole = ordered(shown_labels.values())
    place = {label: code for code, label in enumerate(whole)}
    return whole, np.array([*(place[shown_labels[label]] for label in own), WRONG], dtype=np.int64)


def _of_outcomes(outcomes: Outcomes, new_of: Mapping[Label, Label]) -> Outcomes:
    labels, to = _recoded(outcomes.labels, new_of)
    return replace(outcomes, labels=labels).part(to[outcomes.patterns], outcomes.counts)


def _of_partly(data: PartlyLabelled, new_of: Mapping[Label, Label]) -> PartlyLabelled:
    """Merge labels of the truth, of predictions and of judges."""
    labels, to = _recoded(data.labels, new_of)
    patterns, first, judges = data.patterns.copy(), 1 + len(data.systems), []
    patterns[:, :first] = to[patterns[:, :first]]
    for at, judge in enumerate(data.judges, start=first):
        names = judge.labels if judge.binned else [str(new_of.get(normal(name), name)) for name in judge.labels]
        own = tuple(dict.fromkeys(names))
        patterns[:, at] = np.array([own.index(name) for name in names], dtype=np.int64)[patterns[:, at]]
        judges.append(judge._replace(labels=own))
    return partly_labelled(data.systems, labels, judges, patterns, data.counts, data.weights, data.findings)


def _of_many(data: MultiLabel, new_of: Mapping[Label, Label]) -> MultiLabel:
    """Merge labels of items with many: an item has the new label if it has any of the old ones."""
    names = [str(new_of.get(normal(label), label)) for label in data.labels]
    labels = tuple(sorted(set(names)))
    place = {label: code for code, label in enumerate(labels)}
    codes = np.array([place[name] for name in names], dtype=np.int64)[data.label]
    keys, first, row = np.unique(data.item * len(labels) + codes, return_index=True, return_inverse=True)
    marks = np.zeros((len(keys), data.marks.shape[1]), dtype=bool)
    np.logical_or.at(marks, row.ravel(), data.marks)
    return replace(data, labels=labels, item=data.item[first], label=codes[first], marks=marks)
