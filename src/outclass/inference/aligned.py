"""Nodes along the direction that matters most, for quantities that are nearly linear in many normal scores.

Independent normal scores stay independent when they are rotated. Along the direction in which the quantity changes
most, equally spaced scores converge faster than any power of their step; across it only what bends is left. In the
three directions in which it bends most a rule of degree five integrates it (the vertices of an icosahedron), in the
others one of degree three. The rules come in randomly rotated copies (as Genz & Monahan, 1998, propose), which are
independent, so that their spread tells the error; a few hundred nodes in each replace thousands of Sobol points unless
the items are few.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from outclass.arrays import Floats, frozen
from outclass.inference.nodes import Nodes, grid_scores
from outclass.inference.scores import ScoreSpline, normal_density

COPIES: Final = 4
MORE_COPIES: Final = 12
BENDING: Final = 3  # directions across in which the rule is of degree five
# Second differences relative to first ones, up to which it is worth trying at a tolerance of 1e-4: those along single
# scores, and all.
STRAIGHT: Final = 0.1  # second differences in all, up to which a rule of degree three may be enough across
MOST_BENT: Final = 0.25
MOST_CROSSED: Final = 0.27
MOST_BEYOND: Final = 0.012  # of what two units of a skewed score add to a parabola
REACH: Final = 6.0  # along the direction that matters most: tails of 1e-12 are made of scores up to five
PROBED: Final = 4.8  # is enough for what is compared within two stds: what is left out weighs 2e-6
# Steps along it, in stds of what smooths them: then the copies, whose nodes are shifted, agree to 1e-6 on what bends
# nowhere.
STEP: Final = 0.8
SHARPEST: Final = 0.25  # the smallest step: with a smaller one the nodes would be many
EVEN: Final = 20  # steps are whole numbers of parts of one, so that few lines of nodes serve all


Pairs = tuple[NDArray[np.intp], NDArray[np.intp]]  # of scores


class Values(Protocol):
    """What is asked of a curve here."""

    def at(self, r: Floats, rest: Floats) -> Floats:
        """Return the values at r, with rest = 1 - r."""


class Rule(NamedTuple):
    """How many copies a rule has, and in how many directions it is of degree five; in the others it is of three."""

    copies: int
    bending: int

    @property
    def shares(self) -> bool:
        """Whether its copies share an error: one of degree three, turned in all directions, shows its own."""
        return self.bending > 0


USUAL: Final = Rule(COPIES, BENDING)


class Direction(NamedTuple):
    """What a curve does around the medians of all its scores.

    `along` is the direction in which everything but r matters most, a unit vector; `step` how far two nodes may be
    apart there, for what is integrated exactly to smooth it; `bend` how far the curve is from linear in each score,
    `crossed` how far it is so in all of them together; `across` holds the directions across, orthogonal unit vectors,
    those in which the curve bends most first; and `beyond`, for each score, how far the curve is two units away from
    the parabola through its values at one.
    """

    along: Floats
    step: float
    bend: float
    crossed: float = 0.0
    across: Floats | None = None
    beyond: Floats | None = None

    @classmethod
    def of(cls, curve_of: Callable[[Floats], Values], dimensions: int, law: ScoreSpline) -> "Direction":
        """Look at a curve given by its scores (the first axis a coordinate), `law` being that of logit(r)."""
        steps, places = _differences(dimensions + 1)
        t = law.value(steps[:, -1])
        values = curve_of(steps[:, :-1].T).at(special.expit(t), special.expit(-t))
        slopes, bends, beyond = _derivatives(values, places)
        found = cls.by(slopes.tolist(), np.diag(bends).tolist())
        total = max(float(np.linalg.norm(slopes)), 1e-300)
        inner, own = bends[:-1, :-1], bends[:-1, -1]
        # A step along either of the two turns the slope by these; both matter alike.
        bent = inner @ inner + np.outer(own, own)
        across = _complement(found.along, bent) if np.all(np.isfinite(bent)) else None
        crossed = float(np.linalg.norm(bends)) / total
        return found._replace(crossed=crossed, across=across, beyond=beyond[:-1] / total)

    @classmethod
    def by(cls, effects: Sequence[float], bends: Sequence[float]) -> "Direction":
        """Return it from first and second differences at one unit of each score, that of r the last."""
        *others, own = effects
        total = max(math.hypot(*others), 1e-300)
        bend = math.hypot(*bends) / max(math.hypot(total, own), 1e-300)
        step = math.floor(EVEN * STEP * min(1.0, abs(own) / total)) / EVEN
        return cls(np.array(others) / total, step, bend)

    def rules(self, tolerance: float, rare: Sequence[bool], *, more: bool) -> Iterator[Rule]:
        """Return the rules that may be exact enough, the smallest first.

        `rare` says which scores are those of a skewed distribution; `more` asks for more copies if all else fails.
        """
        allowed = math.sqrt(tolerance / 1e-4)
        known = not any(rare) or (self.beyond is not None and self.beyond[list(rare)].max() < MOST_BEYOND * allowed)
        if (
            self.step < SHARPEST
            or self.bend > MOST_BENT * allowed
            or self.crossed > MOST_CROSSED * allowed
            or not known
        ):
            return
        if self.crossed < STRAIGHT * allowed and not any(rare):
            yield Rule(6, 0)
        yield Rule(COPIES, BENDING)
        if more:
            yield Rule(MORE_COPIES, BENDING)

    def suits(self, tolerance: float) -> bool:
        """Whether a grid may be exact enough."""
        return self.step >= SHARPEST and self.bend < MOST_BENT * math.sqrt(tolerance / 1e-4)


def _complement(along: Floats, bent: Floats) -> Floats:
    """Return orthogonal directions across one, those first along which a form is largest; one a column."""
    mirror = np.eye(len(along)) - np.outer(along, along)
    across = mirror @ bent @ mirror
    # The direction itself is put last, and left out.
    _, vectors = np.linalg.eigh(across - (1 + np.trace(across)) * np.outer(along, along))
    return np.asarray(vectors[:, :0:-1])


@lru_cache
def _differences(count: int) -> tuple[Floats, Pairs]:
    """Return where a curve is looked at: at one and two units of each score and at one of pairs; and the pairs."""
    unit = np.eye(count)
    first, second = np.tril_indices(count, -1)
    pairs = unit[first] + unit[second]
    parts = [np.zeros((1, count)), unit, -unit, 2 * unit, -2 * unit, pairs, -pairs]
    return frozen(np.concatenate(parts)), (first, second)


def _derivatives(values: Floats, pairs: Pairs) -> tuple[Floats, Floats, Floats]:
    """Return first and second differences from values at `_differences`, and what two units add to a parabola."""
    (first, second), middle = pairs, values[0]
    up, down, far_up, far_down = values[1 : 1 - 2 * len(first) - 1].reshape(4, -1)
    slopes, bent = (up - down) / 2, up + down - 2 * middle
    bends = np.diag(bent)
    both = values[-2 * len(first) :].reshape(2, -1).sum(axis=0)
    bends[first, second] = bends[second, first] = (both - bent[first] - bent[second] - 2 * middle) / 2
    beyond = np.hypot((far_up - far_down) / 2 - 2 * slopes, far_up + far_down - 2 * middle - 4 * bent)
    return slopes, bends, beyond


def aligned(direction: Direction, seed: int, rule: Rule = USUAL) -> Nodes:
    """Return equally spaced nodes along a direction, with randomly rotated rules across it."""
    lines = _lines(direction.step, len(direction.along) - 1, seed, *rule)
    return Nodes(*_scores(direction, *lines), "cubature")


def aligned_tails(direction: Direction) -> Nodes:
    """Return the same for values far out, in one copy: there, what bends most asks for a higher degree."""
    return Nodes(*_scores(direction, *_tail_lines(direction.step, len(direction.along) - 1)), "cubature")


def _scores(direction: Direction, along: Floats, points: Floats, weights: Floats) -> tuple[Floats, Floats]:
    assert direction.across is not None
    across = np.tensordot(direction.across, points, 1)
    scores = direction.along[:, None, None, None] * along + across[:, :, None, :]
    return scores.reshape(len(direction.along), len(weights), -1), weights


def aligned_grid(direction: Direction, *, coarser: bool = False) -> Nodes:
    """Return the same for two scores, without randomness: a grid along what matters, a Gauss-Hermite rule across."""
    along, across, weights = _grid(direction.step, coarser)
    first, second = direction.along.tolist()
    scores = np.stack([first * along - second * across, second * along + first * across])
    return Nodes(scores[:, None], weights, "quadrature")


@lru_cache(maxsize=64)
def _grid(step: float, coarser: bool) -> tuple[Floats, Floats, Floats]:
    along, weights = grid_scores((1.5 if coarser else 1.0) * step, reach=8.0)
    across, shares = np.polynomial.hermite_e.hermegauss(5 if coarser else 9)
    lines = [frozen(each.ravel()) for each in np.meshgrid(along, across, indexing="ij")]
    return lines[0], lines[1], frozen(np.outer(weights, shares / shares.sum()).ravel())


@lru_cache(maxsize=32)
def _lines(step: float, across: int, seed: int, copies: int, bending: int) -> tuple[Floats, Floats, Floats]:
    """Return scores along (copies, nodes, 1), rotated rules across (dimensions, copies, points), and weights."""
    # Equally spaced scores at steps of one integrate the normal density itself to 5e-9.
    return _lined(step, (np.arange(copies) + 0.5) / copies - 0.5, *_rotated(across, seed, copies, bending))


def aligned_check(direction: Direction, seed: int) -> Nodes:
    """Return nodes of another rule, which is of degree five in all directions together, in one copy.

    What the copies of the other rule share, and so do not tell, it does not share.
    """
    return Nodes(*_scores(direction, *_check_lines(direction.step, len(direction.along) - 1, seed)), "cubature")


@lru_cache(maxsize=32)
def _check_lines(step: float, across: int, seed: int) -> tuple[Floats, Floats, Floats]:
    points, weights = degree_five(across)
    turned = points @ _rotation(across, np.random.default_rng([across, seed, 1]))
    return _lined(step, np.zeros(1), turned.T[:, None], weights, PROBED)


@lru_cache(maxsize=32)
def _tail_lines(step: float, across: int) -> tuple[Floats, Floats, Floats]:
    """Return the same, with a product of Gauss & Hermite's rules where the curve bends most, and a cross elsewhere."""
    line, shares = np.polynomial.hermite_e.hermegauss(5)
    shares = shares / shares.sum()
    others, other_weights = cross(across - 2)
    plane = np.stack([each.ravel() for each in np.meshgrid(line, line)])
    points = np.zeros((across, 1, 25 + len(others)))
    points[:2, 0, :25], points[2:, 0, 25:] = plane, others.T
    weights = np.concatenate([np.outer(shares, shares).ravel(), other_weights])
    weights[12] -= other_weights.sum()  # the middle
    return _lined(step, np.zeros(1), points, weights)


def _lined(
    step: float, shifts: Floats, points: Floats, weights: Floats, reach: float = REACH
) -> tuple[Floats, Floats, Floats]:
    places = np.arange(-np.ceil(reach / step), np.ceil(reach / step) + 1)
    along = step * (places + shifts[:, None])
    weight = normal_density(along)
    both = (weight / weight.sum(axis=1, keepdims=True))[:, :, None] * weights
    return frozen(along[:, :, None]), frozen(points), frozen(both.reshape(len(shifts), -1))


@lru_cache(maxsize=8)
def _rotated(dimensions: int, seed: int, copies: int, bending: int) -> tuple[Floats, Floats]:
    """Return randomly rotated copies of a rule, shape (dimensions, copies, points), and its weights."""
    rng = np.random.default_rng([dimensions, seed])
    first, first_weights = icosahedron() if bending else (np.empty((0, 0)), np.empty(0))
    others, other_weights = cross(dimensions - bending)
    weights = np.concatenate([[1 - first_weights.sum() - other_weights.sum()], first_weights, other_weights])
    points = np.zeros((dimensions, copies, len(weights)))
    start = 1 + len(first)
    for copy in range(copies):
        points[:bending, copy, 1:start] = (first @ _rotation(bending, rng)).T
        points[bending:, copy, start:] = (others @ _rotation(dimensions - bending, rng)).T
    return points, weights


def _rotation(dimensions: int, rng: np.random.Generator) -> Floats:
    """Return a rotation (or reflection), all being as probable as each other."""
    rotation, triangle = np.linalg.qr(rng.standard_normal((dimensions, dimensions)))
    return np.asarray(rotation * np.sign(np.diag(triangle)))


def icosahedron() -> tuple[Floats, Floats]:
    """Return points and weights which, with the middle, integrate polynomials of degree five in three normal scores."""
    golden = (1 + 5**0.5) / 2
    edges = np.array([(0, a, b * golden) for a in (-1, 1) for b in (-1, 1)])
    points = np.concatenate([np.roll(edges, turn, axis=1) for turn in range(3)])
    return points * (5 / (2 + golden)) ** 0.5, np.full(12, 0.05)


def cross(dimensions: int) -> tuple[Floats, Floats]:
    """Return the same of degree three in any number of scores; in the distance from the middle it is of degree five."""
    axes = (dimensions + 2) ** 0.5 * np.eye(dimensions)
    return np.concatenate([axes, -axes]), np.full(2 * dimensions, 0.5 / (dimensions + 2))


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
