"""Laws of functions of gamma weights, against closed forms and simulation."""

import numpy as np
import pytest
from scipy import stats

from outclass.errors import RoughLawError
from outclass.inference.distribution import Interval
from outclass.inference.inversion import Curved, Inverted, inverted

EVERYWHERE = Interval(-np.inf, np.inf)


def _linear(shapes: np.ndarray, slopes: np.ndarray, **more: float) -> Inverted:
    known = {"value": 0.0, "shift": 0.0, "variance": 0.0, "third": 0.0, "fourth": 0.0} | more
    return inverted(Curved(shapes=shapes, slopes=slopes, **known), EVERYWHERE)


@pytest.mark.parametrize("items", [20, 100, 400])
def test_sums_of_gammas(items: int) -> None:
    """Equal slopes make a gamma variate: its cdf, density, moments and interval, whatever its skewness."""
    law = _linear(np.full(items, 0.5), np.full(items, 2.0))
    exact = stats.gamma(items / 2, scale=2, loc=-items)

    at = exact.ppf([1e-4, 0.01, 0.3, 0.5, 0.9, 0.999])
    assert law.cdf(at) == pytest.approx(exact.cdf(at), abs=1e-6)
    assert law.pdf(at) * exact.std() == pytest.approx(exact.pdf(at) * exact.std(), abs=2e-4)
    assert (law.mean, law.std) == pytest.approx((0.0, exact.std()), abs=2e-5 * exact.std())
    low, high = law.hdi(0.95)
    assert exact.cdf(high) - exact.cdf(low) == pytest.approx(0.95, abs=1e-5)
    assert exact.pdf(low) == pytest.approx(exact.pdf(high), rel=1e-3)


def test_few_heavy_weights_among_many_light_ones() -> None:
    """The difference of two exponentials decides, and a thousand light weights round its peak: by convolution."""
    light = 0.3 / np.sqrt(1_000)
    law = _linear(np.ones(1_002), np.concatenate([[1.0, -1.0], light * np.resize([1.0, -1.0], 1_000)]))
    grid = np.linspace(-30, 30, 60_001)
    # What the light ones add up to is normal within their kurtosis of 6 / 1,000.
    density = np.exp(-np.abs(grid)) / 2
    smooth = stats.norm(scale=0.3)

    for x in (-4.0, -1.0, -0.2, 0.1, 0.5, 3.0):
        assert float(law.cdf(x)) == pytest.approx(np.trapezoid(density * smooth.cdf(x - grid), grid), abs=1e-4)


def test_curvature_by_its_cumulants() -> None:
    """A square of a nearly normal variable is added: mean, std and probabilities in closed form."""
    items, bend = 2_000, 0.02
    slopes = np.resize([1.0, -1.0], items) / np.sqrt(items)
    # Of y + bend (y^2 - 1): variance 1 + 2 bend^2, third cumulant 6 bend + 8 bend^3, fourth 48 bend^2, to this order.
    law = _linear(
        np.ones(items), slopes, value=-bend, shift=bend, variance=2 * bend**2, third=6 * bend, fourth=48 * bend**2
    )
    x = np.array([-2.5, -1.0, 0.0, 1.0, 2.5])
    # y at the root of the parabola, which is far to the left of all that happens.
    root = (-1 + np.sqrt(1 + 4 * bend * (x + bend))) / (2 * bend)

    assert law.cdf(x) == pytest.approx(stats.norm.cdf(root), abs=2e-4)
    assert (law.mean, law.std) == pytest.approx((0.0, np.sqrt(1 + 2 * bend**2)), abs=2e-3)
    # The error that is stated is what the curvature changes.
    (first,) = law.replicates()
    assert first.cdf(x) == pytest.approx(stats.norm.cdf(x + bend), abs=2e-4)
    assert law.error(law.cdf(x), np.array([first.cdf(x)])) == pytest.approx(np.abs(law.cdf(x) - first.cdf(x)), abs=1e-6)


@pytest.mark.parametrize(
    "more",
    [{"shift": 0.3}, {"variance": 0.2}, {"third": 0.5}, {"fourth": -2.0}],
    ids=lambda each: next(iter(each)),
)
def test_too_much_curvature_has_no_law(more: dict[str, float]) -> None:
    """Where a correction is large, what is left out may be, too."""
    with pytest.raises(RoughLawError):
        _linear(np.ones(400), np.full(400, 0.05), **more)


def test_a_correction_that_depends_on_how_has_no_law() -> None:
    """A fourth cumulant that is nothing beside a normal's is much beside a peak: few heavy, many light weights."""
    slopes = np.concatenate([np.ones(16), -np.ones(16), np.full(500, 0.2 / np.sqrt(500))])
    shapes = np.concatenate([np.full(32, 1 / 64), np.ones(500)])
    _linear(shapes, slopes)

    with pytest.raises(RoughLawError, match="curvature"):
        _linear(shapes, slopes, fourth=-0.03)
    with pytest.raises(RoughLawError):
        _linear(np.full(32, 1 / 64), np.ones(32))  # no light weights at all: a spike at its lower end
