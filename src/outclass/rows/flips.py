"""Flips: the items on which a new system is worse than the old one, and those on which it is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from outclass.data.scores import Scores

BASES: Final = ("base", "baseline")  # names of a system that is the old one wherever it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """Two systems, the old one first, and the ids of the items on which they differ.

    Parameters
    ----------
    first, second, metric
        The systems, and what they are compared in.
    worse, better
        The items on which the second system is worse than the first (right to wrong), and those on which it is better.
    """

    first: str
    second: str
    metric: str
    worse: tuple[str, ...]
    better: tuple[str, ...]

    def __str__(self) -> str:
        told = f"{len(self.worse):,} items right→wrong, {len(self.better):,} wrong→right"
        return f"{self.first} → {self.second} in {self.metric}: {told}"


def flips_between(
    first: str, second: str, metric: str, items: Sequence[str], differences: Sequence[float], *, lower: bool
) -> Flips:
    """Return the flips from one system to another; `differences` are those of their scores, item by item."""
    sign = -1 if lower else 1
    pairs = list(zip(items, differences, strict=True))
    return Flips(
        first=first,
        second=second,
        metric=metric,
        worse=tuple(item for item, difference in pairs if sign * difference > 0),
        better=tuple(item for item, difference in pairs if sign * difference < 0),
    )


def flips_of(scores: Scores) -> tuple[Flips, ...]:
    """Return the flips between every pair of systems, where items have ids."""
    found = []
    for a, b in combinations(scores.systems, 2) if scores.ids is not None else ():
        first, second = (b, a) if b.lower() in BASES else (a, b)
        differences = scores.difference(first, second).tolist()
        lower = not scores.higher_is_better
        found.append(flips_between(first, second, scores.name, scores.ids or (), differences, lower=lower))
    return tuple(found)
