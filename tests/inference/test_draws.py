"""Laws known by draws: every number by hand, and the kernel density against SciPy's."""

import math

import numpy as np
import pytest
from scipy import stats

from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws

UNIT = Interval(0, 1)


def test_numbers_of_draws() -> None:
    """Ten draws, every number by hand."""
    law = Draws(np.array([[0.1, 0.5, 0.5, 0.9, 0.3], [0.2, 0.4, 0.6, 0.8, 0.7]]), UNIT)

    assert law.method == "draws"
    assert list(law.values) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert list(law.in_order[0]) == [0.1, 0.5, 0.5, 0.9, 0.3]
    assert law.mean == pytest.approx(0.5)
    assert law.std == pytest.approx(math.sqrt(0.06))  # squares: .16 .09 .04 .01 0 0 .01 .04 .09 .16
    assert list(law.cdf([0.05, 0.1, 0.5, 0.55, 0.9])) == [0, 0.1, 0.6, 0.6, 1]
    assert law.probability(0.2, 0.5) == pytest.approx(0.5)  # both ends belong to it
    assert law.probability(0.5, 0.5) == pytest.approx(0.2)
    assert law.probability(0.6, 0.2) == 0
    assert float(law.quantile(0.5)) == pytest.approx(0.5)
    assert law.hdi(0.3) == pytest.approx((0.4, 0.5))
    assert law.undefined == 0
    assert set(law.sample(200, np.random.default_rng(0))) == set(law.values)


def test_replicates_are_the_batches() -> None:
    """The error of a mean is told by the batches' means: 0.46 and 0.54, with one degree of freedom."""
    law = Draws(np.array([[0.1, 0.5, 0.5, 0.9, 0.3], [0.2, 0.4, 0.6, 0.8, 0.7]]), UNIT, "sobol")
    first, second = law.replicates()

    assert (first.mean, second.mean) == pytest.approx((0.46, 0.54))
    assert (first.method, first.support) == ("sobol", UNIT)
    error = law.error(np.array([0.5]), np.array([[0.46], [0.54]]))
    assert error == pytest.approx([stats.t(1).ppf(0.99) * 0.04])  # the standard error of .46 and .54 is .04


def test_draws_beyond_the_range_are_rounding() -> None:
    """What lies beyond the support is moved to its end."""
    law = Draws(np.array([[-0.1, 0.5, 1.2]]), UNIT)

    assert list(law.values) == [0, 0.5, 1]


def test_iid_draws_come_in_ten_batches() -> None:
    """What does not fill ten batches is left out."""
    law = Draws.iid(np.arange(57) / 57, UNIT)

    assert law.in_order.shape == (10, 5)
    assert law.values.max() == 49 / 57


def test_undefined_draws_are_left_out() -> None:
    """Each batch keeps as many as every batch has; the share that is undefined is told."""
    law = Draws(np.array([[0.1, math.nan, 0.3, math.inf], [0.5, 0.6, 0.7, math.nan]]), UNIT)

    assert law.undefined == pytest.approx(3 / 8)
    assert law.in_order.tolist() == [[0.1, 0.3], [0.5, 0.6]]
    with pytest.raises(InputError, match="no finite number"):
        Draws(np.array([[math.nan, math.nan], [0.1, 0.2]]), UNIT)


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_kernel_density_is_scipys(scale: float) -> None:
    """Scott's width and a Gaussian kernel, as in scipy.stats.gaussian_kde; the same far out, and at many points."""
    values = scale * np.random.default_rng(3).normal(0.2, 0.7, (10, 60))
    law, theirs = Draws(values, Interval(-5000, 5000)), stats.gaussian_kde(values.ravel())
    at = scale * np.array([[-3.0, -0.5, 0.2], [0.3, 1.9, 3.5]])

    assert law.bandwidth == pytest.approx(float(np.sqrt(theirs.covariance[0, 0])), rel=1e-12)
    assert law.pdf(at) == pytest.approx(theirs(at.ravel()).reshape(2, 3), rel=1e-9, abs=0)
    assert float(law.pdf(9 * scale)) == pytest.approx(float(theirs(9 * scale)[0]), abs=1e-15)


def test_one_value_has_no_density() -> None:
    """Draws that are all the same have no width for a kernel."""
    assert np.all(np.isnan(Draws(np.full((2, 5), 0.25), UNIT).pdf([0.25, 0.5])))
