"""How many wrong labels overturn a decision: against the labels being changed and everything computed again."""

import math
from typing import Any, Final

import numpy as np
import pytest

import outclass as oc
from outclass.arrays import Counts
from outclass.rows.tipping import _first

# The width is that of the delta method, so that a few labels more or less may do.
WITHIN: Final = 0.03


def _world(classes: int, errors: tuple[float, float], items: int, seed: int = 1) -> tuple[Counts, Counts, Counts]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    said = [
        np.where(rng.random(items) < rate, (truth + rng.integers(1, classes, items)) % classes, truth)
        for rate in errors
    ]
    return truth, said[0], said[1]


def _corrected(truth: Counts, a: Counts, b: Counts, against: Counts, labels: int, *, positive: int | None) -> Counts:
    """Change so many labels into what a system said, first those that are said to be positive (or are not)."""
    open_ = np.flatnonzero((a != b) & (against != truth))
    if positive is not None:
        open_ = open_[np.argsort(truth[open_] != positive, kind="stable")]
    changed = truth.copy()
    changed[open_[:labels]] = against[open_[:labels]]
    return changed


@pytest.mark.parametrize(
    ("classes", "errors", "items", "measure"),
    [
        (2, (0.05, 0.25), 500, "accuracy"),
        (2, (0.02, 0.03), 2_000, "accuracy"),
        (2, (0.25, 0.05), 500, "accuracy"),
        (4, (0.05, 0.30), 1_000, "micro_f1"),
        (4, (0.10, 0.11), 1_500, "accuracy"),
    ],
)
def test_so_many_wrong_labels_overturn_a_decision(
    classes: int, errors: tuple[float, float], items: int, measure: str
) -> None:
    """Accuracy counts all errors alike: with a few labels fewer the decision holds, with a few more it does not."""
    truth, a, b = _world(classes, errors, items)
    asked: dict[str, Any] = {"measure": measure} | ({"positive": 1} if classes == 2 else {})
    row = oc.compare(truth, a, b, **asked).rows[0]
    point = row.tipping_point
    assert point is not None
    assert point.labels is not None

    against = a if point.favours == "A" else b
    few, many = int((1 - WITHIN) * point.labels) - 1, int((1 + WITHIN) * point.labels) + 1
    verdicts = [
        oc.compare(_corrected(truth, a, b, against, labels, positive=None), a, b, **asked).verdict
        for labels in (few, many)
    ]

    assert row.verdict.is_decided
    assert [verdict == row.verdict for verdict in verdicts] == [True, False]
    assert point.of == items


@pytest.mark.parametrize("measure", ["f1", "recall", "precision", "mcc"])
def test_the_labels_that_matter_most_are_taken_first(measure: str) -> None:
    """F1 and its like: whichever class is corrected first, it takes no fewer labels than were said."""
    truth, a, b = _world(2, (0.05, 0.30), 800)
    row = oc.compare(truth, a, b, measure=measure, positive=1).rows[0]
    assert row.tipping_point is not None
    labels = row.tipping_point.labels
    assert labels is not None

    few, many = int((1 - WITHIN) * labels) - 1, int((1 + WITHIN) * labels) + 1
    held = {
        (first, many_of): oc.compare(
            _corrected(truth, a, b, b, many_of, positive=first), a, b, measure=measure, positive=1
        ).verdict
        == row.verdict
        for first in (0, 1)
        for many_of in (few, many)
    }

    assert held[0, few]
    assert held[1, few]
    assert not (held[0, many] and held[1, many])


def test_macro_averages_are_overturned_by_errors_in_rare_classes() -> None:
    """It takes fewer labels where they may be those of rare classes, and never more."""
    rng = np.random.default_rng(4)
    truth = rng.choice(5, 3_000, p=[0.6, 0.3, 0.05, 0.03, 0.02])
    a, b = (np.where(rng.random(3_000) < rate, rng.integers(0, 5, 3_000), truth) for rate in (0.05, 0.25))
    macro, micro = oc.compare(truth, a, b, measure=["macro_f1", "micro_f1"]).rows

    assert macro.tipping_point is not None
    assert micro.tipping_point is not None
    assert macro.tipping_point.labels is not None
    assert micro.tipping_point.labels is not None
    assert macro.tipping_point.share < micro.tipping_point.share
    assert macro.tipping_point.favours == micro.tipping_point.favours == "B"


def test_an_open_decision_has_none() -> None:
    """There is nothing to overturn."""
    truth, a, b = _world(2, (0.20, 0.26), 300)

    row = oc.compare(truth, a, b, measure="accuracy", positive=1).rows[0]

    assert not row.verdict.is_decided
    assert row.tipping_point is None


def test_systems_that_hardly_differ_cannot_be_parted_by_errors() -> None:
    """All labels on which they disagree may be wrong: they remain practically equivalent."""
    truth = np.arange(2_000) % 2
    a = truth.copy()
    b = a.copy()
    b[:3] = 1 - b[:3]

    answer = oc.compare(truth, a, b, measure="accuracy", positive=1)

    assert answer.only.tipping_point is not None
    assert answer.only.tipping_point.labels is None
    assert np.isnan(answer.only.tipping_point.share)
    assert "No errors in the labels on which they disagree would overturn it." in answer.to_text()


def test_every_kind_of_labels_has_one() -> None:
    """Groups, many labels per item, who is right, own measures of all confusions: each says what would overturn it."""
    truth, a, b = _world(3, (0.05, 0.35), 900)
    grouped = {"gold": truth, "a": a, "b": b, "doc": np.arange(900) // 5}
    lists = [[[f"l{each}"] for each in column] for column in (truth, a, b)]
    confused = oc.confusion_measure(
        lambda table: np.trace(table, axis1=-2, axis2=-1) / table.sum(axis=(-2, -1)), name="own"
    )

    answers = [
        oc.compare(truth, a, b, measure=confused),
        oc.compare(grouped, truth="gold", group="doc", measure="accuracy"),
        oc.compare(*lists, measure="micro_f1"),
        oc.compare(truth, a, b, model="sign", measure="accuracy"),
    ]

    points = [answer.rows[0].tipping_point for answer in answers]
    assert [point and point.favours for point in points] == ["B", "b", "B", "B"]
    own, grouped_, many, right = (point.labels for point in points if point is not None and point.labels is not None)
    assert own == grouped_ == right
    assert many == pytest.approx(2 * own, rel=WITHIN)  # a wrong label is two wrong decisions


def test_it_is_in_every_output() -> None:
    """One line of text, the long form, the page and JSON."""
    truth, a, b = _world(2, (0.05, 0.25), 500)
    answer = oc.compare(truth, a, b, measure="accuracy", positive=1)
    point = answer.only.tipping_point
    assert point is not None
    told = f"Holds unless {point.labels} of 500 labels ({100 * point.share:.1f}%) are wrong, all against B."

    assert told in answer.to_text()
    assert told in " ".join(answer.to_text(verbose=True).split())
    assert told in answer.to_html()
    assert oc.Comparison.from_json(answer.to_json()).only.tipping_point == point


@pytest.mark.parametrize("most", [1, 2, 3, 10, 37])
def test_first_is_found_from_any_guess(most: int) -> None:
    """The search gives the first number at which it no longer holds, wherever it begins, and looks at few of them."""
    for first in range(1, most + 1):
        for guess in range(-2, most + 3):
            looked: list[int] = []

            def holds(number: int, first: int = first, looked: list[int] = looked) -> bool:
                looked.append(number)
                return number < first

            assert _first(holds, most, guess) == first
            assert all(0 < number < most for number in looked)
            assert len(looked) <= 2 * (2 + math.log2(1 + abs(first - min(max(guess, 1), most))))
