"""Items of a class in blocks that share a weight, and the variates that are drawn for them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats

SMALL: Final = 0.05  # shapes of which most gamma variates are next to nothing
NOTHING: Final = 40.0  # minus the logarithm of what counts as nothing beside the weight of one item
APART: Final = 4.0  # how much more the difference of two systems counts than their mean, where items are divided


@dataclass(frozen=True)
class Class:
    """The items of one class: shapes of their weights, values (systems, items), and the block of each."""

    shapes: Floats
    values: Floats  # placements, losses or slopes
    block: Counts

    @cached_property
    def blocks(self) -> Floats:
        """The shape of each block's weight."""
        return np.asarray(np.bincount(self.block, weights=self.shapes), dtype=float)

    @cached_property
    def means(self) -> Floats:
        """The weighted mean of each block, (systems, blocks)."""
        sums = [np.bincount(self.block, weights=self.shapes * own) for own in self.values]
        return np.asarray(sums) / self.blocks

    @cached_property
    def gaps(self) -> Floats:
        """How far each item is from its block, (systems, items)."""
        return np.asarray(self.values - self.means[:, self.block])

    @property
    def left(self) -> Floats:
        """The covariance, between systems, of what the blocks leave out of the sum of values under gamma weights."""
        return np.asarray((self.gaps * self.shapes) @ self.gaps.T)


def normals(covariance: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return normal variates of mean 0, (draws, systems)."""
    values, vectors = np.linalg.eigh(covariance)
    spread = vectors * np.sqrt(np.clip(values, 0.0, None))
    return np.asarray(rng.standard_normal((draws, len(covariance))) @ spread.T)


def gammas(shapes: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return gamma variates; a gamma of a small shape a is one of 1 + a times a power 1/a of a uniform."""
    found = np.zeros((draws, len(shapes)))
    ones, small = shapes == 1, shapes < SMALL
    found[:, ones] = rng.standard_exponential((draws, int(ones.sum())))
    others = ~(ones | small)
    found[:, others] = rng.standard_gamma(shapes[others], (draws, int(others.sum())))
    uniform = rng.random((draws, int(small.sum())))
    row, column = np.nonzero(uniform > np.exp(-NOTHING * shapes[small]))
    shape = shapes[small][column]
    found[row, np.flatnonzero(small)[column]] = uniform[row, column] ** (1 / shape) * rng.standard_gamma(1 + shape)
    return found
