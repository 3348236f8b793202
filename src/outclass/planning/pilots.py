"""Pilots whose own items stand for what may come: worlds weight them, and new test sets are drawn from the worlds."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.planning.backends import USUAL
from outclass.planning.intervals import Moments, shortest, verdicts
from outclass.planning.power import MOST, Goal

DRAWS: Final = 400
MORE_DRAWS: Final = 3_000  # for widths, and where the distribution is far from normal
CLOSED: Final = "Student's t interval is a closed form, in which no library would save time."
DRAWN_BY: Final = "Sets are judged in {} by draws, which NumPy makes."
JACKKNIFE: Final = "Groups are judged by the cluster jackknife, which draws nothing: NumPy computes it."
MOST_LISTED: Final = 200_000  # items of a simulated set that are held one by one


@dataclass(frozen=True, kw_only=True)
class ItemPilot(ABC):
    """A pilot of two systems; new items come on top of it, and the whole is judged as `compare` would."""

    rope: Interval
    hdi_mass: float
    backend: str = USUAL
    device: str | None = None
    most: ClassVar[int] = MOST  # new items that can be simulated

    def probability(self, items: int, goal: Goal, model: str, sets: int, seed: list[int]) -> float:
        """Return the share of simulated sets that reach the goal."""
        if items > self.most:
            raise InputError(f"with this pilot, plans are limited to {self.most:,} items, got {items:,}.")
        rng = np.random.default_rng(seed)
        ends = self.intervals(items, model, sets, MORE_DRAWS if goal.width > 0 else DRAWS, rng)
        if goal.width > 0:
            return float((ends[:, 1] - ends[:, 0] <= goal.width).mean())
        decided = verdicts(ends, self.rope)
        return float((decided != "" if goal.verdict == "any" else decided == goal.verdict).mean())

    @property
    def without_back_end(self) -> str:
        """Why no other library than NumPy has anything to compute, as a sentence; empty if one has."""
        return ""

    @abstractmethod
    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Return the interval of the difference on each simulated set, (sets, 2); from so many draws, if any."""

    @property
    @abstractmethod
    def about(self) -> Any:
        """What tells this pilot and its measure from others, as plain data."""

    def drawn_interval(self, differences: Callable[[int], Floats], draws: int) -> Floats:
        """Return the interval of a difference from draws, using more of them if it is far from normal."""
        found = differences(draws)[None, :]
        moments = Moments.of(found)
        if moments.odd[0]:
            found = found if draws >= MORE_DRAWS else differences(MORE_DRAWS)[None, :]
            return np.asarray(shortest(found, self.hdi_mass)[0])
        return np.asarray(moments.interval(self.hdi_mass)[0])


def whole_groups(group: Counts, items: int, rng: np.random.Generator) -> tuple[Counts, Counts]:
    """Draw a world from the groups of a pilot and as many whole groups from it as make about so many items.

    Returns the places of all items, those of the pilot first, and the group of each; a group that is drawn twice is two
    groups. Weights on the groups are the world: the cluster jackknife has no prior that could add others.
    """
    sizes = np.bincount(group)
    weights = rng.standard_exponential(len(sizes))
    many = max(1, round(items / float(sizes.mean())))
    picked = np.repeat(np.arange(len(sizes)), 1 + rng.multinomial(many, weights / weights.sum()))
    ordered, starts = np.argsort(group, kind="stable"), np.concatenate([[0], np.cumsum(sizes)[:-1]])
    lengths = sizes[picked]
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return ordered[np.repeat(starts[picked], lengths) + within], np.repeat(np.arange(len(picked)), lengths)
