"""Beside SciPy and statsmodels: the tests that tests/significance tries on a few tables only, on random ones.

Binomial, McNemar, proportions, Cochran, Friedman, Holm and Benjamini-Hochberg are drawn at random there already.
"""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from statsmodels.stats import weightstats

from outclass import measures
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure, pair_difference
from outclass.significance.bootstrap import bootstrap
from outclass.significance.macro import macro_t, wilcoxon
from outclass.significance.paired import paired_t
from outclass.significance.permutation import permutation_exact
from outclass.significance.tost import ADDED, tost
from outclass.significance.wald import standard_error

SIDES = st.sampled_from(["two-sided", "greater", "less"])
# Values with ties and zeros among their differences, or without.
RESULTS = st.lists(
    st.tuples(*[st.integers(0, 20).map(lambda value: value / 20) | st.floats(0, 1)] * 2), min_size=5, max_size=70
)
SMALL = st.lists(st.integers(0, 4), min_size=8, max_size=8).map(lambda cells: np.array(cells).reshape(2, 4))
TABLES = st.lists(st.integers(1, 200), min_size=8, max_size=8).map(lambda cells: np.array(cells).reshape(2, 4))


def _items(joint: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return truth and what both systems say, item by item."""
    rows = [(truth, a, b) for truth in (1, 0) for a, b in ((1, 1), (1, 0), (0, 1), (0, 0))]
    truth, a, b = np.repeat(np.array(rows), joint.ravel(), axis=0).T
    return truth, a, b


@settings(max_examples=60)
@given(RESULTS, SIDES)
def test_wilcoxon_with_ties_and_zeros(pairs: list[tuple[float, float]], side: str) -> None:
    """SciPy's p-value, exact without ties up to 50 that differ, normal otherwise; none differing is 1."""
    a, b = np.array(pairs).T
    d = a - b
    left = d[d != 0]
    found = wilcoxon(a, b, side).p_value
    if not len(left):
        assert found == 1.0
        return
    plain = len(np.unique(np.abs(left))) == len(left) <= 50
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.wilcoxon(left, alternative=side, method="exact" if plain else "approx", correction=False)
    assert found == pytest.approx(expected.pvalue, abs=1e-9)


@settings(max_examples=60)
@given(RESULTS, SIDES)
def test_t_tests(pairs: list[tuple[float, float]], side: str) -> None:
    """The paired t-test on results, and Yang & Liu's on fewer than 40 categories, are SciPy's; so is the interval."""
    a, b = np.array(pairs).T
    assume(np.std(a - b) > 1e-6)
    expected = stats.ttest_rel(a, b, alternative=side)
    interval = stats.ttest_rel(a, b).confidence_interval(0.95)
    tests = [paired_t(a - b, side), *([macro_t(a, b, side)] if len(a) < 40 else [])]
    for found in tests:
        assert [found.statistic, found.p_value] == pytest.approx(
            [expected.statistic, expected.pvalue], rel=1e-7, abs=1e-12
        )
        assert [found.interval.low, found.interval.high] == pytest.approx([interval.low, interval.high], abs=1e-9)


@pytest.mark.parametrize("name", ["f1", "accuracy", "recall", "kappa"])
@settings(max_examples=12)
@given(joint=SMALL, side=SIDES)
def test_permutation(name: str, joint: np.ndarray, side: str) -> None:
    """SciPy swaps each item's two answers in all ways; ours counts them. Items that agree change nothing and stay."""
    measure = measures.get(name)
    discordant = int(joint[:, 1:3].sum())
    assume(2 <= discordant <= 9)  # SciPy wants two at least
    assume(np.isfinite(pair_difference(measure, joint)))
    truth, a, b = _items(joint)
    apart = a != b

    def difference(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
        values = []
        for said in (x, y):
            cells = [
                ((truth == t) & (a == p) & ~apart).sum() + ((truth[apart] == t) & (said == p)).sum(axis=axis)
                for t, p in ((1, 1), (0, 1), (1, 0), (0, 0))
            ]
            values.append(measure(*cells))
        # Undefined for both is no difference; that is how ours counts it.
        return np.where(np.isnan(values[0]) & np.isnan(values[1]), 0.0, values[0] - values[1])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        swapped = stats.permutation_test(
            (a[apart], b[apart]),
            difference,
            permutation_type="samples",
            vectorized=True,
            n_resamples=np.inf,
            alternative="greater",
        )
    null, seen = swapped.null_distribution, float(swapped.statistic)
    assume(np.isfinite(null).all())
    # SciPy's own two-sided p-value doubles the smaller tail; ours counts what is as far from zero, as is usual for it.
    expected = {
        "greater": np.mean(null >= seen - 1e-12),
        "less": np.mean(null <= seen + 1e-12),
        "two-sided": np.mean(np.abs(null) >= abs(seen) - 1e-12),
    }[side]
    assert permutation_exact(measure, joint, side).p_value == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60)
@given(TABLES, st.floats(0.005, 0.3))
def test_tost_of_accuracy(joint: np.ndarray, reach: float) -> None:
    """Tango's score test, its restricted likelihood maximised by SciPy; the standard error is statsmodels'."""
    truth, a, b = _items(joint)
    d = (a == truth).astype(float) - (b == truth)
    n = len(d)
    found = tost(measures.get("accuracy"), joint, Interval(-reach, reach))
    only_a, only_b = float((d > 0).sum()) + 2 * ADDED, float((d < 0).sum()) + 2 * ADDED
    tests = []
    for edge in (-reach, reach):
        fit = optimize.minimize_scalar(
            lambda q, edge=edge: (
                -(
                    only_a * math.log(q + edge)
                    + only_b * math.log(q)
                    + (n - np.count_nonzero(d)) * math.log(1 - 2 * q - edge)
                )
            ),
            bounds=(max(0.0, -edge) + 1e-12, (1 - edge) / 2 - 1e-12),
            method="bounded",
            options={"xatol": 1e-13},
        )
        tests.append((d.mean() - edge) / math.sqrt((2 * fit.x + edge - edge**2) / n))
    expected = max(stats.norm.sf(tests[0]), stats.norm.cdf(tests[1]))
    assert found.p_value == pytest.approx(expected, rel=0.02, abs=1e-6)
    error = weightstats.DescrStatsW(d).std_mean * math.sqrt((n - 1) / n)
    assert standard_error(measures.get("accuracy"), joint) == pytest.approx(error, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", ["f1", "accuracy", "mcc"])
@settings(max_examples=3)
@given(joint=TABLES.map(lambda joint: joint + 5))  # SciPy gives none where a resample has no value
def test_bca_bootstrap(name: str, joint: np.ndarray) -> None:
    """SciPy's BCa interval on the items: both are of draws, so the ends agree to a tenth of a standard error or so."""
    measure: Measure = measures.get(name)
    found = bootstrap(measure, joint, "two-sided", np.random.default_rng(1)).interval
    cells = np.repeat(np.arange(8), joint.ravel())

    def difference(at: np.ndarray, axis: int = -1) -> np.ndarray:
        counted = np.stack([(at == cell).sum(axis=axis) for cell in range(8)], axis=-1)
        return pair_difference(measure, counted.reshape(*counted.shape[:-1], 2, 4))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.bootstrap(
            (cells,),
            difference,
            n_resamples=3_000,
            method="BCa",
            vectorized=True,
            batch=500,
            rng=np.random.default_rng(2),
        )
    ends = expected.confidence_interval
    # Accuracy moves by whole items.
    allowed = 0.2 * standard_error(measure, joint) + 1 / len(cells)
    assert [found.low, found.high] == pytest.approx([ends.low, ends.high], abs=allowed)
