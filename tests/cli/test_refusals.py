"""Questions that make no sense are refused, each in a sentence that says what to do; in Python, which is quick."""

from collections.abc import Callable
from typing import Any

import pytest

import outclass as oc
from outclass import measures
from outclass.data.multilabel import from_lists
from outclass.errors import InputError
from outclass.planning.anytime import anytime
from outclass.planning.pool import next_items

TRUTH, A, B = [1, 1, 0, 0, 1] * 6, [1, 0, 0, 0, 1] * 6, [1, 1, 0, 1, 1] * 6
THREE = [["x", "y", "z"] * 8, ["x", "y", "y"] * 8, ["x", "x", "z"] * 8]
ACCURACY = measures.get("accuracy")
HALF: Any = 0.5
COUNTS = {"tp": 30, "fp": 4, "fn": 5}
WORLD = {"prevalence": 0.3, "recalls": (0.8, 0.6), "false_positive_rates": (0.05, 0.1)}
RESULTS = {
    "id": list(range(8)),
    "a": [0.1, 0.5, 0.3, 0.2, 0.9, 0.4, 0.8, 0.7],
    "b": [0.2, 0.5, 0.1, 0.3, 0.8, 0.6, 0.5, 0.4],
}
GROUPS = {"truth": THREE[0], "a": THREE[1], "b": THREE[2], "doc": [at // 3 for at in range(24)]}
LISTS = from_lists(
    [["x"], ["y", "z"], [], ["x", "z"]] * 5, {"a": [["x"], ["y"], [], ["x"]] * 5, "b": [["x"], ["z"], ["y"], []] * 5}
)


def _frame(rows: dict[str, list[Any]]) -> Any:
    import pandas as pd

    return pd.DataFrame(rows)


def _next(a: list[Any], b: list[Any], measure: str = "accuracy") -> Any:
    return oc.label_next({"a": a, "b": b}, measure=measure)


def _results(**changes: Any) -> oc.Scores:
    return oc.scores(RESULTS | changes.pop("columns", {}), item=changes.pop("item", "id"), **changes)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    # --- one system -------------------------------------------------------------------------------------------------
    "a model of two": (lambda: oc.evaluate(TRUTH, A, model="paired"), "model of one system"),
    "data and counts": (lambda: oc.evaluate(TRUTH, A, counts=COUNTS), "not several"),
    "counts with a label": (lambda: oc.evaluate(counts=COUNTS, positive=1), "counts, which have no labels"),
    "one name twice": (lambda: oc.evaluate(counts=[{**COUNTS, "name": "x"}] * 2), "different names"),
    # --- two of them ------------------------------------------------------------------------------------------------
    "items of data": (lambda: oc.compare(TRUTH, A, B, items=30), "items are counted"),
    "items of counts": (lambda: oc.compare(counts=[COUNTS] * 2, items=30), "not used with counts"),
    "columns of counts": (lambda: oc.compare(counts=[COUNTS] * 2, truth="gold"), "not used with counts"),
    "counts and wins": (lambda: oc.compare(counts=[COUNTS] * 2, wins=(3, 4)), "not several"),
    "one system of many": (lambda: oc.compare(_frame({"t": THREE[0], "a": THREE[1]}), truth="t"), "only one system"),
    "a rope of everything": (lambda: oc.compare(*THREE, measure="macro_f1", rope=1), "every possible difference"),
    "two tables without an id": (
        lambda: oc.compare({"a": _frame({"t": [1]}), "b": _frame({"t": [1]})}, truth="t"),
        "id",
    ),
    # --- many labels ------------------------------------------------------------------------------------------------
    "exact averages": (lambda: oc.compare(*THREE, measure="macro_f1", method="exact"), "can only be sampled"),
    "labels and averages": (lambda: oc.compare(*THREE, measure="macro_f1", by="label"), "leave it out"),
    "a prior of decisions": (
        lambda: oc.compare(LISTS, model="decisions", prior=1),
        "not used with the decisions",
    ),
    "a prior below nothing": (lambda: oc.compare(*THREE, measure="macro_f1", prior=2e6), "and a million"),
    "a prior of weights": (
        lambda: oc.compare(*THREE, model="bootstrap", prior=2),
        "not used with the bootstrap",
    ),
    "groups of decisions": (
        lambda: oc.compare(_frame(GROUPS), truth="truth", group="doc", model="hierarchical"),
        "model=.hierarchical. requires",
    ),
    "counts and groups": (
        lambda: oc.compare(_frame(GROUPS), truth="truth", group="doc", count="doc"),
        "is used both as",
    ),
    "an own hyper-prior": (
        lambda: oc.compare(*THREE, model="hierarchical", prior=2),
        "not used with the hierarchical",
    ),
    "decisions are of pairs": (lambda: oc.rank(LISTS, model="decisions"), "compares pairs"),
    "one system to rank": (lambda: oc.rank(_frame({"t": THREE[0], "a": THREE[1]}), truth="t"), "a ranking needs two"),
    "lists of two lengths": (lambda: from_lists([["x"]], {"a": [["x"], []]}), "differ in length"),
    "no lists": (lambda: from_lists([], {"a": []}), "no item"),
    "lists of nothing": (lambda: from_lists([[], []], {"a": [[], []]}), "no item has a label"),
    "no separator": (lambda: oc.compare(_frame(GROUPS), truth="truth", separator=""), "must not be empty"),
    "long and lists": (
        lambda: oc.compare(_frame(GROUPS), truth="truth", separator=";", item="doc"),
        "cannot be combined",
    ),
    # --- tests ------------------------------------------------------------------------------------------------------
    "by something": (lambda: oc.test(TRUTH, A, B, by="size"), "'frequency' or 'label'"),
    "categories of two": (lambda: oc.test(_results(), by="frequency"), "applies to more than two labels"),
    "an average of two": (lambda: oc.test(TRUTH, A, B, measure="macro_f1"), "measure of two classes"),
    "one to test": (lambda: oc.test(_frame({"t": TRUTH, "a": A}), truth="t"), "only one system"),
    # --- scores -----------------------------------------------------------------------------------------------------
    "an unknown column": (lambda: oc.compare(_results(), systems=["a", "c"]), "no system 'c'"),
    "a system twice": (lambda: oc.compare(_results(), systems=["a", "a"]), "one name twice"),
    "a column twice": (lambda: _results(systems=["a", "a"]), "one name twice"),
    "an item without a name": (lambda: _results(columns={"id": [*range(7), None]}), "has empty cells"),
    "losses beside a truth": (
        lambda: oc.scores({"t": TRUTH[:8], **RESULTS}, truth="t", item="id", lower_is_better=True),
        "not used with classifier scores",
    ),
    "folds and the t model": (
        lambda: oc.compare(_results(columns={"fold": [1, 2] * 4}, fold="fold"), model="student"),
        "folds",
    ),
    "a hierarchy of nothing": (lambda: oc.compare(_results(), model="hierarchical"), "in groups"),
    "two measures to rank": (lambda: oc.rank(_results(), measure=["mean", "median"]), "one measure"),
    "a lopsided rope to rank": (lambda: oc.rank(_results(), rope=(-0.1, 0.2)), "symmetric rope"),
    # --- plans ------------------------------------------------------------------------------------------------------
    "two measures to plan": (lambda: oc.plan(**WORLD, n=100, measure=["f1", "recall"]), "one measure"),
    "no goal": (lambda: oc.plan(**WORLD, n=100, goal=[]), "name a goal"),
    "no model": (lambda: oc.plan(**WORLD, n=100, model=[]), "name a goal and a model"),
    "no prevalence": (
        lambda: oc.plan(recalls=(0.8, 0.6), false_positive_rates=(0.1, 0.1), n=100),
        "prevalence of positives",
    ),
    "a rule without a size": (lambda: oc.plan(**WORLD, probability=0.8, characteristics=True), "number of items"),
    "a pilot of three": (
        lambda: oc.plan(pilot=_frame({"t": TRUTH, "a": A, "b": B, "c": A}), truth="t", n=100),
        "needs two systems",
    ),
    "a prior of many": (
        lambda: oc.plan(pilot=_frame(GROUPS), truth="truth", systems=["a", "b"], n=100, measure="macro_f1", prior=2),
        "leave out prior",
    ),
    "pools of two lengths": (lambda: next_items([1, 2], A[:2], B[:1], ACCURACY, None, None), "differ in length"),
    "an empty pool": (lambda: _next([None], [1]), "no items with predictions from both"),
    "a pool without a label": (lambda: _next([1, 0], [0, 0], measure="f1"), "name it"),
    # --- watching ---------------------------------------------------------------------------------------------------
    "half a win": (lambda: anytime(HALF, 1, 9), "integer"),
    "more wins than items": (lambda: anytime(5, 6, 9), "exceed the 9 items"),
    "sure of everything": (lambda: anytime(1, 2, 9, alpha=1), "must lie in"),
    # --- priors -----------------------------------------------------------------------------------------------------
    "a list for a prior": (lambda: oc.compare(TRUTH, A, B, prior=[1, 2]), "a name, a number or a mapping"),
    "a base with parts": (lambda: oc.compare(TRUTH, A, B, prior={"base": "recall=3,1"}), "base"),
    "three numbers for a rate": (lambda: oc.compare(TRUTH, A, B, prior="mu=1,2,3"), "mu"),
    "two numbers for cells": (lambda: oc.compare(counts=[COUNTS] * 2, prior="cells=1,2"), "one number"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    ask, told = REFUSED[name]
    with pytest.raises(InputError, match=told) as found:
        ask()
    assert len(str(found.value).splitlines()) == 1
    assert " --" not in str(found.value)
    assert "⟨" not in str(found.value)
    assert str(found.value)[-1] in ".?)"


def test_nothing_watched_yet() -> None:
    """Before the first item nothing is known, and nothing speaks against no difference."""
    found = anytime(0, 0, 0)
    assert tuple(found.interval) == (-1, 1)
    assert found.e_value == 1


def test_a_pool_that_cannot_tell() -> None:
    """Systems that say the same everywhere: no label helps, which is said; items without predictions are left out."""
    assert "labelling this pool" in _next([1, 0, 1], [1, 0, 1]).words
    assert "1 items without both predictions were dropped" in _next([1, 0, None], [0, 0, 1]).words
