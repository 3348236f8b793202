"""Extreme numbers: every question gets a sentence or finite numbers; nan only beside a finding that says why."""

import dataclasses
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.data.scores import LARGEST, SMALLEST
from outclass.errors import InputError, OutclassError

QUICK, ALL = 16, 3_000
INSIDE = (-100, -99, -75, -50, -30, -10, -3, 0, 3, 10, 30, 50, 75, 99, 100)  # powers of ten
BEYOND = (-323, -310, -300, -200, -150, -101, 101, 110, 150, 200, 300, 308)


def _column(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return numbers of one of many odd kinds."""

    def size() -> float:
        return float(f"1e{rng.choice(BEYOND if rng.random() < 0.08 else INSIDE)}")

    noise = rng.standard_normal(n)
    kinds: list[Callable[[], np.ndarray]] = [
        lambda: noise,
        lambda: np.zeros(n),
        lambda: np.full(n, size()),
        lambda: noise * size(),
        lambda: noise + size(),  # a large offset, a small spread
        lambda: 1e16 + rng.integers(0, 3, n),
        lambda: size() * (1 + 1e-15 * rng.integers(0, 5, n)),
        lambda: np.where(rng.random(n) < 0.2, size(), noise),  # outliers
        lambda: 5e-324 * rng.integers(0, 5, n),  # denormal numbers
        lambda: size() * rng.integers(0, 2, n),
        lambda: size() * rng.random(n) - size(),
        lambda: np.where(rng.random(n) < 0.1, rng.choice([np.inf, np.nan]), noise),
    ]
    return kinds[rng.integers(len(kinds))]()


def _table(rng: np.random.Generator) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return columns, and what they are: results, classifier scores, in groups, of data sets, or folds."""
    n = int(rng.choice([1, 2, 3, 5, 12, 30]))
    a, near = _column(rng, n), rng.random()
    with np.errstate(all="ignore"):
        b = a.copy() if near < 0.15 else a + _column(rng, n) if near < 0.5 else _column(rng, n)
    columns: dict[str, Any] = {"a": a.tolist(), "b": b.tolist()}
    if rng.random() < 0.2:
        columns["c"] = _column(rng, n).tolist()
    units = rng.integers(0, max(2, n // 3), n).tolist()
    kind = rng.integers(5)
    if kind == 0:
        return columns, {"scores": True}
    if kind == 1:
        return columns | {"t": (rng.random(n) < 0.5).astype(int).tolist()}, {
            "truth": "t",
            "positive": 1,
            "scores": True,
        }
    if kind == 2:
        return columns | {"g": units}, {"group": "g", "scores": True}
    if kind == 3:
        return columns | {"d": units}, {"data_set": "d", "scores": True}
    return columns | {"f": list(range(n))}, {"fold": "f"}


def _odd(value: Any, path: str = "") -> Iterator[str]:
    """Return where an answer holds numbers that are not finite, and does not say why."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if hasattr(value, "p_value") and value.findings and math.isnan(value.p_value):
            return  # the test says why there is no p-value
        for each in dataclasses.fields(value):
            # The std of Student's t is infinite below three degrees of freedom; few tests have an interval.
            if each.compare and each.name not in ("std", "interval"):
                yield from _odd(getattr(value, each.name), f"{path}.{each.name}")
    elif isinstance(value, float) and not math.isfinite(value):
        yield path
    elif isinstance(value, dict):
        yield from (found for key, each in value.items() for found in _odd(each, f"{path}.{key}"))
    elif isinstance(value, list | tuple):
        yield from (found for each in value for found in _odd(each, path))


def _wrong(number: int) -> Iterator[str]:
    """Ask everything of one table; return what is neither a sentence nor finite."""
    columns, what = _table(np.random.default_rng(number))
    pilot = {name: own for name, own in columns.items() if name != "c"}
    asks: dict[str, Callable[[], Any]] = {
        "compare": lambda: oc.compare(columns, rng=0, **what),
        "evaluate": lambda: oc.evaluate(columns, rng=0, **what),
        "rank": lambda: oc.rank(columns, rng=0, **what),
        "test": lambda: oc.test(columns, rng=0, **what),
        "plan": lambda: oc.plan(pilot=pilot, n=[50], sets=20, jobs=1, rng=0, **what),
    }
    for name, ask in asks.items():
        try:
            answer = ask()
            answer.to_json()
            assert str(answer)
        except OutclassError:
            continue
        except Exception as error:
            yield f"table {number}, {name}: {type(error).__name__}: {error}"
        else:
            yield from (f"table {number}, {name}{place}" for place in dict.fromkeys(_odd(answer)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_extreme_tables(full: bool) -> None:
    """Random tables between 1e-323 and 1e308, with inf, nan, ties, outliers, and spreads lost beside an offset."""
    assert [wrong for number in range(ALL if full else QUICK) for wrong in _wrong(number)] == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([1.0, 1e101, 3.0], "'a' holds 1e+101: scores beyond ±1e+100 are not supported"),
        ([1e-101, 0.0, -2e-101], "the largest result is 2e-101: results that all lie within ±1e-100"),
    ],
)
def test_numbers_whose_squares_are_none(values: list[float], told: str) -> None:
    """A sentence says which number is too large or too small, and the limit."""
    with pytest.raises(InputError) as caught:
        oc.compare({"a": values, "b": [0.0] * 3}, scores=True)

    assert told in str(caught.value)


def test_the_limits_themselves() -> None:
    """At the limits there are answers, the same but for the unit."""
    rng = np.random.default_rng(5)
    a, b = rng.random(20), rng.random(20)
    a[0] = b[0] = 1.0
    plain, large, small = (
        oc.compare({"a": unit * a, "b": unit * b}, scores=True, rope=unit / 10, rng=0).rows[0].difference
        for unit in (1.0, LARGEST, SMALLEST)
    )

    for unit, found in ((LARGEST, large), (SMALLEST, small)):
        assert found.mean / unit == pytest.approx(plain.mean, rel=1e-6)
        assert found.hdi.high / unit == pytest.approx(plain.hdi.high, rel=1e-4)
        assert found.above == pytest.approx(plain.above, abs=1e-4)


@pytest.mark.parametrize("utility", ["utility:tp=1e51,fp=-1", "cost:fp=1e-51"])
def test_utilities_beyond_reason(utility: str) -> None:
    """Utilities whose powers overflow or vanish are rejected, with the limits."""
    with pytest.raises(InputError, match="must lie between 1e-50 and 1e\\+50"):
        oc.compare([1, 0, 1, 0], [1, 0, 0, 0], [1, 1, 1, 0], measure=utility)


@pytest.mark.parametrize("mass", [0.9999999999, 1e-9])
def test_masses_beyond_the_numerical_error(mass: float) -> None:
    """An interval of all but nothing would be made of rounding."""
    with pytest.raises(InputError, match=r"hdi_mass must lie between 0\.0001 and 0\.9999"):
        oc.compare([1, 0, 1, 0], [1, 0, 0, 0], [1, 1, 1, 0], hdi_mass=mass)


@pytest.mark.parametrize("offset", [1e11, 1e13, -1e13, 1.7e16])
@pytest.mark.parametrize("question", [oc.compare, oc.test, oc.rank, oc.evaluate])
def test_a_large_common_offset(question: Callable[..., Any], offset: float) -> None:
    """Differences that rounding would lose beside an offset are not told as ties: the error says to subtract it."""
    rng = np.random.default_rng(5)
    a = np.round(rng.normal(0, 10, 60))
    columns = {"a": a + offset, "b": a + np.round(rng.normal(4, 2, 60)) + offset}
    with pytest.raises(InputError, match=r"Subtract the same number from all results first, for example -?\d"):
        question(columns, scores=True)


def test_nanoseconds_since_1970() -> None:
    """Timestamps as integers hide differences of microseconds, and are refused."""
    ticks = 1_700_000_000_000_000_000 + 1_000 * np.arange(40)
    with pytest.raises(InputError, match="lost to rounding"):
        oc.compare({"a": ticks, "b": ticks + 5_000}, scores=True)


def test_an_offset_that_leaves_enough_digits() -> None:
    """A difference does not depend on an offset that floats can carry."""
    rng = np.random.default_rng(5)
    a = np.round(rng.normal(0, 10, 60))
    b = a + np.round(rng.normal(4, 2, 60))
    plain, moved = (oc.compare({"a": a + offset, "b": b + offset}, scores=True).rows[0] for offset in (0, 1e8))

    assert moved.difference.hdi == pytest.approx(plain.difference.hdi, rel=1e-6)


def test_numbers_that_only_rounding_separates_are_one() -> None:
    """0.1 + 0.2 and 0.3 agree, and are no offset."""
    found = oc.compare({"a": [0.3] * 12, "b": [0.1 + 0.2] * 12}, scores=True)

    assert "OC105" in {each.code for each in found.rows[0].findings}
