"""Laws on a table of normal scores, and differences of independent ones, against SciPy's and closed forms."""

import math

import numpy as np
import pytest
from scipy import stats

import outclass as oc
from outclass.errors import InputError, RoughLawError
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Interval
from outclass.inference.grid import GridLaw, StudentLaw
from outclass.inference.mixture import Mixture
from outclass.inference.tabulated import FINE, ROUGH, Detail, Tabulated, independent_difference
from outclass.report.curves import quick


def test_tabulated_normal_is_scipys() -> None:
    """A law without ends, on a table: everything it says."""
    theirs = stats.norm(2, 3)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(-math.inf, math.inf), 2.5, 2.0)
    p = np.array([1e-9, 0.01, 0.5, 0.9, 1 - 1e-9])
    x = theirs.ppf(p)

    assert law.cdf(x) == pytest.approx(p, rel=1e-6)
    assert law.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-6)
    assert law.quantile(p) == pytest.approx(x, rel=1e-6)
    assert list(law.quantile([0, 1])) == [-math.inf, math.inf]
    assert law.mean == pytest.approx(2, abs=1e-7)
    assert law.std == pytest.approx(3, rel=1e-7)
    assert law.probability(8.0, 20.0) == pytest.approx(theirs.sf(8) - theirs.sf(20), rel=1e-6, abs=0)
    assert law.probability(-20.0, -10.0) == pytest.approx(theirs.cdf(-10) - theirs.cdf(-20), rel=1e-6, abs=0)
    assert law.probability(14.0, math.inf) == pytest.approx(theirs.sf(14), rel=1e-4, abs=0)
    assert law.hdi() == pytest.approx(theirs.interval(0.95), abs=1e-6)
    assert law.replicates() == [law]
    with pytest.raises(InputError, match=r"\(0, 1\)"):
        law.hdi(1.0)


@pytest.mark.parametrize("detail", [FINE, ROUGH])
def test_a_spike_is_no_table(detail: Detail) -> None:
    """Under Jeffreys' prior systems that agree differ by next to nothing: a knot's slope would lift the pieces beside.

    Such a law is read off itself.
    """
    truth, same = [1] * 6 + [0] * 34, [1] * 5 + [0] * 35
    law = oc.compare(truth, same, same, measure="recall", prior="jeffreys", positive=1).only.posterior
    assert isinstance(law, Mixture)

    with pytest.raises(RoughLawError):
        Tabulated.of(law.cdf, law.pdf, law.support, law.mean, law.std, detail=detail)
    assert quick(law, roughly=detail is ROUGH) is law


def test_a_rough_table_is_close() -> None:
    """A third of the knots: the cdf to a millionth, and intervals to 1e-5 stds."""
    theirs = stats.beta(60, 25, loc=-1, scale=2)
    rough, fine = (
        Tabulated.of(theirs.cdf, theirs.pdf, Interval(-1, 1), theirs.mean(), theirs.std(), detail=each)
        for each in (ROUGH, FINE)
    )
    x = np.linspace(*theirs.ppf([1e-7, 1 - 1e-7]), 200)

    assert rough.cdf(x) == pytest.approx(theirs.cdf(x), abs=1e-6)
    assert rough.hdi(0.99) == pytest.approx(fine.hdi(0.99), abs=1e-5 * theirs.std())


def test_tabulated_beta_is_scipys() -> None:
    """A law between two ends, the logit of whose place carries the knots."""
    theirs = stats.beta(5, 3, loc=-1, scale=2)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(-1, 1), theirs.mean(), theirs.std())
    x = np.array([-0.9, -0.5, 0.1, 0.6, 0.95])

    assert law.cdf(x) == pytest.approx(theirs.cdf(x), rel=1e-5)
    assert law.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-4)
    assert list(law.pdf([-1.0, 1.0, -1.5, 1.5])) == [0, 0, 0, 0]
    assert list(law.cdf([-2.0, 2.0])) == pytest.approx([0, 1], abs=1e-9)
    assert list(law.quantile([0, 1])) == [-1, 1]
    assert law.quantile(theirs.cdf(x)) == pytest.approx(x, abs=1e-6)
    assert law.mean == pytest.approx(theirs.mean(), abs=1e-7)
    assert law.std == pytest.approx(theirs.std(), rel=1e-6)
    assert stats.kstest(law.sample(3000, np.random.default_rng(6)), theirs.cdf).pvalue > 1e-3


def test_difference_tells_its_error() -> None:
    """The coarser grid is twice as coarse and the last; the errors cover the distance from the closed form."""
    law = independent_difference(BetaLaw(12, 5), BetaLaw(9, 9))
    (coarser,) = law.replicates()
    variance = 12 * 5 / (17**2 * 18) + 9 * 9 / (18**2 * 19)  # of a Beta: ab / ((a + b)^2 (a + b + 1))

    assert law.support == (-1, 1)
    assert coarser is not law
    assert coarser.replicates() == [coarser]
    found = law.error(np.array([law.std]), np.array([[coarser.std]]))[0]
    assert abs(law.std - math.sqrt(variance)) <= found < 1e-6


def test_difference_of_unlike_ranges() -> None:
    """The range of a difference is from the lowest less the highest to the highest less the lowest."""
    law = independent_difference(BetaLaw(3, 3, 2, 1), BetaLaw(4, 2, 1, -2))

    assert law.support == (1 - (-1), 3 - (-2))
    assert law.mean == pytest.approx(2 - (-2 + 4 / 6), abs=1e-6)


def test_grid_and_student_differences_agree() -> None:
    """The difference of two normal laws on the whole line is normal: its std is the root of the sum of squares."""
    a = GridLaw(stats.norm(1, 3).logpdf, 1, 3)
    law = independent_difference(a, StudentLaw(1e9, 0.5, 4))

    assert law.mean == pytest.approx(0.5, abs=1e-5)
    assert law.std == pytest.approx(5, rel=1e-5)


def test_table_reaches_as_far_as_there_is_probability() -> None:
    """From a spread ten times too small the table grows until it has both tails."""
    theirs = stats.beta(5, 3, loc=-1, scale=2)
    law = Tabulated.of(theirs.cdf, theirs.pdf, Interval(-1, 1), theirs.mean(), theirs.std() / 10)
    x = np.array([-0.97, -0.9, 0.9, 0.99])

    assert law.cdf(x[:2]) == pytest.approx(theirs.cdf(x[:2]), rel=1e-4, abs=0)
    assert [law.probability(low, 1.0) for low in x[2:]] == pytest.approx(theirs.sf(x[2:]), rel=1e-4, abs=0)
