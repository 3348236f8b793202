"""Every question of every kind of data has an answer, or the sentence of the table that says why not."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import outclass as oc
from outclass.ask.capabilities import KINDS, QUESTIONS, kind_of
from outclass.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import cells
from round_trip import lost

PAIR = ["old", "new"]
ONE_TEST_SET = ["tp=30,fp=4,fn=8,tn=58", "tp=22,fp=7,fn=16,tn=55"]


def _counts(**columns: str) -> Any:
    """A long table: 40 items in 10 documents, two types, two systems."""
    rng = random.Random(7)
    rows = []
    for item in range(40):
        for kind in ("PER", "LOC"):
            gold = rng.choice([0, 1, 1, 2])
            for system, rate in (("old", 0.6), ("new", 0.8)):
                found = sum(rng.random() < rate for _ in range(gold))
                rows.append((item, kind, system, f"d{item // 4}", found, int(rng.random() < 0.2), gold - found))
    if "label" not in columns:
        rows = [row for row in rows if row[1] == "PER"]
    names = ("item", "type", "system", "document", "tp", "fp", "fn")
    table = dict(zip(names, (list(column) for column in zip(*rows, strict=True)), strict=True))
    return oc.read(table, tp="tp", fp="fp", fn="fn", item="item", system_column="system", **columns)  # type: ignore[typeddict-item]


DATA: dict[str, Callable[[], Any]] = {
    "labels": lambda: cells.binary().selected(PAIR),
    "labels of many classes": lambda: cells.classes().selected(PAIR),
    "many labels": cells.many_labels,
    "labels in groups": lambda: oc.read(cells.binary_table(), truth="gold", systems=PAIR, group="document"),
    "counts per item": _counts,
    "counts per item of types": lambda: _counts(label="type"),
    "counts per item in groups": lambda: _counts(group="document"),
    "scores": lambda: cells.classifier_scores().selected(PAIR),
    "scores in groups": lambda: cells.classifier_scores(group=True).selected(PAIR),
    "results": cells.results,
    "results of two values": lambda: cells.results("right"),
    "results in groups": lambda: cells.results("groups"),
    "results with repeats": cells.repeats,
    "results with repeats of numbers": lambda: cells.repeats("numbers"),
    "results with repeats of groups": lambda: cells.repeats("groups"),
    "results with repeats of labels": lambda: cells.repeats("labels"),
    "folds": lambda: cells.results("folds"),
    "data sets": lambda: cells.results("data sets"),
    "data sets with folds": lambda: cells.results("data sets and folds"),
    "two test sets": lambda: oc.read(cells.binary().selected(["old"]), cells.binary().selected(["new"]), apart=True),
    "counts": lambda: oc.read(counts=cells.KNOWN),
    "counts of one test set": lambda: oc.read(counts=ONE_TEST_SET, same_items=True),
    "counts of right answers": lambda: oc.read(counts=["accuracy=.88,n=100", "accuracy=.77,n=100"]),
    "counts of right answers on one test set": lambda: oc.read(
        counts=["accuracy=.88,n=100", "accuracy=.77,n=100"], same_items=True
    ),
    "counts of rates": lambda: oc.read(
        counts=["precision=.9,recall=.8,positives=40", "precision=.8,recall=.9,positives=40"]
    ),
    "wins": lambda: oc.read(wins=(17, 4), items=330),
}


def _asked(question: str, data: Any, folder: Path) -> Any:
    if question == "plan":
        return oc.plan(pilot=data, n=[60], sets=20)
    if question == "update":
        return oc.update(folder / "state.json", data)
    return getattr(oc, question)(data)


def _row(name: str) -> str:
    return name.partition(" of ")[0]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", DATA)
def test_every_cell(name: str, question: str, tmp_path: Path) -> None:
    """A cell gives an answer about both systems that can be shown, written and sent, or raises its own sentence."""
    data = DATA[name]()
    why = KINDS[_row(name)][1].get(question)

    if why is not None:
        with pytest.raises(InputError) as told:
            _asked(question, data, tmp_path)
        assert told.value.args[0].endswith(why)
        return
    answer = _asked(question, data, tmp_path)

    assert str(answer)
    if question not in ("plan", "update"):
        assert all(system in answer.to_json() for system in data.systems)
    if question != "update":
        assert lost(answer) == []
    if question == "update":
        assert kind_of(oc.read(tmp_path / "state.json")) == kind_of(data)


def test_every_row_has_data() -> None:
    """No kind of data is in the table without being asked about, and each is what its row says."""
    assert {_row(name) for name in DATA} == set(KINDS)
    assert {name: kind_of(make()) for name, make in DATA.items()} == {name: _row(name) for name in DATA}


def test_sentences_are_of_questions_that_exist() -> None:
    """The table has no gap for a question that nobody can ask."""
    assert {question for _, gaps in KINDS.values() for question in gaps} <= set(QUESTIONS)
