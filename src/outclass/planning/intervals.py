"""The highest-density intervals of many simulated test sets at once.

Each set's posterior is taken at scrambled Sobol points, and its interval from the mean, the spread and the skewness of
the difference there, which for a distribution close enough to normal is within a hundredth of a std of the exact one.
Other distributions, as of a system without errors, and widths, which vary little from set to set, are taken at more
points; the former by their shortest interval. All sets share the points, and each set reflects them at random: what
the points leave out is not the same for all of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats, frozen
from outclass.inference.distribution import Interval
from outclass.inference.sobol import orders
from outclass.measures.measure import Measure
from outclass.models.prior import Prior
from outclass.planning.backends import USUAL, Library, Runner, backend_of
from outclass.planning.posteriors import DRAWN

DRAWS: Final = 512
MORE_DRAWS: Final = 8_192  # for widths, and where the shortest interval is searched among them
SPLITS, NEAR = 61, 5  # ways to split what an interval leaves out, and how many neighbours are averaged
WINDOW, FLAT = 12, 1.03  # neighbours on either side that a parabola is fitted to, if they are at most so much wider
SKEWED, TAILED = 0.35, 0.5  # from which skewness and excess kurtosis on an interval is searched for
SCRAMBLES: Final = 16
# Shapes from which on a cube of a normal variate is a gamma variate (Wilson & Hilferty 1931), within .0025 stds out to
# two stds and .015 out to three; below, quantiles are tabulated.
CUBE: Final = 12.0
# Shapes between which single precision is enough: its rounding is below .003 stds, and no quantile is too small for it.
# Measures that are functions, which may be the user's, are given double precision.
SINGLE: Final = (0.2, 100_000.0)
VERDICTS: Final = ("<<", ">>", "~=")


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How a test set is judged, and what computes it."""

    measure: Measure
    priors: Mapping[str, Prior]  # by model
    rope: Interval
    hdi_mass: float
    backend: str = USUAL
    device: str | None = None


class Moments(NamedTuple):
    """Of each row of draws: mean, std, skewness and excess kurtosis."""

    mean: Floats
    std: Floats
    skew: Floats
    kurtosis: Floats

    @classmethod
    def of(cls, differences: Floats) -> "Moments":
        """Return those of rows of draws, in which nan is left out."""
        mean, std = np.nanmean(differences, axis=1), np.nanstd(differences, axis=1)
        z = (differences - mean[:, None]) / np.where(std > 0, std, 1.0)[:, None]
        return cls(mean, std, np.nanmean(z**3, axis=1), np.nanmean(z**4, axis=1) - 3)

    @property
    def odd(self) -> np.ndarray:
        """Which rows are too skewed, or have too heavy or light tails, for an interval from moments."""
        return np.asarray((np.abs(self.skew) > SKEWED) | (np.abs(self.kurtosis) > TAILED) | ~np.isfinite(self.mean))

    def interval(self, mass: float) -> Floats:
        """Return the interval of each row, (rows, 2)."""
        reach = float(special.ndtri((1 + mass) / 2))
        # Where a slightly skewed density is equal at both ends: the interval moves by skew (c^2 - 3) / 6 stds. What
        # kurtosis would add is less than its own error.
        centre = self.mean + self.std * np.clip(self.skew, -1, 1) * (reach * reach - 3) / 6
        return np.stack([centre - reach * self.std, centre + reach * self.std], axis=1)


# --- gamma variates at Sobol points -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """What a kernel computes: hashable, since some libraries compile it.

    Parameters
    ----------
    model, measure
        The difference.
    small
        For each gamma variate, whether some set's is of the table.
    """

    model: str
    measure: Measure
    small: tuple[bool, ...]


def _differences(library: Library, asked: Asked, rows: Sequence[Any], shared: Sequence[Any]) -> Any:
    """Return A's measure minus B's at all points: shape (sets, points).

    Parameters
    ----------
    library, asked
        What computes, and what.
    rows
        Of each set and variate: the cube root's constant and slope, and its row of the table (-1: none).
    shared
        The points' normal scores and orders, (variates, points), and the table, (shapes, points).
    """
    (constant, slope, place), (scores, order, table) = rows, shared[:3]
    gammas = []
    for at, small in enumerate(asked.small):
        root = constant[:, at : at + 1] + slope[:, at : at + 1] * scores[at]
        cube = root * root * root
        if small:
            own = place[:, at]
            cube = library.where(own[:, None] >= 0, table[own][:, order[at]], cube)
        gammas.append(cube)
    return DRAWN[asked.model].difference(gammas, asked.measure)


def _moments(library: Library, asked: Asked, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
    """Return each set's mean, and second to fourth central moments."""
    differences = _differences(library, asked, rows, shared)
    mean = differences.mean(1)
    off = differences - mean[:, None]
    squares = off * off
    return mean, squares.mean(1), (squares * off).mean(1), (squares * squares).mean(1)


def _ends(library: Library, asked: Asked, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
    """Return both ends of each set's intervals of a mass, by what they leave out below: see `_places`."""
    ordered = library.sort(_differences(library, asked, rows, shared))
    first, part = shared[3:]
    second = first + (part > 0)
    low, high = ((1 - part[at]) * ordered[:, first[at]] + part[at] * ordered[:, second[at]] for at in (0, 1))
    return low, high


def _raw(library: Library, asked: Asked, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
    return (_differences(library, asked, rows, shared),)


@lru_cache(maxsize=4)
def _scores(points: int) -> Floats:
    """Return the normal scores of the middles of equally many equal shares, with a std of one."""
    scores = special.ndtri((np.arange(points) + 0.5) / points)
    return frozen(scores / scores.std())


@lru_cache(maxsize=256)  # of up to 131 kB each
def _quantiles(shape: float, points: int) -> Floats:
    """Return a gamma variate's quantiles at the scores, rising and falling: shape (2, points)."""
    scores = _scores(points)
    # A share near one is kept by what it lacks.
    with np.errstate(under="ignore"):
        low, high = special.gammaincinv(shape, special.ndtr(scores)), special.gammainccinv(shape, special.ndtr(-scores))
    rising = np.where(scores < 0, low, high)
    return frozen(np.stack([rising, rising[::-1]]))


@lru_cache(maxsize=8 * SCRAMBLES)
def _orders(points: int, variates: int, scramble: int) -> np.ndarray:
    found = orders(points.bit_length() - 1, variates, scramble).astype(np.int32)
    found.setflags(write=False)
    return found


class Points:
    """The points of many sets, and the sets' gamma variates there."""

    def __init__(self, shapes: Floats, draws: int, rng: np.random.Generator, *, double: bool = False) -> None:
        self.points = 1 << (draws - 1).bit_length()
        single = shapes.min() >= SINGLE[0] and shapes.max() <= SINGLE[1]
        self._type = np.float32 if single and not double else np.float64
        flipped = rng.integers(0, 2, shapes.shape).astype(bool)
        part = 1 / (9 * shapes)
        root = np.cbrt(shapes)
        slope = root * np.sqrt(part)
        self._rows = [root * (1 - part), np.where(flipped, -slope, slope)]
        small = shapes < CUBE
        self._small = [bool(each) for each in np.any(small, axis=0).reshape(-1)]
        place = np.full(shapes.shape, -1, dtype=np.int32)
        known, at = np.unique(shapes[small], return_inverse=True)
        place[small] = 2 * at.ravel() + flipped[small]
        self._rows.append(place)
        table = [_quantiles(float(each), self.points) for each in known] or [np.zeros((1, self.points))]
        order = _orders(self.points, shapes.shape[1], int(rng.integers(SCRAMBLES)))
        self.shared = [self._typed(_scores(self.points)[order]), order, self._typed(np.concatenate(table))]

    def _typed(self, values: Floats) -> Any:
        with np.errstate(under="ignore"):
            return values.astype(self._type)

    def small(self, runner: Runner) -> tuple[bool, ...]:
        """Return for which variates the table is needed; a library that compiles asks it of all or none."""
        return (any(self._small),) * len(self._small) if runner.compiles else tuple(self._small)

    def blocks(self, runner: Runner) -> Iterator[slice]:
        """Return slices of as many sets as are computed at a time."""
        sets, size = len(self._rows[0]), np.dtype(self._type).itemsize
        many = max(1, runner.elements * 4 // (size * self.points))
        return (slice(start, min(start + many, sets)) for start in range(0, sets, many))

    def rows(self, of: Any) -> list[Any]:
        """Return what kernels take of some sets."""
        constant, slope, place = self._rows
        return [self._typed(constant[of]), self._typed(slope[of]), place[of]]

    def places(self, mass: float) -> list[Any]:
        """Return where among sorted draws intervals of a mass begin and end, and between which two."""
        first, part = _places(np.array([self.points]), mass)
        return [first[:, 0].astype(np.int32), self._typed(part[:, 0])]


# --- intervals --------------------------------------------------------------------------------------------------------


def intervals(joints: Counts, model: str, rule: Rule, rng: np.random.Generator, draws: int = DRAWS) -> Floats:
    """Return the interval of each set's difference: shape (sets, 2)."""
    if not len(joints):
        return np.empty((0, 2))
    runner = backend_of(rule.backend, rule.device)
    shapes = DRAWN[model].shapes(joints.astype(float), rule.priors[model])
    moments = _moments_of(shapes, model, rule, rng, draws, runner)
    ends = moments.interval(rule.hdi_mass)
    # Far from normal (few items of a class, a system without errors) the interval is searched for.
    odd = moments.odd | (np.abs(ends) > rule.measure.high - rule.measure.low).any(axis=1)
    if odd.any():
        ends[odd] = _searched(shapes[odd], model, rule, rng, runner)
    return ends


def _moments_of(
    shapes: Floats, model: str, rule: Rule, rng: np.random.Generator, draws: int, runner: Runner
) -> Moments:
    points = Points(shapes, draws, rng, double=rule.measure.ratio is None)
    asked = Asked(model, rule.measure, points.small(runner))
    found = [runner.run(_moments, asked, points.rows(block), points.shared) for block in points.blocks(runner)]
    mean, squares, cubes, fourths = (np.concatenate(each).astype(float) for each in zip(*found, strict=True))
    safe = np.where(squares > 0, squares, 1.0)
    return Moments(mean, np.sqrt(squares), cubes / safe**1.5, fourths / safe**2 - 3)


def _searched(shapes: Floats, model: str, rule: Rule, rng: np.random.Generator, runner: Runner) -> Floats:
    """Return the shortest interval of each set."""
    points = Points(shapes, MORE_DRAWS, rng, double=rule.measure.ratio is None)
    asked = Asked(model, rule.measure, points.small(runner))
    shared = [*points.shared, *points.places(rule.hdi_mass)]
    found = []
    for block in points.blocks(runner):
        rows = points.rows(block)
        ends = _least(*runner.run(_ends, asked, rows, shared))
        undefined = ~np.isfinite(ends).all(axis=1)
        if undefined.any():  # at some points: these are left out
            (raw,) = backend_of(USUAL).run(_raw, asked, [each[undefined] for each in rows], points.shared)
            ends[undefined] = shortest(np.where(np.isfinite(raw), raw, np.nan), rule.hdi_mass)
        found.append(ends)
    return np.concatenate(found)


def shortest(differences: Floats, mass: float) -> Floats:
    """Return the shortest interval of each row of draws, in which nan is left out."""
    ordered = np.sort(differences, axis=1)
    first, part = _places(np.maximum(np.sum(np.isfinite(ordered), axis=1), 1), mass)
    rows = np.arange(len(ordered))[:, None]
    low, high = (_between(ordered, rows, first[at], part[at]) for at in (0, 1))
    return _least(low, high)


def _places(sizes: Counts, mass: float) -> tuple[Counts, Floats]:
    """Return where intervals begin and end among sorted numbers, by what they leave out below.

    The whole and the fractional part of each place: both of shape (2, sizes, SPLITS).
    """
    below = np.linspace(0, 1 - mass, SPLITS)
    places = np.stack([below, below + mass])[:, None, :] * (sizes[:, None] - 1)
    first = np.clip(np.floor(places).astype(np.int64), 0, sizes[:, None] - 1)
    return first, np.where(first < sizes[:, None] - 1, places - first, 0.0)


def _between(ordered: Floats, rows: Counts, first: Counts, part: Floats) -> Floats:
    """Return sorted rows at places between two of their numbers."""
    upper = np.where(part > 0, ordered[rows, first + (part > 0)], 0.0)
    return np.asarray(np.where(part > 0, (1 - part) * ordered[rows, first] + part * upper, ordered[rows, first]))


def _least(low: Floats, high: Floats) -> Floats:
    """Return the shortest of each row's intervals, which differ in what they leave out below.

    The shortest of raw widths is too short, and its place is anybody's guess: the least of smoothed widths is looked
    for, and then that of a parabola through the widths around it.
    """
    widths = np.asarray(high - low, dtype=float)
    padded = np.pad(widths, ((0, 0), (NEAR // 2, NEAR // 2)), mode="edge")
    smooth = np.lib.stride_tricks.sliding_window_view(padded, NEAR, axis=1).mean(axis=2)
    place = _vertex(widths, np.argmin(smooth, axis=1))
    first = np.minimum(place.astype(np.int64), widths.shape[1] - 2)
    rows, part = np.arange(len(low)), place - first
    ends = [(1 - part) * own[rows, first] + part * own[rows, first + 1] for own in (low, high)]
    return np.stack(ends, axis=1).astype(float)


def _vertex(widths: Floats, start: Counts) -> Floats:
    """Return where a parabola through each row's widths near a place is least; the place itself if it has no least."""
    steps = np.arange(-WINDOW, WINDOW + 1)
    columns = start[:, None] + steps
    inside = (columns >= 0) & (columns < widths.shape[1])
    near = np.take_along_axis(widths, np.clip(columns, 0, widths.shape[1] - 1), axis=1)
    least = np.take_along_axis(widths, start[:, None], axis=1)
    with np.errstate(invalid="ignore"):
        used = (inside & (near <= least * FLAT)).astype(float)
    powers = np.stack([steps**power for power in range(5)]).astype(float)
    sums = used @ powers.T
    normal = sums[:, np.add.outer(np.arange(3), np.arange(3))]
    values = np.where(used > 0, near - least, 0.0) @ powers[:3].T
    enough = used.sum(axis=1) > 3
    fitted = np.zeros((len(widths), 3))
    fitted[enough] = np.linalg.solve(normal[enough], values[enough][..., None])[..., 0]
    curved = fitted[:, 2] > 0
    off = np.where(curved, -fitted[:, 1] / np.where(curved, 2 * fitted[:, 2], 1.0), 0.0)
    # Not beyond what it was fitted to.
    reach = np.where(used > 0, steps, 0)
    return np.asarray(start + np.clip(off, reach.min(axis=1), reach.max(axis=1)))


def verdicts(ends: Floats, rope: Interval) -> np.ndarray:
    """Return the decision on each interval: '<<', '>>', '~=' or '' (more data needed)."""
    low, high = ends.T
    inside = (low >= rope.low) & (high <= rope.high)
    return np.where(inside, "~=", np.where(high <= rope.low, "<<", np.where(low >= rope.high, ">>", "")))
