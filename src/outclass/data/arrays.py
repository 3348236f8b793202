"""Outcomes from arrays: lists, NumPy arrays, series."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import PART, Coded, Coder, Codes, coder_of
from outclass.data.counted import check_policy, counted_codes
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, quoted

MOST_CELLS: Final = 1 << 16  # of a table of all rows there could be


def from_arrays(
    truth: Any, predictions: Mapping[str, Any], *, missing: str = "error", ids: Sequence[Any] | None = None
) -> Outcomes:
    """Count the outcomes of arrays of labels, one a system, in the order of the items; errors name their `ids`."""
    check_policy(missing)
    own = "truth"
    while own in predictions:
        own = f"the {own}"  # a system may be called so
    _check_indexes({own: truth, **predictions})
    columns = {name: _column(array, name) for name, array in {own: truth, **predictions}.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{quoted([name])} {length:,}" for name, length in lengths.items())
        raise InputError(f"the arrays differ in length: {told}. Each must have one label per item.")
    if len(columns[own]) == 0:
        raise InputError("the arrays are empty: there is no item to compare.")
    coders = [coder_of(column, name) for name, column in columns.items()]
    patterns, counts = _count(list(columns.values()), coders)
    # Codes that no item has are no labels: they may be numbers between the others.
    coded = [
        Coded(codes, [coder.label(code) for code in range(coder.size)])
        for codes, coder in zip(patterns.T, coders, strict=True)
    ]
    return counted_codes(
        tuple(predictions), coded, counts, missing, shown=lambda: _shown(columns, coders, ids), place="the arrays"
    )


def _check_indexes(arrays: Mapping[str, Any]) -> None:
    """Refuse series whose indexes differ: they would be matched by position, which is not what their owner means."""
    indexed = {name: array.index for name, array in arrays.items() if hasattr(array, "reindex")}
    for name, index in indexed.items():
        first, start = next(iter(indexed.items()))
        if len(index) == len(start) and not index.equals(start):
            raise InputError(
                f"the series {quoted([first])} and {quoted([name])} have different indexes. "
                "Align them first (for instance with reindex), or pass .to_numpy() to match them by position."
            )


def _column(array: Any, name: str) -> np.ndarray:
    try:
        if isinstance(array, str | bytes) or np.ndim(array) == 0:
            raise InputError(f"{quoted([name])} must be an array of labels, got {type(array).__name__}.")
        column = _whole(array) if isinstance(array, list | tuple) else np.asarray(array)
    except UnicodeError:
        raise InputError(
            f"{quoted([name])} contains bytes that are not UTF-8 text. Labels must be text or numbers."
        ) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{quoted([name])} contains lists, that is, several labels per item. Put them in a dataframe and pass "
            "separator=';', or use outclass.data.multilabel.from_lists."
        ) from None
    if isinstance(array, np.ma.MaskedArray) and column.dtype.kind == "M":
        column = np.where(np.ma.getmaskarray(array), np.datetime64("NaT"), column)
    elif isinstance(array, np.ma.MaskedArray):
        column = column.astype(object)
        column[np.ma.getmaskarray(array)] = None
    if column.dtype.kind == "O" and bool in (kinds := _kinds(column)) and kinds & {int, float}:
        # As keys True and 1 are the same: which of them is met first must not matter.
        column = np.array([int(value) if isinstance(value, bool) else value for value in column.tolist()], dtype=object)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim == 2 and column.dtype.kind in "iub" and np.isin(column, (0, 1)).all():
        raise InputError(
            f"{quoted([name])} looks like an indicator matrix of many labels per item, shape {column.shape}. Give a "
            "list of labels for each item instead: [['sport', 'news'], [], ['art']]."
        )
    if column.ndim != 1:
        raise InputError(
            f"{quoted([name])} must be one-dimensional, got shape {column.shape}. "
            "Give one label per item (predict, or argmax of class probabilities), or choose a measure of scores "
            "(⟨measure=auc⟩)."
        )
    return column


def _kinds(column: np.ndarray) -> set[type]:
    """Return the types of the values; NaN is a missing label, whose type says nothing."""
    return {type(value) for value in column.tolist() if not (isinstance(value, float) and math.isnan(value))}


def _whole(values: Sequence[Any]) -> np.ndarray:
    """Return a list as an array of the same values: NumPy would turn numbers into text, or True into 1.0."""
    column = np.asarray(values)
    kinds = set(map(type, values))
    if (column.dtype.kind in "US" and kinds - {str}) or (column.dtype.kind == "f" and kinds & {int, bool}):
        column = np.empty(len(values), dtype=object)
        column[:] = values
    return column


def _count(columns: list[np.ndarray], coders: Sequence[Coder]) -> tuple[Counts, Counts]:
    """Return the distinct rows of codes and how often each occurs, in one pass over parts that stay in the cache."""
    found: list[tuple[Counts, Counts]] = []
    table, sizes = np.zeros(0, dtype=np.int64), [0] * len(coders)
    for start in range(0, len(columns[0]), PART):
        codes = [coder.codes(column[start : start + PART]) for coder, column in zip(coders, columns, strict=True)]
        now = [coder.size for coder in coders]
        if now != sizes:
            # A label was met that had not been seen: what was counted so far has other keys.
            _take_out(table, sizes, found)
            room = math.prod(now)
            table, sizes = np.zeros(room if room <= MOST_CELLS else 0, dtype=np.int64), now
        if table.size:
            table += np.bincount(_packed(codes, sizes), minlength=table.size)
        else:
            found.append(_distinct(codes, sizes))
    _take_out(table, sizes, found)
    patterns, counts = (np.concatenate(each) for each in zip(*found, strict=True))
    return patterns, counts


def _packed(codes: list[Codes], sizes: list[int]) -> Codes:
    """Return one number for each row of codes, of the narrowest type that holds them all: less to move about.

    Beyond 32 bits signed ones: NumPy would add unsigned and signed ones of 64 bits as floating-point numbers.
    """
    room = math.prod(sizes)
    kind = np.min_scalar_type(room) if room < 1 << 32 else np.dtype(np.int64)
    key = codes[0].astype(kind)
    for code, size in zip(codes[1:], sizes[1:], strict=True):
        np.multiply(key, size, out=key)
        np.add(key, code, out=key, casting="unsafe")
    return key


def _unpacked(keys: Counts, sizes: list[int]) -> Counts:
    columns = []
    for size in reversed(sizes):
        keys, code = np.divmod(keys, size)
        columns.append(code)
    return np.stack(columns[::-1], axis=1)


def _take_out(table: Counts, sizes: list[int], found: list[tuple[Counts, Counts]]) -> None:
    keys = np.flatnonzero(table)
    if keys.size:
        found.append((_unpacked(keys, sizes), table[keys]))


def _distinct(codes: list[Codes], sizes: list[int]) -> tuple[Counts, Counts]:
    """Return the distinct rows of one part, where a table of all rows there could be is too large."""
    if math.prod(sizes) >= 1 << 62:
        return np.unique(np.stack(codes, axis=1), axis=0, return_counts=True)
    keys, counts = np.unique(_packed(codes, sizes), return_counts=True)
    return _unpacked(keys.astype(np.int64), sizes), counts


def _shown(columns: Mapping[str, np.ndarray], coders: Sequence[Coder], ids: Sequence[Any] | None) -> list[str]:
    """Describe the first five items that lack a label."""
    lines: list[str] = []
    named = {name: coder for name, coder in zip(columns, coders, strict=True) if coder.label(0) is None}
    for start in range(0, len(next(iter(columns.values()))), PART):
        gone = {name: coder.codes(columns[name][start : start + PART]) == 0 for name, coder in named.items()}
        lines += [
            f"item {start + at if ids is None else quoted([ids[start + at]])}: no label in "
            f"{quoted(name for name, each in gone.items() if each[at])}"
            for at in np.flatnonzero(np.any(list(gone.values()), axis=0))[: 5 - len(lines)]
        ]
        if len(lines) == 5:
            break
    return lines
