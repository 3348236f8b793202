"""Average precision under weights on many items: weights on blocks of items that are alike.

As in `score_blocks`, the weights of a block are one gamma variate, and what single items add beyond their block is a
normal of known covariance. Average precision is not linear in the weights, least of all in those of the items ranked
first: blocks are cut where the measure's slopes differ most, so that these are blocks of their own. Hits and false
alarms of a draw are summed down to some levels of each ranking, of which those at the top, and ties, are single scores.
"""

import heapq
from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.measures.local import average_precision
from outclass.models.blocks import APART, Class, gammas, normals
from outclass.models.pseudo_items import Weighable

BLOCKS: Final = 128  # of a class, beside pseudo-items
LEVELS: Final = 192  # of a ranking
TOGETHER: Final = 500  # draws
NEAR: Final = 1e-3  # stds of a block's weight: a step


def precision_in_blocks(items: Weighable, truth: np.ndarray, draws: int, rng: np.random.Generator) -> Floats:
    """Return draws of every system's average precision, (draws, systems)."""
    scales = np.ones(len(truth)) if items.scales is None else items.scales
    here = [average_precision(truth, own)(items.shapes * scales) for own in items.values]
    slopes = np.array([each.slopes for each in here]) * scales
    sides = [
        Class(items.shapes[mask], slopes[:, mask], _divided(slopes[:, mask], items.shapes[mask]))
        for mask in (truth, ~truth)
    ]
    # Items of one block have one scale, since pseudo-items are by themselves.
    stretched = [_each(side, scales[mask]) for side, mask in zip(sides, (truth, ~truth), strict=True)]
    levels = [_Levels.of(own, truth, sides) for own in items.values]
    variances = items.shapes * scales**2
    centres = [
        each.value + float(each.bends @ variances) / 2 - level.expected(sides, stretched)
        for each, level in zip(here, levels, strict=True)
    ]
    found = np.empty((draws, len(levels)))
    for start in range(0, draws, TOGETHER):
        count = min(TOGETHER, draws - start)
        u, v = (gammas(side.blocks, count, rng) * scale for side, scale in zip(sides, stretched, strict=True))
        for place, level in enumerate(levels):
            found[start : start + count, place] = level.precision(u, v) + centres[place]
    left = sides[0].left + sides[1].left
    return np.asarray(np.clip(found + normals(left, draws, rng), 0.0, 1.0))


def _each(side: Class, numbers: Floats) -> Floats:
    """Return the number of the last item of each block."""
    found = np.empty(len(side.blocks))
    found[side.block] = numbers
    return found


def _divided(slopes: Floats, shapes: Floats) -> Counts:
    """Return the block of each item: again and again the block that differs most within is cut at its mean."""
    middle = slopes.mean(axis=0)
    looks = np.vstack([middle, APART * (slopes - middle)])
    alone = np.flatnonzero(shapes < 0.5 * shapes.max())
    block = np.empty(slopes.shape[1], dtype=np.int64)
    heap = [_entry(looks, np.flatnonzero(shapes >= 0.5 * shapes.max()))]
    whole: list[Counts] = []
    while heap and len(heap) + len(whole) < BLOCKS:
        spread, _, part, widest = heapq.heappop(heap)
        if spread == 0:
            whole.append(part)
            continue
        own = looks[widest, part]
        low = own < own.mean()
        for half in (part[low], part[~low]):
            heapq.heappush(heap, _entry(looks, half))
    parts = [*(entry[2] for entry in heap), *whole, *alone[:, None]]
    for number, part in enumerate(parts):
        block[part] = number
    return block


def _entry(looks: Floats, part: Counts) -> tuple[float, int, Counts, int]:
    """Return a part with how much it differs within, widest first; parts begin with different items."""
    own = looks[:, part]
    squares = own.var(axis=1) * part.size
    # Rounding leaves something of the variance of equal numbers.
    squares[np.ptp(own, axis=1) <= 1e-12 * np.abs(own).max(axis=1)] = 0.0
    widest = int(np.argmax(squares))
    return -float(squares[widest]), int(part[0]), part, widest


@dataclass(frozen=True)
class _Levels:
    """What each block has from one level of a ranking to the next, as a share of it."""

    hits: Floats  # (blocks of positives, levels)
    alarms: Floats
    spread: Floats  # of the levels with several scores of positives 1/2, else 0

    @classmethod
    def of(cls, scores: Floats, truth: np.ndarray, sides: list[Class]) -> "_Levels":
        """Cut a ranking into levels that end at positives, where many of these are, or the precision changes."""
        distinct, many = np.unique(-scores[truth], return_counts=True)  # from the best
        found = np.cumsum(many)
        seen = np.searchsorted(np.sort(-scores), distinct, "right")
        changes = np.abs(np.diff(found / seen, prepend=1.0))
        share = np.cumsum(1 / len(distinct) + changes / max(float(changes.sum()), 1e-300))
        ends = np.unique(np.searchsorted(share, share[-1] * (np.arange(1, LEVELS + 1) / LEVELS - 1e-12)))
        several = np.diff(ends, prepend=-1) > 1
        level = np.searchsorted(distinct[ends], -scores, "left")
        tables = []
        for side, mask in zip(sides, (truth, ~truth), strict=True):
            width = len(ends) + 1  # the last is below all positives
            cells = side.block * width + level[mask]
            table = np.bincount(cells, weights=side.shapes, minlength=len(side.blocks) * width)
            tables.append(table.reshape(-1, width)[:, :-1] / side.blocks[:, None])
        return cls(tables[0], tables[1], several / 2)

    def expected(self, sides: list[Class], scales: list[Floats]) -> float:
        """Return the mean of the average precision, to second order in the weights of the blocks."""
        means = np.concatenate([side.blocks * scale for side, scale in zip(sides, scales, strict=True)])
        steps = NEAR * np.diag(np.sqrt(means * np.concatenate(scales)))
        at = np.vstack([means, means + steps, means - steps])
        found = self.precision(*np.split(at, [len(sides[0].blocks)], axis=1))
        return float(found[0] + (found[1:] - found[0]).sum() / (2 * NEAR**2))

    def precision(self, u: Floats, v: Floats) -> Floats:
        """Return the average precision at given weights of blocks, (draws,)."""
        hits = u @ self.hits
        found, against = np.cumsum(hits, axis=1), np.cumsum(v @ self.alarms, axis=1)
        seen = found + against
        precision = np.divide(found, seen, out=np.zeros_like(seen), where=seen > 0)
        # Of a level with several scores, between where it begins and where it ends.
        before = np.concatenate([precision[:, :1], precision[:, :-1]], axis=1)
        precision -= self.spread * (precision - before)
        return np.asarray(np.einsum("ij,ij->i", hits, precision) / u.sum(axis=1))
