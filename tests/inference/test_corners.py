"""Corners of the engine: roots at the ends of curves, rough and degenerate mixtures, intervals of odd densities."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

from outclass.errors import RoughLawError
from outclass.inference import hdi, sobol
from outclass.inference.beta import logit_beta
from outclass.inference.closed import BetaLaw
from outclass.inference.curves import Curve, Fraction, FractionDifference, OddsDifference, Shifted
from outclass.inference.distribution import Interval
from outclass.inference.grid import StudentLaw
from outclass.inference.mixture import Mixture
from outclass.inference.mode import mode_of
from outclass.inference.nodes import Nodes, grid, sobol_points
from outclass.inference.normals import Normals
from outclass.inference.scores import ScoreSpline, _Cubic
from outclass.inference.tabulated import Tabulated

UNIT = Interval(0.0, 1.0)


# --- curves -----------------------------------------------------------------------------------------------------


def _differences(rng: np.random.Generator, move_a: int, move_b: int) -> FractionDifference:
    bottom_a, bottom_b = rng.uniform(0.4, 2.0, (2, 300))
    top_a, top_b = bottom_a * rng.random(300), bottom_b * rng.random(300)
    slope = rng.uniform(-0.5, 0.9, 300)
    return FractionDifference(
        span=rng.uniform(0.05, 0.35, 300),
        level=top_a * bottom_b - top_b * bottom_a,
        speed_a=bottom_a - top_a * slope,
        speed_b=bottom_b - top_b * slope,
        bottom_a=bottom_a,
        bottom_b=bottom_b,
        slope=slope,
        move_a=move_a,
        move_b=move_b,
    )


def _curves() -> dict[str, Curve]:
    rng = np.random.default_rng(12)
    top, bottom = rng.uniform(0.1, 1, (2, 300))
    rising = Fraction(top, rng.uniform(0.5, 2, 300), bottom, rng.uniform(0, 0.3, 300) * bottom)
    falling = Fraction(top, -top * rng.random(300), bottom, rng.uniform(0, 1.3, 300))
    far = rng.random(300)
    moves = {f"difference {a} {b}": (a, b) for a, b in ((1, -1), (-1, 1), (1, 0), (-1, 0), (0, 1), (0, -1))}
    return {
        "rising": rising,
        "falling": falling,
        "shifted": Shifted(rising, 1, far - 0.5),
        "turned": Shifted(rising, -1, far),
        "odds": OddsDifference(rng.uniform(0.2, 4, 300), far, 1 - far, 1),
        "odds, turned": OddsDifference(rng.uniform(0.2, 4, 300), far, 1 - far, -1),
    } | {name: _differences(rng, *pair) for name, pair in moves.items()}


@pytest.mark.parametrize("name", _curves())
def test_roots_stay_between_the_ends(name: str) -> None:
    """A last digit within, on and beyond either end: r and 1 - r lie in [0, 1], add up to 1, and are near that end."""
    curve = _curves()[name]
    for end in (0.0, 1.0):
        value = curve.at(np.full(300, end), np.full(300, 1 - end))
        for at in (value, np.nextafter(value, -9), np.nextafter(value, 9), value + 1e-15, value - 1e-15):
            r, rest, _ = curve.solve(at)
            assert np.all((r >= 0) & (r <= 1) & (rest >= 0) & (rest <= 1))
            assert r + rest == pytest.approx(np.ones(300), abs=1e-12)
            assert np.abs(r - end).max() < 1e-10


@pytest.mark.parametrize("name", _curves())
def test_infinite_values_lie_beyond_the_ends(name: str) -> None:
    """At plus and minus infinity the root is an end, by the curve's direction, without a warning."""
    curve = _curves()[name]
    up = curve.rising > 0

    assert np.array_equal(curve.solve(math.inf).r, up.astype(float))
    assert np.array_equal(curve.solve(-math.inf).r, (~up).astype(float))
    assert np.array_equal(curve.solve(math.inf).rest, (~up).astype(float))


@pytest.mark.parametrize("name", _curves())
def test_roots_are_brentqs(name: str) -> None:
    """Where SciPy's search finds the curve to take a value, the formula does; curves are monotone as they say."""
    curve = _curves()[name]
    r = np.linspace(0, 1, 21)[:, None]
    values = curve.at(r, 1 - r)
    rises = np.sign(np.diff(values, axis=0))
    middle = (values[4] + values[9]) / 2
    found = curve.solve(middle)
    for node in (0, 57, 130, 299):

        def off(x: float, node: int = node) -> float:
            at = np.full(300, x)
            return float(curve.at(at, 1 - at)[node] - middle[node])

        assert found.r[node] == pytest.approx(optimize.brentq(off, 0, 1, xtol=1e-13), abs=1e-9)
    assert np.array_equal(rises, np.broadcast_to(np.sign(curve.rising), rises.shape))
    assert np.all(np.isin(curve.rising, (-1.0, 1.0)))
    step = 1e-6
    slopes = (curve.at(found.r + step, found.rest - step) - curve.at(found.r - step, found.rest + step)) / (2 * step)
    assert found.speed == pytest.approx(1 / np.abs(slopes), rel=1e-5)


@pytest.mark.parametrize("flat", ["a", "b"])
def test_one_system_at_its_best_stands_still(flat: str) -> None:
    """Of x / x = 1, whose speed is zero, the difference is the other's alone."""
    one, r = np.ones(5), np.linspace(0.1, 0.9, 5)
    top, bottom = 0.3 * one, 1.2 * one
    best = {"speed": 0 * one, "bottom": 0.8 * one}
    other = {"speed": bottom - top, "bottom": bottom}
    a, b = (best, other) if flat == "a" else (other, best)
    level = 0.8 * bottom - top * 0.8 if flat == "a" else top * 0.8 - 0.8 * bottom
    curve = FractionDifference(
        span=0.5 * one,
        level=level,
        speed_a=a["speed"],
        speed_b=b["speed"],
        bottom_a=a["bottom"],
        bottom_b=b["bottom"],
        slope=one,
        move_a=1,
        move_b=-1,
    )
    x = 0.5 * r
    expected = 1 - (top - x) / (bottom - x) if flat == "a" else (top + x) / (bottom + x) - 1

    assert curve.at(r, 1 - r) == pytest.approx(expected, abs=1e-14)
    assert curve.rising.tolist() == [1] * 5
    assert curve.solve(expected).r == pytest.approx(r, abs=1e-9)


@pytest.mark.parametrize("bottom_slope", [-0.4, 0.0, 0.7])
@pytest.mark.parametrize("top_slope", [-0.25, 0.05, 0.4])
def test_directions_of_fractions(top_slope: float, bottom_slope: float) -> None:
    """A fraction rises where its value at 1 exceeds that at 0; its inverse has the speed of the slope at the root."""
    curve = Fraction(np.array([0.3]), np.array([top_slope]), np.array([0.9]), np.array([bottom_slope]))
    first, last = 0.3 / 0.9, (0.3 + top_slope) / (0.9 + bottom_slope)
    middle = (0.3 + 0.5 * top_slope) / (0.9 + 0.5 * bottom_slope)
    slope = (top_slope * 0.9 - bottom_slope * 0.3) / (0.9 + 0.5 * bottom_slope) ** 2
    r, rest, speed = curve.solve(middle)

    assert curve.rising[0] == np.sign(last - first)
    assert (r[0], rest[0]) == pytest.approx((0.5, 0.5), abs=1e-12)
    assert speed[0] == pytest.approx(1 / abs(slope), rel=1e-12)


def test_ends_of_fractions_may_be_given() -> None:
    """A top of 1e-20 at r = 1, which a sum would lose, is the value there, and its root is told by 1 - r."""
    top, end = np.array([1.0]), np.array([1e-20])
    one, none = np.ones(1), np.zeros(1)
    curve = Fraction(top, end - top, one, none, top_end=end, bottom_end=one)

    assert curve.at(one, none)[0] == 1e-20
    assert curve.at(none, one)[0] == 1
    assert curve.solve(3e-20).rest[0] == pytest.approx(2e-20, rel=1e-9, abs=0)


# --- mixtures ---------------------------------------------------------------------------------------------------


def _line(place: np.ndarray, slope: np.ndarray, method: Any, a: float = 30.0, b: float = 30.0) -> Mixture:
    """The law of place + slope * r, r ~ Beta(a, b), with equal weights."""
    one = np.ones_like(place)
    nodes = Nodes(np.zeros((1, *place.shape)), one[0] / place.shape[1], method)
    return Mixture(Fraction(place, slope, one, 0 * one), logit_beta(a, b), nodes, support=UNIT)


@pytest.mark.parametrize("method", ["quadrature", "cubature"])
def test_a_curve_that_stands_still_is_a_point(method: Any) -> None:
    """All probability at one number: it is the mean, every quantile, both ends of the interval and the mode."""
    law = _line(np.array([[0.3]]), np.zeros((1, 1)), method)

    assert law.mean == pytest.approx(0.3, abs=1e-15)
    assert law.std == pytest.approx(0, abs=1e-15)
    assert law.cdf([0.2, 0.4]).tolist() == [0, 1]
    assert law.probability(0.2, 0.4) == 1
    assert law.probability(0.4, 0.5) == 0


def _heaps(method: Any) -> Mixture:
    """Two heaps far apart, each a Beta of width 0.05: too rough for a table."""
    return _line(np.array([[0.0, 0.9]]), np.full((1, 2), 0.05), method)


def _of_heaps(x: Any) -> Any:
    one, other = stats.beta(30, 30, 0, 0.05), stats.beta(30, 30, 0.9, 0.05)
    return (one.cdf(x) + other.cdf(x)) / 2


def test_quantiles_of_heaps_are_solved_for() -> None:
    """Few quantiles of a rough law are roots of its cdf; many are read off its values, and are near."""
    law = _heaps("sobol")
    p = np.array([0.01, 0.1, 0.25, 0.45, 0.55, 0.6, 0.9, 0.99])
    x = law.quantile(p)
    many = law.quantile(np.linspace(0.01, 0.99, 60).reshape(3, 20))

    assert _of_heaps(x) == pytest.approx(p, abs=1e-4)
    assert many.shape == (3, 20)
    assert _of_heaps(many.ravel()) == pytest.approx(np.linspace(0.01, 0.99, 60), abs=5e-3)
    assert law.quantile(0.25).shape == ()
    assert float(law.quantile(0.25)) == pytest.approx(0.025, abs=1e-6)


@pytest.mark.parametrize("near", [0.0201, 0.024, 0.0249, 0.025, 0.0251, 0.03, 0.05])
def test_a_quantile_from_anywhere_near(near: float) -> None:
    """From a first guess on either side the root of the cdf is found, to 1e-7 stds; from too far the guess is kept."""
    law = _heaps("sobol")

    assert law._quantile(0.25, near) == pytest.approx(0.025, abs=2e-7)


def test_quantiles_of_heaps_on_a_grid() -> None:
    """On a grid they are read off the cdf at many values."""
    law = _heaps("quadrature")
    p = np.array([0.01, 0.1, 0.25, 0.45, 0.55, 0.9])

    assert _of_heaps(law.quantile(p)) == pytest.approx(p, abs=2e-2)
    assert law.quantile([0.0, 1.0]).tolist() == [0, 1]


@pytest.mark.parametrize("method", ["quadrature", "cubature"])
@pytest.mark.parametrize("mass", [0.2, 0.45])
def test_intervals_of_heaps(method: Any, mass: float) -> None:
    """The shortest interval of less than half lies in one heap, and is as wide as that heap's own."""
    law = _heaps(method)
    low, high = law.hdi(mass)
    own = 0.05 * np.array(BetaLaw(30, 30).hdi(2 * mass))

    assert _of_heaps(high) - _of_heaps(low) == pytest.approx(mass, abs=5e-3)
    assert high - low == pytest.approx(own[1] - own[0], rel=0.05)


@pytest.mark.parametrize(("a", "b"), [(9.0, 4.0), (2.0, 5.0), (40.0, 40.0)])
def test_rough_quantiles_are_near(a: float, b: float) -> None:
    """The values at the nodes, each at the middle of its probability, tell quantiles to a hundredth of a std."""
    law = _line(np.zeros((1, 1)), np.ones((1, 1)), "sobol", a=a, b=b)
    p = np.array([0.02, 0.2, 0.5, 0.77, 0.98])

    assert law.roughly(p) == pytest.approx(stats.beta(a, b).ppf(p), abs=0.02 * law.std)
    values, below = law._ranked
    assert np.all(np.diff(values) >= 0)
    assert below[0] > 0
    assert below[-1] < 1
    assert below[0] == pytest.approx(1 - below[-1], rel=1e-3)


def test_ranks_of_replicates() -> None:
    """Of several replicates every value is ranked, with the weight of its node shared among them."""
    place = np.array([[0.1, 0.2, 0.4], [0.12, 0.22, 0.43]])
    nodes = Nodes(np.zeros((1, 2, 3)), np.array([0.5, 0.3, 0.2]), "quadrature")
    one = np.ones((2, 3))
    law = Mixture(Fraction(place, 0.01 * one, one, 0 * one), logit_beta(30.0, 30.0), nodes, support=UNIT)
    values, below = law._ranked

    assert len(values) == len(below) == 6 * 37  # scores, at steps of 0.4 up to 7.2
    for x, expected in ((0.11, 0.25), (0.15, 0.5), (0.21, 0.65), (0.3, 0.8), (0.42, 0.9)):
        assert np.interp(x, values, below) == pytest.approx(expected, abs=0.01)
    assert law.mean == pytest.approx(0.005 + 0.5 * 0.11 + 0.3 * 0.21 + 0.2 * 0.415, abs=1e-9)


def test_more_than_the_nodes_can_tell() -> None:
    """A mass beyond what lies between the outermost values has them as its ends."""
    for method in ("quadrature", "sobol"):
        law = _line(np.zeros((1, 1)), np.ones((1, 1)), method, a=9.0, b=4.0)
        values, _ = law._ranked
        assert law._rough_interval(1 - 1e-15) == (values[0], values[-1])


@pytest.mark.parametrize("method", ["quadrature", "cubature"])
def test_rough_intervals(method: Any) -> None:
    """The shortest interval of the values at the nodes is near the law's own."""
    law = _line(np.zeros((1, 1)), np.ones((1, 1)), method, a=9.0, b=4.0)
    expected = BetaLaw(9, 4).hdi(0.8)

    assert law._rough_interval(0.8) == pytest.approx(expected, abs=0.06 if method == "quadrature" else 0.02)


def _of_two(nodes: Nodes, sign: int = 1) -> Mixture:
    """X - y, x ~ Beta(9, 4) and y ~ Beta(6, 7)."""
    t = logit_beta(6.0, 7.0).value(nodes.scores[0])
    curve = OddsDifference(np.ones_like(t), special.expit(t), special.expit(-t), sign)
    return Mixture(curve, logit_beta(9.0, 4.0), nodes, support=Interval(-1, 1))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("make", [lambda: grid(0.5), lambda: sobol_points(4, 1, 3)])
def test_at_the_ends_of_the_support_and_beyond(make: Callable[[], Nodes], sign: int) -> None:
    """At and beyond the ends no node has a root: nothing below, all above, no density, in each replicate."""
    law = _of_two(make(), sign)

    for value in (-1.0, -1.2, -math.inf):
        at = law.at(value)
        assert np.all(at.below == 0)
        assert at.above == pytest.approx(np.ones(law.nodes.replicates), abs=1e-12)
        assert np.all(at.density == 0)
    for value in (1.0, 1.2, math.inf):
        at = law.at(value)
        assert at.below == pytest.approx(np.ones(law.nodes.replicates), abs=1e-12)
        assert np.all(at.above == 0)
        assert np.all(at.density == 0)
    assert law.probability(-1.0, 1.0) == pytest.approx(1, abs=1e-12)
    assert law.probability(0.4, 0.1) == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_where_some_nodes_have_no_root(sign: int) -> None:
    """Near an end some nodes lie beyond: the density there is the mean over the others, by the chain rule."""
    nodes = sobol_points(4, 1, 3)
    law = _of_two(nodes, sign)
    y = special.expit(logit_beta(6.0, 7.0).value(nodes.scores[0]))
    for value in (-0.6, -0.2, 0.3, 0.5):
        x = y + sign * value
        below = stats.beta(9, 4).cdf(x) if sign == 1 else stats.beta(9, 4).sf(x)
        assert law.at(value).below == pytest.approx(below.mean(axis=1), abs=1e-7)
        assert law.at(value).above == pytest.approx(1 - below.mean(axis=1), abs=1e-7)
        assert law.at(value).density == pytest.approx(stats.beta(9, 4).pdf(x).mean(axis=1), abs=1e-5)


def test_replicates_are_laws_of_their_own() -> None:
    """Each replicate's numbers are those of its own nodes; probabilities of any interval too."""
    nodes = sobol_points(4, 1, 3)
    law = _of_two(nodes)
    for place in (0, 3, 7):
        part = law.replicates()[place]
        alone = _of_two(Nodes(nodes.scores[:, place : place + 1], nodes.weights, "sobol"))
        assert part.mean == pytest.approx(alone.mean, abs=1e-12)
        assert part.std == pytest.approx(math.hypot(alone.std, alone.mean - law.mean), abs=1e-9)
        assert part.cdf([[0.1], [0.3]]) == pytest.approx(alone.cdf([[0.1], [0.3]]), abs=1e-12)
        assert part.pdf([0.1, 0.3]) == pytest.approx(alone.pdf([0.1, 0.3]), abs=1e-9)
        for ends in ((-1.0, 0.1), (0.1, 1.0), (0.0, 0.2), (0.5, 0.7), (0.2, 0.0)):
            assert part.probability(*ends) == pytest.approx(alone.probability(*ends), abs=1e-9)


# --- intervals of odd densities -----------------------------------------------------------------------------------


def _brute(law: Any, mass: float) -> float:
    """The least width, over a fine grid of lower shares."""
    starts = np.linspace(0, 1 - mass, 20_001)
    return float(np.min(law.quantile(np.minimum(starts + mass, 1)) - law.quantile(starts)))


SHAPES = {
    "peak at 0": BetaLaw(1, 9),
    "pole at 0": BetaLaw(0.4, 3),
    "peak at 1": BetaLaw(9, 1),
    "pole at 1": BetaLaw(3, 0.4),
    "both ends": BetaLaw(0.5, 0.7),
    "symmetric poles": BetaLaw(0.6, 0.6),
    "skew": BetaLaw(1.05, 12),
    "skew, turned": BetaLaw(1.05, 12, -1, 1),
    "narrow": BetaLaw(400, 3),
    "flat": BetaLaw(1, 1),
    "slope": BetaLaw(1, 2),
}


@pytest.mark.parametrize("mass", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("name", SHAPES)
def test_shortest_of_any_shape(name: str, mass: float) -> None:
    """By whichever way an interval is found, it holds its mass and is as short as the shortest of 20,000."""
    law = SHAPES[name]
    least = _brute(law, mass)
    guesses = law.quantile(np.linspace(0.003, 0.997, 50))

    for found, close in (
        (law.hdi(mass), 1e-4),
        (hdi.shortest(law, mass), 1e-4),
        (hdi.shortest_by_cdf(law, guesses, mass), 1e-3),
    ):
        assert found.width <= least * (1 + close) + 1e-12
        assert law.probability(*found) == pytest.approx(mass, abs=1e-5)
        assert law.support.low <= found.low <= found.high <= law.support.high


class _Atom:
    """A share of 0.3 at zero itself, the rest uniform: its cdf starts at 0.3."""

    support = UNIT

    def cdf(self, x: Any) -> np.ndarray:
        at = np.asarray(x, dtype=float)
        return np.where(at < 0, 0.0, np.minimum(0.3 + 0.7 * at, 1.0))

    def pdf(self, x: Any) -> np.ndarray:
        return np.full(np.shape(x), 0.7)


@pytest.mark.parametrize("mass", [0.2, 0.5, 0.9])
def test_shortest_with_an_atom_at_the_end(mass: float) -> None:
    """With 30% of the probability at zero, the shortest interval starts there, and ends where the mass is reached."""
    found = hdi.shortest_by_cdf(_Atom(), np.linspace(0.1, 0.9, 9), mass)  # type: ignore[arg-type]

    assert found == pytest.approx((0, max(0.0, (mass - 0.3) / 0.7)), abs=1e-4)


BIMODAL = [(0.5, 0.05, 0.2), (0.65, 0.3, 0.1), (0.3, 0.1, 0.3)]


@pytest.mark.parametrize("mass", [0.25, 0.5, 0.8, 0.95])
@pytest.mark.parametrize(("weight", "first", "second"), BIMODAL)
def test_shortest_of_two_peaks(weight: float, first: float, second: float, mass: float) -> None:
    """Of two peaks, the shortest by the cdf is the shortest of 4,000, though densities cross twice."""
    law = Normals(np.array([weight, 1 - weight]), np.array([-1.0, 1.0]), np.array([first, second]))
    starts = np.linspace(0, 1 - mass, 4001)[1:-1]
    at = np.linspace(-4, 4, 40_001)
    below = law.cdf(at)
    least = float(np.min(np.interp(starts + mass, below, at) - np.interp(starts, below, at)))

    class Held:
        support, cdf, pdf = Interval(-4.0, 4.0), staticmethod(law.cdf), staticmethod(law.pdf)

    found = hdi.shortest_by_cdf(Held(), np.interp(np.linspace(0.002, 0.998, 80), below, at), mass)  # type: ignore[arg-type]
    assert found.width <= least * (1 + 1e-3)
    assert law.probability(*found) == pytest.approx(mass, abs=1e-6)


@pytest.mark.parametrize(
    ("law", "mode"),
    [
        (Normals(np.array([1.0]), np.array([0.25]), np.array([0.1])), 0.25),
        (Normals(np.array([0.6, 0.4]), np.array([-2.0, 3.0]), np.array([0.5, 0.5])), -2.0),
        (Normals(np.array([0.4, 0.6]), np.array([-2.0, 3.0]), np.array([0.5, 0.5])), 3.0),
    ],
)
def test_modes_by_search_are_sharp(law: Normals, mode: float) -> None:
    """Three rounds of search come within a thousandth of a std of the highest peak."""
    assert mode_of(law) == pytest.approx(mode, abs=1e-3 * law.std)


# --- tables -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("low", "width"), [(0.0, 1.0), (2.0, 3.0), (-1.0, 1.0)])
def test_tables_beyond_their_ends(low: float, width: float) -> None:
    """Outside the support there is nothing, and no warning, wherever zero lies; ends belong to the outside."""
    theirs = stats.beta(5, 3, low, width)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(low, low + width), theirs.mean(), theirs.std())
    beyond = [low - 1, low, low + width, low + width + 1, -math.inf, math.inf]
    x = low + width * np.array([0.05, 0.3, 0.6, 0.97])

    assert law.pdf(beyond).tolist() == [0] * 6
    assert law.cdf(beyond).tolist() == [0, 0, 1, 1, 0, 1]
    assert law.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-4)
    assert law.cdf(x) == pytest.approx(theirs.cdf(x), rel=1e-5)
    assert law.probability(*x[2:]) == pytest.approx(theirs.cdf(x[3]) - theirs.cdf(x[2]), rel=1e-5)
    assert law.probability(*x[:2]) == pytest.approx(theirs.cdf(x[1]) - theirs.cdf(x[0]), rel=1e-5)
    assert law.support == (low, low + width)
    assert law.mean == pytest.approx(theirs.mean(), abs=1e-6)


@pytest.mark.parametrize("tail", [1e-15, 1e-30, 1e-100, 1e-300])
def test_tables_deep_in_the_tail(tail: float) -> None:
    """Of a normal law the curve of scores is a line: quantiles are SciPy's as far as numbers go."""
    theirs = stats.norm(2, 3)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(-math.inf, math.inf), 2.0, 3.0)

    assert float(law.quantile(tail)) == pytest.approx(theirs.ppf(tail), rel=1e-5)
    assert law.probability(-math.inf, float(theirs.ppf(tail))) == pytest.approx(tail, rel=0.05, abs=0)


@pytest.mark.parametrize("even", [True, False])
def test_cubics_on_two_pieces(even: bool) -> None:
    """At each knot, between any two and beyond the last, values and slopes are those of the cubic of that piece."""
    knots = np.array([0.0, 1.0, 2.0, 3.0]) if even else np.array([0.0, 0.5, 2.0, 3.0])
    values, slopes = np.array([0.0, 1.0, 1.5, 4.0]), np.array([1.0, 0.5, 2.0, 3.0])
    cubic = _Cubic(knots, values, slopes)
    at = np.array([0.0, 0.2, 0.5, 1.0, 1.7, 2.0, 2.6, 3.0])
    from scipy.interpolate import CubicHermiteSpline

    theirs = CubicHermiteSpline(knots, values, slopes)
    value, slope = cubic.with_slope(at)

    assert cubic._even is even
    assert cubic(at) == pytest.approx(theirs(at), abs=1e-12)
    assert value == pytest.approx(theirs(at), abs=1e-12)
    assert slope == pytest.approx(theirs(at, 1), abs=1e-12)
    assert cubic(np.array([-2.0, 5.0])) == pytest.approx([-2.0, 10.0], abs=1e-12)
    assert cubic.with_slope(np.array([-2.0, 5.0]))[0] == pytest.approx([-2.0, 10.0], abs=1e-12)


@pytest.mark.parametrize("stretch", [1.0, 4.0])
def test_scores_lead_there_and_back(stretch: float) -> None:
    """The backward curve is the inverse of the forward one, its slope one over the other's; on even knots or not."""
    z = np.linspace(-6, 6, 121)
    law = ScoreSpline(z, np.sinh(z * stretch / 4), np.cosh(z * stretch / 4) * stretch / 4)
    at = np.linspace(-5, 5, 41)
    t = law.value(at)
    score, slope = law.score_and_slope(t)

    assert law.score(t) == pytest.approx(at, abs=2e-4)
    assert score == pytest.approx(at, abs=2e-4)
    assert slope == pytest.approx(4 / stretch / np.cosh(at * stretch / 4), rel=1e-2)
    assert law.cdf(t) == pytest.approx(special.ndtr(at), abs=1e-4)


# --- noise, bumps and points --------------------------------------------------------------------------------------


class _Trembling:
    """A normal law whose density trembles, as a mean over few random points does."""

    def __init__(self, amplitude: float) -> None:
        normal = StudentLaw(1e9, 0.5, 0.1)
        self.mean, self.std, self.support, self.cdf = normal.mean, normal.std, normal.support, normal.cdf
        self._density, self._amplitude = normal.pdf, amplitude

    def pdf(self, x: Any) -> np.ndarray:
        at = np.asarray(x, dtype=float)
        return np.asarray(self._density(at) * (1 + self._amplitude * np.sin(1e9 * at)))


@pytest.mark.parametrize("mass", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("amplitude", [1e-3, 4e-3, 5e-3, 8e-3])
def test_trembling_densities_are_near_enough(amplitude: float, mass: float) -> None:
    """Asked for four digits, the search finds an interval on a density that trembles in the third."""
    reach = 0.1 * float(special.ndtri((1 + mass) / 2))
    start = Interval(0.5 - 1.1 * reach, 0.5 + 1.05 * reach)
    found = hdi.polished(_Trembling(amplitude), start, mass, 1e-4)  # type: ignore[arg-type]

    assert found is not None
    assert found.interval == pytest.approx((0.5 - reach, 0.5 + reach), abs=2e-3)
    assert hdi.polished(_Trembling(0.05), start, mass, 1e-9) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("at", [0.0, 0.06, 0.5, 1.03, -1.7])
@pytest.mark.parametrize("share", [0.003, 0.01, 0.03])
def test_bumps_between_the_knots_are_refused(share: float, at: float) -> None:
    """A narrow bump that falls between two knots shows in what the slopes there leave out: no table is made."""
    wide, narrow = stats.norm(0, 1), stats.norm(at, 1e-3)

    def of(name: str) -> Callable[[np.ndarray], np.ndarray]:
        one, other = getattr(wide, name), getattr(narrow, name)
        return lambda x: np.asarray((1 - share) * one(x) + share * other(x))

    with pytest.raises(RoughLawError, match="too rough"):
        Tabulated.of(of("cdf"), of("pdf"), Interval(-math.inf, math.inf), 0.0, 1.0)


@pytest.mark.parametrize("method", ["quadrature", "cubature"])
def test_quantiles_of_a_point(method: Any) -> None:
    """Where a curve stands still, every quantile, draw and interval is its one value."""
    law = _line(np.array([[0.3]]), np.zeros((1, 1)), method)

    assert law.quantile([[0.1, 0.9]]) == pytest.approx(np.array([[0.3, 0.3]]), abs=1e-12)
    assert law.quantile(0.5) == pytest.approx(0.3, abs=1e-12)
    assert law.hdi(0.9) == pytest.approx((0.3, 0.3), abs=1e-12)
    assert law.sample(4, np.random.default_rng(1)) == pytest.approx(np.full(4, 0.3), abs=1e-12)
    assert mode_of(law) == pytest.approx(0.3, abs=1e-12)


def test_a_guess_too_far_is_kept() -> None:
    """A share that the cdf never reaches has no root: the guess is returned."""
    law = _line(np.array([[0.3]]), np.full((1, 1), 0.1), "sobol")

    assert law._quantile(-0.1, 0.35) == 0.35
    assert law._quantile(1.1, 0.35) == 0.35


@pytest.mark.parametrize("mass", [0.3, 0.8, 0.97])
def test_rough_intervals_of_random_nodes_hold_their_mass(mass: float) -> None:
    """Off a grid the ends are solved for, so that the mass inside is what was asked for."""
    law = _line(np.zeros((1, 1)), np.ones((1, 1)), "sobol", a=9.0, b=4.0)

    assert law.probability(*law._rough_interval(mass)) == pytest.approx(mass, abs=1e-5)


def test_replicates_intervals_are_of_the_usual_mass() -> None:
    """A replicate's interval holds 95% unless another mass is named."""
    law = _of_two(sobol_points(4, 1, 3))

    assert [part.hdi() for part in law.replicates()] == [part.hdi(0.95) for part in law.replicates()]
    assert law.hdi() == law.hdi(0.95)


def test_worst_error_where_there_is_no_density() -> None:
    """Two stds out of a law with ends there may be no density: the error of the cdf is what counts there."""
    place = np.array([[0.1, 0.8], [0.11, 0.8], [0.1, 0.81], [0.12, 0.8]])
    law = _line(place, np.full(place.shape, 0.02), "sobol")
    beyond = [law.mean - 2 * law.std, law.mean + 2 * law.std]

    assert law.pdf(beyond).tolist() == [0, 0]
    assert math.isfinite(law.worst_error())


@pytest.mark.parametrize("size", [1e-7, 1.0, 1e7])
def test_cubics_of_any_size(size: float) -> None:
    """Whether knots are even is told relative to their distance: minute uneven ones are not taken for even."""
    knots = size * np.array([0.0, 0.5, 2.0, 3.0])
    cubic = _Cubic(knots, np.array([0.0, 0.25, 4.0, 9.0]), np.array([0.0, 1.0, 4.0, 6.0]) / size)
    at = np.array([0.2, 0.5, 1.1, 2.9])

    assert not cubic._even
    assert cubic(size * at) == pytest.approx(at**2, abs=1e-12)
    assert cubic.with_slope(size * at)[1] * size == pytest.approx(2 * at, rel=1e-9)
    assert _Cubic(size * np.linspace(0, 1, 5), np.arange(5.0), np.full(5, 4 / size))._even


@pytest.mark.parametrize("dimensions", [1, 3, 8])
def test_sobol_points_of_some_dimensions(dimensions: int) -> None:
    """As many dimensions as asked for, each the same as among all; every half, quarter and eighth holds its share."""
    points = sobol.uniform(5, dimensions)

    assert points.shape == (dimensions, 32)
    assert np.array_equal(points, sobol.uniform(5)[:dimensions])
    assert np.all(np.sort(points, axis=1) == np.arange(32) / 32)
    nodes = sobol_points(5, dimensions, 3)
    assert nodes.scores.shape == (dimensions, 8, 32)
    shares = np.floor(special.ndtr(nodes.scores) * 32)
    assert np.all(np.sort(shares, axis=2) == np.arange(32))  # scrambled, each point has its own cell still
    assert nodes.weights == pytest.approx(np.full(32, 1 / 32))


@pytest.mark.parametrize("mass", [0.05, 0.5, 0.9])
@pytest.mark.parametrize("law", [BetaLaw(2, 30), BetaLaw(400, 3), BetaLaw(2, 9, -1, 1)])
def test_intervals_beside_the_mean(law: BetaLaw, mass: float) -> None:
    """Where the mean lies outside a short interval, the densities at its ends are equal all the same, to six digits."""
    low, high = law.hdi(mass)

    assert float(law.pdf(low)) == pytest.approx(float(law.pdf(high)), rel=1e-6)


class _Tail:
    """A share of 0.4 at one itself, the rest uniform: its cdf jumps at the end."""

    support = UNIT

    def cdf(self, x: Any) -> np.ndarray:
        at = np.asarray(x, dtype=float)
        return np.where(at >= 1, 1.0, np.clip(0.6 * at, 0.0, 0.6))

    def pdf(self, x: Any) -> np.ndarray:
        return np.full(np.shape(x), 0.6)


@pytest.mark.parametrize("mass", [0.5, 0.9])
def test_shortest_with_an_atom_at_the_upper_end(mass: float) -> None:
    """With 40% of the probability at one, the shortest interval ends there."""
    found = hdi.shortest_by_cdf(_Tail(), np.linspace(0.05, 0.95, 19), mass)  # type: ignore[arg-type]

    assert found.high == pytest.approx(1, abs=1e-4)
    assert found.low == pytest.approx((1 - mass) / 0.6, abs=1e-3)
