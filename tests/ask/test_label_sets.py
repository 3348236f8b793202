"""Averages over some of the labels, as scikit-learn's `labels=`; own functions of the confusion matrix."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score, precision_score, recall_score
from sklearn.preprocessing import MultiLabelBinarizer

import outclass as oc
from outclass.errors import InputError

LABELS = ("a", "b", "c", "O")
SCORERS: dict[str, Any] = {
    "f1": lambda *what, **how: fbeta_score(*what, beta=1, **how),
    "fbeta:2": lambda *what, **how: fbeta_score(*what, beta=2, **how),
    "precision": precision_score,
    "recall": recall_score,
}
MEASURES = [f"{average}_{base}" for average, base in product(("micro", "macro", "weighted"), SCORERS)]


def _tagged(seed: int = 1, items: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    gold = rng.choice(LABELS, items, p=[0.06, 0.05, 0.04, 0.85])
    columns = {
        name: np.where(rng.random(items) < right, gold, rng.choice(LABELS, items))
        for name, right in (("old", 0.75), ("new", 0.85))
    }
    return pd.DataFrame(
        {"gold": gold, **columns, "doc": np.arange(items) // 10, "lang": rng.choice(["de", "en"], items)}
    )


def _arrays(frame: pd.DataFrame) -> list[np.ndarray]:
    return [frame[name].to_numpy() for name in ("gold", "old", "new")]


def _expected(measure: str, truth: Any, said: Any, labels: Any) -> float:
    average, _, base = measure.partition("_")
    return float(SCORERS[base](truth, said, labels=labels, average=average, zero_division=0))


ROWS = st.lists(st.tuples(*[st.sampled_from(LABELS)] * 3), min_size=8, max_size=40)


@settings(max_examples=25, deadline=None)
@given(rows=ROWS, chosen=st.sets(st.sampled_from(LABELS), min_size=1))
def test_averages_equal_scikit_learn(rows: list[tuple[str, str, str]], chosen: set[str]) -> None:
    """Micro, macro and weighted averages over any labels are scikit-learn's, for one label per item."""
    rows = [*rows, *((label, label, label) for label in LABELS)]  # all labels occur
    truth, a, b = (np.array(column) for column in zip(*rows, strict=True))
    answer = oc.evaluate(truth, a, b, labels=sorted(chosen), measure=MEASURES, undefined="0", draws=100)

    for row, (said, measure) in zip(answer.rows, product((a, b), MEASURES), strict=True):
        assert row.system.observed == pytest.approx(_expected(measure, truth, said, sorted(chosen)), abs=1e-12)


SETS = st.lists(st.tuples(*[st.sets(st.sampled_from(LABELS))] * 2), min_size=4, max_size=20)


@settings(max_examples=25, deadline=None)
@given(rows=SETS, chosen=st.sets(st.sampled_from(LABELS), min_size=1))
def test_averages_of_many_labels_equal_scikit_learn(rows: list[tuple[set[str], set[str]]], chosen: set[str]) -> None:
    """The same for any number of labels per item."""
    rows = [*rows, ({*LABELS}, {"a"})]
    truth, said = ([sorted(labels) for labels in column] for column in zip(*rows, strict=True))
    answer = oc.evaluate(truth, said, labels=sorted(chosen), measure=MEASURES, undefined="0", draws=100)

    known = MultiLabelBinarizer(classes=LABELS).fit(truth)
    places = [LABELS.index(label) for label in sorted(chosen)]
    matrices = [known.transform(column) for column in (truth, said)]
    for row, measure in zip(answer.rows, MEASURES, strict=True):
        assert row.system.observed == pytest.approx(_expected(measure, *matrices, places), abs=1e-12)


def test_an_excluded_label_is_the_rest() -> None:
    """To leave a label out, and to name the others, is the same; the title says which was asked."""
    arrays = _arrays(_tagged())
    without = oc.compare(*arrays, exclude_labels="O", measure="micro_f1", draws=2_000).only
    over = oc.compare(*arrays, labels=["a", "b", "c"], measure="micro_f1", draws=2_000).only

    assert without.difference == over.difference
    assert (without.measure.title, over.measure.title) == ("micro-F1 without O", "micro-F1 over 3 of 4 labels")
    assert without.measure.name == "micro_f1 without O"


def test_usual_measures() -> None:
    """Without a measure, macro- and micro-F1 of the labels; with two classes as well."""
    truth = ["spam", "ham"] * 30
    a, b = ["spam", "ham"] * 25 + ["ham", "spam"] * 5, ["spam", "ham"] * 28 + ["ham", "spam"] * 2
    many = oc.compare(*_arrays(_tagged()), exclude_labels=["O"], draws=1_000)
    two = oc.evaluate(truth, a, b, labels="spam", draws=1_000)

    assert [row.measure.title for row in many.rows] == ["macro-F1 without O", "micro-F1 without O"]
    assert [row.measure.title for row in two.rows][:2] == ["macro-F1 over spam", "micro-F1 over spam"]
    assert two.rows[0].system.observed == pytest.approx(50 / 60)


def test_micro_f1_of_some_labels_is_not_accuracy() -> None:
    """No sign test stands beside it, and wrong labels that it cannot tell apart are no disagreement."""
    truth = ["a"] * 20 + ["O"] * 20 + ["P"] * 20
    a = ["a"] * 20 + ["O"] * 20 + ["P"] * 20
    b = ["a"] * 20 + ["P"] * 20 + ["O"] * 20  # to micro-F1 of label a, the same
    row = oc.compare(truth, a, b, labels="a", measure="micro_f1", draws=1_000).only

    assert row.observed == 0
    assert [test.name for test in row.tests] == ["permutation_exact"]
    assert "OC105" in [each.code for each in row.findings]


def test_a_permutation_test_swaps_every_item() -> None:
    """The p-value of a small table is that of all swaps, one by one."""
    truth = np.array(list("aabbOOO"))
    a, b = np.array(list("abbbaOO")), np.array(list("aaOObOO"))
    row = oc.compare(truth, a, b, exclude_labels="O", measure="micro_f1", draws=500).only
    differ = np.flatnonzero(a != b)
    differences = []
    for swaps in product((False, True), repeat=len(differ)):
        first, second = a.copy(), b.copy()
        places = differ[list(swaps)]
        first[places], second[places] = b[places], a[places]
        own = [_expected("micro_f1", truth, each, ["a", "b"]) for each in (first, second)]
        differences.append(own[0] - own[1])
    expected = np.mean(np.abs(differences) >= abs(differences[0]) - 1e-12)

    assert row.tests[0].p_value == pytest.approx(expected)


def test_draws_are_the_paired_model_of_two_classes() -> None:
    """F1 of one label is the same average as that of the label against the rest, within its Monte Carlo error."""
    frame = _tagged(items=200)
    arrays = _arrays(frame)
    exact = oc.compare(*arrays, positive="a").only.difference
    drawn = oc.compare(*arrays, labels="a", measure="macro_f1", draws=20_000).only.difference

    assert drawn.mean == pytest.approx(exact.mean, abs=0.005)
    assert drawn.std == pytest.approx(exact.std, rel=0.05)


@pytest.mark.parametrize("model", ["paired", "bootstrap", "unpaired"])
def test_groups(model: str) -> None:
    """Items in groups: the observed value is scikit-learn's, and whole groups are swapped."""
    frame = _tagged()
    options: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"], "group": "doc", "exclude_labels": "O"}
    row = oc.compare(frame, measure="micro_f1", model=model, **options).only
    truth, old, new = _arrays(frame)

    own = [_expected("micro_f1", truth, said, ["a", "b", "c"]) for said in (old, new)]
    assert row.observed == pytest.approx(own[0] - own[1])
    assert row.tests[0].name.startswith("permutation")


def test_of_groups_labels_left_out_are_one() -> None:
    """The jackknife gives the same if the labels that are left out were one label from the start."""
    frame = _tagged()
    merged = frame.replace({"c": "O"})
    options: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"], "group": "doc", "measure": "macro_f1"}
    fine = oc.compare(frame, labels="a,b", **options).only.difference
    coarse = oc.compare(merged, labels="a,b", **options).only.difference

    assert (fine.mean, fine.hdi) == (coarse.mean, coarse.hdi)


def test_every_question() -> None:
    """Ranking, tests, a plan, sensitivity, slices and rows by label all know the labels."""
    frame = _tagged()
    arrays = _arrays(frame)
    table: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"]}
    ranking = oc.rank(*arrays, exclude_labels="O", draws=1_000)
    tests = oc.test(*arrays, exclude_labels="O")
    plan = oc.plan(pilot=frame, **table, exclude_labels="O", measure="micro_f1", n=100, sets=10)
    sensitive = oc.sensitivity(*arrays, labels="a,b", measure="micro_f1", draws=1_000)
    slices = oc.compare(frame, **table, by="lang", exclude_labels="O", measure="micro_f1", draws=1_000)
    rows = oc.compare(*arrays, by="label", labels="b,c")

    assert ranking.measure.title == "macro-F1 without O"
    assert {each.label for each in tests.categories} == {"a", "b", "c"}
    assert "OC611" in [each.code for each in tests.findings]
    assert {row.measure for row in tests if row.name.startswith("permutation")} == {
        "macro_f1 without O",
        "micro_f1 without O",
    }
    assert not {"sign_exact", "mcnemar_midp"} & {row.name for row in tests}  # of who is right, whatever the label
    assert plan.title == "micro-F1 without O"
    assert {row.measure.title for row in sensitive.rows} == {"micro-F1 over 2 of 4 labels"}
    assert len(slices) == 3
    assert [row.label for row in rows.rows] == ["b", "c"]


def test_the_scores_of_tests_are_over_the_labels() -> None:
    """The table of systems beside the tests is scikit-learn's, too."""
    truth, old, new = _arrays(_tagged())
    found = oc.test(truth, old, new, exclude_labels="O").scores

    assert found[1].micro_f1 == pytest.approx(_expected("micro_f1", truth, new, ["a", "b", "c"]))
    assert found[0].macro_recall == pytest.approx(_expected("macro_recall", truth, old, ["a", "b", "c"]))


@pytest.mark.parametrize(("model", "measure"), [("hierarchical", "macro_f1"), ("decisions", "micro_precision")])
def test_other_models(model: str, measure: str) -> None:
    """The other models of many labels average over the same."""
    truth, old, new = _arrays(_tagged())
    row = oc.compare(truth, old, new, exclude_labels="O", model=model, measure=measure).only

    own = [_expected(measure, truth, said, ["a", "b", "c"]) for said in (old, new)]
    assert row.observed == pytest.approx(own[0] - own[1])


def test_slices_may_lack_labels() -> None:
    """A slice of multi-label items that lacks a label is averaged over the others; the measure has one name."""
    truth = [["a"], ["a", "b"], ["c"], ["c", "a"]] * 10
    said = [["a"], ["b"], ["c"], ["c"]] * 10
    other = [["a"], ["a"], ["c"], ["a"]] * 10
    lang = ["x", "x", "y", "y"] * 10
    answer = oc.compare(truth, said, other, by={"lang": lang}, exclude_labels="c", measure="micro_f1", draws=500)

    assert [row.measure.title for row in answer.rows] == ["micro-F1 without c"] * 3
    assert all(np.isfinite(row.observed) for row in answer.rows)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"labels": ["a", "D"]}, r"no label 'D' \(labels\)\. Known: 'O', 'a'"),
        ({"exclude_labels": "Othr"}, r"no label 'Othr' \(exclude_labels\)"),
        ({"labels": "a", "exclude_labels": "O"}, "not both"),
        ({"exclude_labels": ["a", "b", "c", "O"]}, "leaves none of the 4 labels"),
        ({"labels": []}, "must name one or more labels"),
        ({"labels": "a", "positive": "a"}, "not used with one label against the rest"),
        ({"labels": "a", "measure": "accuracy"}, "accuracy has no average over some of the labels"),
        ({"labels": "a", "measure": "balanced_accuracy"}, "use macro_recall"),
        ({"labels": "a", "measure": "f1"}, "'f1' is not an average over labels"),
        ({"labels": "a(e1,e2)"}, "contains a comma is given by itself"),
    ],
)
def test_bad_label_sets(options: dict[str, Any], told: str) -> None:
    """What cannot be averaged over is one sentence."""
    with pytest.raises(InputError, match=told):
        oc.compare(*_arrays(_tagged()), **options)


def test_data_without_labels() -> None:
    """Scores and counts have no labels to average over."""
    with pytest.raises(InputError, match="labels"):
        oc.compare([1, 0] * 20, [0.9, 0.2] * 20, [0.4, 0.3] * 20, scores=True, labels="1")
    with pytest.raises(InputError, match="labels is not used"):
        oc.compare(counts=[{"tp": 5, "fp": 4, "fn": 3}, {"tp": 6, "fp": 4, "fn": 2}], labels="a")


def test_labels_that_contain_a_comma() -> None:
    """A text that is a label is that label; any other is split at its commas."""
    truth = ["R(e1,e2)", "R(e2,e1)", "Other", "x"] * 10
    said = ["R(e1,e2)", "R(e1,e2)", "Other", "Other"] * 10
    one = oc.evaluate(truth, said, labels=["R(e1,e2)", "x,Other"], measure="micro_f1", draws=500)

    expected = _expected("micro_f1", truth, said, ["R(e1,e2)", "x", "Other"])
    assert one.rows[0].system.observed == pytest.approx(expected)


def test_hostile_labels() -> None:
    """A label in a title is cut, and holds nothing that a terminal would obey or a sentence take for an argument."""
    hostile = "⟨rope⟩\x1b[31m" + "x" * 100
    truth = [hostile, "a", "b"] * 10
    row = oc.evaluate(truth, truth, exclude_labels=[hostile], measure="micro_f1", draws=500).rows[0]

    assert row.measure.title.startswith("micro-F1 without <rope>\\x1b[31mxxx")
    assert len(row.measure.title) < 60


@pytest.mark.parametrize(("share", "told"), [(0.85, True), (0.79, True), (0.6, False)])
def test_a_dominant_label_is_a_finding(share: float, told: bool) -> None:
    """One label that makes up most of a micro average is told, with its share and the remedy."""
    items = 400
    truth = ["O"] * int(share * items) + ["a", "b"] * ((items - int(share * items)) // 2)
    rng = np.random.default_rng(1)
    a, b = (np.where(rng.random(items) < 0.9, truth, "O") for _ in range(2))
    answer = oc.compare(truth, a, b, draws=500)
    found = [each.message for row in answer.rows for each in row.findings if each.code == "OC610"]
    without = oc.compare(truth, a, b, exclude_labels="O", draws=500)

    assert len(found) == int(told)
    if told:
        assert found[0].startswith(f"{share:.0%} of the true labels in micro-F1 are 'O'")
        assert "(exclude_labels='O')" in found[0]
    assert not [each for row in without.rows for each in row.findings if each.code == "OC610"]


# --- functions of the confusion matrix --------------------------------------------------------------------------------


def _accuracy(table: Any) -> Any:
    return np.trace(table, axis1=-2, axis2=-1) / table.sum(axis=(-2, -1))


def test_an_own_function_of_the_matrix_is_a_measure() -> None:
    """Accuracy as a function of the matrix has the posterior, the observed value and the test of accuracy."""
    arrays = _arrays(_tagged())
    own = oc.confusion_measure(_accuracy, name="own", low=0, high=1, pseudo_count=1 / 4)
    mine, known = oc.compare(*arrays, measure=[own, "accuracy"], draws=20_000).rows

    assert mine.observed == pytest.approx(known.observed)
    assert mine.difference.mean == pytest.approx(known.difference.mean, abs=3e-4)
    assert mine.difference.std == pytest.approx(known.difference.std, rel=0.03)
    assert mine.tests[0].p_value == pytest.approx(known.tests[0].p_value, abs=0.01)


def test_the_matrix_of_groups() -> None:
    """Of items in groups, the jackknife and the permutation test are those of accuracy."""
    own = oc.confusion_measure(_accuracy, name="own", low=0, high=1)
    options: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"], "group": "doc"}
    mine, known = oc.compare(_tagged(), measure=[own, "accuracy"], **options).rows

    assert mine.difference.hdi == pytest.approx(known.difference.hdi, abs=1e-6)
    assert mine.tests[0].p_value == known.tests[0].p_value


def test_costs_of_confusions() -> None:
    """Rows are the truth, columns predictions, in the order of the labels; a cost is better if it is lower."""
    truth, a, b = ["x", "y", "z"] * 20, ["x", "y", "x"] * 20, ["z", "y", "z"] * 20
    costs = np.array([[0, 1, 5], [1, 0, 1], [2, 1, 0]])
    own = oc.confusion_measure(
        lambda m: (m * costs).sum(axis=(-2, -1)) / m.sum(axis=(-2, -1)),
        name="cost",
        low=0,
        high=5,
        higher_is_better=False,
    )
    row = oc.compare(truth, a, b, measure=own, draws=2_000).only
    ranking = oc.rank(truth, a, b, measure=own, draws=2_000)
    tested = oc.test(truth, a, b, measure=own)

    assert [system.observed for system in row.systems] == pytest.approx([2 / 3, 5 / 3])
    assert ranking.systems[0].system.name == "A"
    assert "cost" in [each.measure for each in tested]


@pytest.mark.parametrize(
    ("function", "told"),
    [(lambda m: m.sum(), "returned shape"), (max, "failed"), (lambda m: m[..., 9, 9], "failed")],
)
def test_functions_that_fail(function: Any, told: str) -> None:
    """An error in a user's function is one sentence that says how it is called."""
    with pytest.raises(InputError, match=told) as found:
        oc.compare(*_arrays(_tagged()), measure=oc.confusion_measure(function, name="own"))

    assert "(..., K, K)" in str(found.value)


def test_matrices_need_one_label_per_item() -> None:
    """Items with many labels have no confusion matrix, nor have missing predictions; two names must differ."""
    own = oc.confusion_measure(_accuracy, name="own")
    lists = [["a"], ["a", "b"], ["b"]] * 5
    truth = ["a", "b", "c"] * 5
    said = [None, *truth[1:]]

    with pytest.raises(InputError, match="needs one label per item"):
        oc.compare(lists, lists, lists[::-1], measure=own)
    with pytest.raises(InputError, match="no column for missing predictions"):
        oc.compare(truth, said, truth, measure=own, missing="wrong")
    with pytest.raises(InputError, match="leave out labels"):
        oc.compare(truth, truth, truth[::-1], measure=own, labels="a")
    with pytest.raises(InputError, match="a name of its own"):
        oc.compare(truth, truth, truth[::-1], measure=[own, oc.confusion_measure(np.sum, name="own")])
    with pytest.raises(InputError, match="low < high"):
        oc.confusion_measure(_accuracy, name="own", low=1, high=0)


def test_a_plan_of_an_own_measure_cannot_be_resumed(tmp_path: Path) -> None:
    """Functions have no identity in a file."""
    own = oc.confusion_measure(_accuracy, name="own", low=0, high=1)
    options: dict[str, Any] = {"pilot": _tagged(), "truth": "gold", "systems": ["old", "new"], "n": 50, "sets": 10}

    assert oc.plan(measure=own, **options).title == "own"
    with pytest.raises(InputError, match="cannot be resumed"):
        oc.plan(measure=own, resume=tmp_path / "cells.json", **options)


def test_micro_averages_count_labels_that_one_system_alone_predicts() -> None:
    """A label that is never true and that one system predicts is a wrong prediction of this system."""
    truth = ["a", "b", "c"] * 20
    a, b = ["emu"] * 10 + truth[10:], truth[:55] + ["a"] * 5
    row = oc.compare(truth, a, b, measure="micro_f1", draws=500).only

    assert row.systems[0].observed == pytest.approx(50 / 60)
