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
from outclass.data.unit_counts import FN, FP, TP, GroupedCounts, UnitCounts
from outclass.measures.averages import Average
from outclass.models.label_clusters import of_labels
from outclass.models.sticks import sticks
from outclass.models.weighed import Units, units_of
from outclass.models.weights import CELLS, Weighted
from outclass.planning.pilots import MOST_LISTED, ItemPilot, whole_groups


def about_measure(measure: Average) -> list[Any]:
    """Return what tells a measure from others, in the file of finished design points."""
    return [measure.name, measure.title, *([] if measure.places is None else [list(measure.places)])]


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
        return [self.outcomes.to_json(), *about_measure(self.measure)]

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
        return grown.systems, lambda group: units_of(Classes(grown), group, matrix=self.measure.matrix)


@dataclass(frozen=True, kw_only=True)
class DocumentPilot(LabelPilot):
    """Many labels or counts per item: a world weights the items (Rubin's Bayesian bootstrap), and pseudo-items."""

    decisions: MultiLabel | UnitCounts

    @property
    def about(self) -> Any:
        """The documents and the measure."""
        return [to_json(self.decisions), *about_measure(self.measure)]

    @cached_property
    def _units(self) -> Units:
        return units_of(self.decisions, self.decisions.systems)

    def _grown(self, items: int, rng: np.random.Generator) -> tuple[tuple[str, ...], Any]:
        from scipy import sparse  # loaded for many labels alone

        units, systems = self._units, self.decisions.systems
        pseudo, columns = self._added(units, rng)
        weights = np.concatenate([rng.standard_gamma(units.counts), pseudo])
        new = rng.multinomial(items, weights / weights.sum())
        own, more = new[: len(units.counts)], new[len(units.counts) :]
        kept = np.flatnonzero(more)
        features = {
            system: sparse.hstack([units.features[system], columns[at][:, kept]]).tocsr()
            for at, system in enumerate(systems)
        }
        counts = np.concatenate([units.counts + own, more[kept]])
        grown = replace(units, counts=counts, items=np.ones_like(counts), features=features)
        return systems, lambda group: replace(grown, features={system: features[system] for system in group})

    def _added(self, units: Units, rng: np.random.Generator) -> tuple[Floats, list[Any]]:
        """Draw pseudo-items: their weights, and what they add to each system's counts."""
        if isinstance(self.decisions, UnitCounts):
            return self._added_counts(units, rng)
        pseudo, added = np.empty(0), np.empty((0, 3), dtype=np.int64)
        if len(units.true) > 1:  # otherwise there is no other label that a pseudo-item could have
            pseudo, added = self._pseudo(len(units.true), rng)
            added = units.true[added]
        return pseudo, [_columns(added[:, 0], added[:, at], units.labels) for at in (1, 2)]

    def _added_counts(self, units: Units, rng: np.random.Generator) -> tuple[Floats, list[Any]]:
        """Draw pseudo-items of counts: of one label, there or not, which each system finds or does not."""
        from scipy import sparse

        pseudo = sticks(CELLS * self.measure.pseudo_count, 1, rng)[:, 0]
        names = np.arange(units.labels) if not len(units.true) else units.true
        label = rng.choice(names if self.measure.label is None else np.array([self.measure.label]), len(pseudo))
        there, columns = rng.random(len(pseudo)) < 0.5, []
        size = 1.0 if units.size is None else units.size(self.measure.label)
        for _ in self.decisions.systems:
            right = rng.random(len(pseudo)) < 0.5
            at = np.flatnonzero(there | ~right)
            cell = 3 * label + np.where(there, np.where(right, TP, FN), FP)
            columns.append(
                sparse.csr_matrix((np.full(len(at), size), (cell[at], at)), shape=(3 * units.labels, len(pseudo)))
            )
        return pseudo, columns


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

    decisions: Grouped | GroupedCounts
    measure: Average
    most: ClassVar[int] = MOST_LISTED

    @property
    def about(self) -> Any:
        """The items in their groups, and the measure."""
        return [to_json(self.decisions), *about_measure(self.measure)]

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Draw a world and whole groups from it; the jackknife's interval takes no draws."""
        pilot, found = self.decisions, []
        for _ in range(sets):
            rows, group = whole_groups(pilot.group, items, rng)
            grown = (
                _grown_counts(pilot, rows, group)
                if isinstance(pilot, GroupedCounts)
                else Grouped(pilot.outcomes, pilot.codes[rows], group, int(group[-1]) + 1)
            )
            law = of_labels(grown, pilot.systems, self.measure, "drop").law(0, 1, paired=model != "unpaired")
            found.append(law.hdi(self.hdi_mass))
        return np.array(found)


def _grown_counts(pilot: GroupedCounts, rows: Counts, group: Counts) -> GroupedCounts:
    """Return some items of a pilot, in groups of their own."""
    counts = pilot.counts
    starts = np.searchsorted(counts.unit, np.arange(counts.items + 1))
    many = np.diff(starts)[rows]
    unit = np.repeat(np.arange(len(rows)), many)
    taken = np.repeat(starts[rows] - (np.cumsum(many) - many), many) + np.arange(len(unit))
    ones = np.ones(len(rows), dtype=np.int64)
    own = replace(counts, times=ones, unit=unit, label=counts.label[taken], cells=counts.cells[taken])
    return GroupedCounts(counts=own, group=group, names=tuple(map(str, range(int(group[-1]) + 1))))
