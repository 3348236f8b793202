"""One label per item and system in a long table, one row each: turned into one column per system."""

from collections.abc import Sequence
from typing import Any

from outclass.data.arrays import from_arrays
from outclass.data.counted import are_one
from outclass.data.in_memory import check_columns, stacked, tables_of
from outclass.data.labels import is_missing, name_of
from outclass.data.names import selection
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, did_you_mean, quoted

MOST_SYSTEMS = 200  # more are a column of something else


def read_long_labels(
    data: Any,
    *,
    item: str | None = None,
    system_column: str,
    label: str,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    missing: str = "error",
) -> Outcomes:
    """Read a long table of predictions, or parts of one; a row that is not there is a missing prediction."""
    if item is None:
        raise InputError("a long table of labels needs the column of its items: name it with ⟨item=COL⟩.")
    if truth is None:
        raise InputError("which column is the truth? Name it with ⟨truth=COL⟩.")
    needed = [item, system_column, label, truth]
    columns = stacked(tables_of(data, only=needed))
    check_columns(columns, {"item": item, "systems": system_column, "predictions": label, "truth": truth})
    rows = list(zip(*(columns[name] for name in needed), strict=True))
    lacking = sum(is_missing(one) or is_missing(other) for one, other, _, _ in rows)
    if lacking:
        have = "row has" if lacking == 1 else "rows have"
        raise InputError(f"{lacking:,} {have} no value in {quoted([item])} or {quoted([system_column])}.")
    names = list(dict.fromkeys(name_of(row[1]) for row in rows))
    if len(names) > MOST_SYSTEMS:
        raise InputError(f"column {quoted([system_column])} names {len(names):,} systems: is it the right column?")
    chosen = [name_of(system) for system in systems or names]
    if unknown := [name for name in chosen if name not in names]:
        raise InputError(
            f"there is no system {quoted(unknown[:1])} in column {quoted([system_column])} (⟨systems⟩). "
            f"{did_you_mean(unknown[0], names)}"
        )
    truths: dict[str, Any] = {}
    said: dict[str, dict[str, Any]] = {name: {} for name in names}
    for own, name, value, true in rows:
        key, who = name_of(own), name_of(name)
        if key in said[who]:
            raise InputError(
                f"item {quoted([key])} (⟨item⟩) has several rows for system {quoted([who])} (⟨system_column⟩). "
                "Keep one of them."
            )
        said[who][key] = value
        if is_missing(truths.setdefault(key, true)):
            truths[key] = true  # what one row of an item lacks, another may have
        if not are_one([truths[key], true]):
            raise InputError(f"item {quoted([key])} has different truths: {quoted([truths[key], true])}.")
    wide = {name: [said[name].get(key) for key in truths] for name in selection(chosen, names)}
    return from_arrays(list(truths.values()), wide, missing=missing, ids=list(truths))
