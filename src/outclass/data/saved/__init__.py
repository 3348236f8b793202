"""Takes data that add up, gives the JSON of a state, and reads it back: one module per kind of data.

A module has `to_json` and `from_json`, and `added`, which puts a batch into a state (None begins one) in an order that
depends on the evidence alone. A new kind is a module here and a line in `KINDS`. May import `data` and below.
"""

import re
from dataclasses import replace
from importlib import import_module
from typing import Any, Final, NamedTuple

from outclass.data.saved.plain import can_be_written
from outclass.errors import InputError, quoted
from outclass.findings import Finding


class Kind(NamedTuple):
    """A kind of data that can be saved: what its file calls itself, its module here, and what to call it."""

    mark: str
    module: str
    words: str


# By the name of the class, so that what is not used is not loaded.
KINDS: Final = {
    "Outcomes": Kind("outclass outcomes", "single_label", "one label per item"),
    "MultiLabel": Kind("outclass multi-label outcomes", "multi_label", "many labels per item"),
    "Grouped": Kind("outclass grouped outcomes", "grouped", "labels in groups"),
    "UnitCounts": Kind("outclass counts per item", "unit_counts", "counts per item"),
    "GroupedCounts": Kind("outclass grouped counts", "grouped_counts", "counts per item in groups"),
    "RepeatedScores": Kind("outclass repeated scores", "repeats", "several numbers per item"),
    "Scores": Kind("outclass item scores", "scores", "a number per item"),
}
_KIND: Final = re.compile(r'"kind"\s*:\s*"([^"]*)"')


def _module(kind: Kind) -> Any:
    return import_module(f"outclass.data.saved.{kind.module}")


def kind_of(data: Any) -> Kind:
    """Return the kind of some data, or say that they cannot be kept."""
    kind = KINDS.get(type(data).__name__)
    if kind is None:
        raise InputError(
            f"a state accumulates results per item; {type(data).__name__} has none. Add labels, scores or results."
        )
    return kind


def is_saved(head: bytes) -> bool:
    """Return whether the beginning of a file is that of a state: of a JSON object that says which kind it is.

    A table may hold the name of a kind in any of its cells.
    """
    return _said(head.decode("utf-8", "replace")) is not None


def _said(head: str) -> Kind | None:
    """Return the kind that the beginning of a JSON object names, if any."""
    if not head.removeprefix("\ufeff").lstrip().startswith("{"):
        return None
    said = [match[1] for match in _KIND.finditer(head)]
    return next((kind for kind in KINDS.values() if kind.mark in said), None)


def to_json(data: Any) -> str:
    """Write data of any kind; the bytes depend on the evidence alone."""
    text: str = _module(kind_of(data)).to_json(data)
    if not can_be_written(text):
        raise InputError(
            "a name or label contains an unpaired surrogate, which cannot be written as UTF-8. Correct it."
        )
    return text


def from_json(text: str) -> Any:
    """Read back what `to_json` wrote; anything else is an error."""
    return _module(_said(text[:200]) or KINDS["Outcomes"]).from_json(text)


def added(state: Any, evidence: Any, *, new_labels: bool) -> Any:
    """Add evidence to a state (None begins one), or say why it does not fit."""
    own = kind_of(evidence)
    if state is not None:
        if kind_of(state) != own:
            raise InputError(
                f"the state contains {kind_of(state).words}, the new data {own.words}. Read them with the options of "
                "the first batch, or start a new state."
            )
        if set(evidence.systems) != set(state.systems):
            raise InputError(
                f"the state is for the systems {quoted(state.systems)}, the new data for {quoted(evidence.systems)}. "
                "Name the matching columns (⟨systems=COL⟩)."
            )
        evidence = evidence.selected(state.systems)
    return _module(own).added(state, evidence, new_labels=new_labels)


def with_findings(data: Any, findings: tuple[Finding, ...]) -> Any:
    """Return the same data with other findings."""
    if hasattr(data, "with_findings"):
        return data.with_findings(findings)
    return replace(data, findings=findings)
