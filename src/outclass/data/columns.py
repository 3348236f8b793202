"""Which columns of a table are what."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.errors import InputError, did_you_mean, quoted

Whole = dict[str, Any]  # columns by name: lists of values, or arrays of numbers in which nan is missing
FIRST_ROWS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The columns a comparison needs, by name."""

    truth: str
    systems: tuple[str, ...]
    count: str | None
    chosen: bool  # whether the user named the systems, rather than taking every other column


def roles_of(
    columns: Sequence[str],
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    other: Sequence[str] = (),
    place: str,
) -> Roles:
    """Find the columns a user names, and the systems if none are named: every other column."""
    if truth is None:
        raise InputError(f"which column of {place} is the truth? It has {quoted(columns)}; say ⟨truth=COL⟩.")
    check_names(columns, place)
    for role, name in (("truth", truth), ("count", count), *(("system", system) for system in systems or ())):
        if name is not None and name not in columns:
            raise InputError(f"{place} has no column {quoted([name])} ({role}). {_near(name, columns)}")
    named = systems is not None and len(systems) > 0
    chosen = tuple(systems) if named and systems else tuple(c for c in columns if c not in (truth, count, *other))
    if not chosen:
        raise InputError(
            f"{place} has no system column: besides the truth {quoted([truth])} there is nothing to compare. "
            f"Its columns are {quoted(columns)}."
        )
    twice = [name for name, many in Counter(chosen).items() if many > 1]
    if twice:
        raise InputError(f"system {quoted(twice[:1])} is named twice.")
    if truth in chosen or (count is not None and count in (truth, *chosen)):
        raise InputError("the truth, the systems and the count must be different columns.")
    if both := [name for name in other if name in (truth, count, *chosen)]:
        raise InputError(
            f"column {quoted(both[:1])} is used both as the truth, a system or the count (⟨truth⟩, ⟨systems⟩, "
            "⟨count⟩) and for items or groups (⟨id⟩, ⟨item⟩, ⟨label⟩, ⟨group⟩)."
        )
    return Roles(truth=truth, systems=chosen, count=count, chosen=named)


def _near(name: str, columns: Sequence[str]) -> str:
    """Return a hint on a column that is not there: it may be inside another, as in nested JSON."""
    head = name.partition(".")[0]
    if head != name and head in columns:
        return f"Column {quoted([head])} may be nested; flatten the records first (pandas.json_normalize)."
    return did_you_mean(name, columns)


def check_names(columns: Sequence[str], place: str) -> None:
    """Refuse a table in which two columns have one name; databases take no notice of case."""
    seen: dict[str, str] = {}
    exact: set[str] = set()
    for name in columns:
        other = seen.setdefault(name.casefold(), name)
        if name in exact:
            raise InputError(f"{place} has more than one column named {quoted([name])}. Rename one of them.")
        if other != name:
            raise InputError(f"the columns {quoted([other, name])} of {place} differ in case only. Rename one.")
        exact.add(name)


def columns_in(data: Any) -> dict[str, Any] | None:
    """Return the columns of a mapping from names to columns; None of anything else."""
    if not isinstance(data, Mapping) or not data:
        return None
    columns = {str(name): column for name, column in data.items()}
    # Tables of databases and clusters have columns of their own, and no type.
    plain = all(
        isinstance(column, list | tuple) or (hasattr(column, "dtype") and np.ndim(column) == 1)
        for column in columns.values()
    )
    return columns if plain else None
