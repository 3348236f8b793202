"""The distinct rows of a table in DuckDB, fetched by columns as codes: a million rows never become tuples."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from outclass.data.coding import Coded, coded, coder_of
from outclass.data.columns import FIRST_ROWS
from outclass.data.sql import quote
from outclass.data.tables import Table

WIDE: Final = 100  # columns: rows of more are hardly ever alike, and DuckDB takes minutes to group by a thousand
LOOKED_AT: Final = 1_000_000  # cells of a wide table's first rows
FETCHED: Final = 1_000_000  # cells at a time
COUNTED: Final = "counted rows"
# Types that arrive in NumPy as what they are; others, such as dates and HUGEINT, would not.
EXACT: Final = ("BOOLEAN", "VARCHAR", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")


def counted_columns(
    table: Table, names: Sequence[str], count: str | None, also: Mapping[str, str] | None = None
) -> tuple[list[Coded], list[int]]:
    """Return the codes of each column, of every distinct row, and how many items the row stands for.

    `also` are further columns to count by, as SQL.
    """
    size = "1" if count is None else f"CAST({quote(count)} AS HUGEINT)"
    sources = [*map(quote, names), *(also or {}).values()]
    picked = ", ".join(f"{source} AS c{at}" for at, source in enumerate(sources))
    names = [*names, *(also or {})]
    query = f"SELECT {picked}, {size} AS n FROM {table.view}"
    if len(names) <= WIDE:
        keys = ", ".join(f"c{at}" for at in range(len(names)))
        query = f"SELECT {keys}, {'count(*)' if count is None else 'sum(n)'} AS n FROM ({query}) GROUP BY {keys}"
    connection, place = table.connection, quote(COUNTED)
    # A table keeps its order, so that its columns can be fetched one after the other.
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {place} AS {query}")
    try:
        sizes = [int(row[0]) for row in connection.sql(f"SELECT n FROM {place}").fetchall()]
        kinds = list(map(str, connection.table(COUNTED).types))[:-1]
        columns = [
            (f"c{at}", name, kind) for at, (name, kind) in enumerate(zip(("truth", *names[1:]), kinds, strict=True))
        ]
        step = max(1, FETCHED // max(len(sizes), 1))
        found: list[Coded] = []
        for part in (columns[at : at + step] for at in range(0, len(columns), step)):
            fetched = connection.sql(f"SELECT {', '.join(own for own, _, _ in part)} FROM {place}")
            exact = all(kind in EXACT for _, _, kind in part)
            values = fetched.fetchnumpy().values() if exact else zip(*fetched.fetchall(), strict=True)
            found += [_coded(column, name, exact=exact) for column, (_, name, _) in zip(values, part, strict=True)]
    finally:
        connection.execute(f"DROP TABLE {place}")
    return found, sizes


def _coded(values: Any, name: str, *, exact: bool) -> Coded:
    if not exact:
        return coded(values, name)
    column = np.asarray(values)
    if (gone := np.ma.getmaskarray(values)).any():
        column = column.astype(object)
        column[gone] = None
    coder = coder_of(column, name)
    codes = coder.codes(column)
    # As narrow as they can be: there may be many columns.
    return Coded(codes.astype(np.min_scalar_type(coder.size)), [coder.label(code) for code in range(coder.size)])


def first_values(table: Table, names: Sequence[str]) -> Callable[[str, int], Sequence[Any]]:
    """Return what gives the distinct values of a column, of a wide table all columns' in one query."""
    if len(names) <= WIDE:
        return table.values
    rows = table.query(f"SELECT {', '.join(map(quote, names))} FROM {table.view} LIMIT {LOOKED_AT // len(names) + 1}")
    seen = {name: list(dict.fromkeys(column)) for name, column in zip(names, zip(*rows, strict=True), strict=True)}
    return lambda name, most: seen[name] if most <= FIRST_ROWS and name in seen else table.values(name, most)
