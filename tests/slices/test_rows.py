"""What the slices of a column come to: findings, directions, and slices of which nothing is known."""

import math
from dataclasses import replace
from typing import Any

import pytest
from sliced_tables import COLUMNS, table_of

import outclass as oc
from outclass.answers.comparison import Comparison
from outclass.inference.distribution import Interval
from outclass.rows.slices import beside_each_other
from outclass.rows.types import Contrast


@pytest.fixture(scope="module")
def by_lang() -> Comparison:
    return oc.compare(table_of(), by="lang", measure="accuracy", rope=0.05, **COLUMNS)


def _row(row: Contrast, mean: float, std: float, items: int) -> Contrast:
    """Return a row with another difference, as it would be observed."""
    above = 0.5 * math.erfc(-mean / std / math.sqrt(2))
    told = replace(
        row.difference,
        mean=mean,
        std=std,
        hdi=Interval(mean - 1.96 * std, mean + 1.96 * std),
        above=above,
        below=1 - above,
    )
    own = row.slice and replace(row.slice, items=items, pooled=None)
    return replace(row, difference=told, observed=mean, items=items, slice=own, findings=())


def _codes(rows: list[Contrast]) -> list[str]:
    return [each.code for each in rows[0].findings]


def test_few_slices_are_a_finding(by_lang: Comparison) -> None:
    """Three slices hardly tell how much slices differ; four do."""
    rows = list(by_lang.rows)

    assert "OC604" in _codes(beside_each_other(rows[:4])[0])
    assert "OC604" not in _codes(beside_each_other(rows[:5])[0])


def test_simpson_needs_more_than_chance(by_lang: Comparison) -> None:
    """Slices that point the other way count only if they hold most of the items, and by more than chance."""
    whole, first, second, third, *_ = by_lang.rows
    top = _row(whole, 0.05, 0.01, 1_000)
    clearly = [_row(first, -0.04, 0.01, 400), _row(second, -0.04, 0.01, 400), _row(third, 0.4, 0.05, 200)]
    barely = [_row(first, -0.004, 0.02, 400), _row(second, -0.004, 0.02, 400), _row(third, 0.3, 0.05, 200)]
    few = [_row(first, -0.04, 0.01, 300), _row(second, 0.04, 0.01, 500), _row(third, 0.4, 0.05, 200)]
    every = [_row(each, -0.004, 0.02, 300) for each in (first, second, third)]
    found, _ = beside_each_other([top, *clearly])
    told = next(each.told for each in found[0].findings if each.code == "OC603")

    assert "in 2 of 3 slices by 'lang', with 80% of the items" in told
    assert "OC603" not in _codes(beside_each_other([top, *barely])[0])
    assert "OC603" not in _codes(beside_each_other([top, *few])[0])
    assert "OC603" in _codes(beside_each_other([top, *every])[0])
    assert "OC603" not in _codes(beside_each_other([_row(whole, 0.005, 0.01, 1_000), *clearly])[0])


def test_worse_follows_the_direction(by_lang: Comparison) -> None:
    """Of a measure where less is better, a higher value is the worse one."""
    rows = list(by_lang.rows)
    turned = [replace(row, measure=replace(row.measure, higher_is_better=False)) for row in rows]
    (usual,), (other,) = beside_each_other(rows)[1], beside_each_other(turned)[1]

    assert usual.b_worse.listed == other.a_worse.listed == ("fr",)
    assert usual.a_worse == other.b_worse
    assert (usual.a, usual.b, usual.measure, usual.column, usual.slices) == ("old", "new", "accuracy", "lang", 5)


def test_slices_of_which_nothing_is_known(by_lang: Comparison) -> None:
    """An unknown slice takes the mean of the others, with their spread; if all are unknown, there is no family."""
    rows = list(by_lang.rows)
    nothing = _row(rows[2], math.nan, math.nan, rows[2].items)
    found, families = beside_each_other([*rows[:2], nothing, *rows[3:]])
    pooled = found[2].slice and found[2].slice.pooled
    others = [row.slice.pooled.difference.std for row in found[3:] if row.slice and row.slice.pooled]
    unknown = [_row(row, math.nan, math.nan, row.items) for row in rows[1:]]

    assert len(families) == 1
    assert pooled is not None
    assert pooled.difference.std > max(others[:2])
    assert beside_each_other([rows[0], *unknown])[1] == []


def test_shares_add_up(by_lang: Comparison) -> None:
    """Every slice knows its share of the items, and so has one without an answer."""
    table: dict[str, Any] = {"gold": [1, 0] * 30, "a": [0.9, 0.2] * 30, "b": [0.4, 0.3] * 30}
    table |= {"kind": ["x" if place % 2 else "y" for place in range(60)]}  # each has one class only
    found = oc.evaluate(table, by="kind", scores=True, measure="auc", truth="gold", systems=["a", "b"], draws=500)
    shares = [row.slice.share for row in by_lang.rows if row.slice is not None]

    assert shares[0] == 1
    assert sum(shares[1:]) == pytest.approx(1)
    assert [row.slice and row.slice.share for row in found.rows] == [1.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    assert {each.code for row in found.rows[2:] for each in row.findings} == {"OC602"}


def test_rates_bound_the_spread(by_lang: Comparison) -> None:
    """Differences of rates cannot be further apart than rates are, however little is known."""
    whole, first, second, *_ = by_lang.rows
    rows = [_row(whole, 0.0, 0.1, 20), _row(first, -0.4, 0.3, 10), _row(second, 0.4, 0.3, 10)]
    (family,) = beside_each_other(rows)[1]

    assert family.spread_interval.high <= 1.0
