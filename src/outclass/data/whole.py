"""Whole columns of a table in DuckDB, in bounded memory: equal values are held once, and numbers as numbers."""

from collections.abc import Container, Sequence
from sys import getsizeof
from typing import Any, Final

import numpy as np

from outclass.data.columns import Whole
from outclass.data.limits import Room
from outclass.data.sql import as_text, quote
from outclass.data.tables import Table

# Bytes up to the answer, as measured: of a row, of each value in it beside the value itself, and of each number.
ROW: Final = 200
CELL: Final = 60
NUMBER: Final = 16
BATCH: Final = 1 << 11  # rows, as many as DuckDB has available
MOST_SHARED: Final = 1 << 16  # different values of a column; of more, few occur twice
TOGETHER: Final = 200  # columns; DuckDB takes much longer over one long condition
NUMERIC: Final = ("BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "DECIMAL", "U")


def whole_columns(table: Table, names: Sequence[str], text: Sequence[str] | None, room: Room) -> Whole:
    """Return columns of a table; with `text`, those that it does not name as numbers, if that is all they hold."""
    found = None if text is None else _with_numbers(table, names, text, room)
    if found is not None:
        return found
    columns = [_Column() for _ in names]
    reader = table.connection.execute(f"SELECT {_listed(names)} FROM {table.view}")
    rows = 0
    while batch := reader.fetchmany(BATCH):
        rows += len(batch)
        own = sum(column.add(values) for column, values in zip(columns, zip(*batch, strict=True), strict=True))
        room.take(own + (ROW + CELL * len(names)) * len(batch), rows, table.place)
    return {name: column.values for name, column in zip(names, columns, strict=True)}


class _Column:
    """The values of one column, which are all of one type; as long as they are few, equal ones are one object."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._known: dict[Any, Any] | None = {}

    def add(self, values: Sequence[Any]) -> int:
        """Add values and return how many bytes they take by themselves."""
        if self._known is not None:
            try:
                shared = list(map(self._known.setdefault, values, values))
            except TypeError:  # lists cannot be looked up
                self._known = None
            else:
                self.values.extend(shared)
                self._known = self._known if len(self._known) <= MOST_SHARED else None
                return 0
        self.values.extend(values)
        return sum(map(getsizeof, values))


def _with_numbers(table: Table, names: Sequence[str], text: Sequence[str], room: Room) -> Whole | None:
    """Return columns of which some hold numbers; None if a cell there is neither a finite number nor empty."""
    kinds = [str(kind) for kind in table.connection.sql(f"SELECT {_listed(names)} FROM {table.view} LIMIT 0").types]
    if not all(kind == "VARCHAR" or kind.startswith(NUMERIC) for kind in kinds):
        return None
    written = {name for name, kind in zip(names, kinds, strict=True) if kind == "VARCHAR"}
    picked = []
    for place, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        own = quote(name)
        # Of these NumPy would make floats, in which different ids are one.
        exact = as_text(own, kind) if kind.startswith(("DECIMAL", "HUGEINT", "UHUGEINT")) else own
        picked.append(f"{exact if name in text else _number(name, written)} AS c{place}")
    each = ROW + sum(CELL if name in text else NUMBER for name in names)
    most = room.rows(each)
    read = table.connection.execute(f"SELECT {', '.join(picked)} FROM {table.view} LIMIT {most + 1}").fetchnumpy()
    found = {name: read[f"c{place}"] for place, name in enumerate(names)}
    rows = len(found[names[0]])
    room.take(rows * each, rows - 1, table.place)
    filled = {name: np.ma.filled(found[name], np.nan) for name in names if name not in text}
    # A cell that is no number has become nothing; only where there is such a cell is it worth asking what it was.
    doubtful = [name for name, column in filled.items() if not np.all(np.isfinite(column))]
    if any(_is_odd(table, doubtful[at : at + TOGETHER], written) for at in range(0, len(doubtful), TOGETHER)):
        return None  # read again, as it is written, to say which
    return {name: filled[name] if name in filled else found[name].tolist() for name in names}


def _is_odd(table: Table, names: Sequence[str], written: Container[str]) -> bool:
    """Whether a cell of these columns, of which some are `written` as text, is neither a finite number nor empty."""
    odd = " OR ".join(
        f"(trim({quote(name)}) <> '' AND NOT coalesce(isfinite({_number(name, written)}), false))"
        if name in written
        else f"isinf({_number(name, written)})"
        for name in names
    )
    return bool(table.query(f"SELECT bool_or({odd}) FROM {table.view}")[0][0])


def _number(name: str, written: Container[str]) -> str:
    # DuckDB leaves the cast of a bare column to its CSV reader, which stops at a cell that is no number.
    return f"TRY_CAST({f'trim({quote(name)})' if name in written else quote(name)} AS DOUBLE)"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))
