"""Significance tests that are what they say: exact where named so, of the measure asked for, at their level."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from sklearn import metrics

import outclass as oc
from outclass import measures
from outclass.data.multilabel import from_lists
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.measures.measure import pair_difference
from outclass.significance import macro
from outclass.significance.permutation import permutation_exact
from outclass.significance.sign import sign_exact
from outclass.significance.tost import ADDED, tost

SIDES = ("two-sided", "greater", "less")


def classes(items: int, labels: int, seed: int, wrong: tuple[float, float] = (0.2, 0.35)) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, items)
    return [truth, *(np.where(rng.random(items) < rate, rng.integers(0, labels, items), truth) for rate in wrong)]


def macro_f1(truth: np.ndarray, said: np.ndarray, labels: int) -> float:
    """Return macro-F1 by scikit-learn, over all labels."""
    return float(metrics.f1_score(truth, said, average="macro", labels=range(labels), zero_division=0))


def reached(differences: np.ndarray, seen: float, side: str) -> np.ndarray:
    """Return which differences are as extreme."""
    if side == "two-sided":
        return np.abs(differences) >= abs(seen) - 1e-12
    return differences >= seen - 1e-12 if side == "greater" else differences <= seen + 1e-12


# --- items -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("measure", ["accuracy", "micro_f1", "error"])
def test_swapping_on_accuracy_is_the_sign_test(measure: str, side: str) -> None:
    """Twenty classes: the permutation test of items on accuracy is the exact sign test, not one of pooled decisions."""
    truth, a, b = classes(120, 20, 1)
    found = oc.test(truth, a, b, tests="permutation_exact", measure=measure, alternative=side)[0]
    only_a, only_b = int(((a == truth) & (b != truth)).sum()), int(((b == truth) & (a != truth)).sum())
    turned = {"greater": "less", "less": "greater"}.get(side, side) if measure == "error" else side

    assert found.name == "permutation_exact"
    assert found.measure == measure
    assert found.p_value == pytest.approx(sign_exact(only_a, only_b, turned).p_value, abs=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_swapping_on_macro_f1_item_by_item(side: str) -> None:
    """Few discordant items: every one of 2^n swaps, item by item, measured by scikit-learn."""
    truth, a, b = classes(40, 3, 2, (0.1, 0.2))
    differ = np.flatnonzero(a != b)
    assert 6 <= len(differ) <= 12
    seen = macro_f1(truth, a, 3) - macro_f1(truth, b, 3)
    differences = []
    for swap in product([False, True], repeat=len(differ)):
        x, y = a.copy(), b.copy()
        at = differ[np.array(swap)]
        x[at], y[at] = b[at], a[at]
        differences.append(macro_f1(truth, x, 3) - macro_f1(truth, y, 3))
    found = oc.test(truth, a, b, tests="permutation", measure="macro_f1", alternative=side)[0]

    assert found.name == "permutation_exact"
    assert found.measure == "macro_f1"
    assert found.p_value == pytest.approx(np.mean(reached(np.array(differences), seen, side)), abs=1e-12)


def test_random_swaps_on_macro_f1_against_brute_force() -> None:
    """Many discordant items: not called exact, and within five of its stated errors of 4,000 swaps item by item."""
    truth, a, b = classes(150, 5, 3, (0.25, 0.35))
    found = oc.test(truth, a, b, tests="permutation_exact", measure="macro_f1", rng=1)[0]
    rng = np.random.default_rng(4)
    seen = macro_f1(truth, a, 5) - macro_f1(truth, b, 5)
    one = np.eye(5)
    hits = 0
    for _ in range(4_000):
        swap = rng.random(150) < 0.5
        x, y = np.where(swap, b, a), np.where(swap, a, b)
        f1 = []
        for said in (x, y):
            tp = (one[truth] * one[said]).sum(axis=0)
            f1.append(np.mean(2 * tp / (one[truth].sum(axis=0) + one[said].sum(axis=0))))
        hits += abs(f1[0] - f1[1]) >= abs(seen) - 1e-12

    assert found.name == "permutation"
    assert found.p_error == pytest.approx(math.sqrt(found.p_value * (1 - found.p_value) / 10_000))
    assert "Monte Carlo error" in found.words
    assert found.p_value == pytest.approx(hits / 4_000, abs=5 * math.hypot(found.p_error, 0.5 / math.sqrt(4_000)) / 1.2)


def test_documents_are_swapped_whole() -> None:
    """Many labels per document: every swap of whole documents, micro- and macro-F1 by scikit-learn."""
    rng = np.random.default_rng(5)
    truth = rng.random((16, 4)) < 0.4
    a = truth ^ ((rng.random((16, 1)) < 0.2) & (rng.random((16, 4)) < 0.6))
    b = truth ^ ((rng.random((16, 1)) < 0.3) & (rng.random((16, 4)) < 0.6))
    lists = [[[str(k) for k in np.flatnonzero(row)] for row in each] for each in (truth, a, b)]
    found = oc.test(from_lists(lists[0], {"A": lists[1], "B": lists[2]}), tests="permutation_exact")
    differ = np.flatnonzero((a != b).any(axis=1))
    assert 5 <= len(differ) <= 8  # scikit-learn is asked four times for each of their swaps
    for row in found:
        average = row.measure.partition("_")[0]
        measured = [metrics.f1_score(truth, each, average=average, zero_division=0) for each in (a, b)]
        differences = []
        for swap in product([False, True], repeat=len(differ)):
            x, y = a.copy(), b.copy()
            at = differ[np.array(swap)]
            x[at], y[at] = b[at], a[at]
            differences.append(np.subtract(*(metrics.f1_score(truth, each, average=average) for each in (x, y))))

        assert row.name == "permutation_exact"
        expected = np.mean(reached(np.array(differences), measured[0] - measured[1], "two-sided"))
        assert row.p_value == pytest.approx(expected, abs=1e-12)


def test_the_battery_of_many_classes_has_it() -> None:
    """Macro-F1 and micro-F1, unasked; all tests of accuracy agree."""
    truth, a, b = classes(200, 8, 6)
    found = oc.test(truth, a, b)
    by_measure = {row.measure: row for row in found if row.name.startswith("permutation")}

    assert set(by_measure) == {"macro_f1", "micro_f1"}
    assert by_measure["micro_f1"].p_value == pytest.approx(found.named("sign_exact")[0].p_value)
    assert by_measure["macro_f1"].p_value == pytest.approx(
        next(row.p_value for row in found.named("bootstrap") if row.measure == "macro_f1"), abs=0.05
    )


def test_a_long_sum_is_not_called_exact() -> None:
    """Two classes, a measure of the user's own on many items: random swaps, named so, with their error."""
    joint = np.array([[300, 400, 380, 100], [100, 300, 310, 800]])
    found = permutation_exact(measures.get(lambda tp, fp, fn, tn: tp * tn - fp * fn), joint, most_cells=1_000)

    assert found.name == "permutation"
    assert found.p_error > 0
    again = oc.TestReport.from_json(oc.TestReport((found,)).to_json())
    assert again.rows[0].p_error == pytest.approx(found.p_error)


# --- groups ----------------------------------------------------------------------------------------------------------


def grouped(seed: int = 0, groups: int = 8) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), rng.integers(3, 15, groups))
    truth = rng.integers(0, 3, len(group))
    frame = pd.DataFrame({"doc": group, "gold": truth})
    for name in "AB":
        bad = (rng.random(groups) < 0.2)[group] | (rng.random(len(group)) < 0.15)
        frame[name] = np.where(bad, (truth + 1) % 3, truth)
    return frame


@pytest.mark.parametrize("average", ["items", "groups"])
def test_groups_are_swapped_whole(average: str) -> None:
    """Eight groups: all 256 swaps of whole groups, of accuracy by hand."""
    frame = grouped()
    found = oc.test(frame, truth="gold", group="doc", measure="accuracy", average=average)
    right = (frame["A"] == frame["gold"]) * 1.0 - (frame["B"] == frame["gold"])
    sums = right.groupby(frame["doc"]).agg("sum" if average == "items" else "mean").to_numpy()
    signs = np.array(list(product([-1, 1], repeat=8)))
    expected = np.mean(reached(signs @ sums, sums.sum(), "two-sided"))

    (row,) = found.named("permutation_exact")
    assert row.p_value == pytest.approx(expected, abs=1e-12)
    assert {each.name for each in found} == {"permutation_exact", "cluster_t"}


def test_swapped_macro_f1_of_groups() -> None:
    """Macro-F1 of all 256 swaps by scikit-learn."""
    frame = grouped(1)
    truth, a, b, doc = (frame[name].to_numpy() for name in ("gold", "A", "B", "doc"))
    seen = macro_f1(truth, a, 3) - macro_f1(truth, b, 3)
    differences = []
    for swap in product([False, True], repeat=8):
        at = np.array(swap)[doc]
        x, y = np.where(at, b, a), np.where(at, a, b)
        differences.append(macro_f1(truth, x, 3) - macro_f1(truth, y, 3))
    found = oc.test(frame, truth="gold", group="doc", measure="macro_f1", tests="permutation_exact")[0]

    assert found.p_value == pytest.approx(np.mean(reached(np.array(differences), seen, "two-sided")), abs=1e-12)


def test_numbers_of_groups() -> None:
    """The sign flips of groups' sums; over groups, the cluster t is the t-test of the groups' means."""
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(9), rng.integers(3, 12, 9))
    frame = pd.DataFrame({"g": group, "a": rng.normal(size=len(group)) + 0.4, "b": rng.normal(size=len(group))})
    data = oc.scores(frame, group="g", systems=["a", "b"])
    found, means = oc.test(data), oc.test(data, average="groups")
    sums = (frame["a"] - frame["b"]).groupby(group).sum().to_numpy()
    signs = np.array(list(product([-1, 1], repeat=9)))
    by_group = frame.groupby("g").mean()

    expected = np.mean(reached(signs @ sums, sums.sum(), "two-sided"))
    assert found.named("permutation_exact")[0].p_value == pytest.approx(expected)
    assert means.named("cluster_t")[0].p_value == pytest.approx(stats.ttest_rel(by_group["a"], by_group["b"]).pvalue)


def test_many_groups_are_drawn() -> None:
    """2^40 swaps cannot be summed: random ones, with their error."""
    found = oc.test(grouped(3, 60), truth="gold", group="doc", measure="accuracy", tests="permutation_exact")[0]

    assert found.name == "permutation"
    assert 0 < found.p_error < 0.006


@pytest.mark.parametrize("name", ["sign_exact", "mcnemar_midp", "bootstrap", "tost", "macro_t"])
def test_tests_of_independent_items_are_refused_with_groups(name: str) -> None:
    """One sentence says why, and what to use."""
    with pytest.raises(InputError, match="treats items as independent"):
        oc.test(grouped(), truth="gold", group="doc", tests=name)


def test_groups_go_with_tables() -> None:
    """Arrays have no column of groups."""
    with pytest.raises(InputError, match=r"group is not used with arrays"):
        oc.test([1, 0, 1, 0], [1, 1, 1, 0], [0, 0, 1, 0], group="doc")


@pytest.mark.slow
@pytest.mark.parametrize("groups", [6, pytest.param(12, marks=pytest.mark.full), 30])
def test_levels_of_the_tests_of_groups(groups: int) -> None:
    """Equal systems whose errors come by group: at most 5% rejections, within three errors of 400 sets."""
    hits = {"permutation": 0, "cluster_t": 0, "sign": 0}
    for seed in range(400):
        frame = grouped(1_000 + seed, groups)
        for row in oc.test(frame, truth="gold", group="doc", measure="accuracy", draws=500):
            hits[row.name.removesuffix("_exact")] += row.p_value <= 0.05
        hits["sign"] += oc.test(frame[["gold", "A", "B"]], truth="gold", tests="sign_exact")[0].p_value <= 0.05

    most = 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)
    assert hits["permutation"] <= most
    assert hits["cluster_t"] <= most
    assert hits["sign"] > most  # what it costs to ignore groups


# --- equivalence -----------------------------------------------------------------------------------------------------


def tango(only_a: float, only_b: float, rest: float, effect: float, n: int, edge: float) -> float:
    """Return Tango's score: the restricted maximum likelihood found by a general optimiser."""

    def negative(q: float) -> float:
        return -(only_a * math.log(q + edge) + only_b * math.log(q) + rest * math.log(1 - 2 * q - edge))

    low, high = max(0.0, -edge) + 1e-12, (1 - edge) / 2 - 1e-12
    q = optimize.minimize_scalar(negative, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    return (effect - edge) / math.sqrt((2 * q + edge - edge**2) / n)


@pytest.mark.parametrize(
    "cells", [[210, 24, 9, 57, 30, 8, 12, 650], [30, 3, 0, 5, 3, 1, 2, 56], [60, 0, 0, 40, 5, 0, 0, 95]]
)
def test_tost_of_accuracy_is_tangos_score_test(cells: list[int]) -> None:
    """With a quarter of an item in each cell of disagreement, as in the module."""
    joint = np.array(cells).reshape(2, 4)
    n = int(joint.sum())
    only_a, only_b = joint[0, 1] + joint[1, 2], joint[0, 2] + joint[1, 1]
    effect = (only_a - only_b) / n
    scores = [
        tango(only_a + 2 * ADDED, only_b + 2 * ADDED, n - only_a - only_b, effect, n, edge) for edge in (-0.05, 0.05)
    ]
    found = tost(measures.get("accuracy"), joint, Interval(-0.05, 0.05))

    assert found.p_value == pytest.approx(max(stats.norm.sf(scores[0]), stats.norm.cdf(scores[1])), rel=5e-3)
    assert found.interval.low < effect < found.interval.high


EDGES = {
    "accuracy, few discordant": ("accuracy", 100, [0.3, 0.015, 0.0, 0.05, 0.05, 0.0, 0.035, 0.55]),
    "accuracy": ("accuracy", 200, [0.3, 0.0165, 0.0015, 0.05, 0.05, 0.0035, 0.0385, 0.54]),
    "F1": ("f1", 200, [0.14, 0.024, 0.006, 0.03, 0.04, 0.0096, 0.0192, 0.7312]),
    "balanced accuracy": ("balanced_accuracy", 200, [0.35, 0.06, 0.015, 0.075, 0.025, 0.006, 0.012, 0.457]),
}


@pytest.mark.parametrize("world", EDGES)
def test_tost_holds_its_level_at_the_edge(world: str) -> None:
    """The true difference is the ROPE's edge: at most 5% are called equivalent (today 6 to 12), within three errors."""
    name, n, cells = EDGES[world]
    measure, rng = measures.get(name), np.random.default_rng(7)
    shares = np.array(cells) / np.sum(cells)
    edge = abs(float(pair_difference(measure, shares.reshape(2, 4))))
    tables = rng.multinomial(n, shares, 400).reshape(-1, 2, 4)
    hits = sum(tost(measure, joint, Interval(-edge, edge)).p_value <= 0.05 for joint in tables)

    assert hits <= 400 * 0.05 + 3 * math.sqrt(400 * 0.05 * 0.95)


# --- marks -----------------------------------------------------------------------------------------------------------


def test_the_mark_of_wilcoxon_follows_its_ranks() -> None:
    """Most differences are zero, which the test and its estimate leave out; the others all go one way: not '~'."""
    a, b = np.zeros(40), np.zeros(40)
    a[:11] = np.linspace(0.1, 0.9, 11)
    found = macro.wilcoxon(a, b)

    assert (found.effect, found.ties) == (pytest.approx(0.5), 29)
    assert found.p_value < 0.01
    assert found.mark == ">>"
    assert macro.wilcoxon(b, a).mark == "<<"
    assert macro.wilcoxon(b, a, "observed").alternative == "less"
    assert oc.TestReport.from_json(oc.TestReport((found,)).to_json()).rows[0].mark == ">>"


def test_the_hodges_lehmann_difference_of_many_items() -> None:
    """Beyond what fits into memory, averages of pairs are counted: the same estimate and interval, at n log n."""
    rng = np.random.default_rng(3)
    numbers = np.round(rng.normal(0.1, 1, 300), 2)
    counted = macro.Walsh(numbers)
    whole = np.sort([(x + y) / 2 for at, x in enumerate(numbers) for y in numbers[at:]])
    counted._all = None
    many = rng.normal(0.05, 1, 20_000)
    found = macro.wilcoxon(many, np.zeros(20_000))

    assert [counted[place] for place in (0, 17, 22_000, 45_149)] == pytest.approx(whole[[0, 17, 22_000, 45_149]])
    assert counted.median == pytest.approx(np.median(whole))
    # The interval of a normal sample is as wide as that of its mean by sqrt(pi / 3), within a few percent.
    assert found.interval.width == pytest.approx(2 * 1.96 / np.sqrt(20_000) * np.sqrt(np.pi / 3), rel=0.05)
    assert found.effect == pytest.approx(many.mean(), abs=3 * 0.2 / np.sqrt(20_000) + 0.002)


def test_few_that_differ_have_no_certain_interval() -> None:
    """Given how many differ, the law is exact: five cannot be significant, and where none differs nothing is known."""
    differences = np.array([0.1, 0.2, 0.3, 0.4, 0.5, *[0.0] * 20])
    five, none = macro.wilcoxon(differences, np.zeros(25)), macro.wilcoxon(np.zeros(12), np.zeros(12))

    assert five.p_value == pytest.approx(2 / 2**5)
    assert math.isnan(five.interval.low)
    assert (none.p_value, math.isnan(none.interval.low)) == (1.0, True)
