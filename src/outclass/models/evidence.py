"""What a model of two systems learns from."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from outclass.arrays import Counts


class Wins(NamedTuple):
    """How many items only A gets right, only B gets right, and how many both or neither do."""

    a: int
    b: int
    same: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Counts of two systems' decisions on items of both classes.

    Parameters
    ----------
    joint
        Shape (2, 4): rows positives and negatives; columns both say positive, only A, only B, neither.
        None if the systems were tested on different items.
    systems
        Each system's own table, shape (2, 2): rows are the true class, columns the predicted one; positive first.
        None if all that is known is who was right.
    wins
        Who alone was right how often, on the same items.
    negatives_known
        Whether the tables' true negatives were counted; a published result often gives TP, FP and FN only.
    has_classes
        Whether the tables tell positives from negatives; otherwise they tell right from wrong only.
    """

    joint: Counts | None
    systems: tuple[Counts, Counts] | None
    wins: Wins | None = None
    negatives_known: bool = True
    has_classes: bool = True

    @classmethod
    def of_joint(cls, joint: Counts) -> "Evidence":
        """Take two systems' decisions on the same items."""
        both, only_a, only_b, neither = joint.T
        a = np.stack([both + only_a, only_b + neither], axis=1)
        b = np.stack([both + only_b, only_a + neither], axis=1)
        right = rights(joint)
        wins = Wins(int(right[0, 1]), int(right[1, 0]), int(right[0, 0] + right[1, 1]))
        return cls(joint=joint, systems=(a, b), wins=wins)


def rights(joint: Counts) -> Counts:
    """Return how often A (rows) and B (columns) are right and wrong, in that order."""
    (pp, pa, pb, pn), (np_, na, nb, nn) = joint
    return np.array([[pp + nn, pa + nb], [pb + na, pn + np_]], dtype=np.int64)
