"""Slices in which a system lost, from the counts of all slices: each with its loss as it is, pooled, and exact."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Counts
from outclass.data.slice_table import Family, Sliceable
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure
from outclass.models import fitted
from outclass.models.evidence import Evidence
from outclass.models.prior import MATCHED, prior_of
from outclass.models.slice_search import LEAST_ITEMS, Losses, limit_of, paired, single, within
from outclass.verdict.rope import Verdict, decide

LIKELY: Final = 0.5  # from which all items count as lost, and a slice that is not listed is shown
TOLERANCE: Final = 5e-4  # of the exact engine, finer than what is printed
EXAMPLES: Final = 5  # ids of a slice


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A column and one of its slices."""

    column: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledLoss:
    """The loss in a slice, partially pooled with all other slices.

    `below` and `above` are the probabilities of a loss below and above the ROPE.
    """

    mean: float
    std: float
    interval: Interval
    below: float
    above: float
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSlice:
    """A slice and how much the new system lost there.

    A loss is how much worse the new system is than the old one, in the unit of the measure; a gain is a negative loss.

    Parameters
    ----------
    where
        One column with its value, or two; none for all items.
    items, share
        How many items, and which share of all.
    old, new, observed
        The measure of both systems in the slice, and the loss as it was observed.
    loss, interval
        The posterior mean of the loss and its HDI, of this slice alone.
    pooled
        The loss pooled with that of all other slices; `above` is the probability of a loss beyond the ROPE. None for
        all items.
    explained
        Of a pair of columns, the loss that its two columns explain by themselves.
    probability
        Of a loss beyond the ROPE.
    expected_loss
        The probability times the pooled loss times the share of items.
    listed
        Whether it is in the list of which an expected 5% at most are false.
    same
        Other slices with the same counts in every cell, which are not shown again: columns that say the same.
    lost
        Items that the old system got right and the new one wrong.
    ids
        Some of these, where an id column was named.
    """

    where: tuple[Condition, ...]
    items: int
    share: float
    old: float
    new: float
    observed: float
    loss: float
    interval: Interval
    pooled: PooledLoss | None
    explained: float | None
    probability: float
    expected_loss: float
    verdict: Verdict
    listed: bool
    lost: int
    same: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """What a table calls it."""
        return ", ".join(f"{each.column}: {each.value}" for each in self.where) or "all items"


class Counted(NamedTuple):
    """All slices of one depth: their columns and values, the single slices that they lie in, and their tables."""

    conditions: Sequence[tuple[tuple[int, int], ...]]
    parents: Counts
    tables: Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What was searched, and what it comes to.

    Parameters
    ----------
    columns, depth
        The columns, and how many of them make a slice at most.
    slices, pairs, thin
        How many slices of single columns and of pairs there are, and how many pairs had too few items to be looked at.
    listed
        How many slices are listed; there may be more than are shown.
    p_any, expected
        The probability that the new system is worse by more than the ROPE in some slice of a single column, and the
        expected number of such slices.
    """

    columns: tuple[str, ...]
    depth: int
    slices: int
    pairs: int
    thin: int
    listed: int
    p_any: float
    expected: float


class Search(NamedTuple):
    """What a search found: all items, the slices to show, where each lies, and what was searched."""

    whole: FoundSlice
    rows: tuple[FoundSlice, ...]
    places: tuple[tuple[tuple[int, int], ...], ...]  # the columns and values of each row
    searched: Searched


def counted(families: Sequence[Family], columns: Sequence[Sliceable]) -> tuple[Counted, Counted, int]:
    """Return the slices of single columns, those of pairs, and how many pairs have too few items."""
    starts = np.cumsum([0, *(len(column.slices) for column in columns)])
    row_of = np.full(starts[-1], -1)  # of a single slice; one without items has none
    found: list[Counted] = []
    thin = 0
    for depth in (1, 2):
        own = [family for family in families if len(family.columns) == depth]
        tables = np.concatenate([family.tables for family in own] or [np.zeros((0, 2, 4), dtype=np.int64)])
        parents = np.concatenate(
            [starts[list(family.columns)] + family.places for family in own] or [np.zeros((0, depth), dtype=np.int64)]
        )
        conditions = [
            tuple(zip(family.columns, map(int, places), strict=True)) for family in own for places in family.places
        ]
        if depth == 1:
            row_of[parents[:, 0]] = np.arange(len(parents))
        parents = row_of[parents]
        if depth > 1:
            kept = np.flatnonzero(tables.sum(axis=(1, 2)) >= LEAST_ITEMS)
            thin = len(tables) - len(kept)
            tables, parents, conditions = tables[kept], parents[kept], [conditions[place] for place in kept]
        found.append(Counted(conditions, parents, tables))
    return found[0], found[1], thin


def search(
    families: Sequence[Family],
    columns: Sequence[Sliceable],
    whole: Counts,
    *,
    measure: Measure,
    rope: Interval,
    hdi_mass: float,
    top: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Search:
    """Find where the second system lost; `rope` is of losses."""
    singles, pairs, thin = counted(families, columns)
    exact = _Exact(measure, hdi_mass, Settings(tolerance=TOLERANCE, seed=seed), int(whole.sum()))
    of_all = exact.row((), whole, rope)
    everywhere = of_all.loss if of_all.probability >= LIKELY else None
    found = single(singles.tables, measure, rope.high, everywhere)
    parts = [(singles, found, np.zeros(len(singles.tables), dtype=bool))]
    if len(pairs.tables):
        beside = paired(pairs.tables, pairs.parents, found, measure, rope.high, everywhere)
        tables = singles.tables, pairs.tables
        owed = within(found, beside, pairs.parents, tables, measure, limit_of(rope.high, everywhere))
        parts = [(singles, found, owed), (pairs, beside, np.zeros(len(pairs.tables), dtype=bool))]
    chosen = _chosen(parts, exact.items)
    rows, places = [], []
    for done, (part, (place, *others), listed) in enumerate(chosen[:top], start=1):
        slices, losses, _ = parts[part]
        row = exact.row(_where(slices.conditions[place], columns), slices.tables[place], rope)
        row = _with_pooled(row, losses, place, exact, rope, listed=listed, pair=part == 1)
        same = [replace(row, where=_where(slices.conditions[other], columns)).title for other in others]
        rows.append(replace(row, same=tuple(same)))
        places.append(slices.conditions[place])
        if progress is not None:
            progress(done, min(len(chosen), top))
    searched = Searched(
        columns=tuple(column.name for column in columns),
        depth=max(len(family.columns) for family in families),
        slices=len(singles.tables),
        pairs=len(pairs.tables),
        thin=thin,
        listed=sum(listed for _, _, listed in chosen),
        p_any=found.law.mirrored.any_below(-rope.high),
        expected=float(found.beyond.sum()),
    )
    return Search(of_all, tuple(rows), tuple(places), searched)


def _where(conditions: Sequence[tuple[int, int]], columns: Sequence[Sliceable]) -> tuple[Condition, ...]:
    return tuple(Condition(column=columns[at].name, value=columns[at].slices[own]) for at, own in conditions)


def _chosen(parts: Sequence[tuple[Counted, Losses, np.ndarray]], items: int) -> list[tuple[int, list[int], bool]]:
    """Return the slices to show, by expected loss: those listed, then those likelier than not to be such.

    With each part are the slices that owe their loss to another. Slices of different columns with the same counts
    in every cell are shown once.
    """
    found = []
    for part, (slices, losses, owed) in enumerate(parts):
        expected = losses.beyond * losses.mean * slices.tables.sum(axis=(1, 2)) / items
        shown = np.flatnonzero((losses.listed | (losses.telling >= LIKELY)) & ~owed)
        found += [(not losses.listed[place], -float(expected[place]), part, int(place)) for place in shown]
    chosen: list[tuple[int, list[int], bool]] = []
    alike: dict[tuple[int, bytes], list[int]] = {}
    for unlisted, _, part, place in sorted(found):
        slices = parts[part][0]
        same = alike.setdefault((part, slices.tables[place].tobytes()), [])
        # Slices that differ in a value of one column share no items, whatever their counts.
        if same and not any(_are_apart(slices.conditions[place], slices.conditions[other]) for other in same):
            same.append(place)
            continue
        own = [place]
        alike[part, slices.tables[place].tobytes()] = own
        chosen.append((part, own, not unlisted))
    return chosen


def _are_apart(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> bool:
    values = dict(one)
    return any(values.get(column, value) != value for column, value in other)


class _Exact(NamedTuple):
    """The exact engine for one slice at a time."""

    measure: Measure
    hdi_mass: float
    settings: Settings
    items: int

    @property
    def possible(self) -> Interval:
        """The losses that there can be."""
        width = self.measure.high - self.measure.low
        return Interval(-width, width)

    def row(self, where: tuple[Condition, ...], table: Counts, rope: Interval) -> FoundSlice:
        """Return a slice by itself."""
        evidence = Evidence.of_joint(table)
        assert evidence.systems is not None
        assert evidence.wins is not None
        prior = prior_of(MATCHED).of(self.measure, "paired")
        law = fitted("paired", evidence, prior, self.settings).difference(self.measure)
        low, high = law.hdi(self.hdi_mass)
        worse = law.probability(rope.high, law.support.high)
        sign = 1.0
        if not self.measure.higher_is_better:
            low, high, sign = -high, -low, -1.0
            worse = law.probability(law.support.low, -rope.high)
        old, new = (_observed(self.measure, own) for own in evidence.systems)
        items = int(table.sum())
        interval = Interval(float(low), float(high))
        return FoundSlice(
            where=where,
            items=items,
            share=items / max(self.items, 1),
            old=old,
            new=new,
            observed=sign * (old - new),
            loss=sign * float(law.mean),
            interval=interval,
            pooled=None,
            explained=None,
            probability=float(worse),
            expected_loss=float(worse) * sign * float(law.mean) * items / max(self.items, 1),
            verdict=decide(interval, rope),
            listed=False,
            lost=evidence.wins.a,
        )


def _observed(measure: Measure, table: Counts) -> float:
    (tp, fn), (fp, tn) = table
    found = float(measure(tp, fp, fn, tn))
    return found if math.isfinite(found) else math.nan


def _with_pooled(
    row: FoundSlice, losses: Losses, place: int, exact: "_Exact", rope: Interval, *, listed: bool, pair: bool
) -> FoundSlice:
    """Put what the other slices tell of a slice beside it: it decides."""
    own = losses.law.of([place])
    explained, mean = float(losses.explained[place]), float(losses.mean[place])
    (interval,) = losses.intervals([place], exact.hdi_mass)
    interval = interval.within(exact.possible)
    beyond = float(losses.beyond[place])
    pooled = PooledLoss(
        mean=mean,
        std=float(own.std[0]),
        interval=interval,
        below=float(own.below(rope.low - explained)[0]),
        above=beyond,
        verdict=decide(interval, rope),
    )
    return replace(
        row,
        pooled=pooled,
        explained=explained if pair else None,
        probability=beyond,
        expected_loss=beyond * mean * row.share,
        verdict=pooled.verdict,
        listed=listed,
    )
