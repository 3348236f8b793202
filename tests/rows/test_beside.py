"""The tests that stand beside a row: those that ask the same of the same data, with SciPy's p-values."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outclass as oc

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import cells


def _beside(data: Any, **options: Any) -> list[str]:
    return [test.name for test in oc.compare(data, **options).only.tests]


def test_labels_of_two_classes() -> None:
    """The sign test of who was right, Welch's t of two accuracies, and the exact test of the measure itself."""
    data = cells.binary().selected(["old", "new"])
    right = data.rights("old", "new")
    row = oc.compare(data, measure="accuracy").only
    tests = {test.name: test.p_value for test in row.tests}
    only_a, only_b = int(right[0, 1]), int(right[1, 0])
    correct = [np.repeat([1.0, 0.0], [right[0].sum(), right[1].sum()])]
    correct.append(np.repeat([1.0, 0.0], [right[:, 0].sum(), right[:, 1].sum()]))

    assert list(tests) == ["sign_exact", "welch_t", "permutation_exact"]
    assert tests["sign_exact"] == pytest.approx(stats.binomtest(only_a, only_a + only_b).pvalue)
    assert tests["welch_t"] == pytest.approx(stats.ttest_ind(*correct, equal_var=False).pvalue, rel=0.02)
    assert tests["permutation_exact"] == pytest.approx(tests["sign_exact"])


@pytest.mark.parametrize(
    ("data", "options", "names"),
    [
        (lambda: oc.read(wins=(17, 4), items=330), {}, ["sign_exact"]),
        (lambda: oc.read(counts=cells.KNOWN), {}, ["welch_t"]),
        (lambda: oc.read(counts=[{"tp": 9, "fp": 3, "fn": 4}] * 2), {}, []),
        (lambda: cells.classes().selected(["old", "new"]), {"measure": "accuracy"}, ["sign_exact"]),
        (lambda: cells.classes().selected(["old", "new"]), {"measure": "micro_f1", "draws": 500}, ["sign_exact"]),
        (lambda: cells.classes().selected(["old", "new"]), {"measure": "macro_f1", "draws": 500}, ["permutation"]),
        (cells.many_labels, {"measure": "micro_f1", "draws": 500}, ["permutation"]),
        (lambda: cells.classifier_scores().selected(["old", "new"]), {"measure": "auc", "draws": 500}, ["delong"]),
        (lambda: cells.classifier_scores().selected(["old", "new"]), {"measure": "brier", "draws": 500}, []),
        (lambda: cells.classifier_scores(group=True).selected(["old", "new"]), {"measure": "auc"}, ["permutation"]),
        (cells.results, {}, ["paired_t", "wilcoxon"]),
        (cells.results, {"measure": "median"}, []),
        (lambda: cells.results("right"), {}, ["sign_exact", "mcnemar_midp"]),
        (lambda: cells.results("groups"), {}, ["permutation"]),
        (lambda: cells.results("folds"), {}, ["corrected_t"]),
        (lambda: cells.results("data sets"), {}, ["wilcoxon"]),
    ],
)
def test_which_tests_stand_beside(data: Any, options: dict[str, Any], names: list[str]) -> None:
    """Each kind of data has the tests that fit it; where none does, none is shown."""
    assert _beside(data(), **options) == names


def test_numbers() -> None:
    """The paired t test and Wilcoxon's are SciPy's; that of folds is corrected for shared training items."""
    rng = np.random.default_rng(0)
    base = rng.random(30)
    table = {"item": list(range(30)), "a": base + rng.normal(0.02, 0.1, 30), "b": base}
    tests = {test.name: test.p_value for test in oc.compare(table, item="item", scores=True).only.tests}

    assert tests["paired_t"] == pytest.approx(stats.ttest_rel(table["a"], table["b"]).pvalue)
    assert tests["wilcoxon"] == pytest.approx(stats.wilcoxon(table["a"], table["b"]).pvalue, rel=1e-6)
    folds = oc.compare(
        {"fold": list(range(30)), "a": table["a"], "b": table["b"]}, fold="fold", scores=True, test_share=0.1
    )
    difference = np.asarray(table["a"]) - table["b"]
    t = difference.mean() / np.sqrt(difference.var(ddof=1) * (1 / 30 + 0.1 / 0.9))
    assert folds.only.tests[0].p_value == pytest.approx(2 * stats.t.sf(abs(t), 29))


@pytest.mark.parametrize(("few", "names"), [(1, []), (2, ["delong"])])
def test_too_few_of_a_class_for_a_variance(few: int, names: list[str]) -> None:
    """DeLong's test needs two items of each class."""
    rng = np.random.default_rng(1)
    for truth in ([1] * few + [0] * 30, [0] * few + [1] * 30):
        table = {"gold": truth, "a": rng.random(few + 30), "b": rng.random(few + 30)}

        assert _beside(table, truth="gold", scores=True, positive=1, measure="auc", draws=500) == names


def test_a_missing_prediction_is_wrong_and_no_false_positive() -> None:
    """B abstains where A is wrong: accuracy is the same, micro-F1 is not, as the p-value and the findings know."""
    truth = ["x", "y", "z"] * 40
    a = [label if at % 3 else "x" for at, label in enumerate(truth)]
    a = ["y" if said == "x" and true == "x" else said for said, true in zip(a, truth, strict=True)]
    b = [said if said == true else None for said, true in zip(a, truth, strict=True)]
    row = oc.compare(truth, {"a": a, "b": b}, measure="micro_f1", missing="wrong").only
    same = oc.compare(truth, {"a": a, "b": b}, measure="accuracy", missing="wrong").only

    assert row.observed < -0.1
    assert [(test.name.partition("_")[0], test.p_value < 0.001) for test in row.tests] == [("permutation", True)]
    assert "OC105" not in {each.code for each in row.findings}
    assert [(test.name, test.p_value) for test in same.tests] == [("sign_exact", 1.0)]
    assert "OC105" in {each.code for each in same.findings}
