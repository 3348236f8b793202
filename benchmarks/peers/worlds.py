"""The test sets: what is true of them is known. Standard library and NumPy only."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

SEED = 1_729
ITEMS = 50, 200, 500, 2_000
PREVALENCES = 0.35, 0.05
CORRELATIONS = {"weak": 0.3, "strong": 0.95}
# F1 of A and of B where there is a gap; without one both have A's. A rare class needs a larger gap to be seen at all.
GAPS = {0.35: (0.80, 0.75), 0.05: (0.80, 0.70)}
CORE_ITEMS = 200, 500  # what slow rivals are held to, at the first of the prevalences
NEWS_ITEMS = 7_532  # the test set of 20 Newsgroups


@dataclass(frozen=True)
class World:
    """Two systems of known F1 on items of known prevalence, their latent scores correlated within each class.

    Each system's precision is its recall, and so its F1. Recall and false-positive rate follow, and with them the
    accuracy, which is equal when F1 is.
    """

    items: int
    prevalence: float
    correlation: str
    f1: tuple[float, float]

    @property
    def name(self) -> str:
        """A key for files and tables."""
        kind = "gap" if self.gap else "none"
        return f"{kind}_{self.items}_{self.prevalence:g}_{self.correlation}"

    @property
    def gap(self) -> bool:
        """Whether the systems truly differ."""
        return self.f1[0] != self.f1[1]

    @property
    def core(self) -> bool:
        """Whether slow rivals answer it too."""
        return self.items in CORE_ITEMS and self.prevalence == PREVALENCES[0]

    def rates(self, system: int) -> tuple[float, float]:
        """Recall and false-positive rate of a system."""
        f1 = self.f1[system]
        return f1, self.prevalence * (1 - f1) / (1 - self.prevalence)

    def accuracy(self, system: int) -> float:
        """Share of items that a system gets right: it misses as many positives as it invents."""
        return 1 - 2 * self.prevalence * (1 - self.f1[system])

    def draw(self, rng: np.random.Generator, items: int | None = None) -> dict[str, np.ndarray]:
        """Draw one test set: the truth, the labels a and b, and the scores they come from (a label is 1 from .5)."""
        items = self.items if items is None else items
        truth = rng.random(items) < self.prevalence
        rho = CORRELATIONS[self.correlation]
        common = rng.normal(size=items)
        found: dict[str, np.ndarray] = {"truth": truth.astype(np.uint8)}
        for system, letter in enumerate("ab"):
            latent = np.sqrt(rho) * common + np.sqrt(1 - rho) * rng.normal(size=items)
            recall, fpr = self.rates(system)
            edge = np.where(truth, NormalDist().inv_cdf(recall), NormalDist().inv_cdf(fpr))
            found[f"score_{letter}"] = 1 / (1 + np.exp(-(latent + edge)))
            found[letter] = (found[f"score_{letter}"] >= 0.5).astype(np.uint8)
        return found


def worlds() -> Iterator[World]:
    """Every cell of the study of false alarms and power."""
    for prevalence in PREVALENCES:
        f1 = GAPS[prevalence]
        for pair in ((f1[0], f1[0]), f1):
            for correlation in CORRELATIONS:
                for items in ITEMS:
                    yield World(items, prevalence, correlation, pair)


def study(sets: int, chosen: list[World]) -> dict[str, np.ndarray]:
    """Draw the sets of every cell, as the protocol takes them; set number 7 of a cell is the same in every study."""
    places = {world.name: place for place, world in enumerate(worlds())}
    found = {}
    for world in chosen:
        drawn = [world.draw(np.random.default_rng([SEED, places[world.name], number])) for number in range(sets)]
        for name in ("truth", "a", "b"):
            found[f"{world.name}/{name}"] = np.stack([each[name] for each in drawn])
    return found


def stacked(sets: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Put the sets behind each other, as the protocol takes them."""
    return {name: np.stack([each[name] for each in sets]) for name in sets[0]}


def one_test_set(sets: int) -> dict[str, np.ndarray]:
    """Two classifiers on a test set of the size of 20 Newsgroups."""
    world = World(NEWS_ITEMS, 0.05, "strong", (0.80, 0.78))
    return stacked([world.draw(np.random.default_rng([SEED, NEWS_ITEMS, number])) for number in range(sets)])


def folds(sets: int, repeats: int = 10, parts: int = 10) -> dict[str, np.ndarray]:
    """Accuracies of two systems in ten times ten-fold cross-validation."""
    found = []
    for number in range(sets):
        rng = np.random.default_rng([SEED, repeats, parts, number])
        common = rng.normal(0.8, 0.03, repeats * parts)
        a, b = (common + shift + rng.normal(0, 0.01, common.size) for shift in (0.01, 0.0))
        found.append({"a": a, "b": b})
    return stacked(found)


def data_sets(sets: int, number_of_sets: int = 30) -> dict[str, np.ndarray]:
    """Accuracies of two systems on thirty data sets."""
    found = []
    for number in range(sets):
        rng = np.random.default_rng([SEED, number_of_sets, number])
        common = rng.uniform(0.6, 0.95, number_of_sets)
        a, b = (common + shift + rng.normal(0, 0.02, number_of_sets) for shift in (0.01, 0.0))
        found.append({"a": a, "b": b})
    return stacked(found)


def search(sets: int, folder: Path, topics: int = 50, depth: int = 100) -> dict[str, np.ndarray]:
    """Two TREC runs of fifty topics, a hundred documents each, and their judgements, as files."""
    found = []
    for number in range(sets):
        rng = np.random.default_rng([SEED, topics, depth, number])
        lines: dict[str, list[str]] = {"qrels": [], "a": [], "b": []}
        for topic in range(1, topics + 1):
            grades = rng.choice(3, depth * 2, p=(0.9, 0.07, 0.03))
            lines["qrels"] += [f"{topic} 0 d{document} {grade}" for document, grade in enumerate(grades)]
            common = rng.normal(size=grades.size)
            for letter, skill in (("a", 1.1), ("b", 1.0)):
                scores = skill * grades + common + 0.5 * rng.normal(size=grades.size)
                best = np.argsort(-scores)[:depth]
                rows = enumerate(best, start=1)
                lines[letter] += [f"{topic} Q0 d{place} {rank} {scores[place]:.6f} {letter}" for rank, place in rows]
        paths = {}
        for name, rows in lines.items():
            path = folder / f"{name}{number}.{'qrels' if name == 'qrels' else 'run'}.txt"
            path.write_text("\n".join(rows) + "\n", encoding="utf-8")
            paths[name] = np.array(str(path))
        found.append(paths)
    return stacked(found)
