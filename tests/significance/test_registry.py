"""Every test in the folder keeps to the contract of its declaration."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outclass as oc
from outclass.errors import InputError
from outclass.testing.declaration import KINDS
from outclass.testing.registry import all_tests, find, names, title_of
from outclass.testing.views import View

SYSTEMS = ("x", "y", "z")
# In the order in which a report shows them.
ORDER = (
    *("sign_exact", "mcnemar_exact", "mcnemar_midp", "permutation_exact", "permutation", "cluster_t", "bootstrap"),
    *("tost", "micro_sign", "macro_sign", "macro_t", "macro_t_ranks", "proportion", "wilcoxon", "paired_t", "welch_t"),
    *("cochran_q", "friedman", "nemenyi", "delong"),
)


def _labels(classes: int, items: int = 160) -> pd.DataFrame:
    rng = np.random.default_rng(classes)
    gold = rng.integers(0, classes, items)
    frame = pd.DataFrame({"gold": gold, "doc": np.arange(items) // 20})
    for name, wrong in zip(SYSTEMS, (0.1, 0.25, 0.4), strict=True):
        frame[name] = np.where(rng.random(items) < wrong, rng.integers(0, classes, items), gold)
    return frame


def _numbers(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(n)
    frame = pd.DataFrame({name: rng.normal(0.1 * place, 1, n) for place, name in enumerate(SYSTEMS)})
    return frame.assign(fold=np.arange(n), gold=rng.integers(0, 2, n), right=1)


def _two_sets(systems: list[str]) -> tuple[Any, Any]:
    halves = _labels(2)[:80], _labels(2)[80:]
    first, second = (
        oc.outcomes(half, truth="gold", systems=[name])
        for name, half in sorted(zip(sorted(systems[:2]), halves, strict=True), key=lambda each: systems.index(each[0]))
    )
    return first, second


def _wins(systems: list[str], **asked: Any) -> oc.TestReport:
    wins = {"x": 30, "y": 12}
    return oc.test(wins=[wins[name] for name in systems[:2]], items=200, names=systems[:2], **asked)


def _counts(systems: list[str], **asked: Any) -> oc.TestReport:
    known = {"x": {"tp": 40, "fp": 9, "fn": 14, "tn": 90}, "y": {"tp": 30, "fp": 19, "fn": 24, "tn": 80}}
    return oc.test(counts=[known[name] for name in systems[:2]], names=systems[:2], **asked)


def _right(systems: list[str], **asked: Any) -> oc.TestReport:
    frame = _labels(2)
    return oc.test(
        {name: (frame[name] == frame["gold"]) * 1 for name in SYSTEMS}, systems=systems, scores=True, **asked
    )


def _per_item(systems: list[str], **asked: Any) -> oc.TestReport:
    rng = np.random.default_rng(9)
    gold = rng.integers(0, 4, 60)
    table: dict[str, Any] = {}
    for name, rate in zip(SYSTEMS, (0.9, 0.8, 0.7), strict=True):
        found = rng.binomial(gold, rate)
        table |= {f"{name}_tp": found, f"{name}_fp": rng.poisson(0.4, 60), f"{name}_fn": gold - found}
    return oc.test(pd.DataFrame(table), tp="*_tp", fp="*_fp", fn="*_fn", systems=systems, **asked)


# How each kind of data is tested, with the systems in an order.
WORLDS: dict[str, Callable[..., oc.TestReport]] = {
    "two_classes": lambda systems, **asked: oc.test(_labels(2), truth="gold", systems=systems, **asked),
    "categories": lambda systems, **asked: oc.test(_labels(6), truth="gold", systems=systems, **asked),
    "one_label": lambda systems, **asked: oc.test(_labels(6), truth="gold", systems=systems, **asked),
    "right_wrong": _right,
    "results": lambda systems, **asked: oc.test(_numbers(40), systems=systems, scores=True, **asked),
    "folds": lambda systems, **asked: oc.test(_numbers(10), systems=systems, fold="fold", **asked),
    "scores": lambda systems, **asked: oc.test(_numbers(60), truth="gold", systems=systems, scores=True, **asked),
    "groups": lambda systems, **asked: oc.test(_labels(3), truth="gold", group="doc", systems=systems, **asked),
    "unit_counts": _per_item,
    "wins": _wins,
    "two_sets": lambda systems, **asked: oc.test(*_two_sets(systems), **asked),
    "counts": _counts,
}
CASES = [(name, kind) for name, test in all_tests().items() for kind in test.default_on or ("two_classes",)]


def test_every_kind_of_data_is_tried() -> None:
    """The contract below runs on every kind of data there is."""
    assert set(WORLDS) == set(KINDS)


def test_tests_are_shown_in_the_declared_order() -> None:
    """The folder holds these tests, and they are shown in this order."""
    assert tuple(all_tests()) == ORDER
    assert set(names()) == set(ORDER)


def test_names_are_listed_without_loading_the_tests() -> None:
    """Listing costs nothing; asking for one loads that one."""
    code = (
        "import sys; from outclass.testing import registry\n"
        "def loaded(): return {m.rpartition('.')[2] for m in sys.modules if m.startswith('outclass.testing.tests.')}\n"
        "registry.names(); print(*loaded()); registry.find('delong'); print(*loaded())"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.split("\n")[:2] == ["", "delong"]


@pytest.mark.parametrize("name", ORDER)
def test_a_declaration_is_complete(name: str) -> None:
    """Title, reference, views with words, known kinds and options; no place is taken twice."""
    test = find(name)

    assert test.title
    assert test.reference[-4:].isdigit()
    assert test.needs
    assert all(issubclass(need, View) and need.required for need in test.needs)
    assert set(test.default_on) <= set(KINDS)
    assert set(test.uses) <= {"alternative", "measure", "draws", "rope"}
    assert [other.order for other in all_tests().values()].count(test.order) == 1
    assert title_of(name) == test.title


def test_what_is_no_test() -> None:
    """A name that is not in the folder gets a suggestion, and stands for itself in a table."""
    with pytest.raises(InputError, match="Did you mean 'wilcoxon'"):
        find("wilcoxn")
    assert title_of("corrected_t") == "corrected_t"


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_results_keep_to_the_contract(name: str, kind: str) -> None:
    """A p-value is a probability, effects have names, and swapping two systems mirrors effect and interval."""
    asked: dict[str, Any] = {"tests": name}
    if "alternative" in find(name).uses:
        asked["alternative"] = "two-sided"
    there, back = (WORLDS[kind](list(systems), **asked) for systems in (SYSTEMS, ("y", "x", "z")))

    assert len(there) == len(back) > 0
    for row, other in zip(there, back, strict=True):
        assert 0 <= row.p_value <= 1
        assert row.words
        assert row.assumptions
        assert set(row.systems) <= set(SYSTEMS)
        if set(row.systems) == {"x", "y"}:
            assert row.effect_name
            drawn = name == "bootstrap" or row.p_error > 0
            assert row.p_value == pytest.approx(other.p_value, abs=0.03 if drawn else 1e-9)
            assert row.effect == pytest.approx(-other.effect, abs=1e-12)
            mirrored = [-other.interval.high, -other.interval.low]
            assert list(row.interval) == pytest.approx(mirrored, abs=0.02 if drawn else 1e-6, nan_ok=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_default_runs_and_the_rest_is_an_error(kind: str) -> None:
    """On every kind of data the declared tests run by default; one that does not fit says what it requires."""
    found = WORLDS[kind](list(SYSTEMS))
    wanted = {name for name, test in all_tests().items() if kind in test.default_on}

    ran = {row.name for row in found}
    # A permutation test that was drawn is named so.
    assert wanted <= ran | ({"permutation_exact"} if "permutation" in ran else set())
    misfit = "delong" if kind != "scores" else "sign_exact"
    with pytest.raises(InputError, match=r"requires .* These data are|treats items as independent"):
        WORLDS[kind](list(SYSTEMS), tests=misfit)
