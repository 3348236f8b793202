"""Planning over many labels: worlds drawn from a pilot's patterns, test sets from the worlds, answers from weights."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Classes
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.measures.averages import Average
from outclass.models.weights import Weighted, units_of
from outclass.planning.power import Goal, moments_interval, verdicts

DRAWS: Final = 400


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

    def _interval(self, items: int, model: str, rng: np.random.Generator) -> Floats:
        counts = self.outcomes.counts
        world = rng.dirichlet(counts)
        counted = counts + rng.multinomial(items, world)
        grown = Outcomes(
            systems=self.outcomes.systems, labels=self.outcomes.labels, patterns=self.outcomes.patterns, counts=counted
        )
        groups = [(system,) for system in grown.systems] if model == "unpaired" else [grown.systems]
        values = [
            Weighted(units_of(Classes(grown), group, 1.0), group, DRAWS, int(rng.integers(1 << 30))).values(
                [self.measure]
            )
            for group in groups
        ]
        both = np.concatenate([each[self.measure.name] for each in values], axis=1)
        return np.asarray(moments_interval((both[:, 0] - both[:, 1])[None, :], self.hdi_mass)[0])
