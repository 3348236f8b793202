"""The Rao-Blackwellised law of x - y for independent Beta variates, against SciPy's quadrature and closed forms."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from outclass import measures
from outclass.inference.adaptive import FIRST_POWER, LAST_POWER, MORE_POWERS, adaptive
from outclass.inference.beta import logit_beta
from outclass.inference.closed import BetaLaw
from outclass.inference.curves import Fraction, OddsDifference, Shifted
from outclass.inference.distribution import Interval, numerical_error, spread
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import Nodes, grid, sobol_points
from outclass.inference.settings import Settings
from outclass.models.one.single import Single

X, Y = (9.0, 4.0), (6.0, 7.0)
AT = np.array([-0.3, 0.0, 0.21, 0.5])


def _mixture(nodes: Nodes, sign: int = 1, coarser: "Callable[[], Mixture] | None" = None) -> Mixture:
    t = logit_beta(*Y).value(nodes.scores[0])
    ones = np.ones_like(t)
    curve = OddsDifference(ones, special.expit(t), special.expit(-t), sign)
    return Mixture(curve, logit_beta(*X), nodes, support=Interval(-1, 1), coarser=coarser)


def _on_grid(step: float = 0.25) -> Mixture:
    return _mixture(grid(step), coarser=lambda: _mixture(grid(2 * step)))


LAWS = {
    "grid": _on_grid(),
    "sobol": _mixture(sobol_points(12, 1, 3)),
    "turned": _mixture(grid(0.25), -1),
}
CLOSE = {"grid": 1e-6, "sobol": 2e-4, "turned": 1e-6}


def _cdf(d: float) -> float:
    """P(x - y <= d), by SciPy."""
    x, y = stats.beta(*X), stats.beta(*Y)
    return float(integrate.quad(lambda u: x.cdf(d + u) * y.pdf(u), 0, 1, epsabs=1e-12, epsrel=1e-12, limit=200)[0])


def _pdf(d: float) -> float:
    x, y = stats.beta(*X), stats.beta(*Y)
    inside = max(0.0, -d), min(1.0, 1 - d)
    return float(integrate.quad(lambda u: x.pdf(d + u) * y.pdf(u), *inside, epsabs=1e-12, limit=200)[0])


CDF, PDF = np.array([_cdf(d) for d in AT]), np.array([_pdf(d) for d in AT])
MEAN = X[0] / sum(X) - Y[0] / sum(Y)
STD = math.hypot(stats.beta(*X).std(), stats.beta(*Y).std())


@pytest.mark.parametrize("name", LAWS)
def test_law_of_a_difference(name: str) -> None:
    """cdf, pdf, moments, quantiles and the interval; the other way round everything is mirrored."""
    law, close = LAWS[name], CLOSE[name]
    sign = -1 if name == "turned" else 1
    cdf = CDF if sign == 1 else 1 - CDF

    assert law.method == ("sobol" if name == "sobol" else "quadrature")
    assert law.cdf(sign * AT) == pytest.approx(cdf, abs=close)
    assert law.pdf(sign * AT) == pytest.approx(PDF, abs=100 * close)
    assert law.cdf(sign * AT.reshape(2, 2)).shape == (2, 2)
    assert math.isnan(law.cdf([math.nan, 0.1])[0])
    assert list(law.cdf([-1.0, 1.0])) == pytest.approx([0, 1], abs=1e-7)
    assert law.mean == pytest.approx(sign * MEAN, abs=close)
    assert law.std == pytest.approx(STD, rel=10 * close)
    assert law.quantile(cdf) == pytest.approx(sign * AT, abs=10 * close)
    assert law.probability(-0.1, 0.2) == pytest.approx(
        abs(_cdf(sign * 0.2) - _cdf(-sign * 0.1)) if sign == 1 else _cdf(0.1) - _cdf(-0.2), abs=close
    )
    low, high = law.hdi()
    assert law.probability(low, high) == pytest.approx(0.95, abs=1e-4)
    assert float(law.pdf(low)) == pytest.approx(float(law.pdf(high)), abs=2e-3)
    assert law.sample(5, np.random.default_rng(1)) == pytest.approx(law.quantile(np.random.default_rng(1).random(5)))


def test_small_probabilities_keep_their_digits() -> None:
    """Both tails, and a narrow interval within a tail, relative to themselves."""
    law = LAWS["grid"]
    x, y = stats.beta(*X), stats.beta(*Y)

    def above(d: float) -> float:
        return float(integrate.quad(lambda u: x.sf(d + u) * y.pdf(u), 0, 1 - d, epsabs=0, epsrel=1e-10)[0])

    assert law.probability(0.85, 1.0) == pytest.approx(above(0.85), rel=1e-3, abs=0)
    assert law.probability(0.8, 0.85) == pytest.approx(above(0.8) - above(0.85), rel=1e-3, abs=0)
    assert law.probability(-1.0, -0.7) == pytest.approx(_cdf(-0.7), rel=1e-3, abs=0)
    assert law.probability(0.3, 0.2) == 0


def test_error_of_a_grid() -> None:
    """Twice the step tells the error of the grid, with what the tables leave."""
    law = _on_grid(0.5)
    (coarser,) = law.replicates()
    found = numerical_error(law, lambda part: [part.mean, float(part.cdf(0.1))])

    assert coarser.mean == _mixture(grid(1.0)).mean
    assert found == pytest.approx(
        [abs(law.mean - coarser.mean) + 5e-8, abs(float(law.cdf(0.1) - coarser.cdf(0.1))) + 5e-8], rel=1e-9
    )


def test_error_of_sobol_points() -> None:
    """Eight replicates, each a law by itself; their spread tells the error, which covers the truth."""
    law = LAWS["sobol"]
    parts = law.replicates()

    assert len(parts) == 8
    for number in ("mean", "std"):
        numbers = np.array([getattr(part, number) for part in parts])
        assert numbers.std() > 0
        assert numbers.mean() == pytest.approx(getattr(law, number), abs=1e-4)
    assert np.mean([part.cdf([[0.1, 0.2]]) for part in parts], axis=0) == pytest.approx(law.cdf([[0.1, 0.2]]))
    assert np.mean([part.pdf(0.1) for part in parts]) == pytest.approx(float(law.pdf(0.1)))
    assert np.mean([part.probability(0.1, 0.2) for part in parts]) == pytest.approx(law.probability(0.1, 0.2))
    assert {part.method for part in parts} == {"sobol"}
    assert {part.support for part in parts} == {law.support}
    assert parts[0].quantile(0.3) == law.quantile(0.3)
    assert parts[0].replicates() == []
    numbers = np.array([[1.0], [2.0], [4.0]])
    assert law.error(np.zeros(1), numbers) == parts[0].error(np.zeros(1), numbers) == spread(numbers)
    error = numerical_error(law, lambda part: [part.mean])[0]
    assert abs(law.mean - MEAN) <= 2 * error
    assert error < 1e-3
    assert parts[2].sample(3, np.random.default_rng(0)) == pytest.approx(law.sample(3, np.random.default_rng(0)))


def _alone(law: Mixture, place: int) -> Mixture:
    """One replicate as a law by itself."""
    nodes = Nodes(law.nodes.scores[:, place : place + 1], law.nodes.weights, "sobol")
    return _mixture(nodes)


def test_moved_intervals_are_the_replicates_own() -> None:
    """One Newton step from the whole's interval leads most of the way to each replicate's own, found from nothing."""
    law = _mixture(sobol_points(5, 1, 3))
    whole = np.array(law.hdi(0.9))
    own = np.array([_alone(law, place).hdi(0.9) for place in range(8)])
    moved = np.array([part.hdi(0.9) for part in law.replicates()])

    assert np.abs(own - whole).max() > 1e-3
    assert np.abs(moved - own).max() < 0.3 * np.abs(own - whole).max()


def test_moved_intervals_of_a_peak_at_the_end() -> None:
    """X ~ Beta(1, 9) times a scale that differs between nodes: 90% of each replicate end at its own quantile."""
    nodes = sobol_points(5, 1, 3)
    scale = special.expit(nodes.scores[0])
    zero, one = np.zeros_like(scale), np.ones_like(scale)
    law = Mixture(Fraction(zero, scale, one, zero), logit_beta(1.0, 9.0), nodes, support=Interval(0, 1))
    whole, moved = law.hdi(0.9), law.moved(0.9)
    own = [_until(lambda d, part=part: float(np.mean(stats.beta(1, 9).cdf(d / part))), 0.9) for part in scale]

    assert whole.low == pytest.approx(0, abs=2e-3)
    assert np.ptp(own) > 1e-3
    # The whole's interval is that of values at nodes, a little off; what counts is how the replicates differ.
    assert np.ptp([part.high - end for part, end in zip(moved, own, strict=True)]) < 0.1 * np.ptp(own)


def _until(cdf: Callable[[float], float], mass: float) -> float:
    """Where a cdf reaches a mass, by SciPy."""
    return float(optimize.brentq(lambda d: cdf(d) - mass, 1e-9, 1 - 1e-9))


def test_where_the_search_starts() -> None:
    """At normal quantiles about the mean, at two stds where these are as good, and never beyond the support."""
    law = LAWS["grid"]
    end = Mixture(law.curve, law.law, law.nodes, support=Interval(law.mean - 0.1, law.mean + 0.2))

    assert law._start(0.9) == pytest.approx((law.mean - 1.6448536 * law.std, law.mean + 1.6448536 * law.std), rel=1e-6)
    assert law._start(0.95) == pytest.approx((law.mean - 2 * law.std, law.mean + 2 * law.std), rel=1e-9)
    assert end._start(0.95) == pytest.approx(
        (law.mean - 0.1 + 1e-3 * end.std, law.mean + 0.2 - 1e-3 * end.std), rel=1e-9
    )
    # The shortest interval of the values at the nodes is about the law's own.
    assert LAWS["sobol"]._rough_interval(0.9) == pytest.approx(LAWS["sobol"].hdi(0.9), abs=0.02)


@pytest.mark.parametrize("sign", [1, -1])
def test_worst_error(sign: int) -> None:
    """The spread of the cdf (or of a quantile, if larger) at the mean and two stds on either side, by hand."""
    law = _mixture(sobol_points(8, 1, 5), sign)
    found = 0.0
    for value in (law.mean - 2 * law.std, law.mean, law.mean + 2 * law.std):
        own = float(spread(np.array([part.cdf(value) for part in law.replicates()])))
        found = max(found, own, own / float(law.pdf(value)))

    assert law.worst_error() == pytest.approx(found, rel=1e-9)


def test_scaled_density() -> None:
    """With a span of one it is the density itself."""
    law = LAWS["grid"]

    assert law.scaled_density(0.1) == pytest.approx(float(law.pdf(0.1)), rel=1e-12)


def test_a_single_curve_is_the_beta_law() -> None:
    """Without anything to average over, r itself: every number is the Beta law's, rising or falling."""
    one = np.ones((1, 1))
    nodes = Nodes(np.zeros((1, 1, 1)), np.ones(1), "quadrature")
    rising = Mixture(Fraction(0 * one, one, one, 0 * one), logit_beta(*X), nodes, support=Interval(0, 1))
    turned = Shifted(Fraction(0 * one, one, one, 0 * one), -1, one)
    falling = Mixture(turned, logit_beta(*X), nodes, support=Interval(0, 1))
    x = np.array([0.2, 0.5, 0.9])

    assert rising.cdf(x) == pytest.approx(stats.beta(*X).cdf(x), abs=1e-9)
    assert rising.pdf(x) == pytest.approx(stats.beta(*X).pdf(x), rel=1e-6)
    assert falling.cdf(1 - x) == pytest.approx(stats.beta(*X).sf(x), abs=1e-9)
    assert falling.pdf(1 - x) == pytest.approx(stats.beta(*X).pdf(x), rel=1e-6)
    assert rising.hdi(0.9) == pytest.approx(BetaLaw(*X).hdi(0.9), abs=1e-6)
    assert rising.std == pytest.approx(stats.beta(*X).std(), rel=1e-6)
    assert rising.sketch.quantile(0.3) == pytest.approx(stats.beta(*X).ppf(0.3), abs=1e-6)


def test_peaks_at_the_end_of_the_range() -> None:
    """X ~ Beta(20, 1) by itself: the shortest 90% ends at 1, and begins at 0.1**(1/20)."""
    one = np.ones((1, 1))
    nodes = Nodes(np.zeros((1, 1, 1)), np.ones(1), "quadrature")
    law = Mixture(Fraction(0 * one, one, one, 0 * one), logit_beta(20.0, 1.0), nodes, support=Interval(0, 1))

    assert law.hdi(0.9) == pytest.approx((0.1 ** (1 / 20), 1), abs=1e-4)


def test_laws_too_rough_for_a_table() -> None:
    """Two heaps far apart: quantiles come from the cdf at many values; the medians of the heaps are known."""
    place = np.array([[0.0, 0.9]])
    fraction = Fraction(place, np.full((1, 2), 0.05), np.ones((1, 2)), np.zeros((1, 2)))
    heaps = Nodes(np.zeros((1, 1, 2)), np.array([0.5, 0.5]), "quadrature")
    law = Mixture(fraction, logit_beta(30.0, 30.0), heaps, support=Interval(0, 1))

    assert law.quantile([0.25, 0.75]) == pytest.approx([0.025, 0.925], abs=2e-3)
    assert list(law.quantile([0.0, 1.0])) == [0, 1]
    random = Nodes(np.zeros((1, 1, 2)), np.array([0.5, 0.5]), "sobol")
    other = Mixture(fraction, logit_beta(30.0, 30.0), random, support=Interval(0, 1))
    assert other.quantile([0.25, 0.75]) == pytest.approx([0.025, 0.925], abs=5e-3)


class _Fake:
    """A law whose error falls as 1/points from a given error at the first power."""

    def __init__(self, power: int, error: float, ends: float = 0.0) -> None:
        self.power, self._error, self._ends = power, error, ends
        self.nodes = sobol_points(1, 1, 0)
        asked.append(power)

    def worst_error(self) -> float:
        return self._error / 2.0 ** (self.power - FIRST_POWER)

    def moved(self, mass: float) -> list[Interval]:
        assert mass == 0.95
        step = self._ends / 2.0 ** (self.power - FIRST_POWER)
        return [Interval(0.0, step * side) for side in (-1, 1)]


asked: list[int] = []


@pytest.mark.parametrize(
    ("error", "tolerance", "powers"),
    [
        (9e-5, 1e-4, [10]),  # 1.1 times the error, a margin, is within the tolerance
        (9.5e-5, 1e-4, [10, 11]),
        (4e-4, 1e-4, [10, 12, 13]),  # 4.4 times too much: ceil(log2 4.4 - 0.3) = 2 powers, and one more
        (1.0, 1e-4, [10, 14]),  # the last power, whatever the error
        (1.0, 1e-3, [10, 11]),  # a tolerance ten times wider: three powers fewer at the last
        (1.0, 1e-6, [10, 14]),
        (1.0, 2e-4, [10, 13]),
    ],
)
def test_points_are_added_until_it_is_enough(error: float, tolerance: float, powers: list[int]) -> None:
    """From the first power of two on, jumping to where the error should be small enough."""
    asked.clear()
    law = adaptive(lambda power: _Fake(power, error), tolerance)  # type: ignore[arg-type, return-value]

    assert asked == powers
    assert law.power == powers[-1]  # type: ignore[attr-defined]
    assert (FIRST_POWER, LAST_POWER, MORE_POWERS) == (10, 14, 2)


def test_stepped_laws_may_take_more() -> None:
    """Their interval's ends are asked too, and at the usual tolerance they may take two powers more."""
    asked.clear()
    adaptive(lambda power: _Fake(power, 1e-9, 1.0), 1e-4, stepped=True)  # type: ignore[arg-type, return-value]
    assert asked[-1] == 16
    asked.clear()
    adaptive(lambda power: _Fake(power, 1e-9, 1.0), 2e-4, stepped=True)  # type: ignore[arg-type, return-value]
    assert asked[-1] == 13
    asked.clear()
    adaptive(lambda power: _Fake(power, 1e-9, 1e-9), 1e-4, stepped=True)  # type: ignore[arg-type, return-value]
    assert asked == [10]
    asked.clear()
    adaptive(lambda power: _Fake(power, 1e-9, 1.0), 1e-4)  # type: ignore[arg-type, return-value]
    assert asked == [10]


@pytest.mark.parametrize(
    ("a", "b", "points"),
    [(30.0, 20.0, 5), (5.0, 5.0, 5), (0.6, 3.0, 15), (1.0, 1.0, 15), (3.0, 3.0, 15), (2.0, 9.0, 15), (0.5, 0.5, 29)],
)
def test_moments_whatever_the_shape(a: float, b: float, points: int) -> None:
    """Mean and std of r itself to four digits: near a normal law by few points, skewed, flat or U-shaped by more."""
    one = np.ones((1, 1))
    nodes = Nodes(np.zeros((1, 1, 1)), np.ones(1), "sobol")
    law = Mixture(Fraction(0 * one, one, one, 0 * one), logit_beta(a, b), nodes, support=Interval(0, 1))

    assert law.mean == pytest.approx(a / (a + b), abs=1e-6)
    assert law.std == pytest.approx(stats.beta(a, b).std(), rel=1e-4)
    assert len(law._values[1]) == points


@pytest.mark.parametrize("name", LAWS)
def test_values_asked_together_are_those_asked_alone(name: str) -> None:
    """However many values are looked at in one go, each is what it is by itself: cdf, pdf, both tails."""
    law = {
        "grid": _on_grid,
        "sobol": lambda: _mixture(sobol_points(12, 1, 3)),
        "turned": lambda: _mixture(grid(0.25), -1),
    }
    at = np.linspace(-0.95, 0.95, 41)
    together = law[name]()
    cdf, pdf = together.cdf(at), together.pdf(at)
    alone = law[name]()
    assert cdf == pytest.approx([float(alone.at(float(x)).below.mean()) for x in at], abs=1e-14)
    assert pdf == pytest.approx([float(alone.at(float(x)).density.mean()) for x in at], abs=1e-12)
    above = np.array([float(together.at(float(x)).above.mean()) for x in at])
    assert cdf + above == pytest.approx(np.ones(41), abs=1e-12)
    assert np.all((cdf >= 0) & (cdf <= 1))
    assert np.all(np.diff(cdf) > 0)
    # Small probabilities are told from their own side.
    assert 0 < together.probability(0.93, 0.95) < 1e-5
    tails = [float(together.at(x).above.mean()) for x in (0.93, 0.95)]
    assert together.probability(0.93, 0.95) == pytest.approx(tails[0] - tails[1], rel=1e-9)


def test_an_interval_with_a_steep_end() -> None:
    """Where the density rises steeply within a window around an end, the interval still has the mass and equal ends."""
    posterior = Single(mu=(8.5, 467.5), recall=(1.5, 7.5), fallout=(0.5, 467.5), settings=Settings())
    law = posterior.law(measures.get("balanced_accuracy"))
    low, high = law.hdi()

    assert law.cdf(high) - law.cdf(low) == pytest.approx(0.95, abs=1e-6)
    assert float(law.pdf(low)) == pytest.approx(float(law.pdf(high)), rel=1e-4)
