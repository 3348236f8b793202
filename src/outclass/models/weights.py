"""Many labels, many systems: Dirichlet weights on what was observed, the same for all systems (so they are paired).

One label an item: the distinct patterns (truth, every system's label) have Dirichlet weights, their counts plus a prior
of so many items in all, spread evenly over all patterns there could be. Where these are too many to list, the prior is
one more pattern that says everything equally often. Many labels an item: a weight for every document (Rubin's Bayesian
bootstrap), so that all decisions on a document move together. Items in groups: a weight for every group.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Classes, Decisions
from outclass.data.outcomes import Outcomes
from outclass.measures.averages import Average
from outclass.parallel import side_by_side

FEW_PATTERNS: Final = 600  # so many patterns are listed, each with its share of the prior
BLOCK: Final = 3_000_000


@dataclass(frozen=True)
class Units:
    """What is weighted: how often each occurs, its share of the prior, and what it adds to the labels' counts."""

    weights: Floats  # the parameters of the Dirichlet
    prior: Floats  # the prior's part of them
    items: Floats  # how many items a unit of weight stands for
    features: dict[str, Any]  # of each system, sparse: 3 x labels (TP, FP, FN) by units
    labels: int


def units_of(decisions: Decisions, systems: Sequence[str], mass: float) -> Units:
    """Return the units of some systems, with a prior of `mass` items in all."""
    if isinstance(decisions, Classes):
        return _patterns(decisions.outcomes.selected(systems), systems, mass)
    counts = decisions.units.astype(float)
    sizes = getattr(decisions, "sizes", None)
    return Units(
        weights=counts,
        prior=np.zeros_like(counts),
        items=np.ones_like(counts) if sizes is None else np.asarray(sizes, dtype=float),
        features={system: _matrix(decisions, system, len(counts)) for system in systems},
        labels=len(decisions.labels),
    )


def _patterns(outcomes: Outcomes, systems: Sequence[str], mass: float) -> Units:
    labels, columns = len(outcomes.labels), 1 + len(systems)
    possible = float(labels) ** columns if columns * np.log(max(labels, 1)) < 30 else np.inf
    listed = possible <= FEW_PATTERNS and mass > 0
    counts = outcomes.counts.astype(float)
    prior = np.zeros_like(counts)
    patterns = outcomes.patterns
    whole = (patterns >= 0).all(axis=1)  # a missing prediction is no pattern that a prior could expect
    if listed:
        seen = {tuple(pattern) for pattern in patterns.tolist()}
        unseen = [each for each in product(range(labels), repeat=columns) if each not in seen]
        patterns = np.concatenate([patterns, np.array(unseen, dtype=np.int64).reshape(-1, columns)])
        prior = np.concatenate([np.where(whole, mass / possible, 0.0), np.full(len(unseen), mass / possible)])
        counts = np.concatenate([counts, np.zeros(len(unseen))])
    view = Classes(
        Outcomes(
            systems=tuple(systems), labels=outcomes.labels, patterns=patterns, counts=np.ones(len(patterns), np.int64)
        )
    )
    features = {system: _matrix(view, system, len(patterns)) for system in systems}
    weights = counts + prior
    if mass > 0 and not listed:
        from scipy import sparse  # loaded for many labels alone

        # One pattern that says everything equally often, whatever is true.
        even = np.tile([1 / labels**2, (labels - 1) / labels**2, (labels - 1) / labels**2], labels)
        features = {
            system: sparse.hstack([matrix, sparse.csr_matrix(even).T]).tocsr() for system, matrix in features.items()
        }
        weights, prior = np.append(weights, mass), np.append(prior, mass)
    return Units(weights=weights, prior=prior, items=np.ones_like(weights), features=features, labels=labels)


def _matrix(decisions: Decisions, system: str, units: int) -> Any:
    from scipy import sparse  # loaded for many labels alone

    unit, label, kind = decisions.contributions(system)
    shape = (3 * len(decisions.labels), units)
    return sparse.csr_matrix((np.ones(len(unit)), (3 * label + kind, unit)), shape=shape, dtype=float)


@dataclass(frozen=True)
class Weighted:
    """The posterior of all systems' measures over many labels, by draws of the units' weights."""

    units: Units
    systems: tuple[str, ...]
    draws: int
    seed: int
    undefined: str = "drop"

    def values(
        self, measures: Sequence[Average], progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Floats]:
        """Return draws of every measure: shape (draws, systems)."""
        found = {measure.name: np.empty((self.draws, len(self.systems))) for measure in measures}
        block = max(1, min(self.draws, BLOCK // max(len(self.units.weights), 1)))
        sizes = [min(block, self.draws - start) for start in range(0, self.draws, block)]
        seeds = np.random.SeedSequence(self.seed).spawn(len(sizes))
        done = 0
        for part in side_by_side(
            self._drawn, [(size, seed, measures) for size, seed in zip(sizes, seeds, strict=True)], threads=True
        ):
            for name, values in part.items():
                found[name][done : done + len(values)] = values
            done += len(next(iter(part.values())))
            if progress is not None:
                progress(done, self.draws)
        return found

    def _drawn(self, size: int, seed: np.random.SeedSequence, measures: Sequence[Average]) -> dict[str, Floats]:
        return self._measured(self._gammas(np.random.Generator(np.random.SFC64(seed)), size), measures)

    def at(self, weights: Floats, measures: Sequence[Average]) -> dict[str, Floats]:
        """Return every measure at given weights, one row each: shape (rows, systems)."""
        return self._measured(weights.T, measures)

    @cached_property
    def observed(self) -> Floats:
        """The weights of the data alone."""
        return (self.units.weights - self.units.prior)[None, :]

    @cached_property
    def _defined(self) -> dict[str, Floats]:
        """For each system, which of a label's TP, FP and FN there can be: not where it is never true, or never said."""
        found = {}
        for system, matrix in self.units.features.items():
            tp, fp, fn = np.asarray(matrix @ self.observed[0]).reshape(self.units.labels, 3).T
            true, said = tp + fn > 0, tp + fp > 0
            found[system] = np.stack([true & said, said, true], axis=1).astype(float)
        return found

    def _gammas(self, rng: np.random.Generator, size: int) -> Floats:
        """Return weights, shape (units, size): a unit's draws lie together, which is how they are made fastest."""
        shapes = self.units.weights
        single = shapes == 1
        if single.all():
            return rng.standard_exponential((len(shapes), size))
        drawn = np.empty((len(shapes), size))
        # Most patterns of many systems occur once, and exponentials are quick.
        drawn[single] = rng.standard_exponential((int(single.sum()), size))
        for unit in np.flatnonzero(~single):
            rng.standard_gamma(shapes[unit], out=drawn[unit])
        return drawn

    def _measured(self, weights: Floats, measures: Sequence[Average]) -> dict[str, Floats]:
        """Return every measure at weights of shape (units, rows): shape (rows, systems)."""
        rows = weights.shape[1]
        found = {measure.name: np.empty((rows, len(self.systems))) for measure in measures}
        items = self.units.items @ weights
        for place, system in enumerate(self.systems):
            counted = np.asarray(self.units.features[system] @ weights).reshape(self.units.labels, 3, rows)
            # What the data leave undefined stays so: the prior alone must not give a label a value.
            counted *= self._defined[system][:, :, None]
            tp, fp, fn = (counted[:, kind].T for kind in range(3))
            for measure in measures:
                found[measure.name][:, place] = measure(tp, fp, fn, items, self.undefined)
        return found


def prior_weight(units: Units) -> float:
    """Return the prior's share of all weight."""
    return float(units.prior.sum() / units.weights.sum()) if len(units.weights) else 0.0
