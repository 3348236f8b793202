"""Where integrals are taken: moments of the normal law, products, and the error of a grid."""

import numpy as np
import pytest

from outclass.inference import sobol
from outclass.inference.nodes import REPLICATES, grid, grid_error, grid_scores, sobol_points


@pytest.mark.parametrize("step", [0.3, 0.5])
def test_grid_scores_have_the_normal_moments(step: float) -> None:
    """Equally spaced points integrate polynomials under the normal density: 1, 0, 1, 0, 3 and 15."""
    z, weights = grid_scores(step, reach=8.0)

    assert np.allclose(np.diff(z), step)
    assert z[0] == -z[-1]
    assert z[-1] - step < 8.0 <= z[-1]
    assert [float(weights @ z**power) for power in (0, 1, 2, 3, 4, 6)] == pytest.approx([1, 0, 1, 0, 3, 15], abs=1e-6)


def test_usual_reach() -> None:
    """Beyond 5.6 lies a probability of 2e-8, which is why the grid may end there."""
    z, _ = grid_scores(0.8)

    assert z[-1] == pytest.approx(5.6)
    assert len(z) == 15


def test_products() -> None:
    """A grid of two steps is their product: moments multiply, and the first coordinate is the first step's."""
    nodes = grid(0.5, 0.4)
    x, y = nodes.scores[0, 0], nodes.scores[1, 0]

    assert nodes.is_grid
    assert nodes.replicates == 1
    assert nodes.scores.shape == (2, 1, 33 * 41)
    assert np.min(np.diff(np.unique(x))) == pytest.approx(0.5)
    assert np.min(np.diff(np.unique(y))) == pytest.approx(0.4)
    assert x.max() == pytest.approx(8.0)
    assert [float(nodes.weights @ f) for f in (x**0, x * y, x**2 * y**2, x**4, y**4)] == pytest.approx(
        [1, 0, 1, 3, 3], abs=1e-6
    )


def test_sobol_points_weigh_alike() -> None:
    """Sobol points are the first coordinates of the scrambled scores, each weighing the same."""
    nodes = sobol_points(5, 3, 7)

    assert not nodes.is_grid
    assert nodes.replicates == REPLICATES == 8
    assert nodes.scores.shape == (3, 8, 32)
    assert np.array_equal(nodes.weights, np.full(32, 1 / 32))
    assert np.array_equal(nodes.scores, sobol.normal_scores(5, 8, 7)[:3])


def test_error_of_a_grid() -> None:
    """The error is the distance from the coarser grid, and what the tables leave (5e-8)."""
    found = grid_error(np.array([1.0, 2.0]), np.array([[1.25, 1.5]]))

    assert found == pytest.approx([0.25 + 5e-8, 0.5 + 5e-8], abs=1e-12)
