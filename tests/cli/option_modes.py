"""Every command with every kind of data and question, and every option with sensible and absurd values."""

import csv
import io
import json
import math
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.ask.capabilities import KINDS as CAPABILITIES
from outclass.cli.help import Helped
from outclass.cli.main import app
from outclass.cli.option import Option
from outclass.cli.options import (
    BLESSED,
    CHART,
    COMPARED,
    EVALUATED,
    GATED,
    LISTED,
    OUTPUT,
    PLANNED,
    RANKED,
    SLICED,
    TESTED,
    TO_LABEL,
    UPDATED,
    without,
)
from outclass.errors import OutclassError
from outclass.models import VIEWS, model_of, models_of

PAIR: Final = ("--system", "old", "--system", "new")
OPTIONS: Final[dict[str, tuple[Option, ...]]] = {
    "compare": (*COMPARED, *OUTPUT),
    "evaluate": (*EVALUATED, *OUTPUT),
    "rank": (*RANKED, *OUTPUT),
    "test": (*TESTED, *OUTPUT),
    "plan": (*PLANNED, *OUTPUT),
    "update": (*UPDATED, *OUTPUT),
    "slices": (*SLICED, *OUTPUT),
    "report": (*COMPARED, *without(OUTPUT, "format", "report", "verbose")),
    "plot": (*COMPARED, *without(OUTPUT, "format", "report", "verbose"), *CHART),
    "logs": LISTED,
    "label": TO_LABEL,
    "gate": GATED,
    "bless": BLESSED,
}

# --- data -------------------------------------------------------------------------------------------------------------

ITEMS: Final = 36
LABELS: Final = {"labels": ("spam", "ham"), "classes": ("cat", "dog", "cow")}
RATES: Final = {"old": 0.7, "new": 0.85, "third": 0.8}


def _write(path: Path, columns: dict[str, Sequence[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def _labelled(chance: random.Random, labels: Sequence[str]) -> dict[str, list[Any]]:
    gold = [labels[place % len(labels)] for place in range(ITEMS)]
    said = {
        name: [true if chance.random() < rate else chance.choice(labels) for true in gold]
        for name, rate in RATES.items()
    }
    return {"key": [f"i{place}" for place in range(ITEMS)], "gold": gold, **said, **_extra(chance)}


def _extra(chance: random.Random) -> dict[str, list[Any]]:
    return {
        "n": [chance.randint(1, 3) for _ in range(ITEMS)],
        "doc": [f"d{math.isqrt(place)}" for place in range(ITEMS)],
        "part": [place % 6 for place in range(ITEMS)],
        "again": [place // 6 for place in range(ITEMS)],
        "corpus": [f"c{place}" for place in range(ITEMS)],
        "place": [f"p{place // 6}" for place in range(ITEMS)],
    }


def _found(chance: random.Random) -> dict[str, list[Any]]:
    """Counts per item, wide and long at once: two types, of which one system alone finds a third once."""
    rows = [(item, kind) for item in range(ITEMS) for kind in ("PER", "LOC")] + [(0, "ODD")]
    table: dict[str, list[Any]] = {
        "key": [f"i{item}" for item, _ in rows],
        "kind": [kind for _, kind in rows],
        "sort": ["ODD" if kind == "LOC" else kind for _, kind in rows],
        "doc": [f"d{math.isqrt(item)}" for item, _ in rows],
        "part": [item % 6 for item, _ in rows],
        "n": [1 for _ in rows],
    }
    gold = [0 if kind == "ODD" else chance.randint(0, 2) for _, kind in rows]
    for name, rate in RATES.items():
        found = [sum(chance.random() < rate for _ in range(many)) for many in gold]
        table[f"{name}_tp"] = found
        table[f"{name}_fp"] = [int(kind == "ODD" and name == "old") or int(chance.random() < 0.2) for _, kind in rows]
        table[f"{name}_fn"] = [many - own for many, own in zip(gold, found, strict=True)]
        table[f"{name}_no"] = [each + 1 for each in table[f"{name}_fp"]]
    return table


def _write_tagged(folder: Path, chance: random.Random) -> None:
    """Write tagged sentences, in documents: a token, the gold standard and two systems."""
    lines = []
    for place in range(ITEMS):
        if place % 6 == 0:
            lines.append("-DOCSTART- O O O\n")
        for _ in range(6):
            tag = chance.choice(["O", "O", "B-PER", "I-PER", "B-LOC"])
            said = [tag if chance.random() < rate else chance.choice(["O", "B-PER"]) for rate in (0.7, 0.85)]
            lines.append(f"w{place} {tag} {' '.join(said)}\n")
        lines.append("\n")
    (folder / "tagged.txt").write_text("".join(lines))


def _seeds(chance: random.Random, labels: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Three runs of each system: one row per item and run."""
    table = {name: own * 3 for name, own in labels.items()}
    table["seed"] = [seed for seed in range(3) for _ in range(ITEMS)]
    for name, rate in RATES.items():
        table[name] = [gold if chance.random() < rate else chance.choice(LABELS["labels"]) for gold in table["gold"]]
    return table


def _partly(chance: random.Random, labels: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Labels of two thirds of the items, those of a judge of all but one, and the chance of being labelled."""
    table = {**labels, "gold": [true if place % 3 else "" for place, true in enumerate(labels["gold"])]}
    table["llm"] = [true if chance.random() < 0.8 else chance.choice(LABELS["labels"]) for true in labels["gold"]]
    return {**table, "chance": [0.5 if place % 3 else 0.25 for place in range(ITEMS)]}


def _write_logs(folder: Path, chance: random.Random) -> None:
    """Write logs of lm-evaluation-harness: two systems, two metrics, of which one system alone lacks an item."""
    time = "2026-01-02T03-04-05.678"
    for system, rate in (("old", 0.7), ("new", 0.85)):
        own = folder / "logs" / system
        own.mkdir(parents=True)
        lines = []
        for place in range(ITEMS - (system == "old")):
            record = {
                "doc_id": place,
                "doc": {"part": place % 3, "half": place % 2},
                "target": "x",
                "resps": [],
                "filtered_resps": [],
            }
            scores = {"exact_match": float(chance.random() < rate), "speed": chance.random()}
            lines.append(json.dumps({**record, "filter": "strict", "metrics": list(scores), **scores}))
        (own / f"samples_gsm8k_{time}.jsonl").write_text("\n".join(lines))
        (own / f"results_{time}.json").write_text(json.dumps({"results": {}, "model_name": system}))


def write_data(folder: Path) -> None:
    """Write every table that a mode reads, and beside each one with a hole in it."""
    chance = random.Random(20261116)
    tables = {name: _labelled(chance, labels) for name, labels in LABELS.items()}
    tables["classes"]["old"][0] = "emu"  # never true, and one system's alone: undefined of the other
    lists = _labelled(chance, ("a", "b", "c"))
    for name in ("gold", "old", "new", "third"):
        lists[name] = [f"{each};d" if chance.random() < 0.4 else each for each in lists[name]]
    lists["old"][0] = "e"
    tables["lists"] = lists
    gold = tables["labels"]["gold"]
    numbers = {
        name: [round(min(max(chance.gauss(0.4 + 0.2 * (true == "spam"), 0.2), 0.01), 0.99), 3) for true in gold]
        for name in RATES
    }
    tables["scores"] = {**tables["labels"], **numbers}
    tables["right"] = {**tables["labels"], **{name: [int(each > 0.5) for each in own] for name, own in numbers.items()}}
    tables["wide"] = {**tables["scores"], "key": [f"i{place // 2}" for place in range(ITEMS)]}
    long = [(item, label) for item in range(12) for label in "abcd"]
    tables["long"] = {
        "key": [f"i{item}" for item, _ in long],
        "topic": [label for _, label in long],
        "theme": ["z" if label == "a" else label for _, label in long],
        # Label d is never true and one system's alone, so that it is undefined of the others.
        **{
            name: [
                int(chance.random() < 0.5) if label != "d" else int(name == "old" and not item) for item, label in long
            ]
            for name in ("gold", "old", "new", "third")
        },
        "n": [1 for _ in long],
        "doc": [f"d{item // 2}" for item, _ in long],
    }
    tables["rows"] = {
        "key": [f"i{item}" for item in range(ITEMS) for _ in "ab"],
        "who": [name for _ in range(ITEMS) for name in ("old", "new")],
        "value": [numbers[name][item] for item in range(ITEMS) for name in ("old", "new")],
        "gold": [gold[item] for item in range(ITEMS) for _ in "ab"],
        "doc": [f"d{math.isqrt(item)}" for item in range(ITEMS) for _ in "ab"],
    }
    tables["seeds"] = _seeds(chance, tables["labels"])
    for name in ("old", "new"):
        tables[f"of_{name}"] = {"key": tables["labels"]["key"], "gold": gold, "said": tables["labels"][name]}
    tables["found"] = _found(chance)
    tables["words"] = {**tables["labels"], "gold": ["x" if each == "ham" else each for each in gold]}
    tables["partly"] = _partly(chance, tables["labels"])
    said = {name: lists[name] for name in (*RATES, "key")}
    blank = [true if place % 3 else "" for place, true in enumerate(lists["gold"])]
    judged = [true if place % 5 else "d" for place, true in enumerate(lists["gold"])]
    tables["some_lists"] = {"gold": blank, **said, "llm": judged, "chance": tables["partly"]["chance"]}
    tables["pool"] = {name: tables["labels"][name] for name in ("key", "old", "new")}
    for name, columns in tables.items():
        _write(folder / f"{name}.csv", columns)
        hole = next((each for each in ("new", "said", "value", "new_tp") if each in columns), "new")
        _write(folder / f"{name}-hole.csv", {**columns, hole: ["", *columns[hole][1:]]})
    _write(folder / "common.csv", {"label": list("abc") + ["cat", "dog", "cow"], "count": [3, 50, 9, 3, 50, 9]})
    documents = [f"x{place}" for place in range(6)]
    for name in ("qrels", "others"):
        judged = (f"{topic} 0 {each} {chance.randint(0, 2)}\n" for topic in range(8) for each in documents)
        (folder / f"{name}.txt").write_text("".join(judged))
    _write_tagged(folder, chance)
    _write_logs(folder, chance)
    for run in ("one", "two"):
        lines = (
            f"{topic} Q0 {name} {place} {chance.random():.4f} {run}\n"
            for topic in range(8)
            for place, name in enumerate(documents)
        )
        (folder / f"{run}.run").write_text("".join(lines))
    lines = [line for line in (folder / "two.run").read_text().splitlines(keepends=True) if not line.startswith("7 ")]
    (folder / "two-hole.run").write_text("".join(lines))


# --- modes ------------------------------------------------------------------------------------------------------------


class Mode(NamedTuple):
    """A command with a kind of data and of question; `kind` is the row of the table of capabilities."""

    command: str
    name: str
    kind: str
    line: tuple[str, ...]
    variant: bool = False  # of a question that another mode asks of the same data

    def __str__(self) -> str:
        return f"{self.command} {self.name}"

    @property
    def further(self) -> bool:
        """Whether it asks more than the usual question of its data, which is a mode of its own."""
        return "--" in self.name


_GOLD: Final = ("--truth", "gold", *PAIR)
KINDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "two classes": ("labels", ("labels.csv", *_GOLD, "--positive", "spam")),
    "many classes": ("labels", ("classes.csv", *_GOLD)),
    "joined files": (
        "labels",
        ("of_old.csv", "of_new.csv", "--truth", "gold", "--id", "key", "--positive", "spam"),
    ),
    "state": ("labels", ("labels.state.json", *PAIR, "--positive", "spam")),
    "annotators": (
        "labels by several annotators",
        ("labels.csv", *_GOLD, "--truth", "third", "--positive", "spam"),
    ),
    "judge": ("partly labelled", ("partly.csv", *_GOLD, "--judge", "llm", "--positive", "spam")),
    "blank truths": ("partly labelled", ("partly.csv", *_GOLD, "--unlabelled", "use", "--positive", "spam")),
    "lists": ("many labels", ("lists.csv", *_GOLD, "--separator", ";")),
    "judge of lists": (
        "partly labelled lists",
        ("some_lists.csv", *_GOLD, "--separator", ";", "--judge", "llm", "--positive", "b"),
    ),
    "long table": ("many labels", ("long.csv", *_GOLD, "--item", "key", "--label", "topic")),
    "groups": ("labels in groups", ("labels.csv", *_GOLD, "--positive", "spam", "--group", "doc")),
    "groups of many classes": ("labels in groups", ("classes.csv", *_GOLD, "--group", "doc")),
    "counts per item": (
        "counts per item",
        ("found.csv", *("--tp", "*_tp", "--fp", "*_fp", "--fn", "*_fn", "--item", "key", "--label", "kind"), *PAIR),
    ),
    "counts per item in groups": (
        "counts per item in groups",
        (
            *("found.csv", "--tp", "*_tp", "--fp", "*_fp", "--fn", "*_fn", "--item", "key", "--label", "kind"),
            *(*PAIR, "--group", "doc"),
        ),
    ),
    "tagged sequences": ("counts per item", ("tagged.txt", "--from", "conll")),
    "evaluation logs": ("results", ("logs", "--metric", "exact_match")),
    "scores": ("scores", ("scores.csv", *_GOLD, "--scores", "--positive", "spam")),
    "scores in groups": (
        "scores in groups",
        ("scores.csv", *_GOLD, "--scores", "--positive", "spam", "--group", "doc"),
    ),
    "scores in a long table": (
        "scores",
        ("rows.csv", *("--score", "value", "--system-column", "who", "--item", "key", "--truth", "gold")),
    ),
    "results": ("results", ("scores.csv", *PAIR, "--scores")),
    "right and wrong": ("results", ("right.csv", *PAIR, "--scores")),
    "results in a long table": (
        "results",
        ("rows.csv", *("--score", "value", "--system-column", "who", "--item", "key")),
    ),
    "results in groups": ("results in groups", ("scores.csv", *PAIR, "--scores", "--group", "doc")),
    "repeats": ("results with repeats", ("scores.csv", *PAIR, "--scores", "--item", "part", "--repeat", "again")),
    "runs": ("results", ("--qrels", "qrels.txt", "--run", "one.run", "--run", "two.run")),
    "seeds": ("runs", ("seeds.csv", *_GOLD, "--positive", "spam", "--run", "seed", "--item", "key")),
    "folds": ("folds", ("scores.csv", *PAIR, "--fold", "part", "--repeat", "again")),
    "data sets": ("data sets", ("scores.csv", *PAIR, "--data-set", "corpus")),
    "data sets with folds": ("data sets with folds", ("scores.csv", *PAIR, "--data-set", "place", "--fold", "part")),
    "two test sets": (
        "two test sets",
        (*("of_old.csv", "of_new.csv", "--truth", "gold", "--system", "said"), "--positive", "spam"),
    ),
    "counts": (
        "counts",
        ("--counts", "tp=30,fp=4,fn=8,tn=58", "--counts", "tp=22,fp=7,fn=16,tn=55"),
    ),
    "rates": (
        "counts",
        (
            "--counts",
            "precision=.88,recall=.79,positives=38,n=100",
            "--counts",
            "precision=.76,f1=.66,positives=38,n=100",
        ),
    ),
    "accuracies": ("counts", ("--counts", "accuracy=.88,n=100", "--counts", "error=23%,n=100")),
    "wins": ("wins", ("--wins", "17,4", "--items", "60")),
}
# Further questions: which kinds they are asked of, by which commands.
LABELS_ALONE: Final = ("two classes",)
MANY: Final = ("many classes", "lists", "long table")
VARIANTS: Final[tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...]] = (
    (("compare", "evaluate"), (*MANY, "groups of many classes", "counts per item"), ("--by", "label")),
    (("compare", "evaluate"), ("counts per item",), ("--positive", "PER")),
    (("compare", "rank"), ("counts per item", "counts per item in groups"), ("--model", "bootstrap")),
    (("compare", "evaluate"), ("many classes",), ("--positive", "cat")),
    (("compare", "evaluate", "rank", "test"), ("many classes", "groups of many classes"), ("--exclude-label", "dog")),
    (("compare", "evaluate", "rank", "test"), ("lists",), ("--labels", "b,c,d")),
    (("compare", "evaluate"), ("many classes",), ("--measure", "macro_f1")),
    (("compare", "evaluate"), ("two classes",), ("--measure", "mcc", "--method", "draws")),
    (("rank",), ("two classes",), ("--measure", "mcc")),
    (("compare", "evaluate"), ("two classes",), ("--measure", "recall", "--method", "exact")),
    (("compare",), ("two classes",), ("--measure", "all")),
    (("compare",), ("seeds",), ("--model", "fixed")),
    (("compare",), ("seeds",), ("--paired-runs",)),
    (("compare",), ("two classes",), ("--model", "unpaired")),
    (("compare", "evaluate"), ("two classes",), ("--model", "goutte")),
    (("compare",), ("two classes", "many classes"), ("--model", "sign")),
    (("compare", "rank"), ("two classes", *MANY), ("--model", "bootstrap")),
    (("compare", "rank", "evaluate"), MANY, ("--model", "hierarchical")),
    (("compare",), ("many classes",), ("--model", "hierarchical", "--by", "label")),
    (("compare",), MANY, ("--model", "decisions")),
    (("compare", "rank"), MANY, ("--model", "unpaired")),
    (("compare", "rank"), ("groups", "groups of many classes"), ("--model", "bootstrap")),
    (("compare", "rank"), ("groups",), ("--model", "unpaired")),
    (("compare",), ("scores",), ("--model", "plain_bootstrap")),
    (("compare",), ("scores",), ("--measure", "brier", "--measure", "ece")),
    (("compare", "rank"), ("scores in groups", "results in groups"), ("--model", "bootstrap")),
    (("compare",), ("results",), ("--model", "student")),
    (("compare", "rank"), ("results",), ("--model", "bootstrap")),
    (("compare",), ("results",), ("--measure", "mean", "--measure", "median")),
    (("compare",), ("results in groups",), ("--model", "hierarchical")),
    (("compare",), ("data sets",), ("--model", "sign")),
    (("compare",), ("data sets",), ("--model", "t")),
    (("compare",), ("data sets",), ("--model", "student")),
    (("compare", "rank"), ("data sets",), ("--model", "bootstrap")),
    (("compare",), ("data sets with folds",), ("--model", "hierarchical")),
    (("compare",), ("counts",), ("--model", "unpaired")),
    (("evaluate",), ("counts",), ("--model", "single")),
    (("compare", "test"), ("counts", "rates", "accuracies"), ("--same-items",)),
    (("compare",), ("counts",), ("--same-items", "--model", "sign")),
    (("compare",), ("two test sets",), ("--model", "goutte")),
    (
        ("compare",),
        ("two classes", "many classes", "results", "groups", "scores", "counts", "wins", "two test sets"),
        ("--sensitivity",),
    ),
    (("test",), tuple(kind for kind in KINDS if kind != "two test sets"), ("--all",)),
    (("test",), ("two classes",), ("--test", "mcnemar_exact")),
    (("test",), ("two classes", "lists", "groups"), ("--test", "permutation_exact")),
    (("test",), ("many classes", "lists"), ("--by", "frequency")),
    (("test",), ("results",), ("--test", "wilcoxon")),
    (("plot",), ("two classes", "many classes"), ("--kind", "ranking")),
    (("plot",), ("many classes",), ("--kind", "frequency")),
    (("plot",), ("many classes",), ("--kind", "forest", "--by", "label")),
)
SCENARIO: Final = ("--prevalence", "0.4", "--recall-a", "0.8", "--recall-b", "0.6", "--fpr-a", "0.1", "--fpr-b", "0.2")
SMALL: Final = ("--n", "40", "--sets", "10")
PLANS: Final = {
    "scenario": ("scenario", (*SCENARIO, *SMALL)),
    "cells": (
        "scenario",
        ("--prevalence", "0.4", "--cells-positive", ".5,.2,.1,.2", "--cells-negative", ".1,.1,.1,.7", *SMALL),
    ),
    "characteristics": ("scenario", (*SCENARIO, *SMALL, "--characteristics")),
    "search": ("scenario", (*SCENARIO, "--sets", "10", "--probability", "0.3", "--goal", "width:0.9")),
    "significant": ("scenario", (*SCENARIO, *SMALL, "--goal", "significant")),
    "two models": ("scenario", (*SCENARIO, *SMALL, "--model", "unpaired", "--model", "goutte")),
    "pool": ("pool", ("--pool", "pool.csv", "--id", "key", *PAIR)),
    "pool with a pilot": (
        "pool",
        ("--pool", "pool.csv", "--pilot", "labels.csv", *_GOLD, "--measure", "f1", "--positive", "spam"),
    ),
}
BLESSING: Final = ("-o", "base.oc", "--why", "because")
FORMS: Final = {"report": ("-o", "page.html"), "plot": ("-o", "picture.json")}


def _line(command: str, kind: str, more: Sequence[str] = ()) -> tuple[str, ...]:
    line = KINDS[kind][1]
    if kind == "two test sets" and command == "test":
        more = ("--test", "welch_t", *more)
    elif kind == "two test sets" and command != "evaluate" and "--model" not in more:
        more = ("--model", "unpaired", *more)
    return (*line, *more, *FORMS.get(command, ("--format", "json")))


def _can(command: str, kind: str) -> bool:
    row = KINDS[kind][0]
    question = {"report": "compare", "plot": "compare"}.get(command, command)
    return question not in CAPABILITIES[row][1]


def _labelling_and_gates() -> Iterator[Mode]:
    for name, more in (("blank truths", ()), ("judge", ("--judge", "llm"))):
        line = ("partly.csv", *_GOLD, *more, "--positive", "spam", "--budget", "4", "-o", "chosen.csv")
        yield Mode("label", name, "partly labelled", line)
    for kind in ("two classes", "evaluation logs", "scores", "results"):
        line = KINDS[kind][1]
        if kind == "evaluation logs":
            line = ("old=logs/old", "new=logs/new", *line[1:], "--missing", "drop")
        yield Mode("gate", kind, KINDS[kind][0], (*line, "--margin", "0.1", "--format", "json"))
    yield Mode("bless", "evaluation logs", "results", ("logs/old", *KINDS["evaluation logs"][1][1:], *BLESSING))
    one = ("--truth", "gold", "--system", "old", "--id", "key", "--keep-labels")
    yield Mode("bless", "two classes", "labels", ("labels.csv", *one, *BLESSING))


def _modes() -> Iterator[Mode]:
    for command in ("compare", "evaluate", "rank", "test", "report", "plot"):
        # A page and a picture are of a comparison, which is asked of all kinds.
        for kind in ("two classes", "many classes", "runs") if command in FORMS else KINDS:
            if _can(command, kind):
                yield Mode(command, kind, KINDS[kind][0], _line(command, kind))
    for kind in ("two classes", "many classes"):
        yield Mode("slices", kind, KINDS[kind][0], _line("slices", kind))
    yield from _labelling_and_gates()
    yield Mode("logs", "evaluation logs", "results", ("logs", "--format", "json"))
    yield Mode("slices", "evaluation logs", "results", _line("slices", "evaluation logs"))
    for commands, kinds, more in VARIANTS:
        for command in commands:
            for kind in kinds:
                name = f"{kind} {' '.join(more)}"
                yield Mode(command, name, KINDS[kind][0], _line(command, kind, more), command != "compare")
    for kind, (row, line) in KINDS.items():
        a_file = line[0].endswith(".csv")
        if _can("update", kind) and a_file:
            yield Mode("update", kind, row, ("new.state.json", *_line("update", kind)))
        if _can("plan", kind) and kind != "joined files":  # one file is a pilot
            pilot = () if line[0].startswith("--") else ("--pilot",)
            yield Mode("plan", f"pilot of {kind}", row, (*pilot, *_line("plan", kind, SMALL)))
    for name, (row, line) in PLANS.items():
        yield Mode("plan", name, row, line if row == "pool" else (*line, "--format", "json"))


MODES: Final = tuple(_modes())

# --- values -----------------------------------------------------------------------------------------------------------

# What each option is given: values that make sense somewhere, and one that makes sense nowhere.
VALUES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "files": (("words.csv",), ("nosuch.csv",)),
    "truth": (("third",), ("nosuch",)),
    "systems": (("third",), ("nosuch",)),
    "count": (("n",), ("nosuch",)),
    "id": (("key", "doc"), ("nosuch",)),
    "item": (("key", "doc"), ("nosuch",)),
    "label": (("theme", "doc", "sort"), ("nosuch",)),
    "separator": (("a", "|"), ("",)),
    "group": (("part",), ("nosuch",)),
    "annotators": (("majority", "soft"), ("nosuch",)),
    "judge": (("llm", "third"), ("nosuch",)),
    "unlabelled": (("drop", "use"), ("nosuch",)),
    "inclusion": (("chance",), ("nosuch", "key")),
    "merge": (("pet=cat|dog", "x=a|b", "mail=ham"), ("nosuch.csv", "x=nosuch")),
    "missing": (("drop", "wrong", "error"), ("nosuch",)),
    "tp": (("*_no",), ("nosuch",)),
    "fp": (("*_no",), ("nosuch",)),
    "fn": (("*_no",), ("nosuch",)),
    "source": (("conll",), ("nosuch",)),
    "metric": (("exact_match", "speed"), ("nosuch",)),
    "scorer": (("exact_match",), ("nosuch",)),
    "filter": (("strict",), ("nosuch",)),
    "split": ((), ("nosuch",)),
    "log_runs": (("latest", "all"), ("nosuch",)),
    "drop_changed": (("",), ()),
    "unfinished": (("",), ()),
    "duplicates": (("first",), ("nosuch",)),
    "board": (("x",), ("nosuch",)),
    "scheme": (("bio", "iob1"), ("nosuch",)),
    "strict": (("",), ()),
    "unit": (("sentence", "document"), ("nosuch",)),
    "counts": (("tp=5,fp=4,fn=3,tn=9",), ("tp=nosuch",)),
    "same_items": (("",), ()),
    "wins": (("9,3",), ("nosuch",)),
    "items": (("70",), ("-3",)),
    "names": (("x",), ("",)),
    "engine": (("duckdb",), ("nosuch",)),
    "master": (("local[1]",), ("nosuch",)),
    "scores": (("",), ()),
    "score": (("old",), ("nosuch",)),
    "system_column": (("key",), ("nosuch",)),
    "lower_is_better": (("",), ()),
    "title": (("latency",), ()),
    "fold": (("again",), ("nosuch",)),
    "repeat": (("part",), ("nosuch",)),
    "test_share": (("0.3",), ("7",)),
    "data_set": (("key", "place"), ("nosuch",)),
    "qrels": (("others.txt",), ("nosuch",)),
    "runs": (("two.run",), ("nosuch",)),
    "paired_runs": (("",), ()),
    "more_runs": (("1,3",), ("-1", "many")),
    "positive": (("ham",), ("nosuch",)),
    "measure": (("accuracy", "macro_f1", "micro_precision", "brier", "median", "AP"), ("nosuch",)),
    "by": (("label", "frequency"), ("nosuch",)),
    "labels": (("cat,dog", "a,b", "spam"), ("nosuch",)),
    "exclude_labels": (("cat", "a", "spam"), ("nosuch",)),
    "rope": (("0.031", "7%"), ("nosuch", "-5")),
    "undefined": (("0", "drop"), ("nosuch",)),
    "average": (("groups", "items"), ("nosuch",)),
    "population": (("these", "like-these"), ("nosuch",)),
    "hdi_mass": (("0.8", "0.95"), ("7",)),
    "model": (("unpaired", "bootstrap", "goutte", "single", "plain_bootstrap", "t"), ("nosuch",)),
    "prior": (("uniform", "matched", "wins=2,2,2"), ("nosuch",)),
    "prior_recall": (("0.6..0.9",), ("nosuch",)),
    "prior_fpr": (("0.1..0.2",), ("nosuch",)),
    "prior_prevalence": (("0.2..0.4",), ("nosuch",)),
    "sensitivity": (("",), ()),
    "method": (("draws", "auto", "exact"), ("nosuch",)),
    "draws": (("3000",), ("-3",)),
    "tolerance": (("2e-5",), ("-3",)),
    "sampler": (("metropolis", "nuts"), ("nosuch",)),
    "form": (("original", "compact"), ("nosuch",)),
    "chains": (("2",), ("-3",)),
    "rng": (("7",), ("-3",)),
    "format": (("markdown", "csv", "latex", "table"), ("nosuch",)),
    "output": (("answer.md",), ("nosuch/answer.md",)),
    "report": (("beside.html",), ("nosuch/page.html",)),
    "verbose": (("",), ()),
    "tests": (("sign_exact", "wilcoxon"), ("nosuch",)),
    "every": (("",), ()),
    "alternative": (("greater", "two-sided"), ("nosuch",)),
    "frequencies": (("common.csv",), ("nosuch",)),
    "prevalence": (("0.3",), ("7",)),
    "cells_positive": ((".4,.3,.1,.2",), ("nosuch",)),
    "cells_negative": ((".2,.1,.1,.6",), ("nosuch",)),
    "recall_a": (("0.7",), ("7",)),
    "recall_b": (("0.7",), ("7",)),
    "fpr_a": (("0.3",), ("7",)),
    "fpr_b": (("0.3",), ("7",)),
    "agreement": (("0.6",), ("7",)),
    "pilot": (("labels.csv",), ("nosuch",)),
    "pool": (("pool.csv",), ("nosuch",)),
    "n": (("50",), ("-3",)),
    "goal": (("width:0.5",), ("nosuch",)),
    "probability": (("0.2",), ("7",)),
    "characteristics": (("",), ()),
    "sets": (("12",), ("-3",)),
    "resume": (("cells.json",), ("nosuch/cells.json",)),
    "jobs": (("1",), ("0",)),
    "backend": (("numpy", "jax"), ("abacus",)),
    "device": (("cpu",), ("nosuch:0",)),
    "state": (("other.state.json",), ("nosuch/state.json",)),
    "again": (("",), ()),
    "new_labels": (("",), ()),
    "columns": (("place", "doc,part"), ("nosuch", "key")),
    "depth": (("1",), ("3", "0")),
    "top": (("1",), ("0",)),
    "kind": (("density", "forest", "posterior"), ("nosuch",)),
    "size": (("3.3,2.5", "6x4"), ("nosuch",)),
    "font_size": (("8",), ("700",)),
    "chart_title": (("Mine", ""), ()),
    "dpi": (("150",), ("7",)),
    "budget": (("5",), ("-3", "many")),
    "margin": (("0.2", "3%"), ("nosuch", "-1")),
    "config": ((), ("nosuch.toml",)),
    "confidence": (("0.9",), ("7",)),
    "undecided": (("warn", "pass"), ("nosuch",)),
    "anchor": ((), ("nosuch.oc",)),
    "anchor_margin": ((), ("0.1",)),
    "ledger": (("gates.jsonl",), ("logs",)),
    "commit": (("abc",), ()),
    "stages": (("10,36",), ("nosuch", "5,3")),
    "anytime": (("",), ()),
    "control": (("online-fdr",), ("nosuch",)),
    "max_errors": (("0.5",), ("7",)),
    "gate_name": (("Mine",), ()),
    "calibrate": (("",), ()),
    "junit": (("gate.xml",), ("nosuch/gate.xml",)),
    "summary": (("gate.md",), ("nosuch/gate.md",)),
    "json": (("gate.json",), ("nosuch/gate.json",)),
    "sarif": (("gate.sarif",), ("nosuch/gate.sarif",)),
    "why": (("for a reason",), ("",)),
    "keep_labels": (("",), ()),
}


class Run(NamedTuple):
    """What came of a command."""

    status: int
    told: str
    wrote: tuple[tuple[str, str], ...]


# What is done with an answer, and where what was computed is kept.
FORM: Final = {*(option.name for option in (*OUTPUT, *CHART)), "resume"}


def typed_as(option: Option, value: str) -> list[str]:
    """Return an option with its value, as it is typed."""
    return [value] if option.positional else [option.flag] if option.kind is bool else [option.flag, value]


@cache
def command_of(name: str) -> Any:
    """Return a command, as click got it."""
    group: Any = app
    return group.get_command(None, name)


def run(mode: Mode, more: Sequence[str] = ()) -> Run:
    """Run a command in this process, in the current folder; what it wrote is taken away again."""
    before = set(os.listdir())
    out, err, status = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            command_of(mode.command).main(
                [*mode.line, *more], prog_name=f"outclass {mode.command}", standalone_mode=False
            )
        except EnoughError:
            pass
        except OutclassError as error:
            status = 2
            err.write(str(error))
        except Exception as error:
            usage = getattr(error, "format_message", None)
            if usage is None:
                status = 70
                err.write(f"{type(error).__name__}: {error}")
            else:
                status = 2
                err.write(str(usage()))
    wrote = [("", out.getvalue())]
    for name in sorted(set(os.listdir()) - before):
        path = Path(name)
        if path.is_file():
            wrote.append((name, path.read_bytes().decode(errors="replace")))
            path.unlink()
    return Run(status, err.getvalue(), tuple(wrote))


# --- without computing ------------------------------------------------------------------------------------------------


def digest(value: Any) -> str:
    """Return all that a value holds as text: equal for equal data and questions."""
    if is_dataclass(value) and not isinstance(value, type):
        own = {each.name: getattr(value, each.name) for each in fields(value) if each.name != "progress"}
        return f"{type(value).__name__}{digest(own)}"
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{digest(key)}:{digest(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple | set | frozenset):
        return "(" + ",".join(map(digest, value)) + ")"
    if isinstance(value, np.ndarray):
        return repr(value.tolist())
    if type(value).__module__.startswith("outclass."):
        return f"{type(value).__name__}{digest(vars(value))}"
    return getattr(value, "__qualname__", None) or repr(value)


class _Fitted(NamedTuple):
    question: Any
    systems: tuple[str, ...] = ()


class EnoughError(Exception):
    """All that would be computed is known."""


@contextmanager
def nothing_computed(monkeypatch: Any) -> Iterator[list[str]]:
    """Compute nothing: what would have been computed (data, models and questions) goes into a list instead."""
    seen: list[str] = []

    def noted(name: str, result: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*what: Any, **how: Any) -> Any:
            how = {key: value for key, value in how.items() if key not in ("progress", "jobs")}
            seen.append(f"{name}{digest(what)}{digest(how)}")
            return result(*what)

        return instead

    def enough(*_: Any, **__: Any) -> None:
        raise EnoughError

    kept = [
        (model, model.fit, f"{view}.{name}")
        for view in VIEWS[2:]
        for name in models_of(view)
        for model in [model_of(name, [view])]
    ]
    for model, _, name in kept:
        object.__setattr__(model, "fit", noted(name, lambda *what: _Fitted(what[-1])))
    monkeypatch.setattr("outclass.ask.compare.answer_of", noted("compare", enough))
    monkeypatch.setattr("outclass.ask.evaluate.fit_one", noted("evaluate", lambda *what: _Fitted(what[-1])))
    monkeypatch.setattr("outclass.ask.evaluate.Evaluation", enough)
    monkeypatch.setattr("outclass.ask.rank.fit_weights", noted("rank", lambda *what: _Fitted(what[-1])))
    monkeypatch.setattr("outclass.ask.rank.ranked", noted("ranked", enough))
    for where, name in (
        ("plan", "powers"),
        ("plan", "searched"),
        ("plan", "rule_characteristics"),
        ("pilots", "_check_models"),
        ("test", "run_tests"),
    ):
        monkeypatch.setattr(f"outclass.ask.{where}.{name}", noted(name, lambda *_: []))
    monkeypatch.setattr("outclass.ask.plan.PlanAnswer", enough)
    tested = import_module("outclass.ask.test")
    monkeypatch.setattr(tested, "test_data", noted("test", tested.test_data))
    gates, answered = import_module("outclass.ask.gate"), import_module("outclass.ask.gate").answer_of

    def gated(data: Any, spec: Any) -> Any:
        # What a check asks of its data counts where these are read and compared.
        seen.append(f"gate{digest(replace(spec, checks=tuple(check.margin for check in spec.checks)))}")
        return answered(data, spec)

    monkeypatch.setattr(gates, "answer_of", gated)
    monkeypatch.setattr(
        "outclass.data.baseline.Baseline.write",
        lambda own, path: seen.append(f"{path}{own.system}{own.reason}{own.commit}{own.parts}"),
    )
    yield seen
    for model, fit, _ in kept:
        object.__setattr__(model, "fit", fit)


def parsers_made_once(monkeypatch: Any) -> None:
    """Make one parser for each command: what it takes does not change, and making it takes as long as its work."""
    made: dict[str | None, Any] = {}
    make = Helped.make_parser

    def once(command: Helped, ctx: Any) -> Any:
        if command.name not in made:
            made[command.name] = make(command, ctx)
        made[command.name].ctx = ctx
        return made[command.name]

    monkeypatch.setattr(Helped, "make_parser", once)


def read_once(monkeypatch: Any) -> None:
    """Read no table twice in the same way: whether an option changes what is read does not depend on it."""
    for where in (
        "ask.read.read_labels",
        "ask.read.read_grouped",
        "ask.read.read_multilabel",
        "data.score_tables.read_table",
        "data.repeat_tables.read_repeats",
        "data.count_tables.read_counts",
        "data.files.read_whole",
        "data.files.partly_from_file",
        "data.files.sliced_from_file",
    ):
        module, _, name = f"outclass.{where}".rpartition(".")
        monkeypatch.setattr(f"{module}.{name}", _remembered(getattr(import_module(module), name)))


def _remembered(read: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[str, Any] = {}

    def again(*what: Any, **how: Any) -> Any:
        key = f"{what!r}{how!r}"
        if key not in known:
            try:
                known[key] = read(*what, **how)
            except OutclassError as error:
                known[key] = error
        if isinstance(known[key], OutclassError):
            raise known[key]
        if isinstance(known[key], list):  # of tables, each with its name, which whoever asked may change
            return [(name, dict(columns)) for name, columns in known[key]]
        return known[key]

    return again
