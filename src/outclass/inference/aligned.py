"""Nodes along the direction that matters most, for quantities that are nearly linear in many normal scores.

Independent normal scores stay independent when they are rotated. Along the direction in which the quantity changes
most, equally spaced scores converge faster than any power of their step; across it only what bends is left, which
rules of degree five integrate (Mysovskikh's for the sphere, in randomly rotated copies, as Genz & Monahan, 1998,
propose). The copies are independent, so that their spread tells the error, and a few hundred nodes in each replace
thousands of Sobol points unless the items are few.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, Protocol

import numpy as np
from scipy import special

from outclass.arrays import Floats, frozen
from outclass.inference.nodes import Nodes, grid_scores
from outclass.inference.scores import ScoreSpline, normal_density

COPIES: Final = {3: 6, 5: 4}  # of rules of each degree
# Second differences relative to first ones, up to which a degree is worth trying at a tolerance of 1e-4.
MOST_BENT: Final = {3: 0.03, 5: 0.2}
REACH: Final = 6.0  # along the direction that matters most: tails of 1e-12 are made of scores up to five
SHARPEST: Final = 0.25  # the smallest step: with a smaller one the nodes would be many


class Values(Protocol):
    """What is asked of a curve here."""

    def at(self, r: Floats, rest: Floats) -> Floats:
        """Return the values at r, with rest = 1 - r."""


class Direction(NamedTuple):
    """What a curve does around the medians of all its scores.

    `along` is the direction in which everything but r matters most, a unit vector; `step` how far two nodes may be
    apart there, for what is integrated exactly to smooth it; `bend` how far the curve is from linear.
    """

    along: Floats
    step: float
    bend: float

    @classmethod
    def of(cls, curve_of: Callable[[Floats], Values], dimensions: int, law: ScoreSpline) -> "Direction":
        """Look at a curve given by its scores (the first axis a coordinate), `law` being that of logit(r)."""
        steps = np.eye(dimensions + 1)
        scores = np.concatenate([steps, -steps, np.zeros((1, dimensions + 1))])
        t = law.value(scores[:, -1])
        *values, middle = curve_of(scores[:, :-1].T).at(special.expit(t), special.expit(-t))
        up, down = np.split(np.array(values), 2)
        return cls.by(((up - down) / 2).tolist(), (up + down - 2 * middle).tolist())

    @classmethod
    def by(cls, effects: Sequence[float], bends: Sequence[float]) -> "Direction":
        """Return it from first and second differences at one unit of each score, that of r the last."""
        *others, own = effects
        total = max(math.hypot(*others), 1e-300)
        bend = math.hypot(*bends) / max(math.hypot(total, own), 1e-300)
        return cls(np.array(others) / total, min(1.0, abs(own) / total), bend)

    def suits(self, degree: int, tolerance: float) -> bool:
        """Whether a rule of this degree may be exact enough."""
        return self.step > SHARPEST and self.bend < MOST_BENT[degree] * math.sqrt(tolerance / 1e-4)


def aligned(direction: Direction, degree: int, seed: int) -> Nodes:
    """Return equally spaced nodes along a direction, with rules of a degree (three or five) across it."""
    step, dimensions, copies = direction.step, len(direction.along), COPIES[degree]
    places = np.arange(-np.ceil(REACH / step), np.ceil(REACH / step) + 1)
    # Equally spaced scores at steps of one integrate the normal density itself to 5e-9.
    shifts = (np.arange(copies) + 0.5) / copies - 0.5
    along = step * (places + shifts[:, None])
    across, weights = _across(dimensions - 1, degree, seed)
    scores = np.empty((dimensions, copies, len(places), len(weights)))
    scores[0], scores[1:] = along[:, :, None], across[:, :, None, :]
    weight = normal_density(along)
    both = (weight / weight.sum(axis=1, keepdims=True))[:, :, None] * weights
    turned = _turned(scores.reshape(dimensions, copies, -1), direction.along)
    return Nodes(turned, both.reshape(copies, -1), "cubature")


def aligned_grid(direction: Direction, *, coarser: bool = False) -> Nodes:
    """Return the same for two scores, without randomness: a grid along what matters, a Gauss-Hermite rule across."""
    along, weights = grid_scores((1.2 if coarser else 0.8) * direction.step, reach=8.0)
    across, shares = _gauss(5 if coarser else 9)
    scores = np.stack([each.ravel() for each in np.meshgrid(along, across, indexing="ij")])[:, None]
    return Nodes(_turned(scores, direction.along), np.outer(weights, shares).ravel(), "quadrature")


@lru_cache
def _gauss(points: int) -> tuple[Floats, Floats]:
    scores, weights = np.polynomial.hermite_e.hermegauss(points)
    return frozen(scores), frozen(weights / weights.sum())


def _turned(scores: Floats, direction: Floats) -> Floats:
    """Return scores rotated (by a reflection), so that the first coordinate runs along a direction."""
    mirror = direction.copy()
    mirror[0] += 1.0 if direction[0] >= 0 else -1.0
    length = float(mirror @ mirror)
    if length < 1.0:  # there is no direction
        return scores
    return np.asarray(scores - (2 / length) * mirror[:, None, None] * np.tensordot(mirror, scores, 1))


@lru_cache(maxsize=32)
def _across(dimensions: int, degree: int, seed: int) -> tuple[Floats, Floats]:
    """Return randomly rotated copies of a rule, shape (dimensions, copies, points), and its weights."""
    points, weights = degree_three(dimensions) if degree == 3 else degree_five(dimensions)
    rng = np.random.default_rng([dimensions, seed])
    copies = []
    for _ in range(COPIES[degree]):
        rotation, triangle = np.linalg.qr(rng.standard_normal((dimensions, dimensions)))
        copies.append((points @ (rotation * np.sign(np.diag(triangle)))).T)
    return frozen(np.stack(copies, axis=1)), frozen(weights)


def degree_three(dimensions: int) -> tuple[Floats, Floats]:
    """Return points and weights that integrate polynomials of degree three exactly, and those of the radius of five.

    What is left is of fourth degree and depends on the direction: rotated copies show it.
    """
    axes = (dimensions + 2) ** 0.5 * np.eye(dimensions)
    outer = dimensions / (dimensions + 2)
    points = np.concatenate([np.zeros((1, dimensions)), axes, -axes])
    return points, np.array([1 - outer, *([outer / (2 * dimensions)] * 2 * dimensions)])


def degree_five(dimensions: int) -> tuple[Floats, Floats]:
    """Return points and positive weights that integrate polynomials of degree five under the normal law exactly.

    One point in the middle, the others on a sphere: the vertices of a simplex, the midpoints of its edges carried out
    to the sphere, and their opposites. For four to six dimensions.
    """
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
