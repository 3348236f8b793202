"""How often 95% intervals for a difference in macro-F1 hold the truth, one label an item and many."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from outclass.data.multilabel import Classes, Decisions, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval
from outclass.inference.hdi import shortest_of_sorted
from outclass.measures.averages import AVERAGES
from outclass.models.weights import Weighted, units_of
from outclass.overall import Overall, drawn

MACRO = AVERAGES["macro_f1"]
LABELS = 10
SLIPS = (0.45, 0.55)
OWN_SLIPS = (0.25, 0.3)


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
    for slip in SLIPS:
        wrong = rng.random(items) < np.where(hard, slip, 0.08)
        said.append(np.where(wrong, rng.integers(0, LABELS, items), truth))
    patterns = np.stack([truth, *said], axis=1).astype(np.int64)
    distinct, counts = np.unique(patterns, axis=0, return_counts=True)
    return Outcomes(systems=("A", "B"), labels=tuple(range(LABELS)), patterns=distinct, counts=counts.astype(np.int64))


def documents(rng: np.random.Generator, items: int) -> MultiLabel:
    """Each of ten labels on a fifth of the documents; every document has its own difficulty for each system."""
    truth = rng.random((items, LABELS)) < 0.2
    marks = [truth]
    for slip in OWN_SLIPS:
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


def truth_of_classes(skew: float = 0.0) -> float:
    """The difference in macro-F1 of the population: every cell in closed form."""
    shares = np.arange(1, LABELS + 1) ** -skew
    shares = shares / shares.sum()
    found = []
    for slip in SLIPS:
        wrong = 0.3 * slip + 0.7 * 0.08
        tp, fp, fn = shares * (1 - 0.9 * wrong), (1 - shares) * wrong / LABELS, shares * 0.9 * wrong
        found.append(float(np.mean(2 * tp / (2 * tp + fp + fn))))
    return found[0] - found[1]


def truth_of_documents() -> float:
    """The same for documents, whose labels are all alike: the mean of a clipped normal is an integral."""
    z = np.linspace(-8, 8, 200_001)
    weights = np.exp(-z * z / 2) / np.exp(-z * z / 2).sum()
    found = []
    for slip in OWN_SLIPS:
        own = float(weights @ np.clip(slip + 0.15 * z, 0.02, 0.9))
        tp, fp, fn = 0.2 * (1 - own), 0.8 * 0.15 * own, 0.2 * own
        found.append(2 * tp / (2 * tp + fp + fn))
    return found[0] - found[1]


Make = Callable[[np.random.Generator, int], Outcomes | MultiLabel]
SCENARIOS: dict[str, tuple[Make, float]] = {
    "one of 10 labels an item": (classes, truth_of_classes()),
    "one of 10 labels, some rare": (lambda rng, items: classes(rng, items, skew=1.5), truth_of_classes(1.5)),
    "many of 10 labels a document": (documents, truth_of_documents()),
}


def coverages(sets: int, sizes: tuple[int, ...], draws: int = 4_000, seed: int = 1) -> list[Coverage]:
    """Simulate, and count how often the interval holds the difference of the population."""
    found = []
    for number, (data, (make, truth)) in enumerate(SCENARIOS.items()):
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


def hierarchical(sets: int, items: int, draws: int = 1_000, seed: int = 1) -> Coverage:
    """The same for the hierarchical model, which draws the classes apart from each other."""
    make, truth = SCENARIOS["one of 10 labels an item"]
    rng = np.random.default_rng([seed, 99, items])
    hits = 0
    for _ in range(sets):
        data = make(rng, items)
        assert isinstance(data, Outcomes)
        asked = Overall(
            measures=(MACRO,),
            model="hierarchical",
            mass=None,
            rope=Interval(-0.05, 0.05),
            hdi_mass=0.95,
            draws=draws,
            seed=int(rng.integers(1 << 30)),
        )
        values = drawn(Classes(data), asked).values[MACRO.name]
        interval = shortest_of_sorted(np.sort(values[:, 0] - values[:, 1]), 0.95)
        hits += interval.low <= truth <= interval.high
    return Coverage("the same, hierarchical model", items, hits / sets, math.sqrt(0.95 * 0.05 / sets), sets)


def section(found: list[Coverage]) -> list[str]:
    """Write the table."""
    lines = [
        "## Coverage of intervals for a difference in macro-F1",
        "",
        "How often the 95% interval of the paired model (weights on patterns or on documents) holds the difference",
        f"of the population: {found[0].sets:,} simulated test sets each, simulation error {found[0].error:.4f}.",
        "Where labels have a few items, an average over labels is less sure than the interval says: finding OC208.",
        "The hierarchical model takes classes as independent, which they are not: finding OC209.",
        "",
        "| data | items | coverage |",
        "|---|---:|---:|",
    ]
    for each in found:
        fewer = "" if each.sets == found[0].sets else f" ({each.sets} sets)"
        lines.append(f"| {each.data}{fewer} | {each.items:,} | {each.rate:.3f} |")
    return [*lines, ""]
