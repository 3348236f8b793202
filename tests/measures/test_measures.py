"""Promises of every measure in the registry, written once; and each against scikit-learn or its definition."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from outclass import measures
from outclass.errors import InputError
from outclass.measures import averages
from outclass.measures.fscores import fbeta
from outclass.measures.measure import Cells, Measure, pair_difference
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
@pytest.mark.parametrize("counts", [(10, 4, 7, 79), (31, 2, 1, 5), (3, 17, 8, 2)])
def test_against_reference_on_one_table(measure: Measure, counts: tuple[int, int, int, int]) -> None:
    """The same on three tables, at once."""
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
        ("utility:tp=2,xx=1", "is written as"),
        ("utility:tp=2,fp=x", "is written as"),
        ("utility:tp=2,tp=3", "tp is given twice"),
        ("cost:fp=1, fp =1", "fp is given twice"),
        ("cost:fp=1,fn=1,tp=1,tn=1", "not all equal"),
        (7, "name or a function"),
    ],
)
def test_wrong_names(spec: object, hint: str) -> None:
    """A wrong name gets a sentence with what to do."""
    with pytest.raises(InputError, match=hint):
        measures.get(spec)  # type: ignore[arg-type]


def test_order_of_the_registry() -> None:
    """What most people look at comes first, family by family; families with a number are named by their form."""
    assert measures.known() == [
        *("f1", "jaccard", "accuracy", "error", "precision", "recall", "specificity", "npv"),
        *("balanced_accuracy", "informedness", "gmean", "mcc", "kappa", "fbeta:…", "utility:…", "cost:…"),
    ]


BOUNDS = {"informedness": (-1, 1), "mcc": (-1, 1), "kappa": (-1, 1), "utility:tp=2,fp=-1": (-1, 2)}
BOUNDS |= {"cost:fp=1,fn=5": (0, 5)}


@pytest.mark.parametrize("measure", EVERY, ids=lambda measure: measure.name)
def test_bounds_are_the_tightest(measure: Measure) -> None:
    """A measure's bounds are values it takes: shares from 0 to 1, correlations from -1, utilities by their cells."""
    assert (measure.low, measure.high) == BOUNDS.get(measure.name, (0, 1))
    assert measure.higher_is_better == (measure.name not in ("error", "cost:fp=1,fn=5"))
    assert measure.given == {"recall": "positives", "specificity": "negatives"}.get(measure.name)


def test_measures_need_one_way() -> None:
    """A measure is a ratio or a function: neither, or both, is a mistake of whoever wrote it."""
    f1 = measures.get("f1")
    with pytest.raises(TypeError, match="not both"):
        Measure(name="none", title="none", undefined="never")
    with pytest.raises(TypeError, match="not both"):
        Measure(name="both", title="both", undefined="never", ratio=f1.ratio, function=lambda *cells: cells[0])


def test_lines_are_lines() -> None:
    """A measure that is a linear function of another has its values, its bounds and its prior."""
    rng = np.random.default_rng(0)
    tables = rng.integers(1, 50, (4, 20))
    found = [measure for measure in measures.MEASURES.values() if measure.line is not None]

    assert [measure.name for measure in found] == ["error", "informedness"]
    for measure in found:
        base, factor, shift = measure.line
        assert measure(*tables) == pytest.approx(factor * base(*tables) + shift, rel=1e-12)
        assert sorted(factor * end + shift for end in (base.low, base.high)) == [measure.low, measure.high]
        assert (measure.pseudo_count, measure.errors, base.line) == (base.pseudo_count, base.errors, None)


def test_pair_difference() -> None:
    """A's recall and B's, from tables of both, one table or many."""
    joint = np.array([[40, 9, 4, 12], [8, 6, 3, 118]])
    recall, false_alarms = measures.get("recall"), measures.get("specificity")

    # Of 65 positives A finds 40 + 9, B 40 + 4; of 135 negatives A accuses 8 + 6, B 8 + 3.
    assert float(pair_difference(recall, joint)) == pytest.approx(49 / 65 - 44 / 65)
    assert float(pair_difference(false_alarms, joint)) == pytest.approx((135 - 14) / 135 - (135 - 11) / 135)
    assert pair_difference(recall, np.stack([joint, joint[:, [0, 2, 1, 3]]])) == pytest.approx([5 / 65, -5 / 65])


def test_counts_beyond_the_largest() -> None:
    """MCC at counts of 1e90, whose margins' product would overflow; ratios whose bottom is nothing are nan."""
    assert float(measures.get("mcc")(4e90, 1e90, 1e90, 4e90)) == pytest.approx(0.6)
    assert float(measures.get("gmean")(8, 1, 2, 9)) == pytest.approx(math.sqrt(0.8 * 0.9))


def test_own_functions() -> None:
    """A function that gives one number for all tables is spread over them; one that fails is told as such."""
    same = measures.get(lambda tp, fp, fn, tn: 0.5)

    assert same(np.ones(3), np.ones(3), np.ones(3), np.ones(3)).tolist() == [0.5] * 3
    assert (same.name, same.low, same.high, same.higher_is_better) == ("<lambda>", -math.inf, math.inf, True)
    assert measures.get(same) is same
    divided = measures.get(lambda tp, fp, fn, tn: tp / fp)
    assert math.isinf(float(divided(1, 0, 0, 0)))  # without a warning
    failing = measures.get(lambda tp, fp, fn, tn: max(tp, fp))
    with pytest.raises(InputError, match=r"np\.maximum"):
        failing(np.ones(3), np.ones(3), np.ones(3), np.ones(3))

    class Nameless:
        def __call__(self, tp: float, fp: float, fn: float, tn: float) -> float:
            return tp

    assert measures.get(Nameless()).name == "own measure"


@pytest.mark.parametrize(
    ("spec", "name", "value"),
    [
        ("utility:tp=2,fn=-0.5", "utility:tp=2,fn=-0.5", (2 * 10 - 0.5 * 7) / 100),
        (" Cost: fp = 1 , fn = 5 ", "cost:fp=1,fn=5", (4 + 5 * 7) / 100),
        ("f1_score", "f1", 2 * 10 / (2 * 10 + 4 + 7)),
        ("fbeta:beta=2", "fbeta:2", 5 * 10 / (5 * 10 + 4 * 7 + 4)),
        ("f3", "fbeta:3", 10 * 10 / (10 * 10 + 9 * 7 + 4)),
        ("fbeta:1", "f1", 2 * 10 / (2 * 10 + 4 + 7)),
    ],
)
def test_spellings(spec: str, name: str, value: float) -> None:
    """Names with parameters in all their spellings, with values by hand of 10 hits, 4 false alarms, 7 misses, 79."""
    measure = measures.get(spec)

    assert measure.name == name
    assert float(measure(10, 4, 7, 79)) == pytest.approx(value)


def test_every_cell_of_a_utility() -> None:
    """Each cell has its worth, and those not named count nothing."""
    every = utility(tp=1, fp=2, fn=3, tn=-4)

    assert float(every(1, 10, 100, 1000)) == pytest.approx((1 + 20 + 300 - 4000) / 1111)
    assert (every.low, every.high, every.higher_is_better) == (-4, 3, True)
    for cell in ("tp", "fp", "fn", "tn"):
        only = cost(**{cell: 2.0})
        assert only.name == f"cost:{cell}=2"
        assert [float(only(*np.eye(4)[k])) for k in range(4)] == [2.0 * (cell == each) for each in Cells._fields]
        assert float(utility(**{cell: 3.0})(*np.ones(4))) == 0.75


@pytest.mark.parametrize(
    "spec",
    [
        "utility:tp=inf",
        "utility:tp=nan",
        "utility:tp=x",
        "cost:tp",
        "utility:",
        "f0",
        "fbeta:inf",
        "fbeta:nan",
        "fbeta:0",
    ],
)
def test_numbers_that_are_none(spec: str) -> None:
    """Parameters must be finite numbers, and a beta above zero."""
    with pytest.raises(InputError):
        measures.get(spec)


@pytest.mark.parametrize(
    ("beta", "limit"), [("1e100", "recall"), ("1000001", "recall"), ("1e-100", "precision"), ("9e-7", "precision")]
)
@pytest.mark.parametrize("form", ["fbeta:{}", "macro_fbeta:{}", "weighted_f{}"])
def test_a_beta_that_leaves_one_of_the_two(beta: str, limit: str, form: str) -> None:
    """Beyond 1e-6 and 1e6 F-beta is recall or precision, which the error names, however the measure is spelt."""
    find = averages.find if "_" in form else measures.get
    with pytest.raises(InputError, match=rf"between 1e-06 and 1e\+06.*use {limit}"):
        find(form.format(beta))


@pytest.mark.parametrize(("beta", "limit"), [(1e6, "recall"), (1e-6, "precision")])
def test_the_largest_and_smallest_beta(beta: float, limit: str) -> None:
    """At the bounds F-beta is still computed, and equals its limit."""
    found = fbeta(beta)(30, 10, 20, 40)

    assert float(found) == pytest.approx(float(measures.get(limit)(30, 10, 20, 40)), abs=1e-9)
