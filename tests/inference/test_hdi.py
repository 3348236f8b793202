"""The shortest interval by every way it is found, against closed forms."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from outclass.errors import InputError
from outclass.inference import hdi
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.grid import StudentLaw

NORMAL = StudentLaw(1e9, 0.5, 0.1)  # a normal law to nine digits
REACH = 1.959963984540054  # the normal quantile of 0.975


@pytest.mark.parametrize(
    ("values", "mass", "expected"),
    [
        ([0, 5, 5.1, 5.2, 9], 0.6, (5, 5.2)),
        ([0, 5, 5.1, 5.2, 9], 0.61, (5, 9)),  # four of five: 0 to 5.2 is longer
        ([1, 2, 4, 8], 1e-9, (1, 1)),  # one at least
        ([1, 2, 4, 8], 0.9999, (1, 8)),
        ([1, 2, 4, 8], 1.0, (1, 8)),
        ([8, 12, 14, 15], 0.5, (14, 15)),
    ],
)
def test_sliding_window(values: list[float], mass: float, expected: tuple[float, float]) -> None:
    """The shortest window of sorted values, by hand."""
    assert hdi.shortest_of_sorted(np.array(values, dtype=float), mass) == pytest.approx(expected)


def test_what_an_interval_lacks() -> None:
    """Mass inside, and the difference of the densities in units of 1/std, by SciPy."""
    law, theirs = BetaLaw(3, 7), stats.beta(3, 7)
    found = hdi.lack(law, np.array([0.1, 0.5]), 0.9)

    assert found[0] == pytest.approx(theirs.cdf(0.5) - theirs.cdf(0.1) - 0.9, abs=1e-12)
    assert found[1] == pytest.approx((theirs.pdf(0.5) - theirs.pdf(0.1)) * theirs.std(), abs=1e-12)


@pytest.mark.parametrize("derivatives", [hdi._normal_jacobian, hdi._jacobian])
def test_derivatives_of_what_it_lacks(derivatives: object) -> None:
    """For a normal law both ways give the derivatives, here by differences of `lack` itself."""
    ends, step = np.array([0.32, 0.71]), 1e-6
    expected = np.stack(
        [
            (hdi.lack(NORMAL, ends + step * unit, 0.95) - hdi.lack(NORMAL, ends - step * unit, 0.95)) / (2 * step)
            for unit in np.eye(2)
        ],
        axis=1,
    )

    assert derivatives(NORMAL, ends) == pytest.approx(expected, rel=2e-3)  # type: ignore[operator]


def test_polished_is_the_normal_interval() -> None:
    """From a start that is off, to nine digits; the derivatives come with it."""
    found = hdi.polished(NORMAL, Interval(0.25, 0.68), 0.95)

    assert found is not None
    assert found.interval == pytest.approx((0.5 - 0.1 * REACH, 0.5 + 0.1 * REACH), abs=1e-8)
    assert found.jacobian[0] == pytest.approx(stats.norm.pdf(REACH) / 0.1 * np.array([-1, 1]), rel=0.05)


@pytest.mark.parametrize("law", [BetaLaw(1, 9), BetaLaw(9, 1), BetaLaw(0.5, 0.5), StudentLaw(5, 0.1, 0.0)])
def test_nothing_to_polish(law: Distribution) -> None:
    """A peak at an end, two peaks at the ends, and a point have no interval with equal densities at its ends."""
    assert hdi.polished(law, Interval(0.05, 0.4), 0.9) is None


# The shortest 90% of Beta(1, n) starts at 0 and ends at 1 - 0.1**(1/n); of Beta(n, 1) it is the mirror image.
ENDS = [(BetaLaw(1, 9), (0, 1 - 0.1 ** (1 / 9))), (BetaLaw(9, 1), (0.1 ** (1 / 9), 1))]


@pytest.mark.parametrize(("law", "expected"), ENDS)
def test_peaks_at_the_end(law: BetaLaw, expected: tuple[float, float]) -> None:
    """Where the density falls from one end on, the interval starts there, by all ways."""
    guesses = law.quantile(np.linspace(0.001, 0.999, 40))

    assert hdi.shortest(law, 0.9) == pytest.approx(expected, abs=1e-5)
    assert hdi.shortest_by_cdf(law, guesses, 0.9) == pytest.approx(expected, abs=1e-4)
    assert hdi.interval_of(law, Interval(0.1, 0.9), 0.9) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("a", "b", "mass"), [(3, 7, 0.9), (12, 4, 0.5), (2, 30, 0.99)])
def test_all_ways_agree(a: float, b: float, mass: float) -> None:
    """Search over quantiles, over the cdf, and by equal densities: where SciPy's densities at both ends are equal."""
    law, theirs = BetaLaw(a, b), stats.beta(a, b)

    def tilt(p: float) -> float:
        return float(theirs.pdf(theirs.ppf(p)) - theirs.pdf(theirs.ppf(p + mass)))

    best = optimize.brentq(tilt, 1e-9, 1 - mass - 1e-9, xtol=1e-14)
    expected = theirs.ppf([best, best + mass])
    rough = law.quantile(np.linspace(0.01, 0.99, 30)) + 0.003

    assert hdi.interval_of(law, Interval(*theirs.interval(mass)), mass) == pytest.approx(expected, abs=1e-8)
    assert hdi.shortest(law, mass) == pytest.approx(expected, abs=2e-4)
    assert hdi.shortest_by_cdf(law, rough, mass) == pytest.approx(expected, abs=1e-8)


def test_shortest_by_cdf_of_a_law_with_steps() -> None:
    """Two heaps, the narrow one holding 60%: the shortest 55% lies within it, whatever the density says."""

    class Heaps:
        support = Interval(0.0, 1.0)

        def cdf(self, x: object) -> np.ndarray:
            at = np.asarray(x, dtype=float)
            return np.asarray(0.6 * np.clip((at - 0.2) / 0.1, 0, 1) + 0.4 * np.clip((at - 0.5) / 0.4, 0, 1))

        def pdf(self, x: object) -> np.ndarray:
            return np.full(np.shape(x), np.nan)

    low, high = hdi.shortest_by_cdf(Heaps(), np.linspace(0, 1, 41), 0.55)  # type: ignore[arg-type]

    assert 0.2 - 1e-9 <= low < high <= 0.3 + 1e-9
    assert high - low == pytest.approx(0.55 / 6, abs=1e-6)  # a density of 6 there


@pytest.mark.parametrize("mass", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_impossible_masses(mass: float) -> None:
    """No interval holds nothing, or all."""
    with pytest.raises(InputError, match=r"must lie in \(0, 1\)"):
        hdi.check_mass(mass)


class _Noisy:
    """A normal law whose density trembles, as a mean over few random points does."""

    def __init__(self, amplitude: float) -> None:
        self.mean, self.std, self.support, self.cdf = NORMAL.mean, NORMAL.std, NORMAL.support, NORMAL.cdf
        self._amplitude = amplitude

    def pdf(self, x: object) -> np.ndarray:
        at = np.asarray(x, dtype=float)
        return np.asarray(NORMAL.pdf(at) * (1 + self._amplitude * np.sin(1e9 * at)))


@pytest.mark.parametrize(
    ("amplitude", "precision", "found"), [(1e-6, 1e-9, True), (5e-3, 1e-9, False), (5e-3, 1e-4, True)]
)
def test_near_enough(amplitude: float, precision: float, found: bool) -> None:
    """On a density that trembles the search only comes near: near enough, or not, for what was asked."""
    interval = hdi.polished(_Noisy(amplitude), Interval(0.28, 0.7), 0.95, precision)  # type: ignore[arg-type]

    assert (interval is not None) is found
    if interval is not None:
        assert interval.interval == pytest.approx((0.5 - 0.1 * REACH, 0.5 + 0.1 * REACH), abs=1e-3 * 0.1)
