"""Runs that are copies of each other: which gave the same answer to every item, where chance does not explain it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import MultiLabel
from outclass.data.scores import Scores
from outclass.data.unit_counts import PerItem, by_item
from outclass.findings import Finding, finding

SHOWN: Final = 3  # copies that are named
BY_CHANCE: Final = 0.01  # pairs of runs that may be alike by chance, on average, where one is said to be a copy
MOST_PAIRS: Final = 50  # of runs, from which it is known on how many items two of them differ
Pair = tuple[str, str]


def copies(base: Any, of: Mapping[str, Sequence[str]]) -> Iterator[Finding]:
    """Say which runs gave the same answer to every item.

    Two runs of a system that hardly errs agree by chance. As many pairs are expected to as there are, times exp(-d),
    where d is on how many items two runs differ on average: those that are not alike, or else those of other systems,
    but no more than the errors that there are to differ by.
    """
    said = {run: answers(base, run) for runs in of.values() for run in runs}
    own = {name: list(combinations(runs, 2)) for name, runs in of.items()}
    others = [pair for a, b in combinations(of.values(), 2) for pair in product(a, b)]
    within = [pair for pairs in own.values() for pair in pairs]
    told: list[str] = []
    for name, pairs in own.items():
        alike = [pair for pair in pairs if said[pair[0]] == said[pair[1]]]
        if alike and not _by_chance(base, said, alike, len(pairs), (pairs, within, others)):
            every = len(alike) == len(pairs) and len(of[name]) > 2
            told += [f"all {len(of[name])} runs of {name}"] if every else [f"{a} and {b}" for a, b in alike]
    alike = [pair for pair in others if said[pair[0]] == said[pair[1]]]
    if alike and len(said) > len(of) and not _by_chance(base, said, alike, len(others), (others,)):
        told += [f"{a} and {b}" for a, b in alike]
    if told:
        more = f" and {len(told) - SHOWN} more pairs" if len(told) > SHOWN else ""
        yield finding(
            "OC652",
            f"runs that are copies of each other: {', '.join(told[:SHOWN])}{more} gave the same answer to every item. "
            "This is typical of a cache or a fixed seed; copies are not independent runs and make the interval too "
            "narrow.",
        )


def answers(base: Any, run: str) -> bytes:
    """Return what a run said of every item, as it compares with what others said."""
    return np.ascontiguousarray(_said(base, run)).tobytes()


def _by_chance(
    base: Any, said: Mapping[str, bytes], alike: Sequence[Pair], pairs: int, among: Sequence[Sequence[Pair]]
) -> bool:
    """Return whether chance may explain that runs are alike."""
    errors = max(_to_differ_by(base, run) for run in {pair[0] for pair in alike})
    for known in among:
        unlike = [pair for pair in known if said[pair[0]] != said[pair[1]]]
        if unlike:
            apart = min(errors, float(np.mean([_apart(base, *pair) for pair in islice(unlike, MOST_PAIRS)])))
            return pairs * math.exp(-apart) > BY_CHANCE
    return pairs * math.exp(-errors) > BY_CHANCE


def _said(base: Any, run: str) -> np.ndarray:
    """Return what a run said, one row per kind of item or per decision."""
    if isinstance(base, Scores):
        return np.asarray(base.values[run])
    if isinstance(base, MultiLabel):
        return np.asarray(base.marks[:, base.column(run)])
    if isinstance(base, PerItem):
        counts = by_item(base)
        return np.asarray(counts.cells[:, counts.column(run)])
    outcomes = getattr(base, "outcomes", base)
    return np.asarray(outcomes.patterns[:, outcomes.column(run)])


def _items(base: Any, differ: np.ndarray) -> float:
    """Return how many items are among these rows."""
    if isinstance(base, Scores):
        return float(differ.sum())
    if isinstance(base, MultiLabel):
        return float(len(np.unique(base.item[differ])))
    if isinstance(base, PerItem):
        counts = by_item(base)
        return float(counts.times[np.unique(counts.unit[differ.any(axis=1)])].sum())
    return float(getattr(base, "outcomes", base).counts[differ].sum())


def _apart(base: Any, a: str, b: str) -> float:
    """Return on how many items two runs differ."""
    return _items(base, _said(base, a) != _said(base, b))


def _to_differ_by(base: Any, run: str) -> float:
    """Return how many items a run gets wrong, or gives another number than most."""
    said = _said(base, run)
    if isinstance(base, Scores):
        return float(len(said) - _most_alike(said))
    if isinstance(base, MultiLabel):
        return _items(base, said != base.marks[:, 0])
    if isinstance(base, PerItem):
        return _items(base, said[:, 1:] > 0)
    return _items(base, said != getattr(base, "outcomes", base).patterns[:, 0])


def _most_alike(values: Floats) -> int:
    return int(np.unique(values, return_counts=True)[1].max(initial=0))
