"""Outcomes from arrays: lists, NumPy arrays, series."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from outclass.data.labels import canonical, is_missing
from outclass.data.outcomes import WRONG, Outcomes, check_policy, settle_missing
from outclass.errors import InputError, quoted


def from_arrays(truth: Any, predictions: Mapping[str, Any], *, missing: str = "error") -> Outcomes:
    """Count the outcomes of arrays of labels, one a system, in the order of the items."""
    check_policy(missing)
    _check_indexes({"truth": truth, **predictions})
    columns = {"truth": _column(truth, "truth"), **{name: _column(array, name) for name, array in predictions.items()}}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{quoted([name])} {length:,}" for name, length in lengths.items())
        raise InputError(f"the arrays differ in length: {told}. Each needs one label for every item.")
    items = len(columns["truth"])
    if items == 0:
        raise InputError("the arrays are empty: there is no item to compare.")
    coded = [_codes(column, name) for name, column in columns.items()]
    lacking = np.any([codes == WRONG for codes, _ in coded], axis=0)
    rows = int(lacking.sum())
    findings = settle_missing(
        missing,
        rows=rows,
        truths=int((coded[0][0] == WRONG).sum()),
        shown=[_told(int(at), columns, coded) for at in np.flatnonzero(lacking)[:5]],
        items=items,
    )
    if rows and missing == "drop":
        coded = [(codes[~lacking], labels) for codes, labels in coded]
    patterns, counts = _count([codes for codes, _ in coded], [len(labels) for _, labels in coded])
    listed = [
        [None if code == WRONG else labels[code] for code, (_, labels) in zip(pattern, coded, strict=True)]
        for pattern in patterns
    ]
    return Outcomes.of_rows(tuple(predictions), listed, counts, findings=findings)


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
    if isinstance(array, str | bytes) or np.ndim(array) == 0:
        raise InputError(f"{quoted([name])} must be an array of labels, got {type(array).__name__}.")
    try:
        column = np.asarray(array)
    except ValueError:
        raise InputError(
            f"{quoted([name])} holds lists of labels: many labels an item. Put them in a dataframe and say "
            "separator=';', or use outclass.data.multilabel.from_lists."
        ) from None
    if isinstance(array, np.ma.MaskedArray):
        column = column.astype(object)
        column[np.ma.getmaskarray(array)] = None
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise InputError(
            f"{quoted([name])} must be one-dimensional, got shape {column.shape}. "
            "Give one label an item; turn class probabilities into labels first (argmax)."
        )
    return column


def _codes(column: np.ndarray, name: str) -> tuple[np.ndarray, list[Any]]:
    """Return each item's code and the labels they stand for; missing is -1."""
    if column.dtype.kind in "biuUS":
        values, codes = np.unique(column, return_inverse=True)
        labels = values.tolist()
    else:
        found: dict[Any, int] = {}
        codes = np.empty(len(column), dtype=np.int64)
        for at, value in enumerate(column.tolist()):
            if is_missing(value):
                codes[at] = WRONG
            else:
                codes[at] = found.setdefault(canonical(value, column=name), len(found))
        return codes, list(found)
    gone = [code for code, label in enumerate(labels) if is_missing(label)]
    codes = codes.astype(np.int64)
    for code in gone:
        codes[codes == code] = WRONG
    return codes, labels


def _count(columns: list[np.ndarray], sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows of codes and how often each occurs."""
    room = 1
    for size in sizes:
        room *= size + 1
    if room >= 1 << 62:
        patterns, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
        return patterns, counts
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for codes, size in zip(columns, sizes, strict=True):
        key = key * (size + 1) + (codes + 1)
    keys, counts = np.unique(key, return_counts=True)
    unpacked = []
    for size in reversed(sizes):
        keys, code = np.divmod(keys, size + 1)
        unpacked.append(code - 1)
    return np.stack(unpacked[::-1], axis=1), counts


def _told(at: int, columns: Mapping[str, np.ndarray], coded: list[tuple[np.ndarray, list[Any]]]) -> str:
    lacking = [name for (name, _), (codes, _) in zip(columns.items(), coded, strict=True) if codes[at] == WRONG]
    return f"item {at}: no label in {quoted(lacking)}"
