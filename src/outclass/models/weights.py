"""Many labels, many systems: Dirichlet weights on what was observed, the same for all systems (so they are paired).

One label per item: the distinct patterns (truth, every system's label) are weighted. Many labels per item: a weight for
every document (Rubin's Bayesian bootstrap), so that all decisions on a document move together. Items in groups: a
weight for every group. The prior is a Dirichlet process (`sticks`): pseudo-items with a random true label, on which
every system is right or wrong by the toss of a coin. With two labels that is the paired model of two classes. Counts
per item: a weight for every item with all its counts; a pseudo-item is something to be found or not, as large as what
systems differ by in one item. With one decision per item that is the paired model, too.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.unit_counts import FN, FP, TP
from outclass.measures.averages import Average
from outclass.models.gammas import gammas, gammas_one_by_one
from outclass.models.pooled_weights import (
    FEW_SYSTEMS,
    PooledPseudo,
    mean_pooled_pseudo,
    pooled_pseudo,
)
from outclass.models.sticks import Placed, Pseudo, Scattered, sticks
from outclass.models.weighed import COUNTS, Units
from outclass.parallel import cores, side_by_side

CELLS: Final = 8  # of two systems and two classes: a pseudo-count of each cell is so many items in all
BLOCK, SMALL_BLOCK = 3_000_000, 300_000  # numbers that are drawn at a time
FEWEST_DRAWS: Final = 16  # in a block
HELD: Final = 125_000_000  # numbers that blocks drawn side by side may hold: a gigabyte
MANY_COUNTS: Final = 10_000
BINARY: Final = (0, 1)
CACHED: Final = 1 << 15  # counts of labels that measures are taken of at a time
FEWEST_ROWS: Final = 16
JUDGED: Final = 0.1  # of the draws, for Bayes factors, of which one digit is read
MOST_KINDS: Final = 32  # of pseudo-items with counts, which are listed


@dataclass(frozen=True)
class Weighted:
    """The posterior of all systems' measures over many labels, by draws of the units' weights.

    Parameters
    ----------
    units, systems
        What is weighted, and whose measures are drawn; the draws depend on the order of the systems.
    mass
        Of the pseudo-items: None for each measure's own matched prior, 0 for none.
    """

    units: Units
    systems: tuple[str, ...]
    draws: int
    seed: int
    undefined: str = "drop"
    mass: float | None = 0.0
    empty: bool = False  # before the data: pseudo-items alone
    judging: tuple[Average, ...] = ()  # measures that are read off a part of the draws, for Bayes factors
    owners: Mapping[str, str] = field(default_factory=dict)  # of runs, which share their system's pseudo-items

    def values(
        self, measures: Sequence[Average], progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Floats]:
        """Return draws of every measure: shape (draws, systems)."""
        found = {measure.name: np.empty((self.draws, len(self.systems))) for measure in measures}
        parts: dict[str, list[Floats]] = {measure.name: [] for measure in self.judging}
        # Draws are taken a block at a time, of as many numbers for each as there are units, or counts of many labels.
        counts = self._counted
        room = max(len(self.units.counts), counts if counts > MANY_COUNTS else 1)
        # Sparse products take half as long of what the cache holds; dense ones see to that themselves.
        # Where patterns occur many times, their gammas are drawn more quickly of longer blocks.
        lists = bool(self.units.features) and bool((self.units.counts == 1).all())
        some = SMALL_BLOCK if lists and counts <= MANY_COUNTS and self.draws * room > BLOCK else BLOCK
        block = max(1, min(self.draws, max(FEWEST_DRAWS, some // room) if some < BLOCK else some // room))
        sizes = [min(block, self.draws - start) for start in range(0, self.draws, block)]
        seeds = np.random.SeedSequence(self.seed).spawn(len(sizes))
        done = 0
        tasks = [(size, seed, measures) for size, seed in zip(sizes, seeds, strict=True)]
        for part in side_by_side(self._drawn, tasks, jobs=self._at_once(block), threads=True):
            for name, store in found.items():
                store[done : done + len(part[name])] = part[name]
            for name, several in parts.items():
                several.append(part[name])
            done += len(next(iter(part.values())))
            if progress is not None:
                progress(done, self.draws)
        return found | {name: np.concatenate(several) for name, several in parts.items()}

    @property
    def _counted(self) -> int:
        """How many numbers are counted of a system."""
        labels = self.units.labels
        if not self.units.features:
            return COUNTS
        return COUNTS * labels if self.units.confusions is None else max(COUNTS, labels) * labels

    def _at_once(self, block: int) -> int | None:
        """Return how many blocks may be drawn side by side: each holds its own weights and counts. None for any."""
        counts = self._counted
        held = block * (2 * len(self.units.counts) + (2 * len(self.systems) + 2) * counts)
        most = max(1, HELD // held)
        return most if most < cores() else None

    def _drawn(self, size: int, seed: np.random.SeedSequence, measures: Sequence[Average]) -> dict[str, Floats]:
        rng = np.random.Generator(np.random.SFC64(seed))
        weights = np.zeros((0, size)) if self.empty else self._gammas(rng, size)
        found = self._measured(weights, measures, lambda key: self._pseudo(key, size, rng))
        if self.judging:
            few = math.ceil(JUDGED * size)
            found |= self._measured(weights[:, :few], self.judging, lambda key: self._pseudo(key, few, rng))
        return found

    def with_pseudo(
        self, weights: Floats, pseudo: Floats, measures: Sequence[Average], rng: np.random.Generator
    ) -> dict[str, Floats]:
        """Return every measure at given weights of the units and of all pseudo-items together: (rows, systems)."""
        return self._measured(weights.T, measures, lambda key: self._pseudo(key, len(weights), rng, pseudo))

    def observed(self, measures: Sequence[Average]) -> dict[str, Floats]:
        """Return every measure of the data themselves: shape (systems,)."""
        found = self._measured(self.units.counts[:, None], measures, lambda key: None)
        return {name: values[0] for name, values in found.items()}

    def expected(self, measures: Sequence[Average]) -> dict[str, Floats]:
        """Return every measure of the data and the pseudo-items' mean: shape (systems,)."""
        found = self._measured(self.units.counts[:, None], measures, self._mean_pseudo)
        return {name: values[0] for name, values in found.items()}

    def mass_of(self, measure: Average) -> float:
        """Return the mass of pseudo-items behind a measure."""
        return CELLS * measure.pseudo_count if self.mass is None else self.mass

    # --- sums over labels -------------------------------------------------------------------------------------

    def _is_pooled(self, measure: Average) -> bool:
        return measure.pooled is not None and measure.label in self.units.pooled

    def _summed(self, weights: Floats, key: Placed, added: Pseudo | None) -> Floats:
        """Return all systems' TP, FP and FN: (3, systems, rows)."""
        rows = weights.shape[1]
        seen = np.zeros((COUNTS, len(self.systems), rows)) if self.empty else self.units.pooled[key.label].sums(weights)
        return seen if added is None or added.summed is None else seen + added.summed

    # --- pseudo-items -----------------------------------------------------------------------------------------

    def _pseudo(self, key: Placed, rows: int, rng: np.random.Generator, total: Floats | None = None) -> Pseudo | None:
        """Draw pseudo-items: what they add to every system's counts, (3 x labels, rows) each, and their weight."""
        mass = key.mass
        names = self._names(key)
        if mass > 0 and self.units.size is not None:
            return self._pseudo_counts(key, self.units.size(key.label), rows, rng, total)
        if mass == 0 or len(names) < 2:
            return None
        if key.pooled:
            one = key.label is not None
            return self._of_runs(pooled_pseudo(mass, len(self._runs), rows, rng, one=one, total=total))
        if len(names) == len(BINARY) and len(self._runs) <= FEW_SYSTEMS and total is None:
            return self._listed(key, rows, rng)
        weights = sticks(mass, rows, rng, total)
        size = weights.shape
        true = rng.integers(0, len(names), size)
        column = np.broadcast_to(np.arange(rows), size)
        counts: dict[str, Scattered] = {}
        for system in self._runs:
            right = rng.random(size) < 0.5
            # Another label than the true one, each as likely.
            other = (true + rng.integers(1, len(names), size)) % len(names)
            if key.matrix:
                cell = names[true] * self.units.labels + names[np.where(right, true, other)]
                at, own = (cell * rows + column).ravel(), weights.ravel()
            else:
                place = np.where(right, 3 * names[true], 3 * names[true] + 2)
                wrong = ~right
                at = np.concatenate([(place * rows + column).ravel(), ((3 * names[other] + 1) * rows + column)[wrong]])
                own = np.concatenate([weights.ravel(), weights[wrong]])
            added = Scattered(at, own)
            for run in self._runs[system]:
                counts[run] = added.times(self._defined[run], rows) if key.masked else added
        return Pseudo(counts, weights.sum(axis=0))

    def _listed(self, key: Placed, rows: int, rng: np.random.Generator) -> Pseudo:
        """Draw the same of two labels and a few systems, where all kinds of pseudo-items can be listed: a Dirichlet."""
        names = self._names(key)
        kinds = np.array(list(product(BINARY, repeat=1 + len(self._runs))))  # the truth, and who is right
        weights = rng.standard_gamma(key.mass / len(kinds), (len(kinds), rows))
        counts: dict[str, Floats] = {}
        for place, system in enumerate(self._runs):
            added = np.zeros((self._size(key), rows))
            for (true, *right), own in zip(kinds, weights, strict=True):
                if key.matrix:
                    added[names[true] * self.units.labels + names[true if right[place] else 1 - true]] += own
                elif right[place]:
                    added[3 * names[true]] += own
                else:
                    added[3 * names[true] + 2] += own
                    added[3 * names[1 - true] + 1] += own
            counts |= self._masked(added, system, key)
        return Pseudo(counts, weights.sum(axis=0))

    def _pseudo_counts(
        self, key: Placed, decisions: float, rows: int, rng: np.random.Generator, total: Floats | None
    ) -> Pseudo:
        """Draw pseudo-items of counts: each is about one label, which is there or not, and which a system finds or not.

        Few kinds of them are listed (a Dirichlet), of many some are drawn.
        """
        mass, names, systems = key.mass, self._names(key), len(self._runs)
        many = len(names) << (1 + systems)
        if many <= MOST_KINDS and total is None:
            kinds = np.array(list(product(range(len(names)), *[BINARY] * (1 + systems))))[:, :, None]
            weights = rng.standard_gamma(mass / many, (many, rows))
        else:
            weights = sticks(mass, rows, rng, total)
            size = (len(weights), rows)
            kinds = np.stack([rng.integers(0, len(names), size), *rng.integers(0, 2, (1 + systems, *size))], axis=1)
        place, there, *rights = (np.broadcast_to(each, weights.shape) for each in np.moveaxis(kinds, 1, 0))
        column = np.broadcast_to(np.arange(rows), weights.shape)
        counts: dict[str, Floats] = {}
        for system, right in zip(self._runs, rights, strict=True):
            seen = (there | (1 - right)).astype(bool)  # what is not there, and not found, is not counted
            cell = 3 * names[place] + np.where(there, np.where(right, TP, FN), FP)
            at, sizes = (cell * rows + column)[seen], weights[seen] * decisions
            added = np.bincount(at, weights=sizes, minlength=3 * self.units.labels * rows)
            counts |= self._masked(np.asarray(added, dtype=float).reshape(-1, rows), system, key)
        return Pseudo(counts, weights.sum(axis=0))

    def _mean_pseudo(self, key: Placed) -> Pseudo | None:
        names, size = self._names(key), self.units.size
        if key.mass == 0 or (len(names) < 2 and size is None):
            return None
        if key.pooled:
            return self._of_runs(mean_pooled_pseudo(key.mass, len(self._runs), one=key.label is not None))
        half = key.mass / (2 * len(names))
        if key.matrix:
            even = np.zeros((self.units.labels, self.units.labels))
            even[np.ix_(names, names)] = half / (len(names) - 1)
            even[names, names] = half
        else:
            even = np.zeros((self.units.labels, 3))
            even[names] = half if size is None else half * size(key.label) / 2
        added = [self._masked(even.reshape(-1, 1), system, key) for system in self._runs]
        return Pseudo({run: own for each in added for run, own in each.items()}, np.array([key.mass]))

    def _of_runs(self, drawn: PooledPseudo) -> Pseudo:
        """Give every run the pseudo-items of its system."""
        place = {run: at for at, runs in enumerate(self._runs.values()) for run in runs}
        return Pseudo({}, drawn.items, drawn.counts[:, [place[system] for system in self.systems]])

    def _size(self, key: Placed) -> int:
        return (self.units.labels if key.matrix else COUNTS) * self.units.labels

    def _names(self, key: Placed) -> Counts:
        """Return the labels of pseudo-items: all that are ever true; or those asked about, and one for the rest.

        Of counts per item, what is not there is not counted, so that there is no rest.
        """
        every = range(self.units.labels)
        if self.units.size is not None:
            known = self.units.true if len(self.units.true) else np.arange(self.units.labels)
            own = known if key.places is None else known[np.isin(known, key.places)]
            return np.array([key.label]) if key.label is not None else own if len(own) else known
        if key.label is not None:
            return np.array([key.label, *[place for place in every if place != key.label][:1]])
        if key.places is None:
            return self.units.true
        own = self.units.true[np.isin(self.units.true, key.places)]
        # The rest is one label that is true of some item, where there is one.
        rest = sorted(set(every) - set(key.places), key=lambda place: (place not in self.units.true, place))
        return np.array([*own, *rest[:1]], dtype=np.int64)

    def _masked(self, added: Floats, system: str, key: Placed) -> dict[str, Floats]:
        """Leave undefined what the data of a run leave undefined: pseudo-items alone must not give a label a value."""
        runs = self._runs[system]
        return {run: added * self._defined[run].reshape(-1, 1) if key.masked else added for run in runs}

    @cached_property
    def _runs(self) -> dict[str, list[str]]:
        """The runs of each system; one that is not said to have any is its own."""
        found: dict[str, list[str]] = {}
        for run in self.systems:
            found.setdefault(self.owners.get(run, run), []).append(run)
        return found

    @cached_property
    def _defined(self) -> dict[str, Floats]:
        """For each system, which of a label's TP, FP and FN there can be: not where it is never true, or never said."""
        found = {}
        for system, matrix in self.units.features.items():
            tp, fp, fn = np.asarray(matrix @ self.units.counts).reshape(self.units.labels, 3).T
            true, said = tp + fn > 0, tp + fp > 0
            found[system] = np.stack([true & said, said, true], axis=1).astype(float)
        return found

    @cached_property
    def _lacking(self) -> np.ndarray:
        """Which labels have no value for some system, never being true nor said by it: left out for all systems."""
        found = np.zeros(self.units.labels, dtype=bool)
        for matrix in self.units.features.values():
            found |= np.asarray(matrix @ self.units.counts).reshape(self.units.labels, 3).sum(axis=1) == 0
        return found

    @property
    def _leaves_out(self) -> bool:
        return self.undefined == "drop" and bool(self._lacking.any())

    # --- weights ----------------------------------------------------------------------------------------------

    def _gammas(self, rng: np.random.Generator, size: int) -> Floats:
        """Return weights, shape (units, size): a unit's draws lie together, which is how they are made fastest."""
        if self.units.draw is not None:
            return self.units.draw(rng, size)
        large = len(self.units.counts) * self.draws > BLOCK
        return gammas(self.units.counts, size, rng) if large else gammas_one_by_one(self.units.counts, size, rng)

    def _measured(
        self, weights: Floats, measures: Sequence[Average], pseudo: Callable[[Placed], Pseudo | None]
    ) -> dict[str, Floats]:
        """Return every measure at weights of shape (units, rows), with pseudo-items: shape (rows, systems)."""
        rows = weights.shape[1]
        found = {measure.name: np.empty((rows, len(self.systems))) for measure in measures}
        groups: dict[Placed, list[Average]] = {}
        for measure in measures:
            by_label = measure.label is None and not measure.pools  # whose values may be undefined
            how = measure.matrix, self._is_pooled(measure)
            key = Placed(self.mass_of(measure), measure.label, by_label, measure.places, *how)
            groups.setdefault(key, []).append(measure)
        items = np.zeros(rows) if self.empty else self.units.items @ weights
        of_labels = {key.matrix for key in groups if not key.pooled}
        tables = {matrix: self._seen(weights, matrix=matrix) for matrix in of_labels}
        for key, group in groups.items():
            added = pseudo(key)
            whole = items if added is None else items + added.items
            if key.pooled:
                tp, fp, fn = self._summed(weights, key, added)
                for measure in group:
                    found[measure.name][:] = measure.of_pooled(tp, fp, fn, whole, self.undefined).T
                continue
            seen = tables[key.matrix]
            again = sum(each.matrix == key.matrix and not each.pooled for each in groups) > 1
            for place, system in enumerate(self.systems):
                counted = seen[system].copy() if again else seen[system]
                if added is not None:
                    counted = added.added_to(counted, system)
                if key.matrix:
                    table = np.moveaxis(counted.reshape(self.units.labels, self.units.labels, rows), 2, 0)
                    for measure in group:
                        found[measure.name][:, place] = measure.of_matrix(table)
                    continue
                self._of_labels(counted, whole, {measure: found[measure.name][:, place] for measure in group})
        return found

    def _of_labels(self, counted: Floats, whole: Floats, found: Mapping[Average, Floats]) -> None:
        """Fill in measures of a system's counts of each label, (3 x labels, rows): so many rows as the cache holds."""
        rows = len(whole)
        table = counted.reshape(self.units.labels, COUNTS, rows)
        # Systems are judged on the same labels, as in the tests.
        kept = ~self._lacking if self._leaves_out else np.ones(self.units.labels, dtype=bool)
        step = max(FEWEST_ROWS, CACHED // self.units.labels)
        for part in (slice(start, start + step) for start in range(0, rows, step)):
            tp, fp, fn = (table[:, kind, part].T for kind in range(COUNTS))
            for measure, values in found.items():
                cells = (tp, fp, fn)
                if measure.averages_labels and not kept.all():
                    cells = (tp * kept, fp * kept, fn * kept)
                values[part] = measure(cells[0], cells[1], cells[2], whole[part], self.undefined)

    def _seen(self, weights: Floats, *, matrix: bool) -> dict[str, Floats]:
        """Return what the units add up to for every system: (counts, rows) each."""
        if self.empty:
            size = (self.units.labels if matrix else COUNTS) * self.units.labels
            return {system: np.zeros((size, weights.shape[1])) for system in self.systems}
        if matrix:
            assert self.units.confusions is not None
            return {system: np.asarray(self.units.confusions[system] @ weights) for system in self.systems}
        return {system: np.asarray(self.units.features[system] @ weights) for system in self.systems}
