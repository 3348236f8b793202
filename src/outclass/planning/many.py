"""Planning over many labels: worlds drawn from a pilot's items, test sets from the worlds, answers from weights."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.saved import to_json
from outclass.measures.averages import Average
from outclass.models.clusters import of_labels
from outclass.models.sticks import sticks
from outclass.models.weights import CELLS, Units, Weighted, units_of
from outclass.planning.pilots import MOST_LISTED, ItemPilot, whole_groups


@dataclass(frozen=True, kw_only=True)
class LabelPilot(ItemPilot):
    """A pilot judged by weights on what was observed, as `models.weights` has them."""

    measure: Average

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Draw a world, new items and the weights of all of them, set by set."""
        found = []
        for _ in range(sets):
            systems, units = self._grown(items, rng)
            groups = [(system,) for system in systems] if model == "unpaired" else [systems]

            def differences(size: int, groups: Any = groups, units: Any = units) -> Floats:
                values = [
                    Weighted(units(group), group, size, int(rng.integers(1 << 30)), mass=None).values([self.measure])
                    for group in groups
                ]
                both = np.concatenate([each[self.measure.name] for each in values], axis=1)
                return np.asarray(both[:, 0] - both[:, 1])

            found.append(self.drawn_interval(differences, draws))
        return np.array(found)

    @abstractmethod
    def _grown(self, items: int, rng: np.random.Generator) -> tuple[tuple[str, ...], Any]:
        """Return the systems, and the units of some of them in the pilot and the new items together."""

    def _pseudo(self, labels: int, rng: np.random.Generator) -> tuple[Floats, Counts]:
        """Draw the prior's pseudo-items: their weights, and the truth and both systems' labels of each."""
        weights = sticks(CELLS * self.measure.pseudo_count, 1, rng)[:, 0]
        true = rng.integers(0, labels, (len(weights), 1))
        other = (true + rng.integers(1, labels, (len(weights), 2))) % labels
        said = np.where(rng.random(other.shape) < 0.5, true, other)
        return weights, np.hstack([true, said])


@dataclass(frozen=True, kw_only=True)
class ManyPilot(LabelPilot):
    """One of several labels per item: a world weights the patterns that were seen, and pseudo-items."""

    outcomes: Outcomes

    @property
    def about(self) -> Any:
        """The counted patterns and the measure."""
        return [self.outcomes.to_json(), self.measure.name, self.measure.title]

    def _grown(self, items: int, rng: np.random.Generator) -> tuple[tuple[str, ...], Any]:
        seen = rng.standard_gamma(self.outcomes.counts.astype(float))
        pseudo, added = self._pseudo(len(self.outcomes.labels), rng)
        weights = np.concatenate([seen, pseudo])
        new = rng.multinomial(items, weights / weights.sum())
        new[: len(self.outcomes.counts)] += self.outcomes.counts
        patterns = np.concatenate([self.outcomes.patterns, added])
        distinct, place = np.unique(patterns[new > 0], axis=0, return_inverse=True)
        counts = np.bincount(place.ravel(), weights=new[new > 0]).astype(np.int64)
        grown = replace(self.outcomes, patterns=distinct, counts=counts, findings=())
        return grown.systems, lambda group: units_of(Classes(grown), group)


@dataclass(frozen=True, kw_only=True)
class DocumentPilot(LabelPilot):
    """Many labels per item: a world weights the documents (Rubin's Bayesian bootstrap), and pseudo-items."""

    decisions: MultiLabel

    @property
    def about(self) -> Any:
        """The documents and the measure."""
        return [to_json(self.decisions), self.measure.name, self.measure.title]

    @cached_property
    def _units(self) -> Units:
        return units_of(self.decisions, self.decisions.systems)

    def _grown(self, items: int, rng: np.random.Generator) -> tuple[tuple[str, ...], Any]:
        from scipy import sparse  # loaded for many labels alone

        units, systems = self._units, self.decisions.systems
        weights, added = rng.standard_exponential(len(units.counts)), np.empty((0, 3), dtype=np.int64)
        if len(units.true) > 1:  # otherwise there is no other label that a pseudo-item could have
            pseudo, added = self._pseudo(len(units.true), rng)
            weights, added = np.concatenate([weights, pseudo]), units.true[added]
        new = rng.multinomial(items, weights / weights.sum())
        own, more = new[: len(units.counts)], new[len(units.counts) :]
        kept = added[more > 0]
        features = {
            system: sparse.hstack([units.features[system], _columns(kept[:, 0], kept[:, 1 + at], units.labels)]).tocsr()
            for at, system in enumerate(systems)
        }
        counts = np.concatenate([units.counts + own, more[more > 0]])
        grown = replace(units, counts=counts, items=np.ones_like(counts), features=features)
        return systems, lambda group: replace(grown, features={system: features[system] for system in group})


def _columns(true: Counts, said: Counts, labels: int) -> Any:
    """Return what items with one label each add to a system's counts, as `Units.features` has it."""
    from scipy import sparse

    right, place = true == said, np.arange(len(true))
    rows = np.concatenate([3 * true[right], 3 * said[~right] + 1, 3 * true[~right] + 2])
    columns = np.concatenate([place[right], place[~right], place[~right]])
    return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(3 * labels, len(true)))


@dataclass(frozen=True, kw_only=True)
class GroupPilot(ItemPilot):
    """Labels in groups: whole groups are drawn, and judged by the cluster jackknife."""

    decisions: Grouped
    measure: Average
    most: ClassVar[int] = MOST_LISTED

    @property
    def about(self) -> Any:
        """The items in their groups, and the measure."""
        return [to_json(self.decisions), self.measure.name, self.measure.title]

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Draw a world and whole groups from it; the jackknife's interval takes no draws."""
        pilot, found = self.decisions, []
        for _ in range(sets):
            rows, group = whole_groups(pilot.group, items, rng)
            grown = Grouped(pilot.outcomes, pilot.codes[rows], group, int(group[-1]) + 1)
            law = of_labels(grown, pilot.systems, self.measure, "drop").law(0, 1, paired=model != "unpaired")
            found.append(law.hdi(self.hdi_mass))
        return np.array(found)
