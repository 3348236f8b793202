"""Outcomes: counting, adding, tables, and what arrays and frames become."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from outclass.data.arrays import from_arrays
from outclass.data.frames import from_frame
from outclass.data.outcomes import Outcomes
from outclass.errors import InputError

LABELS = st.sampled_from(["ant", "bee", "cat"])
ROWS = st.lists(st.tuples(LABELS, LABELS, LABELS), min_size=1, max_size=60)
FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "polars lazy": lambda data: pl.DataFrame(data).lazy(),
    "pyarrow": pa.table,
}


def _outcomes(rows: list[tuple[str, str, str]]) -> Outcomes:
    truth, a, b = zip(*rows, strict=True)
    return from_arrays(list(truth), {"A": list(a), "B": list(b)})


@given(ROWS, st.randoms())
def test_order_does_not_matter(rows: list[tuple[str, str, str]], random: Any) -> None:
    """Permuting the items changes nothing."""
    mixed = list(rows)
    random.shuffle(mixed)

    assert _outcomes(rows) == _outcomes(mixed)


@given(ROWS, ROWS)
def test_addition_is_the_union(first: list[tuple[str, str, str]], second: list[tuple[str, str, str]]) -> None:
    """Adding outcomes equals counting all items at once, in either order."""
    together = _outcomes(first + second)

    assert _outcomes(first) + _outcomes(second) == together
    assert _outcomes(second) + _outcomes(first) == together


@given(ROWS, LABELS)
def test_tables(rows: list[tuple[str, str, str]], positive: str) -> None:
    """The 2x2 table is scikit-learn's confusion matrix, and the joint table's margins."""
    outcomes = _outcomes(rows)
    if positive not in outcomes.labels:
        return
    truth, a, _ = (np.array(column) == positive for column in zip(*rows, strict=True))
    expected = confusion_matrix(truth, a, labels=[True, False])
    joint = outcomes.joint("A", "B", positive)

    assert np.array_equal(outcomes.table("A", positive), expected)
    assert joint.sum() == len(rows)
    assert np.array_equal(joint[:, 0] + joint[:, 1], expected[:, 0])


def test_outcomes_are_frozen() -> None:
    """Neither fields nor arrays can be changed."""
    outcomes = _outcomes([("ant", "bee", "cat")])

    with pytest.raises(ValueError, match="read-only"):
        outcomes.counts[0] = 7
    with pytest.raises(AttributeError):
        outcomes.systems = ("X",)  # type: ignore[misc]


def test_adding_different_systems() -> None:
    """Outcomes of other systems are refused."""
    with pytest.raises(InputError, match="different systems"):
        _outcomes([("ant", "bee", "cat")]) + from_arrays([1], {"C": [1]})


def test_adding_different_types() -> None:
    """Numbers in one test and text in the other are the labels of both, as if they had been read together."""
    both = from_arrays([1, 0], {"A": [1, 1]}) + from_arrays(["x", "1"], {"A": ["x", "x"]})

    assert both == from_arrays([1, 0, "x", "1"], {"A": [1, 1, "x", "x"]})
    assert both.labels == ("0", "1", "x")


@pytest.mark.parametrize(
    ("truth", "said", "labels"),
    [
        (np.array([True, False]), np.array([1, 0]), (0, 1)),
        ([1, 0], ["1", "0"], (0, 1)),
        ([1.0, 0.0], [1, 0], (0, 1)),
        (["1", "0"], ["1.0", "0.0"], (0, 1)),
        (["true", "false"], [True, False], (False, True)),
        (["spam", "ham"], ["ham", "ham"], ("ham", "spam")),
        (np.array(["a", "b"], dtype=object), ["a", "b"], ("a", "b")),
        (np.array([2, 7], dtype=np.uint8), np.array([7, 2], dtype=np.int16), (2, 7)),
    ],
)
def test_labels_of_any_type(truth: Any, said: Any, labels: tuple[Any, ...]) -> None:
    """Booleans, numbers and text are brought to one type; 1, 1.0 and "1" are one label."""
    found = from_arrays(truth, {"A": said}).labels

    assert found == labels
    assert [type(label) for label in found] == [type(label) for label in labels]


@pytest.mark.parametrize(
    ("labels", "positive"),
    [([0, 1], 1), ([-1, 1], 1), ([True, False], True), (["no", "Yes"], "Yes"), (["ham", "spam"], "spam"), ([1, 1], 1)],
)
def test_plain_positive(labels: list[Any], positive: Any) -> None:
    """Of some pairs of labels it is plain which is the positive."""
    assert from_arrays(labels, {"A": labels}).positive() == positive


@pytest.mark.parametrize("wanted", ["1", 1, "true", True])
def test_positive_by_any_spelling(wanted: Any) -> None:
    """The positive label can be named as a value or as text."""
    assert from_arrays([0, 1], {"A": [0, 1]}).positive(wanted) == 1


@pytest.mark.parametrize(
    ("labels", "wanted", "hint"),
    [(["cat", "dog"], None, "which label"), ([1, 2, 3], None, "3 labels"), ([0, 1], "2", "does not occur")],
)
def test_positive_for_the_user_to_say(labels: list[Any], wanted: Any, hint: str) -> None:
    """Where it is not plain, the user must say."""
    with pytest.raises(InputError, match=hint):
        from_arrays(labels, {"A": labels}).positive(wanted)


@pytest.mark.parametrize(
    ("truth", "said", "hint"),
    [
        ([1, 0, 1], [1, 0], "differ in length"),
        ([], [], "empty"),
        ([1, 0], [0.3, 0.9], "score"),
        ([1, 0], [[0.3, 0.7], [0.9, 0.1]], "one-dimensional"),
        ([1, 0], "10", "must be an array"),
        ([1, None, 0], [1, 1, math.nan], "2 of 3 items"),
    ],
)
def test_wrong_arrays(truth: Any, said: Any, hint: str) -> None:
    """Wrong arrays get a sentence."""
    with pytest.raises(InputError, match=hint):
        from_arrays(truth, {"A": said})


def test_missing_rows_are_shown() -> None:
    """Up to five items without a label are shown with their position and what is wrong."""
    with pytest.raises(InputError, match=r"item 1: no label in 'A'(.|\n)*missing='drop'"):
        from_arrays([1, 0] * 10, {"A": [1, None] * 10})


def test_missing_dropped_or_wrong() -> None:
    """Dropping leaves items out, 'wrong' counts them as errors whatever the truth is; both are said."""
    truth, said = [1, 1, 0, 0], [1, None, 0, None]
    dropped = from_arrays(truth, {"A": said}, missing="drop")
    wrong = from_arrays(truth, {"A": said}, missing="wrong")

    assert dropped.table("A", 1).tolist() == [[1, 0], [0, 1]]
    assert wrong.table("A", 1).tolist() == [[1, 1], [1, 1]]
    assert [outcomes.findings[0].code for outcomes in (dropped, wrong)] == ["OC101", "OC102"]


def test_missing_truth_cannot_be_wrong() -> None:
    """A missing truth cannot be counted as a wrong prediction."""
    with pytest.raises(InputError, match="in the truth, which cannot"):
        from_arrays([1, None], {"A": [1, 1]}, missing="wrong")


@pytest.mark.parametrize("library", FRAMES)
def test_frames(library: str) -> None:
    """Any dataframe gives what the arrays give."""
    data = {"gold": [1, 0, 1, 1, 0], "A": [1, 0, 0, 1, 1], "B": [1, 1, 1, 1, 0]}
    found = from_frame(FRAMES[library](data), truth="gold")

    assert found == from_arrays(data["gold"], {"A": data["A"], "B": data["B"]})


@pytest.mark.parametrize("library", FRAMES)
def test_frames_with_counts(library: str) -> None:
    """A count column says how many items a row stands for."""
    data = {"gold": ["x", "y"], "A": ["x", "x"], "n": [3, 4]}
    found = from_frame(FRAMES[library](data), truth="gold", count="n")

    assert found.items == 7
    assert found.systems == ("A",)


@pytest.mark.parametrize("library", FRAMES)
def test_frames_with_missing_labels(library: str) -> None:
    """Missing labels are refused, or dropped and said."""
    data = {"gold": ["x", "y", "x"], "A": ["x", None, "x"]}

    with pytest.raises(InputError, match="1 of 3 items has a missing label"):
        from_frame(FRAMES[library](data), truth="gold")
    assert from_frame(FRAMES[library](data), truth="gold", missing="drop").items == 2


@pytest.mark.parametrize(
    ("kwargs", "hint"),
    [
        ({"truth": "glod"}, "Did you mean 'gold'"),
        ({"truth": "gold", "systems": ["B"]}, "no column 'B'"),
        ({"truth": "gold", "systems": ["A", "A"]}, "named twice"),
        ({"truth": "gold", "systems": ["gold"]}, "different columns"),
        ({"truth": None}, "truth='COL'"),
        ({"truth": "gold", "count": "n"}, "non-negative integers"),
        ({"truth": "A"}, "looks like a score"),
    ],
)
def test_wrong_columns(kwargs: dict[str, Any], hint: str) -> None:
    """Wrong columns get a sentence, with the nearest name."""
    frame = pd.DataFrame({"gold": [1, 0], "A": [1, 1], "n": [2.5, -1]})

    with pytest.raises(InputError, match=hint):
        from_frame(frame, **kwargs)


@pytest.mark.parametrize("labels", [["01", "1"], ["10000000000000001", "10000000000000000"], ["1e3", "1000"]])
def test_codes_are_not_numbers(labels: list[str]) -> None:
    """Labels that differ as text stay different, whatever they would be as numbers."""
    outcomes = from_arrays(labels * 2, {"A": labels[::-1] * 2})

    assert len(outcomes.labels) == 2
    assert outcomes.table("A", outcomes.labels[0]).tolist() == [[0, 2], [2, 0]]


def test_masked_arrays() -> None:
    """A masked label is a missing one."""
    with pytest.raises(InputError, match="1 of 2 items"):
        from_arrays([1, 0], {"A": np.ma.array([1, 0], mask=[False, True])})


def test_series_with_different_indexes() -> None:
    """Series whose indexes differ would be matched by position: that is refused."""
    truth = pd.Series([1, 0, 1])
    with pytest.raises(InputError, match="different indexes"):
        from_arrays(truth, {"A": pd.Series([1, 0, 1], index=[2, 1, 0])})


@pytest.mark.parametrize("counts", [["x", "4"], [3, None], [math.inf, 1], [1e30, 1]])
def test_wrong_counts_in_frames(counts: list[Any]) -> None:
    """A count that is no whole number is refused, in frames as in files; text that is one is read."""
    frame = pd.DataFrame({"gold": [1, 0], "A": [1, 0], "n": counts})
    with pytest.raises(InputError, match="non-negative integers"):
        from_frame(frame, truth="gold", count="n")
    frame["n"] = ["3", "4"]
    assert from_frame(frame, truth="gold", count="n").items == 7


def test_ids_in_frames() -> None:
    """An id column of a frame is checked as one of a file is."""
    frame = pd.DataFrame({"id": [1, 1], "gold": [1, 0], "A": [1, 0]})
    with pytest.raises(InputError, match="more than once"):
        from_frame(frame, truth="gold", id="id")
    with pytest.raises(InputError, match="no column 'nr'"):
        from_frame(frame, truth="gold", id="nr")


def test_missing_prediction_of_many_classes() -> None:
    """With many classes a missing prediction misses its own class and is no false alarm in the others."""
    outcomes = from_arrays(["x", "y", "z"], {"A": [None, "y", "z"]}, missing="wrong")

    assert outcomes.table("A", "x").tolist() == [[0, 1], [0, 2]]
    assert outcomes.table("A", "y").tolist() == [[1, 0], [0, 2]]
