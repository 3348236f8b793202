"""The laws of mean differences: closed forms, limits, grids of our own, and baycomp on its documentation's examples."""

import math
import warnings

import numpy as np
import pytest
from scipy import special, stats

from outclass.inference.distribution import Interval
from outclass.inference.grid import GridLaw, StudentLaw
from outclass.models import many_data_sets as data_sets
from outclass.models import student


def _values(seed: int, n: int, df: float = 5.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 0.03 + 0.1 * rng.standard_t(df, n)


def test_student_law_is_scipys() -> None:
    law, theirs = StudentLaw(7, 0.2, 0.05), stats.t(7, 0.2, 0.05)
    x = np.linspace(-0.5, 0.9, 31)

    assert law.cdf(x) == pytest.approx(theirs.cdf(x))
    assert law.pdf(x) == pytest.approx(theirs.pdf(x))
    assert law.quantile([0.025, 0.5, 0.9]) == pytest.approx(theirs.ppf([0.025, 0.5, 0.9]))
    assert (law.mean, law.std) == pytest.approx((theirs.mean(), theirs.std()))
    assert law.hdi() == pytest.approx(theirs.interval(0.95))
    assert law.probability(0.9, 1.5) == pytest.approx(theirs.sf(0.9) - theirs.sf(1.5), rel=1e-9)


def test_a_law_without_spread() -> None:
    """Differences that are all the same are a point."""
    law = student.t_law(np.full(8, 0.25))

    assert law.cdf([0.2, 0.25]).tolist() == [0, 1]
    assert law.hdi() == (0.25, 0.25)
    assert law.probability(0.2, 0.3) == 1
    assert student.student_law(np.full(8, 0.25)).hdi() == (0.25, 0.25)


@pytest.mark.parametrize("df", [1.5, 4.0, 40.0])
def test_grid_law(df: float) -> None:
    """A density on a grid is the law itself: here Student's t, with its heavy tails."""
    theirs = stats.t(df, 3.0, 0.2)
    law = GridLaw(theirs.logpdf, 3.02, 0.15, points=121, reach=12.0)
    x = np.linspace(1, 5, 41)

    assert law.cdf(x) == pytest.approx(theirs.cdf(x), abs=1e-5)
    assert law.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-4, abs=1e-4)
    assert law.quantile([0.001, 0.025, 0.5, 0.975]) == pytest.approx(theirs.ppf([0.001, 0.025, 0.5, 0.975]), rel=1e-4)
    assert law.hdi(0.95) == pytest.approx(theirs.interval(0.95), abs=1e-4)
    assert law.probability(4.0, 9.0) == pytest.approx(theirs.sf(4.0) - theirs.sf(9.0), rel=1e-3)


@pytest.mark.parametrize(("n", "seed"), [(6, 0), (25, 1), (120, 2)])
def test_student_model_on_a_grid_of_our_own(n: int, seed: int) -> None:
    """Kruschke's model summed over 121 x 81 x 61 points, written out again."""
    values = _values(seed, n)
    sd, mean = np.std(values, ddof=1), values.mean()
    mu = mean + sd / math.sqrt(n) * np.linspace(-8, 8, 121)
    sigma = sd * np.exp(np.linspace(-2.5, 3.0, 81))
    nu = 1 + np.exp(np.linspace(math.log(1e-3), math.log(700), 61))
    log = np.empty((121, 81, 61))
    for at, df in enumerate(nu):
        z = (values[None, None, :] - mu[:, None, None]) / sigma[None, :, None]
        log[:, :, at] = stats.t(df).logpdf(z).sum(axis=2) - n * np.log(sigma)
    # sigma is uniform, nu - 1 exponential; the grids are even in their logs.
    log += np.log(sigma)[None, :, None] + (np.log(nu - 1) - (nu - 1) / 29)[None, None, :]
    weight = np.exp(log - log.max()).sum(axis=(1, 2))
    weight /= weight.sum()
    law = student.student_law(values)
    inner_mean = float(weight @ mu)

    assert law.mean == pytest.approx(inner_mean, abs=0.01 * law.std)
    for place in (30, 50, 60, 70, 90):
        below = weight[:place].sum() + weight[place] / 2
        assert float(law.cdf(mu[place])) == pytest.approx(below, abs=2e-3)


@pytest.mark.parametrize("values", [[0.1, 0.3, 0.6], [0.0, 1.0, 1.1, 1.2]])
def test_student_model_of_a_few(values: list[float]) -> None:
    """Three or four values: heavy tails, by a wide sum of our own; half-widths within 3%."""
    x = np.array(values)
    sd, n = np.std(x, ddof=1), len(x)
    mu = x.mean() + sd * np.sinh(np.linspace(-9, 9, 301))
    sigma = sd * np.exp(np.linspace(-6.9, 6.9, 140))
    nu = 1 + np.exp(np.linspace(math.log(1e-3), math.log(700), 40))
    total = np.zeros(301)
    for df in nu:
        z = (x[None, None, :] - mu[:, None, None]) / sigma[None, :, None]
        log = stats.t(df).logpdf(z).sum(axis=2) - n * np.log(sigma) + np.log(sigma)
        total += np.exp(log).sum(axis=1) * (df - 1) * math.exp(-(df - 1) / 29)
    total *= np.cosh(np.linspace(-9, 9, 301))
    below = np.cumsum(total) - total / 2
    below /= total.sum()
    law = student.student_law(x)

    for share in (0.025, 0.1, 0.5, 0.9, 0.975):
        assert float(law.quantile(share)) == pytest.approx(
            np.interp(share, below, mu), abs=0.03 * law.hdi(0.95).width / 2
        )


def test_student_model_of_normal_data_is_the_t_test() -> None:
    """Many normal differences: the law of the t-test, to a hundredth of its width."""
    values = np.random.default_rng(3).normal(0.1, 1, 3_000)
    law, limit = student.student_law(values), student.t_law(values)

    assert law.mean == pytest.approx(limit.mean, abs=0.05 * limit.std)
    assert law.std == pytest.approx(limit.std, rel=0.02)


def test_t_law_is_scipys_test() -> None:
    """Flat priors and normal errors: the posterior below zero is the one-sided p-value."""
    a, b = _values(4, 30), np.zeros(30)
    p = stats.ttest_rel(a, b, alternative="greater").pvalue

    assert float(student.t_law(a - b).cdf(0.0)) == pytest.approx(p, rel=1e-9)


def test_outliers_do_not_move_the_student_model() -> None:
    """What the model is for."""
    values = np.concatenate([np.random.default_rng(5).normal(0.1, 0.01, 100), [5.0, -9.0, 30.0]])

    assert student.student_law(values).hdi().high < 0.15
    assert student.t_law(values).hdi().high > 0.5


def test_bins_change_nothing() -> None:
    """More differences than are taken one by one."""
    values = _values(6, 2_500)
    whole, counts = student.binned(values)
    assert counts.sum() == 2_500
    assert float(counts @ whole) / 2_500 == pytest.approx(values.mean())
    exact = student.student_law(values[:2_000])
    rough = student.student_law(np.repeat(values[:2_000], 2))  # the same twice, in bins

    assert rough.mean == pytest.approx(exact.mean, abs=0.1 * exact.std)
    assert rough.std == pytest.approx(exact.std / math.sqrt(2), rel=0.03)


def test_groups() -> None:
    """Many equal groups: the t-test on the groups' means, and not the one that takes all as independent."""
    rng = np.random.default_rng(7)
    group = np.repeat(np.arange(200), 5)
    values = 0.02 + rng.normal(0, 0.1, 200)[group] + rng.normal(0, 0.05, 1_000)
    law = student.grouped_law(values, group)
    means = student.t_law(np.bincount(group, weights=values) / 5)

    assert law.mean == pytest.approx(means.mean, abs=0.05 * means.std)
    assert law.std == pytest.approx(means.std, rel=0.03)
    assert law.std > 1.5 * student.t_law(values).std


def test_groups_that_are_alike() -> None:
    """Without any difference between groups the law comes near that of independent items."""
    rng = np.random.default_rng(8)
    group = np.repeat(np.arange(100), 20)
    values = rng.normal(0.1, 1, 2_000)

    assert student.grouped_law(values, group).std == pytest.approx(student.t_law(values).std, rel=0.12)


def test_groups_of_one() -> None:
    """Every item a group: nothing tells the spreads apart, and the law is that of independent items."""
    values = np.random.default_rng(9).normal(0.1, 1, 300)
    law = student.grouped_law(values, np.arange(300))

    assert law.mean == pytest.approx(values.mean(), abs=1e-3)
    assert law.std == pytest.approx(student.t_law(values).std, rel=0.02)


def test_groups_on_a_grid_of_our_own() -> None:
    """Few, unequal groups: the density of the mean, spreads summed out over another grid, log densities written out."""
    rng = np.random.default_rng(10)
    group = np.repeat(np.arange(6), [2, 3, 8, 1, 4, 6])
    values = rng.normal(0, 0.3, 6)[group] + rng.normal(0.2, 0.2, 24)
    sd = np.std(values, ddof=1)
    centre = np.mean([values[group == each].mean() for each in range(6)])
    x = centre + sd * np.linspace(-1.5, 1.5, 201)
    total = np.zeros(201)
    for sigma in sd * np.exp(np.linspace(-3, 1.5, 45)):
        for tau in sd * np.exp(np.linspace(-7, 4, 80)):
            log = np.zeros(201)
            for each in range(6):
                own = values[group == each]
                # One group's values: normal around x with a common part of variance tau^2.
                cov = sigma**2 * np.eye(len(own)) + tau**2
                inverse, (_, logdet) = np.linalg.inv(cov), np.linalg.slogdet(cov)
                ones = np.ones(len(own))
                a, b, c = ones @ inverse @ ones, ones @ inverse @ own, own @ inverse @ own
                log += -0.5 * logdet - 0.5 * (c - 2 * b * x + a * x**2)
            # log sigma flat; tau half-Cauchy with the values' scale, on a grid that is even in its log.
            total += np.exp(log - 0.0) * (tau / sd) / (1 + (tau / sd) ** 2)
    total /= total.sum()
    law = student.grouped_law(values, group)

    for place in (60, 90, 100, 110, 140):
        assert float(law.cdf(x[place])) == pytest.approx(total[:place].sum() + total[place] / 2, abs=4e-3)


def test_data_sets_with_folds() -> None:
    """Precisely known differences: the t law of their means, nearly; noisy ones are wider."""
    rng = np.random.default_rng(11)
    data_set = np.repeat(np.arange(60), 10)
    own = rng.normal(0.02, 0.05, 60)
    sharp = student.data_sets_law(own[data_set] + rng.normal(0, 1e-4, 600), data_set, 0.1)
    noisy = student.data_sets_law(own[data_set] + rng.normal(0, 0.1, 600), data_set, 0.1)

    assert sharp.mean == pytest.approx(own.mean(), abs=1e-3)
    assert sharp.std == pytest.approx(student.t_law(own).std, rel=0.05)
    assert noisy.std > 1.2 * sharp.std


# --- baycomp, on the examples of its documentation -----------------------------------------------------------------

# Accuracies of naive Bayes and decision trees by 10-fold cross-validation, ten folds; then means on ten data sets.
NBC = np.array([0.7854, 0.8201, 0.7934, 0.8012, 0.7799, 0.8154, 0.8023, 0.7901, 0.8099, 0.7988])
J48 = np.array([0.7944, 0.8151, 0.8034, 0.8212, 0.7809, 0.8254, 0.8093, 0.8031, 0.8079, 0.8128])
MEANS_A = np.array([0.91, 0.84, 0.77, 0.69, 0.95, 0.72, 0.88, 0.81, 0.65, 0.79, 0.74, 0.86])
MEANS_B = np.array([0.90, 0.86, 0.79, 0.71, 0.95, 0.75, 0.87, 0.84, 0.68, 0.78, 0.77, 0.88])


@pytest.mark.parametrize("rope", [0.0, 0.005, 0.01])
@pytest.mark.parametrize("runs", [1, 2])
def test_correlated_t_is_baycomps(rope: float, runs: int) -> None:
    """Exactly: both are Student's t."""
    import baycomp

    theirs = baycomp.two_on_single(NBC, J48, rope=rope, runs=runs)
    law = student.t_law(J48 - NBC, rho=runs / len(NBC))
    found = float(law.cdf(-rope)), 1 - float(law.cdf(rope))

    assert (found[0], found[1]) == pytest.approx((theirs[0], theirs[-1]), abs=1e-12)


@pytest.mark.parametrize("rope", [0.0, 0.005, 0.01, 0.025])
def test_sign_test_is_baycomps(rope: float) -> None:
    """Its 50,000 draws against our integral: within four errors."""
    import baycomp

    theirs = baycomp.SignTest.probs(MEANS_A, MEANS_B, rope=rope, nsamples=50_000, random_state=1)
    found = data_sets.sign(MEANS_A - MEANS_B, Interval(-rope, rope))

    for ours, other in zip((found.a, found.b), (theirs[0], theirs[-1]), strict=True):
        assert abs(ours - other) < 4 * math.sqrt(max(other * (1 - other), 1e-4) / 50_000)


@pytest.mark.parametrize("rope", [0.0, 0.005, 0.01, 0.025])
def test_signed_rank_test_is_baycomps(rope: float) -> None:
    """Both by draws: within four errors of both."""
    import baycomp

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = baycomp.SignedRankTest.probs(MEANS_A, MEANS_B, rope=rope, nsamples=20_000, random_state=1)
    found = data_sets.signed_rank(MEANS_A - MEANS_B, Interval(-rope, rope), np.random.default_rng(1), draws=50_000)

    for ours, other in zip((found[0], found[2]), (theirs[0], theirs[-1]), strict=True):
        assert abs(ours - other) < 4 * math.sqrt(max(other * (1 - other), 1e-4) * (1 / 20_000 + 1 / 50_000))


def test_largest_share_of_a_dirichlet() -> None:
    """Of three: against a million draws; of two: the incomplete beta function."""
    alpha = (4.0, 2.5, 6.0)
    draws = np.random.default_rng(2).dirichlet(alpha, 1_000_000)

    assert data_sets.largest(alpha) == pytest.approx(np.bincount(draws.argmax(axis=1)) / 1e6, abs=2e-3)
    assert data_sets.largest((5.0, 3.0))[0] == pytest.approx(1 - special.betainc(5.0, 3.0, 0.5), abs=1e-6)
