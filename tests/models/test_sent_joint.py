"""Rankings that are sent: from their recipe where the data are small, otherwise by quantiles and correlations."""

import pickle
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.models.sent_joint import JointDraws

SYSTEMS, QUESTIONS = 41, 1_016
NAMES = [f"s{place}" for place in range(SYSTEMS)]


def _right(systems: int, questions: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    skill, hard = rng.normal(0, 1, (systems, 1)), rng.normal(0, 1.5, questions)
    return rng.random((systems, questions)) < 1 / (1 + np.exp(hard - skill))


def _labels(right: np.ndarray) -> Any:
    gold = np.arange(right.shape[1]) % 2
    said = {f"s{place}": np.where(own, gold, 1 - gold).tolist() for place, own in enumerate(right)}
    return oc.read({"gold": gold.tolist(), **said}, truth="gold", systems=list(said))


def _numbers(*, group: bool = False, digits: int = 17) -> Any:
    rng = np.random.default_rng(4)
    right = _right(SYSTEMS, QUESTIONS)
    table: dict[str, Any] = {
        name: np.round(own + rng.normal(0, 0.5, QUESTIONS), digits).tolist()
        for name, own in zip(NAMES, right, strict=True)
    }
    if group:
        table["task"] = [f"t{at % 18}" for at in range(QUESTIONS)]
    return oc.read(table, scores=True, systems=NAMES, **({"group": "task"} if group else {}))


def _lists() -> Any:
    rng = np.random.default_rng(5)
    gold = [sorted({f"l{code}" for code in own}) for own in rng.integers(0, 20, (QUESTIONS, 3)).tolist()]
    said = [[own if ok else own[:1] for own, ok in zip(gold, each, strict=True)] for each in _right(SYSTEMS, QUESTIONS)]
    return oc.read(gold, *said)


def _draws(ranking: Any) -> np.ndarray:
    return np.array([each.system.posterior.in_order.ravel() for each in ranking.systems])


def _sent(ranking: Any) -> tuple[Any, int]:
    data = pickle.dumps(ranking)
    return pickle.loads(data), len(data)


@pytest.mark.parametrize("data", [lambda: _labels(_right(SYSTEMS, QUESTIONS)), _lists, lambda: _numbers(digits=1)])
def test_a_leaderboard_of_small_data_is_the_same(data: Any) -> None:
    """41 systems on 1,016 questions take less than 100 kB, and have the very same draws."""
    here = oc.rank(data(), rng=1)
    there, size = _sent(here)

    assert size < 100_000
    assert np.array_equal(_draws(there), _draws(here))


@pytest.mark.parametrize("group", [False, True])
def test_a_leaderboard_of_long_numbers_is_as_close_as_its_draws(group: bool) -> None:
    """Numbers to the last digit take less than 100 kB, too; all errors are below those of the draws."""
    here = oc.rank(_numbers(group=group), rng=1)
    there, size = _sent(here)
    before, after = _draws(here), _draws(there)
    twice, again = _sent(there)
    beats = [(own[:, None] > own[None]).mean(axis=2) for own in (before, after)]

    assert (size, again) == (pytest.approx(67_000, rel=0.1), pytest.approx(size, rel=0.02))
    assert np.array_equal(_draws(twice), after)
    assert after.shape == before.shape
    for own, law in zip(before, (each.system.posterior for each in there.systems), strict=True):
        at = np.sort(own)
        assert law.mean == pytest.approx(own.mean(), abs=1e-3 * own.std())
        assert law.std == pytest.approx(own.std(), rel=1e-3)
        assert np.abs(law.cdf(at) - (np.arange(at.size) + 1) / at.size).max() < 0.0035  # one standard error
    assert np.corrcoef(after) == pytest.approx(np.corrcoef(before), abs=0.007)  # one standard error
    assert beats[1] == pytest.approx(beats[0], abs=0.015)  # as of two sets of draws
    best = [np.bincount(own.argmax(axis=0), minlength=SYSTEMS) / own.shape[1] for own in (before, after)]
    assert best[1] == pytest.approx(best[0], abs=0.01)


def test_many_systems_take_no_more_than_their_rows() -> None:
    """Each of 200 systems takes two kilobytes beside its row, which holds the probability of every rank."""
    here = oc.rank(_labels(_right(200, 3_000)), measure="accuracy", rng=1)
    there, size = _sent(here)
    rows = len(pickle.dumps(there.from_json(here.to_json())))

    assert size - rows < 2_000 * 200
    assert size - rows < rows
    assert there.verdicts == here.verdicts
    assert _draws(there).mean(axis=1) == pytest.approx(_draws(here).mean(axis=1), abs=1e-4)


def test_systems_that_hardly_differ() -> None:
    """Equal draws stay equal, a constant stays one; of near ones, small differences keep their sign and their size."""
    rng = np.random.default_rng(1)
    one, other = rng.beta(80, 20, (2, 20_000))
    near = one + 0.05 * one.std() * (rng.normal(size=one.size) + 1)
    columns = (one, one, np.full(one.size, 0.25), near, other)
    joint = JointDraws([Draws.iid(own, Interval(0.0, 1.0)) for own in columns])
    found = [each().in_order.ravel() for each in pickle.loads(pickle.dumps(joint.kept))]
    apart, before = found[3] - found[0], near - one

    assert np.array_equal(found[0], found[1])
    assert np.all(found[2] == 0.25)
    assert (apart > 0).mean() == pytest.approx((before > 0).mean(), abs=0.02)
    assert apart.std() == pytest.approx(before.std(), rel=0.05)
    assert np.corrcoef(found[0], found[4])[0, 1] == pytest.approx(np.corrcoef(one, other)[0, 1], abs=0.002)


def test_a_measure_that_cannot_be_sent() -> None:
    """A function that does not pickle has no recipe: its ranking is sent all the same, by quantiles."""
    measure = oc.confusion_measure(lambda table: table[..., 0, 0] / table.sum(axis=(-1, -2)), name="top", title="top")
    here = oc.rank(_labels(_right(3, 200)), measure=measure, rng=1)
    there, size = _sent(here)

    assert size < 10_000
    assert _draws(there).mean(axis=1) == pytest.approx(_draws(here).mean(axis=1), abs=1e-4)
