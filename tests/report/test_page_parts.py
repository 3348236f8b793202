"""What a page says beside its answer: only what is true of the data it was made of."""

import json

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
    wanted = "A column of groups (group='COL')."

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


OBEYED = set("\0\x07\x1b\x9b\u200b\u202e\u2066\u2069")
HIDDEN = "\u202egnp.exe\u2066x\u2069 \x07\x1b[31mred\x9b\u200b\0"


def test_no_name_is_obeyed() -> None:
    """Control and bidirectional characters of systems, measures and commands are written out wherever they stand."""
    rng = np.random.default_rng(0)
    numbers = {HIDDEN: rng.random(40), "b": rng.random(40)}
    truth, a, b = rng.integers(0, 2, (3, 60))
    pages = [
        oc.compare(oc.scores(numbers, systems=[HIDDEN, "b"], name=HIDDEN)).to_html(command=HIDDEN),
        oc.compare(truth, a, b, names=(HIDDEN, f"{HIDDEN}2"), positive=1).to_html(),
        oc.rank(truth, a, b, names=(HIDDEN, f"{HIDDEN}2"), positive=1, draws=200).to_html(),
    ]

    for html in pages:
        shown, held, *_ = html.split('<script type="application/json" id="data">')
        data = json.loads(held.partition("</script>")[0])
        texts = [shown, *_strings(data)]
        assert any("\\u202e" in told for told in texts)
        # The script fills in blanks, which are marked by a character that no name can have.
        told = "".join(texts).replace("\0rope\0", "").replace("\0inside\0", "")
        assert not set(told) & OBEYED


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [told for part in parts for told in _strings(part)]


def test_options_and_calls_are_kept_whole(plain: oc.Comparison) -> None:
    """An option or a call is set as code, which no line may break; text that looks like HTML stays text."""
    html = oc.compare([1, 0] * 30, [1, 1, 0] * 20, [0, 1, 1] * 20, names=("--a<b>", "b"), positive=1).to_html()

    assert "<code>oc.test(…, scores=True)</code>" in plain.to_html()
    assert "<code>--a</code>&lt;b&gt;" in html
    assert "--a<b>" not in html.partition("<script")[0]
