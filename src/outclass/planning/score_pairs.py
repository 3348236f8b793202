"""Measures of scores in the form that `planning.cumulants` takes: shares of pairs, and means of losses."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.measures.ranked import Ranked
from outclass.measures.scored import ScoreMeasure
from outclass.models.pseudo_items import ATOMS, MANY, SMALL_SAMPLE, Weighable
from outclass.planning.cumulants import OfPairs, OfRatios, of_pairs, of_ratios
from outclass.planning.smooth import PROBED, Question, probes_of

WIDEST = 2.0  # scale of the weights of a small class


def evenly_paired(found: Weighable, items: int, rng: np.random.Generator) -> Weighable:
    """Return items and pseudo-items, those of each class so paired that any two scores are together about as often.

    A random pairing of so few is not that even; here the places in the second system's ranking are those in the
    first's with their bits reversed (van der Corput 1935), shifted at random.
    """
    bits = ATOMS.bit_length() - 1
    place = np.array([int(f"{each:0{bits}b}"[::-1], 2) for each in range(ATOMS)]) ^ int(rng.integers(ATOMS))
    values = [own.copy() for own in found.values]
    for start in (items, items + ATOMS):
        for own, order in zip(values, (np.arange(ATOMS), place), strict=True):
            own[start : start + ATOMS] = np.sort(own[start : start + ATOMS])[order]
    return replace(found, values=tuple(values))


def has_form(measure: ScoreMeasure) -> bool:
    """Return whether a measure of scores is a share of pairs or a mean of losses."""
    return measure.pairs or measure.losses is not None


@dataclass(frozen=True)
class ScoresNear:
    """A difference in a measure of scores on counted items.

    Parameters
    ----------
    question
        What a kernel is asked.
    truth, thin
        Whether each item that a set can hold is positive; and the mean weights of the prior's items beside these.
    """

    question: Question
    truth: np.ndarray
    thin: Floats

    @classmethod
    def of(
        cls, measure: ScoreMeasure, world: Weighable, judged: Weighable, pilot: int, rng: np.random.Generator
    ) -> "ScoresNear | None":
        """Return it for the items of a world, and the prior's behind those of a pilot; None if it has no such form."""
        assert world.truth is not None
        assert judged.truth is not None
        truth = np.concatenate([world.truth, judged.truth[pilot:]])
        own = [np.concatenate([x, y[pilot:]]) for x, y in zip(world.values, judged.values, strict=True)]
        if measure.pairs:
            question = _of_pairs(truth, own, rng)
        elif measure.losses is not None:
            a, b = (measure.losses(truth, each) for each in own)
            question = _of_mean(a - b, rng)
        else:
            return None
        return cls(question, world.truth, judged.shapes[pilot:])

    def rows(self, counts: Floats) -> list[Any]:
        """Return what a kernel takes of sets: the mean weights of items, and their scales."""
        sets, thin = len(counts), len(self.thin)
        scales = np.ones((sets, counts.shape[1] + thin))
        for mask in (self.truth, ~self.truth):
            sizes = np.maximum(counts[:, mask].sum(axis=1), 1.0)
            shapes = np.where(sizes < MANY, np.maximum(1 - SMALL_SAMPLE / sizes, 1 / WIDEST), 1.0)
            scales[:, : counts.shape[1]][:, mask] = (1 / shapes)[:, None]
        means = np.hstack([counts, np.broadcast_to(self.thin, (sets, thin))])
        if isinstance(self.question.asked, OfPairs):
            return [means, scales]
        return [means, np.ones((sets, 1)), np.ones((sets, 2, 1)), scales]


def _of_pairs(truth: np.ndarray, own: list[Floats], rng: np.random.Generator) -> Question:
    shared: list[Any] = [truth.astype(float)]
    tied = []
    for scores in own:
        ranked = Ranked.of(truth, scores)
        place = np.empty(len(truth), dtype=np.int64)
        place[ranked.order] = np.arange(len(truth))
        shared += [
            ranked.order.astype(np.int32),
            *(each[place].astype(np.int32) for each in (ranked.first, ranked.last)),
        ]
        tied.append(ranked.tied)
    return Question(of_pairs, OfPairs((tied[0], tied[1])), [*shared, probes_of(len(truth), PROBED, rng)])


def _of_mean(values: Floats, rng: np.random.Generator) -> Question:
    """The mean as a ratio of two sums, of which the prior's items are a part already."""
    cells = np.stack([values, np.ones_like(values)])[:, None]
    products = np.stack([values, np.ones_like(values)])[:, None]
    none: Counts | Floats = np.zeros((2, 1, 1))
    asked = OfRatios((1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0), scaled=True)
    shared = [cells, none, products, none, np.zeros(1), probes_of(len(values) + 1, PROBED, rng)]
    return Question(of_ratios, asked, shared)
