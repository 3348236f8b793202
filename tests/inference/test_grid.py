"""Student's law in closed form, and laws that are known by their log density on a grid, against SciPy's."""

import math

import numpy as np
import pytest
from scipy import stats

from outclass.errors import InputError
from outclass.inference.distribution import numerical_error
from outclass.inference.grid import GridLaw, StudentLaw

P = np.array([1e-8, 0.01, 0.3, 0.5, 0.9, 0.9999])


@pytest.mark.parametrize(("df", "centre", "scale"), [(3.5, 0, 1), (7, -0.2, 0.05), (40, 3, 2)])
def test_student_is_scipys(df: float, centre: float, scale: float) -> None:
    """Everything Student's law says."""
    ours, theirs = StudentLaw(df, centre, scale), stats.t(df, centre, scale)
    x = theirs.ppf(P)

    assert ours.mean == centre
    assert ours.std == pytest.approx(theirs.std(), rel=1e-12)
    assert ours.cdf(x) == pytest.approx(P, rel=1e-9)
    assert ours.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-10)
    assert ours.quantile(P) == pytest.approx(x, rel=1e-9)
    assert ours.hdi() == pytest.approx(theirs.interval(0.95), rel=1e-9)
    assert ours.hdi(0.5) == pytest.approx(theirs.interval(0.5), rel=1e-9)
    assert ours.probability(x[1], x[4]) == pytest.approx(0.89, abs=1e-12)
    assert ours.probability(x[4], x[5]) == pytest.approx(0.0999, abs=1e-12)
    assert ours.probability(-math.inf, math.inf) == 1
    assert stats.kstest(ours.sample(3000, np.random.default_rng(1)), theirs.cdf).pvalue > 1e-3
    assert ours.replicates() == [ours]
    assert numerical_error(ours, lambda law: [law.mean, law.std]) == pytest.approx([1e-12, 1e-12], abs=0)
    with pytest.raises(InputError, match=r"\(0, 1\)"):
        ours.hdi(1.0)


def test_student_keeps_small_tails() -> None:
    """The upper tail is as exact as the lower."""
    law = StudentLaw(30, 1.0, 0.1)

    assert law.probability(3.0, math.inf) == pytest.approx(stats.t(30, 1, 0.1).sf(3.0), rel=1e-9, abs=0)
    assert law.probability(-math.inf, -1.0) == pytest.approx(stats.t(30, 1, 0.1).cdf(-1.0), rel=1e-9, abs=0)


def test_student_without_moments() -> None:
    """With one degree of freedom there is no mean, with two no finite std."""
    assert math.isnan(StudentLaw(1, 0, 1).mean)
    assert StudentLaw(1.5, 0.25, 1).mean == 0.25
    assert StudentLaw(2, 0, 1).std == math.inf
    assert StudentLaw(2.5, 0, 1).std == pytest.approx(math.sqrt(5))


def test_student_as_a_point() -> None:
    """A scale of zero is a point: all probability is there."""
    law = StudentLaw(5, 0.3, 0.0)

    assert list(law.cdf([0.2, 0.3, 0.4])) == [0, 1, 1]
    assert list(law.pdf([0.2, 0.3])) == [0, math.inf]
    assert list(law.quantile([0.1, 0.9])) == [0.3, 0.3]
    assert [law.probability(*ends) for ends in ((0.3, 0.4), (0.2, 0.3), (0.31, 0.4), (0.1, 0.29))] == [1, 1, 0, 0]
    assert law.hdi(0.9) == (0.3, 0.3)


LAWS = {
    "normal": (stats.norm(0.3, 0.02), 0.31, 0.03),
    "student": (stats.t(6, -1, 0.5), -0.8, 0.5),
    "skew": (stats.gumbel_r(2, 0.5), 2.2, 0.7),
}


def _log_density(theirs: stats.rv_continuous, x: np.ndarray) -> np.ndarray:
    """Not normalised; far out SciPy's own overflows, to the right value."""
    with np.errstate(over="ignore"):
        return np.asarray(theirs.logpdf(x) + 5.0)


@pytest.mark.parametrize("name", LAWS)
def test_grid_law_is_scipys(name: str) -> None:
    """From the log density alone, not normalised and about a centre that is not quite its own."""
    theirs, centre, scale = LAWS[name]
    ours = GridLaw(lambda x: _log_density(theirs, x), centre, scale)
    x = theirs.ppf(P)

    assert ours.cdf(x[1:]) == pytest.approx(P[1:], abs=3e-5)
    assert ours.cdf(x[0]) == pytest.approx(P[0], rel=0.05, abs=0)
    assert ours.pdf(x[1:]) == pytest.approx(theirs.pdf(x[1:]), rel=2e-3)
    assert ours.quantile(P[1:]) == pytest.approx(x[1:], abs=1e-4 * theirs.std())
    assert ours.mean == pytest.approx(theirs.mean(), abs=1e-4 * theirs.std())
    assert ours.std == pytest.approx(theirs.std(), rel=1e-4)
    assert ours.probability(x[1], x[4]) == pytest.approx(0.89, abs=3e-5)
    assert ours.probability(x[4], x[5]) == pytest.approx(0.0999, abs=3e-5)
    low, high = ours.hdi()
    assert theirs.cdf(high) - theirs.cdf(low) == pytest.approx(0.95, abs=3e-5)
    assert theirs.pdf(low) == pytest.approx(theirs.pdf(high), rel=5e-3)
    assert stats.kstest(ours.sample(3000, np.random.default_rng(4)), theirs.cdf).pvalue > 1e-3
    with pytest.raises(InputError, match=r"\(0, 1\)"):
        ours.hdi(0.0)


def test_grid_law_keeps_small_tails() -> None:
    """Five scales out, the probability above is the normal law's to four digits."""
    law = GridLaw(lambda x: -0.5 * x * x, 0.0, 1.0)

    assert law.probability(5.0, math.inf) == pytest.approx(stats.norm.sf(5), rel=1e-3, abs=0)
    assert law.probability(-math.inf, -5.0) == pytest.approx(stats.norm.sf(5), rel=1e-3, abs=0)
    assert law.probability(0.0, math.inf) == pytest.approx(0.5, abs=1e-9)


def test_grid_law_where_the_density_ends() -> None:
    """Beyond what was seen of a density there is nothing; a density of -inf is no part of the grid."""
    law = GridLaw(lambda x: np.where(np.abs(x) < 2, -0.5 * x * x, -np.inf), 0.0, 1.0, points=2001)

    assert list(law.pdf([-2.5, 2.5])) == [0, 0]
    assert law.cdf([-3.0, 3.0]) == pytest.approx([0, 1], abs=1e-14)
    assert float(law.cdf(0.0)) == pytest.approx(0.5, abs=1e-9)
    # The normal law cut at two, its parts by SciPy; the last point of the grid lies up to a hundredth before the cut.
    assert law.probability(0.0, 1.0) == pytest.approx(stats.truncnorm(-2, 2).cdf(1) - 0.5, abs=1e-3)


def test_grid_law_tells_its_error() -> None:
    """The error is the distance from a grid of half as many points, which is the last of its kind."""
    law = GridLaw(stats.norm(0, 1).logpdf, 0.1, 1.0, points=61)
    (coarser,) = law.replicates()

    assert isinstance(coarser, GridLaw)
    assert coarser is not law
    assert coarser.replicates() == [coarser]
    assert len(coarser._t) == pytest.approx(len(law._t) / 2, abs=20)
    error = numerical_error(law, lambda part: [part.std])[0]
    assert error == pytest.approx(abs(law.std - coarser.std) + 5e-8, rel=1e-6)
    assert abs(law.std - 1) <= error
