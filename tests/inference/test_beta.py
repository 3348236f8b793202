"""The tabulated Beta law against mpmath and SciPy."""

import mpmath
import numpy as np
import pytest
from scipy import special

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
