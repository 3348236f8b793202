"""Slices: subsets of the items that a column names, such as languages, quartiles of length, or months."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import is_missing, name_of
from outclass.errors import InputError, did_you_mean, quoted, shown
from outclass.findings import Finding

MANY_VALUES: Final = 12  # of numbers or dates, beyond which they are cut into bins or months
USUAL_BINS: Final = 4
MOST_BINS: Final = 100
MISSING: Final = "(missing)"
_BINS: Final = re.compile(r"(?P<column>.+):(?P<bins>-?\d+)", re.DOTALL)
_DATE: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])(?:-\d{2}(?:[ T].*)?)?", re.DOTALL)
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_MONTH: Final = len("2024-05")


@dataclass(frozen=True, slots=True)
class Cut:
    """How the values of a column become slices: as they are, by month, or in bins between `edges`.

    A bin holds the values above one edge and up to the next.
    """

    column: str
    edges: tuple[float, ...] = ()
    months: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bins, in order."""
        ends = [f"{edge:.4g}" if abs(edge) < 1e4 else f"{edge:g}" for edge in self.edges]
        if len(set(ends)) < len(ends):
            ends = [repr(edge) for edge in self.edges]
        between = [f"{low} to {high}" for low, high in pairwise(ends)]
        return (f"≤ {ends[0]}", *between, f"> {ends[-1]}") if ends else ()

    def name(self, value: Any) -> str:
        """Return the slice of a value as it was counted: by itself, or already by the number of its bin."""
        if is_missing(value):
            return MISSING
        return self.names[int(value)] if self.edges else name_of(value)

    def of(self, value: Any) -> Any:
        """Return what a value is counted as: the number of its bin, its month, or itself; None where it is missing."""
        if is_missing(value):
            return None
        if self.edges:
            return int(np.searchsorted(self.edges, float(value), side="left"))
        return name_of(value)[:_MONTH] if self.months else value

    def ordered(self, names: Iterable[str]) -> list[str]:
        """Return the names of slices in the order in which they are shown: bins by size, values by name."""
        known = {name: place for place, name in enumerate(self.names)}
        return sorted(names, key=lambda name: (name == MISSING, known.get(name, len(known)), _natural(name)))


def _natural(name: str) -> tuple[bool, float, str]:
    number = number_of(name)
    return (True, 0.0, name) if number is None else (False, number, name)


@dataclass(frozen=True, slots=True)
class Part:
    """The items of one slice; `data` is None, and `why` says why, where nothing can be computed for them."""

    column: str
    name: str
    items: int
    data: Any
    why: str = ""


@dataclass(frozen=True, slots=True)
class Sliced:
    """Data as a whole, and the same data by slices; every column divides all items."""

    kind: ClassVar[str] = "slices"
    whole: Any
    parts: tuple[Part, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(self.whole.systems)

    @property
    def items(self) -> int:
        """Number of items."""
        return int(self.whole.items)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Warnings from reading the data."""
        return tuple(self.whole.findings)

    def with_findings(self, findings: tuple[Finding, ...]) -> "Sliced":
        """Return the same items with other findings."""
        return replace(self, whole=self.whole.with_findings(findings))


def binned(name: str) -> tuple[str, int | None]:
    """Return the column that is named, and the number of bins, if it has one: 'length:4'."""
    match = _BINS.fullmatch(name)
    return (name, None) if match is None else (match["column"], int(match["bins"]))


def wanted_columns(
    by: Any, columns: Sequence[str], option: str = "by", place: str = "the table"
) -> dict[str, int | None]:
    """Read which columns slices are made by, as in 'lang' or 'length:4', each with its number of bins, if named."""
    found: dict[str, int | None] = {}
    for each in [by] if isinstance(by, str) else by:
        name, bins = str(each), None
        if name not in columns and binned(name)[1] is not None:
            name, bins = binned(name)
            assert bins is not None
            if not 2 <= bins <= MOST_BINS:
                raise InputError(f"⟨{option}⟩ takes 2 to {MOST_BINS} bins, got {shown(each)}.")
        if name not in columns:
            raise InputError(f"{place} has no column {quoted([name])} (⟨{option}⟩). {did_you_mean(name, columns)}")
        if name in found:
            raise InputError(f"⟨{option}⟩ names column {quoted([name])} twice.")
        found[name] = bins
    return found


def cut_of(column: str, values: Sequence[Any], counts: Sequence[int] | Counts, bins: int | None) -> Cut:
    """Decide how a column is cut, from its distinct values and how many items have each."""
    sizes = np.asarray(counts, dtype=np.int64)
    known = [place for place, value in enumerate(values) if not is_missing(value)]
    items, distinct = int(sizes.sum()), len(known)
    if distinct == 0:
        raise InputError(f"column {quoted([column])} has no values to make slices of (⟨by⟩).")
    if distinct == 1 and distinct == len(values):
        raise InputError(
            f"column {quoted([column])} has the same value, {quoted([values[known[0]]])}, for every item, so there are "
            "no slices (⟨by⟩)."
        )
    numbers = [number_of(values[place]) for place in known] if bins or distinct > MANY_VALUES else [None]
    if bins and None in numbers:
        odd = values[known[numbers.index(None)]]
        raise InputError(f"column {quoted([column])} cannot be cut into bins: {quoted([odd])} is not a number (⟨by⟩).")
    numeric = None not in numbers
    if distinct > MANY_VALUES and not numeric and all(_DATE.fullmatch(name_of(values[place])) for place in known):
        return Cut(column, months=True)
    if distinct > max(items / 2, 2) and not bins and not (numeric and any(each % 1 for each in numbers if each)):
        raise like_an_id(column, distinct, items, numbers=numeric)
    if numeric:
        order = np.argsort([each or 0.0 for each in numbers])
        ordered = np.array([numbers[place] for place in order], dtype=float)
        edges = edges_of(ordered, sizes[known][order], bins or USUAL_BINS)
        return Cut(column, edges)
    return Cut(column)


def like_an_id(column: str, values: int, items: int, *, numbers: bool) -> InputError:
    """Build the error for a column with too many values."""
    hint = f" To cut its numbers into bins, use ⟨by={column}:4⟩." if numbers else ""
    return InputError(
        f"column {quoted([column])} has {values:,} values for {items:,} items, so it looks like an id and not like "
        f"slices (⟨by⟩).{hint}"
    )


def number_of(value: Any) -> float | None:
    """Return a value as a number, if it is one; of texts, as every engine reads them: no underscores, ASCII digits."""
    if isinstance(value, bool) or (isinstance(value, str) and _NUMBER.fullmatch(value.strip()) is None):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def is_date(value: Any) -> bool:
    """Return whether a value is a date, written year first."""
    return _DATE.fullmatch(name_of(value)) is not None


def edges_of(values: Any, sizes: Counts, bins: int) -> tuple[float, ...]:
    """Return the upper ends of all bins but the last: quantiles; equal values are never divided."""
    cumulated = np.cumsum(sizes)
    wanted = [cumulated[-1] * part / bins for part in range(1, bins)]
    places = np.searchsorted(cumulated, np.array(wanted) * (1 - 1e-12), side="left")
    found = sorted({float(values[place]) for place in places if place < len(values) - 1})
    return tuple(found) or (float(values[0]),)


def split_columns(
    columns: Mapping[str, Sequence[Any]], by: Mapping[str, int | None]
) -> dict[str, dict[str, list[int]]]:
    """Return the rows of every slice of some columns that are held whole, in the order in which slices are shown."""
    found: dict[str, dict[str, list[int]]] = {}
    for name, bins in by.items():
        values = list(columns[name])
        kinds: dict[Any, list[int]] = {}
        for row, value in enumerate(values):
            kinds.setdefault(None if is_missing(value) else _key(value), []).append(row)
        distinct = [None if key is None else values[rows[0]] for key, rows in kinds.items()]
        cut = cut_of(name, distinct, [len(rows) for rows in kinds.values()], bins)
        own: dict[str, list[int]] = {}
        for value, rows in zip(distinct, kinds.values(), strict=True):
            own.setdefault(cut.name(cut.of(value)), []).extend(rows)
        found[name] = {each: sorted(own[each]) for each in cut.ordered(own)}
    return found


def _key(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise InputError(f"{shown(value)} cannot name a slice (⟨by⟩).") from None
    return name_of(value)
