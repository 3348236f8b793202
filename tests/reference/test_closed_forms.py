"""Numbers known exactly, from the derivations in the method notes (origins beside them)."""

from dataclasses import replace

import numpy as np
import pytest

from outclass import measures
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import DISAGREEMENT, Paired
from outclass.models.table.unpaired import Unpaired
from outclass.verdict import bayes_factor

F1 = measures.get("f1")
FINE = Settings(tolerance=1e-6)
# One data set of the method notes, section 4: 396 positives of 7,532.
TABLE = np.array([[255, 22, 24, 95], [62, 38, 35, 7001]])
ROPE = Interval(-0.05, 0.05)


def _posterior(settings: Settings = FINE) -> Paired:
    return Paired.fit(Evidence.of_joint(TABLE), prior_of("uniform"), settings)


def _prior(settings: Settings = FINE) -> Paired:
    return Paired.fit(Evidence.of_joint(np.zeros((2, 4), dtype=np.int64)), prior_of("uniform"), settings)


def test_paired_f1_difference() -> None:
    """With 2**20 points, the probabilities, density and interval of method.md section 4 to the digits given."""
    law = _posterior()._integrated(F1, "positives", DISAGREEMENT, 17)
    low, high = law.hdi(0.95)

    assert law.probability(0, 1) == pytest.approx(0.3308597, abs=1.5e-7)
    assert law.probability(*ROPE) == pytest.approx(0.9990030, abs=1.5e-7)
    assert float(law.pdf(0.0)) == pytest.approx(26.22683, abs=1e-5)
    assert low == pytest.approx(-0.03339, abs=1e-5)
    assert high == pytest.approx(0.02125, abs=1e-5)


@pytest.mark.parametrize(
    ("share", "density"),
    [(0.01, 23.5576), (0.05, 5.41780), (0.1, 3.19032), (0.2, 2.13703), (0.5, 1.66723), (0.8, 1.67240)],
)
def test_prior_density_at_zero_given_mu(share: float, density: float) -> None:
    """With mu known, the prior density of no difference is the closed form of method.md section 3."""
    known = replace(_prior(), mu=(share * 1e11, (1 - share) * 1e11))

    assert known.density_at_zero(F1, share_known=True) == pytest.approx(density, rel=5e-6)


def test_prior_density_at_zero() -> None:
    """Finite alternatives to the paper's prior: an eight-cell Dirichlet, mu after the test, separate mu's."""
    eight = replace(_prior(), mu=(4.0, 4.0))
    after = replace(_prior(), mu=_posterior().mu)
    separate = Unpaired.fit(Evidence.of_joint(np.zeros((2, 4), dtype=np.int64)), prior_of("uniform"), FINE)

    assert eight.density_at_zero(F1, share_known=False) == pytest.approx(1.73741, abs=5e-5)
    assert after.density_at_zero(F1, share_known=True) == pytest.approx(5.19822, abs=5e-5)
    assert separate.density_at_zero(F1) == pytest.approx(1.0681, abs=5e-5)


def test_prior_density_is_infinite_with_uniform_mu() -> None:
    """With a uniform mu the density of no difference in F1 is infinite: not a number, not 2.179."""
    assert np.isnan(_prior().density_at_zero(F1, share_known=False))


def test_prior_density_grows_as_a_logarithm() -> None:
    """The paper's prior density near zero is A - B ln|d|, B = 1.5 ln 2 - 13/16, A = 1.2816 (method.md section 3)."""
    law = _prior(Settings(tolerance=2e-5)).difference(F1)
    slope = 1.5 * np.log(2) - 13 / 16

    for d in (0.003, 0.01):
        # Twice the integral of A - B ln x from 0 to d
        assert law.probability(-d, d) == pytest.approx(2 * d * (1.2816 + slope * (1 - np.log(d))), rel=0.005)


def test_bayes_factors_of_one_data_set() -> None:
    """The recipes disagree as method.md section 3 says."""
    posterior = _posterior().difference(F1)
    prior, after = _prior().difference(F1), replace(_prior(), mu=_posterior().mu)
    at_zero = float(posterior.pdf(0.0))

    def interval_null(law: Paired) -> float:
        return bayes_factor.interval_null(posterior, bayes_factor.odds(law.difference(F1), ROPE), ROPE).value

    kernel = bayes_factor.kernel_density(prior, smooth=False)
    assert kernel == pytest.approx(2.179, rel=0.005)
    assert bayes_factor.paper_recipe(posterior, kernel).value == pytest.approx(12.0, rel=0.01)
    assert at_zero / after.density_at_zero(F1, share_known=True) == pytest.approx(5.05, abs=0.01)
    assert at_zero / replace(_prior(), mu=(4.0, 4.0)).density_at_zero(F1, share_known=False) == pytest.approx(
        15.1, abs=0.05
    )
    assert interval_null(_prior()) == pytest.approx(3710, rel=0.005)
    assert interval_null(after) == pytest.approx(1219, rel=0.005)


def test_recall_prior_density() -> None:
    """For recall, s ~ Beta(2, 2) and r uniform, so the density at zero is E[1 / 2s] = 3/2."""
    assert _prior().density_at_zero(measures.get("recall"), share_known=False) == pytest.approx(1.5, rel=1e-8)


def test_barber() -> None:
    """Barber's exact Bayes factors, worked examples of method.md section 3."""
    table = np.array([[20, 3], [9, 8]])

    assert 1 / bayes_factor.same_or_independent((39, 26, 35), (63, 12, 25)).value == pytest.approx(20.7325, abs=5e-5)
    assert bayes_factor.independent_or_dependent(table).value == pytest.approx(0.136721, abs=5e-7)
    assert bayes_factor.same_or_dependent(table).value == pytest.approx(0.199992, abs=5e-7)


def test_same_accuracy() -> None:
    """Fifteen against nine disagreements, uniform prior: 2^-24 / B(16, 10) = 1.948333."""
    assert bayes_factor.same_accuracy(15, 9).value == pytest.approx(1.948333, abs=5e-7)
