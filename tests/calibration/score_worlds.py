"""Worlds of numbers per item, for the study of coverage: means, right and wrong, AUC near 1 and other measures.

`cells` is one part of the grid of `interval_coverage`. Each road simulates test sets and asks the product, as its users
do: `oc.compare(oc.scores(...))`.
"""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

import numpy as np
from coverage_cells import Cell, Road, Seen, seen
from scipy import special

import outclass as oc
from outclass.measures import scored

DRAWS = 2_000
SIZES = (20, 50, 200, 500)
Noise = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
# Worlds whose coverage comes near the ends of what is right, where fewer sets do not tell.
CLOSE = {("AUC .9", 100), ("AUC .9", 500), ("AUC .95", 500), ("AUC .99", 500)}
MANY = 2_000_000  # items from which the truth of a world without a formula is taken


# --- means -----------------------------------------------------------------------------------------------------------


def _apart(gaps: Callable[[np.random.Generator, int], np.ndarray]) -> Noise:
    """Make a world of the differences alone."""

    def world(rng: np.random.Generator, items: int) -> tuple[np.ndarray, np.ndarray]:
        base = rng.normal(0, 1, items)
        return base + gaps(rng, items), base

    return world


def _sparse(share: float, gap: Callable[[np.random.Generator, int], np.ndarray]) -> Noise:
    return _apart(lambda rng, items: np.where(rng.random(items) < share, gap(rng, items), 0.0))


def _likert(rng: np.random.Generator, items: int) -> tuple[np.ndarray, np.ndarray]:
    common = rng.normal(0, 1, items)
    a, b = (np.clip(np.round(rng.normal(level, 1, items) + common), 1, 5) for level in (3.6, 3.2))
    return a, b


def _average_precisions(rng: np.random.Generator, items: int) -> tuple[np.ndarray, np.ndarray]:
    zero, base = rng.random(items) < 0.5, rng.beta(0.6, 2, items)
    a, b = (np.where(zero, 0.0, np.clip(base * rng.lognormal(lead, 0.5, items), 0, 1)) for lead in (0.1, 0.0))
    return a, b


def _preferences(rng: np.random.Generator, items: int) -> tuple[np.ndarray, np.ndarray]:
    kind = rng.random(items)
    return np.where(kind < 0.5, 0.0, np.where(kind < 0.8, 1.0, -1.0)) + rng.choice([0, 0.1], items), np.zeros(items)


def _right_wrong(alike: float) -> Noise:
    def world(rng: np.random.Generator, items: int) -> tuple[np.ndarray, np.ndarray]:
        a = rng.random(items) < 0.8
        b = np.where(rng.random(items) < alike, a, rng.random(items) < 0.7)
        return a.astype(float), b.astype(float)

    return world


MEANS: dict[str, Noise] = {
    "normal differences": _apart(lambda rng, items: rng.normal(0.3, 1, items)),
    "heavy tails (t, 3 degrees)": _apart(lambda rng, items: 0.3 + rng.standard_t(3, items) / math.sqrt(3)),
    "skewed (log-normal)": _apart(lambda rng, items: rng.lognormal(0, 0.8, items) - 1),
    "70% ties": _sparse(0.3, lambda rng, items: rng.normal(0.3, 1, items)),
    "95% ties": _sparse(0.05, lambda rng, items: rng.normal(0.5, 1, items)),
    "Likert, 1 to 5": _likert,
    "AP, half zero": _average_precisions,
    "preferences": _preferences,
    "right or wrong": _right_wrong(0.5),
    "right or wrong, alike": _right_wrong(0.9),
}


@lru_cache
def _mean(data: str) -> tuple[float, float]:
    """Return the true difference, and A's own mean, of a world, from very many items."""
    a, b = MEANS[data](np.random.default_rng(0), MANY)
    return float((a - b).mean()), float(a.mean())


def of_means(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in the mean, or A's own mean, with the default model."""
    truth, own = _mean(cell.data)
    for number in range(sets):
        a, b = MEANS[cell.data](rng, cell.items)
        row = oc.compare(oc.scores({"A": a, "B": b}), rope=0.1, rng=number).only
        codes = {each.code for each in row.findings}
        if cell.measure == "mean, own":
            yield seen(row.systems[0].hdi, own, codes)
        else:
            yield seen(row.difference.hdi, truth, codes)


# --- classifier scores -------------------------------------------------------------------------------------------


def binormal(
    positives: int, negatives: int, auc: tuple[float, float], alike: float, rng: np.random.Generator, step: float = 0.0
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the truth and the normal scores of two systems, correlated within the classes."""
    truth = np.arange(positives + negatives) < positives
    common = rng.normal(size=len(truth))
    both = [
        math.sqrt(2) * special.ndtri(area) * truth
        + math.sqrt(alike) * common
        + math.sqrt(1 - alike) * rng.normal(size=len(truth))
        for area in auc
    ]
    return truth, [np.round(each / step) * step if step else each for each in both]


def _areas(data: str) -> tuple[float, float, float]:
    """Read 'AUC .99' or 'AUC .99, rounded': the areas of A and B, and the step of rounding."""
    auc = float(data.split()[1].rstrip(","))
    return auc, auc - (1 - auc) / 5, 0.25 if data.endswith("rounded") else 0.0


@lru_cache
def _truth(measure: str, data: str, share: float) -> tuple[float, float]:
    """Return the true difference and A's own value: by the formula, or from very many items."""
    a, b, step = _areas(data)
    if measure == "auc" and not step:
        return a - b, a
    size = MANY // 4
    truth, values = binormal(
        round(share * size), size - round(share * size), (a, b), 0.0, np.random.default_rng(0), step
    )
    weigh = [float(scored.get(measure).prepare(truth, own)(np.ones((1, size)))[0]) for own in values]
    return weigh[0] - weigh[1], weigh[0]


def of_scores(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in AUC and its kin, or A's own value."""
    name, _, which = cell.measure.partition(", ")
    a, b, step = _areas(cell.data)
    truth, own = _truth(name, cell.data, cell.share)
    positives = round(cell.share * cell.items)
    for number in range(sets):
        labels, (first, second) = binormal(positives, cell.items - positives, (a, b), cell.alike, rng, step)
        data = oc.scores({"truth": labels.astype(int), "A": first, "B": second}, truth="truth", positive=1)
        row = oc.compare(data, measure=name, rng=number, draws=DRAWS).only
        codes = {each.code for each in row.findings}
        yield seen(row.systems[0].hdi, own, codes) if which else seen(row.difference.hdi, truth, codes)


def of_probabilities(cell: Cell, sets: int, rng: np.random.Generator) -> Seen:
    """A difference in Brier score or log-loss of calibrated and overconfident probabilities."""

    def world(items: int, source: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        logit = source.normal(0, 1.5, items)
        labels = source.random(items) < special.expit(logit)
        return labels, special.expit(logit), special.expit(1.5 * logit + source.normal(0, 0.3, items))

    labels, *both = world(MANY, np.random.default_rng(0))
    values = [float(scored.get(cell.measure).prepare(labels, own)(np.ones((1, MANY)))[0]) for own in both]
    for number in range(sets):
        labels, first, second = world(cell.items, rng)
        data = oc.scores({"truth": labels.astype(int), "A": first, "B": second}, truth="truth", positive=1)
        row = oc.compare(data, measure=cell.measure, rng=number, draws=DRAWS).only
        yield seen(row.difference.hdi, values[0] - values[1], {each.code for each in row.findings})


def cells() -> Iterator[tuple[Road, Cell, float]]:
    """Yield every cell, how it is simulated, and what part of the sets it gets."""
    for data, items in product(MEANS, SIZES):
        model = "sign" if data.startswith("right") else "t"
        yield of_means, Cell(model, "mean", data, items), 1
        if items in (50, 500):
            yield of_means, Cell(model, "mean, own", data, items), 0.5
    areas = ("AUC .9", "AUC .95", "AUC .99", "AUC .999", "AUC .9995")
    for data, positives, (alike, times) in product(areas, (25, 50, 100, 500), ((0.0, 1), (0.5, 1), (0.9, 1), (0.5, 5))):
        if positives == 50 and alike != 0.5:
            continue
        place = (data, positives * (1 + times), 1 / (1 + times), alike)
        part = 1.0 if (data, positives) in CLOSE else 0.2 if positives == 500 else 0.5
        yield of_scores, Cell("bootstrap", "auc", *place), part
        if alike == 0.5:
            yield of_scores, Cell("bootstrap", "auc, own", *place), part
    for positives in (50, 500):
        yield of_scores, Cell("bootstrap", "auc", "AUC .95, rounded", 2 * positives, 0.5, 0.5), 0.5
        for measure in ("average_precision", "partial_auc:0.2", "recall_at_precision:0.9"):
            for data, which in product(("AUC .9", "AUC .99"), ("", ", own")):
                yield (
                    of_scores,
                    Cell("bootstrap", measure + which, data, 5 * positives, 0.2, 0.5),
                    0.8 if measure.startswith("partial") else 0.3,
                )
    for measure, items in product(("brier", "log_loss"), (50, 200, 1_000)):
        yield of_probabilities, Cell("bootstrap", measure, "probabilities", items), 0.5
