"""Planning over many labels: worlds drawn from a pilot's patterns, test sets from the worlds, answers from weights."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Classes
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.measures.averages import Average
from outclass.models.weights import FEW_PATTERNS, Weighted, units_of
from outclass.planning.power import Goal, is_odd, moments_interval, shortest, verdicts

DRAWS: Final = 400
MORE_DRAWS: Final = 3_000  # where the law is no bell
PRIOR_ITEMS: Final = 1.0  # of the even prior, in all
RESERVE: Final = 50


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

    @cached_property
    def _listed(self) -> tuple[Counts, Floats]:
        """All patterns there could be, with their parameters in the posterior; only those seen if they are too many."""
        outcomes, mass = self.outcomes, PRIOR_ITEMS
        columns = outcomes.patterns.shape[1]
        possible = float(len(outcomes.labels)) ** columns
        patterns, alphas = outcomes.patterns, outcomes.counts.astype(float)
        if possible > FEW_PATTERNS:
            return patterns, alphas
        seen = {tuple(pattern) for pattern in patterns.tolist()}
        unseen = [each for each in product(range(len(outcomes.labels)), repeat=columns) if each not in seen]
        whole = (patterns >= 0).all(axis=1)
        alphas = np.concatenate([alphas + np.where(whole, mass / possible, 0.0), np.full(len(unseen), mass / possible)])
        return np.concatenate([patterns, np.array(unseen, dtype=np.int64).reshape(-1, columns)]), alphas

    def _grown(self, items: int, rng: np.random.Generator) -> Outcomes:
        """Draw a world from the pilot's posterior and new items from the world, and add the pilot's."""
        patterns, alphas = self._listed
        if len(alphas) == len(self.outcomes.counts):
            # Patterns that the pilot did not show: a few of them, anywhere, share the prior.
            some = rng.integers(0, len(self.outcomes.labels), (RESERVE, patterns.shape[1]))
            patterns = np.concatenate([patterns, some])
            alphas = np.concatenate([alphas, np.full(RESERVE, PRIOR_ITEMS / RESERVE)])
        new = rng.multinomial(items, rng.dirichlet(alphas))
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
            Weighted(units_of(Classes(grown), group, PRIOR_ITEMS), group, draws, int(rng.integers(1 << 30))).values(
                [self.measure]
            )
            for group in groups
        ]
        both = np.concatenate([each[self.measure.name] for each in values], axis=1)
        return np.asarray((both[:, 0] - both[:, 1])[None, :])
