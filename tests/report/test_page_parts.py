"""What a page says beside its answer: only what is true of the data it was made of."""

import numpy as np
import pandas as pd
import pytest

import outclass as oc
from outclass.report import words
from outclass.report.other_methods import other_methods
from outclass.report.page import checks_missing

pytest.importorskip("altair")


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    gold = rng.random(200) < 0.4
    said = {name: np.where(rng.random(200) < wrong, ~gold, gold) for name, wrong in (("a", 0.2), ("b", 0.25))}
    return pd.DataFrame({"doc": rng.integers(0, 40, 200), "gold": gold, **said})


@pytest.fixture(scope="module")
def plain(frame: pd.DataFrame) -> oc.Comparison:
    return oc.compare(frame.drop(columns="doc"), truth="gold", positive=True)


@pytest.fixture(scope="module", params=["paired", "bootstrap"])
def grouped(frame: pd.DataFrame, request: pytest.FixtureRequest) -> oc.Comparison:
    return oc.compare(frame, truth="gold", group="doc", measure="accuracy", positive=True, model=request.param)


def test_groups_that_were_given_are_not_asked_for(plain: oc.Comparison, grouped: oc.Comparison) -> None:
    """A column of groups is what the page asks for only where there was none."""
    wanted = "A column of groups (--group COL)."

    assert wanted in [supply for _, supply in checks_missing(plain.rows)]
    assert wanted not in [supply for _, supply in checks_missing(grouped.rows)]


def test_others_are_not_asked_about_items_in_groups(plain: oc.Comparison, grouped: oc.Comparison) -> None:
    """Methods that take items as independent say nothing beside an answer that does not."""
    assert [other.method for other in other_methods(plain.only)] == [
        "McNemar's test, exact",
        "t-test",
        "permutation test of F1, exact",
        "bootstrap (BCa)",
        "the unpaired model",
    ]
    assert other_methods(grouped.only) == []
    assert 'id="others"' not in grouped.to_html()


def test_what_now_has_its_own_section_alone(plain: oc.Comparison) -> None:
    """How many items would decide is said once, not again among the remarks."""
    told = words.what_now(plain.only)
    page = plain.to_html()

    assert told
    assert page.count(told) == 1
    assert page.index(told) > page.index('id="what-now"')
