"""Worlds of sentences with entities: two systems that miss some, and find some that are not there.

Entities of a sentence are hard together, and hard for both systems; candidates that are no entities look like one to
both. `cells()` yields what `interval_coverage.grid` does; run as a script, it prints what docs/questions/spans.md shows.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from zlib import crc32

import numpy as np
from coverage_cells import Cell, Road, Seen, seen
from scipy import special

from outclass.ask.per_item import measures_of_counts
from outclass.data.unit_counts import ALL, GroupedCounts, PerItem, unit_counts
from outclass.inference.settings import Settings
from outclass.models.label_clusters import of_labels
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights
from outclass.rows.checks import Case, findings_of
from outclass.rows.checks.groups import few_groups
from outclass.verdict.rope import rope_of

DRAWS = 2_000
TYPES = (0.55, 0.25, 0.15, 0.05)  # how common each type of entity is
UNEQUAL = tuple(((np.arange(200) + 1.0) ** -2 / ((np.arange(200) + 1.0) ** -2).sum()).tolist())


@dataclass(frozen=True)
class World:
    """Two systems: their recalls and false positives per sentence, and how alike the entities of a sentence are."""

    recalls: tuple[float, float] = (0.85, 0.80)
    false: tuple[float, float] = (0.20, 0.25)  # per sentence
    sentence: float = 0.3  # of the latent variance, what a sentence shares
    systems: float = 0.3  # and what two systems share of an entity
    size: tuple[float, ...] = (0.25, 0.25, 0.2, 0.12, 0.08, 0.06, 0.04)  # how often a sentence has 0, 1, ... entities


WORLDS = {
    "ordinary": World(),
    "equal systems": World(recalls=(0.82, 0.82), false=(0.2, 0.2)),
    "strong agreement": World(recalls=(0.85, 0.83), false=(0.20, 0.22), sentence=0.05, systems=0.92),
    "near-perfect": World(recalls=(0.99, 0.98), false=(0.01, 0.02)),
    "sentences alike": World(sentence=0.8, systems=0.1),
    "long units": World(size=(0.0,) * 10 + (0.1,) * 10),
    "long units, strong agreement": World(
        recalls=(0.85, 0.84), false=(0.5, 0.5), sentence=0.02, systems=0.96, size=(0.0,) * 10 + (0.1,) * 10
    ),
    "rare entities": World(recalls=(0.8, 0.7), false=(0.02, 0.03), size=(0.9, 0.1)),
    "very unequal units": World(size=UNEQUAL),
}
PER_DOCUMENT = 10  # sentences
CANDIDATES = 4  # per sentence, that are no entities


def simulate(world: World, sentences: int, rng: np.random.Generator, *, typed: bool, per: int = 0) -> PerItem:
    """Draw the counts of both systems; with so many sentences `per` document, what is shared is the document's."""
    gold = rng.choice(len(world.size), sentences, p=world.size)
    parts = []
    for kind, many in ((True, gold), (False, np.full(sentences, CANDIDATES))):
        unit = np.repeat(np.arange(sentences), many)
        shared = np.sqrt(world.sentence) * rng.standard_normal(sentences)[unit // (per or 1)]
        shared = shared + np.sqrt(world.systems) * rng.standard_normal(len(unit))
        rest = np.sqrt(1 - world.sentence - world.systems)
        label = rng.choice(len(TYPES), len(unit), p=TYPES) if typed else np.zeros(len(unit), dtype=np.int64)
        cells = np.zeros((len(unit), 2, 3), dtype=np.int64)
        for place in (0, 1):
            latent = special.ndtr(shared + rest * rng.standard_normal(len(unit)))
            if kind:
                found = latent < world.recalls[place]
                cells[:, place, 0], cells[:, place, 2] = found, ~found
            else:
                cells[:, place, 1] = latent < world.false[place] / CANDIDATES
        parts.append((unit, label, cells))
    unit, label, cells = (np.concatenate(each) for each in zip(*parts, strict=True))
    labels = tuple(f"type {place}" for place in range(len(TYPES))) if typed else (ALL,)
    places = np.arange(sentences) // (per or 1)
    group = (tuple(map(str, range(int(places[-1]) + 1))), places) if per else None
    return unit_counts(("A", "B"), labels, sentences, unit, label, cells, group=group)


def truth_of(world: World, measure: str) -> float:
    """Return the difference in F1, precision or recall: the same for every type, since false ones have the same mix."""
    positives = float(np.arange(len(world.size)) @ np.array(world.size))
    values = []
    for recall, false in zip(world.recalls, world.false, strict=True):
        tp, fn = recall * positives, (1 - recall) * positives
        shown = {"f1": 2 * tp / (2 * tp + fn + false), "precision": tp / (tp + false), "recall": recall}
        values.append(shown[measure.partition("_")[2]])
    return values[0] - values[1]


def of_sentences(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in a measure of entities."""
    world = WORLDS[cell.data]
    truth = truth_of(world, cell.measure)
    for number in range(sets):
        data = simulate(world, cell.items, rng, typed=not cell.measure.startswith("micro"))
        measures = measures_of_counts(data, cell.measure, None)
        asked = Question(
            measures=measures,
            model="paired",
            rope=rope_of(0.05),
            hdi_mass=0.95,
            settings=Settings(draws=DRAWS, seed=number),
        )
        fit = fit_weights(data, asked, mass=None, factors=False)
        law = fit.difference(0, 1, measures[0])
        notes = findings_of(Case(fit=fit, measure=measures[0], a=0, b=1))
        yield seen(law.hdi(0.95), truth, {each.code for each in notes} - {"OC109"})


def of_documents(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """The same, of sentences in documents: the cluster jackknife."""
    world = WORLDS[cell.data]
    truth = truth_of(world, cell.measure)
    for _ in range(sets):
        data = simulate(world, cell.items, rng, typed=not cell.measure.startswith("micro"), per=PER_DOCUMENT)
        assert isinstance(data, GroupedCounts)
        (measure,) = measures_of_counts(data, cell.measure, None)
        found = of_labels(data, data.systems, measure, "drop")
        yield seen(found.law(0, 1).hdi(0.95), truth, {each.code for each in few_groups(found.groups)})


TITLES = {of_sentences: "Entities of sentences", of_documents: "Entities of sentences in documents"}


def cells() -> Iterator[tuple[Road, Cell, float]]:
    """Yield every cell."""
    for world, items, measure in product(WORLDS, (100, 300, 1_000, 5_000), ("micro_f1", "macro_f1")):
        yield of_sentences, Cell("paired", measure, world, items), 1
    for world, documents in product(("ordinary", "near-perfect", "sentences alike"), (5, 10, 30, 100)):
        yield of_documents, Cell("clusters", "micro_f1", world, PER_DOCUMENT * documents), 1
    for measure in ("micro_recall", "micro_precision"):
        yield of_sentences, Cell("paired", measure, "ordinary", 300), 1


def _covered(cell: Cell, sets: int) -> tuple[Cell, float, float, float, set[str]]:
    road = of_documents if cell.model == "clusters" else of_sentences
    found = list(road(cell, sets, np.random.default_rng([20261118, crc32(repr(cell).encode())])))
    codes = set().union(*(told for _, _, told in found))
    warned = float(np.mean([bool(told) for _, _, told in found]))
    return cell, float(np.mean([held for held, _, _ in found])), float(np.mean([w for _, w, _ in found])), warned, codes


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=1_000)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    wanted = [cell for _, cell, _ in cells() if given.only in repr(cell)]
    with ProcessPoolExecutor(given.jobs) as pool:
        for cell, rate, width, warned, codes in pool.map(_covered, wanted, [given.sets] * len(wanted)):
            told = " ".join(sorted(codes))
            numbers = f"{cell.items:6,} {rate:.3f} {width:.4f} {warned:.2f}"
            print(f"{cell.data:30} {cell.measure:16} {numbers} {told}", flush=True)
