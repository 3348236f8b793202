"""One file a system, joined on the items' ids, after checking that they hold the same items and truths."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import duckdb

from outclass.data.candidates import candidates
from outclass.data.columns import FIRST_ROWS, Roles, check_names
from outclass.data.counted import are_one, counted_outcomes, known_truth, outcomes_with_gaps
from outclass.data.names import systems_of
from outclass.data.outcomes import Outcomes
from outclass.data.sql import quote
from outclass.data.tables import Table, check_ids, keys_of, lacking_rows
from outclass.errors import InputError, did_you_mean, quoted
from outclass.findings import Finding

SAMPLE: Final = 20_000
MOST_GAPS: Final = 4  # that are told


def joined(
    tables: Sequence[Table], truth: str | None, systems: Sequence[str] | None, id: str, missing: str
) -> Outcomes:
    """Join one file a system on the items' ids, after checking that they hold the same items and truths."""
    for table in tables:
        if id not in table.columns:
            raise InputError(f"{table.place} has no column {quoted([id])} (id). {did_you_mean(id, table.columns)}")
        check_names(table.columns, table.place)
    everything = list(dict.fromkeys(column for table in tables for column in table.columns))
    if truth is None:
        raise InputError(f"which column is the truth? The files have {quoted(everything)}; name it with ⟨truth=COL⟩.")
    holders = [table for table in tables if truth in table.columns]
    if not holders:
        raise InputError(f"no file has a column {quoted([truth])} (truth). {did_you_mean(truth, everything)}")
    found = systems_of([(table.stem, table.columns) for table in tables], (truth, id), systems)
    chosen = {name: (tables[place], column) for name, (place, column) in found.items()}
    for table in tables:
        if _repeats(table, id):
            check_ids(table, id)
    findings: tuple[Finding, ...] = ()
    if not systems:
        places = {truth: (holders[0], truth)} | {name: each for name, each in chosen.items() if name != truth}
        sound, findings = candidates(
            lambda name, most: places[name][0].values(places[name][1], most),
            holders[0].rows_up_to(FIRST_ROWS),
            truth,
            list(found),
        )
        chosen = {name: chosen[name] for name in sound}
    keys = keys_of(tables, id)
    if missing != "error":
        for table in tables:
            check_ids(table, id)
        made = _with_gaps(tables, holders, chosen, truth, keys, missing)
        return made.with_findings((*findings, *made.findings))
    rows = _counted(tables, holders, chosen, truth, keys)
    if rows is None:
        # Something does not fit; what it is takes longer to tell.
        for table in tables:
            check_ids(table, id)
        _check_same_items(tables, keys)
        _check_same_truth(holders, truth, id)
        raise AssertionError("the files fit together after all")
    first = tables[0]
    # Only to tell which items lack it: what one file lacks, another may have.
    truths = ", ".join(f"nullif(trim(CAST({holder.view}.{quote(truth)} AS VARCHAR)), '')" for holder in holders)
    picked = [f"coalesce({truths}) AS {quote('truth ')}"]
    picked += [f"{table.view}.{quote(column)} AS {quote(name)}" for name, (table, column) in chosen.items()]
    others = zip(tables[1:], keys[1:], strict=True)
    joins = "".join(f" JOIN {table.view} ON {keys[0]} = {key}" for table, key in others)
    first.connection.sql(
        f"CREATE TEMP VIEW joined AS SELECT {first.view}.{quote(id)} AS {quote(id + ' ')}, {', '.join(picked)} "
        f"FROM {first.view}{joins}"
    )
    whole = View(first.connection, "joined", "the files")
    roles = Roles(truth="truth ", systems=tuple(chosen), count=None, chosen=True)
    made = counted_outcomes(
        roles.systems, rows, missing, shown=lambda: lacking_rows(whole, roles, id + " "), place=whole.place
    )
    return made.with_findings((*findings, *made.findings))


def _counted(
    tables: Sequence[Table],
    holders: Sequence[Table],
    chosen: Mapping[str, tuple[Table, str]],
    truth: str,
    keys: Sequence[str],
) -> list[tuple[Any, ...]] | None:
    """Count the joined rows in one pass; None if the files do not hold the same items, each once and with one truth.

    If every joined row has its part in every file, and there are as many as each file has rows, no id occurs twice:
    an id that occurs x and y times would be joined x * y times, which is above x or y unless both are one.
    """
    rows = _joined_rows(tables, holders, chosen, truth, keys)
    items = sum(row[-1] for row in rows)
    once = all(table.query(f"SELECT count(*) FROM {table.view}")[0][0] == items for table in tables)
    here, end = len(tables), len(tables) + len(holders)
    same = all(all(row[:here]) and are_one(row[here:end]) for row in rows)
    return [(known_truth(row[here:end]), *row[end:]) for row in rows] if once and same else None


def _joined_rows(
    tables: Sequence[Table],
    holders: Sequence[Table],
    chosen: Mapping[str, tuple[Table, str]],
    truth: str,
    keys: Sequence[str],
) -> list[tuple[Any, ...]]:
    """Count the rows of all files joined: in which files they are, their truths, what each system says, how many."""
    parts = []
    for place, (table, key) in enumerate(zip(tables, keys, strict=True)):
        picked = [f"{key} AS k", f"true AS here{place}"]
        picked += [f"{quote(truth)} AS truth{place}"] if table in holders else []
        picked += [
            f"{quote(column)} AS system{number}"
            for number, (owner, column) in enumerate(chosen.values())
            if owner is table
        ]
        parts.append(f"(SELECT {', '.join(picked)} FROM {table.view})")
    listed = [f"here{place}" for place in range(len(tables))]
    listed += [f"truth{place}" for place, table in enumerate(tables) if table in holders]
    listed += [f"system{number}" for number in range(len(chosen))]
    whole = parts[0] + "".join(f" FULL JOIN {part} USING (k)" for part in parts[1:])
    rows = tables[0].query(f"SELECT {', '.join(listed)}, count(*) FROM ({whole}) GROUP BY ALL")
    if not rows:
        raise InputError("the files have no rows, so there is nothing to compare.")
    return rows


def _with_gaps(
    tables: Sequence[Table],
    holders: Sequence[Table],
    chosen: Mapping[str, tuple[Table, str]],
    truth: str,
    keys: Sequence[str],
    missing: str,
) -> Outcomes:
    """Join files that need not hold the same items: a prediction that a file lacks is missing."""
    rows = _joined_rows(tables, holders, chosen, truth, keys)
    return outcomes_with_gaps(
        rows,
        names=[table.place for table in tables],
        holders=[place for place, table in enumerate(tables) if table in holders],
        owners=[place for place, table in enumerate(tables) if any(table is owner for owner, _ in chosen.values())],
        systems=tuple(chosen),
        missing=missing,
        first=lambda at: [row[0] for row in tables[at].query(f"SELECT {keys[at]} FROM {tables[at].view} LIMIT 3")],
    )


def _repeats(table: Table, id: str) -> bool:
    """Return whether an id occurs so often that it shows in a sample: all its rows would be joined with each other."""
    (key,) = keys_of([table], id)
    sample = f"SELECT {key} AS k FROM {table.view} USING SAMPLE reservoir({SAMPLE} ROWS) REPEATABLE (1)"
    return bool(table.query(f"SELECT count(*) > count(DISTINCT k) FROM ({sample})")[0][0])


class View(Table):
    """A view that is there already."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, view: str, place: str) -> None:
        self.connection, self.view, self.place = connection, view, place


def _check_same_items(tables: Sequence[Table], keys: Sequence[str]) -> None:
    sets = [(table, f"SELECT {key} AS k FROM {table.view}") for table, key in zip(tables, keys, strict=True)]
    told = []
    for here, own in sets:
        for there, other in sets:
            if here is there:
                continue
            only = f"{own} EXCEPT {other}"
            many = here.query(f"SELECT count(*) FROM ({only})")[0][0]
            if many:
                shown = [row[0] for row in here.query(f"SELECT k FROM ({only}) ORDER BY CAST(k AS VARCHAR) LIMIT 5")]
                told.append(
                    f"{many:,} {'id occurs' if many == 1 else 'ids occur'} in {here.place} but not in {there.place}: "
                    f"{quoted(shown)}."
                )
    if told:
        raise InputError(
            f"{' '.join(told[:MOST_GAPS])} A paired comparison needs the same items in every file: ⟨missing=drop⟩ "
            "leaves these items out, ⟨missing=wrong⟩ counts a missing prediction as an error."
        )


def _check_same_truth(holders: Sequence[Table], truth: str, id: str) -> None:
    name = quote(truth)
    for first, other in combinations(holders, 2):
        mine, theirs = keys_of([first, other], id)
        pairs = first.query(
            f"SELECT x, y, count(*), min(k, 5) FROM (SELECT {mine} AS k, {first.view}.{name} AS x, {other.view}.{name} "
            f"AS y FROM {first.view} JOIN {other.view} ON {mine} = {theirs}) GROUP BY x, y"
        )
        differ = [pair for pair in pairs if not are_one(pair[:2])]
        if differ:
            rows = sorted(((k, x, y) for x, y, _, some in differ for k in some), key=lambda row: str(row[0]))[:5]
            shown = "".join(f"\n  id {quoted([k])}: {quoted([x])} and {quoted([y])}" for k, x, y in rows)
            many = sum(pair[2] for pair in differ)
            raise InputError(
                f"the truth of {many:,} {'item' if many == 1 else 'items'} differs between {first.place} and "
                f"{other.place}:{shown}\nThe truth must be the same in both files."
            )
