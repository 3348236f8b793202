"""Mixtures of normals: against SciPy's normal, sums by hand and numerical integration."""

import numpy as np
import pytest
from scipy import integrate, stats

from outclass.inference.distribution import Interval
from outclass.inference.normals import Normals

ONE = Normals(np.array([1.0]), np.array([0.3]), np.array([0.2]))
TWO = Normals(np.array([0.7, 0.3]), np.array([0.0, 0.5]), np.array([0.1, 0.2]))


def test_one_part_is_the_normal_distribution() -> None:
    """Density, distribution function, quantiles and the shortest interval are SciPy's."""
    normal = stats.norm(0.3, 0.2)
    x, p = np.linspace(-0.5, 1.2, 7), np.array([1e-6, 0.025, 0.5, 0.9, 1 - 1e-6])

    assert ONE.pdf(x) == pytest.approx(normal.pdf(x))
    assert ONE.cdf(x) == pytest.approx(normal.cdf(x))
    assert ONE.quantile(p) == pytest.approx(normal.ppf(p))
    assert tuple(ONE.hdi(0.9)) == pytest.approx(normal.interval(0.9), abs=1e-6)
    assert (ONE.mean, ONE.std) == pytest.approx((0.3, 0.2))


def test_an_interval_ends_where_values_do() -> None:
    """Of what cannot be larger than one, the interval ends there; probabilities stay what they were."""
    within = Normals(ONE.weights, np.array([0.9]), ONE.stds, Interval(-1.0, 1.0))
    anywhere = Normals(ONE.weights, np.array([0.9]), ONE.stds)

    assert tuple(within.hdi(0.9)) == (anywhere.hdi(0.9).low, 1.0)
    assert anywhere.hdi(0.9).high > 1
    assert within.probability(0.5, 2.0) == anywhere.probability(0.5, 2.0)


def test_two_parts_add_up() -> None:
    """Moments, masses and the interval agree with the integrated density."""
    mean, _ = integrate.quad(lambda x: x * TWO.pdf(x), -2, 3, points=[0, 0.5])
    square, _ = integrate.quad(lambda x: (x - mean) ** 2 * TWO.pdf(x), -2, 3, points=[0, 0.5])
    mass, _ = integrate.quad(TWO.pdf, -0.05, 0.4, points=[0])
    low, high = TWO.hdi(0.8)
    draws = TWO.sample(20_000, np.random.default_rng(1))

    assert (TWO.mean, TWO.std) == pytest.approx((mean, square**0.5))
    assert TWO.probability(-0.05, 0.4) == pytest.approx(mass)
    assert TWO.probability(low, high) == pytest.approx(0.8)
    assert float(TWO.pdf(low)) == pytest.approx(float(TWO.pdf(high)), rel=1e-3)  # neither end can be moved
    assert TWO.cdf(TWO.quantile([0.1, 0.77])) == pytest.approx([0.1, 0.77])
    assert draws.mean() == pytest.approx(mean, abs=4 * TWO.std / 20_000**0.5)
    assert TWO.error(np.array([1.0]), np.array([[1.0]])).max() < 1e-9
