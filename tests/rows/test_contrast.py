"""Rows of two systems and of one: what is worth pairing, how many items more, and what a row remembers."""

import math
import sys
from pathlib import Path
from typing import Any

import pytest
from scipy import special, stats

import outclass as oc
from outclass.inference.lazy import LazyDistribution
from outclass.planning.additional_items import additional_items

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import cells

PAIR = ["old", "new"]
WRONG = ({*range(30), *range(50, 62)}, {*range(30), *range(70, 88)})


def labels() -> tuple[list[int], ...]:
    """200 items: both systems are wrong on the same 30, A on 12 others and B on 18."""
    truth = [1, 0] * 100
    said = [[1 - label if place in wrong else label for place, label in enumerate(truth)] for wrong in WRONG]
    return truth, said[0], said[1]


@pytest.fixture(scope="module")
def row() -> Any:
    """The accuracy of two systems on the same items."""
    return oc.compare(*labels(), measure="accuracy", rope=0.02).only


def test_what_pairing_is_worth(row: Any) -> None:
    """The interval is narrower than that of independent systems, as if the test set were larger by their square."""
    apart = math.hypot(*(system.std for system in row.systems))

    assert row.pairing.narrower == pytest.approx(1 - row.difference.std / apart)
    assert row.pairing.items_saved == round(row.items * ((apart / row.difference.std) ** 2 - 1))
    assert 0 < row.pairing.narrower < 1


def test_pairing_that_is_worth_less_than_nothing() -> None:
    """Systems that err on different items gain nothing by pairing, and save no items."""
    truth = [1, 0] * 50
    a, b = list(truth), list(truth)
    a[:20], b[20:40] = [1 - each for each in truth[:20]], [1 - each for each in truth[20:40]]

    pairing = oc.compare(truth, a, b, measure="accuracy", rope=0.02).only.pairing

    assert pairing is not None
    assert pairing.narrower < 0
    assert pairing.items_saved == 0


def test_pairing_of_what_is_not_paired() -> None:
    """Two test sets, published counts and groups of numbers have no pairing to be worth anything."""
    assert oc.compare(counts=cells.KNOWN).rows[0].pairing is None
    assert oc.compare(wins=(17, 4), items=330).only.pairing is None
    assert oc.compare(cells.results("groups")).only.pairing is None


def test_items_more(row: Any) -> None:
    """An open verdict says how many items more would decide; one that is decided, or has no region, says nothing."""
    assert not row.verdict.is_decided
    assert row.additional_items == additional_items(
        row.difference.mean, row.difference.std, row.items, row.rope, row.hdi_mass
    )

    assert oc.compare(*labels(), measure="accuracy", rope=0.5).only.additional_items is None
    assert oc.compare(*labels(), measure="accuracy", rope=0).only.additional_items is None
    assert oc.compare(cells.results("groups"), rope=0.001).only.additional_items is None


def test_log_odds_are_of_the_sign_model() -> None:
    """Of wins: the log odds of a Beta (eq. 21 of Goutte & Gaussier 2005), digamma and trigamma; of others none."""
    row = oc.compare(wins=(17, 4), items=330, prior="uniform").only

    assert row.log_odds is not None
    assert row.log_odds.mean == pytest.approx(special.digamma(18) - special.digamma(5))
    assert row.log_odds.std == pytest.approx(math.sqrt(special.polygamma(1, 18) + special.polygamma(1, 5)))
    assert row.log_odds.hdi.low < row.log_odds.mean < row.log_odds.hdi.high
    assert oc.compare(counts=cells.KNOWN).rows[0].log_odds is None


def test_a_system_by_itself() -> None:
    """Median, mode and equal tails are those of the Beta that the accuracy of one system has."""
    found = oc.evaluate([1] * 50 + [0] * 50, [1] * 40 + [0] * 60, measure="recall", prior="uniform").rows[0]
    law = stats.beta(41, 11)

    assert found.median == pytest.approx(law.median(), abs=1e-6)
    assert found.mode == pytest.approx(40 / 50, abs=1e-4)
    assert tuple(found.equal_tailed) == pytest.approx(law.interval(0.95), abs=1e-6)
    assert found.system.mean == pytest.approx(law.mean())
    assert found.posterior is not None
    assert found.posterior.mean == found.system.mean


def test_a_row_remembers_how_it_was_made(row: Any) -> None:
    """The posterior of a row is made again when it is asked for, and forgotten when it is told to."""
    assert isinstance(row.law, LazyDistribution)
    assert row.posterior.mean == row.difference.mean
    assert row.before.mean == pytest.approx(0, abs=1e-4)  # the tolerance
    assert row.systems[0].posterior.mean == row.systems[0].mean
    row.forget()
    assert row.posterior.mean == row.difference.mean
    assert oc.Comparison.from_json(oc.Comparison((row,)).to_json()).only.posterior is None


def test_rows_of_labels_are_of_f1() -> None:
    """The hierarchical model has a row for every label, called F1 of that label."""
    answer = oc.compare(cells.classes().selected(PAIR), model="hierarchical", by="label", draws=500)

    assert {row.measure.name for row in answer.rows} == {"f1"}
    assert {row.measure.title for row in answer.rows} == {"F1"}
    assert all(row.measure.higher_is_better for row in answer.rows)
    assert [row.label for row in answer.rows] == list(cells.classes().true_labels)


def test_old_names_warn(row: Any) -> None:
    """What was renamed is still there for one release, with a warning that names the new name."""
    for old, new in (("further", "additional_items"), ("watched", "anytime"), ("practical", "rope_probabilities")):
        with pytest.warns(DeprecationWarning, match=f"{old} was renamed to {new}") as warned:
            assert getattr(row, old) == getattr(row, new)
        assert warned[0].filename == __file__
