"""Counts without items: a published table of TP, FP and FN, or how often each of two systems won."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from outclass.arrays import Counts
from outclass.data.labels import Label
from outclass.data.names import selection
from outclass.data.tally import MOST_ITEMS
from outclass.errors import InputError, quoted, shown, unknown
from outclass.findings import Finding, finding

NAMES = ("A", "B")
CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusionCounts:
    """One system's decisions, counted by somebody else; often without the true negatives."""

    name: str
    tp: int
    fp: int
    fn: int
    tn: int | None = None

    @property
    def table(self) -> Counts:
        """The (2, 2) table: rows positives, negatives; columns predicted positive, predicted negative."""
        return np.array([[self.tp, self.fn], [self.fp, self.tn or 0]], dtype=np.int64)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about these counts."""
        found = []
        for size, what, told in (
            (self.tp + self.fp, "returned nothing", "precision"),
            (self.tp + self.fn, "was tested on no relevant items", "recall"),
        ):
            if size == 0:
                found.append(finding("OC112", f"{self.name} {what}: the posterior of its {told} equals the prior."))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class CountsPair:
    """Two published results, from different test sets or from one whose items are not available."""

    first: ConfusionCounts
    second: ConfusionCounts

    @property
    def a(self) -> str:
        """The first system's name."""
        return self.first.name

    @property
    def b(self) -> str:
        """The second system's name."""
        return self.second.name

    @property
    def items(self) -> int:
        """How many items were counted in all."""
        return int(self.first.table.sum()) + int(self.second.table.sum())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about the counts."""
        return (*self.first.findings, *self.second.findings)

    def positives(self, wanted: Any, *, by_label: bool) -> list[Label | None]:
        """Counts have no labels."""
        _no_labels(wanted, by_label)
        return [None]


@dataclass(frozen=True, slots=True)
class WinCounts:
    """How often only one of two systems was right, and on how many items."""

    kind: ClassVar[str] = "wins"
    a: str
    b: str
    wins_a: int
    wins_b: int
    items: int

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return self.a, self.b

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Nothing need be said."""
        return ()

    def positives(self, wanted: Any, *, by_label: bool) -> list[Label | None]:
        """Wins have no labels."""
        _no_labels(wanted, by_label)
        return [None]


def confusion_counts_of(spec: "str | Mapping[str, Any] | ConfusionCounts", name: str) -> ConfusionCounts:
    """Read counts given as a mapping, or as text: `tp=10,fp=10,fn=4`, with `tn=...` and `name=...` if known."""
    if isinstance(spec, ConfusionCounts):
        return spec
    if isinstance(spec, str):
        parts = [part.partition("=")[::2] for part in spec.split(",") if part.strip()]
        twice = {key.strip() for key, _ in parts if [name.strip() for name, _ in parts].count(key.strip()) > 1}
        if twice:
            raise InputError(f"the counts give {quoted(sorted(twice))} twice: {shown(spec)}.")
        spec = dict(parts)
    if not isinstance(spec, Mapping):
        raise InputError(f"⟨counts⟩ are given as tp=10,fp=10,fn=4 or a mapping, got {type(spec).__name__}.")
    given = {str(key).strip().lower(): value for key, value in spec.items()}
    for key in given:
        if key not in (*CELLS, "name"):
            raise unknown("count", key, (*CELLS, "name"))
    lacking = [cell for cell in CELLS[:3] if cell not in given]
    if lacking:
        raise InputError(f"⟨counts⟩ are missing {quoted(lacking)}; give all of tp, fp and fn, as in tp=10,fp=10,fn=4.")
    cells = {cell: _count(given[cell], cell) for cell in CELLS if given.get(cell) is not None}
    return ConfusionCounts(name=str(given.get("name", name)).strip() or name, **cells)


@dataclass(frozen=True, slots=True)
class PublishedCounts:
    """Published results of any number of systems."""

    kind: ClassVar[str] = "counts"
    results: tuple[ConfusionCounts, ...]

    @property
    def systems(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(each.name for each in self.results)

    @property
    def items(self) -> int:
        """How many items were counted in all."""
        return sum(int(each.table.sum()) for each in self.results)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the reader should know about the counts."""
        return tuple(found for each in self.results for found in each.findings)

    def selected(self, systems: Sequence[str]) -> "PublishedCounts":
        """Return the results of some of the systems."""
        found = {each.name: each for each in self.results}
        return PublishedCounts(tuple(found[name] for name in selection(systems, found)))

    def pairs(self) -> list[CountsPair]:
        """Return every two of the results."""
        return [CountsPair(first, second) for first, second in combinations(self.results, 2)]


def counts_of(specs: Any, names: Sequence[str] | None = None) -> PublishedCounts:
    """Read published counts of one or more systems."""
    listed = [specs] if isinstance(specs, str | Mapping | ConfusionCounts) else list(specs)
    called = [chr(ord("A") + place % 26) for place in range(len(listed))] if names is None else [str(n) for n in names]
    if len(called) != len(listed) or len(set(called)) != len(called):
        raise InputError(f"⟨names⟩ must be {len(listed)} different names, got {quoted(called)}.")
    found = tuple(confusion_counts_of(spec, name) for spec, name in zip(listed, called, strict=True))
    twice = [name for name, many in Counter(each.name for each in found).items() if many > 1]
    if twice:
        raise InputError(f"two sets of counts are named {quoted(twice[:1])}; give them different names.")
    return PublishedCounts(found)


def wins_of(wins: "str | Sequence[Any]", items: Any, names: Sequence[str] = NAMES) -> WinCounts:
    """Read how often each of two systems won: two numbers, or text like `17,4`."""
    numbers = wins.split(",") if isinstance(wins, str) else list(wins) if isinstance(wins, Iterable) else [wins]
    if len(numbers) != 2:
        raise InputError(f"⟨wins⟩ are two numbers, only A right and only B right, as in 17,4; got {shown(wins)}.")
    a, b = (_count(number, "wins") for number in numbers)
    if items is None:
        raise InputError("wins need the number of items they were counted on (⟨items=N⟩).")
    total = _count(items, "items")
    names = [names] if isinstance(names, str) else list(names)
    if len(set(names)) != 2 or len(names) != 2:
        raise InputError(f"⟨names⟩ must be 2 different names, got {quoted(names)}.")
    if a + b > total:
        raise InputError(f"{a:,} and {b:,} wins exceed the {total:,} items.")
    return WinCounts(names[0], names[1], a, b, total)


def _no_labels(wanted: Any, by_label: bool) -> None:
    if wanted is not None or by_label:
        raise InputError("counts have no labels: leave out ⟨positive⟩ and ⟨by⟩.")


def _count(value: Any, what: str) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not (0 <= number <= MOST_ITEMS and number == int(number)):
        raise InputError(f"{what} must be a non-negative integer, got {quoted([value])}.")
    # Text is read as a number first: digits are exact, but there may be thousands of zeros before them.
    text = value.strip().lstrip("0") if isinstance(value, str) else ""
    return int(value) if isinstance(value, int) else int(text) if text.isdecimal() else int(number)
