"""Whole columns of whatever holds a table: files, globs, a table in a database, any dataframe, a mapping of columns.

Labels are counted where they lie (see `files` and `frames`); scores, groups and many labels are needed item by item.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from outclass.data.candidates import in_memory
from outclass.data.columns import Roles, Whole, check_names, columns_in, roles_of
from outclass.data.databases import is_database, opened
from outclass.data.labels import is_missing, label_of, name_of
from outclass.data.names import stem_of, systems_of
from outclass.errors import InputError, did_you_mean, quoted, without_id
from outclass.findings import Finding


def columns_of_any(
    data: Any,
    *,
    keys: Sequence[str] = (),
    shared: Sequence[str] = (),
    only: Sequence[str] | None = None,
    filled: bool = True,
) -> Whole:
    """Return the columns of one table, or of one table per system joined on `keys`.

    Parameters
    ----------
    data
        A path, a glob, the URL of a table in a database, a dataframe, a mapping of columns; or several of one kind.
    keys
        The columns that tell rows apart; of one table they are not looked at.
    shared
        Columns that are no systems and hold the same in every table that has them: the truth, groups.
    only
        The columns that are needed, if that is known; others need not be read.
    filled
        Whether what a table lacks of the `shared` is taken from another; not where an empty cell is a value itself.
    """
    tables = tables_of(data, only=only)
    return tables[0][1] if len(tables) == 1 else joined(tables, keys, shared, filled)


def tables_of(
    data: Any, *, only: Sequence[str] | None = None, text: Sequence[str] | None = None
) -> list[tuple[str, Whole]]:
    """Return each table with its name: that of its file, or what the user calls it.

    Of files, `only` are the columns that are needed; with `text`, the others hold numbers.
    """
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and paths and all(isinstance(each, str | Path) for each in paths):
        return _stored(paths, only, text)
    from outclass.data.frame_joining import frames_in  # Narwhals is loaded for frames only
    from outclass.data.frames import columns_of, is_frame

    if is_frame(data):
        return [("the table", _checked(columns_of(data)))]
    if (frames := frames_in(data)) is not None:
        return [(name, _checked(columns_of(frame))) for name, frame in frames.items()]
    if (mapped := columns_in(data)) is not None:
        return [("the mapping", _checked({name: list(column) for name, column in mapped.items()}))]
    raise InputError(
        f"cannot read a table from {type(data).__name__}; give a path, a dataframe or a mapping of columns."
    )


def _stored(
    paths: Sequence[str | Path], only: Sequence[str] | None, text: Sequence[str] | None
) -> list[tuple[str, Whole]]:
    if any(map(is_database, paths)):
        from outclass.data.frames import columns_of

        with opened([str(path) for path in paths]) as found:
            tables = found if isinstance(found, Mapping) else {stem_of(paths[0]): found}
            return [(name, _checked(columns_of(table))) for name, table in tables.items()]
    from outclass.data.files import read_whole  # DuckDB is loaded for files only

    return read_whole(paths, only=only, text=text)


def _checked(columns: Whole) -> Whole:
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{quoted([name])} {size:,}" for name, size in sizes.items())
        raise InputError(f"the columns differ in length: {told}. Each must have one value per item.")
    if not any(sizes.values()):
        raise InputError("the table is empty, so there is nothing to compare.")
    return columns


def stacked(tables: Sequence[tuple[str, Whole]]) -> Whole:
    """Return the rows of all tables, one below the other."""
    first, columns = tables[0]
    for name, other in tables[1:]:
        if set(other) != set(columns):
            raise InputError(
                f"{quoted([name])} has the columns {quoted(other)}, {quoted([first])} has {quoted(columns)}. Parts of "
                "a long table (⟨system_column⟩) must have the same columns."
            )
    if len(tables) == 1:
        return columns
    return {column: [value for _, part in tables for value in part[column]] for column in columns}


def joined(
    tables: Sequence[tuple[str, Whole]], keys: Sequence[str], shared: Sequence[str], filled: bool = True
) -> Whole:
    """Join one table per system, after checking that they hold the same items and the same of what they share."""
    if not keys:
        raise InputError(
            f"{len(tables)} tables were given. To join one table per system, name the id column (⟨id=COL⟩); for "
            "parts of one table, pass a glob such as 'parts/*.csv'."
        )
    rows = [_rows(columns, keys, quoted([name])) for name, columns in tables]
    _check_same_items(tables, rows)
    order = list(rows[0])
    found: Whole = {key: tables[0][1][key] for key in keys}
    for column in shared:
        found[column] = _agreed(tables, rows, order, column, filled)
    for system, (place, column) in systems_of([(name, list(own)) for name, own in tables], list(found), None).items():
        if system in found:
            raise InputError(f"the system name {quoted([system])} is already the name of a column. Rename the file.")
        own = tables[place][1][column]
        found[system] = [own[rows[place][key]] for key in order]
    return found


def check_columns(columns: Mapping[str, Any], wanted: Mapping[str, str | None], place: str = "the table") -> None:
    """Check that the columns that a user names are there; `wanted` is by role."""
    for role, name in wanted.items():
        if name is not None and name not in columns:
            raise InputError(f"{place} has no column {quoted([name])} ({role}). {did_you_mean(name, list(columns))}")


def roles_in_memory(
    columns: Mapping[str, Any],
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    other: Sequence[str] = (),
    place: str = "the table",
) -> tuple[Roles, tuple[Finding, ...]]:
    """Find which columns are what; of columns that nobody named, those that can be systems."""
    also = [*other, *([] if id is None else [id])]
    roles = roles_of(list(columns), truth=truth, systems=systems, count=count, other=also, place=place)
    if id is not None:
        check_ids(columns, id)
    if roles.chosen:
        return roles, ()
    chosen, findings = in_memory(columns, roles.truth, roles.systems)
    return replace(roles, systems=chosen), findings


def check_ids(columns: Mapping[str, Sequence[Any]], id: str) -> None:
    """Refuse missing and repeated ids of one table."""
    _rows(columns, [id], "the table")


def _rows(columns: Mapping[str, Sequence[Any]], keys: Sequence[str], place: str) -> dict[tuple[str, ...], int]:
    """Return the row of each item; ids are compared as labels are, since files do not tell numbers from text."""
    check_names(list(columns), place)
    for key in keys:
        check_columns(columns, {"id": key}, place)
    cells = list(zip(*(columns[key] for key in keys), strict=True))
    lacking = sum(any(map(is_missing, row)) for row in cells)
    if lacking:
        raise without_id(lacking, place, keys)
    words = [tuple(map(name_of, row)) for row in cells]
    found = {word: at for at, word in enumerate(words)}
    if len(found) < len(words):
        twice = [_told(word) for word, many in Counter(words).most_common() if many > 1]
        raise InputError(
            f"{len(twice):,} {'id' if len(twice) == 1 else 'ids'} of {place} occur more than once: "
            f"{quoted(twice, most=5)}. Column {quoted(keys)} must name each item once (⟨id⟩)."
        )
    return found


def _told(key: Sequence[str]) -> str:
    return ", ".join(key)


def _check_same_items(tables: Sequence[tuple[str, Whole]], rows: Sequence[Mapping[tuple[str, ...], int]]) -> None:
    for here, own in zip(tables, rows, strict=True):
        for there, other in zip(tables, rows, strict=True):
            if only := sorted(set(own) - set(other)):
                raise InputError(
                    f"{len(only):,} {'id occurs' if len(only) == 1 else 'ids occur'} in {quoted([here[0]])} but not in "
                    f"{quoted([there[0]])}: {quoted(map(_told, only), most=5)}. A paired comparison needs the same "
                    "items in every table: add an empty prediction for them and use ⟨missing=drop⟩ or "
                    "⟨missing=wrong⟩, or remove them."
                )


def _agreed(
    tables: Sequence[tuple[str, Whole]],
    rows: Sequence[Mapping[tuple[str, ...], int]],
    order: Sequence[tuple[str, ...]],
    column: str,
    filled: bool,
) -> list[Any]:
    """Return a column that tables share, in the order of the first of them."""
    holders = [
        (name, [own[column][at[key]] for key in order])
        for (name, own), at in zip(tables, rows, strict=True)
        if column in own
    ]
    if not holders:
        everything = dict.fromkeys(each for _, own in tables for each in own)
        raise InputError(f"no table has a column {quoted([column])}. {did_you_mean(column, everything)}")
    (first, values), *others = holders
    for other, theirs in others:
        if filled:
            values = [his if is_missing(mine) else mine for mine, his in zip(values, theirs, strict=True)]
        differ = [
            f"\n  id {quoted([_told(key)])}: {quoted([mine])} and {quoted([his])}"
            for key, mine, his in zip(order, values, theirs, strict=True)
            if label_of(mine) != label_of(his) and not (filled and is_missing(his))
        ]
        if differ:
            raise InputError(
                f"{quoted([column])} of {len(differ):,} {'item' if len(differ) == 1 else 'items'} differs between "
                f"{quoted([first])} and {quoted([other])}:{''.join(differ[:5])}\nIt must be the same in all tables."
            )
    return values


def lacking_rows(columns: Mapping[str, Sequence[Any]], names: Sequence[str]) -> list[str]:
    """Describe the first five rows that lack a value."""
    lines = []
    for at, row in enumerate(zip(*(columns[name] for name in names), strict=True)):
        gone = [name for name, value in zip(names, row, strict=True) if is_missing(value)]
        if gone:
            lines.append(f"row {at + 1}: no label in {quoted(gone)}")
        if len(lines) == 5:
            break
    return lines
