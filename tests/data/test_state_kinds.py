"""States of many labels per item, labels in groups, scores and results: as one run on the union, in any order."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import outclass as oc
from outclass.ask.read import read
from outclass.data import saved
from outclass.data.multilabel import Grouped, MultiLabel
from outclass.data.scores import Scores
from outclass.data.state import read_state
from outclass.errors import InputError
from outclass.planning.anytime import anytime_of

RNG = np.random.default_rng(5)


def cells(labels: list[str]) -> str:
    """Return some labels as a cell."""
    return ";".join(label for label in labels if RNG.random() < 0.5)


# Of each kind: the header, thirty rows, and how they are read.
KINDS = {
    "documents": (
        "gold,old,new",
        [",".join(cells(["x", "y", "z"]) or "x" for _ in range(3)) for _ in range(30)],
        {"truth": "gold", "separator": ";"},
    ),
    "groups": (
        "gold,doc,old,new",
        [f"{RNG.integers(3)},d{RNG.integers(8)},{RNG.integers(3)},{RNG.integers(3)}" for _ in range(30)],
        {"truth": "gold", "group": "doc"},
    ),
    "results": (
        "q,old,new",
        [f"q{at},{RNG.random():.3f},{RNG.random():.3f}" for at in range(30)],
        {"id": "q", "scores": True, "title": "latency", "lower_is_better": True},
    ),
    "results in groups": (
        "doc,old,new",
        [f"d{RNG.integers(8)},{RNG.random():.3f},{RNG.random():.3f}" for _ in range(30)],
        {"group": "doc", "scores": True},
    ),
    "scores": (
        "gold,old,new",
        [f"{at % 2},{RNG.random():.3f},{RNG.random():.3f}" for at in range(30)],
        {"truth": "gold", "scores": True, "positive": 1},
    ),
}


def written(path: Path, header: str, rows: list[str]) -> Path:
    """Write a table."""
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_any_split_in_any_order_is_the_same_state(kind: str, tmp_path: Path) -> None:
    """Three batches in two orders give the bytes of the union, and what `update` returns is what is on disk."""
    header, rows, how = KINDS[kind]
    parts = [written(tmp_path / f"b{at}.csv", header, rows[10 * at : 10 * at + 10]) for at in range(3)]
    for part in parts:
        oc.update(tmp_path / "one.json", part, new_labels="scores" not in how, **how)
    grown = oc.update(tmp_path / "two.json", parts[::-1], new_labels="scores" not in how, **how)
    oc.update(tmp_path / "whole.json", written(tmp_path / "all.csv", header, rows), **how)

    assert grown.items == 30
    states = [(tmp_path / f"{name}.json").read_bytes() for name in ("one", "two", "whole")]
    assert states[0] == states[1] == states[2]
    again = read_state(tmp_path / "one.json")
    assert type(again) is type(grown)
    assert again.systems == grown.systems


@pytest.mark.parametrize("kind", ["documents", "results", "scores", "results in groups"])
def test_a_state_is_compared_as_the_union(kind: str, tmp_path: Path) -> None:
    """Read through the one door, a state gives the comparison of the file with all items."""
    header, rows, how = KINDS[kind]
    parts = [written(tmp_path / f"b{at}.csv", header, rows[15 * at : 15 * at + 15]) for at in range(2)]
    oc.update(tmp_path / "s.json", parts, new_labels="scores" not in how, **how)
    found = oc.compare(read(tmp_path / "s.json")).rows[0]
    whole = oc.compare(read(written(tmp_path / "all.csv", header, rows), **how)).rows[0]

    assert found.observed == pytest.approx(whole.observed)
    # Documents and scores are drawn, in an order of their own: 20,000 draws.
    assert found.difference.mean == pytest.approx(whole.difference.mean, abs=0.05 * whole.difference.std)
    assert found.difference.std == pytest.approx(whole.difference.std, rel=0.05)


def test_one_group_in_two_batches_is_one_group(tmp_path: Path) -> None:
    """Groups keep their names, so that a document that is seen again gets more items."""
    how = {"truth": "gold", "group": "doc"}
    first = written(tmp_path / "a.csv", "gold,doc,old,new", ["1,d1,1,0", "0,d2,0,0"])
    second = written(tmp_path / "b.csv", "gold,doc,old,new", ["1,d2,1,1", "0,d3,0,1", "0,d2,0,0"])
    found = oc.update(tmp_path / "s.json", [first, second], **how)

    assert isinstance(found, Grouped)
    assert found.names == ("d1", "d2", "d3")
    assert found.sizes.tolist() == [1, 3, 1]
    assert read(tmp_path / "s.json", systems=["new"]).systems == ("new",)


def test_labels_that_a_state_does_not_know(tmp_path: Path) -> None:
    """A new label of documents or of items in groups is an error unless it is said to be right; then labels unite."""
    for name, how, rows in (
        ("many", {"truth": "gold", "separator": ";"}, (["x;y,x,y"], ["z,x,z"])),
        ("groups", {"truth": "gold", "group": "doc"}, (["x,y,x", "y,x,x"], ["z,x,z"])),
    ):
        header = "gold,old,new" if name == "many" else "gold,old,new,doc"
        tables = [[f"{row}{'' if name == 'many' else ',d'}" for row in part] for part in rows]
        parts = [written(tmp_path / f"{name}{at}.csv", header, part) for at, part in enumerate(tables)]
        state = tmp_path / f"{name}.json"
        oc.update(state, parts[0], **how)
        with pytest.raises(InputError, match="are not in the state: 'z'"):
            oc.update(state, parts[1], **how)

        assert oc.update(state, parts[1], new_labels=True, **how).labels == ("x", "y", "z")


def test_an_item_counts_once(tmp_path: Path) -> None:
    """An id that the state has is an error, whatever file it comes in; nothing is written."""
    state = tmp_path / "s.json"
    how = {"id": "q", "scores": True}
    oc.update(state, written(tmp_path / "a.csv", "q,old,new", ["q1,1,2", "q2,3,4"]), **how)
    before = state.read_bytes()
    with pytest.raises(InputError, match="1 items are already in the state: 'q2'"):
        oc.update(state, written(tmp_path / "b.csv", "q,old,new", ["q2,1,2", "q3,3,4"]), **how)

    assert state.read_bytes() == before
    assert oc.update(state, {"q": ["q3"], "new": [1.0], "old": [0.5]}, **how).values["old"].tolist() == [1, 3, 0.5]


def test_evidence_of_another_kind(tmp_path: Path) -> None:
    """A state holds one kind of data, of the same systems and with the same columns; each error says what differs."""
    numbers = written(tmp_path / "n.csv", "q,old,new", ["q1,1,2", "q2,3,4"])
    more = written(tmp_path / "m.csv", "q,old,new", ["q3,1,2", "q4,3,4"])
    labels = written(tmp_path / "l.csv", "gold,old,new", ["x,x,y", "y,y,y"])
    state = tmp_path / "s.json"
    oc.update(state, numbers, id="q", scores=True)
    for data, how, told in (
        (labels, {"truth": "gold"}, "contains a number per item, the new data one label per item"),
        (labels, {"truth": "gold", "separator": ";"}, "the new data many labels per item"),
        (more, {"scores": True, "systems": ["old", "new"]}, "have 'id', the new ones numbers only"),
        (more, {"scores": True, "id": "q", "title": "latency"}, "about 'score' .higher is better., .* 'latency'"),
        (more, {"scores": True, "id": "q", "positive": 1}, "leave it out"),
        (more, {"scores": True, "id": "q", "measure": "mean"}, "stores data only"),
        (None, {"wins": (3, 1), "items": 9}, "and wins have none"),
        (more, {"scores": True, "fold": "q"}, "folds of a cross-validation"),
    ):
        with pytest.raises(InputError, match=told):
            oc.update(state, data, **how)


def test_topics_of_runs_add_up(tmp_path: Path) -> None:
    """TREC runs are kept by topic: a topic counts once, and a state of them is a pilot."""
    for part, topics in (("x", range(4)), ("y", range(4, 8))):
        places = [(topic, document) for topic in topics for document in range(5)]
        (tmp_path / f"q{part}").write_text("".join(f"t{t} 0 d{d} {int((t + d) % 3 == 0)}\n" for t, d in places))
        for run, step in (("a", 1), ("b", 3)):
            lines = [f"t{t} Q0 d{d} 1 {(t * d + step * d) % 7} {run}\n" for t, d in places]
            (tmp_path / f"{run}{part}").write_text("".join(lines))
    how = {"measure": "nDCG@5", "systems": ["a", "b"]}
    state = tmp_path / "s.json"
    for part in "xy":
        runs = [tmp_path / f"{run}{part}" for run in "ab"]
        found = oc.update(state, qrels=tmp_path / f"q{part}", runs=runs, **how)
    with pytest.raises(InputError, match="already been counted"):
        oc.update(state, qrels=tmp_path / "qx", runs=[tmp_path / "ax", tmp_path / "bx"], **how)

    assert found.ids == tuple(f"t{topic}" for topic in range(8))
    assert oc.plan(pilot=state, n=40, sets=20).title == "nDCG@5"


def test_findings_are_kept(tmp_path: Path) -> None:
    """What was found when a batch of numbers was read is said with every later answer."""
    first = written(tmp_path / "a.csv", "old,new", ["1,", "2,3", "4,5"])
    oc.update(tmp_path / "s.json", first, scores=True, missing="drop")
    found = oc.update(tmp_path / "s.json", written(tmp_path / "b.csv", "old,new", ["2,3", "4,9"]), scores=True)

    assert isinstance(found, Scores)
    assert found.items == 4
    assert "OC101" in {each.code for each in found.findings}


def test_documents_without_labels_count(tmp_path: Path) -> None:
    """A document on which all say nothing is an item; two alike are two."""
    rows = ["x,x,", ",,", ",,", "y,,y"]
    found = oc.update(
        tmp_path / "s.json", written(tmp_path / "a.csv", "gold,old,new", rows), truth="gold", separator=";"
    )

    assert isinstance(found, MultiLabel)
    assert found.items == read_state(tmp_path / "s.json").items == 4


def test_what_may_be_watched() -> None:
    """The e-process is of one label per item; other data are told why."""
    numbers = Scores(values={"a": np.array([0.1, 0.2]), "b": np.array([0.3, 0.4])})

    with pytest.raises(InputError, match="need independent items"):
        anytime_of(numbers, "a", "b")  # type: ignore[arg-type]


def test_ids_of_items_are_spelt_in_many_ways(tmp_path: Path) -> None:
    """1, 1.0 and 1 with a blank are one item: it counts once, as does one in a state that an earlier version wrote."""
    state = tmp_path / "s.json"
    rows = [f"{at},{at % 7},{at % 5}" for at in range(1, 31)]
    oc.update(state, written(tmp_path / "n.csv", "q,old,new", rows), id="q", scores=True)
    spelt = [row.replace(",", ".0,", 1) for row in rows], [row.replace(",", " ,", 1) for row in rows]
    for place, again in enumerate(spelt):
        table = written(tmp_path / f"{place}.csv", "q,old,new", again)
        with pytest.raises(InputError, match="30 items are already in the state: '1', '2'"):
            oc.update(state, table, id="q", scores=True)
    before = Scores(values={name: np.array([1.0, 2.0]) for name in ("old", "new")}, ids=("1.0", "x "))
    after = replace(before, ids=("1", "x"))
    with pytest.raises(InputError, match="2 items are already"):
        saved.added(before, after, new_labels=False)
