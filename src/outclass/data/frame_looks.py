"""Columns of a lazy frame, looked at where they lie: what they hold, and where they are cut, from few queries each.

Takes a frame that is counted elsewhere; what comes back is never more than `MOST_VALUES` values at a time.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import narwhals as nw
import numpy as np

from outclass.data.frames import COUNTED, MOST_VALUES, UTC, cut_in_frame, grouped, rows_of, with_nan
from outclass.data.labels import is_missing
from outclass.data.slice_table import Source, cut_or_why, many_values, no_bins, too_many
from outclass.data.slicing import USUAL_BINS, Cut

NESTED: Final = "it holds lists, records or bytes"
NO_UTC: Final = "its engine does not convert its moments to UTC; make it a column of dates, or of moments in UTC"
BUCKETS: Final = 1_000  # of a column of numbers, among which each of its quantiles is looked for
NUMBER: Final = "outclass number"
BUCKET: Final = "outclass bucket"
LEAST: Final = "outclass least"
LARGEST: Final = "outclass largest"
# As `slicing` has them, in the words that all engines' regular expressions share.
_IS_NUMBER: Final = r"^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"
_IS_DATE: Final = r"^[0-9]{4}-(?:0[1-9]|1[0-2])(?:-[0-9]{2}(?:[ T].*)?)?$"
_IN_A_ZONE: Final = r"[ T].*(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)$"


class Kind(NamedTuple):
    """The type of a column, and whether its numbers may be none."""

    type: Any
    has_nan: bool

    @property
    def is_text(self) -> bool:
        """Whether its values are text."""
        return bool(self.type == nw.String)


def kinds_of(frame: Any) -> dict[str, Kind]:
    """Return what the columns of a frame are."""
    floats = with_nan(frame)
    return {name: Kind(kind, name in floats) for name, kind in frame.collect_schema().items()}


class Lying(NamedTuple):
    """A column where it lies: the frame, its name and type there, and the column of counts."""

    frame: Any
    own: str
    kind: Kind
    counts: str | None

    @property
    def missing(self) -> Any:
        """Which rows have no value."""
        return missing_in(self.own, self.kind)

    @property
    def text(self) -> Any:
        """Its values without what is around them."""
        return nw.col(self.own).str.strip_chars()

    @property
    def number(self) -> Any:
        """Its values as numbers; of text all of which are some."""
        # An empty text is no number in any engine.
        plain = nw.when(~self.missing).then(self.text) if self.kind.is_text else nw.col(self.own)
        return plain.cast(nw.Float64)

    @property
    def weighing(self) -> Any:
        """The frame without rows that stand for no item."""
        return self.frame if self.counts is None else self.frame.filter(nw.col(self.counts) > 0)


class Sliced(NamedTuple):
    """A column that was looked at: what it is counted as, as an expression; its values so counted, and their sizes."""

    source: Source
    expression: Any
    sizes: Sequence[int]


def missing_in(own: str, kind: Kind) -> Any:
    """Return which rows have no value in a column, as `is_missing` says it of a value."""
    column = nw.col(own)
    if kind.has_nan:
        return column.is_null() | column.is_nan()
    if kind.is_text:
        return column.is_null() | (column.str.strip_chars() == "")
    return column.is_null()


def looked_at(column: Lying, name: str, bins: int | None, most: int) -> Sliced:
    """Decide how a column is counted: as it is, by bins or by months; or why it makes no slices."""
    if isinstance(column.kind.type, nw.List | nw.Array | nw.Struct) or column.kind.type == nw.Binary:
        return _left_out(name, NESTED)
    try:
        rows = grouped(column.frame, [column.own], column.counts, MOST_VALUES)
    except Exception:
        if column.kind.type != nw.Unknown:
            raise
        return _left_out(name, NESTED)  # what the engine itself cannot group, such as maps
    if len(rows) > MOST_VALUES:
        return _of_many(column, name, bins, most)
    values, sizes = [None if is_missing(row[0]) else row[0] for row in rows], [int(row[-1]) for row in rows]
    cut = cut_or_why(Source(name, values, bins=bins), np.array(sizes, dtype=np.int64), most)
    if isinstance(cut, str):
        return _left_out(name, cut)
    as_it_is = Sliced(Source(name, values, cut), nw.col(column.own), sizes)
    if cut.months and any(isinstance(value, str) and cut.of(value) != value.strip()[:7] for value in values):
        return as_it_is  # moments of other time zones, whose months are those of UTC
    if not (cut.edges or cut.months):
        return as_it_is
    if cut.months and not _knows_utc(column, cut):
        return _left_out(name, NO_UTC)
    summed: dict[Any, int] = {}
    for value, size in zip(values, sizes, strict=True):
        own = cut.of(value)
        summed[own] = summed.get(own, 0) + size
    return _as_cut(column, cut, summed)


def _knows_utc(column: Lying, cut: Cut) -> bool:
    """Return whether the engine tells the months of moments in another time zone."""
    if getattr(column.kind.type, "time_zone", None) in (None, *UTC):
        return True
    try:
        rows_of(column.frame.select(_as_cut(column, cut, {}).expression.alias(BUCKET)).head(1))
    except Exception:  # each engine's own
        return False
    return True


def _left_out(name: str, why: str) -> Sliced:
    return Sliced(Source(name, [], why), None, [])


def _as_cut(column: Lying, cut: Cut, sizes: Mapping[Any, int]) -> Sliced:
    """Return a column that the engine counts by bins or months; `sizes` are those of each, None of missing values."""
    if cut.edges:
        found: Any = nw.lit(len(cut.edges))
        for place, edge in reversed(list(enumerate(cut.edges))):
            found = nw.when(column.number <= edge).then(nw.lit(place)).otherwise(found)
    elif column.kind.is_text:
        found = column.text.str.slice(0, 7)
    else:
        found = cut_in_frame(cut, column.own, column.frame)
    expression = nw.when(~column.missing).then(found)
    return Sliced(Source(cut.column, list(sizes), cut), expression, list(sizes.values()))


# --- of many values --------------------------------------------------------------------------------------------------


def _of_many(column: Lying, name: str, bins: int | None, most: int) -> Sliced:
    """Decide the same of a column with more values than are fetched; the engine finds quantiles and months."""
    frame = column.weighing
    size = nw.len() if column.counts is None else nw.col(column.counts).sum()
    lacking = _number(frame.filter(column.missing).select(size.alias(COUNTED)))
    known = frame.filter(~column.missing)
    items = lacking + _number(known.select(size.alias(COUNTED)))
    values = _number(known.group_by(column.own).agg(nw.len().alias(COUNTED)).select(nw.len()))
    ids = values > max(items / 2, 2)
    odd = _odd_numbers(column, known)
    if not odd and (bins or not ids or _number(known.filter(column.number % 1 != 0).select(nw.len()))):
        cut = Cut(name, quantile_edges(known, column.number, column.counts, bins or USUAL_BINS))
        found = _as_cut(column, cut, {})
        return _with_sizes(column, found, cut)
    if bins:
        return _left_out(name, no_bins(odd[0]))
    if _are_dates(column, known):
        if column.kind.is_text and _number(known.filter(column.text.str.contains(_IN_A_ZONE)).select(nw.len())):
            told = f"it has {values:,} moments in time zones, as text; make it a column of timestamps"
            return _left_out(name, told)
        cut = Cut(name, months=True)
        if not _knows_utc(column, cut):
            return _left_out(name, NO_UTC)
        return _with_sizes(column, _as_cut(column, cut, {}), cut)
    return _left_out(name, many_values(name, values, items, numbers=not odd) if ids else too_many(values, most))


def _with_sizes(column: Lying, found: Sliced, cut: Cut) -> Sliced:
    """Count a column by its bins or months."""
    rows = grouped(column.frame.with_columns(found.expression.alias(BUCKET)), [BUCKET], column.counts)
    values = [None if is_missing(row[0]) else row[0] for row in rows]
    return Sliced(Source(cut.column, values, cut), found.expression, [int(row[-1]) for row in rows])


def _number(frame: Any) -> int:
    """Fetch one number; of no rows a sum is none."""
    return int(rows_of(frame)[0][0] or 0)


def _odd_numbers(column: Lying, known: Any) -> list[Any]:
    """Return a value that is no number, if there is one."""
    if column.kind.is_text:
        known = known.filter(~column.text.str.contains(_IS_NUMBER))
    elif column.kind.has_nan:
        known = known.filter(~nw.col(column.own).is_finite())
    elif column.kind.type.is_numeric():
        return []
    return [row[0] for row in rows_of(known.select(column.own).head(1))]


def _are_dates(column: Lying, known: Any) -> bool:
    if column.kind.is_text:
        return not _number(known.filter(~column.text.str.contains(_IS_DATE)).select(nw.len()))
    return column.kind.type == nw.Date or isinstance(column.kind.type, nw.Datetime)


def quantile_edges(frame: Any, number: Any, counts: str | None, bins: int) -> tuple[float, ...]:
    """Return what `edges_of` returns, without the values: each quantile is looked for in ever smaller buckets."""
    size = (nw.len() if counts is None else nw.col(counts).sum()).alias(COUNTED)
    column = nw.col(NUMBER)
    frame = frame.with_columns(number.alias(NUMBER))
    ends = column.min().alias(LEAST), column.max().alias(LARGEST)
    low, high, total = map(float, rows_of(frame.select(*ends, size))[0])
    search = _Quantiles(frame, counts, {}, {})
    found = {search.at(total * part / bins * (1 - 1e-12), low, high) for part in range(1, bins)}
    return tuple(sorted(each for each in found if each < high)) or (low,)


class _Quantiles(NamedTuple):
    """A column of numbers, and what is known of it between some bounds: its buckets, or its values."""

    frame: Any
    counts: str | None
    buckets: dict[tuple[float, float], list[tuple[float, float, int]]]
    values: dict[tuple[float, float], list[tuple[float, int]] | None]

    def at(self, wanted: float, low: float, high: float) -> float:
        """Return the first number up to which there are as many items as `wanted`."""
        below, first = 0, True
        while low < high:
            # All values were too many to fetch.
            if not first and (values := self._values_between(low, high)) is not None:
                for value, size in values:
                    below += size
                    if below >= wanted:
                        return value
            for least, largest, size in self._buckets_between(low, high):
                if below + size >= wanted:
                    low, high = least, largest
                    break
                below += size
            first = False
        return low

    def _between(self, low: float, high: float) -> Any:
        return self.frame.filter((nw.col(NUMBER) >= low) & (nw.col(NUMBER) <= high))

    def _values_between(self, low: float, high: float) -> list[tuple[float, int]] | None:
        """Return the values with their sizes; None of more than are fetched."""
        if (low, high) not in self.values:
            rows = grouped(self._between(low, high), [NUMBER], self.counts, MOST_VALUES)
            found = None if len(rows) > MOST_VALUES else sorted((float(row[0]), int(row[-1])) for row in rows)
            self.values[low, high] = found
        return self.values[low, high]

    def _buckets_between(self, low: float, high: float) -> list[tuple[float, float, int]]:
        """Return the least and the largest value of each bucket, and its size."""
        if (low, high) not in self.buckets:
            column, width = nw.col(NUMBER), (high - low) / BUCKETS
            place = (column - low) / width
            if not math.isfinite(width):  # from one end of all numbers to the other
                width = high / BUCKETS - low / BUCKETS
                place = column / width - low / width
            # Engines cut or round: where does not matter, since what is returned are the values themselves.
            buckets = self._between(low, high).with_columns(place.cast(nw.Int64).alias(BUCKET))
            size = (nw.len() if self.counts is None else nw.col(self.counts).sum()).alias(COUNTED)
            ends = column.min().alias(LEAST), column.max().alias(LARGEST)
            rows = rows_of(buckets.group_by(BUCKET).agg(*ends, size).select(LEAST, LARGEST, COUNTED))
            self.buckets[low, high] = sorted((float(least), float(most), int(many)) for least, most, many in rows)
        return self.buckets[low, high]
