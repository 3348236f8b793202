"""A table as small codes: two systems' labels and the slices of many columns, to be counted together pair by pair.

Takes chunks of codes, from whatever holds the table, or counts, from an engine that has counted; gives the outcomes of
all items and, for every column and pair of columns, the (2, 4) tables of the systems in each slice.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import Coded, Codes
from outclass.data.counted import counted_codes
from outclass.data.labels import Label, is_missing, normal
from outclass.data.outcomes import BINARY, WRONG, Outcomes
from outclass.data.slicing import MANY_VALUES, MISSING, Cut, cut_of, is_date, number_of
from outclass.errors import InputError, quoted

MOST_VALUES: Final = 100  # of a column of text, beyond which it is no slicing
MOST_NAMED: Final = 1_000  # the same of a column that the user named
CELLS: Final = 8
OFTEN_ONCE: Final = 0.95  # of the items, up to which different numbers may be measurements and no ids
LOST: Final = (1, 6)  # a positive that only A finds, and a negative that only B takes for one
MOST_CELLS: Final = 1 << 25  # of all slices together: a quarter of a gigabyte


class Chunk(NamedTuple):
    """Some rows: the codes of the truth and of both systems, those of each column, and how many items a row is."""

    labels: Sequence[Codes]
    slices: Sequence[Codes]
    sizes: Counts | None = None


class Source(NamedTuple):
    """A column as it was read: what its codes stand for (None is missing); and how it is cut, where that is settled.

    `bins` is how many bins the user asked for. A `cut` of words says why the column makes no slices.
    """

    name: str
    values: Sequence[Any]
    cut: Cut | str | None = None
    bins: int | None = None


@dataclass(frozen=True)
class Sliceable:
    """A column that makes slices: which of the sources it is, their names, and the slice of each code."""

    source: int
    name: str
    slices: tuple[str, ...]
    of_code: Codes


class Part(NamedTuple):
    """Rows that are counted together: their codes, the cell of each, and the columns and pairs that they count for."""

    chunk: Chunk
    cells: Codes
    families: Sequence[int]
    done: int
    total: int


@dataclass(frozen=True, eq=False, kw_only=True)
class SliceTable(ABC):
    """Two systems and the columns that their items can be sliced by.

    Parameters
    ----------
    systems
        The old system and the new one.
    labels, sources
        What the codes of the truth and of the systems stand for; and the columns.
    ids
        Gives the ids of some lost items; None if nobody named their column.
    most
        Values of a column of text, beyond which it makes no slices.
    unread
        Columns of which the reader knew that they make no slices, and why.
    """

    systems: tuple[str, str]
    labels: Sequence[Sequence[Any]]
    sources: Sequence[Source]
    missing: str = "error"
    ids: Callable[[Sequence[Any]], list[str]] | None = None
    most: int = MOST_VALUES
    place: str = "the table"
    unread: Mapping[str, str] = field(default_factory=dict)

    @abstractmethod
    def patterns(self) -> Chunk:
        """Return the distinct labels of the truth and of both systems, and how many items have each."""

    @abstractmethod
    def value_sizes(self) -> list[Counts]:
        """Return how many items have each value of every column."""

    @abstractmethod
    def parts(self, positive: Label | None, wanted: Sequence[tuple[int, ...]]) -> Iterator[Part]:
        """Give rows to be counted, a part at a time, and of which of the `wanted` columns and pairs."""

    @abstractmethod
    def lost_items(
        self, positive: Label | None, wanted: Sequence[Sequence[tuple[int, int]]], most: int
    ) -> list[list[Any]]:
        """Return, for each of some slices, items that the first system got right and the second one wrong.

        A slice is given by the places of its columns, and those of its values. The items are as `ids` takes them.
        """

    @cached_property
    def outcomes(self) -> Outcomes:
        """The outcomes of all items."""
        found = self.patterns()
        columns = [Coded(codes, self.known(at)) for at, codes in enumerate(found.labels)]
        assert found.sizes is not None
        return counted_codes(self.systems, columns, found.sizes, self.missing, place=self.place)

    def known(self, at: int) -> list[Label | None]:
        """Return the labels of the truth (0) or of a system, in the order of their codes."""
        name = ("truth", *self.systems)[at]
        return [None if is_missing(value) else normal(value, column=name) for value in self.labels[at]]

    @cached_property
    def _cuts(self) -> tuple[tuple[Sliceable, ...], dict[str, str]]:
        found, left_out = [], dict(self.unread)
        for at, (source, counts) in enumerate(zip(self.sources, self.value_sizes(), strict=True)):
            cut = source.cut or cut_or_why(source, counts, self.most)
            if isinstance(cut, Cut):
                found.append(_sliceable(at, source, cut, counts))
            else:
                left_out[source.name] = cut
        return tuple(found), left_out

    @property
    def columns(self) -> tuple[Sliceable, ...]:
        """The columns that make slices."""
        return self._cuts[0]

    @property
    def left_out(self) -> dict[str, str]:
        """The columns that make no slices, and why."""
        return self._cuts[1]

    def cells(self, positive: Label | None) -> Callable[[Chunk], Codes]:
        """Return what gives the cell of every row: `CELLS` if it was dropped. No positive label: who is right."""
        labels = self.outcomes.labels
        place: dict[Label | None, int] = {normal(label): code for code, label in enumerate(labels)}
        to = [np.array([place.get(label, WRONG) for label in self.known(at)], dtype=np.int64) for at in range(3)]
        code = None if positive is None else labels.index(positive)

        def of(chunk: Chunk) -> Codes:
            truth, *said = (own[codes] for own, codes in zip(to, chunk.labels, strict=True))
            if code is None:
                found = np.zeros(len(truth), dtype=np.int64)
                yes = [each == truth for each in said]
            else:
                found = np.where(truth == code, 0, 4)
                # With two labels a missing prediction is the other one; with more it is none of them.
                gone = (truth != code) & (len(labels) <= BINARY)
                yes = [np.where(each == WRONG, gone, each == code) for each in said]
            found += np.where(yes[0], 0, 2) + np.where(yes[1], 0, 1)
            if self.missing == "drop":
                found[np.any([each == WRONG for each in (truth, *said)], axis=0)] = CELLS
            return found

        return of


def cut_or_why(source: Source, counts: Counts, most: int) -> Cut | str:
    """Decide how a column is cut, or say why it makes no slices."""
    seen = [(value, int(count)) for value, count in zip(source.values, counts, strict=True) if count]
    known = [value for value, _ in seen if not is_missing(value)]
    if len(known) + (len(known) < len(seen)) < 2:
        return "every item has the same value" if known else "it has no values"
    items, many = int(counts.sum()), len(known) > MANY_VALUES
    numbers = [number_of(value) for value in known] if many or source.bins else [None]
    ids = len(known) > max(items / 2, 2)
    if None not in numbers and (source.bins or not ids or any(number % 1 for number in numbers if number is not None)):
        return cut_of(source.name, [value for value, _ in seen], [count for _, count in seen], source.bins)
    if source.bins:
        return no_bins(known[numbers.index(None)])
    if many and all(is_date(value) for value in known):
        return Cut(source.name, months=True)
    if ids:
        return many_values(source.name, len(known), items, numbers=None not in numbers)
    return Cut(source.name) if len(known) <= most else too_many(len(known), most)


def many_values(column: str, values: int, items: int, *, numbers: bool, about: str = "") -> str:
    """Say that a column has as many values as an id; numbers that occur several times may be none."""
    hint = f"; ⟨columns={column}:4⟩ cuts its numbers into bins" if numbers and values < OFTEN_ONCE * items else ""
    return f"it has {about}{values:,} values for {items:,} items, like an id{hint}"


def no_bins(value: Any) -> str:
    """Say that a column has no bins."""
    return f"{quoted([value])} is not a number, and only numbers are cut into bins"


def too_many(values: int, most: int) -> str:
    """Say that a column has too many values to make slices."""
    return f"it has {values:,} values, and slices are made of at most {most:,}"


def _sliceable(at: int, source: Source, cut: Cut, counts: Any) -> Sliceable:
    names = _names(source, cut)
    present = [name for name, count in zip(names, counts, strict=True) if count]
    slices = tuple(cut.ordered(dict.fromkeys(present)))
    place = {name: code for code, name in enumerate(slices)}
    return Sliceable(at, cut.column, slices, np.array([place.get(name, 0) for name in names], dtype=np.int64))


def _names(source: Source, cut: Cut) -> list[str]:
    """Return the slice of every value of a column; there may be as many as rows."""
    if isinstance(source.cut, Cut) and cut.edges:
        return [cut.name(value) for value in source.values]  # which are numbers of bins already
    if not cut.edges:
        return [cut.name(cut.of(value)) for value in source.values]
    numbers = [math.nan if is_missing(value) else float(value) for value in source.values]
    bins = (*cut.names, MISSING)
    places = np.where(np.isnan(numbers), len(bins) - 1, np.searchsorted(cut.edges, numbers, side="left"))
    return [bins[place] for place in places.tolist()]


# --- counting --------------------------------------------------------------------------------------------------------


class Family(NamedTuple):
    """The slices of a column, or of a pair of columns: where each lies in them, and its (2, 4) table."""

    columns: tuple[int, ...]
    places: Counts  # (slices, columns)
    tables: Counts  # (slices, 2, 4)


def association(family: Family) -> float:
    """Return Cramér's V of two columns: 0 if they are independent, 1 if one says what the other says."""
    sizes = np.zeros(family.places.max(axis=0) + 1)
    sizes[tuple(family.places.T)] = family.tables.sum(axis=(1, 2))
    total, rows, columns = sizes.sum(), sizes.sum(axis=1), sizes.sum(axis=0)
    sizes, rows, columns = sizes[np.ix_(rows > 0, columns > 0)], rows[rows > 0], columns[columns > 0]
    least = min(len(rows), len(columns)) - 1
    if least < 1:
        return 0.0
    chance = np.outer(rows, columns) / total
    return float(np.sqrt(((sizes - chance) ** 2 / chance).sum() / total / least))


def families(
    table: SliceTable, positive: Label | None, depth: int, progress: Callable[[int, int], None] | None = None
) -> list[Family]:
    """Count all slices of every column, and with a depth of 2 of every pair of columns."""
    sizes = [len(column.slices) for column in table.columns]
    wanted: list[tuple[int, ...]] = [(at,) for at in range(len(sizes))]
    if depth > 1:
        wanted += [(one, other) for one in range(len(sizes)) for other in range(one + 1, len(sizes))]
    shapes = [tuple(sizes[at] for at in columns) for columns in wanted]
    cells = sum(math.prod(shape) for shape in shapes) * CELLS
    if cells > MOST_CELLS:
        raise InputError(
            f"the pairs of {len(sizes)} columns make {cells // CELLS:,} slices, more than can be counted at once "
            f"({MOST_CELLS // CELLS:,}). Name fewer columns (⟨columns=COL⟩), or use ⟨depth=1⟩."
        )
    sums = [np.zeros(math.prod(shape) * CELLS, dtype=np.int64) for shape in shapes]
    for part in table.parts(positive, wanted):
        _count(part, table, wanted, sums)
        if progress is not None:
            progress(part.done, part.total)
    return [_family(*each) for each in zip(wanted, shapes, sums, strict=True)]


def _count(part: Part, table: SliceTable, wanted: Sequence[tuple[int, ...]], sums: list[Counts]) -> None:
    """Add the rows of a part to the counts of its columns and pairs."""
    kept = part.cells < CELLS
    rows: Any = slice(None) if kept.all() else kept
    sizes = None if part.chunk.sizes is None else part.chunk.sizes[rows]
    used = {at for family in part.families for at in wanted[family]}
    columns = {at: table.columns[at] for at in used}
    slices = {at: column.of_code[part.chunk.slices[column.source][rows]] for at, column in columns.items()}
    inner = {at: own * CELLS + part.cells[rows] for at, own in slices.items()}
    for family in part.families:
        own = wanted[family]
        keys = inner[own[-1]]
        if len(own) > 1:
            keys = slices[own[0]] * (CELLS * len(columns[own[1]].slices)) + keys
        counts = np.bincount(keys, weights=sizes, minlength=len(sums[family]))
        sums[family] += counts.astype(np.int64, copy=False)


def _family(columns: tuple[int, ...], shape: tuple[int, ...], sums: Counts) -> Family:
    """Keep the slices that have items."""
    tables = sums.reshape(-1, 2, 4)
    held = np.flatnonzero(tables.any(axis=(1, 2)))
    return Family(columns, np.stack(np.unravel_index(held, shape), axis=1), tables[held])
