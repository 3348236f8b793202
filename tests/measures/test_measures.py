"""Promises of every measure in the registry, written once; and each against scikit-learn or its definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from outclass import measures
from outclass.errors import InputError
from outclass.measures.fscores import fbeta
from outclass.measures.measure import Measure
from outclass.measures.utility import cost, utility

EVERY = [*measures.MEASURES.values(), fbeta(2), fbeta(0.5), utility(tp=2, fp=-1), cost(fp=1, fn=5)]
COUNTS = st.tuples(*[st.integers(0, 300)] * 4)


def _arrays(tp: int, fp: int, fn: int, tn: int) -> tuple[np.ndarray, np.ndarray]:
    truth = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
    said = np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    return truth, said


REFERENCE = {
    "f1": sk.f1_score,
    "fbeta:2": lambda y, p: sk.fbeta_score(y, p, beta=2),
    "fbeta:0.5": lambda y, p: sk.fbeta_score(y, p, beta=0.5),
    "jaccard": sk.jaccard_score,
    "accuracy": sk.accuracy_score,
    "error": sk.zero_one_loss,
    "precision": sk.precision_score,
    "recall": sk.recall_score,
    "specificity": lambda y, p: sk.recall_score(y, p, pos_label=0),
    "npv": lambda y, p: sk.precision_score(y, p, pos_label=0),
    "balanced_accuracy": sk.balanced_accuracy_score,
    "informedness": lambda y, p: sk.balanced_accuracy_score(y, p, adjusted=True),
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
    "gmean": lambda y, p: math.sqrt(sk.recall_score(y, p) * sk.recall_score(y, p, pos_label=0)),
    "utility:tp=2,fp=-1": lambda y, p: np.mean(2 * (y & p) - ((1 - y) & p)),
    "cost:fp=1,fn=5": lambda y, p: np.mean(((1 - y) & p) + 5 * (y & (1 - p))),
}


def test_every_measure_has_a_reference() -> None:
    """No measure was forgotten below."""
    assert {measure.name for measure in EVERY} == set(REFERENCE)


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
@given(counts=st.tuples(*[st.integers(1, 200)] * 4))
def test_against_reference(measure: Measure, counts: tuple[int, int, int, int]) -> None:
    """The value is scikit-learn's, or the definition's."""
    assert float(measure(*counts)) == pytest.approx(REFERENCE[measure.name](*_arrays(*counts)), abs=1e-12)


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
@given(counts=COUNTS)
def test_bounds_or_nan(measure: Measure, counts: tuple[int, int, int, int]) -> None:
    """Any table gives a value within the bounds, or nan; never 0 for what is undefined."""
    value = float(measure(*counts))

    assert math.isnan(value) or measure.low - 1e-12 <= value <= measure.high + 1e-12


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
@given(counts=st.tuples(*[st.integers(1, 100)] * 4), factor=st.integers(2, 10**9))
def test_scale_does_not_matter(measure: Measure, counts: tuple[int, int, int, int], factor: int) -> None:
    """A measure is of the shares: ten times the items give the same value."""
    assert float(measure(*(factor * c for c in counts))) == pytest.approx(float(measure(*counts)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
def test_vectorised(measure: Measure) -> None:
    """Leading axes of any shape are taken item by item."""
    rng = np.random.default_rng(0)
    cells = rng.integers(1, 50, (4, 3, 5))
    whole = measure(*cells)

    assert whole.shape == (3, 5)
    assert whole[2, 4] == pytest.approx(float(measure(*cells[:, 2, 4])))


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
@given(counts=st.tuples(*[st.integers(1, 100)] * 4))
def test_direction(measure: Measure, counts: tuple[int, int, int, int]) -> None:
    """Turning an error into a correct decision never makes a measure worse, in its own direction."""
    tp, fp, fn, tn = counts
    better = float(measure(tp + 1, fp, fn - 1, tn)) - float(measure(tp, fp, fn, tn))
    sign = 1 if measure.higher_is_better else -1

    assert math.isnan(better) or sign * better >= -1e-12


UNDEFINED = {
    "precision": (0, 0, 3, 5),
    "recall": (0, 3, 0, 5),
    "specificity": (3, 0, 3, 0),
    "npv": (3, 3, 0, 0),
    "f1": (0, 0, 0, 9),
    "jaccard": (0, 0, 0, 9),
    "mcc": (0, 0, 4, 4),
    "kappa": (9, 0, 0, 0),
    "balanced_accuracy": (3, 0, 3, 0),
    "informedness": (3, 0, 3, 0),
    "gmean": (3, 0, 3, 0),
}


@pytest.mark.parametrize(("name", "counts"), UNDEFINED.items())
def test_undefined_is_nan(name: str, counts: tuple[int, int, int, int]) -> None:
    """Where a measure has no value it says nan, and says when that is."""
    measure = measures.get(name)

    assert math.isnan(float(measure(*counts)))
    assert measure.undefined


@pytest.mark.parametrize(
    ("spec", "name"),
    [("F1", "f1"), ("f2", "fbeta:2"), ("f0.5", "fbeta:0.5"), ("fbeta:3", "fbeta:3"), ("balanced-accuracy",) * 2],
)
def test_names(spec: str, name: str) -> None:
    """Names are found in any case, with short forms of F-beta."""
    assert measures.get(spec).name == name.replace("-", "_")


def test_trec_utility() -> None:
    """A utility matrix is parsed from its name: T9U is two for a hit, minus one for a false alarm."""
    assert float(measures.get("utility:tp=2,fp=-1")(10, 4, 7, 79)) == pytest.approx((2 * 10 - 4) / 100)


def test_own_function() -> None:
    """A function of the cells is a measure."""
    own = measures.get(lambda tp, fp, fn, tn: tp / (tp + fp + fn + tn))

    assert float(own(1, 1, 1, 1)) == 0.25


@pytest.mark.parametrize(
    ("spec", "hint"),
    [("fi", "'f1'"), ("acuracy", "'accuracy'"), ("fbeta", "fbeta:2"), ("fbeta:x", "fbeta:2"), ("fbeta:-1", "positive")]
    + [
        ("utility", "tp=2"),
        ("utility:xx=1", "tp=2"),
        ("cost:fp=1,fn=1,tp=1,tn=1", "differ"),
        (7, "name or a function"),
    ],
)
def test_wrong_names(spec: object, hint: str) -> None:
    """A wrong name gets a sentence with what to do."""
    with pytest.raises(InputError, match=hint):
        measures.get(spec)  # type: ignore[arg-type]
