"""Typed values as JSON and back: what each type is written as, and the sentence for what does not fit."""

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import pytest

from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.planning.anytime import anytime
from outclass.rows.plain import from_plain, loads, to_plain
from outclass.significance.sign import sign_exact


class Colour(Enum):
    """A choice."""

    RED = "red"
    BLUE = "blue"


class Point(NamedTuple):
    """Two numbers, the second of which has a default."""

    x: float
    y: float = 0.5


@dataclass(frozen=True, kw_only=True)
class Everything:
    """A field of every type that rows have."""

    text: str
    number: int
    truth: bool
    colour: Colour
    pair: tuple[float, str]
    many: tuple[int, ...]
    point: Point
    ends: Interval
    table: dict[str, float]
    label: str | int | None
    anything: Any = None
    maybe: Point | None = None
    hidden: float = field(default=3.0, compare=False)


VALUE = Everything(
    text="a",
    number=3,
    truth=True,
    colour=Colour.BLUE,
    pair=(0.25, "b"),
    many=(1, 2, 3),
    point=Point(math.nan, math.inf),
    ends=Interval(-math.inf, 1.0),
    table={"k": 2.0, "unknown": math.nan},
    label=7,
    anything={"free": [1]},
)
PLAIN: dict[str, Any] = {
    "text": "a",
    "number": 3,
    "truth": True,
    "colour": "blue",
    "pair": [0.25, "b"],
    "many": [1, 2, 3],
    "point": {"x": None, "y": "inf"},
    "ends": ["-inf", 1.0],
    "table": {"k": 2.0, "unknown": None},
    "label": 7,
    "anything": {"free": [1]},
    "maybe": None,
}


def test_every_type_is_written_and_read_back() -> None:
    """Unknown is null, infinity a word, an enumeration its value, an interval its two ends; hidden fields stay."""
    assert to_plain(VALUE) == PLAIN

    back = from_plain(Everything, PLAIN, "it")
    assert math.isnan(back.point.x)
    assert to_plain(back) == PLAIN
    assert (back.colour, back.many, back.ends, back.hidden) == (Colour.BLUE, (1, 2, 3), VALUE.ends, 3.0)
    assert from_plain(Everything, PLAIN | {"hidden": 9.0, "new": 1}, "it").hidden == 3.0


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({"label": "x"}, "x"),
        ({"label": None}, None),
        ({"label": 2**63}, 2**63),
        ({"label": -(2**63)}, -(2**63)),
    ],
)
def test_one_of_several_types(change: dict[str, Any], kept: Any) -> None:
    """The first type that fits is taken."""
    assert from_plain(Everything, PLAIN | change, "it").label == kept


def test_what_has_a_default_may_be_left_out() -> None:
    """A missing field takes its default; one without a default is named."""
    short = {name: value for name, value in PLAIN.items() if name not in ("anything", "maybe")}

    assert from_plain(Everything, short | {"point": {"x": 1}}, "it").point == Point(1.0, 0.5)
    assert from_plain(Everything, short | {"maybe": {"x": 1}}, "it").maybe == Point(1.0, 0.5)
    with pytest.raises(InputError, match=r"^this is not a row written by outclass: point has no 'x'\.$"):
        from_plain(Everything, PLAIN | {"point": {"y": 1}}, "a row")
    with pytest.raises(InputError, match=r"written by outclass: it has no 'text'\.$"):
        from_plain(Everything, {name: value for name, value in PLAIN.items() if name != "text"}, "a row")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"text": 3}, "text is not text"),
        ({"text": None}, "text is not text"),
        ({"number": 3.0}, "number is not a whole number"),
        ({"number": True}, "number is not a whole number"),
        ({"number": 2**63 + 1}, "number is not a whole number"),
        ({"number": -(2**63) - 1}, "number is not a whole number"),
        ({"truth": 1}, "truth is not true or false"),
        ({"colour": "green"}, "'green' is not a valid Colour"),
        ({"pair": [0.25]}, "pair has 1 elements instead of 2"),
        ({"pair": [0.25, "b", "c"]}, "pair has 3 elements instead of 2"),
        ({"pair": ["x", "b"]}, "pair[0] is not a number"),
        ({"pair": [True, "b"]}, "pair[0] is not a number"),
        ({"pair": {}}, "pair is not a list"),
        ({"many": [1, 2.5]}, "many[1] is not a whole number"),
        ({"point": {"x": "nan"}}, "point.x is not a number"),
        ({"point": {"x": [1]}}, "point.x is not a number"),
        ({"point": [1, 2]}, "point is not an object"),
        ({"table": {"k": "x"}}, "table.'k' is not a number"),
        ({"table": []}, "table is not an object"),
        ({"label": 1.5}, "label is not a whole number"),
        ({"maybe": 4}, "maybe is not an object"),
    ],
)
def test_the_sentence_says_where(change: dict[str, Any], told: str) -> None:
    """Whatever does not fit is named by its place, and by what it should have been."""
    with pytest.raises(InputError) as found:
        from_plain(Everything, PLAIN | change, "a row")

    assert str(found.value) == f"this is not a row written by outclass: {told}."


@pytest.mark.parametrize("plain", [None, 3, "x", []])
def test_what_is_no_object(plain: Any) -> None:
    """Nothing of the kind is told in a sentence as well."""
    with pytest.raises(InputError, match="this is not a row written by outclass"):
        from_plain(Everything, plain, "a row")


def test_numbers_that_json_does_not_have() -> None:
    """NaN, Infinity and numbers too large are refused; so is what is no JSON, or nested without an end."""
    assert loads(b'{"a": [1, 2.5, null]}') == {"a": [1, 2.5, None]}
    for text in ("NaN", "[Infinity]", "-Infinity", "1e999", "[1,", "[" * 100_000):
        with pytest.raises(InputError, match="this is not JSON"):
            loads(text)
    with pytest.raises(InputError, match="a number in it is too large"):
        loads("1e999")


def test_what_is_written_beside() -> None:
    """A test's mark and what an anytime test says of equality are written for readers of the JSON."""
    strong, weak = sign_exact(30, 2), sign_exact(3, 2)

    assert to_plain(strong)["mark"] == strong.mark
    assert to_plain(weak)["mark"] == weak.mark
    assert to_plain(anytime(30, 2, 100))["refuses_equality"] is True
    assert to_plain(anytime(3, 2, 100))["refuses_equality"] is False
    assert to_plain(anytime(3, 2, 100))["measure"] == "accuracy"
