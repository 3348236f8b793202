"""A table of slices that an engine counts where it lies: Spark, a database, any lazy frame; only counts come back."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import narwhals as nw
import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import Codes, placed
from outclass.data.frame_looks import Kind, Lying, Sliced, kinds_of, looked_at, missing_in
from outclass.data.frames import check_ids, counting, grouped, opened_frame, rows_of, with_counts
from outclass.data.in_memory import check_columns
from outclass.data.labels import Label, is_missing, name_of, normal
from outclass.data.slice_table import LOST, Chunk, Part, SliceTable
from outclass.errors import FileError, InputError

if TYPE_CHECKING:
    from outclass.data.slice_tables import Asked

BLOCK: Final = 1 << 17  # counts that a query sends back, unless a pair of columns alone has more
KEY: Final = "outclass key"
OTHER, RIGHT, GONE = 0, 1, 2  # what a system says of an item: something else, the label that it should, nothing


@dataclass(frozen=True, eq=False, kw_only=True)
class CountedTable(SliceTable):
    """Rows that are counted elsewhere.

    Parameters
    ----------
    rows
        What counts them.
    pattern_counts
        The distinct labels, with how many items have each.
    columns_there, id_there
        How each of the sources is counted, and the column of the ids in the frame.
    """

    rows: "Rows"
    pattern_counts: Chunk
    columns_there: Sequence[Sliced]
    id_there: str | None

    def patterns(self) -> Chunk:
        """Return the distinct labels, each with how many items have it."""
        return self.pattern_counts

    def value_sizes(self) -> list[Counts]:
        """Return how many items have each value of every column."""
        return [np.array(column.sizes, dtype=np.int64) for column in self.columns_there]

    @counting()
    def _rows_of(self, key: "Key", block: Sequence[int]) -> list[tuple[Any, ...]]:
        own = {place: self.columns_there[self.columns[place].source].expression for place in block}
        return self.rows.by(key.expression, list(own.values()))

    def parts(self, positive: Label | None, wanted: Sequence[tuple[int, ...]]) -> Iterator[Part]:
        """Count some columns at a time together, as many as have few slices; each gives all pairs of its columns."""
        key = self._key(positive)
        blocks = blocks_of([len(column.slices) for column in self.columns], len(key.cells), wanted)
        for done, (block, families) in enumerate(blocks, start=1):
            rows = self._rows_of(key, block)
            sizes = np.array([int(row[-1]) for row in rows], dtype=np.int64)
            slices: list[Codes] = [np.zeros(0, dtype=np.int64)] * len(self.sources)
            try:
                cells = np.array([key.cells[int(row[0])] for row in rows], dtype=np.int64)
                for at, place in enumerate(block, start=1):
                    source = self.columns[place].source
                    slices[source] = self._codes(source, [row[at] for row in rows])
            except KeyError:
                raise _changed() from None
            self._check(key, rows, slices, sizes)
            yield Part(Chunk([], slices, sizes), cells, families, done, len(blocks))

    def _check(self, key: "Key", rows: Sequence[Sequence[Any]], slices: Sequence[Codes], sizes: Counts) -> None:
        """Refuse counts that are not those of the first query: queries of one table are not of one moment."""
        found: Counter[int] = Counter()
        for row, size in zip(rows, sizes.tolist(), strict=True):
            found[int(row[0])] += size
        known = self.value_sizes()
        counted = (
            (np.bincount(codes, weights=sizes, minlength=len(own)), own)
            for codes, own in zip(slices, known, strict=True)
            if len(codes)
        )
        if +found != +key.sizes or any((now != before).any() for now, before in counted):
            raise _changed()

    def _codes(self, source: int, values: Sequence[Any]) -> Codes:
        places = {value: place for place, value in enumerate(self.sources[source].values)}
        return np.array([places[None if is_missing(value) else value] for value in values], dtype=np.int64)

    @counting()
    def lost_items(
        self, positive: Label | None, wanted: Sequence[Sequence[tuple[int, int]]], most: int
    ) -> list[list[Any]]:
        """Return the first ids, in their order, of the items that were lost: rows elsewhere have no order."""
        key = self._key(positive)
        lost = nw.col(KEY).is_in([own for own, cell in key.cells.items() if cell in LOST])
        return [
            self.rows.first(key.expression, lost, [self._is_in(*each) for each in conditions], self.id_there, most)
            for conditions in wanted
        ]

    def _is_in(self, at: int, place: int) -> tuple[Any, Sequence[Any]]:
        """Return a column as it is counted, and the values of one of its slices."""
        column = self.columns[at]
        values = self.sources[column.source].values
        own = [value for value, code in zip(values, column.of_code, strict=True) if code == place]
        return self.columns_there[column.source].expression, own

    def _key(self, positive: Label | None) -> "Key":
        """Return what tells the cell of every row: the classes of its labels, as one small number."""
        labels = [self.known(at) for at in range(3)]
        codes = [np.asarray(own) for own in self.pattern_counts.labels]
        seen = [[own[code] for code in at.tolist()] for own, at in zip(labels, codes, strict=True)]
        classes = [[GONE if each is None else OTHER for each in column] for column in seen]
        if positive is not None:
            wanted = normal(positive)
            for own, column in zip(classes, seen, strict=True):
                own[:] = [RIGHT if each == wanted else old for each, old in zip(column, own, strict=True)]
            raws = [
                [value for value, label in zip(self.labels[at], labels[at], strict=True) if label == wanted]
                for at in range(3)
            ]
            expression = self.rows.key_of_label(raws)
        else:
            for own, column in zip(classes[1:], seen[1:], strict=True):
                own[:] = [
                    RIGHT if each == truth and each is not None else old
                    for each, truth, old in zip(column, seen[0], own, strict=True)
                ]
            expression = self.rows.key_of_right([self._spelt_otherwise(codes, labels, at) for at in (1, 2)])
        cells = self.cells(positive)(self.pattern_counts)
        keys = [9 * one + 3 * two + three for one, two, three in zip(*classes, strict=True)]
        found = Key(expression, dict(zip(keys, map(int, cells), strict=True)), Counter())
        assert self.pattern_counts.sizes is not None
        for own, size in zip(keys, self.pattern_counts.sizes.tolist(), strict=True):
            found.sizes[own] += size
        return found

    def _spelt_otherwise(
        self, codes: Sequence[Codes], labels: Sequence[Sequence[Label | None]], at: int
    ) -> list[tuple[Any, Any]]:
        """Return the values of the truth and of a system that differ and are one label, such as 1 and '1'."""
        pairs = set(zip(codes[0].tolist(), codes[at].tolist(), strict=True))
        same = [(one, own) for one, own in sorted(pairs) if labels[0][one] == labels[at][own] is not None]
        found = [(self.labels[0][one], self.labels[at][own]) for one, own in same]
        return [(one, own) for one, own in found if self.rows.of_other_type(at) or one != own]


class Key(NamedTuple):
    """An expression of small numbers, the cell that each of them stands for, and how many items have it."""

    expression: Any
    cells: Mapping[int, int]
    sizes: Counter[int]


class Rows(NamedTuple):
    """The rows of a frame that is counted elsewhere: its columns of labels with their types, and that of counts."""

    frame: Any
    labels: Sequence[str]
    kinds: Sequence[Kind]
    counts: str | None

    def by(self, key: Any, columns: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Count the rows by a key and some columns."""
        names = [f"outclass slice {place}" for place in range(len(columns))]
        new = [each.alias(name) for each, name in zip(columns, names, strict=True)]
        return grouped(self.frame.with_columns(key.alias(KEY), *new), [KEY, *names], self.counts)

    def first(
        self, key: Any, wanted: Any, conditions: Sequence[tuple[Any, Sequence[Any]]], id: str | None, most: int
    ) -> list[Any]:
        """Return the least ids of the rows whose key is wanted and whose columns have one of some values each."""
        assert id is not None
        names = [f"outclass slice {place}" for place in range(len(conditions))]
        new = [each.alias(name) for (each, _), name in zip(conditions, names, strict=True)]
        frame = self.frame.with_columns(key.alias(KEY), *new).filter(wanted)
        kinds = kinds_of(frame)
        for name, (_, values) in zip(names, conditions, strict=True):
            known = [value for value in values if value is not None]
            inside = nw.col(name).is_in(known) if known else missing_in(name, kinds[name])
            frame = frame.filter(inside if len(known) in (0, len(values)) else inside | missing_in(name, kinds[name]))
        if self.counts is not None:
            frame = frame.filter(nw.col(self.counts) > 0)
        return [row[0] for row in rows_of(frame.select(id).sort(id).head(most))]

    def of_other_type(self, at: int) -> bool:
        """Return whether the truth and a system cannot be compared as they are."""
        return bool(self.kinds[at].type != self.kinds[0].type)

    def key_of_label(self, raws: Sequence[Sequence[Any]]) -> Any:
        """Return the key of every row: of each column whether it holds one of some values, or nothing."""
        classes = [
            self._class(at, nw.col(own).is_in(values) if values else nw.lit(False))
            for at, (own, values) in enumerate(zip(self.labels, raws, strict=True))
        ]
        return classes[0] * 9 + classes[1] * 3 + classes[2]

    def key_of_right(self, otherwise: Sequence[Sequence[tuple[Any, Any]]]) -> Any:
        """Return the key of every row: of each system whether it says the truth, which may be spelt otherwise."""
        found = self._class(0, nw.lit(False)) * 9
        for at, (factor, pairs) in enumerate(zip((3, 1), otherwise, strict=True), start=1):
            truth, own = nw.col(self.labels[0]), nw.col(self.labels[at])
            right = nw.lit(False) if self.of_other_type(at) else own == truth
            spelt = [(truth == one) & (own == other) for one, other in pairs]
            found = found + self._class(at, reduce(lambda one, other: one | other, spelt, right)) * factor
        return found

    def _class(self, at: int, right: Any) -> Any:
        inner = nw.when(right).then(nw.lit(RIGHT)).otherwise(nw.lit(OTHER))
        return nw.when(missing_in(self.labels[at], self.kinds[at])).then(nw.lit(GONE)).otherwise(inner)


def blocks_of(
    slices: Sequence[int], cells: int, wanted: Sequence[tuple[int, ...]]
) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return columns to be counted together, so that few queries give all that is wanted, and what each gives.

    A query of five columns with seven slices each gives ten pairs for the price of one.
    """
    left = dict.fromkeys(range(len(wanted)))
    found = []
    while left:
        # Pairs first: they give their columns, too.
        block = set(wanted[max(left, key=lambda at: (len(wanted[at]), -at))])
        size = cells
        for at in block:
            size *= slices[at]
        while True:
            fitting = [at for at in range(len(slices)) if at not in block and size * slices[at] <= BLOCK]
            gains = {at: sum(at in (own := {*wanted[each]}) and own <= {*block, at} for each in left) for at in fitting}
            best = max(gains, key=lambda at: (gains[at], -slices[at]), default=None)
            if best is None or not gains[best]:
                break
            block.add(best)
            size *= slices[best]
        given = [at for at in left if {*wanted[at]} <= block]
        for at in given:
            del left[at]
        found.append((tuple(sorted(block)), given))
    return found


def _changed() -> FileError:
    return FileError(
        "the counts of the table do not add up: it changed while it was being counted, or its engine compares labels "
        "in another way than Python. Count a copy or a snapshot of it, or pass its rows as a dataframe."
    )


@counting()
def counted_table(data: Any, asked: "Asked") -> SliceTable:
    """Open a lazy frame whose own engine counts its slices."""
    place = "the table"
    frame, inner = opened_frame(data)
    check_columns(inner, {"id": asked.id}, place)
    roles, wanted = asked.roles(list(inner), place)
    counts = None if roles.count is None else inner[roles.count]
    if roles.count is not None and counts is not None:
        frame = with_counts(frame, counts, roles.count)
    if asked.id is not None:
        check_ids(frame, inner[asked.id], asked.id, place)
    names = [inner[name] for name in (roles.truth, *roles.systems)]
    kinds = kinds_of(frame)
    patterns = grouped(frame, names, counts)
    if not patterns:
        raise InputError("the table is empty, so there is nothing to compare.")
    labels = [placed([None if is_missing(row[at]) else row[at] for row in patterns]) for at in range(3)]
    looked = [
        looked_at(Lying(frame, inner[name], kinds[inner[name]], counts), name, bins, asked.most)
        for name, bins in wanted.items()
    ]
    ids: Callable[[Sequence[Any]], list[str]] | None = None
    if asked.id is not None:
        ids = lambda found: [name_of(each) for each in found]  # noqa: E731  that is all
    return CountedTable(
        systems=(roles.systems[0], roles.systems[1]),
        labels=[values for _, values in labels],
        sources=[each.source for each in looked],
        missing=asked.missing,
        ids=ids,
        most=asked.most,
        place=place,
        rows=Rows(frame, names, [kinds[name] for name in names], counts),
        pattern_counts=Chunk(
            [codes for codes, _ in labels], [], np.array([int(row[-1]) for row in patterns], dtype=np.int64)
        ),
        columns_there=looked,
        id_there=None if asked.id is None else inner[asked.id],
    )
