"""Coverage of items with repeats: the quick form of the study, and the page that the full form wrote."""

import pytest
from repeats import KINDS, PAGE, SETS, WORLDS, World, held, kept, like_these, one, page

from outclass.models.values.t import MODEL


@pytest.mark.parametrize("place", [0, 4])
def test_intervals_hold(place: int) -> None:
    """100 sets each of an ordinary world and of near-perfect systems: within four simulation errors of .95."""
    kind = KINDS[place]
    found = held(World(kind.name, kind.accuracy, kind.spread, kind.alike, kind.gap, items=50), 100)

    for coverage in (found.coverage, found.own, found.these):
        assert coverage >= 0.95 - 4 * 0.022


def test_the_study_is_of_what_compare_computes() -> None:
    """The interval that is simulated is that of a comparison, of a system, and of a fixed suite."""
    import numpy as np

    import outclass as oc
    from outclass.data.repeats import RepeatedScores

    rng = np.random.default_rng(4)
    log = {"item": np.repeat(np.arange(40), 3), "run": np.tile(np.arange(3), 40)}
    log |= {"a": rng.integers(0, 2, 120), "b": (rng.random(120) < 0.9).astype(int)}
    data = oc.read(log, scores=True, item="item", repeat="run")
    assert isinstance(data, RepeatedScores)

    row, alone = oc.compare(data).only, oc.evaluate(data, systems=["b"]).only

    assert row.model_key.endswith(".t")
    assert MODEL.measures == ("mean",)
    assert row.difference.hdi == pytest.approx(like_these(data.values["a"], data.values["b"]))
    assert alone.system.hdi == pytest.approx(one(data.values["b"]))


def test_the_full_study() -> None:
    """600 sets of each world: coverage of at least .93, up to three simulation errors; answers as items cover far less."""
    found = kept()

    assert [(each.world, each.items, each.repeats) for each in found] == [(w.name, w.items, w.repeats) for w in WORLDS]
    for each in found:
        assert each.sets == SETS
        assert min(each.coverage, each.own, each.these) >= 0.93 - 3 * 0.0104, each
        assert each.coverage - each.answers >= -0.05
    assert min(each.answers for each in found) < 0.7


def test_the_page_is_what_was_found() -> None:
    """The page has the numbers of the study."""
    assert PAGE.read_text(encoding="utf-8") == page(kept())
