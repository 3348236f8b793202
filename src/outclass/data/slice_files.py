"""Files as tables of slices: DuckDB turns every column into small codes in one scan, which are then counted."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from outclass.data.column_looks import Look, looks
from outclass.data.files import check_counts, opened_table
from outclass.data.labels import name_of
from outclass.data.slice_codes import CodedTable
from outclass.data.slice_table import Chunk, SliceTable, Source, many_values, too_many
from outclass.data.sliced_labels import cut_in_sql
from outclass.data.slicing import USUAL_BINS, Cut
from outclass.data.sql import as_text, quote
from outclass.data.tables import Table, check_ids

if TYPE_CHECKING:
    from outclass.data.slice_tables import Asked

LISTED: Final = 1_000  # values of a column that are listed; of more, numbers are cut into bins by DuckDB itself
FETCHED: Final = 1 << 22  # rows at a time
CODES: Final = "coded rows"
NESTED: Final = ("STRUCT", "MAP", "UNION", "BLOB")  # types whose values are no slices


@contextmanager
def coded_table(path: str | Path, asked: "Asked") -> Iterator[SliceTable]:
    """Code a file, or a glob of files, for as long as its slices are counted."""
    with opened_table(path) as table:
        roles, wanted = asked.roles(table.columns, table.place)
        if asked.id is not None:
            check_ids(table, asked.id)
        if roles.count is not None:
            check_counts(table, roles.count)
        kinds = dict(zip(table.columns, map(str, table.connection.table(table.view).types), strict=True))
        text = {name: as_text(quote(name), kinds[name]) or f"CAST({quote(name)} AS VARCHAR)" for name in table.columns}
        labels = [roles.truth, *roles.systems]
        nested = [name for name in wanted if kinds[name].startswith(NESTED) or kinds[name].endswith("]")]
        sources, unread = _sources(table, {name: text[name] for name in wanted if name not in nested}, wanted)
        unread |= dict.fromkeys(nested, "it holds lists, records or bytes")
        coding = _Coding(table, [*(text[name] for name in labels), *(sql for _, sql in sources)])
        further = {"size": f"CAST({quote(roles.count)} AS BIGINT)"} if roles.count else {}
        further |= {"id": quote(asked.id)} if asked.id else {}
        rows = coding.create(further)
        values = coding.values()
        yield CodedTable(
            systems=(roles.systems[0], roles.systems[1]),
            labels=values[: len(labels)],
            sources=[
                Source(cut.column, own, cut if cut.edges or cut.months else None, wanted[cut.column])
                for (cut, _), own in zip(sources, values[len(labels) :], strict=True)
            ],
            chunks=lambda: coding.chunks(rows, len(labels), counted=roles.count is not None),
            missing=asked.missing,
            ids=coding.ids if asked.id else None,
            most=asked.most,
            rows=rows,
            place=table.place,
            unread=unread,
        )


def _sources(
    table: Table, text: dict[str, str], bins: Mapping[str, int | None]
) -> tuple[list[tuple[Cut, str]], dict[str, str]]:
    """Return how each column is to be coded, as SQL of text, and the columns that make no slices, and why."""
    if not text:
        return [], {}
    rough = ", ".join(f"approx_count_distinct({sql})" for sql in text.values())
    rows, *distinct = table.query(f"SELECT count(*), {rough} FROM {table.view}")[0]
    found: list[tuple[Cut, str]] = []
    unread: dict[str, str] = {}
    many = [name for name, values in zip(text, distinct, strict=True) if values > LISTED]
    seen: dict[str, Look] = {}
    for number in dict.fromkeys(bins[name] for name in many):
        own = [name for name in many if bins[name] == number]
        seen |= dict(zip(own, looks(table, [text[name] for name in own], number or USUAL_BINS), strict=True))
    for (name, sql), values in zip(text.items(), distinct, strict=True):
        if name not in seen:
            found.append((Cut(name), sql))
            continue
        look = seen[name]
        ids = values > rows / 2
        numbers = look.numbers == look.known
        if numbers and (bins[name] or look.fractions or not ids):
            cut = Cut(name, look.edges)
            found.append((cut, f"CAST({cut_in_sql(cut)} AS VARCHAR)"))
        elif bins[name]:
            unread[name] = "not all of its values are numbers, and only numbers are cut into bins"
        elif look.dates == look.known:
            found.append((Cut(name, months=True), f"substr({sql}, 1, 7)"))
        elif ids:
            unread[name] = many_values(name, min(values, rows), rows, numbers=numbers, about="about ")
        else:
            unread[name] = too_many(values, LISTED)
    return found, unread


class _Coding:
    """Columns as codes, in a table of DuckDB: of enumerations, which are as narrow as they can be."""

    def __init__(self, table: Table, texts: Sequence[str]) -> None:
        self._table, self._texts = table, texts
        self._known: list[bool] = []  # whether a column has any value

    def create(self, further: dict[str, str]) -> int:
        """Code all rows, with some further columns; return how many there are."""
        connection, view = self._table.connection, self._table.view
        lists = ", ".join(
            f"list(DISTINCT {sql}) FILTER ({sql} IS NOT NULL) AS v{at}" for at, sql in enumerate(self._texts)
        )
        connection.execute(f"CREATE TEMP TABLE lists AS SELECT {lists} FROM {view}")
        sizes = self._table.query(f"SELECT {', '.join(f'len(v{at})' for at in range(len(self._texts)))} FROM lists")[0]
        picked = []
        for at, (sql, size) in enumerate(zip(self._texts, sizes, strict=True)):
            own = "NULL"
            if size:  # an enumeration of nothing is an error
                connection.execute(f"CREATE TYPE e{at} AS ENUM (SELECT unnest(v{at}) FROM lists)")
                own = f"enum_code(CAST({sql} AS e{at}))"
            kind = "UTINYINT" if (size or 0) < 256 else "UINTEGER"
            picked.append(f"CAST(coalesce(CAST({own} AS UINTEGER), {size or 0}) AS {kind}) AS c{at}")
            self._known.append(bool(size))
        picked += [f"{sql} AS {quote(name)}" for name, sql in further.items()]
        connection.execute(f"CREATE TEMP TABLE {quote(CODES)} AS SELECT {', '.join(picked)} FROM {view}")
        return int(self._table.query(f"SELECT count(*) FROM {quote(CODES)}")[0][0])

    def values(self) -> list[list[Any]]:
        """Return what the codes of each column stand for; the last one for nothing."""
        found: list[list[Any]] = []
        for at, known in enumerate(self._known):
            listed = self._table.query(f"SELECT enum_range(NULL::e{at})")[0][0] if known else []
            found.append([*listed, None])
        return found

    def chunks(self, rows: int, labels: int, *, counted: bool) -> Iterator[Chunk]:
        """Fetch the codes, some million rows at a time."""
        names = [f"c{at}" for at in range(len(self._texts))]
        picked = ", ".join([*names, *(["size"] if counted else [])])
        for start in range(0, rows, FETCHED):
            part = f"rowid >= {start} AND rowid < {start + FETCHED}"
            found = self._table.connection.sql(f"SELECT {picked} FROM {quote(CODES)} WHERE {part}").fetchnumpy()
            codes = [np.asarray(found[name]) for name in names]
            yield Chunk(codes[:labels], codes[labels:], np.asarray(found["size"]) if counted else None)

    def ids(self, rows: Sequence[int]) -> list[str]:
        """Return the ids of some rows."""
        if not rows:
            return []
        listed = ", ".join(map(str, rows))
        found = dict(self._table.query(f"SELECT rowid, id FROM {quote(CODES)} WHERE rowid IN ({listed})"))
        return [name_of(found[row]) for row in rows]
