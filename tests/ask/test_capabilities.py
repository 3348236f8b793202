"""Every question of every kind of data has an answer, or the sentence of the table that says why not."""

import pickle
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.ask.capabilities import KINDS, QUESTIONS, kind_of
from outclass.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import cells
from round_trip import lost

PAIR = ["old", "new"]
SENT = 100_000  # bytes of a row that is sent
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


def _runs(kind: str) -> Any:
    """Three runs of one system and two of another on 60 items in 12 groups, as labels, numbers, or counts."""
    rng = random.Random(3)
    gold = [rng.random() < 0.4 for _ in range(60)]
    names = [f"old{seed}" for seed in range(3)] + [f"new{seed}" for seed in range(2)]
    right = {name: [rng.random() < 0.75 + 0.02 * place for _ in gold] for place, name in enumerate(names)}
    table: dict[str, list[Any]] = {"gold": [int(each) for each in gold], "group": [at // 5 for at in range(60)]}
    columns: dict[str, Any] = {"truth": "gold", "systems": {"old": "old*", "new": ["new0", "new1"]}}
    for name, own in right.items():
        table[name] = [int(true == ok) for true, ok in zip(gold, own, strict=True)]
        if kind in ("scores", "results"):
            table[name] = [0.3 + 0.4 * value + 0.2 * rng.random() for value in table[name]]
        if kind == "many labels":
            table[name] = [("a" if value else "") + (";b" if at % 3 else "") for at, value in enumerate(table[name])]
        if kind == "counts":
            for cell, value in (("tp", 1), ("fp", 0), ("fn", 0)):
                table[f"{name}_{cell}"] = [value if ok else 1 - value for ok in own]
    if kind == "many labels":
        table["gold"] = [("a" if value else "") + (";b" if at % 4 else "") for at, value in enumerate(gold)]
        columns["separator"] = ";"
    if kind in ("scores", "results"):
        columns["scores"] = True
    if kind in ("results", "counts"):
        del columns["truth"]
    if kind == "counts":
        columns |= {cell: f"*_{cell}" for cell in ("tp", "fp", "fn")}
    if kind == "groups":
        columns["group"] = "group"
    return oc.read(table, **columns)


def _annotated() -> Any:
    """The labels of one annotator, and those of another who errs in every twentieth item."""
    table = cells.binary_table()
    labels = sorted(set(table["gold"]))
    other = [labels[1 - labels.index(each)] if at % 20 == 3 else each for at, each in enumerate(table["gold"])]
    return oc.read({**table, "second": other}, truth=["gold", "second"], systems=PAIR)


def _partly() -> Any:
    """200 items, of which every fourth has a label, and a judge."""
    rng = random.Random(3)
    rows = []
    for item in range(200):
        gold = rng.random() < 0.4
        said = [gold if rng.random() < rate else not gold for rate in (0.75, 0.85, 0.9)]
        rows.append(["yes" if each else "no" for each in (gold, *said)])
        if item % 4:
            rows[-1][0] = ""
    table = dict(zip(("gold", *PAIR, "llm"), (list(column) for column in zip(*rows, strict=True)), strict=True))
    return oc.read(table, truth="gold", judge="llm")


def _lists() -> Any:
    """120 items with up to two labels, of which every third is known, and a judge."""
    rng = random.Random(4)
    table: dict[str, list[str]] = {name: [] for name in ("gold", *PAIR, "llm")}
    for item in range(120):
        gold = [rng.random() < 0.4 for _ in "ab"]
        for name, rate in zip(table, (1.0, 0.75, 0.85, 0.9), strict=True):
            said = [each if rng.random() < rate else not each for each in gold]
            table[name].append(";".join(label for label, there in zip("ab", said, strict=True) if there))
        table["gold"][-1] = "" if item % 3 else table["gold"][-1] or "[]"
    return oc.read(table, truth="gold", judge="llm", separator=";")


DATA: dict[str, Callable[[], Any]] = {
    "partly labelled": _partly,
    "partly labelled lists": _lists,
    "labels": lambda: cells.binary().selected(PAIR),
    "labels of many classes": lambda: cells.classes().selected(PAIR),
    "labels by several annotators": _annotated,
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
    **{f"runs of {kind}": partial(_runs, kind) for kind in ("labels", "groups", "counts", "scores")},
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


def _asked(question: str, data: Any, folder: Path, **more: Any) -> Any:
    if question == "plan":
        return oc.plan(pilot=data, n=[60], sets=20)
    if question == "update":
        return oc.update(folder / "state.json", data)
    return getattr(oc, question)(data, **more)


def _row(name: str) -> str:
    return name.partition(" of ")[0]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", DATA)
def test_every_cell(name: str, question: str, tmp_path: Path) -> None:
    """A cell gives an answer about both systems that can be shown, written and sent, or raises its own sentence."""
    data = DATA[name]()
    why = KINDS[_row(name)][1].get(question)
    more = {"positive": "a"} if name == "partly labelled lists" else {}  # which are asked about one label at a time

    if why is not None:
        with pytest.raises(InputError) as told:
            _asked(question, data, tmp_path, **more)
        assert told.value.args[0].endswith(why)
        return
    answer = _asked(question, data, tmp_path, **more)

    assert str(answer)
    rows = 1 if question == "update" else max(len(getattr(answer, "rows", ())), 1)
    assert len(pickle.dumps(answer)) < SENT * rows
    if question not in ("plan", "update"):
        assert all(system in answer.to_json() for system in data.systems)
    if question != "update":
        assert lost(answer) == []
    if question == "update":
        assert kind_of(oc.read(tmp_path / "state.json")) == kind_of(data)


@pytest.mark.parametrize("name", DATA)
def test_a_ranking_that_was_sent(name: str) -> None:
    """Its systems have the very same posteriors as before, made again from small data, however often it is sent."""
    if "rank" in KINDS[_row(name)][1]:
        return
    here = oc.rank(DATA[name](), **({"positive": "a"} if name == "partly labelled lists" else {}))
    sent = pickle.dumps(here)
    there = pickle.loads(sent)
    laws = [each.system.posterior for each in there.systems]

    assert len(sent) < SENT / 10
    assert pickle.dumps(there) == sent
    assert there == here
    for law, each in zip(laws, here.systems, strict=True):
        assert np.array_equal(law.in_order, each.system.posterior.in_order)
        assert (law.mean, law.std, law.hdi(here.hdi_mass)) == (each.system.mean, each.system.std, each.system.hdi)


@pytest.mark.parametrize("name", DATA)
def test_a_gate_that_is_sent(name: str) -> None:
    """The report of a gate takes a few kilobytes, and says the same."""
    more = {"positive": "a"} if name == "partly labelled lists" else {}
    found = oc.gate(DATA[name](), margin=0.1, **more)
    sent = pickle.dumps(found)

    assert len(sent) < SENT / 10
    assert str(pickle.loads(sent)) == str(found)


def test_slices_and_labels_that_are_sent() -> None:
    """What was found in slices, a row for each slice, and a table to label take less than 100 kB a row."""
    table = {**cells.binary_table(), "part": [f"p{at % 5}" for at in range(len(cells.binary_table()["gold"]))]}
    labels = {**table, "gold": [each if at % 3 else "" for at, each in enumerate(table["gold"])]}
    searched = oc.slices(table, truth="gold", systems=PAIR, columns=["part"])
    sliced = oc.compare(table, truth="gold", systems=PAIR, by="part")
    chosen = oc.label(labels, truth="gold", systems=PAIR, judge="best", budget=5)

    assert len(pickle.dumps(searched)) < SENT
    assert len(pickle.dumps(sliced)) < SENT * len(sliced.rows)
    assert len(pickle.dumps(chosen)) < SENT
    assert str(pickle.loads(pickle.dumps(sliced))) == str(sliced)


def test_every_row_has_data() -> None:
    """No kind of data is in the table without being asked about, and each is what its row says."""
    assert {_row(name) for name in DATA} == set(KINDS)
    assert {name: kind_of(make()) for name, make in DATA.items()} == {name: _row(name) for name in DATA}


def test_sentences_are_of_questions_that_exist() -> None:
    """The table has no gap for a question that nobody can ask."""
    assert {question for _, gaps in KINDS.values() for question in gaps} <= set(QUESTIONS)
