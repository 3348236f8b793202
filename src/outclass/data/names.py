"""What files are called without their extensions, and what the systems in several tables are called."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Final

from outclass.errors import InputError, did_you_mean, quoted
from outclass.locations import Location, located

# Only what is known to be an extension is cut: `claude-2.0.csv` and `claude-2.1.csv` are two systems.
EXTENSIONS: Final = (
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".run", ".eval"),
    *(".conll", ".conllu", ".bio", ".iob", ".iob2", ".bioes"),
    *(".gz", ".zst", ".bz2", ".xz"),
)


def stem_of(path: object) -> str:
    """Return the name of a file or folder without the extensions that say how it is written; of a URL its table."""
    text = located(str(path))
    name = (text.table if isinstance(text, Location) else "") or PurePath(text.rstrip("/")).name
    while (suffix := PurePath(name).suffix.lower()) in EXTENSIONS and len(name) > len(suffix):
        name = name[: -len(suffix)]
    return name


def systems_of(
    tables: Sequence[tuple[str, Sequence[str]]], taken: Sequence[str], wanted: Sequence[str] | None
) -> dict[str, tuple[int, str]]:
    """Name the systems of tables: by their column where that is unique, by their table where it is not.

    `tables` are the tables' names and columns, `taken` the columns that are no systems; found are the place of the
    table and the column of each system.
    """
    listed = [(place, column) for place, (_, columns) in enumerate(tables) for column in columns if column not in taken]
    names, sizes = Counter(column for _, column in listed), Counter(place for place, _ in listed)
    found: dict[str, tuple[int, str]] = {}
    for place, column in listed:
        stem = tables[place][0]
        name = column if names[column] == 1 else stem if sizes[place] == 1 else f"{stem}.{column}"
        if name in found:
            raise InputError(f"two systems have the same name, {quoted([name])}. Rename a column or a file.")
        found[name] = (place, column)
    for system in wanted or ():
        if system not in found:
            raise InputError(f"no file has a system {quoted([system])}. {did_you_mean(system, found)}")
    if not found:
        raise InputError("the files have no system column besides the id and the truth.")
    return {system: found[system] for system in wanted} if wanted else found


def selection(wanted: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Check the systems that a user picks among those there are."""
    there = list(known)
    for name in wanted:
        if name not in there:
            raise InputError(f"no system {quoted([name])}. {did_you_mean(name, there)}")
    if len(set(wanted)) < len(wanted):
        raise InputError(f"a system is named twice: {quoted(wanted)} (⟨systems⟩).")
    return tuple(wanted)
