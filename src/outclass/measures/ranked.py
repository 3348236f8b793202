"""Items sorted by a system's scores."""

from dataclasses import dataclass

import numpy as np

from outclass.arrays import Floats


@dataclass(frozen=True)
class Ranked:
    """Items from the highest score to the lowest, and where ties end."""

    order: np.ndarray
    positive: np.ndarray  # in that order
    last: np.ndarray  # of each item, the last that is tied with it
    first: np.ndarray
    tied: bool
    as_given: bool  # the items came in this order

    def sorted(self, weights: Floats) -> Floats:
        """Return weights in this order."""
        return weights if self.as_given else weights[..., self.order]

    def given(self, ranked: Floats) -> Floats:
        """Return numbers in the order in which the items were given."""
        found = np.empty_like(ranked)
        found[self.order] = ranked
        return found

    @classmethod
    def of(cls, truth: np.ndarray, scores: Floats) -> "Ranked":
        """Sort once."""
        order = np.argsort(-scores, kind="stable")
        ranked = scores[order]
        starts = np.concatenate([[True], ranked[1:] != ranked[:-1]])
        begin = np.flatnonzero(starts)
        group = np.cumsum(starts) - 1
        end = np.append(begin[1:], len(ranked)) - 1
        as_given = bool(np.array_equal(order, np.arange(len(order))))
        return cls(order, truth[order], end[group], begin[group], len(begin) < len(ranked), as_given)
