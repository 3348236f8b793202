"""AUC and mean losses under weights on many items: weights on blocks of items that are alike.

With weights u on positives and v on negatives, AUC = sum u_i v_j psi_ij, where psi is whether i is ranked above j. The
weights of a block of items are one gamma variate, and given these the items of a block differ from their mean by
little: their placements, the share of the other class that they beat or lose to, are alike. So a draw is U' H V, U and
V being the weights of blocks and H the means of psi over pairs of blocks, plus a normal with the covariance of what the
blocks leave out, which is known in closed form. Items far from all others are a block of their own, and so is every
item of a small class: there, nothing is left out. The cost of a draw does not depend on the number of items. Of the
mean of a loss the same holds, with blocks of items whose losses are alike.
"""

from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.measures.scored import Losses, ScoreMeasure
from outclass.models.blocks import APART, Class, gammas, normals
from outclass.models.precision_blocks import precision_in_blocks
from outclass.models.pseudo_items import Weighable

ITEMS: Final = 1_000  # up to here each item gets its own weight
ALONE: Final = 48  # items of a class that are blocks of their own: those that part the systems most
LEVELS: Final = 5  # halvings of the others
LEVELS_OF_SCORES: Final = 2_048  # scores closer than this share of the items count as tied between blocks
PAIRS: Final = 100_000  # pairs of items looked at for what no block can tell


def drawn_in_blocks(items: Weighable, measure: ScoreMeasure, draws: int, rng: np.random.Generator) -> Floats:
    """Return draws of every system's measure, (draws, systems); the measure is one that has blocks."""
    assert items.truth is not None
    if measure.pairs:
        return _auc(items, items.truth, draws, rng)
    if measure.losses is not None:
        return _means(items, items.truth, measure.losses, draws, rng)
    return precision_in_blocks(items, items.truth, draws, rng)


def _means(items: Weighable, truth: np.ndarray, losses_of: Losses, draws: int, rng: np.random.Generator) -> Floats:
    losses = np.array([losses_of(truth, own) for own in items.values])
    scales = np.ones(len(truth)) if items.scales is None else items.scales
    # The weights of a class and of its pseudo-items are each of one scale.
    sums, total, left = np.zeros((draws, len(losses))), np.zeros((draws, 1)), np.zeros((len(losses), len(losses)))
    for mask in (truth, ~truth):
        for scale in np.unique(scales[mask]):
            part = mask & (scales == scale)
            side = Class(items.shapes[part], losses[:, part], _divided(losses[:, part], items.shapes[part]))
            weights = scale * gammas(side.blocks, draws, rng)
            sums += weights @ side.means.T
            total += weights.sum(axis=1, keepdims=True)
            left += scale**2 * side.left
    mass = float((items.shapes * scales).sum())
    return np.asarray(sums / total + normals(left / mass**2, draws, rng))


def _auc(items: Weighable, truth: np.ndarray, draws: int, rng: np.random.Generator) -> Floats:
    scores = np.array(items.values)
    weights = items.shapes if items.scales is None else items.shapes * items.scales
    positives, negatives = (
        Class(items.shapes[mask], placements, _divided(placements, items.shapes[mask]))
        for mask, placements in zip((truth, ~truth), _placements(scores, truth, weights), strict=True)
    )
    u, v = (_dirichlet(side.blocks, draws, rng) for side in (positives, negatives))
    found = np.empty((draws, len(scores)))
    between = []
    for place, own in enumerate(scores):
        wins = _wins(own, truth, positives, negatives)
        exact = float(positives.shapes @ positives.values[place] / positives.shapes.sum())
        wins += exact - _mean(wins, positives, negatives)
        found[:, place] = np.einsum("ij,ij->i", u @ wins, v)
        between.append(wins)
    covariance = _of_pairs(scores, truth, (positives, negatives), between, rng)
    for side in (positives, negatives):
        mass = float(side.shapes.sum())
        covariance = covariance + side.left / (mass * (mass + 1))
    return np.asarray(np.clip(found + normals(covariance, draws, rng), 0.0, 1.0))


def _placements(scores: Floats, truth: np.ndarray, weights: Floats) -> tuple[Floats, Floats]:
    """Return the weighted share of the negatives that each positive beats, and of the positives that beat a negative.

    A tie counts for half; both are (systems, items of the class).
    """
    found: tuple[list[Floats], list[Floats]] = ([], [])
    for own in scores:
        for mask, side in ((truth, 0), (~truth, 1)):
            other = np.sort(own[~mask])
            order = np.argsort(own[~mask], kind="stable")
            below = np.concatenate([[0.0], np.cumsum(weights[~mask][order])])
            left, right = (below[np.searchsorted(other, own[mask], at)] for at in ("left", "right"))
            share = (left + right) / (2 * below[-1])
            found[side].append(share if side == 0 else 1 - share)
    return np.array(found[0]), np.array(found[1])


def _divided(values: Floats, shapes: Floats) -> Counts:
    """Return the block of each item: its own for pseudo-items and those far from the others, else halves of halves."""
    count = values.shape[1]
    if count <= 1 << (LEVELS + 1):
        return np.arange(count)
    middle = values.mean(axis=0)
    looks = np.vstack([middle, APART * (values - middle)])
    far = np.abs(looks[1:] - looks[1:].mean(axis=1, keepdims=True)).max(axis=0)
    alone = shapes < 0.5 * shapes.max()
    alone[np.argpartition(far, count - ALONE)[count - ALONE :]] = True
    block = np.empty(count, dtype=np.int64)
    block[alone] = np.arange(int(alone.sum()))
    parts = [np.flatnonzero(~alone)]
    for _ in range(LEVELS):
        parts = [half for part in parts for half in _halves(part, looks)]
    parts = [part for part in parts if part.size]
    for number, part in enumerate(parts, start=int(alone.sum())):
        block[part] = number
    return block


def _halves(part: Counts, looks: Floats) -> tuple[Counts, Counts]:
    """Cut a block in two where it is widest."""
    if part.size < 2:
        return part, part[:0]
    own = looks[:, part]
    half = part.size // 2
    order = np.argpartition(own[int(np.argmax(own.var(axis=1)))], half)
    return part[order[:half]], part[order[half:]]


def _wins(own: Floats, truth: np.ndarray, positives: Class, negatives: Class) -> Floats:
    """Return how often items of one block are ranked above those of another, (blocks, blocks)."""
    # Equal scores share a level, so that a tie stays one.
    edges = np.unique(np.quantile(own, np.linspace(0, 1, LEVELS_OF_SCORES + 1), method="nearest"))
    level = np.searchsorted(edges, own, "right")
    levels = len(edges) + 1
    tables = []
    for side, mask in ((positives, truth), (negatives, ~truth)):
        many = len(side.blocks)
        table = np.bincount(side.block * levels + level[mask], weights=side.shapes, minlength=many * levels)
        tables.append(table.reshape(many, levels) / side.blocks[:, None])
    above, against = tables
    below = np.cumsum(against, axis=1) - against / 2
    return np.asarray(above @ below.T)


def _mean(wins: Floats, positives: Class, negatives: Class) -> float:
    """Return the mean over pairs of blocks."""
    p, n = positives.blocks, negatives.blocks
    return float(p @ wins @ n / (p.sum() * n.sum()))


def _of_pairs(
    scores: Floats, truth: np.ndarray, sides: tuple[Class, Class], between: list[Floats], rng: np.random.Generator
) -> Floats:
    """Return the covariance that is left of single pairs, beyond what either item does by itself and the blocks tell.

    It is of the order of one over the product of both classes' sizes, so a sample of the pairs is enough.
    """
    positives, negatives = sides
    if all(len(side.blocks) == len(side.shapes) for side in sides):
        return np.zeros((len(scores), len(scores)))
    first, second = (rng.integers(0, len(side.shapes), PAIRS) for side in sides)
    own, other = scores[:, truth][:, first], scores[:, ~truth][:, second]
    won = (own > other) + (own == other) / 2  # not by their difference, which scores without bounds may not have
    told = [wins[positives.block[first], negatives.block[second]] for wins in between]
    left = won - np.array(told) - positives.gaps[:, first] - negatives.gaps[:, second]
    weight = positives.shapes[first] * negatives.shapes[second]
    total = float(positives.shapes.sum()) * float(negatives.shapes.sum())
    return np.asarray((left * weight) @ left.T / (weight.sum() * total))


def _dirichlet(shapes: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return weights that sum to one."""
    found = gammas(shapes, draws, rng)
    return np.asarray(found / found.sum(axis=1, keepdims=True))
