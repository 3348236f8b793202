"""Laws with a closed form against SciPy's own, moved, stretched and turned round."""

import math

import mpmath
import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

from outclass.errors import InputError
from outclass.inference.closed import BetaLaw, LogOddsLaw, OddsLaw
from outclass.inference.distribution import Distribution, Interval, equal_tailed, numerical_error, spread

P = np.array([1e-6, 0.01, 0.3, 0.5, 0.9, 0.999])


class _Turned:
    """SciPy's Beta(a, b) turned round: the law of shift - |scale| x."""

    def __init__(self, a: float, b: float, scale: float, shift: float) -> None:
        self._frozen = stats.beta(b, a, loc=shift + scale, scale=-scale)

    def __getattr__(self, name: str) -> object:
        return getattr(self._frozen, name)


@pytest.mark.parametrize(
    ("a", "b", "scale", "shift"), [(3, 7, 1, 0), (2.5, 1.5, 2, -1), (4, 2, -1, 1), (3, 5, -2, 0.5)]
)
def test_beta_is_scipys(a: float, b: float, scale: float, shift: float) -> None:
    """Everything a Beta law says, of scale * x + shift too, with scales below zero."""
    ours = BetaLaw(a, b, scale, shift)
    theirs = stats.beta(a, b, loc=shift, scale=scale) if scale > 0 else _Turned(a, b, scale, shift)
    x = theirs.ppf(P)

    assert ours.support == Interval(min(shift, shift + scale), max(shift, shift + scale))
    assert ours.mean == pytest.approx(theirs.mean(), rel=1e-12)
    assert ours.std == pytest.approx(theirs.std(), rel=1e-12)
    assert ours.cdf(x) == pytest.approx(P, rel=1e-9)
    assert ours.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-9)
    assert ours.quantile(P) == pytest.approx(x, abs=1e-12)
    assert ours.probability(x[1], x[4]) == pytest.approx(0.89, abs=1e-12)
    assert ours.mode == pytest.approx(shift + scale * (a - 1) / (a + b - 2), abs=1e-12)
    assert stats.kstest(ours.sample(3000, np.random.default_rng(1)), theirs.cdf).pvalue > 1e-3
    # Beyond the ends of the range there is nothing.
    assert list(ours.cdf([ours.support.low - 1, ours.support.high + 1])) == [0, 1]
    # A closed form is exact but for rounding.
    assert ours.replicates() == [ours]
    assert numerical_error(ours, lambda law: [law.mean, law.std]) == pytest.approx([1e-12, 1e-12], abs=0)


@pytest.mark.parametrize(
    ("a", "b", "rel"),
    # The last digits of x are all that is lost: of counts of 1e18 beside 1e15, five places.
    [(2e4, 3e4, 1e-12), (1.1e4, 1e9, 1e-12), (1e12, 3e12, 1e-8), (1e18, 1e15, 1e-4), (1e18, 1e18, 1e-12)],
)
def test_densities_of_large_counts_are_mpmaths(a: float, b: float, rel: float) -> None:
    """With counts up to 1e18 a density keeps its digits: at 50 digits mpmath has the same."""
    law = BetaLaw(a, b)
    x = law.mean + law.std * np.array([-6, -2, -0.1, 0, 0.5, 3, 8])
    with mpmath.workdps(50):
        one, other = mpmath.mpf(a), mpmath.mpf(b)
        beta = mpmath.loggamma(one) + mpmath.loggamma(other) - mpmath.loggamma(one + other)
        log = [(one - 1) * mpmath.log(mpmath.mpf(v)) + (other - 1) * mpmath.log(1 - mpmath.mpf(v)) for v in x.tolist()]
        expected = [float(mpmath.exp(each - beta)) for each in log]

    assert law.pdf(x) == pytest.approx(expected, rel=rel)


@pytest.mark.parametrize(
    ("a", "b", "mode"),
    [(0.5, 3, 0), (3, 0.5, 1), (0.5, 0.7, 0), (0.7, 0.5, 1), (1, 2, 0), (2, 1, 1), (1, 0.5, 1), (0.5, 1, 0)]
    + [(0.5, 0.5, math.nan), (1, 1, math.nan)],
)
def test_modes_at_the_ends(a: float, b: float, mode: float) -> None:
    """Eq. 9 of Goutte & Gaussier: at an end where the density is highest there; nan where both ends are alike."""
    assert BetaLaw(a, b).mode == pytest.approx(mode, nan_ok=True)


def _odds_density(x: np.ndarray, a: float, b: float, factor: float) -> np.ndarray:
    """By the change of variable y = x / (x + factor (1 - x)), its derivative by hand."""
    y = x / (x + factor * (1 - x))
    return np.asarray(stats.beta.pdf(y, a, b) * factor / (x + factor * (1 - x)) ** 2)


@pytest.mark.parametrize(("a", "b", "factor"), [(3, 7, 2.0), (9, 4, 0.4), (41, 12, 2.0), (1.5, 2.5, 3.0)])
def test_odds_law(a: float, b: float, factor: float) -> None:
    """The law of x with odds(x) = factor * odds(y): by change of variable, and moments by SciPy's quadrature."""
    ours = OddsLaw(a, b, factor)
    y = stats.beta.ppf(P, a, b)
    x = factor * y / (factor * y + 1 - y)
    mean = integrate.quad(lambda u: u * _odds_density(u, a, b, factor), 0, 1)[0]
    square = integrate.quad(lambda u: (u - mean) ** 2 * _odds_density(u, a, b, factor), 0, 1)[0]
    peak = optimize.minimize_scalar(
        lambda u: -_odds_density(u, a, b, factor), bounds=(1e-6, 1 - 1e-6), method="bounded", options={"xatol": 1e-9}
    )

    assert ours.support == (0, 1)
    assert ours.cdf(x) == pytest.approx(P, rel=1e-9)
    assert ours.quantile(P) == pytest.approx(x, rel=1e-9)
    assert ours.pdf(x) == pytest.approx(_odds_density(x, a, b, factor), rel=1e-9)
    assert list(ours.pdf([-0.1, 1.1])) == [0, 0]
    assert list(ours.cdf([-0.1, 1.1])) == [0, 1]
    assert ours.probability(x[1], x[4]) == pytest.approx(0.89, abs=1e-12)
    assert ours.mean == pytest.approx(mean, abs=1e-7)
    assert ours.std == pytest.approx(math.sqrt(square), rel=1e-6)
    assert ours.mode == pytest.approx(peak.x, abs=1e-6)
    assert stats.kstest(ours.sample(3000, np.random.default_rng(2)), ours.cdf).pvalue > 1e-3
    # Its error is told by a coarser grid of moments.
    (coarser,) = ours.replicates()
    assert coarser.step == pytest.approx(0.15)  # type: ignore[attr-defined]
    assert ours.error(np.array([1.0, 2.0]), np.array([[1.5, 1.0]])) == pytest.approx([0.5 + 1e-9, 1 + 1e-9], abs=1e-12)
    assert numerical_error(ours, lambda law: [law.mean])[0] < 1e-6


@pytest.mark.parametrize(
    ("a", "b", "factor", "mode"),
    # At a = b = 1 the density is factor / (x + factor (1 - x))**2, which rises for a factor above 1, else falls.
    [(1, 1, 2.0, 1.0), (1, 1, 0.5, 0.0), (0.5, 0.5, 2.0, math.nan), (0.4, 0.9, 2.0, 0.0), (0.9, 0.4, 0.5, 1.0)],
)
def test_odds_modes_at_the_ends(a: float, b: float, factor: float, mode: float) -> None:
    """The mode of an odds law where the density is highest at an end."""
    assert OddsLaw(a, b, factor).mode == pytest.approx(mode, nan_ok=True)


def test_odds_density_at_the_ends() -> None:
    """The ends belong to the range: for a = b = 1 the density is 2 / (2 - x)**2, from 1/2 to 2."""
    assert OddsLaw(1, 1, 2.0).pdf([0, 1]) == pytest.approx([0.5, 2])


@pytest.mark.parametrize(("a", "b"), [(3, 7), (9, 4), (0.6, 2)])
def test_log_odds_law(a: float, b: float) -> None:
    """ln(r / (1 - r)) of a Beta variate is ln(F a / b) of SciPy's F with 2a and 2b degrees of freedom."""
    ours, theirs = LogOddsLaw(a, b), stats.f(2 * a, 2 * b)
    x = np.log(theirs.ppf(P) * a / b)

    assert ours.support == (-math.inf, math.inf)
    assert ours.cdf(x) == pytest.approx(P, rel=1e-7)
    assert ours.quantile(P) == pytest.approx(x, rel=1e-7)
    assert ours.pdf(x) == pytest.approx(theirs.pdf(theirs.ppf(P)) * theirs.ppf(P), rel=1e-7)
    assert ours.probability(x[1], x[4]) == pytest.approx(0.89, abs=1e-9)
    assert ours.probability(x[4], x[5]) == pytest.approx(0.099, abs=1e-9)
    # Cumulants of the logarithm of a gamma variate are polygamma functions.
    assert ours.mean == pytest.approx(special.polygamma(0, a) - special.polygamma(0, b), rel=1e-12)
    assert ours.std == pytest.approx(math.sqrt(special.polygamma(1, a) + special.polygamma(1, b)), rel=1e-12)
    assert ours.pdf(ours.mode) > max(ours.pdf(ours.mode - 1e-3), ours.pdf(ours.mode + 1e-3))
    assert stats.kstest(ours.sample(3000, np.random.default_rng(3)), ours.cdf).pvalue > 1e-3
    assert ours.replicates() == [ours]
    assert numerical_error(ours, lambda law: [law.mean]) == pytest.approx([1e-12], abs=0)


def test_log_odds_keep_small_tails() -> None:
    """A probability of 1e-20 above is told to its own digits: for Beta(1, 2), P(x > t) is (1 - r)**2 exactly."""
    high = -float(special.logit(1e-10))
    law = LogOddsLaw(1, 2)

    assert law.probability(high, math.inf) == pytest.approx(1e-20, rel=1e-6, abs=0)
    assert law.probability(high, high + math.log(2)) == pytest.approx(
        0.75e-20, rel=1e-6, abs=0
    )  # half the rest, a quarter
    assert LogOddsLaw(2, 1).probability(-math.inf, -high) == pytest.approx(1e-20, rel=1e-6, abs=0)
    assert float(law.quantile(1e-12)) == pytest.approx(math.log(5e-13), abs=1e-6)


@pytest.mark.parametrize("law", [BetaLaw(3, 7), BetaLaw(3, 7, -1, 1), OddsLaw(3, 7, 2.0), LogOddsLaw(3, 7)])
def test_intervals(law: Distribution) -> None:
    """The usual mass is 95%; densities at the ends of a peak's interval are equal; a mass of 0 or 1 is refused."""
    low, high = law.hdi()

    assert float(law.cdf(high) - law.cdf(low)) == pytest.approx(0.95, abs=1e-7)
    assert float(law.pdf(low)) == pytest.approx(float(law.pdf(high)), rel=1e-5)
    assert law.method == "closed form"
    for mass in (0.0, 1.0, math.nan):
        with pytest.raises(InputError, match=r"\(0, 1\)"):
            law.hdi(mass)


def test_equal_tails() -> None:
    """As much lies below the interval as above it."""
    found = equal_tailed(BetaLaw(3, 7), 0.9)

    assert found == pytest.approx(stats.beta(3, 7).interval(0.9), abs=1e-12)


def test_interval_arithmetic() -> None:
    """Width and middle."""
    assert Interval(-0.5, 1.0).width == 1.5
    assert Interval(-0.5, 1.0).middle == 0.25


def test_spread_is_students() -> None:
    """The half-width of a 98% interval of the mean of few numbers, by SciPy's t."""
    numbers = np.array([[1.0, 5.0], [2.0, 5.5], [4.0, 5.2], [3.5, 4.0]])
    expected = stats.t(3).ppf(0.99) * stats.sem(numbers)

    assert spread(numbers) == pytest.approx(expected, rel=1e-12)


def test_the_ends_of_log_odds() -> None:
    """Quantiles at 0 and 1 are infinite, without a warning."""
    assert LogOddsLaw(2, 3).quantile([0.0, 1.0]).tolist() == [-math.inf, math.inf]
