"""Coverage of runs crossed with items: the quick form of the study, and the page that the full form wrote."""

import numpy as np
import pytest

import outclass as oc
from outclass.ask.question import Wishes
from outclass.ask.run_questions import runs_planned
from runs import GRID, MEASURES, PAGE, World, held, influences, kept, labelled, measured, page, qualities, right_answers


@pytest.mark.parametrize("measure", MEASURES)
def test_worlds_are_what_they_say(measure: str) -> None:
    """A run of 400,000 items measures what the formula says, and the systems differ by the gap."""
    world = World(measure, 400_000, (1, 1), (0.0, 0.0))
    rng = np.random.default_rng(1)
    truth, right = right_answers(world, rng)
    values, _ = influences(world, truth, labelled(world, truth, right, rng))
    centres, _, gap = qualities(world)

    assert gap == pytest.approx(0.02, abs=1e-6)
    assert values == pytest.approx([float(measured(world, np.array(each))) for each in centres], abs=0.003)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_study_asks_what_the_library_asks(measure: str) -> None:
    """What items do to the runs' values, by influence functions, is what weights on items give: within a tenth."""
    world = World(measure, 1_000, (3, 3), (0.01, 0.01))
    rng = np.random.default_rng(2)
    truth, right = right_answers(world, rng)
    said = labelled(world, truth, right, rng)
    said = np.where(said < 0, (truth + 1) % 4, said).astype(int)
    values, parts = influences(world, truth, said)
    covariance = parts @ parts.T / world.items / (world.items - 1)
    runs = oc.read(truth.astype(int), {"a": said[:3], "b": said[3:]})
    positive = {"positive": 1} if measure == "f1" else {}
    ((known, data, question),) = runs_planned(runs, Wishes(measure=measure, **positive))
    fit = known.fit(data, question)
    weights = np.repeat([1 / 3, -1 / 3], 3)
    noise = fit.noise[measure]

    assert np.concatenate(noise.observed) == pytest.approx(values)
    assert np.diff(noise.averages).std() == pytest.approx(np.sqrt(weights @ covariance @ weights), rel=0.1)


def test_intervals_hold() -> None:
    """200 data sets: within four simulation errors of .95, where the naive interval covers much less."""
    found = held(World("accuracy", 1_000, (5, 5), (0.02, 0.02)), 200)

    assert abs(found.coverage - 0.95) < 4 * 0.0154
    assert found.naive < 0.85
    assert found.width > found.naive_width


def test_the_full_study() -> None:
    """3 to 20 runs: .93 to .98; two runs: .93 at least; each up to twice the simulation's error of a cell."""
    grid, others, asked = kept()

    assert [each.world for each in grid] == list(GRID)
    for each in grid:
        error = np.sqrt(each.coverage * (1 - each.coverage) / each.sets)
        assert each.coverage > 0.93 - 2 * error, each
        assert each.world.runs[0] == 2 or each.coverage < 0.98 + 2 * error, each
    assert min(each.naive for each in grid) < 0.3
    assert all(each.coverage > 0.87 for each in others)
    assert all(each.coverage > 0.92 for each in asked)


def test_the_page_is_what_was_found() -> None:
    """The page has the numbers of the study."""
    assert PAGE.read_text(encoding="utf-8") == page(*kept())
