"""Outcomes from files: CSV, TSV, Parquet, JSON lines and globs of them, counted by DuckDB."""

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import duckdb

from outclass.data.columns import Roles, check_names, check_overlap, roles_of
from outclass.data.labels import is_missing
from outclass.data.outcomes import Outcomes, check_policy, settle_missing
from outclass.data.tally import MOST_ITEMS, whole_counts
from outclass.errors import FileError, InputError, did_you_mean, quoted

TEXT: Final = (".csv", ".tsv", ".txt")
JSON: Final = (".jsonl", ".ndjson", ".json")
PARQUET: Final = (".parquet", ".pq")
_GLOB: Final = str.maketrans({"[": "[[]", "*": "[*]", "?": "[?]"})


def from_files(
    paths: Sequence[str | Path],
    *,
    truth: str | None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Outcomes:
    """Count the outcomes in one table (a file or a glob of parts), or in one file a system joined on an id."""
    check_policy(missing)
    with _connection() as connection:
        try:
            tables = [_Table(connection, str(path), f"t{number}") for number, path in enumerate(paths)]
            if len(tables) == 1:
                return _one_table(tables[0], truth, systems, count, id, missing)
            if id is None:
                raise InputError(
                    f"{len(tables)} files were given. One file a system needs --id COL to join them; "
                    "parts of one table are given as a glob, such as 'parts/*.csv'."
                )
            if count is not None:
                raise InputError("--count does not go with several files: an item joined on its id counts once.")
            return _joined(tables, truth, systems, id, missing)
        except duckdb.Error as error:
            raise _told(error, paths) from None


def _connection() -> duckdb.DuckDBPyConnection:
    # Nothing is fetched from a network: DuckDB's extensions for that are neither installed nor loaded.
    return duckdb.connect(
        ":memory:", config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    )


def _quote(name: str) -> str:
    """Quote a name from a file as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def _told(error: duckdb.Error, paths: Sequence[str | Path]) -> FileError:
    """Say in a sentence what DuckDB found wrong."""
    names = quoted([Path(path).name for path in paths])
    text = str(error)
    if "utf-8" in text.lower() or "unicode" in text.lower():
        return FileError(f"{names} is not UTF-8 text. Convert it first, for instance: iconv -f latin1 -t utf-8.")
    first = next((line for line in text.splitlines() if line.strip()), "unknown error")
    first = first.partition("Error: ")[2] or first
    hint = next((line.strip() for line in text.splitlines() if line.startswith("Expected Number of Columns")), "")
    return FileError(f"{names} cannot be read: {first.strip()} {hint}".rstrip())


class _Table:
    """One file, or a glob of files, as a view in DuckDB."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str, view: str) -> None:
        self.connection, self.view = connection, view
        self.files = _existing(path)
        self.place, self.stem = quoted([Path(path).name]), Path(path).name.partition(".")[0]
        suffix = _suffix(self.files[0])
        # DuckDB takes lists of paths, whatever its type stubs say.
        pattern: Any = [str(file).translate(_GLOB) for file in self.files]
        if suffix in PARQUET:
            relation = connection.read_parquet(pattern, union_by_name=False)
            self.columns = list(relation.columns)
        elif suffix in JSON:
            self.columns = list(connection.read_json(pattern).columns)
            relation = connection.read_json(pattern, columns=dict.fromkeys(self.columns, "VARCHAR"))
        else:
            relation = self._text(suffix)
        relation.create_view(view)

    def _text(self, suffix: str) -> duckdb.DuckDBPyRelation:
        """Read text tables, each by its own header; parts of one table may have their columns in another order."""
        self.columns, relation = [], None
        for file in self.files:
            delimiter, names = _header(file, suffix)
            check_names(names, quoted([file.name]))
            if self.columns and set(names) != set(self.columns):
                raise FileError(
                    f"{quoted([file.name])} has the columns {quoted(names)}, {quoted([self.files[0].name])} has "
                    f"{quoted(self.columns)}. Parts of one table must have the same columns."
                )
            self.columns = self.columns or names
            part = self.connection.read_csv(
                str(file).translate(_GLOB),
                auto_detect=False,
                columns=dict.fromkeys(names, "VARCHAR"),
                delimiter=delimiter,
                quotechar='"',
                escapechar='"',
                header=True,
            ).select(*(duckdb.ColumnExpression(name) for name in self.columns))
            relation = part if relation is None else relation.union(part)
        assert relation is not None
        return relation

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run SQL and fetch what it finds."""
        return self.connection.sql(sql).fetchall()

    def values(self, column: str, most: int) -> list[Any]:
        """Return distinct values of a column, from its first rows."""
        name = _quote(column)
        return [
            row[0] for row in self.query(f"SELECT DISTINCT {name} FROM (SELECT {name} FROM {self.view} LIMIT {most})")
        ]


def _existing(path: str) -> list[Path]:
    """Return the files that a path or glob stands for."""
    plain = Path(path)
    if plain.is_dir():
        raise FileError(
            f"{quoted([path])} is a directory. Give a file, or a glob such as '{path.rstrip('/')}/*.parquet'."
        )
    if plain.is_file():
        files = [plain]
    else:
        anchor = Path(plain.anchor) if plain.is_absolute() else Path()
        pattern = str(plain.relative_to(plain.anchor)) if plain.is_absolute() else path
        has_glob = any(sign in path for sign in "*?[")
        files = sorted(file for file in anchor.glob(pattern) if file.is_file()) if has_glob else []
        if not files:
            folder = plain.parent if plain.parent.is_dir() else Path()
            near = [file.name for file in folder.iterdir() if file.is_file()] if not has_glob else []
            hint = did_you_mean(plain.name, near)
            raise FileError(f"there is no file {quoted([path])}. {hint if 'Did you' in hint else ''}".rstrip())
    for file in files:
        _check(file)
    kinds = {_kind(file) for file in files}
    if len(kinds) > 1:
        raise FileError(f"{quoted([path])} matches files of different formats. Give files of one format.")
    return files


def _suffix(file: Path) -> str:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    return suffixes[-2] if len(suffixes) > 1 and suffixes[-1] in (".gz", ".zst") else (suffixes or [""])[-1]


def _kind(file: Path) -> int:
    return next(place for place, kinds in enumerate((TEXT, JSON, PARQUET)) if _suffix(file) in kinds)


def _check(file: Path) -> None:
    """Refuse what cannot be a table, before DuckDB guesses at it."""
    name = quoted([file.name])
    if _suffix(file) not in (*TEXT, *JSON, *PARQUET):
        raise FileError(
            f"{name} has an unknown ending. Tables are read from {', '.join((*TEXT, *JSON, *PARQUET))} (also .gz)."
        )
    try:
        with file.open("rb") as stream:
            start = stream.read(8192)
    except OSError as error:
        raise FileError(f"{name} cannot be read: {error.strerror}.") from None
    if not start:
        raise FileError(f"{name} is empty.")
    if _suffix(file) in PARQUET:
        if start[:4] != b"PAR1":
            raise FileError(f"{name} is not a Parquet file, whatever its name says.")
    elif start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileError(f"{name} is UTF-16 text. Convert it first, for instance: iconv -f utf-16 -t utf-8.")
    elif b"\0" in start and start[:2] != b"\x1f\x8b":
        raise FileError(f"{name} is a binary file, not a table of text.")


def _header(file: Path, suffix: str) -> tuple[str, list[str]]:
    """Return the delimiter and the column names of a text table; nothing is guessed from its rows."""
    opened = gzip.open if file.suffix.lower() == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8-sig", newline="") as stream:
            line = stream.readline(1 << 20)
            delimiter = "\t" if suffix == ".tsv" else max(",;\t|", key=line.count)
            stream.seek(0)
            names = next(csv.reader(stream, delimiter=delimiter), [])
    except UnicodeDecodeError:
        raise FileError(
            f"{quoted([file.name])} is not UTF-8 text. Convert it first, for instance: iconv -f latin1 -t utf-8."
        ) from None
    except (OSError, EOFError, csv.Error) as error:
        raise FileError(f"{quoted([file.name])} cannot be read: {error}.") from None
    return delimiter, [name.strip() or f"column{place}" for place, name in enumerate(names)]


def _one_table(
    table: _Table,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    missing: str,
) -> Outcomes:
    other = [] if id is None else [id]
    if id is not None and id not in table.columns:
        raise InputError(f"{table.place} has no column {quoted([id])} (id). {did_you_mean(id, table.columns)}")
    roles = roles_of(table.columns, truth=truth, systems=systems, count=count, other=other, place=table.place)
    if id is not None:
        _check_ids(table, id)
    if not roles.chosen:
        labels = [label for label in table.values(roles.truth, 1 << 30) if not is_missing(label)]
        seen = {system: table.values(system, 10_000) for system in roles.systems}
        check_overlap(
            {name: [value for value in values if not is_missing(value)] for name, values in seen.items()},
            roles.truth,
            labels,
        )
    names = [_quote(name) for name in (roles.truth, *roles.systems)]
    if roles.count is None:
        size = "count(*)"
    else:
        size = f"sum(CAST({_quote(roles.count)} AS HUGEINT))"
        _check_counts(table, roles.count)
    rows = table.query(f"SELECT {', '.join(names)}, {size} FROM {table.view} GROUP BY {', '.join(names)}")
    if not rows:
        raise InputError(f"{table.place} has no rows: there is no item to compare.")
    return _outcomes(table, roles, rows, missing, position="row")


def _check_counts(table: _Table, column: str) -> None:
    name = _quote(column)
    whole_counts(
        table.query(
            f"SELECT {name} FROM {table.view} "
            f"WHERE try_cast({name} AS HUGEINT) IS NULL OR try_cast({name} AS HUGEINT) < 0 "
            f"OR try_cast({name} AS DOUBLE) <> floor(try_cast({name} AS DOUBLE)) LIMIT 1"
        ),
        column,
    )


def _outcomes(table: _Table, roles: Roles, rows: list[tuple[Any, ...]], missing: str, *, position: str) -> Outcomes:
    """Make outcomes of counted rows, settling those that lack a label."""
    counts = [int(row[-1]) for row in rows]
    if sum(counts) > MOST_ITEMS:
        raise InputError(
            f"the counts of {table.place} add up to {sum(counts):.3g} items, which is too many to be true."
        )
    lacking = [any(map(is_missing, row[:-1])) for row in rows]
    findings = settle_missing(
        missing,
        rows=sum(n for n, gone in zip(counts, lacking, strict=True) if gone),
        truths=sum(n for n, row in zip(counts, rows, strict=True) if is_missing(row[0])),
        shown=_shown(table, roles, position) if any(lacking) else [],
        items=sum(counts),
    )
    kept = [at for at, gone in enumerate(lacking) if not gone or missing == "wrong"]
    return Outcomes.of_rows(
        roles.systems, [rows[at][:-1] for at in kept], [counts[at] for at in kept], findings=findings
    )


def _shown(table: _Table, roles: Roles, position: str) -> list[str]:
    """Describe the first five rows that lack a label."""
    names = (roles.truth, *roles.systems)
    lacks = " OR ".join(f"{_quote(name)} IS NULL OR trim(CAST({_quote(name)} AS VARCHAR)) = ''" for name in names)
    place = "row_number() OVER ()" if position == "row" else _quote(position)
    listed = ", ".join(_quote(name) for name in names)
    found = table.query(f"SELECT * FROM (SELECT {place}, {listed} FROM {table.view}) WHERE {lacks} LIMIT 5")
    return [
        f"{position if position == 'row' else 'id'} {row[0]}: no label in "
        + quoted(name for name, value in zip(names, row[1:], strict=True) if is_missing(value))
        for row in found
    ]


def _check_ids(table: _Table, id: str) -> None:
    """Refuse missing and repeated ids."""
    name = _quote(id)
    gone = table.query(f"SELECT count(*) FROM {table.view} WHERE {name} IS NULL")[0][0]
    if gone:
        raise InputError(f"{gone:,} rows of {table.place} have no id in column {quoted([id])}.")
    twice = table.query(
        f"SELECT {name}, count(*) n FROM {table.view} GROUP BY 1 HAVING n > 1 ORDER BY n DESC, 1 LIMIT 5"
    )
    if twice:
        many = table.query(f"SELECT count(*) FROM (SELECT {name} FROM {table.view} GROUP BY 1 HAVING count(*) > 1)")[0][
            0
        ]
        raise InputError(
            f"{many:,} {'id' if many == 1 else 'ids'} of {table.place} occur more than once: "
            f"{quoted(row[0] for row in twice)}. "
            f"Column {quoted([id])} must name each item once."
        )


def _joined(
    tables: Sequence[_Table], truth: str | None, systems: Sequence[str] | None, id: str, missing: str
) -> Outcomes:
    """Join one file a system on the items' ids, after checking that they hold the same items and truths."""
    for table in tables:
        if id not in table.columns:
            raise InputError(f"{table.place} has no column {quoted([id])} (id). {did_you_mean(id, table.columns)}")
        check_names(table.columns, table.place)
        _check_ids(table, id)
    everything = list(dict.fromkeys(column for table in tables for column in table.columns))
    if truth is None:
        raise InputError(f"which column is the truth? The files have {quoted(everything)}; say --truth COL.")
    holders = [table for table in tables if truth in table.columns]
    if not holders:
        raise InputError(f"no file has a column {quoted([truth])} (truth). {did_you_mean(truth, everything)}")
    _check_same_items(tables, id)
    _check_same_truth(holders, truth, id)
    found = _systems(tables, truth, id)
    if systems:
        for system in systems:
            if system not in found:
                raise InputError(f"no file has a system {quoted([system])}. {did_you_mean(system, found)}")
        found = {system: found[system] for system in systems}
    if not found:
        raise InputError("the files have no system column besides the id and the truth.")
    key = _quote(id)
    picked = [f"{holders[0].view}.{_quote(truth)} AS {_quote('truth ')}"]
    picked += [f"{table.view}.{_quote(column)} AS {_quote(name)}" for name, (table, column) in found.items()]
    joins = "".join(
        f" JOIN {table.view} ON CAST({tables[0].view}.{key} AS VARCHAR) = CAST({table.view}.{key} AS VARCHAR)"
        for table in tables[1:]
    )
    first = tables[0]
    first.connection.sql(
        f"CREATE TEMP VIEW joined AS SELECT {first.view}.{key} AS {_quote(id + ' ')}, {', '.join(picked)} "
        f"FROM {first.view}{joins}"
    )
    whole = _View(first.connection, "joined", "the files")
    roles = Roles(truth="truth ", systems=tuple(found), count=None, chosen=True)
    names = ", ".join(_quote(name) for name in (roles.truth, *roles.systems))
    rows = whole.query(f"SELECT {names}, count(*) FROM {whole.view} GROUP BY {names}")
    return _outcomes(whole, roles, rows, missing, position=id + " ")


class _View(_Table):
    """A view that is there already."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, view: str, place: str) -> None:
        self.connection, self.view, self.place = connection, view, place


def _systems(tables: Sequence[_Table], truth: str, id: str) -> dict[str, tuple[_Table, str]]:
    """Name the systems: by their column where that is unique, by their file where it is not."""
    columns = [(table, column) for table in tables for column in table.columns if column not in (truth, id)]
    names = [column for _, column in columns]
    found: dict[str, tuple[_Table, str]] = {}
    for table, column in columns:
        alone = sum(other is table for other, _ in columns) == 1
        name = column if names.count(column) == 1 else table.stem if alone else f"{table.stem}.{column}"
        if name in found:
            raise InputError(f"two systems would both be called {quoted([name])}. Rename a column or a file.")
        found[name] = (table, column)
    return found


def _check_same_items(tables: Sequence[_Table], id: str) -> None:
    key = _quote(id)
    for here in tables:
        for there in tables:
            if here is there:
                continue
            only = (
                f"SELECT CAST({key} AS VARCHAR) AS k FROM {here.view} EXCEPT "
                f"SELECT CAST({key} AS VARCHAR) FROM {there.view}"
            )
            many = here.query(f"SELECT count(*) FROM ({only})")[0][0]
            if many:
                shown = [row[0] for row in here.query(f"SELECT k FROM ({only}) ORDER BY k LIMIT 5")]
                raise InputError(
                    f"{many:,} {'id occurs' if many == 1 else 'ids occur'} in {here.place} but not in {there.place}: "
                    f"{quoted(shown)}. A paired comparison needs the same items in every file: add an empty prediction "
                    "for them and say --missing wrong, or take them out."
                )


def _check_same_truth(holders: Sequence[_Table], truth: str, id: str) -> None:
    key, name = _quote(id), _quote(truth)
    first = holders[0]
    for other in holders[1:]:
        differs = (
            f"SELECT a.{key} AS k, a.{name} AS x, b.{name} AS y FROM {first.view} a JOIN {other.view} b "
            f"ON CAST(a.{key} AS VARCHAR) = CAST(b.{key} AS VARCHAR) "
            f"WHERE CAST(a.{name} AS VARCHAR) IS DISTINCT FROM CAST(b.{name} AS VARCHAR)"
        )
        many = first.query(f"SELECT count(*) FROM ({differs})")[0][0]
        if many:
            rows = first.query(f"SELECT * FROM ({differs}) ORDER BY k LIMIT 5")
            shown = "".join(f"\n  id {quoted([k])}: {quoted([x])} and {quoted([y])}" for k, x, y in rows)
            raise InputError(
                f"the truth of {many:,} items differs between {first.place} and {other.place}:{shown}\n"
                "Both files must hold the same truth."
            )
