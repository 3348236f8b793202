"""What labels are worth: the variance of a difference by stratum, and where the next labels narrow it most."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.measures.averages import Average
from outclass.models.strata import Estimated
from outclass.models.weighed import COUNTS, features

STEP: Final = 1e-6  # of all items, for slopes
FEW: Final = 64  # strata, each of which is a cell of the design; of more, each type of strata is
PRIOR: Final = 2.0  # items that stand behind a cell beside its labels


def slopes(decisions: Estimated, system: str, measure: Average, undefined: str = "drop") -> Floats:
    """Return how a system's measure changes with the weight of every unit, to first order; weights add up to one."""
    counts = decisions.units / decisions.units.sum()
    matrix = features(decisions, system, matrix=measure.matrix)
    seen = np.asarray(matrix @ counts)
    found = np.zeros(len(seen))
    for at in range(len(seen)):
        moved = np.stack([seen, seen])
        moved[0, at] += STEP
        moved[1, at] = max(moved[1, at] - STEP, 0.0)
        low, high = values_of(measure, moved, np.ones(2), undefined)[::-1]
        found[at] = (high - low) / (moved[0, at] - moved[1, at])
    of_items = 0.0
    if not measure.matrix:
        low, high = values_of(measure, np.stack([seen, seen]), np.array([1 - STEP, 1 + STEP]), undefined)
        of_items = (high - low) / (2 * STEP)
    own = np.asarray(matrix.T @ np.nan_to_num(found)) + np.nan_to_num(of_items)
    return np.asarray(own - counts @ own)


def values_of(measure: Average, rows: Floats, items: Floats, undefined: str) -> Floats:
    """Return a measure of counts by label, (rows, counts)."""
    if measure.matrix:
        labels = math.isqrt(rows.shape[1])
        return measure.of_matrix(rows.reshape(-1, labels, labels))
    tp, fp, fn = np.moveaxis(rows.reshape(len(rows), -1, COUNTS), 2, 0)
    return measure(tp, fp, fn, items, undefined)


@dataclass(frozen=True, eq=False)
class Design:
    """Cells within which labels are drawn at random: their share of the items, their spread, and their labels.

    `cell` is that of every stratum, `fixed` the variance that no labels remove, and `whole` that of one random label.
    """

    cell: Counts
    share: Floats
    spread: Floats
    labelled: Floats
    fixed: float
    whole: float

    def variance(self, more: Floats | None = None) -> float:
        """Return the expected variance of the difference with so many more labels in each cell."""
        many = self.labelled if more is None else self.labelled + more
        return float((self.share**2 * self.spread / (many + PRIOR)).sum() + self.fixed)

    def random(self, labels: float) -> Floats:
        """Return how many labels each cell gets of random ones."""
        return np.asarray(labels * self.share)

    def allocated(self, budget: int, room: Counts) -> Counts:
        """Spend labels one by one where each narrows most (Neyman's allocation), as far as there is room."""
        found = np.zeros(len(self.share), dtype=np.int64)
        queue = [(-self._gain(cell, 0), cell) for cell in range(len(found)) if room[cell]]
        heapq.heapify(queue)
        for _ in range(budget):
            if not queue:
                break
            _, cell = heapq.heappop(queue)
            found[cell] += 1
            if found[cell] < room[cell]:
                heapq.heappush(queue, (-self._gain(cell, int(found[cell])), cell))
        return found

    def _gain(self, cell: int, more: int) -> float:
        many = self.labelled[cell] + more + PRIOR
        # Of cells that tell nothing, the largest come first.
        return float(self.share[cell] ** 2 * self.spread[cell] / (many * (many + 1)) + 1e-12 * self.share[cell] / many)


def room_of(decisions: Estimated, design: Design) -> Counts:
    """Return how many unlabelled items each cell has."""
    strata = decisions.strata
    left = (strata.sizes - strata.labelled).astype(float)
    return np.bincount(design.cell, weights=left, minlength=len(design.share)).astype(np.int64)


def design_of(
    decisions: Estimated, measure: Average, pairs: Sequence[tuple[str, str]] = (), undefined: str = "drop"
) -> Design:
    """Return the cells of partly labelled items, for the differences of some pairs (all of them; of one system, it)."""
    strata = decisions.strata
    names = decisions.systems
    wanted = list(pairs) or list(combinations(names, 2))
    needed = {each for pair in wanted for each in pair} or set(names)
    own = {name: slopes(decisions, name, measure, undefined) for name in needed}
    tilts = [own[a] - own[b] for a, b in wanted] or [own[names[0]]]
    stratum, _ = strata.units
    size = strata.sizes / strata.sizes.sum()
    means = strata.means
    number = len(strata.sizes)
    mean = [np.bincount(stratum, weights=means * each, minlength=number) for each in tilts]
    square = [np.bincount(stratum, weights=means * each**2, minlength=number) for each in tilts]
    within = np.mean([top - low**2 for top, low in zip(square, mean, strict=True)], axis=0)
    items = float(strata.sizes.sum())
    fixed = float(np.mean([(size * low**2).sum() for low in mean])) / items
    whole = float(np.mean([(size * top).sum() for top in square]))
    cell = np.arange(number)
    if number > FEW:
        cell = np.zeros(number, dtype=np.int64)
        for at, group in enumerate(strata.groups):
            cell[group.strata] = at
    cells = int(cell.max()) + 1
    share = np.bincount(cell, weights=size, minlength=cells).astype(float)
    spread = np.bincount(cell, weights=size * np.maximum(within, 0.0), minlength=cells).astype(float) / share
    labelled = np.bincount(cell, weights=strata.labelled, minlength=cells).astype(float)
    return Design(cell, share, spread, labelled, fixed, whole)


def widths(design: Design, room: Counts, budget: int, further: int = 100) -> dict[str, Any]:
    """Return the expected standard deviation now, with the budget, with as many random labels, and with some more."""
    chosen = design.allocated(budget, room)
    more = design.allocated(budget + further, room)
    return {
        "chosen": chosen,
        "now": math.sqrt(design.variance()),
        "then": math.sqrt(design.variance(chosen.astype(float))),
        "random": math.sqrt(design.variance(design.random(float(chosen.sum())))),
        "further": math.sqrt(design.variance(more.astype(float))),
    }
