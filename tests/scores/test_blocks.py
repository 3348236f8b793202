"""AUC with weights on blocks of items, against a weight for every item and against closed forms."""

import numpy as np
import pytest

import outclass as oc
from outclass.data.scores import Scores
from outclass.inference.settings import Settings
from outclass.measures import scored
from outclass.models.pseudo_items import Weighable, with_pseudo_items
from outclass.models.question import Question
from outclass.models.results_fit import drawn
from outclass.models.score_blocks import ITEMS, drawn_in_blocks
from outclass.verdict.rope import rope_of

AUC = scored.MEASURES["auc"]
DRAWS = 40_000


def _world(kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    items, prevalence, shift, own = {
        "usual": (3_000, 0.2, 1.2, 0.6),
        "tied": (2_000, 0.3, 1.0, 0.6),
        "nearly perfect": (2_500, 0.1, 4.0, 0.2),
        "few positives": (2_500, 0.012, 1.5, 0.5),
        "nearly the same": (2_000, 0.2, 1.5, 0.0),
    }[kind]
    truth, common = rng.random(items) < prevalence, rng.normal(size=items)
    a, b = (common + more * shift * truth + own * rng.normal(size=items) for more in (1.0, 1.05))
    if kind == "tied":
        a, b = np.round(2 * a), np.round(2 * b)
    if kind == "nearly the same":
        b = a.copy()
        b[rng.integers(0, items, 12)] += 3 * rng.normal(size=12)
    return truth, a, b


@pytest.mark.parametrize("kind", ["usual", "tied", "nearly perfect", "few positives", "nearly the same"])
def test_blocks_have_the_law_of_items(kind: str) -> None:
    """The law of the difference is that of a weight for every item.

    Below quantiles of 8,000 draws of items lies their share of the draws of blocks, within four standard errors.
    """
    truth, a, b = _world(kind)
    items = with_pseudo_items(Scores(values={"a": a, "b": b}, truth=truth), np.random.default_rng(1))
    weighings = [AUC.prepare(items.truth, own) for own in items.values]
    rng = np.random.default_rng(3)
    one_by_one = []
    for _ in range(8):
        weights = items.weights(1_000, rng)
        one_by_one.append(weighings[0](weights) - weighings[1](weights))
    slow = np.concatenate(one_by_one)
    fast = drawn_in_blocks(items, AUC, DRAWS, np.random.default_rng(2)) @ [1, -1]

    levels = np.array([0.005, 0.025, 0.16, 0.5, 0.84, 0.975, 0.995])
    below = np.array([(fast < value).mean() for value in np.quantile(slow, levels)])
    errors = np.sqrt(levels * (1 - levels) * (1 / len(slow) + 1 / DRAWS))
    assert (np.abs(below - levels) < 4 * errors).all()


@pytest.mark.parametrize("kind", ["usual", "tied", "few positives"])
def test_moments_are_those_of_the_bayesian_bootstrap(kind: str) -> None:
    """Without pseudo-items mean and variance of the difference have a closed form: within four errors, and 4%."""
    truth, a, b = _world(kind)
    mean, variance = scored.auc_moments(truth, a, b)

    found = drawn_in_blocks(Weighable((a, b), truth, np.ones(len(a))), AUC, DRAWS, np.random.default_rng(4)) @ [1, -1]

    assert abs(found.mean() - mean) < 4 * np.sqrt(variance / DRAWS)
    assert found.var() == pytest.approx(variance, rel=0.04)


@pytest.mark.parametrize("name", ["brier", "log_loss"])
@pytest.mark.parametrize("kind", ["usual", "few positives"])
def test_means_in_blocks(name: str, kind: str) -> None:
    """Draws of a mean loss have the law of a weight for every item: four standard errors of 8,000 draws."""
    truth, *scores = _world(kind)
    a, b = (1 / (1 + np.exp(2 - own)) for own in scores)
    items = with_pseudo_items(Scores(values={"a": a, "b": b}, truth=truth), np.random.default_rng(1))
    measure = scored.MEASURES[name]
    rng = np.random.default_rng(7)
    weighings = [measure.prepare(items.truth, own) for own in items.values]
    weights = [items.weights(1_000, rng) for _ in range(8)]
    slow = np.concatenate([weighings[0](each) - weighings[1](each) for each in weights])
    fast = drawn_in_blocks(items, measure, DRAWS, np.random.default_rng(8)) @ [1, -1]

    levels = np.array([0.005, 0.025, 0.16, 0.5, 0.84, 0.975, 0.995])
    below = np.array([(fast < value).mean() for value in np.quantile(slow, levels)])
    assert (np.abs(below - levels) < 4 * np.sqrt(levels * (1 - levels) * (1 / len(slow) + 1 / DRAWS))).all()
    assert fast.std() == pytest.approx(slow.std(), rel=0.04)


@pytest.mark.parametrize("kind", ["usual", "tied", "nearly perfect", "few positives", "nearly the same"])
def test_average_precision_in_blocks(kind: str) -> None:
    """Draws of the difference have the law of a weight for every item: four standard errors of 8,000 draws, and .004.

    What is systematic is the mean, which is corrected to second order: within a thirtieth of a standard deviation.
    """
    truth, a, b = _world(kind)
    items = with_pseudo_items(Scores(values={"a": a, "b": b}, truth=truth), np.random.default_rng(1))
    measure, rng = scored.MEASURES["average_precision"], np.random.default_rng(7)
    weighings = [measure.prepare(items.truth, own) for own in items.values]
    weights = [items.weights(500, rng) for _ in range(16)]
    slow = np.concatenate([np.column_stack([weigh(each) for weigh in weighings]) for each in weights])
    fast = drawn_in_blocks(items, measure, DRAWS, np.random.default_rng(8))

    levels = np.array([0.005, 0.025, 0.16, 0.5, 0.84, 0.975, 0.995])
    for signs in ([1, -1], [1, 0]):
        one, other = slow @ signs, fast @ signs
        below = np.array([(other < value).mean() for value in np.quantile(one, levels)])
        errors = np.sqrt(levels * (1 - levels) * (1 / len(one) + 1 / DRAWS))
        assert (np.abs(below - levels) < 4 * errors + 0.004).all()
        assert other.mean() == pytest.approx(one.mean(), abs=one.std() * (4 / np.sqrt(len(one)) + 1 / 30))
        assert other.std() == pytest.approx(one.std(), rel=0.05)


def test_items_of_small_classes_keep_a_weight_each() -> None:
    """With few items nothing is left out, so equal systems differ in no draw and each draw is a weighted AUC."""
    rng = np.random.default_rng(5)
    truth, own = np.arange(60) < 30, rng.normal(size=60)

    found = drawn_in_blocks(Weighable((own, own, 2 * own), truth, np.ones(60)), AUC, 500, rng)

    assert found[:, 0] == pytest.approx(found[:, 1], abs=1e-12)
    assert found[:, 0] == pytest.approx(found[:, 2], abs=1e-12)


def test_many_items_are_drawn_in_blocks_and_swapping_mirrors_them() -> None:
    """Beyond a thousand items B against A is still A against B, turned; three systems are told of as two are."""
    truth, a, b = _world("usual")
    assert len(truth) > ITEMS
    c = b + 0.1 * np.random.default_rng(6).normal(size=len(b))
    rows = {}
    for names in (("a", "b"), ("b", "a"), ("a", "b", "c")):
        values = {name: {"a": a, "b": b, "c": c}[name] for name in names}
        asked = Question(
            measures=(AUC,),
            model="scores.bootstrap",
            rope=rope_of(0.05),
            hdi_mass=0.95,
            settings=Settings(draws=20_000),
        )
        rows[names] = drawn(Scores(values=values, truth=truth), AUC, asked)

    forth, back, three = rows.values()
    assert forth == pytest.approx(back[:, ::-1], abs=1e-12)
    gap, of_three = forth @ [1, -1], three @ [1, -1, 0]
    assert of_three.mean() == pytest.approx(gap.mean(), abs=4 * gap.std() * np.sqrt(2 / 20_000))
    assert of_three.std() == pytest.approx(gap.std(), rel=0.04)


def test_the_answer_for_many_items() -> None:
    """compare() takes blocks by itself: its interval is that of DeLong's variance within 4%."""
    truth, a, b = _world("usual")

    row = oc.compare(truth.astype(int), a, b, measure="auc", rng=1).only

    assert row.observed == pytest.approx(scored.auc_moments(truth, a, b)[0])
    assert row.difference.std == pytest.approx(np.sqrt(scored.auc_moments(truth, a, b)[1]), rel=0.04)
