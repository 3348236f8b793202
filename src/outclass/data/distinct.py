"""Distinct rows of codes: by a table of all rows there could be, or by sorting."""

import math
from typing import Final

import numpy as np

from outclass.arrays import Counts

MOST_KEYS: Final = 1 << 62
FEW_ROWS, MOST_CELLS = 1_000, 1 << 20  # that are sorted rather than counted in a table, and the cells of such a table
EXACT: Final = 1 << 53  # sums of counts below it are exact in floating point


def tabulated(patterns: Counts, counts: Counts) -> tuple[Counts, Counts] | None:
    """Return the distinct rows and their counts by a table of all rows there could be; None where that is too large."""
    if len(patterns) < FEW_ROWS or int(counts.sum()) >= EXACT:
        return None
    lows = patterns.min(axis=0).astype(np.int64)
    spans = tuple(int(high - low + 1) for low, high in zip(lows, patterns.max(axis=0), strict=True))
    if math.prod(spans) > min(len(patterns), MOST_CELLS):
        return None
    key = np.zeros(len(patterns), dtype=np.int64)
    for column, low, span in zip(patterns.T, lows, spans, strict=True):
        key *= span
        key += column
        key -= low
    summed = np.bincount(key, weights=counts).astype(np.int64)
    seen = np.flatnonzero(summed)
    return np.stack(np.unravel_index(seen, spans), axis=1) + lows, summed[seen]


def runs_of(patterns: Counts) -> tuple[Counts, Counts]:
    """Return the order in which rows are sorted, and where in it each distinct row begins.

    Columns are packed into as few numbers as hold them: rows of 50 systems are sorted as one column, not as 50.
    """
    if not len(patterns):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    keys: list[Counts] = []
    room = 1
    for column in (each.astype(np.int64) for each in patterns.T):
        low = int(column.min())
        span = int(column.max()) - low + 1
        if not keys or room * span > MOST_KEYS:
            keys.append(column - low)
            room = span
        else:
            keys[-1] = keys[-1] * span + (column - low)
            room *= span
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    return order, np.flatnonzero(new)
