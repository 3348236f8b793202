"""Pages of many rows: all in the table, the largest in the chart, and no posterior made for what is not shown."""

import pickle
import re

import numpy as np
import pytest

import outclass as oc
from outclass.inference.lazy import LazyDistribution
from outclass.report import full, live


def by_label(labels: int = 6) -> oc.Comparison:
    """Compare two systems label by label."""
    rng = np.random.default_rng(11)
    truth = rng.integers(0, labels, 200)
    a, b = (np.where(rng.random(200) < right, truth, rng.integers(0, labels, 200)) for right in (0.6, 0.8))
    return oc.compare(truth, a, b, by="label")


def test_a_page_of_many_rows_holds_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit the page lists every row, draws the largest differences, and says so; nothing is made again."""
    answer = by_label()
    for row in answer.rows:
        row.forget()
    for module in (full, live):
        monkeypatch.setattr(module, "MOST_MOVED", 4)
    monkeypatch.setattr(full, "MOST_CHARTED", 2)
    monkeypatch.setattr(LazyDistribution, "__call__", lambda self: pytest.fail("a posterior was made again"))

    html = answer.to_html()

    first, *_ = re.findall(r'<table id="table-1".*?</table>', html, re.DOTALL)
    assert len(re.findall(r'<tr data-row="', first)) == len(answer.rows) == 6
    assert 'id="controls"' not in html
    assert "The 2 largest of 6 differences" in html
    assert "The ROPE can be moved on pages of up to 4 comparisons" in html
    assert html.count('"in ROPE"') >= 2


def test_a_page_of_some_rows_still_moves() -> None:
    """Up to the limit the page has its controls, whether or not the posteriors were let go."""
    answer = by_label(3)
    kept = answer.to_html()
    for row in answer.rows:
        row.forget()

    assert 'id="controls"' in kept
    assert answer.to_html() == kept


def test_a_long_ranking_is_drawn_from_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chart of a ranking shows the first systems, since it has a cell for every two."""
    rng = np.random.default_rng(12)
    truth = rng.integers(0, 2, 80)
    said = {f"s{at}": np.where(rng.random(80) < 0.6 + at / 20, truth, 1 - truth) for at in range(5)}
    answer = oc.rank(oc.read(truth, said), positive=1, draws=500)
    monkeypatch.setattr(full, "MOST_CHARTED", 2)

    html = answer.to_html()

    assert "The first 2 of 5 systems" in html
    assert len(re.findall(r'<tr data-row="', html)) >= 5


def test_labels_with_the_same_system_share_its_numbers() -> None:
    """System A says the same of two labels, B does not: A's numbers are the same, and each law is its own again."""
    gold = ["x"] * 6 + ["y"] * 6 + ["z"] * 30
    a = ["x"] * 5 + ["z"] + ["y"] * 5 + ["z"] * 31
    b = ["x"] * 4 + ["z"] * 2 + ["y"] * 5 + ["z"] * 31
    x, y, z = oc.compare(gold, a, b, by="label", rng=5).rows
    alone = oc.compare(gold, a, b, positive="y", rng=5).only

    assert x.systems[0] == y.systems[0]
    assert x.systems[1] != y.systems[1]
    assert y.systems[0] == alone.systems[0]
    for row in (x, y, z):
        for system in pickle.loads(pickle.dumps(row)).systems:
            assert system.posterior.hdi(0.95) == system.hdi
            assert system.posterior.mean == system.mean
