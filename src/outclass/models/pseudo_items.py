"""Pseudo-items for weights on items: a prior, so that what was not seen is not impossible.

The Bayesian bootstrap gives every item a weight and knows nothing but these items: two systems that differ on one item
differ for certain. Beside the items there are pseudo-items, whose weights have a small total mass. On these each system
has its own numbers, whatever the others have: of right and wrong, every combination of two systems equally often; of
classifier scores, a score from anywhere in the system's own ranking. Their mass was chosen by coverage
(tests/calibration/score_worlds.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.scores import Scores
from outclass.models.means import extra_squares
from outclass.models.right_wrong import kinds_of

ATOMS: Final = 64  # pseudo-items that share a mass
CLASS_MASS: Final = 0.5  # of the pseudo-positives, and of the pseudo-negatives
PAIR_MASS: Final = 2.0  # of right and wrong: half an item on which A alone is right, half on which B is, for every pair
MEAN_MASS: Final = 1.0  # of other numbers: the squares they add hold the share of ties already
SMALL_SAMPLE: Final = 3.0  # items: a class of n gets weights as spread as n - 3 would, as a t is wider than a normal
MANY: Final = 200  # of a class, where that hardly makes a difference


@dataclass(frozen=True)
class Weighable:
    """Items and pseudo-items: what each system has on them, and the shapes and scales of their gamma weights."""

    values: tuple[Floats, ...]
    truth: np.ndarray | None
    shapes: Floats
    scales: Floats | None = None

    def sorted(self, order: Counts) -> "Weighable":
        """Return the items in another order."""
        truth = None if self.truth is None else self.truth[order]
        scales = None if self.scales is None else self.scales[order]
        return Weighable(tuple(own[order] for own in self.values), truth, self.shapes[order], scales)

    def weights(self, draws: int, rng: np.random.Generator) -> Floats:
        """Return weights, (draws, items)."""
        found = np.empty((draws, len(self.shapes)))
        ones = self.shapes == 1
        found[:, ones] = rng.standard_exponential((draws, int(ones.sum())))
        found[:, ~ones] = rng.standard_gamma(self.shapes[~ones], (draws, int((~ones).sum())))
        return found if self.scales is None else found * self.scales


def signs(systems: int) -> Floats:
    """Return +1 or -1 for each pseudo-item and system: any two systems have each of the four pairs equally often.

    Columns of a Hadamard matrix, which are orthogonal to each other and to the constant.
    """
    matrix = np.ones((1, 1))
    while len(matrix) < max(ATOMS, systems + 1):
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix[:, 1 : systems + 1]


def with_pseudo_items(
    scores: Scores, rng: np.random.Generator, owners: Mapping[str, str] = MappingProxyType({})
) -> Weighable:
    """Add pseudo-items to scores or results; `owners` are the systems of runs, which share theirs."""
    columns = tuple(scores.values.values())
    places = places_of(scores.systems, owners)
    if scores.truth is not None:
        return _of_classes(columns, scores.truth, rng, places)
    values = kinds_of(columns, scores.step)
    flips = signs(max(places) + 1)[:, places]
    if values is not None:
        added, mass = np.where(flips > 0, values.high, values.low), PAIR_MASS
    else:
        spread = np.sqrt(extra_squares(columns, scores.step))
        if not spread.any():
            return Weighable(columns, None, np.ones(len(scores)))
        added, mass = np.array([each.mean() for each in columns]) + flips * spread, MEAN_MASS
    both = tuple(np.concatenate([own, added[:, place]]) for place, own in enumerate(columns))
    return Weighable(both, None, np.concatenate([np.ones(len(scores)), np.full(len(added), mass / len(added))]))


def places_of(systems: Sequence[str], owners: Mapping[str, str]) -> list[int]:
    """Return the place of each run's system among those that there are; of systems without runs, their own."""
    known = {name: place for place, name in enumerate(dict.fromkeys(owners.get(each, each) for each in systems))}
    return [known[owners.get(each, each)] for each in systems]


def _of_classes(
    columns: tuple[Floats, ...], truth: np.ndarray, rng: np.random.Generator, places: Sequence[int]
) -> Weighable:
    orders = [[rng.permutation(ATOMS) for _ in range(2)] for _ in range(max(places) + 1)]
    values = tuple(
        np.concatenate([own, *(_placed(own, truth, order) for order in orders[place])])
        for own, place in zip(columns, places, strict=True)
    )
    shapes = np.ones(len(truth))
    for mask in (truth, ~truth):
        size = int(mask.sum())
        if size < MANY:
            shapes[mask] = max(1 - SMALL_SAMPLE / size, 0.5)
    return Weighable(
        values,
        np.concatenate([truth, np.ones(ATOMS, bool), np.zeros(ATOMS, bool)]),
        np.concatenate([shapes, np.full(2 * ATOMS, CLASS_MASS / ATOMS)]),
        # Wider weights, with the same mean: the share of positives stays what it is.
        np.concatenate([1 / shapes, np.ones(2 * ATOMS)]),
    )


def _placed(own: Floats, truth: np.ndarray, order: Counts) -> Floats:
    """Return scores from all over a system's ranking, half from each class, in some order."""
    levels = (np.arange(ATOMS // 2) + 0.5) / (ATOMS // 2)
    found = np.concatenate([np.quantile(own[mask], levels, method="nearest") for mask in (truth, ~truth)])
    return np.asarray(found[order])
