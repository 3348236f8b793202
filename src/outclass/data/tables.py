"""A file, or a glob of files, as a view in DuckDB; nothing is guessed from its rows."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

import duckdb

from outclass.data.columns import Roles, check_names
from outclass.data.compressed import opened
from outclass.data.existing import JSON, PARQUET, existing, suffix_of
from outclass.data.labels import is_missing
from outclass.data.limits import say_cost, say_width
from outclass.data.names import stem_of
from outclass.data.sql import INTEGERS, as_key, as_text, quote
from outclass.errors import FileError, InputError, quoted, without_id

# Moments in a time zone need a further library, and Python's have no nanoseconds.
AS_TEXT: Final = ("TIMESTAMP WITH TIME ZONE", "TIMESTAMP_NS")
LONGEST_LINE: Final = 1 << 21  # bytes, as DuckDB has it
LONGEST_HEADER: Final = 1 << 23  # letters
LOOKED_AT: Final = 1 << 16  # letters of a header that tell what separates its columns
_QUOTED: Final = re.compile(r'(?:^|(?<=[,;\t|]))"(?:[^"]++|"")*+"')
_GLOB: Final = str.maketrans({"[": "[[]", "*": "[*]", "?": "[?]"})


class Table:
    """One file, or a glob of files, as a view in DuckDB."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str, view: str) -> None:
        self.connection, self.view = connection, view
        self.files, self.columns = existing(path), list[str]()
        self.place, self.stem = quoted([Path(path).name]), stem_of(path)
        suffix = suffix_of(self.files[0])
        # DuckDB takes lists of paths, whatever its type stubs say.
        pattern: Any = [_exactly(file) for file in self.files]
        if suffix in PARQUET:
            relation = self._parquet()
        elif suffix in JSON:
            # Every row is asked for its columns, not a sample; and rows with many different ones are no maps.
            self.columns = connection.read_json(
                pattern,
                sample_size=-1,
                maximum_sample_files=len(self.files),
                maximum_depth=1,
                map_inference_threshold=-1,
                field_appearance_threshold=0.0,
            ).columns
            whole = connection.read_json(pattern, columns=dict.fromkeys(self.columns, "JSON"))
            relation = whole.project(", ".join(map(_of_json, self.columns)))
        else:
            relation = self._text(suffix)
        relation.create_view(view)
        rows = self.query(f"SELECT count(*) FROM {view}")[0][0] if suffix in PARQUET else None  # of its footers
        say_cost(self.files, self.place, rows)

    def _parquet(self) -> duckdb.DuckDBPyRelation:
        """Read Parquet; parts of one table that do not agree on a column's type are read as text of the same labels."""
        kinds: dict[tuple[tuple[str, str], ...], list[str]] = {}  # the files of each schema
        for file in self.files:
            part = self.connection.read_parquet(_exactly(file))
            schema = tuple(zip(part.columns, map(str, part.types), strict=True))
            kinds.setdefault(schema, []).append(_exactly(file))
            self._check_same_columns(file, part.columns)
        mixed = [name for name in self.columns if len({dict(schema)[name] for schema in kinds}) > 1]
        parts = [
            self.connection.read_parquet(files).project(", ".join(self._picked(schema, mixed)))
            for schema, files in ((dict(own), files) for own, files in kinds.items())
        ]
        return reduce(lambda whole, part: whole.union(part), parts)

    def _picked(self, schema: Mapping[str, str], mixed: Sequence[str]) -> Iterator[str]:
        """Return the columns of a part in SQL; as text those of `mixed`, and those that Python would not hold."""
        for name in self.columns:
            own, kind = quote(name), schema[name]
            if name not in mixed and kind not in AS_TEXT:
                yield own
            elif (text := as_text(own, kind)) is not None:
                yield f"{text} AS {own}"
            else:
                raise FileError(
                    f"column {quoted([name])} of {self.place} is {kind} in some parts and has another type in others. "
                    "Parts of one table must have the same types."
                )

    def _check_same_columns(self, file: Path, names: list[str]) -> None:
        """Take the columns of the first part; the others must have the same."""
        check_names(names, quoted([file.name]))
        if self.columns and set(names) != set(self.columns):
            raise FileError(
                f"{quoted([file.name])} has the columns {quoted(names)}, {quoted([self.files[0].name])} has "
                f"{quoted(self.columns)}. Parts of one table must have the same columns."
            )
        if not self.columns:
            say_width(len(names), self.place)
        self.columns = self.columns or names

    def _text(self, suffix: str) -> duckdb.DuckDBPyRelation:
        """Read text tables, each by its own header; parts of one table may have their columns in another order."""
        relation = None
        for file in self.files:
            delimiter, names = _header(file, suffix)
            self._check_same_columns(file, names)
            part = self.connection.read_csv(
                _exactly(file),
                auto_detect=False,
                columns=dict.fromkeys(names, "VARCHAR"),
                delimiter=delimiter,
                quotechar='"',
                escapechar='"',
                header=True,
                parallel=_is_safe_in_parallel(file),
            ).project(", ".join(map(quote, self.columns)))  # `select` takes the square of their number
            relation = part if relation is None else relation.union(part)
        assert relation is not None
        return relation

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL and fetch what it finds."""
        return self.connection.sql(sql).fetchall()

    def rows_up_to(self, most: int) -> int:
        """Return how many rows there are, and no more than so many."""
        return int(self.query(f"SELECT count(*) FROM (SELECT 1 FROM {self.view} LIMIT {most})")[0][0])

    def values(self, column: str, most: int) -> list[Any]:
        """Return distinct values of a column, from its first rows."""
        name = quote(column)
        return [
            row[0] for row in self.query(f"SELECT DISTINCT {name} FROM (SELECT {name} FROM {self.view} LIMIT {most})")
        ]


def _of_json(name: str) -> str:
    """Return a column of JSON as the text of its values; NaN, which JSON does not know and programs write, is none."""
    own = quote(name)
    plain = f"CASE WHEN {own} = 'NaN' THEN NULL ELSE CAST({own} AS VARCHAR) END"
    return f"CASE WHEN starts_with({own}, '\"') THEN {own} ->> '$' ELSE {plain} END AS {own}"


def _exactly(file: Path) -> str:
    """Return the path of a file as DuckDB takes it: not for a glob, nor for a folder of a user's."""
    return str(file.absolute()).translate(_GLOB)


def delimiter_of(line: str, suffix: str) -> str:
    """Return what separates the columns of a text table, by its first line."""
    # A name in quotes may hold any of them.
    return "\t" if suffix == ".tsv" else max(",;\t|", key=_QUOTED.sub("", line[:LOOKED_AT]).count)


def _header(file: Path, suffix: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of a text table; nothing is guessed from its rows."""
    breaks: set[str] = set()
    try:
        with opened(file) as stream, io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
            lines = _lines(text, file, breaks)
            first = next(lines, "")
            delimiter = delimiter_of(first, suffix)
            names = next(csv.reader(chain([first], lines), delimiter=delimiter), [])
    except UnicodeDecodeError:
        raise FileError(
            f"{quoted([file.name])} is not UTF-8 text. Convert it first, for instance: iconv -f latin1 -t utf-8."
        ) from None
    except csv.Error as error:
        raise FileError(f"{quoted([file.name])} cannot be read: {error}.") from None
    if len(breaks) > 1:
        # DuckDB takes the first for the end of every line.
        raise FileError(
            f"{quoted([file.name])} has a line break in a column name, and inconsistent line endings. Rename the "
            "column."
        )
    return delimiter, [name.strip() or f"column{place}" for place, name in enumerate(names)]


def _is_safe_in_parallel(file: Path) -> bool:
    """Return whether DuckDB may read a file in pieces: it leaves out, in silence, a last line longer than a piece."""
    if file.suffix.lower() == ".gz":
        return False  # who knows how it ends
    with opened(file) as stream:
        stream.seek(max(0, file.stat().st_size - LONGEST_LINE))
        end = stream.read(LONGEST_LINE)
    return len(end) < LONGEST_LINE or b"\n" in end[:-2] or b"\r" in end[:-2]


def _lines(text: IO[str], file: Path, breaks: set[str]) -> Iterator[str]:
    """Read the lines of a header, so much and no more: a line of a compressed file may be gigabytes long.

    In `breaks` is put how they end.
    """
    left = LONGEST_HEADER
    while line := text.readline(left):
        left -= len(line)
        if left <= 0:
            raise FileError(f"{quoted([file.name])} has no header: the first line has no end.")
        breaks |= {line[len(line.rstrip("\r\n")) :]} - {""}
        yield line


def lacking_rows(table: Table, roles: Roles, position: str) -> list[str]:
    """Describe the first five rows that lack a label."""
    names = (roles.truth, *roles.systems)
    lacks = " OR ".join(f"{quote(name)} IS NULL OR trim(CAST({quote(name)} AS VARCHAR)) = ''" for name in names)
    place = "row_number() OVER ()" if position == "row" else quote(position)
    listed = ", ".join(quote(name) for name in names)
    found = table.query(f"SELECT * FROM (SELECT {place}, {listed} FROM {table.view}) WHERE {lacks} LIMIT 5")
    return [
        f"{f'row {row[0]}' if position == 'row' else f'id {quoted([row[0]])}'}: no label in "
        + quoted(name for name, value in zip(names, row[1:], strict=True) if is_missing(value))
        for row in found
    ]


def keys_of(tables: Sequence[Table], id: str) -> list[str]:
    """Return the key of a row of each table in SQL: as it is if all are whole numbers, and otherwise as text."""
    names = [f"{table.view}.{quote(id)}" for table in tables]
    kinds = [
        str(table.connection.sql(f"SELECT {name} FROM {table.view} LIMIT 0").types[0])
        for table, name in zip(tables, names, strict=True)
    ]
    if all(kind in INTEGERS for kind in kinds):
        return names
    return [as_key(name, kind) for name, kind in zip(names, kinds, strict=True)]


def check_ids(table: Table, id: str) -> None:
    """Refuse missing and repeated ids."""
    keys = f"(SELECT {keys_of([table], id)[0]} AS k FROM {table.view})"
    rows, known, distinct = table.query(f"SELECT count(*), count(k), count(DISTINCT k) FROM {keys}")[0]
    if known < rows:
        raise without_id(rows - known, table.place, [id])
    if distinct == rows:
        return
    twice = f"SELECT k, count(*) AS n FROM {keys} GROUP BY k HAVING n > 1"
    many = table.query(f"SELECT count(*) FROM ({twice})")[0][0]
    shown = [row[0] for row in table.query(f"{twice} ORDER BY n DESC, k LIMIT 5")]
    raise InputError(
        f"{many:,} {'id' if many == 1 else 'ids'} of {table.place} occur more than once: {quoted(shown)}. "
        f"Column {quoted([id])} must name each item once."
    )
