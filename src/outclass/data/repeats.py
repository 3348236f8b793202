"""Repeats nested in items: several numbers for each system and item, as of five answers to a question.

The item stays the unit: its number is the mean over its repeats, so that everything that is done with results is done
with these. The repeats themselves are kept beside them, for what only they can tell: how much of the variance is
generation noise, whether all items of a run move together, and what the best or the worst of k answers is.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice
from typing import Any, Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.data.names import selection
from outclass.data.scores import Scores
from outclass.errors import printable, quoted
from outclass.findings import Finding, finding

BY_CHANCE: Final = 0.01  # repeats that may be alike by chance, on average, where some are copies
MOST_PAIRS: Final = 50  # of repeats, on which that average is taken


@dataclass(frozen=True, kw_only=True, eq=False)
class OneSystem:
    """One system's repeats, in the order of items.

    Parameters
    ----------
    item, which, values
        For each answer its item, its repeat, and its number.
    answers
        What was answered, as codes, -1 for nothing; None of numbers.
    """

    item: Counts
    which: Counts
    values: Floats
    answers: Counts | None = None

    def only(self, kept: np.ndarray) -> "OneSystem":
        """Return some of the answers."""
        answers = None if self.answers is None else self.answers[kept]
        return OneSystem(item=self.item[kept], which=self.which[kept], values=self.values[kept], answers=answers)

    @cached_property
    def sizes(self) -> Counts:
        """How many repeats each item has."""
        return np.bincount(self.item)

    @cached_property
    def means(self) -> Floats:
        """The mean of each item."""
        return np.asarray(np.bincount(self.item, weights=self.values) / self.sizes)

    @cached_property
    def variances(self) -> Floats:
        """The variance within each item, unbiased; nan of one repeat."""
        squares = np.bincount(self.item, weights=(self.values - self.means[self.item]) ** 2)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(squares / (self.sizes - 1))

    @cached_property
    def _runs(self) -> list[tuple[int, Counts]]:
        """Every repeat with the places of its answers, in the order of items."""
        order = np.argsort(self.which, kind="stable")
        names, starts = np.unique(self.which[order], return_index=True)
        return list(zip(names.tolist(), np.split(order, starts[1:]), strict=True))

    def by_run(self) -> Floats:
        """Return the numbers of items that have the same repeats, (items, repeats): as many as can be told from."""
        runs = [rows for _, rows in self._runs if len(rows) > 1]
        runs.sort(key=len, reverse=True)
        best, kept, found = 0, np.arange(0), np.zeros((0, 0))
        for many, rows in enumerate(runs, start=1):
            kept = self.item[rows] if many == 1 else np.intersect1d(kept, self.item[rows], assume_unique=True)
            if len(kept) * (len(runs) - 1) <= best:
                break  # further repeats have fewer items still
            if len(kept) * (many - 1) > best:
                best = len(kept) * (many - 1)
                found = np.stack([self.values[own[np.isin(self.item[own], kept)]] for own in runs[:many]], axis=1)
        return found

    def _content(self, rows: Counts) -> tuple[bytes, bytes, bytes]:
        said = b"" if self.answers is None else self.answers[rows].tobytes()
        return self.item[rows].tobytes(), self.values[rows].tobytes(), said

    @cached_property
    def kinds(self) -> dict[tuple[bytes, bytes, bytes], list[int]]:
        """The repeats that look alike on all their items, as places of `_runs`."""
        found: dict[tuple[bytes, bytes, bytes], list[int]] = {}
        for place, (_, rows) in enumerate(self._runs):
            found.setdefault(self._content(rows), []).append(place)
        return found

    def _apart(self) -> float:
        """Return on how many items two repeats that are not alike differ, on average."""
        runs = [self._runs[places[0]][1] for places in self.kinds.values()]
        counts = []
        for a, b in islice(combinations(runs, 2), MOST_PAIRS):
            _, one, other = np.intersect1d(self.item[a], self.item[b], assume_unique=True, return_indices=True)
            counts.append(int((self.values[a[one]] != self.values[b[other]]).sum()))
        return float(np.mean(counts)) if counts else 0.0

    @property
    def identical(self) -> bool:
        """Whether all repeats are the same, though items differ: a cache, or a system without randomness."""
        return len(self._runs) > 1 and len(self.kinds) == 1 and bool(np.ptp(self.values) > 0)

    @property
    def times_over(self) -> int:
        """How many times every repeat occurs, if all occur equally often or in multiples of that."""
        return math.gcd(*map(len, self.kinds.values()))

    def copies(self) -> list[int]:
        """Return the repeats that are copies of an earlier one, which chance cannot explain."""
        kinds = len(self.kinds)
        if kinds in (1, len(self._runs)):
            return []
        if math.comb(kinds, 2) * math.exp(-self._apart()) < BY_CHANCE:
            return self._beyond()
        times = self.times_over
        return self._beyond(times) if times > 1 and self._by_chance(times) < BY_CHANCE else []

    def _beyond(self, times: int | None = None) -> list[int]:
        """Return the repeats beyond the first of each kind, or beyond one in so many."""
        kept = [(places, len(places) // (times or len(places))) for places in self.kinds.values()]
        return sorted(self._runs[place][0] for places, many in kept for place in places[many:])

    def _by_chance(self, times: int) -> float:
        """Return the probability that every repeat occurs so many times, were the answers to each item in any order."""
        _, same = np.unique(np.stack([self.item, self.values]), axis=1, return_counts=True)
        runs = len(self._runs)
        groupings = special.gammaln(runs + 1) - runs / times * special.gammaln(times + 1)
        groupings -= special.gammaln(runs / times + 1)
        alike, each = (special.gammaln(n / times + 1) - special.gammaln(n + 1) for n in (self.sizes, same))
        return math.exp(min(float(alike.sum() - each.sum() + groupings), 0.0))

    def thinned(self, times: int) -> "OneSystem":
        """Return one in so many of the repeats of every kind."""
        return self.only(~np.isin(self.which, self._beyond(times)))


@dataclass(frozen=True, kw_only=True, eq=False)
class Repeats:
    """Every system's repeats; `names` are what repeats are called, `said` what was answered, by its code."""

    names: tuple[str, ...]
    said: tuple[str, ...]
    systems: Mapping[str, OneSystem]

    def selected(self, systems: Sequence[str]) -> "Repeats":
        """Return some of the systems."""
        return replace(self, systems={name: self.systems[name] for name in selection(systems, tuple(self.systems))})

    @cached_property
    def distinct(self) -> "Repeats":
        """The repeats without copies of another."""
        found = {}
        for name, own in self.systems.items():
            copies = own.copies()
            found[name] = own.only(~np.isin(own.which, copies)) if copies else own
        return replace(self, systems=found)

    @cached_property
    def times_over(self) -> int:
        """How many times every repeat of every system occurs; 1 if no system has two that differ."""
        if all(len(own.kinds) == 1 for own in self.systems.values()):
            return 1
        return math.gcd(*(own.times_over for own in self.systems.values()))

    @cached_property
    def thinned(self) -> "Repeats":
        """The distinct repeats, and if every repeat occurs several times, these once, be it by chance.

        Where repeats hardly differ, chance may do it. Who doubles repeats must not lessen their noise, and so it is
        estimated from these.
        """
        if self.times_over == 1:
            return self.distinct
        systems = {name: own.thinned(self.times_over) for name, own in self.systems.items()}
        return replace(self, systems=systems).distinct

    @cached_property
    def right_wrong(self) -> tuple[float, float] | None:
        """The numbers of wrong and right answers, if there are just two."""
        kinds = np.unique(np.concatenate([np.unique(own.values) for own in self.systems.values()]))
        if set(kinds.tolist()) <= {0.0, 1.0}:
            return 0.0, 1.0
        return (float(kinds[0]), float(kinds[1])) if len(kinds) == 2 else None

    def findings(self) -> list[Finding]:
        """Say which repeats are copies, and which systems always answer the same."""
        found = []
        for name, own in self.systems.items():
            if copies := own.copies():
                listed = [self.names[place] for place in copies]
                told = (
                    "repeat is a copy of another and was"
                    if len(listed) == 1
                    else "repeats are copies of others and were"
                )
                found.append(
                    finding(
                        "OC523", f"{len(listed)} {told} counted once: {quoted(listed, most=5)} of {name} (a cache?)."
                    )
                )
            elif own.identical:
                found.append(
                    finding(
                        "OC523",
                        f"all repeats of {name} are identical: the answers came from a cache, or {name} has no "
                        "randomness. They say nothing about generation noise.",
                    )
                )
        if self.times_over > 1 and not any(own.copies() for own in self.systems.values()):
            found.append(
                finding(
                    "OC523",
                    f"every repeat occurs {self.times_over} times, by chance or as copies (a cache?): once in the "
                    "estimate of generation noise.",
                )
            )
        return found


@dataclass(frozen=True, kw_only=True, eq=False)
class RepeatedScores(Scores):
    """Results with repeats: `values` are the means of items, `repeats` what they are the means of."""

    repeats: Repeats

    def __repr__(self) -> str:
        answers = sum(len(own.values) for own in self.repeats.systems.values())
        what = f"{len(self):,} {self.kind} ({self.name}, {answers:,} in all)"
        return printable(f"RepeatedScores({what} of {', '.join(self.systems)})")

    @property
    def kind(self) -> str:
        """Name of this kind of data."""
        return "results with repeats"

    def selected(self, systems: Sequence[str]) -> "RepeatedScores":
        """Return the same items with some of the systems."""
        names = selection(systems, self.systems)
        values = {name: self.values[name] for name in names}
        return replace(self, values=values, repeats=self.repeats.selected(names))

    @property
    def fewest(self) -> int:
        """The repeats of the item and system that have fewest."""
        return min(int(own.sizes.min()) for own in self.repeats.distinct.systems.values())


def repeated_scores(
    names: Sequence[str], rows: Mapping[str, OneSystem], *, said: Sequence[str] = (), **told: Any
) -> RepeatedScores:
    """Return results with repeats from every system's answers; `names` are those of repeats."""
    ordered = {}
    for system, own in rows.items():
        ordered[system] = own.only(np.lexsort((own.which, own.item)))
    repeats = Repeats(names=tuple(names), said=tuple(said), systems=ordered)
    kinds = repeats.right_wrong
    told["findings"] = tuple(dict.fromkeys((*told.get("findings", ()), *repeats.findings())))
    return RepeatedScores(
        values={system: own.means for system, own in repeats.distinct.systems.items()},
        repeats=repeats,
        step=None if kinds is None else kinds[1] - kinds[0],
        **told,
    )
