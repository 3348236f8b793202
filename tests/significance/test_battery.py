"""Every test of the battery against an independent implementation, on random data."""

import csv
import json
import math
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlxtend.evaluate import mcnemar_table
from mlxtend.evaluate import permutation_test as mlxtend_permutation
from scipy import stats
from sklearn import metrics
from statsmodels.stats import contingency_tables, proportion
from statsmodels.stats.multitest import multipletests

import outclass as oc
from outclass import measures
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.models.evidence import rights
from outclass.significance import intervals, macro, many, sign
from outclass.significance.adjust import adjust
from outclass.significance.bootstrap import bootstrap
from outclass.significance.delong import delong
from outclass.significance.permutation import permutation_exact
from outclass.significance.proportion import proportion as p_test
from outclass.significance.result import mark
from outclass.significance.tost import tost
from outclass.significance.wald import standard_error
from outclass.testing.registry import names

F1 = measures.get("f1")
TABLES = st.lists(st.integers(0, 12), min_size=8, max_size=8).map(lambda cells: np.array(cells).reshape(2, 4))


# --- sign tests and McNemar -----------------------------------------------------------------------------------------


@given(st.integers(0, 80), st.integers(0, 80), st.sampled_from(["two-sided", "greater", "less"]))
def test_sign_and_mcnemar(only_a: int, only_b: int, side: str) -> None:
    """Exact tests are SciPy's and statsmodels'; mid-p lies half a probability below."""
    right = np.array([[30, only_a], [only_b, 9]])
    n = only_a + only_b
    expected = stats.binomtest(only_a, n, alternative=side).pvalue if n else 1.0
    assert sign.signed(right, side).p_value == pytest.approx(expected, abs=1e-12)
    assert sign.mcnemar_exact(right, side).p_value == pytest.approx(expected, abs=1e-12)
    here = stats.binom.pmf(only_a, n, 0.5)
    if side == "two-sided":
        assert sign.mcnemar_exact(right).p_value == pytest.approx(
            contingency_tables.mcnemar(right, exact=True).pvalue if n else 1.0, abs=1e-12
        )
        tail = min(stats.binom.cdf(only_a, n, 0.5), stats.binom.sf(only_a - 1, n, 0.5))
        middle = min(1.0, 2 * tail - here) if n else 1.0
    else:
        middle = expected - here / 2 if n else 1.0
    assert sign.mcnemar_midp(right, side).p_value == pytest.approx(middle, abs=1e-12)


def test_mcnemar_counts_as_mlxtend_does() -> None:
    """From labels to the table of who is right: mlxtend's own."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 300)
    a, b = (np.where(rng.random(300) < 0.2, 1 - truth, truth) for _ in range(2))
    table = mcnemar_table(y_target=truth, y_model1=a, y_model2=b)
    found = oc.test(truth, a, b, tests="mcnemar_exact").rows[0]
    assert found.p_value == pytest.approx(contingency_tables.mcnemar(table, exact=True).pvalue)


@pytest.mark.parametrize(("k", "other"), [(9, 2), (12, 0), (13, 4), (40, 61), (6, 6)])
def test_s_test(k: int, other: int) -> None:
    """Up to 12 the binomial tail, then the uncorrected normal; one-sided (method.md section 6)."""
    n = k + other
    if n <= 12:
        expected = stats.binomtest(max(k, other), n, alternative="greater").pvalue
    else:
        expected = stats.norm.sf(abs(k - n / 2) / (math.sqrt(n) / 2))
    for found in (sign.micro_sign(np.array([[5, k], [other, 5]])), sign.macro_sign(k, other)):
        assert found.p_value == pytest.approx(expected)
    assert sign.micro_sign(np.array([[5, k], [other, 5]]), "two-sided").p_value == pytest.approx(min(1, 2 * expected))


# --- Yang & Liu's table ---------------------------------------------------------------------------------------------


def test_p_test_of_table_1(shared: Path) -> None:
    """The p-values of method.md section 6, from the printed recall and precision, to the digits given."""
    with (shared / "oracles" / "yang1999_table1.csv").open() as file:
        rows = {row["system"]: {key: float(row[key]) for key in row if key != "system"} for row in csv.DictReader(file)}
    labels, decisions = 3744, 3019 * 90

    def counts(system: str, measure: str) -> tuple[float, float]:
        recall, precision = rows[system]["micro_recall"], rows[system]["micro_precision"]
        hits = recall * labels
        wrong = rows[system]["error"] * decisions
        return {"recall": (hits, labels), "precision": (hits, hits / precision), "error": (wrong, decisions)}[measure]

    for a, b, measure, expected, digits in (
        ("svm", "knn", "error", 0.114, 3),
        ("svm", "knn", "recall", 0.0065, 4),
        ("svm", "llsf", "error", 0.0019, 4),
        ("knn", "nnet", "precision", 0.39, 2),
        ("nb", "nnet", "recall", 0.055, 3),
        ("nb", "llsf", "precision", 0.0025, 4),
    ):
        found = p_test(counts(a, measure), counts(b, measure), measure, "observed")
        assert round(found.p_value, digits) == pytest.approx(expected), (a, b, measure)


@given(st.integers(1, 400), st.integers(1, 400), st.integers(0, 400), st.integers(0, 400))
def test_p_test(n_a: int, n_b: int, hits_a: int, hits_b: int) -> None:
    """The pooled z-test is statsmodels'."""
    hits_a, hits_b = min(hits_a, n_a), min(hits_b, n_b)
    found = p_test((hits_a, n_a), (hits_b, n_b), "recall", "two-sided")
    if 0 < hits_a + hits_b < n_a + n_b:
        expected = proportion.proportions_ztest([hits_a, hits_b], [n_a, n_b])
        assert [found.statistic, found.p_value] == pytest.approx(list(expected), abs=1e-12)
    else:
        assert found.p_value == 1.0


@given(st.integers(1, 200), st.integers(1, 200), st.integers(0, 200), st.integers(0, 200))
def test_intervals_of_independent_shares(n_a: int, n_b: int, a: int, b: int) -> None:
    """Newcombe's and Agresti & Caffo's intervals are statsmodels'."""
    a, b = min(a, n_a), min(b, n_b)
    for method, found in (
        ("newcomb", intervals.newcombe(a, n_a, b, n_b)),
        ("agresti-caffo", intervals.agresti_caffo(a, n_a, b, n_b)),
    ):
        expected = proportion.confint_proportions_2indep(a, n_a, b, n_b, compare="diff", method=method)
        assert np.clip(list(found), -1, 1) == pytest.approx(np.clip(expected, -1, 1), abs=1e-9)
    assert list(intervals.clopper_pearson(a, n_a)) == pytest.approx(
        list(proportion.proportion_confint(a, n_a, method="beta")), abs=1e-9
    )


def test_newcombe_paired() -> None:
    """Newcombe 1998 (Statistics in Medicine 17, 2635), Table II, method 10: (36, 12, 2, 0) of 50."""
    assert list(intervals.newcombe_paired(36, 12, 2, 0)) == pytest.approx([0.0569, 0.3404], abs=2e-4)
    there, back = intervals.newcombe_paired(36, 12, 2, 0), intervals.newcombe_paired(36, 2, 12, 0)
    assert [-there.high, -there.low] == pytest.approx(list(back))
    # It is the independent interval where the systems are uncorrelated.
    assert list(intervals.newcombe_paired(25, 25, 25, 25)) == pytest.approx(list(intervals.newcombe(50, 100, 50, 100)))


# --- tests on categories --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 5, 39, 40, 90])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_macro_t(n: int, side: str) -> None:
    """The T-test is SciPy's paired t below 40 categories, the normal from there on; T' is the same on ranks."""
    rng = np.random.default_rng(n)
    a, b = rng.random(n), rng.random(n)
    expected = stats.ttest_rel(a, b, alternative=side)
    found = macro.macro_t(a, b, side)
    normal = {"two-sided": 2 * stats.norm.sf(abs(expected.statistic)), "greater": stats.norm.sf(expected.statistic)}
    normal["less"] = 1 - normal["greater"]
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue if n < 40 else normal[side])
    if n < 40:
        assert list(found.interval) == pytest.approx(list(stats.ttest_rel(a, b).confidence_interval(0.95)))
        ranks = stats.rankdata(np.r_[a, b])
        assert macro.macro_t_ranks(a, b, side).p_value == pytest.approx(
            stats.ttest_rel(ranks[:n], ranks[n:], alternative=side).pvalue
        )


@pytest.mark.parametrize("n", [6, 20, 80])
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_wilcoxon(n: int, side: str) -> None:
    """SciPy's test; the estimate is the median of Walsh averages, whose interval the shifted test just accepts."""
    rng = np.random.default_rng(n)
    a, b = rng.random(n), rng.random(n)
    found = macro.wilcoxon(a, b, side)
    assert found.p_value == pytest.approx(stats.wilcoxon(a, b, alternative=side).pvalue, abs=2e-3 if n > 50 else 1e-12)
    walsh = [(x + y) / 2 for i, x in enumerate(a - b) for y in (a - b)[i:]]
    assert found.effect == pytest.approx(np.median(walsh))
    low, high = found.interval
    for end, inside in ((low, 1e-6), (high, -1e-6)):
        assert stats.wilcoxon(a - b - (end + inside), method="approx").pvalue >= 0.04
        assert stats.wilcoxon(a - b - (end - 0.3 * np.sign(inside)), method="approx").pvalue < 0.05


def test_nothing_differs() -> None:
    """No discordant item or category gives p = 1, never 0; one category gives no t."""
    same = np.full(8, 0.5)
    for found in (
        sign.sign_exact(0, 0),
        sign.micro_sign(np.array([[5, 0], [0, 5]])),
        sign.mcnemar_midp(np.array([[5, 0], [0, 5]])),
        sign.macro_sign(0, 0),
        macro.macro_t(same, same),
        macro.macro_t_ranks(same, same),
        macro.wilcoxon(same, same),
        permutation_exact(F1, np.array([[5, 0, 0, 2], [1, 0, 0, 9]])),
        bootstrap(F1, np.array([[5, 0, 0, 2], [1, 0, 0, 9]]), "two-sided", np.random.default_rng(0)),
        p_test((5, 9), (5, 9), "recall", "two-sided"),
        many.cochran_q(np.array([[1, 1, 1], [0, 0, 0]]), np.array([5, 5]), ("a", "b", "c")),
        many.friedman(np.ones((9, 3)), ("a", "b", "c")),
        delong(np.array([True, True, False, False]), np.arange(4.0), np.arange(4.0)),
    ):
        assert found.p_value == 1.0, found.name
    assert math.isnan(macro.macro_t(same[:1], same[:1] - 0.1).p_value)
    assert tost(F1, np.array([[5, 0, 0, 2], [1, 0, 0, 9]]), Interval(-0.05, 0.05)).p_value > 0.05


# --- the permutation test -------------------------------------------------------------------------------------------


def enumerated(measure: measures.Measure, joint: np.ndarray, side: str) -> float:
    """Swap every discordant item both ways: all 2^n tables, one by one."""
    (pp, pa, pb, pn), (np_, na, nb, nn) = joint.tolist()
    seen = None
    hits = total = 0
    # The observed assignment comes first: A's wins to A.
    owners = [1] * pa + [0] * pb + [1] * na + [0] * nb
    kinds = [0] * (pa + pb) + [1] * (na + nb)

    def difference(flags: tuple[int, ...]) -> float:
        x = sum(flag for flag, kind in zip(flags, kinds, strict=True) if kind == 0)
        y = sum(flag for flag, kind in zip(flags, kinds, strict=True) if kind == 1)
        p, n = pa + pb, na + nb
        a = measure(pp + x, np_ + y, pn + p - x, nn + n - y)
        b = measure(pp + p - x, np_ + n - y, pn + x, nn + y)
        return 0.0 if np.isnan(a) and np.isnan(b) else float(a - b)

    seen = difference(tuple(owners))
    for flags in product((0, 1), repeat=len(owners)):
        value = difference(flags)
        total += 1
        if side == "two-sided":
            hits += abs(value) >= abs(seen) - 1e-12
        else:
            hits += value >= seen - 1e-12 if side == "greater" else value <= seen + 1e-12
    return hits / total


@pytest.mark.parametrize(
    "name", ["f1", "accuracy", "precision", "recall", "mcc", "kappa", "jaccard", "fbeta:2", "error"]
)
@pytest.mark.parametrize("side", ["two-sided", "greater", "less"])
def test_permutation_by_enumeration(name: str, side: str) -> None:
    """Small tables: all swaps, one by one."""
    rng = np.random.default_rng(len(name))
    measure = measures.get(name)
    for _ in range(12):
        joint = np.array([[rng.integers(0, 6), *rng.integers(0, 4, 2), rng.integers(0, 6)] for _ in range(2)])
        if joint[:, 1:3].sum() > 10:
            continue
        found = permutation_exact(measure, joint, side)
        if math.isnan(found.statistic):
            assert math.isnan(found.p_value)
        else:
            expected = enumerated(measure, joint, side)
            if not math.isnan(expected):
                assert found.p_value == pytest.approx(expected, abs=1e-12), joint


@given(TABLES)
def test_permutation_of_accuracy_is_the_sign_test(joint: np.ndarray) -> None:
    """Swapping on accuracy is tossing coins for the discordant items."""
    right = rights(joint)
    if joint.sum():
        assert permutation_exact(measures.get("accuracy"), joint).p_value == pytest.approx(
            sign.sign_exact(int(right[0, 1]), int(right[1, 0])).p_value, abs=1e-10
        )


@pytest.mark.parametrize("name", ["f1", "mcc", "balanced_accuracy"])
def test_permutation_by_a_million_swaps(name: str) -> None:
    """A large table: a million random swaps, within five of their standard errors."""
    measure = measures.get(name)
    joint = np.array([[2100, 240, 205, 570], [300, 180, 214, 6500]])
    found = permutation_exact(measure, joint)
    rng = np.random.default_rng(3)
    (pp, pa, pb, pn), (np_, na, nb, nn) = joint.tolist()
    x, y = rng.binomial(pa + pb, 0.5, 1_000_000), rng.binomial(na + nb, 0.5, 1_000_000)
    p, n = pa + pb, na + nb
    swapped = measure(pp + x, np_ + y, pn + p - x, nn + n - y) - measure(pp + p - x, np_ + n - y, pn + x, nn + y)
    expected = np.mean(np.abs(swapped) >= abs(found.statistic) - 1e-12)
    assert found.p_value == pytest.approx(expected, abs=5 * math.sqrt(expected / 1_000_000))


def test_permutation_as_mlxtend_does_it() -> None:
    """Mlxtend's paired permutation test of a mean difference is ours of accuracy; 20,000 rounds, five errors."""
    rng = np.random.default_rng(4)
    right_a, right_b = (rng.random(60) < 0.8).astype(float), (rng.random(60) < 0.65).astype(float)
    only_a, only_b = int((right_a > right_b).sum()), int((right_b > right_a).sum())
    joint = np.array(
        [[int((right_a * right_b).sum()), only_a, only_b, 60 - int(((right_a + right_b) > 0).sum())], [0] * 4]
    )
    expected = mlxtend_permutation(
        right_a, right_b, method="approximate", num_rounds=20_000, seed=1, paired=True, func="x_mean != y_mean"
    )
    found = permutation_exact(measures.get("recall"), joint).p_value
    assert found == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 20_000))


def test_permutation_at_a_million_items() -> None:
    """At a million items, too, it is the random swaps' p-value (how quick it is, `make bench` measures)."""
    joint = np.array([[200_000, 31_000, 30_500, 40_000], [30_000, 41_000, 40_700, 586_800]])
    found = permutation_exact(F1, joint)
    rng = np.random.default_rng(8)
    x, y = rng.binomial(61_500, 0.5, 400_000), rng.binomial(81_700, 0.5, 400_000)
    a = F1(200_000 + x, 30_000 + y, 101_500 - x, 668_500 - y)
    b = F1(261_500 - x, 111_700 - y, 40_000 + x, 586_800 + y)
    expected = np.mean(np.abs(a - b) >= abs(found.statistic) - 1e-12)
    assert found.p_value == pytest.approx(expected, abs=5 * math.sqrt(0.25 / 400_000))


# --- the bootstrap, the delta method, TOST --------------------------------------------------------------------------


def test_bootstrap_against_scipy() -> None:
    """BCa ends are SciPy's on the items themselves, within the noise of 10,000 draws."""
    joint = np.array([[60, 14, 6, 20], [10, 9, 12, 169]])
    found = bootstrap(F1, joint, "two-sided", np.random.default_rng(1))
    cells = np.repeat(np.arange(8), joint.ravel())

    def difference(at: np.ndarray, axis: int = -1) -> np.ndarray:
        counted = np.stack([(at == cell).sum(axis=axis) for cell in range(8)])
        pp, pa, pb, pn, np_, na, nb, nn = counted
        return F1(pp + pa, np_ + na, pb + pn, nb + nn) - F1(pp + pb, np_ + nb, pa + pn, na + nn)

    expected = stats.bootstrap(
        (cells,), difference, n_resamples=9_999, method="BCa", vectorized=True, rng=np.random.default_rng(2)
    ).confidence_interval
    assert list(found.interval) == pytest.approx([expected.low, expected.high], abs=4e-3)


@given(TABLES.filter(lambda joint: joint.sum() > 5))
def test_standard_error_of_accuracy(joint: np.ndarray) -> None:
    """The delta method on accuracy is the textbook's formula for paired shares."""
    right = rights(joint)
    n, b, c = int(joint.sum()), int(right[0, 1]), int(right[1, 0])
    expected = math.sqrt(max((b + c) / n - ((b - c) / n) ** 2, 0) / n)
    assert standard_error(measures.get("accuracy"), joint) == pytest.approx(expected, abs=1e-7)


def test_standard_error_of_f1_by_simulation() -> None:
    """Against the spread of 200,000 multinomial tables; 2%."""
    joint = np.array([[210, 24, 9, 57], [30, 8, 12, 650]])
    tables = np.random.default_rng(1).multinomial(1000, joint.ravel() / 1000, 200_000).astype(float)
    pp, pa, pb, pn, np_, na, nb, nn = tables.T
    drawn = F1(pp + pa, np_ + na, pb + pn, nb + nn) - F1(pp + pb, np_ + nb, pa + pn, na + nn)
    assert standard_error(F1, joint) == pytest.approx(drawn.std(), rel=0.02)


def test_tost() -> None:
    """Near two z-tests by hand where there are many items; against Tango's score test, see tests/certainty."""
    joint = np.array([[2100, 240, 90, 570], [300, 80, 120, 6500]])
    error = standard_error(measures.get("accuracy"), joint)
    effect = (240 + 120 - 90 - 80) / 10_000
    expected = max(stats.norm.sf((effect + 0.022) / error), stats.norm.cdf((effect - 0.022) / error))
    found = tost(measures.get("accuracy"), joint, Interval(-0.022, 0.022))
    assert found.p_value == pytest.approx(expected, rel=0.05)
    assert tost(measures.get("accuracy"), joint, Interval(-0.05, 0.05)).mark == "~="


# --- many systems ---------------------------------------------------------------------------------------------------


@given(st.integers(0, 1000), st.integers(3, 6))
def test_cochran(seed: int, systems: int) -> None:
    """Statsmodels' Cochran's Q."""
    right = (np.random.default_rng(seed).random((40, systems)) < 0.7).astype(np.int64)
    found = many.cochran_q(right, np.ones(40, dtype=np.int64), tuple("abcdef"[:systems]))
    expected = contingency_tables.cochrans_q(right)
    assert [found.statistic, found.p_value] == pytest.approx([expected.statistic, expected.pvalue])


@given(st.integers(0, 1000), st.integers(3, 6))
def test_friedman_and_nemenyi(seed: int, systems: int) -> None:
    """SciPy's Friedman (with ties), and scikit-posthocs' Nemenyi."""
    import scikit_posthocs

    values = np.round(np.random.default_rng(seed).random((15, systems)), 1)
    names = tuple("abcdef"[:systems])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = stats.friedmanchisquare(*values.T)
        pairwise = scikit_posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    found = many.friedman(values, names)
    assert [found.statistic, found.p_value] == pytest.approx([expected.statistic, expected.pvalue])
    for row in many.nemenyi(values, names):
        a, b = (names.index(name) for name in row.systems)
        assert row.p_value == pytest.approx(pairwise[a, b], abs=1e-3)


def test_delong_against_brute_force() -> None:
    """AUC is scikit-learn's; the variance is that of DeLong's placements, computed pair by pair."""
    rng = np.random.default_rng(1)
    truth = rng.random(120) < 0.4
    a, b = np.round(truth + rng.normal(0, 1, 120), 1), np.round(truth + rng.normal(0, 1.5, 120), 1)
    found = delong(truth, a, b)
    assert found.effect == pytest.approx(metrics.roc_auc_score(truth, a) - metrics.roc_auc_score(truth, b))
    psi = [(s[truth][:, None] > s[~truth][None, :]) + 0.5 * (s[truth][:, None] == s[~truth][None, :]) for s in (a, b)]
    rows, columns = (psi[0] - psi[1]).mean(axis=1), (psi[0] - psi[1]).mean(axis=0)
    variance = rows.var(ddof=1) / len(rows) + columns.var(ddof=1) / len(columns)
    assert found.statistic == pytest.approx(found.effect / math.sqrt(variance))


@pytest.mark.parametrize(
    "p_values", [[0.3], [0.01, 0.01, 0.04, 0.2], np.random.default_rng(3).random(20).round(2).tolist()]
)
def test_adjusting(p_values: list[float]) -> None:
    """Holm and Benjamini-Hochberg are statsmodels', with ties."""
    assert adjust(p_values, "holm") == pytest.approx(multipletests(p_values, method="holm")[1])
    assert adjust(p_values, "benjamini_hochberg") == pytest.approx(multipletests(p_values, method="fdr_bh")[1])
    with_gap = adjust([*p_values, math.nan])
    assert math.isnan(with_gap[-1])
    assert with_gap[:-1] == pytest.approx(adjust(p_values))


@pytest.mark.parametrize(
    ("p_value", "direction", "sign_of"),
    [(0.01, 1, ">>"), (0.0101, 1, ">"), (0.05, -1, "<"), (0.051, 1, "~"), (0.001, -1, "<<"), (math.nan, 1, "")],
)
def test_marks(p_value: float, direction: float, sign_of: str) -> None:
    assert mark(p_value, direction) == sign_of


# --- the battery ----------------------------------------------------------------------------------------------------


def binary(n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    truth = rng.random(n) < 0.4
    return truth, truth ^ (rng.random(n) < 0.1), truth ^ (rng.random(n) < 0.2)


def test_json_of_the_battery() -> None:
    """The keys that were promised, and back again."""
    found = oc.test(*binary(), every=True)
    plain = json.loads(found.to_json())
    wanted = {"name", "systems", "measure", "statistic", "p_value", "alternative", "effect", "interval", "mark"}
    for row in plain["tests"]:
        assert wanted | {"assumptions", "findings"} <= set(row)
    assert oc.TestReport.from_json(found.to_json()).rows == found.rows


def test_every_name_can_be_asked_for() -> None:
    """Two classes, many classes, many labels, scores: between them every test of the registry runs."""
    rng = np.random.default_rng(1)
    truth, a, b = binary()
    seen = {row.name for row in oc.test(truth, a, b, every=True)}
    labels = rng.integers(0, 6, 300)
    frame = {
        "gold": labels,
        **{
            name: np.where(rng.random(300) < wrong, rng.integers(0, 6, 300), labels)
            for name, wrong in (("x", 0.2), ("y", 0.3), ("z", 0.5))
        },
    }
    import pandas as pd

    seen |= {row.name for row in oc.test(pd.DataFrame(frame), truth="gold", every=True)}
    seen |= {
        row.name for row in oc.test(truth, truth + rng.normal(size=200), truth + rng.normal(size=200), scores=True)
    }
    groups = pd.DataFrame(frame).assign(doc=np.arange(300) // 30)
    seen |= {row.name for row in oc.test(groups, truth="gold", group="doc")}
    assert seen == set(names())


def test_swapping_the_systems_mirrors() -> None:
    truth, a, b = binary()
    there, back = (
        oc.test(truth, a, b, every=True, alternative="two-sided"),
        oc.test(truth, b, a, every=True, alternative="two-sided"),
    )
    for x, y in zip(there, back, strict=True):
        assert x.p_value == pytest.approx(y.p_value, abs=0.02 if x.name == "bootstrap" else 1e-9), x.name
        assert x.effect == pytest.approx(-y.effect, abs=1e-9)


def test_what_does_not_fit_is_refused() -> None:
    truth, a, b = binary()
    for wrong in (
        {"tests": "macro_t"},
        {"tests": "cochran_q"},
        {"tests": "delong"},
        {"tests": "sign_exat"},
        {"alternative": "bigger"},
        {"undefined": "2"},
        {"draws": 3},
    ):
        with pytest.raises(InputError):
            oc.test(truth, a, b, **wrong)
    with pytest.raises(InputError, match="missing"):
        oc.test([1, 0, 1], [1, None, 0], [1, 0, 0])


def test_compare_shows_the_tests_and_where_they_part() -> None:
    """A tiny difference on many items: significant, and practically nothing."""
    rows = [(1, 1, 1), (1, 1, 0), (0, 0, 0), (0, 1, 0), (1, 0, 1)]
    outcomes = oc.Outcomes.of_rows(("a", "b"), rows, [50_000, 700, 48_000, 30, 400])
    answer = oc.compare(outcomes)
    assert answer.verdict.value == "~="
    assert {test.name for test in answer.tests} == {"sign_exact", "welch_t", "permutation_exact"}
    assert "too small to matter. Both can be true" in " ".join(answer.to_text(verbose=True).split())
