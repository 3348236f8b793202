"""Whole columns of a table in DuckDB, in bounded memory: equal values are held once, and numbers as numbers."""

from collections.abc import Sequence
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
    picked, odd = [], ["false"]
    for place, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        own, number = quote(name), f"TRY_CAST({quote(name)} AS DOUBLE)"
        # Of these NumPy would make floats, in which different ids are one.
        exact = as_text(own, kind) if kind.startswith(("DECIMAL", "HUGEINT", "UHUGEINT")) else own
        picked.append(f"{exact if name in text else number} AS c{place}")
        if name not in text and kind == "VARCHAR":
            odd.append(f"(trim({own}) <> '' AND NOT coalesce(isfinite({number}), false))")
        elif name not in text:
            odd.append(f"isinf({number})")
    each = ROW + sum(CELL if name in text else NUMBER for name in names)
    most = room.rows(each)
    found = table.connection.execute(
        f"SELECT {', '.join(picked)}, {' OR '.join(odd)} AS odd FROM {table.view} LIMIT {most + 1}"
    ).fetchnumpy()
    rows = len(found["odd"])
    if np.any(found["odd"]):
        return None  # read again, as it is written, to say which
    room.take(rows * each, rows - 1, table.place)
    return {
        name: column.tolist() if name in text else np.ma.filled(column, np.nan)
        for name, column in ((name, found[f"c{place}"]) for place, name in enumerate(names))
    }


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))
