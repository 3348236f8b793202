"""The tabulated Beta law against mpmath and SciPy."""

import mpmath
import numpy as np
import pytest
from scipy import special

from outclass.inference import beta
from outclass.inference.beta import logit_beta

Z = np.linspace(-5, 5, 21) + 0.0123


@pytest.mark.parametrize(("a", "b"), [(1, 1), (0.5, 0.5), (256, 23), (2, 7.5), (120, 900), (0.5, 40)])
def test_quantiles_against_mpmath(a: float, b: float) -> None:
    """Quantiles are right to 1e-7 normal scores, in both tails."""
    t = logit_beta(float(a), float(b)).value(Z)
    with mpmath.workdps(40):
        below = [mpmath.betainc(a, b, 0, 1 / (1 + mpmath.exp(-mpmath.mpf(x))), regularized=True) for x in t]
        z = [float(special.ndtri(float(p))) if p < 0.5 else -float(special.ndtri(float(1 - p))) for p in below]

    assert np.abs(np.array(z) - Z).max() < 1e-7


@pytest.mark.parametrize(
    ("a", "b"), [(1e6, 30), (3, 1e12), (1e12, 30), (2e6, 3e6), (1e12, 2e6), (1e10, 1e11), (1e6 - 1, 1e6 + 1)]
)
def test_large_parameters_against_scipy(a: float, b: float) -> None:
    """At parameters up to 1e12 the cdf agrees with SciPy's to 1e-7 (which is no better itself there)."""
    t = logit_beta(a, b).value(Z)
    x, y = special.expit(t), special.expit(-t)
    theirs = np.where(x < 0.5, special.betainc(a, b, x), special.betaincc(b, a, y))

    assert np.abs(theirs - special.ndtr(Z)).max() < 2e-7


@pytest.mark.parametrize(("a", "b"), [(0.01, 0.01), (0.01, 1e6), (1e6, 0.01), (0.01, 5)])
def test_tiny_parameters(a: float, b: float) -> None:
    """With a parameter of 0.01 a tail of x**a reaches below 1e-300; in the logit scale nothing is lost."""
    law = logit_beta(a, b)
    t = law.value(Z)

    assert np.all(np.diff(t) > 0)
    assert np.abs(law.score(t) - Z).max() < 1e-4
    # The mean by integration over the table against the closed form
    z = np.linspace(-8, 8, 4001)
    weights = np.exp(-z * z / 2)
    mean = np.sum(weights * special.expit(law.value(z))) / weights.sum()
    assert mean == pytest.approx(a / (a + b), rel=1e-4)


def test_density_is_the_derivative() -> None:
    """The density of the logit is what SciPy's Beta density gives."""
    law = logit_beta(12.0, 5.0)
    t = np.linspace(-1, 3, 15)
    x = special.expit(t)
    theirs = np.exp(12 * np.log(x) + 5 * np.log1p(-x) - special.betaln(12, 5))

    assert np.allclose(law.pdf(t), theirs, rtol=1e-6)


@pytest.mark.parametrize(("a", "b"), [(4e4, 9e4), (9e4, 4e4)])
def test_expansion_against_the_inverse(a: float, b: float) -> None:
    """Where SciPy's inverse is exact the expansion in cumulants is right to 3e-7 normal scores.

    Its terms are of the order 1e-3 (skewness) and 1e-5 (its square, and the kurtosis); what is left out, of 1e-8.
    """
    z = np.linspace(-3, 3, 13)
    t, slope = beta._from_cumulants(a, b, z)
    exact = special.logit(special.betaincinv(a, b, special.ndtr(z)))
    step = 1e-4
    differences = (beta._from_cumulants(a, b, z + step)[0] - beta._from_cumulants(a, b, z - step)[0]) / (2 * step)

    assert np.abs(t - exact).max() < 3e-7 * np.sqrt(1 / a + 1 / b)
    assert slope == pytest.approx(differences, rel=1e-8)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (3.0, 40.0), (40.0, 3.0), (0.02, 5.0), (5.0, 0.02), (60.0, 70.0)])
def test_inverse_and_its_slope(a: float, b: float) -> None:
    """Values at any score by mpmath's incomplete Beta function, from either tail; slopes by the Beta density."""
    z = np.array([-7.5, -4.0, -1.0, 0.0, 0.5, 3.0, 7.5])
    t, slope = beta._from_quantiles(a, b, z)
    with mpmath.workdps(60):
        for score, value, steep in zip(z, t, slope, strict=True):
            odds = mpmath.exp(mpmath.mpf(value))
            low = mpmath.betainc(a, b, 0, odds / (1 + odds), regularized=True)
            high = mpmath.betainc(b, a, 0, 1 / (1 + odds), regularized=True)
            wanted = mpmath.ncdf(-abs(score))
            assert float((low if score < 0 else high) / wanted) == pytest.approx(1, rel=1e-7)
            density = odds**a / (1 + odds) ** (a + b) / mpmath.beta(a, b)
            assert steep == pytest.approx(float(mpmath.npdf(score) / density), rel=1e-6)


def test_fewer_knots_for_larger_parameters() -> None:
    """The smaller parameter decides how many knots there are; the bounds belong to the larger ones."""
    knots = {least: len(beta.logit_beta(least, 1e7)._z) for least in (0.9, 3.9, 4.0, 7.9, 8.0, 4_999.0, 5_000.0)}

    assert knots == {0.9: 201, 3.9: 201, 4.0: 126, 7.9: 126, 8.0: 81, 4_999.0: 81, 5_000.0: 41}
    assert beta.logit_beta(60.0, 5.0)._z[[0, -1]].tolist() == [-8, 8]
