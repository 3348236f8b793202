"""The decision rule, its edges, and the ways to write a ROPE."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outclass.errors import InputError
from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.verdict import bayes_factor
from outclass.verdict.rope import Verdict, decide, rope_of

ROPE = Interval(-0.05, 0.05)


@pytest.mark.parametrize(
    ("hdi", "symbol"),
    [
        ((-0.05, 0.05), "~="),
        ((-0.01, 0.02), "~="),
        ((0.05, 0.2), ">>"),
        ((0.06, 0.2), ">>"),
        ((-0.3, -0.05), "<<"),
        ((-0.051, 0.02), "<"),
        ((-0.02, 0.051), ">"),
        ((-0.1, 0.1), "?"),
        ((0.049, 0.2), ">"),
        ((math.nan, math.nan), "?"),
    ],
)
def test_rule(hdi: tuple[float, float], symbol: str) -> None:
    """The rule of the paper and its code; ends may touch."""
    assert decide(Interval(*hdi), ROPE).value == symbol


def test_zero_rope() -> None:
    """With no ROPE a verdict is about the sign alone, unless the interval is a point."""
    assert decide(Interval(0.001, 0.2), Interval(0, 0)) is Verdict.MUCH_GREATER
    assert decide(Interval(-0.1, 0.2), Interval(0, 0)) is Verdict.GREATER


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 0.5))
def test_rule_is_symmetric(low: float, width: float, reach: float) -> None:
    """Exchanging the systems turns the sign round."""
    mirror = {"<<": ">>", "<": ">", ">": "<", ">>": "<<", "~=": "~=", "?": "?"}
    rope = Interval(-reach, reach)
    here, there = decide(Interval(low, low + width), rope), decide(Interval(-low - width, -low), rope)

    assert mirror[here.value] == there.value


@pytest.mark.parametrize(
    ("spec", "expected"), [(0.05, (-0.05, 0.05)), ("0.1", (-0.1, 0.1)), ("-0.02,0.05", (-0.02, 0.05)), ((0, 1), (0, 1))]
)
def test_rope_spellings(spec: object, expected: tuple[float, float]) -> None:
    """A ROPE is one number or two, as numbers or as text."""
    assert rope_of(spec).interval == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spec", "hint"),
    [
        ("0.05,-0.05", "reversed"),
        ("-0.05", "negative"),
        ("x", "one number"),
        ("1,2,3", "one number"),
        ("nan", "number"),
    ],
)
def test_wrong_ropes(spec: str, hint: str) -> None:
    """A wrong ROPE gets a sentence with the right one."""
    with pytest.raises(InputError, match=hint):
        rope_of(spec)


def test_kernel_density_is_what_draws_give() -> None:
    """The expected kernel estimate agrees with estimates from 50,000 draws (mean of forty, four standard errors)."""
    law = BetaLaw(30, 20, shift=-0.5)
    rng = np.random.default_rng(2)
    found = [float(Draws.iid(law.sample(50_000, rng), law.support).pdf(0.0)) for _ in range(40)]
    error = np.std(found) / math.sqrt(40)

    for smooth in (True, False):
        assert bayes_factor.kernel_density(law, smooth=smooth) == pytest.approx(np.mean(found), abs=4 * error)


def test_odds_keep_their_digits() -> None:
    """Odds of a million to one are not lost in a difference from one."""
    law = BetaLaw(2, 2)
    odds = bayes_factor.odds(law, Interval(1e-3, 1))

    assert odds == pytest.approx((1 - 3e-6 + 2e-9) / (3e-6 - 2e-9), rel=1e-6)


def test_savage_dickey_without_a_density() -> None:
    """Where the prior density is infinite the factor is nan, and the words say why."""
    found = bayes_factor.savage_dickey(3.0, math.nan, conditional=False)

    assert math.isnan(found.value)
    assert "infinite" in found.words


@pytest.mark.parametrize(
    ("hdi", "rope", "symbol"),
    [
        ((-0.2, 0.3), (0.0, 0.1), "?"),  # both have their middle at 0.05
        ((-0.2, 0.2), (0.0, 0.1), "<"),
        ((-0.1, 0.3), (0.0, 0.1), ">"),
        ((0.0, 0.1), (0.0, 0.1), "~="),
        ((0.1, 0.3), (0.0, 0.1), ">>"),
        ((-0.3, 0.0), (0.0, 0.1), "<<"),
        ((0.05, 0.05), (0.05, 0.05), "~="),
        ((math.nan, 0.1), (0.0, 0.1), "?"),
        ((0.1, math.nan), (0.0, 0.1), "?"),
        ((-0.1, 0.1 + 3e-7), (-0.05, 0.05), "?"),  # even but for rounding: the middle is off by less than a millionth
        ((-0.1, 0.1 + 5e-7), (-0.05, 0.05), ">"),  # and by more than that
        ((-0.1 - 5e-7, 0.1), (-0.05, 0.05), "<"),
    ],
)
def test_rule_about_any_region(hdi: tuple[float, float], rope: tuple[float, float], symbol: str) -> None:
    """The rule for regions that are not about zero: what counts is where the region's middle is."""
    assert decide(Interval(*hdi), Interval(*rope)).value == symbol


def test_signs() -> None:
    """Signs as printed."""
    assert {verdict.value: verdict.sign for verdict in Verdict} == {
        "<<": "≪",
        "<": "<",
        "~=": "≈",
        ">": ">",
        ">>": "≫",
        "?": "?",
        ">=": "≥",
        "<=": "≤",
    }


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (None, (-0.05, 0.05)),
        (0, (0, 0)),
        ("0", (0, 0)),
        ([0.1], (-0.1, 0.1)),
        ([0.2, 0.2], (0.2, 0.2)),
        (" -0.1 , 0.2", (-0.1, 0.2)),
    ],
)
def test_more_rope_spellings(spec: object, expected: tuple[float, float]) -> None:
    """The usual region, a point, lists."""
    assert rope_of(spec).interval == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "spec", [[], [1, 2, 3], "", "0.1,nan", "inf", "-inf,inf", object(), ["x"], [None], (0.1, math.nan)]
)
def test_more_wrong_ropes(spec: object) -> None:
    """What is no region is told with what was seen."""
    with pytest.raises(InputError, match="one number, LOW,HIGH or a percentage"):
        rope_of(spec)  # type: ignore[arg-type]
