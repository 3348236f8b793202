"""Averages over labels as sums of ratios, for `planning.cumulants`: their tops and bottoms, and which labels count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.measures.averages import Average
from outclass.models.weighed import COUNTS
from outclass.planning.cumulants import OfRatios, of_ratios
from outclass.planning.smooth import Question, probes_of

ATOMS: Final = 64
Triple = tuple[float, float, float]
PRECISION, RECALL = ((1.0, 0.0, 0.0), (1.0, 1.0, 0.0)), ((1.0, 0.0, 0.0), (1.0, 0.0, 1.0))
# Of one label per item, which is right or lacks the true one.
OF_ONE: Final = {"accuracy": RECALL, "error": ((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)), "balanced_accuracy": RECALL}


def ratio_of(measure: Average) -> tuple[Triple, Triple] | None:
    """Return what makes top and bottom of TP, FP and FN, of a measure that is a mean of ratios, or a ratio of sums."""
    if measure.matrix or measure.label is not None:
        return None
    name = measure.name.partition(" ")[0]  # what follows names labels
    if name in OF_ONE:
        return OF_ONE[name]
    average, _, base = name.partition("_")
    if average not in ("macro", "micro"):
        return None
    if base == "f1" or base.startswith("fbeta:"):
        square = 1.0 if base == "f1" else float(base.removeprefix("fbeta:")) ** 2
        return (1 + square, 0.0, 0.0), (1 + square, 1.0, square)
    return {"precision": PRECISION, "recall": RECALL}.get(base)


@dataclass(frozen=True)
class LabelRatios:
    """A measure of some systems on counted units.

    Parameters
    ----------
    measure
        A mean of ratios, or a ratio of sums.
    seen, added
        Of each system, what each unit, and each of the prior's items, adds to the cells: (3, labels, units).
    thin
        The shape of the weight of each of the prior's items.
    """

    measure: Average
    seen: Mapping[int, Floats]
    added: Mapping[int, Floats]
    thin: float

    def question(self, systems: Sequence[int], rng: np.random.Generator) -> Question:
        """Return what a kernel is asked of some systems."""
        top, bottom = self._ratio
        cells = [np.concatenate([each[system] for system in systems], axis=1) for each in (self.seen, self.added)]
        if self.measure.averages_labels:
            asked = OfRatios(top, bottom, _products(top, bottom), _products(bottom, bottom))
            products = cells
        else:
            cells = [self._pooled(each, systems) for each in (self.seen, self.added)]
            products = [np.stack([each[0] * each[1], each[1] ** 2]) for each in cells]
            asked = OfRatios((1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0))
        thin = np.full(cells[1].shape[2], self.thin)
        probes = probes_of(cells[0].shape[2] + len(thin), 2 * cells[0].shape[1], rng)
        work = int(np.prod(cells[0].shape[1:]))
        return Question(of_ratios, asked, [*cells, *products, thin, probes], work)

    def rows(self, counts: Floats, systems: Sequence[int], signs: Sequence[float]) -> list[Any]:
        """Return what a kernel takes of sets: the counts, the coefficients of ratios, and where the prior counts."""
        sets = len(counts)
        if not self.measure.averages_labels:
            return [counts, np.broadcast_to(np.array(signs), (sets, len(signs))), np.ones((sets, 2, len(signs)))]
        # What is known of every label on what all sets have is known of it in each of them.
        coefficients, masks = self._known(counts.min(axis=0, keepdims=True), systems, signs)
        if not masks.all():
            coefficients, masks = self._known(counts, systems, signs)
        return [counts, *(np.broadcast_to(each, (sets, *each.shape[1:])) for each in (coefficients, masks))]

    def _known(self, counts: Floats, systems: Sequence[int], signs: Sequence[float]) -> tuple[Floats, Floats]:
        """Return coefficients and masks as `models.weights` has them.

        A label that some system has nothing of is left out for all; and the prior gives no label a value that the items
        leave undefined.
        """
        sums = [np.stack([counts @ cells.T for cells in self.seen[system]]) for system in systems]
        lacking = np.any([each.sum(axis=0) == 0 for each in sums], axis=0)
        masks, coefficients = [], []
        for sign, cells in zip(signs, sums, strict=True):
            tp, fp, fn = cells
            true, said = tp + fn > 0, tp + fp > 0
            masks.append(np.stack([true & said, said, true], axis=1))
            known = (np.tensordot(self._ratio[1], cells, axes=1) > 0) & ~lacking
            with np.errstate(invalid="ignore"):
                coefficients.append(sign * known / known.sum(axis=1, keepdims=True))
        return np.concatenate(coefficients, axis=1), np.concatenate(masks, axis=2).astype(float)

    @property
    def _ratio(self) -> tuple[Triple, Triple]:
        found = ratio_of(self.measure)
        assert found is not None
        return found

    def _pooled(self, each: Mapping[int, Floats], systems: Sequence[int]) -> Floats:
        """Return what units add to top and bottom, which are the cells of a ratio of sums: (2, systems, units)."""
        sums = np.stack([each[system].sum(axis=1) for system in systems], axis=1)
        return np.tensordot(np.array(self._ratio), sums, axes=1)


def _products(one: Triple, other: Triple) -> Triple:
    first, second, third = (a * b for a, b in zip(one, other, strict=True))
    return first, second, third


def cells_of(features: Any, labels: int, places: Sequence[int] | None) -> Floats:
    """Return what units add to the cells, (3, labels, units), from `Units.features`."""
    table = np.moveaxis(features.toarray().reshape(labels, COUNTS, -1), 1, 0)
    return np.asarray(table if places is None else table[:, list(places)])


def prior_items(names: Counts, rng: np.random.Generator) -> Counts:
    """Return items of the prior, (items, 3): the truth and two systems' labels.

    Every label is true equally often, and each system right or wrong on it, in all four ways; every label is also wrong
    equally often, at random. There are at least `ATOMS` of them, so that together they are as many different ones.
    """
    many = len(names)
    times = -(-ATOMS // (4 * many))
    true, right = (each.ravel() for each in np.indices((many, 4 * times)))
    wrong = (true + rng.integers(1, many, (2, 4 * times))[:, right]) % many
    said = [np.where(right >> at & 1, true, wrong[at]) for at in (0, 1)]
    return np.asarray(names[np.stack([true, *said], axis=1)])
