"""Outcomes from files: CSV, TSV, Parquet, JSON lines and globs of them, counted by DuckDB."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import duckdb

from outclass.data.candidates import candidates
from outclass.data.column_looks import cut_in_table
from outclass.data.columns import FIRST_ROWS, Roles, Whole, roles_of
from outclass.data.counted import check_policy, counted_codes
from outclass.data.counting import counted_columns, first_values
from outclass.data.joining import joined
from outclass.data.labels import is_missing, word
from outclass.data.limits import SHARE, Room, available
from outclass.data.outcomes import Outcomes
from outclass.data.partly_tables import Rows, asked_of, check_roles, judge_cut
from outclass.data.sliced_labels import SlicedRows, cut_in_sql, sliced_outcomes
from outclass.data.slicing import Sliced, wanted_columns
from outclass.data.sql import no_progress_bar, quote, spill_folder
from outclass.data.tables import Table, check_ids, lacking_rows
from outclass.data.tally import whole_counts
from outclass.data.whole import whole_columns
from outclass.errors import FileError, InputError, did_you_mean, no_column, quoted
from outclass.findings import Finding

LEAST: Final = 256  # megabytes, without which DuckDB does not read a file
# DuckDB raises what it has no name for, as of damaged files, as a RuntimeError.
FAULTS: Final = (duckdb.Error, RuntimeError)


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
            tables = [Table(connection, str(path), f"t{number}") for number, path in enumerate(paths)]
            if len(tables) == 1:
                roles, findings = _roles(tables[0], truth, systems, count, id)
                return _counted(tables[0], roles, missing, findings)
            if id is None:
                raise InputError(
                    f"{len(tables)} files were given. To join one file per system, use ⟨id=COL⟩; for parts of one "
                    "table, pass a glob such as 'parts/*.csv'."
                )
            if count is not None:
                raise InputError("⟨count⟩ cannot be combined with several files: an item joined on its id counts once.")
            return joined(tables, truth, systems, id, missing)
        except FAULTS as error:
            raise _told(error, paths) from None


def read_whole(
    paths: Sequence[str | Path], *, only: Sequence[str] | None = None, text: Sequence[str] | None = None
) -> list[tuple[str, Whole]]:
    """Return the columns of each table, whole, with its name.

    `only` are the columns that are needed, of a table that has them all; with `text`, the others hold numbers.
    """
    room, found = Room(), []
    with _connection() as connection:
        try:
            for number, path in enumerate(paths):
                table = Table(connection, str(path), f"t{number}")
                lacking = [name for name in only or () if name not in table.columns]
                if lacking and len(paths) == 1:
                    raise no_column(lacking[0], table.columns)
                names = table.columns if only is None or lacking else list(only)
                columns = whole_columns(table, names, text, room)
                if not len(next(iter(columns.values()))):
                    raise InputError(f"{table.place} has no rows, so there is nothing to compare.")
                found.append((table.stem, columns))
        except FAULTS as error:
            raise _told(error, paths) from None
    return found


@contextmanager
def _connection() -> Iterator[duckdb.DuckDBPyConnection]:
    # Nothing is fetched from a network: DuckDB's extensions for that are neither installed nor loaded. What does not
    # fit into memory is put aside in a folder of its own.
    with spill_folder() as aside:
        config: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "temp_directory": aside,
        }
        if (memory := available()) is not None:
            config["memory_limit"] = f"{max(int(SHARE * memory) >> 20, LEAST)}MiB"
        with duckdb.connect(":memory:", config=config) as connection:
            no_progress_bar(connection)
            yield connection


@contextmanager
def opened_table(path: str | Path) -> Iterator[Table]:
    """Open one table, for as long as it is asked."""
    with _connection() as connection:
        try:
            yield Table(connection, str(path), "t0")
        except FAULTS as error:
            raise _told(error, [path]) from None


def _told(error: Exception, paths: Sequence[str | Path]) -> FileError:
    """Say in a sentence what DuckDB found wrong."""
    names = quoted([Path(path).name for path in paths])
    text = str(error)
    if "Query interrupted" in text:
        raise KeyboardInterrupt  # which DuckDB takes for a fault
    if "utf-8" in text.lower() or "unicode" in text.lower():
        return FileError(f"{names} is not UTF-8 text. Convert it first, for instance: iconv -f latin1 -t utf-8.")
    first = next((line for line in text.splitlines() if line.strip()), "unknown error")
    first = first.partition("Error: ")[2] or first
    hint = next((line.strip() for line in text.splitlines() if line.startswith("Expected Number of Columns")), "")
    return FileError(f"{names} cannot be read: {first.strip()} {hint}".rstrip())


def sliced_from_file(
    path: str | Path,
    by: Any,
    *,
    truth: str | None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
) -> Sliced:
    """Count the outcomes in one table, of all items and by slices, in one pass."""
    check_policy(missing)
    with _connection() as connection:
        try:
            table = Table(connection, str(path), "t0")
            wanted = wanted_columns(by, table.columns)
            roles, findings = _roles(table, truth, systems, count, id, [name for name in wanted if name != truth])
            cuts = [cut_in_table(table, name, roles.count, bins) for name, bins in wanted.items()]
            names = [roles.truth, *roles.systems]
            also = {f"slice {cut.column}": cut_in_sql(cut) for cut in cuts}
            columns, sizes = counted_columns(table, names, roles.count, also)
            rows = SlicedRows(columns[: len(names)], dict(zip(cuts, columns[len(names) :], strict=True)), sizes)
            found = sliced_outcomes(
                roles.systems, rows, missing, shown=lambda: lacking_rows(table, roles, "row"), place=table.place
            )
            return found.with_findings((*findings, *found.findings))
        except FAULTS as error:
            raise _told(error, [path]) from None


def partly_from_file(
    path: str | Path,
    *,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    judge: Sequence[str],
    inclusion: str | None,
    missing: str,
) -> Rows:
    """Count partly labelled items in one table, with what the judges say of them, in one pass."""
    with _connection() as connection:
        try:
            table = Table(connection, str(path), "t0")
            asked = asked_of(table.columns, judge, inclusion, missing)
            if truth is not None and systems is not None:
                check_roles(asked, truth, systems)
            roles, findings = _roles(table, truth, systems, count, id, asked.names)
            names = [roles.truth, *roles.systems]

            def known() -> set[str]:
                return {word(value) for name in names for value in table.values(name, 1 << 30) if not is_missing(value)}

            size = "count(*)" if count is None else f"sum(CAST({quote(count)} AS HUGEINT))"
            cuts = []
            for name, bins in asked.judges.items():
                rows = table.query(f"SELECT {quote(name)}, {size} FROM {table.view} GROUP BY 1")
                cuts.append(judge_cut(name, [row[0] for row in rows], [int(row[1]) for row in rows], bins, known))
            also = {f"judge {cut.column}": cut_in_sql(cut) for cut in cuts}
            if inclusion is not None:
                also |= {"inclusion": quote(inclusion)}
            columns, sizes = counted_columns(table, names, roles.count, also)
            first = len(names)
            return Rows(
                systems=roles.systems,
                columns=columns[:first],
                judges=dict(zip(cuts, columns[first : first + len(cuts)], strict=True)),
                inclusion=None if inclusion is None else columns[-1],
                counts=sizes,
                truth=roles.truth,
                place=table.place,
                findings=findings,
            )
        except FAULTS as error:
            raise _told(error, [path]) from None


def _roles(
    table: Table,
    truth: str | None,
    systems: Sequence[str] | None,
    count: str | None,
    id: str | None,
    other: Sequence[str] = (),
) -> tuple[Roles, tuple[Finding, ...]]:
    """Return which columns are what, after checking ids and counts, and what was found on the way."""
    if id is not None and id not in table.columns:
        raise InputError(f"{table.place} has no column {quoted([id])} (id). {did_you_mean(id, table.columns)}")
    others = [*other, *([] if id is None else [id])]
    roles = roles_of(table.columns, truth=truth, systems=systems, count=count, other=others, place=table.place)
    if id is not None:
        check_ids(table, id)
    findings: tuple[Finding, ...] = ()
    if not roles.chosen:
        values = first_values(table, [roles.truth, *roles.systems])
        systems, findings = candidates(values, table.rows_up_to(FIRST_ROWS), roles.truth, roles.systems)
        roles = replace(roles, systems=systems)
    if roles.count is not None:
        check_counts(table, roles.count)
    return roles, findings


def _counted(table: Table, roles: Roles, missing: str, findings: tuple[Finding, ...]) -> Outcomes:
    columns, sizes = counted_columns(table, [roles.truth, *roles.systems], roles.count)
    if not sizes:
        raise InputError(f"{table.place} has no rows, so there is nothing to compare.")
    found = counted_codes(
        roles.systems, columns, sizes, missing, shown=lambda: lacking_rows(table, roles, "row"), place=table.place
    )
    return found.with_findings((*findings, *found.findings))


def check_counts(table: Table, column: str) -> None:
    """Refuse what is no number of items."""
    name = quote(column)
    whole_counts(
        table.query(
            f"SELECT {name} FROM {table.view} "
            f"WHERE try_cast({name} AS HUGEINT) IS NULL OR try_cast({name} AS HUGEINT) < 0 "
            f"OR try_cast({name} AS DOUBLE) <> floor(try_cast({name} AS DOUBLE)) LIMIT 1"
        ),
        column,
    )
