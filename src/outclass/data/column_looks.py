"""Columns with many values, looked at where they lie: one scan of DuckDB says what they hold and where they are cut."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from outclass.data.slicing import USUAL_BINS, Cut, cut_of, like_an_id
from outclass.data.sql import quote
from outclass.data.tables import Table
from outclass.errors import InputError, quoted

MOST_FETCHED: Final = 100_000  # values of a column that are fetched to be cut; of more, DuckDB finds the edges
DATE: Final = r"'\d{4}-(0[1-9]|1[0-2])(-\d{2}([ T].*)?)?'"


class Look(NamedTuple):
    """What a column with many values holds: how many items have a value, a number, a fraction, a date."""

    known: int
    numbers: int
    fractions: int
    dates: int
    quantiles: Sequence[float | None] | None

    @property
    def edges(self) -> tuple[float, ...]:
        """The upper ends of all bins but the last."""
        return tuple(sorted({float(edge) for edge in self.quantiles or () if edge is not None}))


def looks(table: Table, texts: Sequence[str], bins: int = USUAL_BINS) -> list[Look]:
    """Look at columns with many values, given as SQL of text, all in one scan."""
    if not texts:
        return []
    parts = ", ".join(f"{part / bins!r}" for part in range(1, bins))
    picked = []
    for sql in texts:
        known = f"trim({sql}) <> ''"
        number = f"TRY_CAST({sql} AS DOUBLE)"
        picked += [
            f"count_if({known})",
            f"count_if(isfinite({number}))",
            f"count_if({number} % 1 <> 0)",
            f"count_if(regexp_full_match({sql}, {DATE}))",
            f"quantile_disc({number}, [{parts}])",
        ]
    row = table.query(f"SELECT {', '.join(picked)} FROM {table.view}")[0]
    return [Look(*row[at : at + 5]) for at in range(0, len(row), 5)]


def cut_in_table(table: Table, name: str, count: str | None, bins: int | None) -> Cut:
    """Decide how a column of a table is cut: from its values, or where these are too many from a look at them."""
    text = f"CAST({quote(name)} AS VARCHAR)"
    items, values = table.query(f"SELECT count(*), approx_count_distinct({quote(name)}) FROM {table.view}")[0]
    if values <= MOST_FETCHED or count is not None:
        size = "count(*)" if count is None else f"sum(CAST({quote(count)} AS HUGEINT))"
        rows = table.query(f"SELECT {quote(name)}, {size} FROM {table.view} GROUP BY 1")
        return cut_of(name, [row[0] for row in rows], [int(row[1]) for row in rows], bins)
    (look,) = looks(table, [text], bins or USUAL_BINS)
    if look.numbers == look.known and (bins or look.fractions or values <= items / 2):
        return Cut(name, look.edges)
    if bins:
        raise InputError(f"column {quoted([name])} cannot be cut into bins: not all of its values are numbers (⟨by⟩).")
    if look.dates == look.known:
        return Cut(name, months=True)
    raise like_an_id(name, min(values, items), items, numbers=look.numbers == look.known)
