"""Laws by their normal scores: cubics that are exact, the normal law itself, and what lies beyond the knots."""

import numpy as np
import pytest
from scipy import special, stats

from outclass.inference.scores import EVEN_KNOTS, ScoreSpline, _Cubic, normal_density

Z = np.linspace(-8, 8, 41)


def _logistic() -> ScoreSpline:
    """The logistic law: Phi(z) = 1 / (1 + exp(-t)), so t = logit(Phi(z)) and dt/dz = phi(z) / (Phi(z) Phi(-z))."""
    t = special.log_ndtr(Z) - special.log_ndtr(-Z)
    return ScoreSpline(Z, t, np.exp(stats.norm.logpdf(Z) - special.log_ndtr(Z) - special.log_ndtr(-Z)))


def test_normal_density() -> None:
    """The density is SciPy's."""
    assert np.allclose(normal_density(Z), stats.norm.pdf(Z), rtol=1e-13)


@pytest.mark.parametrize("knots", [np.linspace(-1, 2, 7), np.array([-1.0, -0.7, 0.1, 0.2, 1.5, 2.0])])
def test_cubics_are_exact(knots: np.ndarray) -> None:
    """A cubic through its own values and slopes is that cubic, on even and on uneven knots; straight beyond them."""
    cubic = np.polynomial.Polynomial([0.3, -1.2, 0.5, 0.8])
    slope = cubic.deriv()
    ours = _Cubic(knots, cubic(knots), slope(knots))
    inside = np.linspace(-1, 2, 31)
    values, slopes = ours.with_slope(inside)

    assert np.allclose(ours(inside), cubic(inside), atol=1e-13)
    assert np.allclose(values, cubic(inside), atol=1e-13)
    assert np.allclose(slopes, slope(inside), atol=1e-12)
    for beyond, end in ((-1.75, -1.0), (2.5, 2.0)):
        line = cubic(end) + slope(end) * (beyond - end)
        value, steep = ours.with_slope(np.array([beyond]))
        assert ours(np.array([beyond]))[0] == pytest.approx(line, abs=1e-13)
        assert value[0] == pytest.approx(line, abs=1e-13)
        assert steep[0] == pytest.approx(slope(end), abs=1e-13)


def test_logistic_law() -> None:
    """Value, score, cdf and pdf of the logistic law are SciPy's."""
    law = _logistic()
    z = np.linspace(-5, 5, 33) + 0.007
    t = special.logit(special.ndtr(z))

    assert np.allclose(law.value(z), t, rtol=1e-4, atol=1e-4)
    assert np.abs(law.score(law.value(z)) - z).max() < 1e-4
    assert np.allclose(law.cdf(t), stats.logistic.cdf(t), rtol=1e-3)
    assert np.allclose(law.pdf(t), stats.logistic.pdf(t), rtol=5e-3)
    score, slope = law.score_and_slope(t)
    assert np.allclose(score, z, atol=1e-4)
    assert np.allclose(slope, stats.logistic.pdf(t) / stats.norm.pdf(z), rtol=5e-3)


def test_the_normal_law_is_a_line() -> None:
    """For a normal law the curve is a straight line, and everything is exact, far out too."""
    law = ScoreSpline(Z, 3 + 2 * Z, np.full(Z.shape, 2.0))
    t = np.array([-20.0, -5.0, 3.0, 4.5, 25.0])

    assert np.allclose(law.value((t - 3) / 2), t, atol=1e-12)
    assert np.allclose(law.score(t), (t - 3) / 2, atol=1e-12)
    assert np.allclose(law.cdf(t), stats.norm.cdf(t, 3, 2), rtol=1e-9)
    assert np.allclose(law.pdf(t), stats.norm.pdf(t, 3, 2), rtol=1e-9)


def test_knots_that_carry_nothing_are_dropped() -> None:
    """Knots at which t stands still, is infinite, or has no slope do not bend the curve."""
    z = np.linspace(-4, 4, 9)
    t, slope = 2 * z, np.full(9, 2.0)
    t[0] = -np.inf
    t[5] = t[4]  # stands still
    slope[7] = 0.0
    law = ScoreSpline(z, t, slope)
    at = np.linspace(-3, 4, 15)

    assert np.allclose(law.value(at), 2 * at, atol=1e-12)
    assert np.allclose(law.score(2 * at), at, atol=1e-12)


def test_even_knots_only_where_they_fit() -> None:
    """A law with one very long tail keeps its uneven knots: on even ones its score would be wrong by more than 1e-7."""
    z = np.linspace(-8, 8, 161)
    long = ScoreSpline(z, np.sinh(z), np.cosh(z))  # reaches from -1490 to 1490, with all that matters near zero
    straight = ScoreSpline(z, 2 * z, np.full(z.shape, 2.0))
    bent = ScoreSpline(z, np.sinh(z / 3), np.cosh(z / 3) / 3)
    at = np.linspace(-3, 3, 50)

    assert not long._backward._even
    assert straight._backward._even
    assert len(straight._backward._knots) == EVEN_KNOTS[0][0]
    assert len(bent._backward._knots) == EVEN_KNOTS[1][0]
    assert np.abs(bent.score(np.sinh(at / 3)) - at).max() < EVEN_KNOTS[1][1]
    assert np.abs(long.score(np.sinh(at)) - at).max() < 1e-5


def test_knots_at_infinity_are_dropped() -> None:
    """A curve whose first knots have underflowed to minus infinity is that of the others, without a warning."""
    z = np.linspace(-3.0, 3.0, 13)
    t = np.where(z < -2, -np.inf, z)

    law = ScoreSpline(z, t, np.ones(13))

    assert law.value(np.array([0.25])) == pytest.approx(0.25)
