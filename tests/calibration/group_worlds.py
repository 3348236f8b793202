"""Worlds of items in groups: few and many groups, of equal and of Pareto sizes, whose items hang together or not.

`cells()` yields what `interval_coverage.grid` does: how a cell is simulated, the cell, and its part of the sets.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
from coverage_cells import Cell, Road, Seen, seen

import outclass as oc
from outclass.data.scores import Scores

SIZE, LEAST, MOST, SHAPE = 20, 4, 800, 1.2  # of groups: equal ones, and Pareto's
LABELS = 4
# How often a system errs on an item, and how often both do so on the same ones.
SYSTEMS = {"ordinary": (0.2, 0.3, 0.5), "near-perfect": (0.01, 0.03, 0.5), "strong agreement": (0.2, 0.22, 0.95)}
LEAD = 0.3  # of numbers, in standard deviations


def sizes_of(kind: str, groups: int, rng: np.random.Generator) -> np.ndarray:
    """Return the groups' sizes."""
    if kind == "equal":
        return np.full(groups, SIZE)
    return np.minimum(np.ceil(LEAST * (rng.pareto(SHAPE, groups) + 1)), MOST).astype(int)


def _uniform(group: np.ndarray, alike: float, rng: np.random.Generator) -> np.ndarray:
    """Return numbers in (0, 1) of all items; any two of one group have the normal correlation `alike`."""
    from scipy import special

    shared = rng.standard_normal(int(group.max()) + 1)[group]
    return np.asarray(special.ndtr(np.sqrt(alike) * shared + np.sqrt(1 - alike) * rng.standard_normal(len(group))))


def labels_of(group: np.ndarray, alike: float, kind: str, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return two systems' labels; a system errs where an item (or its group) is hard for it, or for both."""
    first, second, common = SYSTEMS[kind]
    truth = rng.integers(0, LABELS, len(group))
    shared, mine = _uniform(group, alike, rng), [_uniform(group, alike, rng) for _ in range(2)]
    both = common * min(first, second)  # errors on the same items
    said = []
    for rate, own in zip((first, second), mine, strict=True):
        wrong = (shared < both) | (own < (rate - both) / (1 - both))
        said.append(np.where(wrong, (truth + 1) % LABELS, truth))
    return {"truth": truth, "A": said[0], "B": said[1], "group": group}


def truth_of(kind: str) -> float:
    """The difference in accuracy, F1 of any label and macro-F1: labels are all alike, and errors go round."""
    first, second, _ = SYSTEMS[kind]
    return second - first


def _group(cell: Cell, rng: np.random.Generator) -> np.ndarray:
    kind, groups = cell.data.split()[:2]
    return np.repeat(np.arange(int(groups)), sizes_of(kind, int(groups), rng))


def of_labels(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in accuracy, F1 of one label or macro-F1."""
    kind = cell.data.partition(", ")[2]
    one = 0 if cell.measure == "f1" else None
    for number in range(sets):
        data = labels_of(_group(cell, rng), cell.alike or 0.0, kind, rng)
        if one is not None and not (data["truth"] == one).any():
            continue  # refused
        answer = oc.compare(data, truth="truth", group="group", measure=cell.measure, positive=one, rng=number)
        yield seen(answer.difference.hdi, truth_of(kind), {each.code for each in answer.only.findings})


def of_numbers(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in the mean of numbers."""
    for number in range(sets):
        group = _group(cell, rng)
        alike = cell.alike or 0.0
        gaps = np.sqrt(alike) * rng.standard_normal(int(group.max()) + 1)[group]
        gaps = gaps + np.sqrt(1 - alike) * rng.standard_normal(len(group))
        base = rng.standard_normal(len(group))
        data = Scores(values={"A": base + LEAD + gaps, "B": base}, group=group)
        answer = oc.compare(data, rope=0.1, rng=number)
        yield seen(answer.difference.hdi, LEAD, {each.code for each in answer.only.findings})


TITLES = {of_labels: "Labels of items in groups", of_numbers: "Numbers of items in groups"}


def cells() -> Iterator[tuple[Road, Cell, float]]:
    """Yield every cell."""
    for kind, groups, alike in product(("equal", "Pareto"), (3, 5, 10, 30, 50), (0.0, 0.2, 0.8)):
        where = f"{kind} {groups} groups"
        yield of_numbers, Cell("clusters", "mean", where, SIZE * groups, None, alike), 1
        for measure in ("accuracy", "macro_f1", "f1"):
            yield of_labels, Cell("clusters", measure, f"{where}, ordinary", SIZE * groups, None, alike), 1
        for systems in ("near-perfect", "strong agreement"):
            yield of_labels, Cell("clusters", "accuracy", f"{where}, {systems}", SIZE * groups, None, alike), 1
