"""Where integrals over independent normal scores are taken: equally spaced grids in few dimensions, Sobol in many."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.inference import sobol
from outclass.inference.scores import normal_density

REACH: Final = 5.6  # what is left out beyond it weighs 2e-8
REPLICATES: Final = 8
TABLES: Final = 5e-8  # what the tables of Beta distributions leave


@dataclass(frozen=True)
class Nodes:
    """Normal scores of some coordinates, and what the points weigh.

    Parameters
    ----------
    scores
        Shape (coordinates, replicates, points).
    weights
        Shape (points,), adding up to one.
    is_grid
        Whether the points are a grid, without randomness.
    """

    scores: Floats
    weights: Floats
    is_grid: bool

    @property
    def replicates(self) -> int:
        """How many independent versions of the points there are."""
        return int(self.scores.shape[1])


def grid_scores(step: float, reach: float = REACH) -> tuple[Floats, Floats]:
    """Return equally spaced normal scores and their weights.

    On a smooth function times the normal density the trapezoidal rule converges faster than any power of the step.
    """
    count = int(np.ceil(reach / step))
    z = np.arange(-count, count + 1, dtype=np.float64) * step
    weights = normal_density(z)
    return z, weights / weights.sum()


def grid(*steps: float, reach: float = 8.0) -> Nodes:
    """Return a product of equally spaced normal scores, one dimension a step."""
    lines = [grid_scores(step, reach) for step in steps]
    scores = np.stack([axis.ravel() for axis in np.meshgrid(*(line for line, _ in lines), indexing="ij")])
    weights = np.ones(1)
    for _, line_weights in lines:
        weights = np.outer(weights, line_weights).ravel()
    return Nodes(scores[:, None, :], weights, is_grid=True)


def sobol_points(power: int, dimensions: int, seed: int) -> Nodes:
    """Return independently scrambled Sobol points."""
    scores = sobol.normal_scores(power, REPLICATES, seed)[:dimensions]
    return Nodes(scores, np.full(1 << power, 1 / (1 << power)), is_grid=False)


def grid_error(numbers: Floats, of_coarser: Floats) -> Floats:
    """Return the error of a grid: its distance from a coarser one, and what the tables leave."""
    return np.asarray(np.abs(numbers - of_coarser[0]) + TABLES)
