"""Nodes along the direction that matters most, for quantities that are nearly linear in many normal scores.

Independent normal scores stay independent when they are rotated. Along the direction in which the quantity changes
most, equally spaced scores converge faster than any power of their step; across it only what bends is left, which
rules of degree five integrate (Mysovskikh's for the sphere, in randomly rotated copies, as Genz & Monahan, 1998,
propose). The copies are independent, so that their spread tells the error, and a few hundred nodes in each replace
thousands of Sobol points unless the items are few.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Floats, frozen
from outclass.inference.curves import Curve
from outclass.inference.nodes import Nodes, grid_scores
from outclass.inference.scores import ScoreSpline, normal_density

COPIES: Final = 4
REACH: Final = 6.0  # along the direction that matters most: tails of 1e-12 are made of scores up to five
SHARPEST: Final = 0.25  # the smallest step: with a smaller one the nodes would be many
MOST_BENT: Final = 0.3  # second differences relative to first ones, beyond which degree five is hardly ever enough


def aligned(curve_of: Callable[[Floats], Curve], dimensions: int, law: ScoreSpline, seed: int) -> Nodes | None:
    """Return nodes for a curve given by its scores, r having the distribution `law`; None if they would be many.

    Parameters
    ----------
    curve_of
        From scores, the first axis a coordinate, to the curve at them.
    dimensions
        How many coordinates there are.
    law
        The distribution of logit(r), which is integrated exactly.
    seed
        Of the rotations.
    """
    direction, step = _direction(curve_of, dimensions, law)
    if step < SHARPEST:
        return None
    places = np.arange(-np.ceil(REACH / step), np.ceil(REACH / step) + 1)
    # Equally spaced scores at steps of one integrate the normal density itself to 5e-9.
    shifts = (np.arange(COPIES) + 0.5) / COPIES - 0.5
    along = step * (places + shifts[:, None])
    across, weights = _across(dimensions - 1, seed)
    scores = np.empty((dimensions, COPIES, len(places), len(weights)))
    scores[0], scores[1:] = along[:, :, None], across[:, :, None, :]
    scores = scores.reshape(dimensions, COPIES, -1)
    weight = step * normal_density(along)
    both = (weight / weight.sum(axis=1, keepdims=True))[:, :, None] * weights
    return Nodes(_turned(scores, direction), both.reshape(COPIES, -1), "cubature")


def aligned_grid(curve_of: Callable[[Floats], Curve], law: ScoreSpline, *, coarser: bool = False) -> Nodes | None:
    """Return the same for two scores, without randomness: a grid along what matters, a Gauss-Hermite rule across."""
    direction, step = _direction(curve_of, 2, law)
    if step < SHARPEST:
        return None
    along, weights = grid_scores((1.2 if coarser else 0.8) * step, reach=8.0)
    across, shares = special.roots_hermitenorm(5 if coarser else 9)
    scores = np.stack([each.ravel() for each in np.meshgrid(along, across, indexing="ij")])[:, None]
    return Nodes(_turned(scores, direction), np.outer(weights, shares / shares.sum()).ravel(), "quadrature")


def _direction(curve_of: Callable[[Floats], Curve], dimensions: int, law: ScoreSpline) -> tuple[Floats, float]:
    """Return the direction in which everything but r matters most, and the step there; none if there is no such step.

    Within the step, what is integrated exactly smooths everything else.
    """
    effects, bends = _effects(curve_of, dimensions, law)
    own, total = abs(effects[-1]), float(np.linalg.norm(effects[:-1]))
    if not np.linalg.norm(bends) < MOST_BENT * np.linalg.norm(effects):
        return effects[:-1], 0.0
    return effects[:-1] / max(total, 1e-300), min(1.0, own / max(total, 1e-300))


def _effects(curve_of: Callable[[Floats], Curve], dimensions: int, law: ScoreSpline) -> tuple[Floats, Floats]:
    """Return how far one unit of each score, that of r last, moves the quantity at its medians, and how much it bends."""
    steps = np.eye(dimensions + 1)
    scores = np.concatenate([steps, -steps, np.zeros((1, dimensions + 1))])
    t = law.value(scores[:, -1])
    *values, middle = curve_of(scores[:, :-1].T).at(special.expit(t), special.expit(-t))
    up, down = np.split(np.array(values), 2)
    return (up - down) / 2, up + down - 2 * middle


def _turned(scores: Floats, direction: Floats) -> Floats:
    """Return scores rotated (by a reflection), so that the first coordinate runs along a direction."""
    mirror = direction.copy()
    mirror[0] += 1.0 if direction[0] >= 0 else -1.0
    length = float(mirror @ mirror)
    if length < 1.0:  # there is no direction
        return scores
    return np.asarray(scores - (2 / length) * mirror[:, None, None] * np.tensordot(mirror, scores, 1))


@lru_cache(maxsize=32)
def _across(dimensions: int, seed: int) -> tuple[Floats, Floats]:
    """Return randomly rotated copies of a rule of degree five, shape (dimensions, copies, points), and its weights."""
    points, weights = degree_five(dimensions)
    rng = np.random.default_rng([dimensions, seed])
    copies = []
    for _ in range(COPIES):
        rotation, triangle = np.linalg.qr(rng.standard_normal((dimensions, dimensions)))
        copies.append((points @ (rotation * np.sign(np.diag(triangle)))).T)
    return frozen(np.stack(copies, axis=1)), frozen(weights)


def degree_five(dimensions: int) -> tuple[Floats, Floats]:
    """Return points and positive weights that integrate polynomials of degree five under the normal law exactly.

    One point in the middle, the others on a sphere: the vertices of a simplex, the midpoints of its edges carried out
    to the sphere, and their opposites. For one and for four to seven dimensions.
    """
    if dimensions == 1:
        return np.array([[0.0], [3**0.5], [-(3**0.5)]]), np.array([2 / 3, 1 / 6, 1 / 6])
    # The differences of a simplex's coordinates from their mean span a plane: its axes are theirs.
    centred = np.eye(dimensions + 1) - 1 / (dimensions + 1)
    axes, _ = np.linalg.qr(centred[:, :dimensions])
    vertices = _on_sphere(centred @ axes)
    edges = _on_sphere(np.array([a + b for a, b in combinations(vertices, 2)]))
    shells = [np.concatenate([each, -each]) for each in (vertices, edges)]
    # The mass of the sphere, and the fourth moments of a uniform point on it, 3 / (n + 2) in all.
    moments = [[float(len(each)), float((each**4).sum())] for each in shells]
    shares = np.linalg.solve(np.transpose(moments), [1.0, 3 / (dimensions + 2)])
    outer = dimensions / (dimensions + 2)
    points = np.concatenate([np.zeros((1, dimensions)), *((dimensions + 2) ** 0.5 * each for each in shells)])
    weights = [np.full(len(each), outer * share) for each, share in zip(shells, shares, strict=True)]
    return points, np.concatenate([[1 - outer], *weights])


def _on_sphere(points: Floats) -> Floats:
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))
