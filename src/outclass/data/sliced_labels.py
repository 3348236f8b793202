"""Labels by slices: a slice is one more column to count by, in whatever engine holds the table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import Coded, coded, coded_as_counted
from outclass.data.counted import counted_codes
from outclass.data.outcomes import patterns_of
from outclass.data.slicing import Cut, Part, Sliced
from outclass.data.sql import quote

Values = Callable[[str], tuple[Sequence[Any], Sequence[int]]]  # the distinct values of a column, with their counts


class SlicedRows(NamedTuple):
    """Counted rows: the columns of the truth and of the systems, those of the slices, and how many items each is."""

    columns: Sequence[Coded]
    slices: Mapping[Cut, Coded]
    counts: Sequence[int] | Counts


def sliced_outcomes(
    systems: Sequence[str],
    rows: SlicedRows,
    missing: str,
    *,
    shown: Callable[[], Sequence[str]] | None = None,
    place: str = "the table",
) -> Sliced:
    """Make outcomes of counted rows: of all items, and of every slice with the labels of all items."""
    whole = counted_codes(systems, rows.columns, rows.counts, missing, shown=shown, place=place)
    sizes = np.asarray(rows.counts, dtype=np.int64)
    kept = np.ones(len(sizes), dtype=bool)
    if missing != "wrong":
        for column in rows.columns:
            kept &= ~np.array([label is None for label in column.labels], dtype=bool)[column.codes]
    columns = [Coded(column.codes[kept], column.labels) for column in rows.columns]
    _, patterns = patterns_of(systems, columns)
    parts = []
    for cut, column in rows.slices.items():
        names = [cut.name(label) for label in column.labels]
        codes = column.codes[kept]
        for name in cut.ordered(dict.fromkeys(names)):
            own = np.isin(codes, [code for code, other in enumerate(names) if other == name])
            data = whole.part(patterns[own], sizes[kept][own])
            if data.items:
                parts.append(Part(cut.column, name, data.items, data))
    return Sliced(whole, tuple(parts))


def sliced_tuples(systems: Sequence[str], rows: Sequence[Sequence[Any]], cuts: Sequence[Cut]) -> SlicedRows:
    """Take counted rows, truth first, then the systems, what the slices are counted as, and the count last."""
    names, end = ("truth", *systems), 1 + len(systems)
    columns = [coded((row[at] for row in rows), name) for at, name in enumerate(names)]
    return SlicedRows(
        columns,
        {cut: coded_as_counted([row[end + at] for row in rows]) for at, cut in enumerate(cuts)},
        [int(row[-1]) for row in rows],
    )


def cut_in_sql(cut: Cut) -> str:
    """Return what a column is counted as, in SQL."""
    own = quote(cut.column)
    if cut.months:
        return f"substr(CAST({own} AS VARCHAR), 1, 7)"
    if not cut.edges:
        return own
    number = f"TRY_CAST(CAST({own} AS VARCHAR) AS DOUBLE)"
    cases = " ".join(f"WHEN {number} <= {edge!r} THEN {place}" for place, edge in enumerate(cut.edges))
    return f"CASE WHEN {number} IS NULL THEN NULL {cases} ELSE {len(cut.edges)} END"
