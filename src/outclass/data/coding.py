"""Codes for labels in arrays: what one array holds, as small whole numbers, learnt part by part in one pass."""

from collections.abc import Iterable, Sequence
from types import NoneType
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from outclass.arrays import Counts
from outclass.data.labels import Label, is_missing, name_of, normal

PART: Final = 1 << 16  # rows that are looked at together: their codes stay in the processor's cache
WIDEST: Final = 1 << 12  # whole numbers this far apart are their own codes
FEW: Final = 8  # labels that are found faster by asking for each than by searching


Codes = NDArray[np.integer[Any]]


class Coded(NamedTuple):
    """A column of labels as codes: the code of each row, and what each code stands for; None is no label."""

    codes: Codes
    labels: Sequence[Label | None]


def coded(values: Iterable[Any], name: str) -> Coded:
    """Return the codes of values of any type, in the order in which they are met."""
    places: dict[Any, int] = {}
    labels: list[Label | None] = []

    def code(value: Any) -> int:
        key = (type(value), value)  # True and 1 are equal, and different labels
        try:
            place = places.get(key)
        except TypeError:  # a list, or another value that cannot be looked up
            key, place = (object, id(value)), None
        if place is None:
            place = places[key] = len(labels)
            labels.append(None if is_missing(value) else normal(value, column=name))
        return place

    listed = list(values)
    return Coded(np.fromiter(map(code, listed), dtype=np.int64, count=len(listed)), labels)


def numbered(values: Iterable[Any]) -> tuple[tuple[str, ...], Counts]:
    """Return the distinct values as text, sorted, and the place of each value among them.

    NumPy's own arrays of text are as wide as the longest of them, and end at the first NUL.
    """
    codes, distinct = placed(list(values))
    words = [name_of(value) for value in distinct]
    names = tuple(sorted(set(words)))
    places = {name: place for place, name in enumerate(names)}
    return names, np.array([places[word] for word in words], dtype=np.int64)[codes]


def placed(values: Sequence[Any]) -> tuple[Counts, list[Any]]:
    """Return the place of each value among the distinct ones, and these, in the order in which they are met.

    True, 1 and 1.0, which are equal in Python, are three; a list, which cannot be looked up, is by itself.
    """
    try:
        if len(set(map(type, values)) - {NoneType}) <= 1:
            known = {value: place for place, value in enumerate(dict.fromkeys(values))}
            return np.fromiter(map(known.__getitem__, values), dtype=np.int64, count=len(values)), list(known)
        known = {}
        for value in values:
            known.setdefault((type(value), value), len(known))
    except TypeError:
        return np.arange(len(values)), list(values)
    codes = np.fromiter((known[type(value), value] for value in values), dtype=np.int64, count=len(values))
    return codes, [value for _, value in known]


def coded_as_counted(values: Iterable[Any]) -> Coded:
    """Return the codes of values that are no labels, such as bins and probabilities."""
    return Coded(*placed([None if is_missing(value) else value for value in values]))


def distinct_rows(columns: Sequence[Sequence[Any]]) -> tuple[Counts, Counts]:
    """Return the place of each row among the distinct ones, in the order they are met, and the first row of each."""
    places = first = np.zeros(len(columns[0]), dtype=np.int64)
    for codes, distinct in map(placed, columns):
        # What was distinguished so far is numbered anew, so that keys stay small.
        _, first, places = np.unique(places * len(distinct) + codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return np.argsort(order)[places], first[order]


class Coder(Protocol):
    """Gives the labels of one array codes from 0; code by code they stay what they were."""

    @property
    def size(self) -> int:
        """How many codes there are so far."""

    def codes(self, part: np.ndarray) -> Codes:
        """Return the codes of some items, learning the labels that are new."""

    def label(self, code: int) -> Label | None:
        """Return what a code stands for; None is no label."""


def coder_of(column: np.ndarray, name: str) -> Coder:
    """Return the quickest coder for an array."""
    if column.dtype.kind == "b":
        return _Span(0, 1, flags=True)
    if column.dtype.kind in "iu" and len(column):
        ends = [
            (part.min(), part.max()) for part in (column[at : at + PART] for at in range(0, len(column), PART))
        ]  # in parts, so that an array is fetched from memory once for both
        low, high = int(min(low for low, _ in ends)), int(max(high for _, high in ends))
        if high - low < WIDEST and high < 1 << 63:
            return _Span(low, high)
    return _Sorted(name) if column.dtype.kind in "iufUSM" else _Looked(name)


class _Span:
    """Whole numbers close together: the code is the distance from the least."""

    def __init__(self, low: int, high: int, *, flags: bool = False) -> None:
        self._low, self._flags, self._size = low, flags, high - low + 1
        self._kind = np.min_scalar_type(self._size)
        self._mask = int(np.iinfo(self._kind).max)

    @property
    def size(self) -> int:
        return self._size

    def codes(self, part: np.ndarray) -> Codes:
        if self._flags:
            return part.view(np.uint8)
        # Modulo the size of the narrow type, in which every distance from the least fits.
        return np.asarray(np.subtract(part.astype(self._kind), self._low & self._mask, dtype=self._kind))

    def label(self, code: int) -> Label | None:
        return bool(code) if self._flags else self._low + code


class _Learnt:
    """Labels in the order in which they were met; code 0 is no label."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._labels: list[Label | None] = [None]

    @property
    def size(self) -> int:
        return len(self._labels)

    def label(self, code: int) -> Label | None:
        return self._labels[code]

    def _learn(self, value: Any) -> int:
        if is_missing(value):
            return 0
        self._labels.append(normal(value, column=self._name))
        return len(self._labels) - 1


class _Sorted(_Learnt):
    """Numbers, moments and text of one type: the labels known so far are kept in order and searched."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._known: np.ndarray | None = None
        self._codes = np.zeros(0, dtype=np.int64)

    def codes(self, part: np.ndarray) -> Codes:
        if self._known is None:
            self._known = part[:0]
        found = self._find(part)
        new = found < 0
        if new.any():
            values = np.unique(part[new])
            listed = list(values) if part.dtype.kind == "M" else values.tolist()  # which makes numbers of moments
            self._codes = np.append(self._codes, [self._learn(value) for value in listed])
            self._known = np.append(self._known, values)
            order = np.argsort(self._known, kind="stable")  # NaN, which equals nothing, comes last
            self._known, self._codes = self._known[order], self._codes[order]
            found[new] = self._find(part[new])
        return np.maximum(found, 0)

    def _find(self, part: np.ndarray) -> Codes:
        """Return the codes of known values; -1 for the others. NaN is never known, and never a label."""
        assert self._known is not None
        if len(self._known) <= FEW:
            found = np.full(len(part), -1, dtype=np.int64)
            for value, code in zip(self._known, self._codes, strict=True):
                found[part == value] = code
        else:
            place = np.minimum(np.searchsorted(self._known, part), len(self._known) - 1)
            found = np.where(self._known[place] == part, self._codes[place], -1)
        if part.dtype.kind in "fM":
            found[np.isnan(part)] = 0
        return found


class _Looked(_Learnt, dict[Any, int]):
    """Values of any type, looked up by the interpreter's own loop."""

    def __init__(self, name: str) -> None:
        super().__init__(name)

    def __missing__(self, value: Any) -> int:
        code = self._learn(value)
        if code:
            self[value] = code
        return code

    def codes(self, part: np.ndarray) -> Codes:
        listed = part.tolist()
        try:
            return np.fromiter(map(self.__getitem__, listed), dtype=np.int64, count=len(listed))
        except TypeError:
            # Lists and the like cannot be looked up; most are no labels either, and are rejected.
            labels = [None if is_missing(value) else normal(value, column=self._name) for value in listed]
            return np.array([0 if label is None else self[label] for label in labels], dtype=np.int64)
