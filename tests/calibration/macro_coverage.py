"""How often 95% intervals for a difference in macro-F1 hold the truth, one label an item and many."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from outclass.data.multilabel import Classes, Decisions, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.inference.hdi import shortest_of_sorted
from outclass.measures.averages import AVERAGES
from outclass.models.weights import Weighted, units_of

MACRO = AVERAGES["macro_f1"]
LABELS = 10
POPULATION = 1_000_000


class Coverage(NamedTuple):
    """How often the interval held the truth."""

    data: str
    items: int
    rate: float
    error: float
    sets: int


def classes(rng: np.random.Generator, items: int, skew: float = 0.0) -> Outcomes:
    """One of ten labels an item; hard items are hard for both systems. `skew` makes some labels rare."""
    shares = np.arange(1, LABELS + 1) ** -skew
    truth = rng.choice(LABELS, items, p=shares / shares.sum())
    hard = rng.random(items) < 0.3
    said = []
    for slip in (0.45, 0.55):
        wrong = rng.random(items) < np.where(hard, slip, 0.08)
        said.append(np.where(wrong, rng.integers(0, LABELS, items), truth))
    patterns = np.stack([truth, *said], axis=1).astype(np.int64)
    distinct, counts = np.unique(patterns, axis=0, return_counts=True)
    return Outcomes(systems=("A", "B"), labels=tuple(range(LABELS)), patterns=distinct, counts=counts.astype(np.int64))


def documents(rng: np.random.Generator, items: int) -> MultiLabel:
    """Each of ten labels on a fifth of the documents; every document has its own difficulty for each system."""
    truth = rng.random((items, LABELS)) < 0.2
    marks = [truth]
    for slip in (0.25, 0.3):
        own = np.clip(slip + rng.normal(0, 0.15, (items, 1)), 0.02, 0.9)
        missed, added = rng.random((items, LABELS)) < own, rng.random((items, LABELS)) < 0.15 * own
        marks.append(np.where(truth, ~missed, added))
    stacked = np.stack(marks, axis=2)
    item, label = np.nonzero(stacked.any(axis=2))
    return MultiLabel(
        systems=("A", "B"),
        labels=tuple(map(str, range(LABELS))),
        items=items,
        item=item.astype(np.int64),
        label=label.astype(np.int64),
        marks=stacked[item, label],
    )


def _model(data: Outcomes | MultiLabel, draws: int, seed: int) -> Weighted:
    decisions: Decisions = Classes(data) if isinstance(data, Outcomes) else data
    mass = 1.0 if isinstance(data, Outcomes) else 0.0
    return Weighted(units_of(decisions, ("A", "B"), mass), ("A", "B"), draws, seed)


def _truth(make: Callable[[np.random.Generator, int], Outcomes | MultiLabel]) -> float:
    model = _model(make(np.random.default_rng(99), POPULATION), 1, 0)
    a, b = model.at(model.observed, [MACRO])[MACRO.name][0]
    return float(a - b)


SCENARIOS: dict[str, Callable[[np.random.Generator, int], Outcomes | MultiLabel]] = {
    "one of 10 labels an item": classes,
    "one of 10 labels, some rare": lambda rng, items: classes(rng, items, skew=1.5),
    "many of 10 labels a document": documents,
}


def coverages(sets: int, sizes: tuple[int, ...], draws: int = 4_000, seed: int = 1) -> list[Coverage]:
    """Simulate, and count how often the interval holds the difference of the population."""
    found = []
    for number, (data, make) in enumerate(SCENARIOS.items()):
        truth = _truth(make)
        for items in sizes:
            rng = np.random.default_rng([seed, number, items])
            hits = 0
            for _ in range(sets):
                model = _model(make(rng, items), draws, int(rng.integers(1 << 30)))
                values = model.values([MACRO])[MACRO.name]
                interval = shortest_of_sorted(np.sort(values[:, 0] - values[:, 1]), 0.95)
                hits += interval.low <= truth <= interval.high
            found.append(Coverage(data, items, hits / sets, math.sqrt(0.95 * 0.05 / sets), sets))
    return found


def section(found: list[Coverage]) -> list[str]:
    """Write the table."""
    lines = [
        "## Coverage of intervals for a difference in macro-F1",
        "",
        "How often the 95% interval of the paired model (weights on patterns or on documents) holds the difference",
        f"of the population: {found[0].sets:,} simulated test sets each, simulation error {found[0].error:.4f}.",
        "Where labels have a few items, an average over labels is less sure than the interval says: finding OC208.",
        "",
        "| data | items | coverage |",
        "|---|---:|---:|",
    ]
    lines += [f"| {each.data} | {each.items:,} | {each.rate:.3f} |" for each in found]
    return [*lines, ""]
