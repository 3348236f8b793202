"""Planning over many labels: worlds drawn from a pilot's items, test sets from the worlds, answers from weights."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.saved import to_json
from outclass.data.unit_counts import FN, FP, TP, GroupedCounts, UnitCounts
from outclass.measures.averages import Average
from outclass.models.label_clusters import of_labels
from outclass.models.weighed import Units, features, units_of
from outclass.models.weights import CELLS, Weighted
from outclass.planning.backends import backend_of
from outclass.planning.label_ratios import ATOMS, LabelRatios, cells_of, prior_items, ratio_of
from outclass.planning.pilots import DRAWN_BY, JACKKNIFE, MOST_LISTED, ItemPilot, whole_groups
from outclass.planning.smooth import added_up, ends_of, moments_of

BLOCK: Final = 4_000_000  # counts held at a time


def about_measure(measure: Average) -> list[Any]:
    """Return what tells a measure from others, in the file of finished design points."""
    return [measure.name, measure.title, *([] if measure.places is None else [list(measure.places)])]


@dataclass(frozen=True)
class Drawing:
    """What test sets are drawn from, and how they are judged.

    Parameters
    ----------
    weights
        Shapes of the weights of what a set can hold: what the pilot has, whose shapes are how often it occurs in every
        set, and then items of the prior.
    grown
        From how often each occurs in a set to the systems and the units of some of them, for draws.
    ratios
        The measure without draws, where it has such a form.
    """

    weights: Floats
    pilot: int
    grown: Callable[[Counts], tuple[tuple[str, ...], Any]]
    ratios: LabelRatios | None

    def counts(self, items: int, sets: int, rng: np.random.Generator) -> Counts:
        """Draw a world for each set, and new items from it on top of the pilot's: shape (sets, weights)."""
        worlds = rng.standard_gamma(self.weights, (sets, len(self.weights)))
        found = rng.multinomial(items, worlds / worlds.sum(axis=1, keepdims=True))
        found[:, : self.pilot] += self.weights[: self.pilot].astype(np.int64)
        return np.asarray(found)


@dataclass(frozen=True, kw_only=True)
class LabelPilot(ItemPilot):
    """A pilot judged by weights on what was observed, as `models.weights` has them."""

    measure: Average

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Draw worlds and new items; judge them by cumulants, and where these are not enough by draws of weights."""
        drawing = self._drawing(rng)
        rows = max(1, BLOCK // len(drawing.weights))
        return np.concatenate(
            [
                self._judged(drawing, drawing.counts(items, min(rows, sets - start), rng), model, draws, rng)
                for start in range(0, sets, rows)
            ]
        )

    def _judged(self, drawing: Drawing, counts: Counts, model: str, draws: int, rng: np.random.Generator) -> Floats:
        seeds = rng.integers(1 << 30, size=len(counts))

        def drawn(row: int) -> Floats:
            return self._by_draws(drawing, counts[row], model, draws, np.random.default_rng(seeds[row]))

        if drawing.ratios is None:
            return np.array([drawn(row) for row in range(len(counts))])
        groups = [((0,), (1.0,)), ((1,), (-1.0,))] if model == "unpaired" else [((0, 1), (1.0, -1.0))]
        parts = []
        for places, signs in groups:
            rows = drawing.ratios.rows(counts.astype(float), places, signs)
            question = drawing.ratios.question(places, rng)
            parts.append(moments_of(question, rows, backend_of(self.backend, self.device)))
        return ends_of(*added_up(parts), self.hdi_mass, drawn)

    def _by_draws(self, drawing: Drawing, counts: Counts, model: str, draws: int, rng: np.random.Generator) -> Floats:
        systems, units = drawing.grown(counts)
        groups = [(system,) for system in systems] if model == "unpaired" else [systems]

        def differences(size: int) -> Floats:
            values = [
                Weighted(units(group), group, size, int(rng.integers(1 << 30)), mass=None).values([self.measure])
                for group in groups
            ]
            both = np.concatenate([each[self.measure.name] for each in values], axis=1)
            return np.asarray(both[:, 0] - both[:, 1])

        return self.drawn_interval(differences, draws)

    @property
    def without_back_end(self) -> str:
        """Of sums of ratios cumulants are known; other measures are drawn."""
        return "" if self._has_form else DRAWN_BY.format(self.measure.title)

    @property
    def _has_form(self) -> bool:
        return ratio_of(self.measure) is not None

    @property
    def _mass(self) -> float:
        """The mass of the prior's items."""
        return CELLS * self.measure.pseudo_count

    @abstractmethod
    def _drawing(self, rng: np.random.Generator) -> Drawing:
        """Return what sets are drawn from."""

    def _asked_names(self, labels: int, true: Counts) -> Counts:
        """Return the labels of the prior's items, as `models.weights` has them."""
        if self.measure.places is None:
            return true
        own = true[np.isin(true, self.measure.places)]
        rest = sorted(set(range(labels)) - set(self.measure.places), key=lambda place: (place not in true, place))
        return np.array([*own, *rest[:1]], dtype=np.int64)


@dataclass(frozen=True, kw_only=True)
class ManyPilot(LabelPilot):
    """One of several labels per item: a world weights the patterns that were seen, and pseudo-items."""

    outcomes: Outcomes

    @property
    def about(self) -> Any:
        """The counted patterns and the measure."""
        return [self.outcomes.to_json(), *about_measure(self.measure)]

    def _drawing(self, rng: np.random.Generator) -> Drawing:
        pilot, labels = self.outcomes, len(self.outcomes.labels)
        added = prior_items(np.arange(labels), rng)
        patterns = np.concatenate([pilot.patterns, added])
        weights = np.concatenate([pilot.counts, np.full(len(added), self._mass / len(added))])

        def grown(counts: Counts) -> tuple[tuple[str, ...], Any]:
            distinct, place = np.unique(patterns[counts > 0], axis=0, return_inverse=True)
            own = np.bincount(place.ravel(), weights=counts[counts > 0]).astype(np.int64)
            found = replace(pilot, patterns=distinct, counts=own, findings=())
            return found.systems, lambda group: units_of(Classes(found), group, matrix=self.measure.matrix)

        ratios = None
        if self._has_form:
            names = self._asked_names(labels, np.unique(pilot.patterns[:, 0]))
            thin = prior_items(names, rng) if len(names) > 1 else added[:0]
            seen, priors = (
                {at: self._cells(own, system) for at, system in enumerate(pilot.systems)} for own in (patterns, thin)
            )
            ratios = LabelRatios(self.measure, seen, priors, self._mass / max(len(thin), 1))
        return Drawing(weights, len(pilot.counts), grown, ratios)

    def _cells(self, patterns: Counts, system: str) -> Floats:
        ones = np.ones(len(patterns), dtype=np.int64)
        each = Classes(replace(self.outcomes, patterns=patterns, counts=ones, findings=()))
        return cells_of(features(each, system), len(self.outcomes.labels), self.measure.places)


@dataclass(frozen=True, kw_only=True)
class DocumentPilot(LabelPilot):
    """Many labels or counts per item: a world weights the items (Rubin's Bayesian bootstrap), and pseudo-items."""

    decisions: MultiLabel | UnitCounts

    @property
    def about(self) -> Any:
        """The documents and the measure."""
        return [to_json(self.decisions), *about_measure(self.measure)]

    @property
    def _has_form(self) -> bool:
        return isinstance(self.decisions, MultiLabel) and super()._has_form

    @cached_property
    def _units(self) -> Units:
        return units_of(self.decisions, self.decisions.systems)

    def _drawing(self, rng: np.random.Generator) -> Drawing:
        from scipy import sparse  # loaded for many labels alone

        units, systems = self._units, self.decisions.systems
        pilot = len(units.counts)
        columns = self._added(units, rng)
        many = columns[0].shape[1]
        weights = np.concatenate([units.counts, np.full(many, self._mass / max(many, 1))])

        def grown(counts: Counts) -> tuple[tuple[str, ...], Any]:
            kept = np.flatnonzero(counts[pilot:])
            tables = {
                system: sparse.hstack([units.features[system], columns[at][:, kept]]).tocsr()
                for at, system in enumerate(systems)
            }
            own = np.concatenate([counts[:pilot], counts[pilot:][kept]]).astype(float)
            found = replace(units, counts=own, items=np.ones_like(own), features=tables)
            return systems, lambda group: replace(found, features={system: tables[system] for system in group})

        ratios = None
        if self._has_form:
            names = self._asked_names(units.labels, units.true)
            thin = prior_items(names, rng) if len(names) > 1 else np.empty((0, 3), dtype=np.int64)
            places = self.measure.places
            seen, priors = {}, {}
            for at, system in enumerate(systems):
                own = sparse.hstack([units.features[system], columns[at]])
                seen[at] = cells_of(own, units.labels, places)
                priors[at] = cells_of(_columns(thin[:, 0], thin[:, 1 + at], units.labels), units.labels, places)
            ratios = LabelRatios(self.measure, seen, priors, self._mass / max(len(thin), 1))
        return Drawing(weights, pilot, grown, ratios)

    def _added(self, units: Units, rng: np.random.Generator) -> list[Any]:
        """Draw items of the prior: what they add to each system's counts."""
        if isinstance(self.decisions, UnitCounts):
            return self._added_counts(units, rng)
        added = np.empty((0, 3), dtype=np.int64)
        if len(units.true) > 1:  # otherwise there is no other label that a pseudo-item could have
            added = prior_items(units.true, rng)
        return [_columns(added[:, 0], added[:, at], units.labels) for at in (1, 2)]

    def _added_counts(self, units: Units, rng: np.random.Generator) -> list[Any]:
        """Draw items of the prior, of counts: of one label, there or not, which each system finds or does not."""
        from scipy import sparse

        many = ATOMS
        names = np.arange(units.labels) if not len(units.true) else units.true
        label = rng.choice(names if self.measure.label is None else np.array([self.measure.label]), many)
        there, columns = rng.random(many) < 0.5, []
        size = 1.0 if units.size is None else units.size(self.measure.label)
        for _ in self.decisions.systems:
            right = rng.random(many) < 0.5
            at = np.flatnonzero(there | ~right)
            cell = 3 * label + np.where(there, np.where(right, TP, FN), FP)
            columns.append(sparse.csr_matrix((np.full(len(at), size), (cell[at], at)), shape=(3 * units.labels, many)))
        return columns


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

    @property
    def without_back_end(self) -> str:
        """Nothing is drawn."""
        return JACKKNIFE

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
