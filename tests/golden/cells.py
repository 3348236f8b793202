"""The cells whose answers must not change by accident: a kind of data, a question and a model each."""

from collections.abc import Callable
from typing import Any

import numpy as np

import outclass as oc
from outclass.data.multilabel import from_lists
from outclass.data.outcomes import Outcomes
from outclass.data.scores import Scores


def _rng() -> np.random.Generator:
    return np.random.default_rng(20261116)


def binary_table(items: int = 240) -> dict[str, list[Any]]:
    """Two classes, three systems, groups of four and counts."""
    rng = _rng()
    gold = rng.random(items) < 0.35
    columns: dict[str, list[Any]] = {"gold": [int(each) for each in gold]}
    for name, rate in (("old", 0.25), ("new", 0.15), ("best", 0.1)):
        wrong = rng.random(items) < rate
        columns[name] = [int(each) for each in np.where(wrong, ~gold, gold)]
    columns["document"] = [f"d{place // 4}" for place in range(items)]
    return columns


def classes_table(items: int = 300) -> dict[str, list[Any]]:
    """Four classes, three systems."""
    rng = _rng()
    labels = np.array(["dog", "cat", "cow", "hen"])
    gold = rng.choice(4, items, p=[0.4, 0.3, 0.2, 0.1])
    columns: dict[str, list[Any]] = {"gold": labels[gold].tolist()}
    for name, rate in (("old", 0.3), ("new", 0.2), ("best", 0.12)):
        said = np.where(rng.random(items) < rate, rng.choice(4, items), gold)
        columns[name] = labels[said].tolist()
    columns["document"] = [f"d{place // 5}" for place in range(items)]
    return columns


def without(table: dict[str, list[Any]], *names: str) -> dict[str, list[Any]]:
    """Return a table without some of its columns."""
    return {name: column for name, column in table.items() if name not in names}


def binary() -> Outcomes:
    """Return outcomes of two classes."""
    return oc.outcomes(without(binary_table(), "document"), truth="gold")


def classes() -> Outcomes:
    """Return outcomes of four classes."""
    return oc.outcomes(without(classes_table(), "document"), truth="gold")


def many_labels() -> Any:
    """Return items with any number of five labels."""
    rng = _rng()
    labels = list("abcde")
    gold = rng.random((150, 5)) < [0.5, 0.3, 0.2, 0.1, 0.05]
    said = {name: gold ^ (rng.random(gold.shape) < rate) for name, rate in (("old", 0.12), ("new", 0.07))}
    lists = lambda marks: [[labels[at] for at in np.flatnonzero(row)] for row in marks]  # noqa: E731
    return from_lists(lists(gold), {name: lists(marks) for name, marks in said.items()})


def classifier_scores(*, group: bool = False) -> Scores:
    """Return probabilities of three classifiers beside a truth."""
    rng = _rng()
    gold = rng.random(200) < 0.4
    table: dict[str, Any] = {"gold": gold.astype(int).tolist()}
    for name, shift in (("old", 0.8), ("new", 1.4), ("best", 1.8)):
        table[name] = (1 / (1 + np.exp(-(rng.normal(size=200) + shift * (2 * gold - 1))))).tolist()
    if group:
        table["topic"] = [f"t{place // 5}" for place in range(200)]
    return oc.scores(table, truth="gold", group="topic" if group else None)


def results(kind: str = "plain") -> Scores:
    """Return numbers per item, fold or data set, without a truth."""
    rng = _rng()
    size = 40 if kind in ("folds", "data sets") else 120
    base = rng.normal(0.6, 0.1, size)
    table: dict[str, Any] = {
        "old": (base + rng.normal(0, 0.05, size)).round(4).tolist(),
        "new": (base + 0.02 + rng.normal(0, 0.05, size)).round(4).tolist(),
    }
    if kind == "right":
        table = {name: (np.array(own) > 0.58).astype(float).tolist() for name, own in table.items()}
    extra = {
        "groups": {"group": [f"g{place // 4}" for place in range(size)]},
        "folds": {"fold": [place % 10 for place in range(size)], "repeat": [place // 10 for place in range(size)]},
        "data sets": {"data_set": [f"s{place}" for place in range(size)]},
        "data sets and folds": {
            "data_set": [f"s{place // 10}" for place in range(size)],
            "fold": [place % 10 for place in range(size)],
        },
    }.get(kind, {})
    return oc.scores({**table, **extra}, **{name: name for name in extra})


def repeats(kind: str = "right") -> Any:
    """Return several answers to each of 60 questions: right or wrong, numbers, in groups, or labels."""
    rng = _rng()
    rows: list[tuple[Any, ...]] = []
    for item, base in enumerate(rng.uniform(0.1, 0.9, 60)):
        for system, gain in (("old", 0.0), ("new", 0.1)):
            for run in range(2 + item % 3):
                right = rng.random() < base + gain * (1 - base)
                score = round(float(base + gain + rng.normal(0, 0.1)), 4) if kind == "numbers" else float(right)
                rows.append((f"q{item}", system, f"r{run}", score, "yes" if right else "no", "yes", f"g{item // 5}"))
    names = ("item", "system", "run", "score", "answer", "gold", "group")
    table = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    asked: dict[str, Any] = {"item": "item", "system_column": "system", "repeat": "run"}
    asked |= {"label": "answer", "truth": "gold"} if kind == "labels" else {"score": "score"}
    asked |= {"group": "group"} if kind == "groups" else {}
    return oc.read(table, **asked)


COUNTS = ({"tp": 40, "fp": 12, "fn": 9, "name": "A"}, {"tp": 33, "fp": 8, "fn": 16, "name": "B"})
KNOWN = tuple({**each, "tn": 200 - sum(each[name] for name in ("tp", "fp", "fn"))} for each in COUNTS)


def _pair(source: Callable[[], Any], **asked: Any) -> Callable[[], Any]:
    return lambda: oc.compare(source(), systems=["old", "new"], **asked)


CELLS: dict[str, Callable[[], Any]] = {
    # two classes
    "binary compare paired": _pair(binary),
    "binary compare paired all": _pair(binary, measure="all"),
    "binary compare uniform": _pair(binary, prior="uniform", measure=["f1", "accuracy"]),
    "binary compare own prior": _pair(binary, prior={"positives": (4, 1, 1, 4), "mu": (2, 2)}),
    "binary compare unpaired": _pair(binary, model="unpaired"),
    "binary compare goutte": _pair(binary, model="goutte"),
    "binary compare sign": _pair(binary, model="sign"),
    "binary compare draws": _pair(binary, method="draws", draws=20_000),
    "binary compare exact": _pair(binary, method="exact", measure="recall"),
    "binary compare three": lambda: oc.compare(binary(), measure="mcc"),
    "binary compare by label": _pair(binary, by="label"),
    "binary compare bootstrap": _pair(binary, model="bootstrap"),
    "binary compare relative rope": _pair(binary, rope="10%"),
    "binary compare one side": _pair(binary, rope=(-0.02, float("inf"))),
    "binary compare two sets": lambda: oc.compare(
        binary().selected(["old"]), binary().selected(["new"]), model="unpaired"
    ),
    "binary evaluate single": lambda: oc.evaluate(binary()),
    "binary evaluate goutte": lambda: oc.evaluate(binary(), model="goutte", measure=["f1", "precision"]),
    "binary rank": lambda: oc.rank(binary()),
    "binary rank bootstrap": lambda: oc.rank(binary(), model="bootstrap"),
    "binary test": lambda: oc.test(binary()),
    "binary test every": lambda: oc.test(binary(), every=True, measure=["f1", "accuracy"]),
    "binary sensitivity": lambda: oc.sensitivity(binary(), systems=["old", "new"]),
    "binary plan pilot": lambda: oc.plan(pilot=binary(), systems=["old", "new"], n=[200], sets=100),
    "groups compare": lambda: oc.compare(binary_table(), truth="gold", systems=["old", "new"], group="document"),
    "groups compare average": lambda: oc.compare(
        binary_table(), truth="gold", systems=["old", "new"], group="document", average="groups"
    ),
    "groups compare unpaired": lambda: oc.compare(
        binary_table(), truth="gold", systems=["old", "new"], group="document", model="unpaired"
    ),
    "groups compare bootstrap": lambda: oc.compare(
        binary_table(), truth="gold", systems=["old", "new"], group="document", model="bootstrap"
    ),
    "groups rank": lambda: oc.rank(binary_table(), truth="gold", group="document"),
    "groups test": lambda: oc.test(binary_table(), truth="gold", group="document"),
    # many classes
    "classes compare paired": _pair(classes),
    "classes compare prior": _pair(classes, prior="uniform", measure=["macro_f1", "accuracy"]),
    "classes compare unpaired": _pair(classes, model="unpaired", measure="macro_f1"),
    "classes compare bootstrap": _pair(classes, model="bootstrap", measure="macro_f1"),
    "classes compare hierarchical": _pair(classes, model="hierarchical"),
    "classes compare hierarchical by label": _pair(classes, model="hierarchical", by="label"),
    "classes compare decisions": _pair(classes, model="decisions"),
    "classes compare by label": _pair(classes, by="label"),
    "classes compare positive": _pair(classes, positive="dog"),
    "classes compare sign": _pair(classes, model="sign"),
    "classes evaluate by label": lambda: oc.evaluate(classes(), by="label"),
    "classes rank": lambda: oc.rank(classes()),
    "classes rank hierarchical": lambda: oc.rank(classes(), model="hierarchical"),
    "classes test": lambda: oc.test(classes()),
    "classes sensitivity": lambda: oc.sensitivity(classes(), systems=["old", "new"], measure="macro_f1"),
    "classes groups compare": lambda: oc.compare(
        classes_table(), truth="gold", systems=["old", "new"], group="document", measure="macro_f1"
    ),
    # many labels
    "labels compare": _pair(many_labels),
    "labels compare bootstrap": _pair(many_labels, model="bootstrap", measure="micro_f1"),
    "labels compare hierarchical": _pair(many_labels, model="hierarchical"),
    "labels compare decisions": _pair(many_labels, model="decisions"),
    "labels compare by label": _pair(many_labels, by="label"),
    "labels rank": lambda: oc.rank(many_labels()),
    "labels test": lambda: oc.test(many_labels()),
    # numbers beside a truth
    "scores compare": lambda: oc.compare(classifier_scores(), systems=["old", "new"]),
    "scores compare kin": lambda: oc.compare(
        classifier_scores(), systems=["old", "new"], measure=["average_precision", "brier", "ece"]
    ),
    "scores groups compare": lambda: oc.compare(classifier_scores(group=True), systems=["old", "new"]),
    "scores rank": lambda: oc.rank(classifier_scores()),
    "scores test": lambda: oc.test(classifier_scores()),
    # results
    "results compare": lambda: oc.compare(results()),
    "results compare median": lambda: oc.compare(results(), measure=["mean", "median"]),
    "results compare student": lambda: oc.compare(results(), model="student"),
    "results compare bootstrap": lambda: oc.compare(results(), model="bootstrap"),
    "results compare right": lambda: oc.compare(results("right")),
    "results groups compare": lambda: oc.compare(results("groups")),
    "results groups hierarchical": lambda: oc.compare(results("groups"), model="hierarchical"),
    "results folds compare": lambda: oc.compare(results("folds")),
    "results data sets compare": lambda: oc.compare(results("data sets")),
    "results data sets sign": lambda: oc.compare(results("data sets"), model="sign"),
    "results data sets hierarchical": lambda: oc.compare(results("data sets and folds")),
    "results rank": lambda: oc.rank(results()),
    "results rank data sets": lambda: oc.rank(results("data sets")),
    "results test": lambda: oc.test(results()),
    "results test folds": lambda: oc.test(results("folds")),
    # counts and wins
    "counts compare": lambda: oc.compare(counts=COUNTS),
    "counts compare known": lambda: oc.compare(counts=KNOWN, model="unpaired", measure=["f1", "mcc"]),
    "counts evaluate": lambda: oc.evaluate(counts=list(COUNTS)),
    "wins compare": lambda: oc.compare(wins=(17, 4), items=330),
    "scenario plan": lambda: oc.plan(
        prevalence=0.3, recalls=(0.8, 0.7), false_positive_rates=(0.1, 0.1), n=[200, 400], sets=200, model=["paired"]
    ),
}
