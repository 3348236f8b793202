"""Worlds of many labels, one an item and many, whose true difference in macro-F1 is known."""

from collections.abc import Callable

import numpy as np

from outclass.data.multilabel import MultiLabel
from outclass.data.outcomes import Outcomes

LABELS = 10
SLIPS = (0.45, 0.55)
OWN_SLIPS = (0.25, 0.3)


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
