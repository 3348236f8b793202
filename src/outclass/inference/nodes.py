"""Where integrals over independent normal scores are taken: equally spaced grids in few dimensions, Sobol in many."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from outclass.arrays import Floats
from outclass.inference import sobol
from outclass.inference.distribution import spread
from outclass.inference.scores import normal_density

REACH: Final = 5.6  # what is left out beyond it weighs 2e-8
REPLICATES: Final = 8
BIAS: Final = (
    2.2  # rotated rules share part of their error: their spread times this factor, and what another rule tells
)
TABLES: Final = 5e-8  # what the tables of Beta distributions leave


@dataclass(frozen=True)
class Nodes:
    """Normal scores of some coordinates, and what the points weigh.

    Parameters
    ----------
    scores
        Shape (coordinates, replicates, points).
    weights
        Shape (points,) or (replicates, points), adding up to one.
    method
        'quadrature': a grid, without randomness; 'cubature': rotated rules; 'sobol': scrambled points.
    """

    scores: Floats
    weights: Floats
    method: Literal["quadrature", "cubature", "sobol"]

    @property
    def is_grid(self) -> bool:
        """Whether there is no randomness in the points."""
        return self.method == "quadrature"

    @property
    def replicates(self) -> int:
        """How many independent versions of the points there are."""
        return int(self.scores.shape[1])

    @property
    def size(self) -> int:
        """How many points there are in all."""
        return int(self.scores[0].size)

    def average(self, values: Floats) -> Floats:
        """Return each replicate's mean of values whose last axes are (replicates, points)."""
        if self.weights.ndim == 1:
            return np.asarray(values @ self.weights)
        return np.asarray(np.einsum("...rp,rp->...r", values, self.weights))

    def spread(self, of_replicates: Floats) -> Floats:
        """Return the error (98% half-width) of the mean over the replicates, given what each of them finds."""
        found = spread(of_replicates)
        return BIAS * found + TABLES if self.method == "cubature" else found


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
    return Nodes(scores[:, None, :], weights, "quadrature")


def sobol_points(power: int, dimensions: int, seed: int) -> Nodes:
    """Return independently scrambled Sobol points."""
    scores = sobol.normal_scores(power, REPLICATES, seed)[:dimensions]
    return Nodes(scores, np.full(1 << power, 1 / (1 << power)), "sobol")


def grid_error(numbers: Floats, of_coarser: Floats) -> Floats:
    """Return the error of a grid: its distance from a coarser one, and what the tables leave."""
    return np.asarray(np.abs(numbers - of_coarser[0]) + TABLES)
