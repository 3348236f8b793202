"""Measures over many labels: each against scikit-learn on one table, and the policies for what is undefined by hand."""

import math

import numpy as np
import pytest
from sklearn import metrics as sk

from outclass import measures
from outclass.errors import InputError
from outclass.measures import averages
from outclass.measures.averages import AVERAGES, Average, find, mean_of, of_label, share

TRUTH = np.repeat([0, 0, 0, 1, 1, 2, 2, 2, 3], [14, 3, 2, 9, 4, 20, 1, 5, 7])
SAID = np.repeat([0, 1, 2, 1, 0, 2, 0, 3, 3], [14, 3, 2, 9, 4, 20, 1, 5, 7])


def _cells(truth: np.ndarray, said: np.ndarray, labels: int = 4) -> tuple[np.ndarray, ...]:
    each = range(labels)
    return (
        np.array([np.sum((truth == k) & (said == k)) for k in each], dtype=float),
        np.array([np.sum((truth != k) & (said == k)) for k in each], dtype=float),
        np.array([np.sum((truth == k) & (said != k)) for k in each], dtype=float),
        np.array(float(len(truth))),
    )


CELLS = _cells(TRUTH, SAID)
REFERENCE = {
    **{
        f"{average}_{name}": lambda t, s, average=average, score=score: score(t, s, average=average)
        for average in ("macro", "micro", "weighted")
        for name, score in (("f1", sk.f1_score), ("precision", sk.precision_score), ("recall", sk.recall_score))
    },
    "accuracy": sk.accuracy_score,
    "error": lambda t, s: 1 - sk.accuracy_score(t, s),
    "balanced_accuracy": sk.balanced_accuracy_score,
    "mcc": sk.matthews_corrcoef,
    "kappa": sk.cohen_kappa_score,
}


def test_every_average_has_a_reference() -> None:
    """No measure was forgotten."""
    assert set(REFERENCE) == set(AVERAGES)


@pytest.mark.parametrize("name", REFERENCE)
def test_against_scikit_learn(name: str) -> None:
    """The value is scikit-learn's; with leading axes, too, and the same for shares as for counts."""
    measure = find(name)
    assert measure is not None
    expected = REFERENCE[name](TRUTH, SAID)
    many = [np.stack([cell, cell / 67, cell * 1e12]) for cell in CELLS]

    assert float(measure(*CELLS)) == pytest.approx(expected, abs=1e-12)
    assert measure(*many) == pytest.approx([expected] * 3, abs=1e-12)


@pytest.mark.parametrize("beta", [0.5, 2.0])
@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_f_beta(beta: float, average: str) -> None:
    """F-beta of any beta, by its long and its short name."""
    expected = sk.fbeta_score(TRUTH, SAID, beta=beta, average=average)
    for spec in (f"{average}_fbeta:{beta:g}", f"{average}-f{beta:g}", f" {average.upper()}_F{beta:g}_score "):
        measure = find(spec)
        assert measure is not None
        assert measure.name == f"{average}_fbeta:{beta:g}"
        assert measure.title == f"{average}-F{beta:g}"
        assert float(measure(*CELLS)) == pytest.approx(expected, abs=1e-12)


def test_finding() -> None:
    """An average is itself; what is no name of one is None, for others to try; a beta out of range is an error."""
    assert find(AVERAGES["mcc"]) is AVERAGES["mcc"]
    assert find(7) is None
    assert find("f1") is None
    assert find("macro_fnord") is None
    assert find("macro_jaccard") is None
    for beta in ("0", "-1", "10000000", "nan"):
        with pytest.raises(InputError, match=r"positive number|must lie between"):
            find(f"macro_fbeta:{beta}")


def test_bounds_and_directions() -> None:
    """Shares lie in [0, 1], correlations in [-1, 1]; all but the error are better when higher."""
    correlations = {name for name, measure in AVERAGES.items() if measure.low == -1}

    assert correlations == {"mcc", "kappa"}
    assert {measure.low for measure in AVERAGES.values()} == {0, -1}
    assert {measure.high for measure in AVERAGES.values()} == {1}
    assert [name for name, measure in AVERAGES.items() if not measure.higher_is_better] == ["error"]
    # Of one label an item: those that need to know which label was taken instead.
    assert {name for name, measure in AVERAGES.items() if measure.single} == {
        "accuracy",
        "error",
        "balanced_accuracy",
        "mcc",
        "kappa",
    }


# Label 1 is never true and never said; label 2 is never said; label 3 is never true.
HOLES = tuple(np.array(cell, dtype=float) for cell in ([6, 0, 0, 0], [2, 0, 0, 4], [2, 0, 4, 0], 12))


@pytest.mark.parametrize(
    ("name", "undefined", "expected"),
    [
        ("macro_f1", "drop", (0.75 + 0 + 0) / 3),
        ("macro_f1", "0", 0.75 / 4),
        ("macro_f1", "1", 1.75 / 4),
        ("macro_precision", "drop", (0.75 + 0) / 2),
        ("macro_precision", "1", (0.75 + 1 + 1 + 0) / 4),
        ("macro_recall", "drop", (0.75 + 0) / 2),
        ("macro_recall", "0", 0.75 / 4),
        ("weighted_recall", "drop", (8 * 0.75 + 4 * 0) / 12),
        ("weighted_precision", "drop", 0.75),  # label 2 has no precision, and its weight goes with it
        ("weighted_precision", "1", (8 * 0.75 + 4 * 1) / 12),
        ("balanced_accuracy", "1", (0.75 + 0) / 2),  # whatever the policy: recall of what is never true is no recall
    ],
)
def test_undefined_labels(name: str, undefined: str, expected: float) -> None:
    """A label without a value is left out, or counts as 0 or as 1."""
    assert float(AVERAGES[name](*HOLES, undefined)) == pytest.approx(expected, abs=1e-12)


def test_undefined_altogether() -> None:
    """Without a label that has a value there is none; a system that says one label only has no correlation."""
    nothing = tuple(np.zeros(3) for _ in range(3))
    for name in ("macro_f1", "micro_f1", "weighted_recall", "accuracy"):
        assert math.isnan(float(AVERAGES[name](*nothing, np.array(0.0))))
    one = _cells(np.array([0, 0, 1, 1, 2]), np.zeros(5, dtype=int), 3)
    assert math.isnan(float(AVERAGES["mcc"](*one)))
    assert float(AVERAGES["mcc"](*one, "0")) == 0
    same = _cells(np.zeros(5, dtype=int), np.zeros(5, dtype=int), 3)
    assert math.isnan(float(AVERAGES["kappa"](*same)))
    assert math.isnan(float(AVERAGES["mcc"](*same)))
    # In shares that do not add up to one exactly, the spread of one label is rounding, and no spread.
    thirds = [np.asarray(cell) / 5 * (1 + 1e-15) for cell in one]
    assert math.isnan(float(AVERAGES["mcc"](*thirds)))


def test_helpers() -> None:
    """Means leave out what is no number; a share with nothing below is what it is filled with."""
    values = np.array([[1.0, math.nan, 4.0], [math.nan, math.nan, math.nan]])

    assert mean_of(values)[0] == 2.5
    assert math.isnan(mean_of(values)[1])
    assert mean_of(values, np.array([3.0, 5.0, 1.0]))[0] == pytest.approx((3 * 1 + 1 * 4) / 4)
    assert list(share(np.array([1.0, 0.0, 0.0]), np.array([4.0, 0.0, 2.0]), 0.5)) == [0.25, 0.5, 0]


def test_one_label_against_the_rest() -> None:
    """The measure of one label of many is that of its own two-by-two table."""
    seen = of_label(measures.get("specificity"), 2, "crude")
    tp, fp, fn = (float(cell[2]) for cell in CELLS[:3])

    assert (seen.name, seen.title) == ("specificity", "specificity for crude")
    assert of_label(measures.get("f1"), 0).title == "F1"
    assert float(seen(*CELLS)) == pytest.approx(sk.recall_score(TRUTH != 2, SAID != 2), abs=1e-12)
    assert float(seen(*CELLS)) == pytest.approx((67 - tp - fp - fn - 2) / (67 - 2 - tp - fn), abs=1e-1)
    cost = of_label(measures.get("cost:fp=1,fn=5"), 1)
    assert (cost.low, cost.high, cost.higher_is_better, cost.single) == (0, 5, False, False)


def test_usual() -> None:
    """What is asked of many labels when nothing is said; and an average's own defaults."""
    assert averages.USUAL == ("macro_f1", "micro_f1")
    plain = Average(name="x", title="X", function=lambda *_: np.zeros(1))
    assert (plain.low, plain.high, plain.higher_is_better, plain.single) == (0, 1, True, False)
