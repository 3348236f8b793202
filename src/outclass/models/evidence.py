"""What a model of two systems learns from."""

from dataclasses import dataclass

import numpy as np

from outclass.arrays import Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Counts of two systems' decisions on items of both classes.

    Parameters
    ----------
    joint
        Shape (2, 4): rows positives and negatives; columns both say positive, only A, only B, neither.
        None if the systems were tested on different items.
    systems
        Each system's own table, shape (2, 2): rows positives and negatives; columns says positive, says negative.
    """

    joint: Counts | None
    systems: tuple[Counts, Counts]

    @classmethod
    def of_joint(cls, joint: Counts) -> "Evidence":
        """Take two systems' decisions on the same items."""
        both, only_a, only_b, neither = joint.T
        a = np.stack([both + only_a, only_b + neither], axis=1)
        b = np.stack([both + only_b, only_a + neither], axis=1)
        return cls(joint=joint, systems=(a, b))

    @property
    def items(self) -> int:
        """How many items there are, those of both tests if they differ."""
        if self.joint is not None:
            return int(self.joint.sum())
        return int(self.systems[0].sum() + self.systems[1].sum())
