"""Worlds of many labels and of rankings for the coverage study: few and many labels, near-perfect and agreeing systems.

One label per item: every system is right with a probability of its own, errors correlated by a latent difficulty that
they share. Documents with many labels: the same for each label of each document. True values are in closed form.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from coverage_cells import WARNINGS, Cell, Road, Seen, seen
from scipy import special

import outclass as oc
from outclass.data.multilabel import MultiLabel
from outclass.data.outcomes import Outcomes

SHARED = 0.5  # of two wrong labels, how often they are the same


@dataclass(frozen=True)
class World:
    """Systems over some labels: how often each is right, and how correlated their errors are."""

    labels: int
    right: tuple[float, ...]
    rho: float
    skew: float = 0.0  # of the labels' frequencies: 0 is even, 1 is Zipf's
    documents: bool = False  # each of the labels may be true of a document

    @property
    def shares(self) -> np.ndarray:
        """How common each label is."""
        shares = np.arange(1, self.labels + 1) ** -self.skew
        return np.asarray(np.minimum(0.5, 3 * shares / shares.sum()) if self.documents else shares / shares.sum())

    def _wrong(self, rng: np.random.Generator, shape: tuple[int, ...]) -> list[np.ndarray]:
        """Return where each system is wrong: its latent score is above its own threshold."""
        common = rng.normal(size=shape)
        found = []
        for right in self.right:
            latent = math.sqrt(self.rho) * common + math.sqrt(1 - self.rho) * rng.normal(size=shape)
            found.append(latent > special.ndtri(right))
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The systems' names."""
        return tuple(chr(ord("A") + place) for place in range(len(self.right)))

    def simulate(self, items: int, rng: np.random.Generator) -> Outcomes | MultiLabel:
        """Draw a test set."""
        if self.documents:
            truth = rng.random((items, self.labels)) < self.shares
            marks = np.stack([truth, *(truth ^ wrong for wrong in self._wrong(rng, truth.shape))], axis=2)
            item, label = np.nonzero(marks.any(axis=2))
            return MultiLabel(
                systems=self.names,
                labels=tuple(map(str, range(self.labels))),
                items=items,
                item=item.astype(np.int64),
                label=label.astype(np.int64),
                marks=marks[item, label],
            )
        truth = rng.choice(self.labels, items, p=self.shares)
        usual = rng.integers(1, self.labels, items)
        said = []
        for wrong in self._wrong(rng, (items,)):
            step = np.where(rng.random(items) < SHARED, usual, rng.integers(1, self.labels, items))
            said.append(np.where(wrong, (truth + step) % self.labels, truth))
        distinct, counts = np.unique(np.stack([truth, *said], axis=1).astype(np.int64), axis=0, return_counts=True)
        labels = tuple(range(self.labels))
        return Outcomes(systems=self.names, labels=labels, patterns=distinct, counts=counts.astype(np.int64))

    def value(self, measure: str, which: int) -> float:
        """Return the true value of a system."""
        right, shares = self.right[which], self.shares
        tp, fn = shares * right, shares * (1 - right)
        fp = (1 - shares) * (1 - right) / (1 if self.documents else self.labels - 1)
        if measure in ("accuracy", "micro_f1"):
            return float(2 * tp.sum() / (2 * tp + fn + fp).sum())
        return float(np.mean(2 * tp / (2 * tp + fn + fp)))


WORLDS = {
    f"{labels} labels, {'much' if rho > 0.8 else 'some'} agreement": World(labels, (0.9, 0.87), rho)
    for labels, rho in product((3, 9, 20, 50), (0.5, 0.9))
} | {
    "10 labels, near-perfect": World(10, (0.98, 0.975), 0.5),
    "10 labels, near-perfect, much agreement": World(10, (0.98, 0.98), 0.9),
    "20 labels, near-perfect": World(20, (0.99, 0.985), 0.5),
    "10 labels, some rare": World(10, (0.9, 0.87), 0.7, skew=1.0),
    "10 labels per document": World(10, (0.97, 0.96), 0.5, skew=0.5, documents=True),
    "10 labels per document, near-perfect": World(10, (0.997, 0.997), 0.5, skew=0.5, documents=True),
    "50 labels per document": World(50, (0.98, 0.975), 0.7, skew=0.5, documents=True),
}
RANKED = {
    "2 equal systems": World(2, (0.99, 0.99), 0.5),
    "2 equal systems, much agreement": World(2, (0.9, 0.9), 0.95),
    "5 systems": World(5, (0.9, 0.88, 0.86, 0.84, 0.82), 0.5),
    "5 systems, near-perfect": World(5, (0.99, 0.988, 0.986, 0.984, 0.982), 0.7),
    "5 equal systems": World(5, (0.9,) * 5, 0.7),
}


def of_weights(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference over many labels."""
    world = WORLDS[cell.data]
    truth = world.value(cell.measure, 0) - world.value(cell.measure, 1)
    for number in range(sets):
        answer = oc.compare(world.simulate(cell.items, rng), measure=cell.measure, draws=4_000, rng=number)
        yield seen(answer.difference.hdi, truth, {each.code for each in answer.only.findings})


def of_ranks(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """All systems' values at once: whether their simultaneous intervals hold all of them."""
    world = RANKED[cell.data]
    truth = {name: world.value("accuracy", place) for place, name in enumerate(world.names)}
    for number in range(sets):
        data = world.simulate(cell.items, rng)
        if len(data.true_labels) < 2:
            continue
        found = oc.rank(data, measure="accuracy", draws=4_000, rng=number)
        held = all(each.simultaneous.low <= truth[each.system.name] <= each.simultaneous.high for each in found.systems)
        width = float(np.mean([each.simultaneous.high - each.simultaneous.low for each in found.systems]))
        yield held, width, {each.code for each in found.findings} & set(WARNINGS)


def p_best(worlds: int, spread: float, seed: int = 1) -> list[tuple[float, float, int, float, float]]:
    """Return (from, to, how many, mean P(best), how often it was the best) over systems of worlds drawn at random.

    `spread` is the standard deviation of the four systems' accuracies.
    """
    rng = np.random.default_rng(seed)
    said, best = [], []
    for number in range(worlds):
        right = np.clip(rng.normal(rng.uniform(0.7, 0.95), spread, 4), 0.3, 0.995)
        world = World(3, tuple(right.tolist()), float(rng.uniform(0.3, 0.95)))
        found = oc.rank(
            world.simulate(int(rng.choice([100, 300, 1_000])), rng), measure="accuracy", draws=2_000, rng=number
        )
        for each in found.systems:
            said.append(each.best)
            best.append(world.names.index(each.system.name) == int(np.argmax(right)))
    edges = np.array([0, 0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.98, 1.0001])
    place = np.digitize(said, edges) - 1
    return [
        (
            float(edges[at]),
            min(float(edges[at + 1]), 1.0),
            int((place == at).sum()),
            float(np.mean(np.array(said)[place == at])),
            float(np.mean(np.array(best)[place == at])),
        )
        for at in range(len(edges) - 1)
        if (place == at).any()
    ]


def cells() -> Iterator[tuple[Road, Cell, float]]:
    """Yield every cell, how it is simulated, and what part of the sets it gets."""
    for data, world in WORLDS.items():
        for measure, items in product(("macro_f1", "micro_f1"), (200, 1_000)):
            if items / world.labels >= 4:
                yield of_weights, Cell("weights", measure, data, items), 1
    for data, items in product(RANKED, (300, 1_000)):
        yield of_ranks, Cell("ranks", "accuracy", data, items), 1
