"""Weights on items without draws: cumulants against long draws, on every library, and what is left to draws."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

import numpy as np
import pytest
from strict import StrictLibrary

import outclass as oc
from outclass.ask.read import read
from outclass.data.multilabel import from_lists
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.measures import averages, scored
from outclass.models.pseudo_items import with_pseudo_items
from outclass.models.weights import Weighted
from outclass.planning import backends, many, numbers, smooth
from outclass.planning.backends import backend_of
from outclass.planning.intervals import Moments
from outclass.planning.label_ratios import ratio_of
from outclass.planning.many import DocumentPilot, LabelPilot, ManyPilot
from outclass.planning.numbers import ScorePilot
from outclass.planning.score_pairs import ScoresNear, evenly_paired

OTHERS = [name for name in backends.installed() if name != "numpy"]
DRAWS = 40_000
NOISE = 0.0085  # of an end of an interval from the moments of so many draws, in stds, as measured
SETS = 6


def classes(labels: int, items: int, *, right: tuple[float, float], agree: float = 0.0, skew: float = 0.0) -> Any:
    """Return the truth and two systems' labels, which are wrong together with some probability."""
    rng = np.random.default_rng(5)
    common = (1 / np.arange(1, labels + 1)) ** skew
    truth = rng.choice(labels, items, p=common / common.sum())
    wrong, other = rng.random(items) > right[0], (truth + rng.integers(1, labels, items)) % labels
    alike = rng.random(items) < agree
    wrong_too = np.where(alike, wrong, rng.random(items) > right[1])
    other_too = np.where(alike, other, (truth + rng.integers(1, labels, items)) % labels)
    return {
        "gold": truth.tolist(),
        "A": np.where(wrong, other, truth).tolist(),
        "B": np.where(wrong_too, other_too, truth).tolist(),
    }


def documents(labels: int, items: int) -> Any:
    """Return documents with several labels each."""
    rng = np.random.default_rng(6)
    true = rng.random((items, labels)) < 0.3
    said = [true ^ (rng.random(true.shape) < wrong) for wrong in (0.05, 0.08)]
    lists = [[[f"l{at}" for at in np.flatnonzero(row)] for row in table] for table in (true, *said)]
    return from_lists(lists[0], {"A": lists[1], "B": lists[2]})


def scores(items: int, *, share: float = 0.3, apart: float = 1.5, ties: bool = False, noise: float = 0.5) -> Scores:
    """Return probabilities of positives, of two systems that have something in common."""
    rng = np.random.default_rng(7)
    truth = rng.random(items) < share
    truth[:2] = [True, False]
    common = rng.normal(0, 1, items)
    each = {name: apart * truth + common + noise * rng.normal(0, 1, items) for name in "AB"}
    found = {name: 1 / (1 + np.exp(1 - own)) for name, own in each.items()}
    return Scores(values={name: np.round(own, 1) if ties else own for name, own in found.items()}, truth=truth)


def of_labels(data: Any, measure: str, **more: Any) -> LabelPilot:
    """Return a pilot of labels."""
    own = averages.find(measure)
    assert own is not None
    common: dict[str, Any] = {"measure": own, "rope": Interval(-0.05, 0.05), "hdi_mass": 0.95, **more}
    if isinstance(data, dict):
        return ManyPilot(outcomes=read(data, truth="gold", systems=["A", "B"]), **common)
    return DocumentPilot(decisions=data, **common)


def of_scores(data: Scores, measure: str, **more: Any) -> ScorePilot:
    """Return a pilot of scores."""
    return ScorePilot(scores=data, measure=scored.get(measure), rope=Interval(-0.05, 0.05), hdi_mass=0.95, **more)


LABELLED: dict[str, tuple[Any, int]] = {
    "many labels": (classes(20, 1_000, right=(0.85, 0.8)), 500),
    "rare labels": (classes(30, 400, right=(0.85, 0.8), skew=1.3), 200),
    "few items": (classes(5, 40, right=(0.85, 0.8)), 20),
    "nearly perfect": (classes(10, 500, right=(0.995, 0.99)), 300),
    "strong agreement": (classes(10, 500, right=(0.85, 0.8), agree=0.95), 300),
    "documents": (documents(6, 150), 100),
    "few documents": (documents(4, 25), 20),
}
SCORED = {
    "usual": (scores(300), 200),
    "ties": (scores(300, ties=True), 200),
    "few items": (scores(40), 40),
    "a rare class": (scores(300, share=0.05), 200),
    "nearly perfect": (scores(200, apart=5.0), 200),
    "strong agreement": (scores(300, noise=0.05), 200),
}


def held(found: Moments, near: np.ndarray, drawn: list[Moments], error: float = 0.01) -> None:
    """Check the intervals of sets that are not left to draws: to .01 stds beside the noise of long draws."""
    ends = found.interval(0.95)
    long = np.concatenate([each.interval(0.95) for each in drawn])
    off = (ends - long)[near] / np.concatenate([each.std for each in drawn])[near, None]

    assert not len(off) or np.sqrt(np.mean(off**2)) < np.hypot(error, NOISE)
    assert np.abs(off).max(initial=0.0) < 0.05


@contextmanager
def judged(pilot: LabelPilot, items: int) -> Iterator[tuple[Any, Any, Moments, np.ndarray]]:
    """Draw sets, and judge them by cumulants."""
    rng = np.random.default_rng(2)
    drawing = pilot._drawing(rng)
    counts = drawing.counts(items, SETS, rng)
    assert drawing.ratios is not None
    rows = drawing.ratios.rows(counts.astype(float), (0, 1), (1.0, -1.0))
    yield drawing, counts, *smooth.moments_of(drawing.ratios.question((0, 1), rng), rows, backend_of("numpy"))


def some(worlds: Iterable[str], measures: Sequence[str], usual: Collection[tuple[str, str]]) -> list[Any]:
    """Return all worlds and measures; those that are not usual show the same code on other numbers: with --full."""
    return [pytest.param(*pair, marks=() if pair in usual else pytest.mark.full) for pair in product(worlds, measures)]


MEASURED = ("macro_f1", "micro_f1", "macro_precision", "macro_recall", "macro_fbeta:2")
USUAL_LABELLED = {
    *product(LABELLED, ["macro_f1"]),
    *product(["rare labels"], MEASURED),
    ("documents", "micro_f1"),
}
USUAL_SCORED = {
    ("usual", "brier"),
    ("few items", "log_loss"),
    *product(["usual", "few items", "a rare class", "strong agreement"], ["auc"]),
}


@pytest.mark.parametrize(("world", "measure"), some(LABELLED, MEASURED, USUAL_LABELLED))
def test_cumulants_of_labels(world: str, measure: str) -> None:
    """Intervals are those of long draws with the weights of `compare`, but for what is left to draws: .015 of few."""
    data, items = LABELLED[world]
    pilot = of_labels(data, measure)
    draws = 4 * DRAWS if world.startswith("few") else DRAWS  # of which few sets may be left to compare
    with judged(pilot, items) as (drawing, counts, found, near):
        drawn = []
        for place, row in enumerate(counts):
            systems, units = drawing.grown(row)
            values = Weighted(units(systems), systems, draws, place, mass=None).values([pilot.measure])[measure]
            drawn.append(Moments.of((values[:, 0] - values[:, 1])[None]))

    held(found, near, drawn, 0.015 if world.startswith("few") else 0.01)
    if world in ("many labels", "documents"):
        assert near.all()


@pytest.mark.parametrize(("world", "measure"), some(SCORED, ("auc", "brier", "log_loss"), USUAL_SCORED))
def test_cumulants_of_scores(world: str, measure: str) -> None:
    """The same of scores; of few items to .02, since their pseudo-items are drawn anew in every comparison."""
    data, items = SCORED[world]
    pilot, rng = of_scores(data, measure), np.random.default_rng(3)
    start, added = (evenly_paired(with_pseudo_items(data, rng), len(data), rng) for _ in range(2))
    own = ScoresNear.of(pilot.measure, start, added, len(data), rng)
    counts = pilot.counts(items, SETS, start, rng)
    assert own is not None
    found, near = smooth.moments_of(own.question, own.rows(counts.astype(float)), backend_of("numpy"))
    drawn = []
    for row in counts:
        parts = []
        for _ in range(4):
            again = pilot._grown(start, row, rng)
            assert again.truth is not None
            weights = again.weights(DRAWS // 4, rng)
            a, b = (pilot.measure.prepare(again.truth, each)(weights) for each in again.values)
            parts.append(a - b)
        drawn.append(Moments.of(np.concatenate(parts)[None]))

    held(found, near, drawn, 0.02 if world == "few items" else 0.01)
    if world == "usual":
        assert near.all()


@pytest.mark.parametrize("measure", [name for name, own in averages.AVERAGES.items() if ratio_of(own) is not None])
def test_ratios_are_the_measures(measure: str) -> None:
    """What a measure is made of gives its value: with heavy counts the mean of the posterior is the measure itself."""
    pilot = of_labels(classes(4, 200, right=(0.8, 0.7)), measure)
    assert isinstance(pilot, ManyPilot)
    drawing = pilot._drawing(np.random.default_rng(1))
    counts = drawing.counts(200, 3, np.random.default_rng(2))
    assert drawing.ratios is not None
    rows = drawing.ratios.rows(1e6 * counts, (0, 1), (1.0, -1.0))
    question = drawing.ratios.question((0, 1), np.random.default_rng(3))
    found, _ = smooth.moments_of(question, rows, backend_of("numpy"))
    for mean, row in zip(found.mean, counts, strict=True):
        systems, units = drawing.grown(row)
        (values,) = Weighted(units(systems), systems, 1, 0).observed([pilot.measure]).values()

        assert mean == pytest.approx(values[0] - values[1], abs=1e-6)


PILOTS: dict[str, Any] = {
    "labels": lambda **more: of_labels(classes(5, 200, right=(0.85, 0.75)), "macro_f1", **more),
    "documents": lambda **more: of_labels(documents(4, 60), "micro_f1", **more),
    "AUC": lambda **more: of_scores(scores(120, ties=True), "auc", **more),
    "log-loss": lambda **more: of_scores(scores(120), "log_loss", **more),
}


@pytest.mark.parametrize("kind", PILOTS)
@pytest.mark.parametrize("name", OTHERS)
def test_libraries_find_the_same(name: str, kind: str) -> None:
    """Every library judges the same sets and finds the same intervals, but for rounding."""
    usual, found = (
        PILOTS[kind](backend=each).intervals(100, "paired", 40, 400, np.random.default_rng(1))
        for each in ("numpy", name)
    )

    assert np.allclose(usual, found, rtol=0, atol=1e-9)


@pytest.mark.parametrize("kind", PILOTS)
def test_array_code_needs_operators_alone(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels run on arrays that are not NumPy's, and find the same."""
    usual = PILOTS[kind]().intervals(100, "paired", 20, 400, np.random.default_rng(1))
    for module in (many, numbers):
        monkeypatch.setattr(module, "backend_of", lambda name, device: StrictLibrary())
    found = PILOTS[kind]().intervals(100, "paired", 20, 400, np.random.default_rng(1))

    assert np.allclose(usual, found, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", PILOTS)
@pytest.mark.parametrize("model", ["paired", "unpaired"])
def test_draws_decide_the_same(kind: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets judged by draws alone, as those far from normal are, have the same intervals within the draws' noise."""
    if model == "unpaired" and kind in ("AUC", "log-loss"):
        model = "bootstrap"
    seeded = (np.random.default_rng(1) for _ in range(2))
    usual = PILOTS[kind]().intervals(400, model, 30, 3_000, next(seeded))
    monkeypatch.setattr(smooth, "MOST_CURVED", -1.0)
    found = PILOTS[kind]().intervals(400, model, 30, 3_000, next(seeded))
    off = (found - usual) / (np.ptp(usual, axis=1) / 3.92)[:, None]

    assert 0 < np.sqrt(np.mean(off**2)) < 0.1
    assert abs(np.mean(off)) < 0.03


def test_labels_without_a_value() -> None:
    """A label that one system never predicts has no precision for it; one that no item has is left out for both."""
    data = classes(4, 200, right=(0.9, 0.8))
    data["B"] = [0 if each == 3 else each for each in data["B"]]
    pilot = of_labels(data, "macro_precision")
    with judged(pilot, 50) as (drawing, counts, found, _):
        expected = []
        for row in counts:
            systems, units = drawing.grown(row)
            (values,) = Weighted(units(systems), systems, 1, 0, mass=None).expected([pilot.measure]).values()
            expected.append(values[0] - values[1])

    assert np.abs(found.mean - expected).max() < 0.05 * found.std.min()


RNG = np.random.default_rng(4)
SAID: dict[str, Any] = {
    "many labels": {"pilot": classes(4, 80, right=(0.9, 0.7)), "truth": "gold", "systems": ["A", "B"]},
    "documents": {"pilot": documents(4, 40), "measure": "macro_f1"},
    "scores": {"pilot": scores(80)},
    "right and wrong": {"pilot": {"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}, "scores": True},
}


@pytest.mark.parametrize("kind", SAID)
@pytest.mark.parametrize("name", [*OTHERS, "auto", "numpy"])
def test_plans_take_a_back_end(kind: str, name: str) -> None:
    """A plan from a pilot of any kind whose posteriors are computed is the same by every library."""
    (usual,), (found,) = (oc.plan(**SAID[kind], n=100, sets=40, backend=each).powers for each in (None, name))

    assert usual.probability == found.probability


GROUPED = classes(3, 60, right=(0.9, 0.7)) | {"doc": [f"d{each // 3}" for each in range(60)]}
NOT_SAID: list[tuple[dict[str, Any], str]] = [
    ({"pilot": {"a": [1.0, 2, 4, 3], "b": [2.0, 1, 3, 5]}, "scores": True}, "Student's t interval is a closed form"),
    ({"pilot": GROUPED, "truth": "gold", "systems": ["A", "B"], "group": "doc"}, "by the cluster jackknife"),
    ({**SAID["many labels"], "measure": "mcc"}, "judged in MCC by draws"),
    ({**SAID["scores"], "measure": "average_precision"}, "judged in average precision by draws"),
]


@pytest.mark.parametrize(("asked", "told"), NOT_SAID)
def test_pilots_without_a_back_end(asked: dict[str, Any], told: str) -> None:
    """Where no other library has anything to compute, the option is an error that says why in a sentence."""
    with pytest.raises(InputError, match=re.escape(told)):
        oc.plan(**asked, n=50, backend="jax", device="cpu")
