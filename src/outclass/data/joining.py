"""One file a system, joined on the items' ids, after checking that they hold the same items and truths."""

from collections.abc import Sequence

import duckdb

from outclass.data.columns import Roles, check_names
from outclass.data.outcomes import Outcomes
from outclass.data.tables import Table, check_ids, counted_outcomes, quote
from outclass.errors import InputError, did_you_mean, quoted


def joined(
    tables: Sequence[Table], truth: str | None, systems: Sequence[str] | None, id: str, missing: str
) -> Outcomes:
    """Join one file a system on the items' ids, after checking that they hold the same items and truths."""
    for table in tables:
        if id not in table.columns:
            raise InputError(f"{table.place} has no column {quoted([id])} (id). {did_you_mean(id, table.columns)}")
        check_names(table.columns, table.place)
        check_ids(table, id)
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
    key = quote(id)
    picked = [f"{holders[0].view}.{quote(truth)} AS {quote('truth ')}"]
    picked += [f"{table.view}.{quote(column)} AS {quote(name)}" for name, (table, column) in found.items()]
    joins = "".join(
        f" JOIN {table.view} ON CAST({tables[0].view}.{key} AS VARCHAR) = CAST({table.view}.{key} AS VARCHAR)"
        for table in tables[1:]
    )
    first = tables[0]
    first.connection.sql(
        f"CREATE TEMP VIEW joined AS SELECT {first.view}.{key} AS {quote(id + ' ')}, {', '.join(picked)} "
        f"FROM {first.view}{joins}"
    )
    whole = View(first.connection, "joined", "the files")
    roles = Roles(truth="truth ", systems=tuple(found), count=None, chosen=True)
    names = ", ".join(quote(name) for name in (roles.truth, *roles.systems))
    rows = whole.query(f"SELECT {names}, count(*) FROM {whole.view} GROUP BY {names}")
    return counted_outcomes(whole, roles, rows, missing, position=id + " ")


class View(Table):
    """A view that is there already."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, view: str, place: str) -> None:
        self.connection, self.view, self.place = connection, view, place


def _systems(tables: Sequence[Table], truth: str, id: str) -> dict[str, tuple[Table, str]]:
    """Name the systems: by their column where that is unique, by their file where it is not."""
    columns = [(table, column) for table in tables for column in table.columns if column not in (truth, id)]
    names = [column for _, column in columns]
    found: dict[str, tuple[Table, str]] = {}
    for table, column in columns:
        alone = sum(other is table for other, _ in columns) == 1
        name = column if names.count(column) == 1 else table.stem if alone else f"{table.stem}.{column}"
        if name in found:
            raise InputError(f"two systems would both be called {quoted([name])}. Rename a column or a file.")
        found[name] = (table, column)
    return found


def _check_same_items(tables: Sequence[Table], id: str) -> None:
    key = quote(id)
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


def _check_same_truth(holders: Sequence[Table], truth: str, id: str) -> None:
    key, name = quote(id), quote(truth)
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
