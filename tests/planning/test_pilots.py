"""Pilots of many labels, of groups and of numbers: against brute force with `compare`, and the goals that work."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.ask.read import read
from outclass.data.multilabel import MultiLabel, from_lists
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.models import means
from outclass.planning.numbers import MeanPilot, extra_squares
from outclass.planning.pilots import whole_groups

BRUTE = 60  # sets judged by compare
SETS = 200
RNG = np.random.default_rng(8)
TRUTH = [[label for label in "abcd" if RNG.random() < 0.4] for _ in range(60)]


def said(wrong: float) -> list[list[str]]:
    """Return labels of every document, each decision wrong with a probability."""
    return [[label for label in "abcd" if (label in true) ^ (RNG.random() < wrong)] for true in TRUTH]


DOCUMENTS = from_lists(TRUTH, {"A": said(0.1), "B": said(0.17)})
SHARED = RNG.normal(0, 1, 60)
RESULTS = Scores(values={"A": SHARED + RNG.normal(0.3, 0.6, 60), "B": SHARED}, name="utility")
RIGHT = Scores(values={"A": (RNG.random(80) < 0.85) * 1.0, "B": (RNG.random(80) < 0.7) * 1.0})
POSITIVE = RNG.random(80) < 0.4
SCORES = Scores(values={"A": POSITIVE + RNG.normal(0, 0.6, 80), "B": POSITIVE + RNG.normal(0, 1.0, 80)}, truth=POSITIVE)
GROUP = np.repeat(np.arange(20), 3)
GROUPED = replace(RESULTS, group=GROUP)
CLASSES = RNG.integers(0, 3, 60)
LABELS = {
    "doc": [f"d{each}" for each in GROUP],
    "gold": CLASSES.tolist(),
    "A": np.where(RNG.random(60) < 0.15, RNG.integers(0, 3, 60), CLASSES).tolist(),
    "B": np.where(RNG.random(60) < 0.4, RNG.integers(0, 3, 60), CLASSES).tolist(),
}


def taken(scores: Scores, rows: np.ndarray, group: np.ndarray | None = None) -> Scores:
    """Return some rows of scores, some of them more than once."""
    values = {name: own[rows] for name, own in scores.values.items()}
    truth = None if scores.truth is None else scores.truth[rows]
    return replace(scores, values=values, truth=truth, group=group)


def documents(rows: np.ndarray) -> MultiLabel:
    """Return some documents, some of them more than once."""
    marks = [
        [[label for label, at in zip(DOCUMENTS.labels, range(4), strict=True) if table[row, at]] for row in rows]
        for table in np.stack([_dense(column) for column in range(3)])
    ]
    return from_lists(marks[0], {"A": marks[1], "B": marks[2]})


def _dense(column: int) -> np.ndarray:
    table = np.zeros((DOCUMENTS.items, 4), dtype=bool)
    table[DOCUMENTS.item, DOCUMENTS.label] = DOCUMENTS.marks[:, column]
    return table


def grown(pilot: int, items: int, rng: np.random.Generator) -> np.ndarray:
    """Draw a world by weights on the pilot's items, new items from it, and return the places of all."""
    weights = rng.standard_exponential(pilot)
    return np.concatenate([np.arange(pilot), rng.choice(pilot, items, p=weights / weights.sum())])


def in_groups(pilot: np.ndarray, items: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw whole groups from a world by weights on them; a group that comes twice is two."""
    places = [np.flatnonzero(pilot == each) for each in range(pilot.max() + 1)]
    chosen = grown(len(places), round(items * len(places) / len(pilot)), rng)
    parts = [places[each] for each in chosen]
    return np.concatenate(parts), np.repeat(np.arange(len(parts)), [len(part) for part in parts])


def judged(kind: str, items: int, rng: np.random.Generator) -> str:
    """Simulate one set and return the verdict of `compare`."""
    asked: dict[str, Any] = {"rope": ASKED[kind]["rope"]}
    if kind in ("results in groups", "labels in groups"):
        rows, group = in_groups(GROUP, items, rng)
        if kind == "results in groups":
            return oc.compare(taken(GROUPED, rows, group), **asked).verdict.value
        table = {name: [column[row] for row in rows] for name, column in LABELS.items()} | {"doc": group.tolist()}
        return oc.compare(table, truth="gold", group="doc", measure="macro_f1", **asked).verdict.value
    if kind == "documents":
        data: Any = documents(grown(60, items, rng))
        return oc.compare(data, measure="micro_f1", draws=1_000, **asked).verdict.value
    scores = {"results": RESULTS, "right or wrong": RIGHT, "scores": SCORES}[kind]
    drawn = {"draws": 1_000} if scores.truth is not None else {}  # means need none
    return oc.compare(taken(scores, grown(len(scores), items, rng)), **drawn, **asked).verdict.value


ASKED: dict[str, dict[str, Any]] = {
    "documents": {"pilot": DOCUMENTS, "measure": "micro_f1", "rope": 0.05, "n": 150},
    "labels in groups": {"pilot": LABELS, "truth": "gold", "group": "doc", "rope": 0.1, "n": 60},
    "results": {"pilot": RESULTS, "rope": 0.1, "n": 120},
    "right or wrong": {"pilot": RIGHT, "rope": 0.05, "n": 100},
    "scores": {"pilot": SCORES, "rope": 0.05, "n": 200},
    "results in groups": {"pilot": GROUPED, "rope": 0.1, "n": 120},
}


@pytest.mark.parametrize("kind", ASKED)
def test_brute_force(kind: str) -> None:
    """The probability of '>>' is the share of 60 simulated sets on which `compare` says so: within three errors.

    The worlds of the plan also hold the prior's pseudo-items, one or two beside sixty: .05 for these.
    """
    (cell,) = oc.plan(**ASKED[kind], goal=">>", sets=SETS, rng=3).powers
    rng = np.random.default_rng(4)
    share = np.mean([judged(kind, ASKED[kind]["n"], rng) == ">>" for _ in range(BRUTE)])
    error = math.sqrt(0.25 / BRUTE + cell.error**2)

    assert 0.1 < share < 0.95  # otherwise this says nothing
    assert cell.probability == pytest.approx(share, abs=3 * error + 0.05)


@pytest.mark.parametrize("kind", ["plain", "tied", "alike", "constant"])
def test_intervals_of_means_are_those_of_compare(kind: str) -> None:
    """On counted items, with ties and without, the closed form is the interval of `compare` on all of them."""
    rng = np.random.default_rng(2)
    b = rng.normal(5, 1, 12)
    a = {
        "plain": b + rng.normal(0.1, 0.3, 12),
        "tied": b + (rng.random(12) < 0.3) * 0.5,
        "alike": b.copy(),
        "constant": np.full(12, 5.0),
    }[kind]
    counts = rng.integers(1, 6, (3, 12))
    pilot = MeanPilot(scores=Scores(values={"A": a, "B": b}), rope=Interval(-0.1, 0.1), hdi_mass=0.9)
    found = pilot._of_counts(counts, a, b)
    for row, ends in zip(counts, found, strict=True):
        rows = np.repeat(np.arange(12), row)
        expected = means.extra_squares([a[rows], b[rows]]).sum()
        answer = oc.compare(Scores(values={"A": a[rows], "B": b[rows]}), rope=0.1, hdi_mass=0.9)

        assert extra_squares(row[None], a, b)[0] == pytest.approx(expected, rel=1e-9)
        assert ends == pytest.approx(list(answer.only.difference.hdi), rel=1e-6)


def test_whole_groups_are_drawn() -> None:
    """The pilot's groups come once, new ones whole, and about as many items as wanted."""
    group = np.array([0, 1, 1, 2, 2, 2])
    rows, new = whole_groups(group, 40, np.random.default_rng(0))

    sizes = np.bincount(new)
    assert len(rows) == sizes.sum()
    assert len(sizes) == 3 + 20
    for each in range(len(sizes)):
        own = group[rows[new == each]]
        assert len(set(own.tolist())) == 1
        assert len(own) == (group == own[0]).sum()


@pytest.mark.parametrize("kind", ASKED)
def test_goals(kind: str) -> None:
    """Every goal but a test works; '>>', '<<' and '~=' together are 'decided'; more items are not worse by much."""
    asked = ASKED[kind] | {"n": [30, 600]}
    answer = oc.plan(**asked, goal=[">>", "<<", "~=", "decided", "width:0.3"], sets=60)
    found = {(cell.n, cell.goal): cell.probability for cell in answer.powers}

    for n in (30, 600):
        assert sum(found[n, goal] for goal in (">>", "<<", "~=")) == pytest.approx(found[n, "decided"])
    assert found[600, "width:0.3"] >= found[30, "width:0.3"]
    assert found[600, "width:0.3"] > 0.9
    assert answer.pilot_items == {"right or wrong": 80, "scores": 80}.get(kind, 60)


def test_the_smallest_number_of_items() -> None:
    """A search from results finds a number that reaches the probability by its own simulation."""
    answer = oc.plan(pilot=RESULTS, rope=0.1, goal=">>", probability=0.5, sets=400, rng=1)
    (found,) = answer.smallest
    assert found.n is not None
    (cell,) = oc.plan(pilot=RESULTS, rope=0.1, goal=">>", n=found.n, sets=400, rng=2).powers

    assert cell.probability == pytest.approx(0.5, abs=4 * cell.error)
    assert "new items" in answer.words


def test_a_pilot_of_documents_can_be_about_one_label() -> None:
    """With a positive label, many labels per item are planned as two classes are."""
    answer = oc.plan(pilot=DOCUMENTS, positive="a", n=100, sets=20)

    assert answer.measure == "f1"
    assert oc.plan(pilot=DOCUMENTS.of_label("a"), positive="a", n=100, sets=20).powers == answer.powers


def test_finished_cells_are_known_by_their_pilot(tmp_path: Any) -> None:
    """A file of finished cells serves the same numbers and no others."""
    asked = {"rope": 0.1, "n": 50, "sets": 20, "resume": tmp_path / "plan.jsonl"}
    oc.plan(pilot=RESULTS, **asked)
    oc.plan(pilot=RESULTS, **asked)
    oc.plan(pilot=replace(RESULTS, values={"A": RESULTS.values["B"], "B": RESULTS.values["A"]}), **asked)

    assert len((tmp_path / "plan.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"pilot": DOCUMENTS, "goal": "significant"}, "tests can be planned for two classes only; name one label"),
        ({"pilot": RESULTS, "goal": "significant"}, "two classes only, not for numbers"),
        ({"pilot": RESULTS, "characteristics": True}, "need a scenario"),
        ({"pilot": DOCUMENTS, "model": "goutte"}, "paired and the unpaired model"),
        ({"pilot": RESULTS, "model": "student"}, "with the t model"),
        ({"pilot": RESULTS, "prior": 2}, "leave out prior"),
        ({"pilot": DOCUMENTS, "prior": 2}, "leave out prior"),
        ({"pilot": DOCUMENTS, "measure": "accuracy"}, "one label per item"),
        ({"pilot": RESULTS, "measure": "median"}, "does not support median"),
        ({"pilot": RESULTS, "positive": 1}, "positive"),
        ({"pilot": replace(RESULTS, fold_share=0.1)}, "a plan resamples items"),
        ({"pilot": SCORES, "n": 10**8}, "limited to 200,000 items"),
        ({"wins": (3, 1), "items": 20}, "wins have none"),
        ({"pilot": DOCUMENTS, "truth": "gold"}, "not used with data that were read before"),
        ({"prevalence": 0.3, "separator": ";"}, "It requires a pilot"),
        ({"pilot": RESULTS, "prevalence": 0.3}, "a scenario or a pilot, not both"),
        ({"pilot": from_lists([["a"]], {"A": [["a"]]})}, "needs two systems"),
        ({"pilot": LABELS, "truth": "gold", "group": "doc", "goal": "significant"}, "two classes only without groups"),
    ],
)
def test_what_cannot_be_planned(asked: dict[str, Any], told: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError, match=told):
        oc.plan(**({"n": 100, "sets": 10} | asked))


def test_unknown_arguments() -> None:
    """What is neither an argument nor a column is a TypeError, as of any function."""
    with pytest.raises(TypeError, match="colour"):
        oc.plan(pilot=RESULTS, n=10, colour="red")


def test_a_pilot_may_be_a_state(tmp_path: Any) -> None:
    """What `update` keeps is a pilot as it is."""
    table = {"q": [str(each) for each in range(60)], **RESULTS.values}
    oc.update(tmp_path / "s.json", table, id="q", scores=True)
    answer = oc.plan(pilot=tmp_path / "s.json", rope=0.1, n=50, sets=50)

    assert answer.pilot_items == 60
    assert read(tmp_path / "s.json").systems == ("A", "B")
