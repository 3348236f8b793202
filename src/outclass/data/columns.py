"""Which columns of a table are what."""

import shlex
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

import numpy as np

from outclass.data.labels import is_missing, word
from outclass.errors import InputError, did_you_mean, quoted

Whole = dict[str, Any]  # columns by name: lists of values, or arrays of numbers in which nan is missing
FIRST_ROWS: Final = 10_000
# What a column may be called that is no system, and the option that says so.
ROLES: Final = {
    "id": "--id",
    "item": "--item",
    "count": "--count",
    "counts": "--count",
    "group": "--group",
    "fold": "--fold",
    "repeat": "--repeat",
    "data_set": "--data-set",
    "dataset": "--data-set",
}


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
        raise InputError(f"which column of {place} is the truth? It has {quoted(columns)}; say --truth COL.")
    check_names(columns, place)
    for role, name in (("truth", truth), ("count", count), *(("system", system) for system in systems or ())):
        if name is not None and name not in columns:
            raise InputError(f"{place} has no column {quoted([name])} ({role}). {did_you_mean(name, columns)}")
    named = systems is not None and len(systems) > 0
    chosen = tuple(systems) if named and systems else tuple(c for c in columns if c not in (truth, count, *other))
    if not named:
        check_role_names(chosen, place)
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
            f"column {quoted(both[:1])} cannot be the truth (--truth), a system (--system) or the count (--count) and "
            "name items or groups (--id, --item, --label, --group) as well."
        )
    return Roles(truth=truth, systems=chosen, count=count, chosen=named)


def check_role_names(chosen: Sequence[str], place: str) -> None:
    """Refuse columns that were taken for systems unasked and are called like something else."""
    for name in chosen:
        option = ROLES.get(name.strip().casefold().replace(" ", "_"))
        if option is not None:
            raise InputError(
                f"is the column {quoted([name])} of {place} a system? It is called like something else: say "
                f"{option} {shlex.quote(name)}, or name the systems (--system COL)."
            )


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


def check_systems(values: Callable[[str, int], Sequence[object]], truth: str, systems: Sequence[str]) -> None:
    """Check the systems that were taken unasked, by the first rows; all labels are read only if these look odd.

    `values` returns distinct values of a column, from so many of its rows.
    """
    seen = {system: _present(values(system, FIRST_ROWS)) for system in systems}
    try:
        check_overlap(seen, truth, _present(values(truth, FIRST_ROWS)))
    except InputError:
        # In a table that is sorted by class the first rows hold one class alone.
        check_overlap(seen, truth, _present(values(truth, 1 << 30)))


def _present(values: Sequence[object]) -> list[object]:
    return [value for value in values if not is_missing(value)]


def check_overlap(columns: Mapping[str, Sequence[object]], truth: str, labels: Sequence[object]) -> None:
    """Refuse columns that were taken for systems unasked and hold something else: ids, texts, scores, counts.

    A system may predict a few labels that are never true; an id or a text does little else.
    """
    words = {word(label) for label in labels}
    odd: dict[str, list[object]] = {}
    for name, seen in columns.items():
        if len(words) == 1 and len(seen) <= 2:
            continue  # a small batch of one class tells nothing about its columns
        strange = [value for value in seen if word(value) not in words]
        if words and (len(strange) == len(seen) > 0 or len(strange) > max(2 * len(words), 5)):
            odd[name] = strange
    if odd:
        told = ", ".join(f"{quoted([name])} ({quoted(strange, most=3)})" for name, strange in islice(odd.items(), 8))
        told += f" and {len(odd) - 8} more" if len(odd) > 8 else ""
        sound = [name for name in columns if name not in odd]
        rest = " ".join(f"--system {shlex.quote(name)}" for name in sound[:8]) or "--system COL"
        raise InputError(
            f"these columns were read as systems, but contain none of the labels of {quoted([truth])} "
            f"({quoted(labels, most=3)}): {told}. "
            f"Name the systems ({rest}), the ids (--id COL) or the counts (--count COL)."
        )
