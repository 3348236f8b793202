"""Reading items that several annotators labelled: two or more columns of the truth."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from outclass.ask.columns import USED
from outclass.ask.handed import named
from outclass.ask.used import spelt, unused
from outclass.data.annotated import NONE, WAYS, Annotated, agreement_note
from outclass.data.counted import check_policy, settle_missing
from outclass.data.outcomes import Outcomes
from outclass.data.partly_tables import read_partly_labelled
from outclass.errors import InputError, quoted, shown

USUAL: Final = "soft"
KIND: Final = "labels by several annotators"
MANY: Final = 2


def read_annotated(data: Any, predictions: Sequence[Any], given: dict[str, Any]) -> Annotated | Outcomes:
    """Read the labels of several annotators; `soft` keeps all of them, `majority` the one that most give."""
    way = given.get("annotators", USUAL)
    if way not in WAYS:
        raise InputError(f"⟨annotators⟩ must be one of {quoted(WAYS)}, got {shown(way)}.")
    known = {*USED[KIND], *(() if predictions else ("truth",))} - (set() if predictions else {"names"})
    if left := [name for name in given if name not in known]:
        raise unused(left, f"{KIND}, which are one per item and annotator")
    table, own = _as_table(data, predictions, given) if predictions else (data, dict(given))
    own.pop("annotators", None)
    names = [str(name) for name in own.pop("truth")]
    missing = check_policy(own.pop("missing", "error"))
    if len(set(names)) < len(names):
        raise InputError(f"{spelt('truth')} names one column twice: {quoted(names)}.")
    systems = own.pop("systems", None)
    if systems is not None and (both := [name for name in names if name in systems]):
        raise InputError(f"column {quoted(both[:1])} is both a true label and a system.")
    first, *others = names
    wanted = None if systems is None else [*others, *systems]
    found = read_partly_labelled(table, truth=first, systems=wanted, missing="wrong", **own)
    if lost := [name for name in others if name not in found.systems]:
        # To name it as a system tells whether it is there.
        read_partly_labelled(table, truth=first, systems=lost, missing="wrong", **own)
        raise InputError(
            f"column {quoted(lost[:1])} does not hold labels like those of {quoted([first])} (⟨truth⟩): annotators use "
            "the same labels."
        )
    columns = [0, *(found.column(name) for name in others)]
    rest = [place for place in range(1, 1 + len(found.systems)) if place not in columns]
    if not rest:
        raise InputError("there is no system: every column is a true label (⟨truth⟩).")
    made = Annotated(
        systems=tuple(found.systems[place - 1] for place in rest),
        labels=found.labels,
        annotators=tuple(names),
        patterns=found.patterns[:, [*columns, *rest]].copy(),
        counts=found.counts.copy(),
        findings=tuple(each for each in found.findings if each.code != "OC102"),
    )
    return _settled(made, way, missing)


def _settled(data: Annotated, way: str, missing: str) -> Annotated | Outcomes:
    """Settle what is missing: items without any label, and missing predictions."""
    without, silent = (data.given == NONE).all(axis=1), (data.said == NONE).any(axis=1)
    told = [
        f"{what}: {int(data.counts[rows].sum()):,} without a label"
        for what, rows in (("all annotators", without), ("a system", silent))
        if rows.any()
    ]
    notes = settle_missing(
        missing,
        rows=int(data.counts[without | silent].sum()),
        truths=int(data.counts[without].sum()),
        shown=told,
        items=data.items,
    )
    kept = ~without if missing == "wrong" else ~(without | silent)
    if not kept.any():
        raise InputError("no items are left: every item has a missing label (⟨missing=drop⟩).")
    found = Annotated(
        systems=data.systems,
        labels=data.labels,
        annotators=data.annotators,
        patterns=data.patterns[kept],
        counts=data.counts[kept],
        findings=(*data.findings, *notes),
    )
    own = found.agreement
    if not own.items:
        raise InputError(
            "no item has labels of two annotators, so nothing is known of how far they agree. Give the labels as one "
            "column (⟨truth⟩)."
        )
    found = found.with_findings((*found.findings, agreement_note(own)))
    return found if way == "soft" else found.majority()


def _as_table(
    truth: Any, predictions: Sequence[Any], given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return arrays as a mapping of columns."""
    if not isinstance(truth, Mapping) or len(truth) < MANY:
        raise InputError(
            "with arrays, the labels of several annotators are a mapping of names to arrays, as in "
            "compare({'ann1': first, 'ann2': second}, a, b)."
        )
    if "truth" in given:
        raise unused(["truth"], "arrays")
    labels = {str(name): column for name, column in truth.items()}
    arrays = named(next(iter(labels.values())), predictions, given.get("names"))
    if both := [name for name in labels if name in arrays]:
        raise InputError(f"{both[0]!r} names both an annotator and a system: rename one of them.")
    table = {**labels, **arrays}
    if len({len(column) for column in table.values()}) > 1:
        told = ", ".join(f"{name!r} {len(column):,}" for name, column in table.items())
        raise InputError(f"the arrays differ in length: {told}. Each must have one value per item.")
    kept = {name: value for name, value in given.items() if name != "names"}
    return {name: np.asarray(column, dtype=object) for name, column in table.items()}, kept | {
        "truth": list(labels),
        "systems": list(arrays),
    }
