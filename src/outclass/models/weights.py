"""Many labels, many systems: Dirichlet weights on what was observed, the same for all systems (so they are paired).

One label per item: the distinct patterns (truth, every system's label) are weighted. Many labels per item: a weight for
every document (Rubin's Bayesian bootstrap), so that all decisions on a document move together. Items in groups: a
weight for every group. The prior is a Dirichlet process (`sticks`): pseudo-items with a random true label, on which
every system is right or wrong by the toss of a coin. With two labels that is the paired model of two classes.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Classes, Decisions
from outclass.measures.averages import Average
from outclass.models.sticks import sticks
from outclass.parallel import cores, side_by_side

CELLS: Final = 8  # of two systems and two classes: a pseudo-count of each cell is so many items in all
BLOCK: Final = 3_000_000
HELD: Final = 125_000_000  # numbers that blocks drawn side by side may hold: a gigabyte
COUNTS: Final = 3  # of a label: TP, FP, FN
MANY_COUNTS: Final = 10_000
BINARY: Final = (0, 1)
POOLED: Final = ("micro", "accuracy", "error")  # names of measures of pooled counts begin so
JUDGED: Final = 0.1  # of the draws, for Bayes factors, of which one digit is read
FEW_SYSTEMS: Final = 3  # of which all kinds of pseudo-items with two labels are listed: sixteen
# The mass of pseudo-items, the label that they are about (None: all), and whether labels can be undefined in it.
Placed = tuple[float, int | None, bool]


@dataclass(frozen=True)
class Units:
    """What is weighted: how often each occurs, and what it adds to the labels' counts."""

    counts: Floats
    items: Floats  # how many items a unit of weight stands for
    features: dict[str, Any]  # of each system, sparse: 3 x labels (TP, FP, FN) by units
    labels: int
    true: Counts  # the places of labels that are true of some item


def units_of(decisions: Decisions, systems: Sequence[str]) -> Units:
    """Return the units of some systems."""
    if isinstance(decisions, Classes):
        decisions = Classes(decisions.outcomes.selected(systems))
    counts = decisions.units.astype(float)
    sizes = getattr(decisions, "sizes", None)
    return Units(
        counts=counts,
        items=np.ones_like(counts) if sizes is None else np.asarray(sizes, dtype=float),
        features={system: _matrix(decisions, system, len(counts)) for system in systems},
        labels=len(decisions.labels),
        true=np.flatnonzero(decisions.frequencies),
    )


def _matrix(decisions: Decisions, system: str, units: int) -> Any:
    from scipy import sparse  # loaded for many labels alone

    unit, label, kind = decisions.contributions(system)
    shape = (3 * len(decisions.labels), units)
    return sparse.csr_matrix((np.ones(len(unit)), (3 * label + kind, unit)), shape=shape, dtype=float)


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

    def values(
        self, measures: Sequence[Average], progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Floats]:
        """Return draws of every measure: shape (draws, systems)."""
        found = {measure.name: np.empty((self.draws, len(self.systems))) for measure in measures}
        parts: dict[str, list[Floats]] = {measure.name: [] for measure in self.judging}
        # Draws are taken a block at a time, of as many numbers for each as there are units, or counts of many labels.
        counts = COUNTS * self.units.labels
        room = max(len(self.units.counts), counts if counts > MANY_COUNTS else 1)
        block = max(1, min(self.draws, BLOCK // room))
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

    def _at_once(self, block: int) -> int | None:
        """Return how many blocks may be drawn side by side: each holds its own weights and counts. None for any."""
        counts = COUNTS * self.units.labels
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

    # --- pseudo-items -----------------------------------------------------------------------------------------

    def _pseudo(
        self, key: Placed, rows: int, rng: np.random.Generator, total: Floats | None = None
    ) -> "_Pseudo | None":
        """Draw pseudo-items: what they add to every system's counts, (3 x labels, rows) each, and their weight."""
        mass, label, masked = key
        names = self._names(label)
        if mass == 0 or len(names) < 2:
            return None
        if len(names) == len(BINARY) and len(self.systems) <= FEW_SYSTEMS and total is None:
            return self._listed(key, rows, rng)
        weights = sticks(mass, rows, rng, total)
        size = weights.shape
        true = rng.integers(0, len(names), size)
        column = np.broadcast_to(np.arange(rows), size)
        counts = {}
        for system in self.systems:
            right = rng.random(size) < 0.5
            # Another label than the true one, each as likely.
            other = (true + rng.integers(1, len(names), size)) % len(names)
            place = np.where(right, 3 * names[true], 3 * names[true] + 2)
            wrong = ~right
            at = np.concatenate([(place * rows + column).ravel(), ((3 * names[other] + 1) * rows + column)[wrong]])
            added = np.bincount(
                at, weights=np.concatenate([weights.ravel(), weights[wrong]]), minlength=3 * self.units.labels * rows
            )
            counts[system] = self._masked(np.asarray(added, dtype=float).reshape(-1, rows), system, masked)
        return _Pseudo(counts, weights.sum(axis=0))

    def _listed(self, key: Placed, rows: int, rng: np.random.Generator) -> "_Pseudo":
        """Draw the same of two labels and a few systems, where all kinds of pseudo-items can be listed: a Dirichlet."""
        mass, label, masked = key
        names = self._names(label)
        kinds = np.array(list(product(BINARY, repeat=1 + len(self.systems))))  # the truth, and who is right
        weights = rng.standard_gamma(mass / len(kinds), (len(kinds), rows))
        counts = {}
        for place, system in enumerate(self.systems):
            added = np.zeros((3 * self.units.labels, rows))
            for (true, *right), own in zip(kinds, weights, strict=True):
                if right[place]:
                    added[3 * names[true]] += own
                else:
                    added[3 * names[true] + 2] += own
                    added[3 * names[1 - true] + 1] += own
            counts[system] = self._masked(added, system, masked)
        return _Pseudo(counts, weights.sum(axis=0))

    def _mean_pseudo(self, key: Placed) -> "_Pseudo | None":
        mass, label, masked = key
        names = self._names(label)
        if mass == 0 or len(names) < 2:
            return None
        even = np.zeros((self.units.labels, 3))
        even[names] = mass / (2 * len(names))
        return _Pseudo(
            {system: self._masked(even.reshape(-1, 1), system, masked) for system in self.systems}, np.array([mass])
        )

    def _names(self, label: int | None) -> Counts:
        """Return the labels of pseudo-items: all that are ever true; or one, and another for the rest."""
        if label is None:
            return self.units.true
        others = [place for place in range(self.units.labels) if place != label]
        return np.array([label, others[0]]) if others else np.array([label])

    def _masked(self, added: Floats, system: str, masked: bool) -> Floats:
        """Leave undefined what the data leave undefined: pseudo-items alone must not give a label a value."""
        return added * self._defined[system].reshape(-1, 1) if masked else added

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

    # --- weights ----------------------------------------------------------------------------------------------

    def _gammas(self, rng: np.random.Generator, size: int) -> Floats:
        """Return weights, shape (units, size): a unit's draws lie together, which is how they are made fastest."""
        shapes = self.units.counts
        single = shapes == 1
        if single.all():
            return rng.standard_exponential((len(shapes), size))
        drawn = np.empty((len(shapes), size))
        # Most patterns of many systems occur once, and exponentials are quick.
        drawn[single] = rng.standard_exponential((int(single.sum()), size))
        for unit in np.flatnonzero(~single):
            rng.standard_gamma(shapes[unit], out=drawn[unit])
        return drawn

    def _measured(
        self, weights: Floats, measures: Sequence[Average], pseudo: "Callable[[Placed], _Pseudo | None]"
    ) -> dict[str, Floats]:
        """Return every measure at weights of shape (units, rows), with pseudo-items: shape (rows, systems)."""
        rows = weights.shape[1]
        found = {measure.name: np.empty((rows, len(self.systems))) for measure in measures}
        if self.empty:
            seen = {system: np.zeros((3 * self.units.labels, rows)) for system in self.systems}
            items = np.zeros(rows)
        else:
            seen = {system: np.asarray(self.units.features[system] @ weights) for system in self.systems}
            items = self.units.items @ weights
        if self.undefined == "drop" and self._lacking.any():
            # Systems are judged on the same labels, as in the tests.
            seen = {system: counts * ~np.repeat(self._lacking, 3)[:, None] for system, counts in seen.items()}
        groups: dict[Placed, list[Average]] = {}
        for measure in measures:
            groups.setdefault((self.mass_of(measure), measure.label, _by_label(measure)), []).append(measure)
        for key, group in groups.items():
            added = pseudo(key)
            whole = items if added is None else items + added.items
            for place, system in enumerate(self.systems):
                counted = seen[system] if added is None else seen[system] + added.counts[system]
                tp, fp, fn = (part.T for part in np.moveaxis(counted.reshape(self.units.labels, 3, rows), 1, 0))
                for measure in group:
                    found[measure.name][:, place] = measure(tp, fp, fn, whole, self.undefined)
        return found


@dataclass(frozen=True)
class _Pseudo:
    """What pseudo-items add: to each system's counts (3 x labels, rows), and to the items (rows)."""

    counts: dict[str, Floats]
    items: Floats


def _by_label(measure: Average) -> bool:
    """Return whether a measure takes every label's own value, which may be undefined; pooled counts never are."""
    return measure.label is None and not measure.name.startswith(POOLED)
