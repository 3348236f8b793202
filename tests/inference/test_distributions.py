"""Every kind of distribution object: the protocol's promises, checked against each other and against SciPy."""

import numpy as np
import pytest
from scipy import stats

from outclass import measures
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Distribution, Interval, numerical_error
from outclass.inference.draws import Draws
from outclass.inference.hdi import shortest_of_sorted
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.inference.tabulated import Tabulated, independent_difference
from outclass.models.evidence import Evidence
from outclass.models.one.single import Single
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired

TABLE = np.array([[40, 9, 4, 12], [8, 6, 3, 118]])


def _laws() -> dict[str, Distribution]:
    rng = np.random.default_rng(1)
    paired = Paired.fit(Evidence.of_joint(TABLE), prior_of("uniform"), Settings())
    single = Single.fit(np.array([[40, 9], [12, 100]]), prior_of("uniform"), Settings())
    return {
        "closed form": BetaLaw(41, 10),
        "one class": paired.difference(measures.get("recall")),
        "quadrature": single.law(measures.get("f1")),
        "sobol": paired.difference(measures.get("f1")),
        "tabulated": independent_difference(BetaLaw(41, 10), BetaLaw(30, 21)),
        "draws": Draws.iid(rng.beta(41, 10, 50_000), Interval(0, 1)),
        "sobol draws": paired.difference(measures.get("mcc")),
    }


LAWS = _laws()
SMOOTH = [name for name in LAWS if "draws" not in name]


@pytest.mark.parametrize("name", LAWS)
def test_cdf_and_quantile_are_inverse(name: str) -> None:
    """The quantile of the cdf is where one started."""
    law = LAWS[name]
    p = np.array([0.01, 0.2, 0.5, 0.8, 0.99])

    assert np.allclose(law.cdf(law.quantile(p)), p, atol=1e-6 if name in SMOOTH else 1e-3)


@pytest.mark.parametrize("name", LAWS)
def test_moments_are_those_of_the_quantiles(name: str) -> None:
    """Mean and std agree with an integral over the quantile function."""
    law = LAWS[name]
    values = law.quantile((np.arange(4000) + 0.5) / 4000)

    assert law.mean == pytest.approx(values.mean(), abs=1e-3 * law.std)
    assert law.std == pytest.approx(values.std(), rel=2e-3)


@pytest.mark.parametrize("name", SMOOTH)
def test_pdf_is_the_derivative_of_the_cdf(name: str) -> None:
    """The density agrees with differences of the cdf."""
    law = LAWS[name]
    x = law.mean + law.std * np.array([-1.7, -0.4, 0.3, 1.5])
    step = 1e-3 * law.std

    assert np.allclose(law.pdf(x), (law.cdf(x + step) - law.cdf(x - step)) / (2 * step), rtol=2e-3)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("mass", [0.5, 0.95, 0.9999])
def test_hdi_holds_its_mass_and_is_shortest(name: str, mass: float) -> None:
    """The interval holds the mass, and no interval of the same mass is shorter."""
    law = LAWS[name]
    low, high = law.hdi(mass)
    starts = np.linspace(0, 1 - mass, 41)
    others = law.quantile(np.minimum(starts + mass, 1)) - law.quantile(starts)

    assert law.probability(low, high) == pytest.approx(mass, abs=2e-4 if name in SMOOTH else 2e-3)
    # At a mass of .9999 a few draws make up the tails.
    assert high - low <= others.min() * (1.0001 if name in SMOOTH or mass < 0.99 else 1.1) + 1e-12


@pytest.mark.parametrize("name", LAWS)
def test_sample_follows_the_law(name: str) -> None:
    """Draws follow the cdf (Kolmogorov-Smirnov, 1 in 10,000)."""
    law = LAWS[name]
    draws = law.sample(2000, np.random.default_rng(5))
    # Of a smooth law the cdf at three hundred places tells it between them, too, and takes a moment instead of seconds.
    at = np.quantile(draws, np.linspace(0, 1, 301)) if name in SMOOTH else np.sort(draws)

    assert stats.kstest(draws, lambda x: np.interp(x, at, law.cdf(at))).pvalue > 1e-4


@pytest.mark.parametrize("name", LAWS)
def test_probability_agrees_with_the_cdf(name: str) -> None:
    """A probability is a difference of the cdf, and whole tails are told from their own side."""
    law = LAWS[name]
    low, high = law.mean - 0.3 * law.std, law.mean + law.std

    assert law.probability(low, high) == pytest.approx(float(law.cdf(high) - law.cdf(low)), abs=1e-7)
    assert law.probability(law.support.low, low) + law.probability(low, law.support.high) == pytest.approx(1, abs=1e-9)


def test_beta_hdi_against_known() -> None:
    """The 95% HDI of Beta(2, 8) by minimising its width with SciPy: [0.0139, 0.4143] widths agree."""
    low, high = BetaLaw(2, 8).hdi(0.95)
    frozen = stats.beta(2, 8)
    p = np.linspace(0, 0.05, 200_001)
    widths = frozen.ppf(p + 0.95) - frozen.ppf(p)
    at = np.argmin(widths)

    assert low == pytest.approx(frozen.ppf(p[at]), abs=1e-5)
    assert high == pytest.approx(frozen.ppf(p[at] + 0.95), abs=1e-5)


def test_hdi_with_a_peak_at_the_end() -> None:
    """A density that is highest at the end of its range has its interval there."""
    low, high = BetaLaw(40, 1).hdi(0.9)

    assert high == pytest.approx(1, abs=1e-4)
    assert low == pytest.approx(0.1 ** (1 / 40), abs=1e-4)


def test_shortest_of_sorted() -> None:
    """The shortest interval of draws is found by sliding a window."""
    assert shortest_of_sorted(np.array([0.0, 5.0, 5.1, 5.2, 9.0]), 0.6) == Interval(5.0, 5.2)


def test_difference_of_two_betas() -> None:
    """The law of a difference of independent Betas against ten million draws (errors of 3e-4 at four sigma)."""
    law = independent_difference(BetaLaw(12, 5), BetaLaw(9, 9))
    rng = np.random.default_rng(3)
    draws = rng.beta(12, 5, 4_000_000) - rng.beta(9, 9, 4_000_000)

    assert isinstance(law, Tabulated)
    assert law.probability(0, 1) == pytest.approx(float(np.mean(draws > 0)), abs=1e-3)
    assert law.mean == pytest.approx(12 / 17 - 0.5, abs=1e-9)
    assert law.std == pytest.approx(np.hypot(BetaLaw(12, 5).std, BetaLaw(9, 9).std), rel=1e-7)


def test_error_of_draws_is_that_of_draws() -> None:
    """The reported error of a mean of draws is about 2.8 standard errors (Student's t with nine degrees, 98%)."""
    rng = np.random.default_rng(11)
    found = [
        float(numerical_error(Draws.iid(rng.standard_normal(5000), Interval(-50, 50)), lambda law: [law.mean])[0])
        for _ in range(200)
    ]

    assert np.mean(found) == pytest.approx(2.82 / np.sqrt(5000), rel=0.1)


def test_summary_swaps_with_the_sign() -> None:
    """Exchanging the systems mirrors every number."""
    a = Paired.fit(Evidence.of_joint(TABLE), prior_of("uniform"), Settings()).difference(measures.get("recall"))
    b = Paired.fit(Evidence.of_joint(TABLE[:, [0, 2, 1, 3]]), prior_of("uniform"), Settings()).difference(
        measures.get("recall")
    )
    first, second = (summarise(law, Interval(-0.05, 0.05), 0.95) for law in (a, b))

    assert first.mean == pytest.approx(-second.mean, abs=1e-9)
    assert first.above == pytest.approx(second.below, abs=1e-9)
    assert first.hdi.low == pytest.approx(-second.hdi.high, abs=1e-7)
