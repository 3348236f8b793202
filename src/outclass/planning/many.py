"""Planning over many labels: worlds drawn from a pilot's patterns, test sets from the worlds, answers from weights."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Classes
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.measures.averages import Average
from outclass.models.sticks import sticks
from outclass.models.weights import CELLS, Weighted, units_of
from outclass.planning.power import Goal, is_odd, moments_interval, shortest, verdicts

DRAWS: Final = 400
MORE_DRAWS: Final = 3_000  # where the law is no bell


@dataclass(frozen=True)
class ManyPilot:
    """A pilot of two systems over many labels; new items come on top of it."""

    outcomes: Outcomes
    measure: Average
    rope: Interval
    hdi_mass: float

    def probability(self, items: int, goal: Goal, model: str, sets: int, seed: list[int]) -> float:
        """Return the share of simulated sets that reach the goal."""
        rng = np.random.default_rng(seed)
        ends = np.array([self._interval(items, model, rng) for _ in range(sets)])
        if goal.width > 0:
            return float((ends[:, 1] - ends[:, 0] <= goal.width).mean())
        decided = verdicts(ends, self.rope)
        return float((decided != "" if goal.verdict == "any" else decided == goal.verdict).mean())

    def _grown(self, items: int, rng: np.random.Generator) -> Outcomes:
        """Draw a world from the pilot's posterior and new items from the world, and add the pilot's."""
        labels = len(self.outcomes.labels)
        seen = rng.standard_gamma(self.outcomes.counts.astype(float))
        pseudo = sticks(CELLS * self.measure.pseudo_count, 1, rng)[:, 0]
        true = rng.integers(0, labels, (len(pseudo), 1))
        other = (true + rng.integers(1, labels, (len(pseudo), 2))) % labels
        said = np.where(rng.random(other.shape) < 0.5, true, other)
        patterns = np.concatenate([self.outcomes.patterns, np.hstack([true, said])])
        weights = np.concatenate([seen, pseudo])
        new = rng.multinomial(items, weights / weights.sum())
        new[: len(self.outcomes.counts)] += self.outcomes.counts
        distinct, place = np.unique(patterns[new > 0], axis=0, return_inverse=True)
        counts = np.bincount(place.ravel(), weights=new[new > 0]).astype(np.int64)
        return Outcomes(systems=self.outcomes.systems, labels=self.outcomes.labels, patterns=distinct, counts=counts)

    def _interval(self, items: int, model: str, rng: np.random.Generator) -> Floats:
        grown = self._grown(items, rng)
        differences = self._differences(grown, model, DRAWS, rng)
        if is_odd(differences)[0]:
            return np.asarray(shortest(self._differences(grown, model, MORE_DRAWS, rng), self.hdi_mass)[0])
        return np.asarray(moments_interval(differences, self.hdi_mass)[0])

    def _differences(self, grown: Outcomes, model: str, draws: int, rng: np.random.Generator) -> Floats:
        groups = [(system,) for system in grown.systems] if model == "unpaired" else [grown.systems]
        values = [
            Weighted(units_of(Classes(grown), group), group, draws, int(rng.integers(1 << 30)), mass=None).values(
                [self.measure]
            )
            for group in groups
        ]
        both = np.concatenate([each[self.measure.name] for each in values], axis=1)
        return np.asarray((both[:, 0] - both[:, 1])[None, :])
