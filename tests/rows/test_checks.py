"""Findings of rows: each appears just below its threshold and not at it, and says what was seen."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.ask.dispatch import planned
from outclass.ask.question import Wishes
from outclass.data.partly_labelled import Judge, partly_labelled
from outclass.findings import Finding
from outclass.inference.chains import Chains, ChainWarning, Diagnostics
from outclass.inference.distribution import Interval
from outclass.inference.summary import Errors
from outclass.models.table_fit import TableFit
from outclass.models.table_fit import fit as fit_table
from outclass.rows import checks
from outclass.rows.checks import Case
from outclass.rows.contrast import contrast
from outclass.rows.types import Contrast
from outclass.verdict.bayes_factor import BayesFactor

Labels = tuple[list[str], list[str], list[str]]
ACCURACY: dict[str, Any] = {"positive": "yes", "measure": "accuracy", "rope": 0.02, "method": "draws", "draws": 2_000}


def pair(
    positives: int, negatives: int, a: tuple[int, int] = (0, 0), b: tuple[int, int] = (0, 0), shared: int = 0
) -> Labels:
    """Return the truth and two systems with so many false negatives and false positives each, none on the same item.

    Both miss the last `shared` positives.
    """

    def said(start: tuple[int, int], wrong: tuple[int, int]) -> list[str]:
        missed = {*range(start[0], start[0] + wrong[0]), *range(positives - shared, positives)}
        false = range(start[1], start[1] + wrong[1])
        yes = ["no" if place in missed else "yes" for place in range(positives)]
        return yes + ["yes" if place in false else "no" for place in range(negatives)]

    return ["yes"] * positives + ["no"] * negatives, said((0, 0), a), said(a, b)


def compared(data: Labels, **options: Any) -> oc.Comparison:
    """Compare two systems in what is quick to compute."""
    return oc.compare(*data, **(ACCURACY | options))


def evaluated(data: Labels, **options: Any) -> oc.Evaluation:
    """Judge the first system."""
    usual = {"positive": "yes", "measure": "accuracy", "method": "draws", "draws": 2_000}
    return oc.evaluate(data[0], data[1], **(usual | options))


def two_sets(first: int, second: int) -> oc.Comparison:
    """Compare two systems, each on a test set of its own with so many positives."""
    sets = [oc.read(*pair(positives, 40, (2, 6))[:2]) for positives in (first, second)]
    return oc.compare(*sets, **(ACCURACY | {"model": "unpaired"}))


def classes(rare: int, a: int = 6, b: int = 24, items: int = 40) -> Labels:
    """Return three classes, one of them rare; A calls some y z, B calls some others x."""
    truth = ["x"] * rare + ["y"] * items + ["z"] * items
    said = [list(truth), list(truth)]
    said[0][rare : rare + a] = ["z"] * a
    said[1][rare + a : rare + a + b] = ["x"] * b
    return truth, said[0], said[1]


def averaged(data: Labels, **options: Any) -> oc.Comparison:
    """Compare an average over classes."""
    return oc.compare(*data, **({"measure": "macro_f1", "rope": 0.02, "draws": 2_000} | options))


def documents(sizes: list[int], wrong: dict[int, int], missed: dict[int, int] | None = None) -> dict[str, list[Any]]:
    """Return items in documents: so many of some documents only B gets wrong, and so many of others only A."""
    rows: dict[str, list[Any]] = {"doc": [], "gold": [], "A": [], "B": []}
    for number, size in enumerate(sizes):
        for place in range(size):
            truth = place % 2
            rows["doc"].append(number)
            rows["gold"].append(truth)
            rows["A"].append(1 - truth if place >= size - (missed or {}).get(number, 0) else truth)
            rows["B"].append(1 - truth if place < wrong.get(number, 0) else truth)
    return rows


def grouped(sizes: list[int], wrong: dict[int, int], **options: Any) -> oc.Comparison:
    """Compare two systems on items in documents."""
    missed = options.pop("missed", None)
    table = documents(sizes, wrong, missed)
    return oc.compare(table, truth="gold", group="doc", **({"measure": "accuracy", "rope": 0.02} | options))


def results(differences: Any, **options: Any) -> oc.Comparison:
    """Compare two systems by numbers whose differences are these."""
    own = np.asarray(differences, dtype=float)
    base = np.linspace(0, 1, len(own))
    table = {"query": list(range(len(own))), "A": base + own, "B": base} | options.pop("columns", {})
    return oc.compare(table, item="query", scores=True, **({"rope": 0.02} | options))


def spread(items: int, same: int = 0) -> np.ndarray:
    """Return differences that are symmetric about zero; the first of them are none."""
    found = np.linspace(-1, 1, items)
    found[:same] = 0.0
    return found


def ranked(positives: int, negatives: int, a: int, b: int, far: float = 0.65) -> dict[str, Any]:
    """Return scores that rank all items right, but for so many positives of each system that are moved down."""
    truth = np.repeat([1, 0], [positives, negatives])
    right = np.concatenate([np.linspace(0.7, 0.9, positives), np.linspace(0.3, 0.5, negatives)])
    own = [right.copy(), right.copy()]
    own[0][:a] -= far
    own[1][positives - b : positives] -= far
    return {"gold": truth, "A": own[0], "B": own[1]}


def scored(table: dict[str, Any], **options: Any) -> oc.Comparison:
    """Compare two systems by their scores."""
    usual = {"truth": "gold", "scores": True, "positive": 1, "rope": 0.02, "draws": 2_000}
    return oc.compare(table, **(usual | options))


def judged(items: int) -> oc.Evaluation:
    """Judge one system by numbers."""
    table = {"query": list(range(items)), "A": np.linspace(0, 1, items)}
    return oc.evaluate(table, item="query", scores=True)


def in_topics(negative: int) -> oc.Comparison:
    """Compare scores of items in groups: so many hold a negative item."""
    topics = {"topic": np.concatenate([np.arange(40), np.arange(60) % negative])}
    return scored(ranked(40, 60, 8, 9) | topics, group="topic", model="bootstrap")


def _unequal(large: int) -> oc.Comparison:
    """One item with so many decisions, and 150 with one each."""
    many = [large, *[1] * 150]
    table = {"a_tp": many, "b_tp": [each - place % 2 for place, each in enumerate(many)]}
    table |= {"a_fp": [0] * 151, "b_fp": [0] * 151, "a_fn": [0] * 151, "b_fn": [place % 2 for place in range(151)]}
    return oc.compare(table, tp="*_tp", fp="*_fp", fn="*_fn", draws=2_000)


TEN = [10] * 40
KNOWN = {"tp": 10, "fp": 5, "fn": 4, "tn": 10}
Asked = Callable[[], Any]


# code -> what it says (# is any number), an example just beyond its threshold, and one just before it
def partly(cells: dict[tuple[int, int], tuple[int, int, int]]) -> oc.Comparison:
    """Compare two systems by what they say (yes is 1): labelled items that are no and yes, and unlabelled ones."""
    patterns = [(truth, a, b) for a, b in cells for truth in (0, 1, -1)]
    counts = [many for each in cells.values() for many in each]
    data = partly_labelled(("a", "b"), ("no", "yes"), [], np.array(patterns), np.array(counts))
    return oc.compare(data, positive="yes", draws=2_000, rope=0.05)


def with_judge(*, as_a: bool) -> oc.Comparison:
    """Compare two systems with a judge that says what A says where A is wrong, or is right in half of these cases."""
    patterns, counts = [], []
    for truth, a, b, many in ((1, 1, 1, 40), (1, 0, 1, 30), (1, 1, 0, 30), (0, 0, 0, 60), (0, 1, 0, 30), (0, 0, 1, 30)):
        says = {a} if as_a and a != truth else {0, 1} if a != b else {truth}
        for said in says:
            patterns += [(truth, a, b, said), (-1, a, b, said)]
            counts += [many // len(says), 10 * many // len(says)]
    judge = Judge("llm", ("no", "yes"))
    data = partly_labelled(("a", "b"), ("no", "yes"), [judge], np.array(patterns), np.array(counts))
    return oc.compare(data, positive="yes", draws=2_000, rope=0.05)


EXAMPLES: dict[str, list[tuple[str, Asked, Asked]]] = {
    "OC104": [
        (
            "A and B differ on only 29 of 200 items, so the result depends on the prior.",
            lambda: compared(pair(100, 100, (10, 5), (8, 6))),
            lambda: compared(pair(100, 100, (10, 5), (8, 7))),
        ),
        (
            "A and B differ on only 29 of 100 positive items, so the result depends on the prior.",
            lambda: compared(pair(100, 100, (15, 9), (14, 9)), measure="recall"),
            lambda: compared(pair(100, 100, (15, 9), (15, 0)), measure="recall"),
        ),
        (
            "A and B differ on only 29 of 90 negative items, so the result depends on the prior.",
            lambda: compared(pair(100, 90, (9, 15), (9, 14)), measure="specificity"),
            lambda: compared(pair(100, 90, (0, 15), (9, 15)), measure="specificity"),
        ),
        (
            "exactly one of A and B is right on only 29 of 100 items, so the result depends on the prior.",
            lambda: oc.compare(wins=(20, 9), items=100),
            lambda: oc.compare(wins=(20, 10), items=100),
        ),
        (
            "A and B differ on only 29 of 100 items, so the result depends on the prior.",
            lambda: averaged(classes(20, 7, 22)),
            lambda: averaged(classes(20, 7, 23)),
        ),
        (
            "A and B differ on only 29 of 100 items, so the result depends on these few.",
            lambda: averaged(classes(20, 7, 22), model="bootstrap"),
            lambda: averaged(classes(20, 7, 23), model="bootstrap"),
        ),
        (
            "A and B differ on only 19 of 40 groups, so the result depends on these few.",
            lambda: grouped(TEN, dict.fromkeys(range(19), 1)),
            lambda: grouped(TEN, dict.fromkeys(range(20), 1)),
        ),
        (
            "A and B differ on only 5 of 12 groups, so the result depends on these few.",
            lambda: grouped(TEN[:12], dict.fromkeys(range(5), 1)),
            lambda: grouped(TEN[:12], dict.fromkeys(range(6), 1)),
        ),
        (
            "A and B disagree mostly in a few groups (equivalent to 13.1 of 40), so the result depends on these few.",
            lambda: grouped(TEN, {0: 5, **dict.fromkeys(range(1, 20), 1)}),
            lambda: grouped(TEN, dict.fromkeys(range(20), 2)),
        ),
        (
            "A and B differ on only 29 of 80 items, so the result depends on the prior.",
            lambda: results(spread(80, 51)),
            lambda: results(spread(80, 50)),
        ),
        (
            "A and B differ on only 25 of 50 items, so the result depends on the prior.",
            lambda: results(spread(50, 25)),
            lambda: results(spread(50, 24)),  # most differ: few of them are few items
        ),
        (
            "A and B rank 41 of 80 items differently, most by little, so the result depends on the prior.",
            lambda: scored(ranked(40, 40, 0, 1)),
            lambda: scored(ranked(40, 40, 0, 8)),
        ),
        (
            "A and B rank 45 of 80 items differently, most by little, so the result depends on the prior.",
            lambda: scored(ranked(40, 40, 0, 5)),
            lambda: scored(ranked(40, 40, 0, 6)),  # six items are not few
        ),
        (
            "A and B rank 44 of 64 items differently, most by little, so the result depends on the prior.",
            lambda: scored(ranked(24, 40, 0, 4)),
            lambda: scored(ranked(19, 40, 0, 4)),  # a fifth of a class is not little
        ),
        (
            "A and B differ on only 29 of 80 items, so the result depends on the prior.",
            lambda: scored(ranked(40, 40, 14, 15, far=0.1), measure="brier"),
            lambda: scored(ranked(40, 40, 15, 15, far=0.1), measure="brier"),
        ),
    ],
    "OC105": [
        (
            "A and B agree on all 200 items; any remaining difference comes from the prior.",
            lambda: compared(pair(100, 100, shared=9)),
            lambda: compared(pair(100, 100, (1, 0), shared=9)),
        ),
        (
            "A and B agree on all 100 items; the data show no difference at all.",
            lambda: averaged(classes(20, 0, 0), model="bootstrap"),
            lambda: averaged(classes(20, 0, 1), model="bootstrap"),
        ),
        (
            "A and B agree on all 40 groups; the data show no difference at all.",
            lambda: grouped(TEN, {}, missed={0: 0}),
            lambda: grouped(TEN, {0: 1}),
        ),
        (
            "A and B agree on all 40 items; any remaining difference comes from the prior.",
            lambda: results(np.zeros(40), model="bootstrap"),
            lambda: results([0.0] * 39 + [0.5], model="bootstrap"),
        ),
        (
            "A and B rank every positive item identically among the negatives; any remaining difference comes from the "
            "prior.",
            lambda: scored(ranked(40, 40, 0, 0)),
            lambda: scored(ranked(40, 40, 0, 1)),
        ),
    ],
    "OC106": [
        (
            "A never predicts the positive label.",
            lambda: compared(pair(30, 60, (30, 0), (0, 12))),
            lambda: compared(pair(30, 60, (29, 0), (0, 12))),
        ),
        (
            "B predicts the positive label for every item.",
            lambda: compared(pair(30, 60, (6, 0), (0, 60))),
            lambda: compared(pair(30, 60, (6, 0), (0, 59))),
        ),
        (
            "A never predicts the positive label.",
            lambda: evaluated(pair(30, 60, (30, 0))),
            lambda: evaluated(pair(30, 60, (29, 0))),
        ),
    ],
    "OC107": [
        (
            "there are only 29 items, so the result depends on the prior.",
            lambda: compared(pair(14, 15, (4, 4), (3, 3))),
            lambda: compared(pair(15, 15, (4, 4), (3, 3))),
        ),
        (
            "there are only 29 items, so the result depends on the model's assumptions.",
            lambda: averaged(classes(5, 6, 5, items=12)),
            lambda: averaged(classes(6, 6, 5, items=12)),
        ),
        (
            "there are only 29 groups, so the result depends on the model's assumptions.",
            lambda: grouped(TEN[:29], dict.fromkeys(range(20), 1)),
            lambda: grouped(TEN[:30], dict.fromkeys(range(20), 1)),
        ),
        (
            "there are only 29 items for A, so the result depends on the prior.",
            lambda: oc.compare(counts=[KNOWN, KNOWN | {"tp": 20}]),
            lambda: oc.compare(counts=[KNOWN | {"tp": 11}, KNOWN | {"tp": 20}]),
        ),
        (
            "there are only 29 items for A, so the result depends on the prior.",
            lambda: evaluated(pair(14, 15, (4, 4))),
            lambda: evaluated(pair(15, 15, (4, 4))),
        ),
        (
            "there is only 1 item for A, so the result depends on the prior.",
            lambda: oc.evaluate(counts={"tp": 1, "fp": 0, "fn": 0}),
            lambda: oc.evaluate(counts={"tp": 30, "fp": 0, "fn": 0}),
        ),
        (
            "there are only 29 items, so the result depends on the model's assumptions.",
            lambda: results(spread(29)),
            lambda: results(spread(30)),
        ),
        (
            "there are only 29 items, so the result depends on the model's assumptions.",
            lambda: scored(ranked(14, 15, 5, 6, far=0.1), measure="brier"),
            lambda: scored(ranked(15, 15, 5, 6, far=0.1), measure="brier"),
        ),
        (
            "there are only 29 items, so the result depends on the model's assumptions.",
            lambda: judged(29),
            lambda: judged(30),
        ),
        (
            "there are only 7 groups or data sets, so their variation is poorly known; 95% intervals cover the true "
            "value about 90% of the time.",
            lambda: results(spread(70), columns={"topic": np.arange(70) % 7}, group="topic", model="bootstrap"),
            lambda: results(spread(80), columns={"topic": np.arange(80) % 30}, group="topic", model="bootstrap"),
        ),
        (
            "there are only 8 items, so the result depends on the model's assumptions.",
            lambda: results(spread(80), columns={"topic": np.arange(80) % 8}, group="topic", model="bootstrap"),
            lambda: results(spread(80), columns={"topic": np.arange(80) % 30}, group="topic", model="bootstrap"),
        ),
    ],
    "OC108": [
        (
            "only 19 items have the label yes, so intervals may be too narrow or too wide (docs/coverage.md).",
            lambda: compared(pair(19, 60, (4, 10), (6, 12))),
            lambda: compared(pair(20, 60, (4, 10), (6, 12))),
        ),
        (
            "only 19 items do not have the label yes, so intervals may be too narrow or too wide (docs/coverage.md).",
            lambda: compared(pair(60, 19, (14, 4), (16, 6))),
            lambda: compared(pair(60, 20, (14, 4), (16, 6))),
        ),
        (
            "only 19 items have the label yes, so intervals may be too narrow or too wide (docs/coverage.md).",
            lambda: two_sets(9, 10),
            lambda: two_sets(10, 10),  # both test sets count
        ),
        (
            "only 19 items are positive, so the interval of A may be too narrow.",
            lambda: evaluated(pair(19, 40, (2, 6))),
            lambda: evaluated(pair(20, 40, (2, 6))),
        ),
        (
            "only 19 items are negative, so the interval of A may be too narrow.",
            lambda: evaluated(pair(40, 19, (2, 6))),
            lambda: evaluated(pair(40, 20, (2, 6))),
        ),
        (
            "only 19 items are positive, so the interval of A may be too narrow.",
            lambda: evaluated(pair(19, 40, (2, 6)), model="goutte", measure="f1"),
            lambda: evaluated(pair(40, 19, (2, 6)), model="goutte", measure="f1"),  # it knows no true negatives
        ),
    ],
    "OC109": [
        (
            "A makes only 5 errors, so the interval of its own accuracy depends on the prior.",
            lambda: compared(pair(100, 100, (3, 2), (8, 9))),
            lambda: compared(pair(100, 100, (3, 3), (8, 9))),
        ),
        (
            "B makes only 1 false negative, so the interval of its own recall depends on the prior.",
            lambda: compared(pair(100, 100, (6, 0), (1, 9)), measure="recall"),
            lambda: compared(pair(100, 100, (6, 0), (6, 0)), measure="recall"),
        ),
        (
            "B makes no false positives, so the interval of its own specificity depends on the prior.",
            lambda: compared(pair(100, 100, (0, 6), (9, 0)), measure="specificity"),
            lambda: compared(pair(100, 100, (0, 6), (0, 6)), measure="specificity"),
        ),
        (
            "A makes only 5 errors, so the interval of its own accuracy depends on the prior.",
            lambda: evaluated(pair(30, 60, (3, 2))),
            lambda: evaluated(pair(30, 60, (3, 3))),
        ),
        (
            "A makes only 5 errors, so the interval of its own macro-F1 may be too narrow.",
            lambda: averaged(classes(20, 5, 30), model="bootstrap"),
            lambda: averaged(classes(20, 6, 30), model="bootstrap"),
        ),
        (
            "A makes only 5 errors, so the interval of its own macro-F1 depends on the prior.",
            lambda: averaged(classes(20, 5, 30)),
            lambda: averaged(classes(20, 6, 30)),
        ),
        (
            "A makes only 5 errors, so the interval of its own accuracy may be too narrow.",
            lambda: grouped(TEN, dict.fromkeys(range(20), 1), missed=dict.fromkeys(range(5), 1), measure="accuracy"),
            lambda: grouped(TEN, dict.fromkeys(range(20), 1), missed=dict.fromkeys(range(6), 1), measure="accuracy"),
        ),
    ],
    "OC110": [
        (
            "predicted but never true: 'perhaps'.",
            lambda: compared((["yes", "no"] * 20, ["yes", "perhaps"] * 20, ["no", "no"] * 20)),
            lambda: compared((["yes", "no"] * 20, ["yes", "yes"] * 20, ["no", "no"] * 20)),
        ),
        (
            "predicted but never true: 'w'. A macro average skips such a label unless every system predicts it; then "
            "it counts as 0.",
            lambda: averaged((["x", "y", "z"] * 10, ["x", "w", "z"] * 10, ["x", "x", "z"] * 10)),
            lambda: averaged((["x", "y", "z"] * 10, ["x", "z", "z"] * 10, ["x", "x", "z"] * 10)),
        ),
    ],
    "OC114": [
        (
            "items come in 40 groups (effective number 40.0): accounting for them makes the interval #× as wide as "
            "for independent items, which does not show that items within a group are independent.",
            lambda: grouped(TEN, dict.fromkeys(range(40), 1), missed=dict.fromkeys(range(40), 1)),
            lambda: grouped(TEN, dict.fromkeys(range(20), 9)),
        ),
    ],
    "OC120": [
        (
            "both results have 14 positives, as if from the same test set, but counts do not show on which items the "
            "systems agree, so the interval is likely too wide. Use labels per item if you have them; or same_items, "
            "which looks at every possible agreement.",
            lambda: oc.compare(counts=[KNOWN, KNOWN | {"tp": 12, "fn": 2}]),
            lambda: oc.compare(counts=[KNOWN, KNOWN | {"tp": 12, "fn": 3}]),
        ),
        (
            "both results have 100 items, as if from the same test set, but counts do not show on which items the "
            "systems agree, so the interval is likely too wide. Use labels per item if you have them; or same_items, "
            "which looks at every possible agreement.",
            lambda: oc.compare(counts=["accuracy=.91,n=100", "accuracy=.95,n=100"]),
            lambda: oc.compare(counts=["accuracy=.91,n=100", "accuracy=.95,n=101"]),
        ),
    ],
    "OC631": [
        (
            "depending on which of the counts that are printed alike are taken, the 95% HDI lies between -# and +#; "
            "the decision is the same.",
            lambda: oc.compare(counts=["accuracy=.91,n=101", "accuracy=.95,n=150"], rope=0.5),
            lambda: oc.compare(counts=["accuracy=.91,n=100", "accuracy=.95,n=100"], rope=0.5),
        ),
        (
            "depending on which of the counts that are printed alike are taken, the 95% HDI lies between # and #.",
            lambda: oc.evaluate(counts="accuracy=.95,n=150"),
            lambda: oc.evaluate(counts="accuracy=.95,n=100"),
        ),
    ],
    "OC700": [
        (
            "only 48 items are labelled, so the result depends on the prior.",
            lambda: partly({(1, 1): (10, 14, 300), (1, 0): (6, 6, 60), (0, 0): (11, 1, 600)}),
            lambda: partly({(1, 1): (10, 14, 300), (1, 0): (8, 8, 60), (0, 0): (9, 1, 600)}),
        ),
        (
            "the systems differ on only 14 of the 60 labelled items, so the result depends on the prior. Label more of "
            "those where they differ (`oc.label(…)`).",
            lambda: partly({(1, 1): (10, 14, 300), (1, 0): (7, 7, 60), (0, 0): (21, 1, 600)}),
            lambda: partly({(1, 1): (10, 14, 300), (1, 0): (8, 7, 60), (0, 0): (20, 1, 600)}),
        ),
    ],
    "OC703": [
        (
            "9% of the items are alike in what systems and judges say and none of them is labelled: the interval is "
            "wide for it. Label some of them (`oc.label(…)`).",
            lambda: partly({(1, 1): (10, 20, 300), (1, 0): (0, 0, 90), (0, 0): (30, 1, 520)}),
            lambda: partly({(1, 1): (10, 20, 300), (1, 0): (1, 0, 90), (0, 0): (30, 1, 520)}),
        ),
    ],
    "OC704": [
        (
            "the judge llm shares #% of the errors of a and #% of those of b: taken for the truth, it favours a. Here "
            "it is not.",
            lambda: with_judge(as_a=True),
            lambda: with_judge(as_a=False),
        ),
    ],
    "OC705": [
        (
            "only 9 labelled items are yes, so the interval is likely wider than it needs to be.",
            lambda: partly({(1, 1): (10, 4, 300), (1, 0): (20, 4, 60), (0, 0): (50, 1, 600)}),
            lambda: partly({(1, 1): (10, 4, 300), (1, 0): (20, 5, 60), (0, 0): (50, 1, 600)}),
        ),
    ],
    "OC706": [
        (
            "53% of the labels are on the 10% of the items where the systems differ: the answer assumes that items "
            "which systems and judges label alike were chosen at random.",
            lambda: partly({(1, 1): (10, 14, 300), (1, 0): (20, 20, 60), (0, 0): (11, 1, 600)}),
            lambda: partly({(1, 1): (10, 14, 300), (1, 0): (2, 2, 60), (0, 0): (30, 1, 600)}),
        ),
    ],
    "OC632": [
        (
            "which items A and B agree on is unknown, so the widest possible interval is shown, that of agreement on "
            "#%. The 95% HDI is -# to +# (agreement #%) if errors are independent, and at its narrowest -# to +# "
            "(agreement #%). No possible agreement decides.",
            lambda: oc.compare(counts=[KNOWN, KNOWN], same_items=True),
            lambda: oc.compare(counts=[KNOWN, KNOWN]),
        ),
    ],
    "OC121": [
        (
            "19 groups, the largest with 5% of the weight, are equivalent to 19.0 equal groups; with so few, the "
            "interval relies on the groups being similar and may be too wide.",
            lambda: grouped(TEN[:19], dict.fromkeys(range(12), 1)),
            lambda: grouped(TEN[:20], dict.fromkeys(range(12), 1)),
        ),
        (
            "4 groups, the largest with 25% of the weight, are equivalent to 4.0 equal groups: too few to support the "
            "interval. Treat it as a rough guess; collect more groups.",
            lambda: grouped(TEN[:4], dict.fromkeys(range(3), 1)),
            lambda: grouped(TEN[:5], dict.fromkeys(range(3), 1)),
        ),
        (
            "21 groups, the largest with 19% of the weight, are equivalent to 14.5 equal groups; with so few, the "
            "interval relies on the groups being similar and may be too wide.",
            lambda: grouped([47, *TEN[:20]], dict.fromkeys(range(12), 1)),
            lambda: grouped(TEN[:21], dict.fromkeys(range(12), 1)),
        ),
        (
            "19 groups, the largest with 6% of the weight, are equivalent to 18.7 equal groups; with so few, the "
            "interval relies on the groups being similar and may be too wide.",
            lambda: results(spread(70), columns={"topic": np.arange(70) % 19}, group="topic", model="bootstrap"),
            lambda: results(spread(80), columns={"topic": np.arange(80) % 20}, group="topic", model="bootstrap"),
        ),
    ],
    "OC122": [
        (
            "the difference is +0.3333 averaged over items and +0.1667 averaged over groups: large and small groups "
            "differ, and the interval may be too narrow. This answer averages over items; for the other, use "
            "average='groups'.",
            lambda: grouped([4] * 20 + [16] * 10, dict.fromkeys(range(20, 30), 8)),
            lambda: grouped(TEN[:30], dict.fromkeys(range(20, 30), 5)),
        ),
    ],
    "OC201": [
        (
            "the observed precision of A is undefined, because nothing is predicted positive; its posterior relies "
            "on the prior and the rest of the data.",
            lambda: compared(pair(30, 60, (30, 0), (0, 12)), measure="precision"),
            lambda: compared(pair(30, 60, (29, 0), (0, 12)), measure="precision"),
        ),
        (
            "the observed precision of A is undefined, because nothing is predicted positive; its posterior relies "
            "on the prior and the rest of the data.",
            lambda: evaluated(pair(30, 60, (30, 0)), measure="precision"),
            lambda: evaluated(pair(30, 60, (29, 0)), measure="precision"),
        ),
    ],
    "OC202": [
        (
            "the prior has the weight of 12 positives; the data have 23.",
            lambda: compared(pair(23, 60, (4, 10), (6, 12)), prior=3),
            lambda: compared(pair(24, 60, (4, 10), (6, 12)), prior=3),
        ),
        (
            "the prior has the weight of 12 negatives; the data have 23.",
            lambda: compared(pair(60, 23, (10, 4), (12, 6)), prior=3),
            lambda: compared(pair(60, 24, (10, 4), (12, 6)), prior=3),
        ),
        (
            "the prior has the weight of 10.4 positives; the data have 20.",
            lambda: compared(pair(20, 60, (4, 10), (6, 12)), prior=2.6),
            lambda: compared(pair(19, 60, (4, 10), (6, 12)), prior=2.5),  # ten pseudo-items are not many
        ),
        (
            "the prior has the weight of 12 positives; the data have 23.",
            lambda: compared(pair(23, 60, (4, 10), (6, 12)), prior=6, model="unpaired"),
            lambda: compared(pair(24, 60, (4, 10), (6, 12)), prior=6, model="unpaired"),
        ),
        (
            "the prior has the weight of 60 items; the data have 119.",
            lambda: compared(pair(59, 60, (4, 10), (6, 12)), prior={"mu": 30, "positives": 1, "negatives": 1}),
            lambda: compared(pair(60, 60, (4, 10), (6, 12)), prior={"mu": 30, "positives": 1, "negatives": 1}),
        ),
    ],
    "OC208": [
        (
            "1 of 3 labels have fewer than 20 items, so the interval of an average over labels may be too narrow "
            "(docs/coverage.md).",
            lambda: averaged(classes(19)),
            lambda: averaged(classes(20)),
        ),
        (
            "1 of 3 labels have fewer than 20 items, so the interval of an average over labels may be too narrow "
            "(docs/coverage.md).",
            lambda: oc.evaluate(*classes(19)[:2], measure="macro_f1", draws=2_000),
            lambda: oc.evaluate(*classes(19)[:2], measure="micro_f1", draws=2_000),  # no average over labels
        ),
    ],
    "OC610": [
        (
            "67% of the true labels in micro-F1 are 'x', so it says little of the others; leave that label out "
            "(exclude_labels='x'), or use macro-F1.",
            lambda: averaged(classes(160), measure="micro_f1"),
            lambda: averaged(classes(159), measure="micro_f1"),
        ),
        (
            "67% of the true labels in micro-F1 are 'x', so it says little of the others; leave that label out "
            "(exclude_labels='x'), or use macro-F1.",
            lambda: oc.evaluate(*classes(160)[:2], measure="micro_f1", draws=2_000),
            lambda: oc.evaluate(*classes(160)[:2], measure="micro_f1", exclude_labels="x", draws=2_000),
        ),
    ],
    "OC622": [
        (
            "a few large items hold most of the decisions: 151 items are worth 15 of the same size, so the interval "
            "may be too narrow.",
            lambda: _unequal(50),
            lambda: _unequal(10),
        ),
    ],
    "OC212": [
        (
            "only 29 positive items: the interval of AUC may be too narrow or too wide.",
            lambda: scored(ranked(29, 40, 8, 9)),
            lambda: scored(ranked(30, 40, 8, 9)),
        ),
        (
            "only 29 negative items: the interval of AUC may be too narrow or too wide.",
            lambda: scored(ranked(40, 29, 8, 9)),
            lambda: scored(ranked(40, 30, 8, 9)),
        ),
        (
            "A ranks nearly perfectly (as if 5.0 positives were misranked), so its interval depends on the prior.",
            lambda: scored(ranked(30, 40, 5, 9)),
            lambda: scored(ranked(30, 40, 6, 9)),
        ),
        (
            "recall at precision 0.9 depends on the few items near its threshold; its interval may be too narrow or "
            "too wide.",
            lambda: scored(ranked(40, 40, 8, 9), measure="recall_at_precision:0.9"),
            lambda: scored(ranked(40, 40, 8, 9), measure="auc"),
        ),
        (
            "only 29 negative groups with items: the interval of AUC may be too narrow or too wide.",
            lambda: in_topics(29),
            lambda: in_topics(30),
        ),
        (
            "only 19 items or groups: the interval from weights on them is too narrow.",
            lambda: results(spread(19), model="bootstrap"),
            lambda: results(spread(20), model="bootstrap"),
        ),
    ],
    "OC213": [
        (
            "all differences are equal, so the data contain no information about uncertainty.",
            lambda: results(np.full(40, 0.25), model="bootstrap"),
            lambda: results([0.25] * 39 + [0.5], model="bootstrap"),
        ),
        (
            "22% of the differences are tied; the student model treats the rest as outliers and estimates the tied "
            "value, not the mean. Use model='t'.",
            lambda: results(spread(40, 10), model="student"),
            lambda: results(spread(40, 9), model="student"),
        ),
        (
            "the mean difference is 0.1, but the student model estimates the centre at #, because it treats distant "
            "values as outliers. If every item should count, use model='bootstrap' or model='t'.",
            lambda: results(np.concatenate([spread(36) / 10, [1.0] * 4]), model="student"),
            lambda: results(np.concatenate([spread(36) / 10, [0.01] * 4]), model="student"),
        ),
    ],
    "OC214": [
        (
            "the differences are skewed (skewness 1.3) and 80 items may not be enough: the interval of the mean may "
            "be too narrow.",
            lambda: results([1.0] * 18 + [0.0] * 62, model="t"),
            lambda: results([1.0] * 19 + [0.0] * 61, model="t"),
        ),
    ],
    "OC215": [
        (
            "ECE has no interval: binning biases it upwards by an unknown amount. To compare calibration with an "
            "interval, use the Brier score (measure='brier').",
            lambda: scored(ranked(40, 40, 8, 9), measure="ece"),
            lambda: scored(ranked(40, 40, 8, 9), measure="brier"),
        ),
    ],
    "OC302": [
        (
            "the unpaired model was used although both systems saw the same items; it ignores the pairing, so the "
            "interval is wider than necessary. Use model='paired'.",
            lambda: compared(pair(30, 60, (4, 10), (6, 12)), model="unpaired"),
            lambda: compared(pair(30, 60, (4, 10), (6, 12))),
        ),
        (
            "the goutte model was used although both systems saw the same items; it ignores the pairing, so the "
            "interval is wider than necessary. Use model='paired'.",
            lambda: compared(pair(30, 60, (4, 10), (6, 12)), model="goutte", measure="f1"),
            lambda: oc.compare(counts=[KNOWN, KNOWN], model="goutte"),
        ),
    ],
    "OC304": [
        (
            "no ROPE was set, so the default of ±0.05 was used; change it with `rope=…`.",
            lambda: compared(pair(50, 50, (5, 6), (10, 10)), rope=None),
            lambda: compared(pair(50, 50, (5, 6), (10, 10)), rope=0.05),
        ),
        (
            "no ROPE was set, so the default of ±0.05 was used; change it with `rope=…`.",
            lambda: compared(pair(50, 50, (5, 6), (10, 10)), rope=None),
            lambda: compared(pair(50, 50, (5, 4), (10, 10)), rope=None),
        ),
    ],
    "OC305": [
        (
            "the default ROPE of ±0.05 is wide: the better system's error is 0.09, so large improvements count as "
            "equivalent. Change it with `rope=…`, for example rope='10%' (of the error).",
            lambda: compared(pair(50, 50, (5, 4), (10, 10)), rope=None),
            lambda: compared(pair(50, 50, (5, 6), (10, 10)), rope=None),
        ),
        (
            "the default ROPE of ±0.05 is wider than the gap between a perfect and a constant system (0.04), so "
            "nearly any two systems would count as equivalent. Change it with `rope=…`.",
            lambda: compared(pair(4, 96, (1, 0), (4, 0)), rope=None),
            lambda: compared(pair(5, 95, (1, 9), (4, 9)), rope=None),
        ),
    ],
}


def shape(sentence: str) -> str:
    """Return a sentence without its numbers."""
    return re.sub(r"[\d.,]*\d", "#", sentence)


def told(answer: Any, code: str) -> list[str]:
    """Return the sentences of one code."""
    return [each.message for each in answer.findings if each.code == code]


CASES = [
    pytest.param(code, *each, id=f"{code}-{at}") for code, every in EXAMPLES.items() for at, each in enumerate(every)
]


@pytest.mark.parametrize(("code", "sentence", "beyond", "before"), CASES)
def test_a_finding_begins_at_its_threshold(code: str, sentence: str, beyond: Asked, before: Asked) -> None:
    """Just beyond the threshold the finding is there, in these words; just before it nothing of the kind is said."""
    said = told(beyond(), code)

    assert (sentence if "#" not in sentence else shape(sentence)) in (map(shape, said) if "#" in sentence else said)
    assert shape(sentence) not in map(shape, told(before(), code))


# --- what needs a row of its own --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exact() -> tuple[TableFit, Contrast]:
    """A fit of two classes, integrated, and its row of the accuracy."""
    source = oc.read(*pair(60, 60, (14, 10), (16, 12)))
    ((data, label, question),) = planned(source, Wishes(positive="yes", measure="accuracy", rope=0.02)).tables
    fit = fit_table(data, label, question)
    return fit, contrast(fit, 0, 1, question.measures[0])


def looked_at(fit: TableFit, row: Contrast) -> dict[str, str]:
    """Return what the checks of a row say, by code."""
    found = checks.findings_of(Case(fit=fit, measure=fit.question.measures[0], a=0, b=1, row=row))
    return {each.code: each.message for each in found}


def tolerating(fit: TableFit, tolerance: float) -> TableFit:
    """Return a fit of which another tolerance was asked."""
    settings = replace(fit.question.settings, tolerance=tolerance)
    return replace(fit, question=replace(fit.question, settings=settings))


ERRORS = Errors(mean=0, std=0, hdi=Interval(0, 0), below=0, above=0, rope=0)
OF_AN_ERROR = [
    lambda error: replace(ERRORS, below=error),
    lambda error: replace(ERRORS, above=error),
    lambda error: replace(ERRORS, rope=error),
    lambda error: replace(ERRORS, hdi=Interval(error, 0)),
    lambda error: replace(ERRORS, hdi=Interval(0, error)),
]


@pytest.mark.parametrize("errors", OF_AN_ERROR)
@pytest.mark.parametrize(
    ("tolerance", "error", "said"),
    [
        (1e-4, 0.00099, False),  # below a thousandth nobody sees it
        (1e-4, 0.00101, True),
        (5e-4, 0.0024, False),  # five times what was asked
        (5e-4, 0.0026, True),
        (1e-5, 0.000019, False),  # whoever asks for many digits wants them: twice what was asked
        (1e-5, 0.000021, True),
        (5e-5, 0.00011, False),  # not many digits
    ],
)
def test_numbers_less_exact_than_asked(
    exact: tuple[TableFit, Contrast], errors: Any, tolerance: float, error: float, said: bool
) -> None:
    """OC203 speaks of the worst of all errors, against what was asked for."""
    fit, row = exact
    rough = replace(row, difference=replace(row.difference, errors=errors(error)))

    found = looked_at(tolerating(fit, tolerance), rough)

    assert ("OC203" in found) is said
    if said:
        assert f"the numerical error is {error:.1g}, above the requested {tolerance:g}" in found["OC203"]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"method": "sobol draws"}, "accuracy, or a prior this weak, can only be sampled"),
        ({"hdi_mass": 0.995}, "an interval this wide ends far in the tails"),
        ({"hdi_mass": 0.99, "items": 999}, "with so few items the posterior is not smooth"),
        ({"items": 999}, "with so few items the posterior is not smooth"),
        ({"items": 1_000}, "it would need more integration points than outclass uses"),
    ],
)
def test_why_numbers_are_less_exact(exact: tuple[TableFit, Contrast], changes: dict[str, Any], why: str) -> None:
    """OC203 says what stood in the way."""
    fit, row = exact
    rough = replace(row, difference=replace(row.difference, errors=replace(ERRORS, rope=0.01)), **changes)

    assert looked_at(fit, rough)["OC203"].endswith(f": {why}.")


@pytest.mark.parametrize("method", ["draws", "nuts", "metropolis", "pymc", "numpyro"])
def test_draws_are_as_exact_as_they_are(exact: tuple[TableFit, Contrast], method: str) -> None:
    """Whoever asked for draws knows that they have an error."""
    fit, row = exact
    rough = replace(row, method=method, difference=replace(row.difference, errors=replace(ERRORS, rope=0.1)))

    assert "OC203" not in looked_at(fit, rough)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"savage_dickey": 0.33, "paper_kde": 3.1}, True),
        ({"savage_dickey": 0.34, "paper_kde": 3.1}, False),
        ({"savage_dickey": 0.33, "paper_kde": 2.9}, False),
        ({"savage_dickey": 0.33, "same_accuracy": 3.1}, True),
        ({"savage_dickey": 0.33, "interval_null": 3.1}, False),  # another question
        ({"savage_dickey": 0.1, "paper_kde": float("nan")}, False),
        ({"savage_dickey": 0.1, "savage_dickey_conditional": 10.0, "paper_kde": float("nan")}, True),
        ({}, False),
    ],
)
def test_bayes_factors_that_disagree(exact: tuple[TableFit, Contrast], values: dict[str, float], said: bool) -> None:
    """OC205: of the factors of exact equality one is below a third and another above three."""
    fit, row = exact
    factors = tuple(BayesFactor(name=name, value=value, words="") for name, value in values.items())

    assert ("OC205" in looked_at(fit, replace(row, bayes_factors=factors))) is said


def test_chains_that_did_not_converge(exact: tuple[TableFit, Contrast]) -> None:
    """OC210 says what is wrong with the chains; of those that met nothing is said."""
    fit, row = exact
    law = Chains(np.random.default_rng(0).normal(0, 0.1, size=(4, 100)), Interval(-1, 1), "nuts")
    good = Diagnostics(sampler="nuts", chains=4, draws=100, tuned=0, ess_bulk=400, ess_tail=400, r_hat=1.01, mcse=0.001)

    vars(law)["diagnostics"] = good  # what ArviZ would compute of them
    assert "OC210" not in looked_at(fit, replace(row, law=law))
    vars(law)["diagnostics"] = replace(good, r_hat=1.02)
    said = looked_at(fit, replace(row, law=law))["OC210"]
    assert said == (
        "the chains did not converge: R-hat is 1.020 (should be at most 1.01). Use more draws, or the exact method."
    )
    with pytest.warns(ChainWarning, match="did not converge") as warned:
        checks.warn_of_chains([Finding("OC210", said), Finding("OC104", "few"), Finding("OC210", said)])
    assert len(warned) == 1


@pytest.mark.parametrize(("end", "side"), [("low", -1), ("low", 1), ("high", -1), ("high", 1)])
def test_a_verdict_on_the_edge_of_the_rope(exact: tuple[TableFit, Contrast], end: str, side: int) -> None:
    """OC301: an end of the interval is within a hundredth of its width of an edge of the ROPE, and decides."""
    fit, row = exact
    width, at = 0.1, 0.02 if end == "low" else -0.02

    def moved(by: float) -> Contrast:
        low = at + side * by * width
        hdi = Interval(low, low + width) if end == "low" else Interval(low - width, low)
        return replace(row, difference=replace(row.difference, hdi=hdi, errors=ERRORS))

    assert "OC301" in looked_at(fit, moved(0.0095))
    assert "OC301" not in looked_at(fit, moved(0.0105))
    told_of = looked_at(fit, moved(0.0095))["OC301"]
    assert (
        f"A against B in accuracy (label yes) is borderline: the interval ends at {at + side * 0.00095:+.4f}" in told_of
    )
    assert told_of.endswith(f"the ROPE at {at:+g}.")


def test_an_edge_that_decides_nothing(exact: tuple[TableFit, Contrast]) -> None:
    """An interval far wider than the ROPE may end on its edge: the verdict is the same either way."""
    fit, row = exact
    wide = replace(row, difference=replace(row.difference, hdi=Interval(-0.5, -0.02), errors=ERRORS))
    rough = replace(row, difference=replace(row.difference, hdi=Interval(0.03, 0.13), errors=ERRORS))
    hair = replace(rough, difference=replace(rough.difference, errors=replace(ERRORS, hdi=Interval(0.011, 0))))

    assert "OC301" in looked_at(fit, wide)
    assert "OC301" not in looked_at(fit, rough)
    assert "OC301" in looked_at(fit, hair)  # as rough as the numbers are


def test_a_label_beside_the_systems(exact: tuple[TableFit, Contrast]) -> None:
    """Where there is no label, none is named."""
    fit, row = exact
    edge = replace(row, label=None, difference=replace(row.difference, hdi=Interval(0.02, 0.12), errors=ERRORS))

    assert "in accuracy is borderline" in looked_at(fit, edge)["OC301"]


# --- what needs two answers -------------------------------------------------------------------------------------------


def test_what_groups_do_to_the_interval_of_weights() -> None:
    """The ratio that is told is that of the two intervals: with weights on groups, and with weights on items."""
    table = documents([10] * 30, dict.fromkeys(range(12), 5), dict.fromkeys(range(20, 26), 4))
    asked: dict[str, Any] = {"truth": "gold", "measure": "accuracy", "rope": 0.02, "model": "bootstrap", "draws": 4_000}
    with_groups = oc.compare(table, group="doc", **asked)
    without = oc.compare({name: column for name, column in table.items() if name != "doc"}, **asked)

    (said,) = told(with_groups, "OC114")
    ratio = float(re.findall(r"interval ([\d.]+)×", said)[0])

    # Two intervals of 4,000 draws: 4% each.
    assert ratio == pytest.approx(with_groups.only.difference.hdi.width / without.only.difference.hdi.width, rel=0.08)
    assert 1.2 < ratio < 4


def test_a_prior_that_moves_the_result() -> None:
    """OC207: the prior's items move the difference by more than a tenth of its spread, and by how much."""
    data = classes(20, 6, 24)
    rows = {prior: averaged(data, prior=prior) for prior in (0.2, 3)}
    plain = averaged(data, prior=0).only

    assert told(rows[0.2], "OC207") == []
    (said,) = told(rows[3], "OC207")
    shift = float(re.findall(r"by ([\d.]+) posterior standard deviations", said)[0])
    row = rows[3].only
    # The posterior's mean moves as the prior's items do; of 2,000 draws each is known within 4/45 of its std.
    assert shift == pytest.approx(abs(row.difference.mean - plain.difference.mean) / row.difference.std, abs=0.2)


def test_draws_that_are_left_out() -> None:
    """OC206: the share of draws in which a measure of either system is undefined."""

    def low_accuracy(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        share = (tp + tn) / (tp + fp + fn + tn)
        return np.where(share > 0.8, np.nan, share)

    (said,) = told(compared(pair(50, 50, (10, 10), (20, 20)), measure=low_accuracy), "OC206")

    # A's accuracy is Beta-like around .8, B's far below it: about half of the draws.
    assert 40 < float(re.findall(r"is undefined for ([\d.]+)% of the draws, which were dropped", said)[0]) < 60
    assert told(compared(pair(50, 50, (20, 20), (25, 25)), measure=low_accuracy), "OC206") == []


# --- the registry -----------------------------------------------------------------------------------------------------

# Those that have a test of their own, above or where chains, folds, data sets and repeats are made.
ELSEWHERE = {"OC203", "OC205", "OC206", "OC207", "OC210", "OC301", "OC512", "OC521", "OC522"}
# Those of runs, in tests/runs/test_findings.py, of annotators, in tests/ask/test_annotators.py, and how many items are
# labelled, in tests/judged/test_poststratified.py.
ELSEWHERE |= {"OC650", "OC651", "OC653", "OC654", "OC656", "OC708", "OC721"}


def test_every_code_of_a_check_has_an_example() -> None:
    """What a check can say is shown above at its threshold: the codes are read off the checks' sources."""
    sources = [Path(str(module.__file__)).read_text(encoding="utf-8") for module in checks.load()]
    codes = {code for source in sources for code in re.findall(r"OC\d{3}", source)}

    assert len(sources) == 20
    assert codes == set(EXAMPLES) | ELSEWHERE


def test_agreement_is_of_what_the_measure_sees() -> None:
    """Systems wrong on the same items by other labels agree in accuracy, and in macro-F1 they do not."""
    truth = ["a", "b", "c"] * 40
    wrong = {"a": ("b", "c"), "b": ("c", "a"), "c": ("a", "b")}
    one, other = ([wrong[label][which] if at < 45 else label for at, label in enumerate(truth)] for which in (0, 1))
    macro, micro = oc.compare(truth, one, other, names=("a1", "b1"), rope=0.05).rows
    told = [each.message for each in micro.findings if each.code == "OC105"]

    assert not {"OC104", "OC105"} & {each.code for each in macro.findings}
    assert told == [
        "a1 and b1 are right on the same items (of 120); any remaining difference in micro-F1 comes from the prior."
    ]


def test_agreement_about_one_label_names_it() -> None:
    """With three labels, systems that differ elsewhere agree about one of them."""
    truth = ["a", "b", "c"] * 20
    b = ["c" if label == "b" else label for label in truth]
    found = oc.compare(truth, truth, b, positive="a", measure="recall", rope=0.05)

    assert any(each.message.startswith("A and B agree about a on all 20 positive items;") for each in found.findings)


def test_a_constant_system_is_no_yardstick_of_recall() -> None:
    """Always saying yes has a recall of one, which says nothing of how wide the default ROPE is."""
    found = compared(pair(100, 100, (20, 6), (30, 10)), measure="recall", rope=None)

    assert {"OC304"} <= {each.code for each in found.findings}
    assert "OC305" not in {each.code for each in found.findings}
