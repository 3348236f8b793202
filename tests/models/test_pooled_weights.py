"""Sums over labels drawn for all systems at once: the same numbers, and the same posterior, as label by label."""

from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass import measures
from outclass.data.classes import Classes
from outclass.data.multilabel import from_lists
from outclass.measures import averages
from outclass.measures.averages import AVERAGES, of_label
from outclass.models.gammas import gammas
from outclass.models.pooled_weights import HELD, PART, pooled_pseudo, pooled_units
from outclass.models.weighed import features, units_of
from outclass.models.weights import Weighted

KINDS = 3
ONE = "f1 of a label"


@pytest.fixture(autouse=True)
def _as_if_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw sums as such even of these small tables."""
    monkeypatch.setattr("outclass.models.weighed.FEW_NUMBERS", 0)


def _single(systems: int, labels: int, items: int = 60) -> Any:
    """One label per item, with missing predictions that count as wrong, and two systems that always agree."""
    rng = np.random.default_rng(labels)
    truth = rng.integers(0, labels, items)
    columns = [np.where(rng.random(items) < 0.7, truth, rng.integers(0, labels, items)) for _ in range(systems)]
    columns[-1] = columns[0]
    rows = [[f"l{code}" for code in row] for row in np.stack([truth, *columns], axis=1).tolist()]
    for at in range(0, items, 9):
        rows[at][2] = None
    return Classes(oc.Outcomes.of_rows([f"s{at}" for at in range(systems)], rows, [1 + at % 3 for at in range(items)]))


def _lists(systems: int) -> Any:
    rng = np.random.default_rng(3)
    columns = [
        [[str(code) for code in rng.integers(0, 5, rng.integers(0, 4))] for _ in range(40)] for _ in range(systems + 1)
    ]
    return from_lists(columns[0], {f"s{at}": own for at, own in enumerate(columns[1:])})


DATA = {"two labels": _single(3, 2), "labels": _single(4, 6), "many systems": _single(20, 3), "lists": _lists(3)}


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("label", [None, 1])
@pytest.mark.parametrize("held", [HELD, 0])
def test_sums_are_those_of_the_labels(name: str, label: int | None, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All systems' TP, FP and FN are the sums of their labels' own, or those of the one label."""
    monkeypatch.setattr("outclass.models.pooled_weights.HELD", held)
    monkeypatch.setattr("outclass.models.pooled_weights.PART", 100 if held == 0 else PART)
    data = DATA[name]
    data = data.selected(data.systems)
    measure = AVERAGES["micro_f1"] if label is None else of_label(measures.get("f1"), label)
    weights = np.random.default_rng(1).standard_exponential((len(data.units), 7))

    found = pooled_units(data, data.systems, [measure], {0, 1})[label].sums(weights)

    for place, system in enumerate(data.systems):
        each = (features(data, system) @ weights).reshape(len(data.labels), KINDS, 7)
        assert found[:, place] == pytest.approx(each.sum(axis=0) if label is None else each[label], rel=1e-12)


def test_systems_that_always_agree_have_the_same_sums() -> None:
    """To the last digit, wherever they stand among many: otherwise rounding would rank them."""
    data = DATA["many systems"]
    model = Weighted(units_of(data, data.systems, measures=[AVERAGES["accuracy"]]), data.systems, 200, 0, mass=0.0)

    values = model.values([AVERAGES["accuracy"]])["accuracy"]

    assert np.array_equal(values[:, 0], values[:, -1])
    assert not np.array_equal(values[:, 0], values[:, 1])


@pytest.mark.parametrize("systems", [2, 9])
@pytest.mark.parametrize("one", [False, True])
def test_pseudo_items_are_a_dirichlet_prior_of_each_pair(systems: int, one: bool) -> None:
    """A part of a gamma process of mass m is Gamma(m x share): means, variances and covariances in closed form.

    With 200,000 draws the error of a variance near 1 is .01 at most (four standard errors of a gamma's).
    """
    mass, rows = 2.0, 200_000

    counts, items = pooled_pseudo(mass, systems, rows, np.random.default_rng(2), one=one)

    share = mass / (4 if one else 2)
    assert items.mean() == pytest.approx(mass, abs=0.015)
    assert items.var() == pytest.approx(mass, abs=0.07)
    assert counts.mean(axis=2) == pytest.approx(np.full((KINDS, systems), share), abs=0.015)
    assert counts.var(axis=2) == pytest.approx(np.full((KINDS, systems), share), abs=0.05)
    both = np.cov(counts[0, :2])[0, 1]
    assert both == pytest.approx(mass / (8 if one else 4), abs=0.03)
    assert np.cov(counts[0, 0], counts[2, 0])[0, 1] == pytest.approx(0.0, abs=0.02)


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        (name, each)
        for name in DATA
        for each in ("accuracy", "micro_f1", "micro_recall", ONE)
        if name != "lists" or each[:5] == "micro"
    ],
)
@pytest.mark.parametrize("mass", [None, 0.0])
def test_the_posterior_is_that_of_the_labels(name: str, measure: str, mass: float | None) -> None:
    """Means, spreads and correlations agree with draws of each label's own counts, within Monte Carlo error.

    With 20,000 draws of a spread s each, a mean's standard error is s / 141, a spread's half of that.
    """
    data = DATA[name]
    own = of_label(measures.get("f1"), 1) if measure == ONE else averages.find(measure)
    quick, slow = (
        Weighted(units_of(data, data.systems, measures=which), data.systems, 20_000, 5, mass=mass)
        for which in ([own], [])
    )
    assert not quick.units.features
    assert not slow.units.pooled

    first, second = (model.values([own])[own.name] for model in (quick, slow))

    spread = second.std(axis=0)
    assert (np.abs(first.mean(axis=0) - second.mean(axis=0)) < 6 * spread / 100 + 1e-12).all()
    assert first.std(axis=0) == pytest.approx(spread, rel=0.04)
    assert np.corrcoef(first.T) == pytest.approx(np.corrcoef(second.T), abs=0.05)
    for numbers in ("observed", "expected"):
        assert getattr(quick, numbers)([own])[own.name] == pytest.approx(getattr(slow, numbers)([own])[own.name])


def test_runs_share_the_pseudo_items_of_their_system() -> None:
    """Two runs that are right on the same items have the same draws, prior and all; another system has its own."""
    data = Classes(
        oc.Outcomes.of_rows(["a1", "a2", "b", "c", "d"], [["x", *"xxxyx"], ["y", *"yyyyx"], ["y", *"xxxyy"]], [9, 8, 5])
    )
    owners = {"a1": "a", "a2": "a"}
    units = units_of(data, data.systems, measures=[AVERAGES["accuracy"]])

    values = Weighted(units, data.systems, 400, 0, mass=None, owners=owners).values([AVERAGES["accuracy"]])["accuracy"]

    assert np.array_equal(values[:, 0], values[:, 1])
    assert not np.array_equal(values[:, 0], values[:, 2])


def test_a_label_that_is_never_true_is_left_to_the_labels() -> None:
    """It can be left out for all systems, which sums do not know of."""
    data = Classes(oc.Outcomes.of_rows(["a", "b"], [["x", "x", "z"], ["y", "y", "y"]], [3, 4]))

    units = units_of(data, data.systems, measures=[of_label(measures.get("f1"), 2)])

    assert not units.pooled
    assert set(units.features) == {"a", "b"}


@pytest.mark.parametrize("size", [20, 200])
def test_gammas_have_the_moments_of_their_shapes(size: int) -> None:
    """Mean and variance of Gamma(n) are n and its third moment about the mean is 2n, however they are drawn.

    Of 40,000 draws each the standard errors are sqrt(n / 40,000) of a mean, and near n sqrt(2 / 40,000) sqrt(1 + 3 / n)
    of a variance.
    """
    shapes = np.array([1.0, 2.0, 3.0, 4.0, 30.0, 2.5])
    rng = np.random.default_rng(11)

    drawn = np.hstack([gammas(shapes, size, rng) for _ in range(40_000 // size)])

    assert (np.abs(drawn.mean(axis=1) - shapes) < 5 * np.sqrt(shapes / 40_000)).all()
    assert drawn.var(axis=1) == pytest.approx(shapes, rel=0.06)
    third = ((drawn - shapes[:, None]) ** 3).mean(axis=1)
    assert third[:4] == pytest.approx(2 * shapes[:4], rel=0.25)


def test_small_tables_are_drawn_label_by_label(monkeypatch: pytest.MonkeyPatch) -> None:
    """They gain nothing, and keep the draws that they had."""
    monkeypatch.setattr("outclass.models.weighed.FEW_NUMBERS", 1 << 16)
    data = DATA["labels"]

    assert not units_of(data, data.systems, measures=[AVERAGES["accuracy"]]).pooled
