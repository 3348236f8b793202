"""A table of slices whose rows are at hand as codes, which are counted here, a piece at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.slice_table import LOST, Chunk, Part, SliceTable
from outclass.errors import InputError

ROWS: Final = 1 << 17  # rows that are counted together: their codes stay in the processor's cache


@dataclass(frozen=True, eq=False, kw_only=True)
class CodedTable(SliceTable):
    """The same of rows that are at hand, as codes.

    Parameters
    ----------
    chunks
        Gives all rows, in parts, each time it is called.
    rows
        How many there are.
    """

    chunks: Callable[[], Iterator[Chunk]]
    rows: int

    def patterns(self) -> Chunk:
        """Return the distinct labels, each with how many items have it."""
        sizes = [len(values) for values in self.labels]
        seen: dict[int, int] = {}
        for chunk in self.chunks():
            truth, a, b = (codes.astype(np.int64) for codes in chunk.labels)
            keys, places = np.unique((truth * sizes[1] + a) * sizes[2] + b, return_inverse=True)
            counts = np.bincount(places, weights=chunk.sizes, minlength=len(keys))
            for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
                seen[key] = seen.get(key, 0) + int(count)
        if not seen:
            raise InputError(f"{self.place} has no rows, so there is nothing to compare.")
        return Chunk(np.unravel_index(list(seen), sizes), [], np.array(list(seen.values()), dtype=np.int64))

    def value_sizes(self) -> list[Counts]:
        """Return how many items have each value of every column."""
        sizes = [np.zeros(len(source.values)) for source in self.sources]
        for chunk in self.chunks():
            for at, codes in enumerate(chunk.slices):
                sizes[at] += np.bincount(codes, weights=chunk.sizes, minlength=len(sizes[at]))
        return [own.astype(np.int64) for own in sizes]

    def parts(self, positive: Label | None, wanted: Sequence[tuple[int, ...]]) -> Iterator[Part]:
        """Give all rows, each for everything that is wanted."""
        cell_of, total = self.cells(positive), -(-self.rows // ROWS)
        for done, chunk in enumerate(_pieces(self.chunks()), start=1):
            yield Part(chunk, cell_of(chunk), range(len(wanted)), done, max(total, done))

    def lost_items(
        self, positive: Label | None, wanted: Sequence[Sequence[tuple[int, int]]], most: int
    ) -> list[list[Any]]:
        """Return the first rows of each slice that were lost."""
        found: list[list[Any]] = [[] for _ in wanted]
        cell_of = self.cells(positive)
        start = 0
        for part in _pieces(self.chunks()):
            lost = np.flatnonzero(np.isin(cell_of(part), LOST))
            if part.sizes is not None:  # a row may stand for no item
                lost = lost[part.sizes[lost] > 0]
            for rows, conditions in zip(found, wanted, strict=True):
                if len(rows) < most:
                    own = lost
                    for at, place in conditions:
                        column = self.columns[at]
                        own = own[column.of_code[part.slices[column.source][own]] == place]
                    rows += [start + int(row) for row in own[: most - len(rows)]]
            start += len(part.labels[0])
            if all(len(rows) == most for rows in found):
                break
        return found


def _pieces(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Cut chunks into pieces that are counted together."""
    for chunk in chunks:
        for start in range(0, len(chunk.labels[0]), ROWS):
            rows = slice(start, start + ROWS)
            yield Chunk(
                [codes[rows] for codes in chunk.labels],
                [codes[rows] for codes in chunk.slices],
                None if chunk.sizes is None else chunk.sizes[rows],
            )
