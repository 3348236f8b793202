"""Beside scikit-learn: every point estimate that both have, asked through the same doors that a user takes.

tests/measures, tests/models/test_many.py, tests/data/test_multilabel.py and tests/scores/test_measures.py hold the
formulas to it; here are what `oc.evaluate` shows, many labels an item, F-beta, and above all what is undefined.
"""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.preprocessing import MultiLabelBinarizer

import outclass as oc
from outclass import measures
from outclass.data.multilabel import Classes, MultiLabel, from_lists
from outclass.measures.averages import AVERAGES, Average, find
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted

EXACT = 1e-12
CELLS = st.tuples(*[st.integers(0, 3) | st.integers(0, 10**6)] * 4).filter(any)
KINDS = ("precision", "recall", "f1")


def _asked(name: str, truth: np.ndarray, said: np.ndarray, weights: np.ndarray) -> float:
    """Ask scikit-learn for a measure of two classes; nan where it warns that there is none."""
    own: dict[str, object] = {"sample_weight": weights}
    known = {"labels": [0, 1], "pos_label": 1, "zero_division": np.nan, "average": "binary", **own}
    asked = {
        "accuracy": lambda: sk.accuracy_score(truth, said, **own),
        "error": lambda: sk.zero_one_loss(truth, said, **own),
        "precision": lambda: sk.precision_score(truth, said, **known),
        "recall": lambda: sk.recall_score(truth, said, **known),
        "specificity": lambda: sk.recall_score(truth, said, **known | {"pos_label": 0}),
        "npv": lambda: sk.precision_score(truth, said, **known | {"pos_label": 0}),
        "f1": lambda: sk.f1_score(truth, said, **known),
        "fbeta:2": lambda: sk.fbeta_score(truth, said, beta=2, **known),
        "jaccard": lambda: sk.jaccard_score(truth, said, labels=[0, 1], zero_division="warn", **own),
        "kappa": lambda: sk.cohen_kappa_score(truth, said, labels=[0, 1], **own),
        "mcc": lambda: sk.matthews_corrcoef(truth, said, **own),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", UndefinedMetricWarning)
        try:
            return float(asked[name]())
        except UndefinedMetricWarning:
            return math.nan


# Where scikit-learn gives a number to what has none: a system (or a truth) of one class has no correlation, but gets 0.
ZERO_FOR_NONE = ("mcc",)


@pytest.mark.parametrize(
    "name", ["accuracy", "error", *KINDS, "specificity", "npv", "fbeta:2", "jaccard", "kappa", "mcc"]
)
@settings(max_examples=25)
@given(cells=CELLS)
def test_two_classes(name: str, cells: tuple[int, int, int, int]) -> None:
    """Any table, with empty cells, rows and columns too: the same number, or none on both sides."""
    truth, said = np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0])
    seen = np.array(cells) > 0
    expected = _asked(name, truth[seen], said[seen], np.array(cells, dtype=float)[seen])
    found = float(measures.get(name)(*cells))
    if math.isnan(found) and name in ZERO_FOR_NONE:
        assert expected == pytest.approx(0.0, abs=1e-9)
    else:
        assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


def _observed(decisions: Classes | MultiLabel, wanted: list[Average], undefined: str) -> dict[str, float]:
    """Return the averages of the first system as observed, by a policy for what is undefined."""
    model = Weighted(units_of(decisions, decisions.systems[:1]), decisions.systems[:1], 1, 0, undefined)
    return {name: float(values[0]) for name, values in model.observed(wanted).items()}


@pytest.mark.parametrize("policy", ["0", "1", "drop"])
@settings(max_examples=25)
@given(classes=st.integers(2, 50), seed=st.integers(0, 10_000), items=st.integers(1, 120))
def test_many_classes(policy: str, classes: int, seed: int, items: int) -> None:
    """2 to 50 classes, some never true, some never said: macro, micro and weighted by zero_division 0, 1 and nan."""
    rng = np.random.default_rng(seed)
    truth, said = rng.integers(0, classes, items), rng.integers(1, classes + 1, items)
    outcomes = oc.Outcomes.of_rows(("A",), list(zip(truth, said, strict=True)), [1] * items)
    wanted = [AVERAGES[f"{average}_{kind}"] for average in ("macro", "micro", "weighted") for kind in KINDS]
    beta = find("macro_fbeta:0.5")
    assert beta is not None
    found = _observed(Classes(outcomes), [*wanted, beta], policy)
    fill = {"0": 0.0, "1": 1.0, "drop": np.nan}[policy]
    for average in ("macro", "micro", "weighted"):
        expected = sk.precision_recall_fscore_support(truth, said, average=average, zero_division=fill)[:3]
        for kind, value in zip(KINDS, expected, strict=True):
            ours = found[f"{average}_{kind}"]
            if average == "weighted" and math.isnan(ours):
                # No label that weighs anything has a precision: scikit-learn says 0, which is a value; we say none.
                assert (kind, value, policy) == ("precision", 0.0, "drop")
            else:
                assert ours == pytest.approx(value, abs=EXACT, nan_ok=True), (average, kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        expected = sk.fbeta_score(truth, said, beta=0.5, average="macro", zero_division=fill)
    assert found[beta.name] == pytest.approx(expected, abs=EXACT, nan_ok=True)


LISTS = st.lists(st.tuples(*[st.sets(st.sampled_from("abcdef"), max_size=4)] * 2), min_size=1, max_size=30).filter(
    lambda rows: len(set().union(*(truth | said for truth, said in rows))) > 1
)  # one column would be two classes


@settings(max_examples=30)
@given(LISTS, st.sampled_from(["0", "1"]))
def test_many_labels(rows: list[tuple[set[str], set[str]]], policy: str) -> None:
    """Any number of labels an item, none too."""
    truth, said = ([sorted(row[place]) for row in rows] for place in (0, 1))
    binarizer = MultiLabelBinarizer().fit([*truth, *said])
    y, x = binarizer.transform(truth), binarizer.transform(said)
    data = from_lists(truth, {"A": said, "B": said})
    wanted = [AVERAGES[f"{average}_{kind}"] for average in ("macro", "micro", "weighted") for kind in KINDS]
    found = _observed(data, wanted, policy)
    for average in ("macro", "micro", "weighted"):
        expected = sk.precision_recall_fscore_support(y, x, average=average, zero_division=float(policy))[:3]
        for kind, value in zip(KINDS, expected, strict=True):
            if average == "weighted" and not y.sum():
                continue  # nothing is true: there is no weight, and we say nan
            assert found[f"{average}_{kind}"] == pytest.approx(value, abs=EXACT), (average, kind)


def test_what_evaluate_shows() -> None:
    """The observed values of an evaluation, as a user sees them, of two classes and of five."""
    rng = np.random.default_rng(2)
    truth, said = rng.integers(0, 2, 300), rng.integers(0, 2, 300)
    for row in oc.evaluate(truth, said, measure=["f1", "mcc", "kappa", "jaccard"]).rows:
        expected = {
            "f1": sk.f1_score,
            "mcc": sk.matthews_corrcoef,
            "kappa": sk.cohen_kappa_score,
            "jaccard": sk.jaccard_score,
        }
        assert row.system.observed == pytest.approx(expected[row.measure.name](truth, said), abs=EXACT)
