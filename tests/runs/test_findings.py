"""Findings of runs: each appears just beyond its threshold and not before it, and says what was seen."""

from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.rows.checks.runs import ENOUGH, MISLEADS_BY_NUMBER, VARIES_MORE

ITEMS = 400


def _run(right: int, seed: int) -> np.ndarray:
    """Return a run that is right on so many of the items."""
    said = np.zeros(ITEMS, dtype=int)
    said[np.random.default_rng(seed).permutation(ITEMS)[:right]] = 1
    return said


def _compared(a: list[int], b: list[int], **asked: Any) -> Any:
    """Compare runs with these numbers of right answers, all of the same truth but for one item."""
    truth = np.ones(ITEMS, dtype=int)
    truth[0] = 0
    runs = {"a": [_run(n, at) for at, n in enumerate(a)], "b": [_run(n, 100 + at) for at, n in enumerate(b)]}
    return oc.compare(truth, runs, measure="accuracy", draws=4_000, **asked).only


def _told(row: Any, code: str) -> list[str]:
    return [each.message for each in row.findings if each.code == code]


def test_two_runs() -> None:
    """OC650: a system with two runs is named, and none with three."""
    (said,) = _told(_compared([300, 310], [320, 325, 330]), "OC650")

    assert said.startswith("a has two runs, from which their spread is hardly known")
    assert _told(_compared([300, 310, 305], [320, 325, 330]), "OC650") == []
    assert _told(_compared([300, 310], [320, 325], model="fixed"), "OC650") == []
    assert _told(_compared([300, 310], [320, 325]), "OC650")[0].startswith("a and b have two runs")


def test_single_runs() -> None:
    """OC651: one run of one system borrows its spread, one of each has none; of a decided answer, what overturns it."""
    some, both = _compared([300], [320, 325, 330]), _compared([250], [380])

    assert _told(some, "OC651") == ["a has a single run, so the spread between runs is taken from the other systems."]
    assert f"above {both.runs.overturning_spread:.2g} would leave this comparison undecided" in _told(both, "OC651")[0]
    assert _told(_compared([300, 301], [302, 303]), "OC651") == []


@pytest.mark.parametrize(("more", "said"), [(0, False), (30, True)])
def test_the_best_of_more_runs(more: int, said: bool) -> None:
    """OC653: where numbers of runs differ, if the best differ from the averages by so many standard deviations."""
    row = _compared([300, 302, 298, 301, 299, 300 + more], [300, 301, 299])
    apart = abs(row.runs.best - row.observed)

    assert (apart > MISLEADS_BY_NUMBER * row.difference.std) is said
    assert bool(_told(row, "OC653")) is said


def test_what_runs_do_to_the_interval() -> None:
    """OC654: the ratio of the intervals with the spread between runs and without it."""
    row, fixed = _compared([290, 310, 330], [300, 320, 340]), _compared([290, 310, 330], [300, 320, 340], model="fixed")
    (said,) = _told(row, "OC654")

    assert f"{row.runs.wider:.2f}× as wide" in said
    assert row.runs.wider == pytest.approx(row.difference.std / fixed.difference.std, rel=0.08)
    assert _told(fixed, "OC654") == []


def test_fewer_runs_that_vary_more() -> None:
    """OC656: the system with fewer runs varies more than twice as much; not the other way round, nor with ten runs."""
    few, many = [280, 300, 320], [300, 302, 298, 301]
    (said,) = _told(_compared(few, many), "OC656")
    ratio = np.std(few, ddof=1) / np.std(many, ddof=1)

    assert ratio > VARIES_MORE
    assert "add runs of a" in said
    assert _told(_compared(many, few), "OC656") != []
    assert _told(_compared([299, 301, 300], [280, 300, 320, 290]), "OC656") == []
    assert _told(_compared(few, [285, 300, 315, 290]), "OC656") == []
    assert _told(_compared([*few] * 4, [*many] * 4), "OC656") == []
    assert ENOUGH == 10


def test_few_items_and_few_groups() -> None:
    """OC107 below 30 items, OC121 with few groups: as without runs."""
    truth = np.tile([0, 1], 20)
    runs = {"a": [truth, truth[::-1], truth], "b": [1 - truth, truth, truth]}
    few = oc.compare(truth[:28], {name: [own[:28] for own in each] for name, each in runs.items()}, draws=500).only
    enough = oc.compare(truth[:30], {name: [own[:30] for own in each] for name, each in runs.items()}, draws=500).only
    table = {"gold": truth, "doc": np.arange(40) // 10}
    table |= {f"{name}{at}": own for name, each in runs.items() for at, own in enumerate(each)}
    grouped = oc.compare(table, truth="gold", group="doc", systems={"a": "a*", "b": "b*"}, measure="accuracy").only

    assert "only 28 items" in _told(few, "OC107")[0]
    assert _told(enough, "OC107") == []
    assert "4 groups" in _told(grouped, "OC121")[0]
