"""How many true labels would have to be wrong to overturn a decision.

The worst case: the true labels of items on which the systems disagree are replaced by what the trailing system said,
those first that move the difference most. The interval moves with the observed difference, and its width with the
delta method's standard deviation, so that nothing is fitted again.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.data.annotated import Votes
from outclass.data.classes import Parts
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.pair import Pair
from outclass.measures.averages import Average
from outclass.models.fit import Fit
from outclass.models.strata import Estimated
from outclass.models.table_fit import TableFit
from outclass.rows.label_parts import TippingPoint
from outclass.rows.types import Contrast
from outclass.verdict.rope import Verdict

MOST_LABELS: Final = 100  # whose derivatives are taken at every step; of more labels, the width stays as it is
MOST_OF_ALL: Final = 2_000  # labels, whose derivatives are taken once
MOST_CONFUSED: Final = 30  # labels of a measure of the whole table of confusions
BOTH, ONLY_A, ONLY_B, NEITHER = range(4)
STEP: Final = 1e-4
TOWARDS: Final = np.vstack([np.zeros(8), np.eye(8)])


class Moves(NamedTuple):
    """What can be wrong about the true labels: kinds of items that move from one cell to another.

    `source` and `target` are cells, `favours` the system that the new label makes right (0 or 1).
    """

    source: Any
    target: Any
    favours: Any


@dataclass(frozen=True, kw_only=True)
class Disputed:
    """Counted items of two systems, as a difference and its derivatives see them.

    Parameters
    ----------
    cells
        How many items there are of each kind.
    difference, slopes
        From such counts to the difference of the measure, and to each system's derivatives by each count.
    moves
        What could be wrong.
    of, unit
        How many true labels there are, and whether they are labels or decisions.
    paired
        Whether the width of the interval comes from the difference, or from both systems by themselves.
    cheap
        Whether derivatives are taken at every step; otherwise the width stays as it is.
    """

    cells: Floats
    difference: Callable[[Floats], float]
    slopes: Callable[[Floats], tuple[Floats, Floats]]
    moves: Moves
    of: int
    paired: bool
    cheap: bool = True
    unit: str = "labels"

    def spread(self, cells: Floats) -> float:
        """Return the delta method's standard deviation, up to a factor."""
        by_a, by_b = self.slopes(cells)
        parts = [by_a - by_b] if self.paired else [by_a, by_b]
        total = cells.sum()
        return math.sqrt(sum(float(cells @ each**2 - (cells @ each) ** 2 / total) for each in parts))


def tipping_point(fit: Fit, a: int, b: int, measure: Any, row: Contrast) -> TippingPoint | None:
    """Return the fewest wrong labels that overturn a decision; None of an open one, or where no labels are known."""
    if not row.verdict.is_decided or math.isnan(row.difference.mean):
        return None
    disputed = _disputed(fit, a, b, measure)
    if disputed is None or math.isnan(disputed.difference(disputed.cells)):
        return None
    found = [each for edge in _edges(row) if (each := _fewest(disputed, row.difference.mean, *edge)) is not None]
    if not found:
        return TippingPoint(labels=None, of=disputed.of, favours="", unit=disputed.unit)
    labels, favours = min(found)
    return TippingPoint(labels=labels, of=disputed.of, favours=row.systems[favours].name, unit=disputed.unit)


def _edges(row: Contrast) -> list[tuple[int, float, float]]:
    """Return each way to overturn a decision: its direction, the edge of the interval, and what it must not cross."""
    hdi, rope = row.difference.hdi, row.rope
    if row.verdict is Verdict.MUCH_GREATER:
        return [(-1, hdi.low, rope.high)]
    if row.verdict is Verdict.MUCH_LESS:
        return [(1, hdi.high, rope.low)]
    both = [(-1, hdi.low, rope.low), (1, hdi.high, rope.high)]
    return [each for each in both if math.isfinite(each[2])]


def _fewest(disputed: Disputed, mean: float, direction: int, edge: float, bound: float) -> tuple[int, int] | None:
    """Return how many labels it takes to move an edge of the interval beyond a bound, and in whose favour."""
    cells, moves = disputed.cells, disputed.moves
    by_a, by_b = disputed.slopes(cells)
    slope = by_a - by_b
    effect = direction * (slope[moves.target] - slope[moves.source])
    order = np.argsort(-effect, kind="stable")
    order = order[(effect[order] > 0) & (cells[moves.source][order] > 0)]
    # An item on which both systems are wrong can be corrected to either's answer, but once.
    order = order[np.sort(np.unique(moves.source[order], return_index=True)[1])]
    if not len(order):
        return None
    room = np.cumsum(cells[moves.source][order])
    start, before, reach = disputed.difference(cells), disputed.spread(cells), edge - mean
    if not before > 0:
        return None

    def holds(labels: int) -> bool:
        """Return whether the decision holds with so many labels wrong."""
        moved = np.diff(np.minimum(room, labels), prepend=0)
        own = cells.copy()
        np.subtract.at(own, moves.source[order], moved)
        np.add.at(own, moves.target[order], moved)
        wider = disputed.spread(own) / before if disputed.cheap else 1.0
        now = mean + disputed.difference(own) - start + reach * wider
        return direction * (bound - now) >= 0

    most = int(room[-1])
    if holds(most):
        return None
    # The width changes little: by the derivatives alone the edge crosses the bound about here.
    gained = np.cumsum(effect[order] * cells[moves.source][order])
    guess = float(np.interp(direction * (bound - edge), [0.0, *gained], [0.0, *room]))
    return _first(holds, most, round(guess)), int(moves.favours[order[0]])


def _first(holds: Callable[[int], bool], most: int, guess: int) -> int:
    """Return the first of 1, ..., most at which something no longer holds, looking around a guess in growing steps."""
    low, high = 0, most  # where it holds, and where it does not
    step, at = 1, min(max(guess, 1), most - 1)
    while low < at < high:
        if holds(at):
            low, at = at, at + step
        else:
            high, at = at, at - step
        step *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


# --- what is disputed, by kind of data -------------------------------------------------------------------------------


def _disputed(fit: Fit, a: int, b: int, measure: Any) -> Disputed | None:
    paired = fit.question.model not in ("unpaired", "goutte")
    if isinstance(fit, TableFit):
        if not isinstance(fit.data, Pair) or fit.evidence.wins is None:
            return None
        if fit.evidence.joint is None or not fit.evidence.has_classes:
            return _of_wins(fit, measure, paired=paired)
        return _of_table(fit.evidence.joint, measure, paired=paired)
    data = fit.data
    if isinstance(data, Estimated) and isinstance(measure, Average):
        from outclass.rows.tipping_strata import of_strata  # loaded for partly labelled items alone

        return of_strata(data, (fit.systems[a], fit.systems[b]), measure, fit.question.undefined)
    if isinstance(data, Parts) and not isinstance(data, Votes):
        return None  # whose labels are inferred
    if not isinstance(measure, Average) or not isinstance(data, Classes | Grouped | MultiLabel):
        return None
    names = fit.systems[a], fit.systems[b]
    if isinstance(data, MultiLabel):
        return _of_many(data, names, measure, fit.question.undefined, paired=paired)
    return _of_patterns(data, names, measure, fit.question.undefined, paired=paired)


def _of_wins(fit: TableFit, measure: Any, *, paired: bool) -> Disputed:
    """See who is right: a wrong label makes the other system right."""
    assert fit.evidence.wins is not None
    a, b, same = fit.evidence.wins
    sign = 1 if measure.higher_is_better else -1
    slopes = np.array([1.0, -1.0, 0.0]) * sign / max(fit.items, 1)
    moves = Moves(np.array([0, 1]), np.array([1, 0]), np.array([1, 0]))
    return Disputed(
        cells=np.array([a, b, same], dtype=float),
        difference=lambda cells: float(slopes @ cells),
        slopes=lambda cells: (slopes, np.zeros(3)),
        moves=moves,
        of=fit.items,
        paired=True,
    )


def _of_table(joint: Any, measure: Any, *, paired: bool) -> Disputed:
    """See one label against the rest: a wrong label moves an item to the other class."""
    positives, negatives = np.arange(4), np.arange(4, 8)
    # Who says yes is right about a positive, who says no about a negative.
    source = [positives[ONLY_A], negatives[ONLY_B], positives[ONLY_B], negatives[ONLY_A]]
    target = [negatives[ONLY_A], positives[ONLY_B], negatives[ONLY_B], positives[ONLY_A]]

    @lru_cache(maxsize=1)
    def near(cells: bytes) -> Floats:
        """Return both systems' values at the cells and a step away in each: the width and the difference need both."""
        own = np.frombuffer(cells)
        tables = (own + STEP * own.sum() * TOWARDS).reshape(9, 2, 4)
        of_a, of_b = (_own(tables, column) for column in (ONLY_A, ONLY_B))
        return np.asarray(measure(*map(np.array, zip(of_a, of_b, strict=True))))

    def difference(cells: Floats) -> float:
        return float(np.subtract(*near(cells.tobytes())[:, 0]))

    def slopes(cells: Floats) -> tuple[Floats, Floats]:
        values = near(cells.tobytes())
        by_a, by_b = (values[:, 1:] - values[:, :1]) / (STEP * cells.sum())
        return by_a, by_b

    return Disputed(
        cells=np.asarray(joint, dtype=float).ravel(),
        difference=difference,
        slopes=slopes,
        moves=Moves(np.array(source), np.array(target), np.array([1, 1, 0, 0])),
        of=int(np.sum(joint)),
        paired=paired,
    )


def _own(tables: Floats, column: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return TP, FP, FN and TN of the system that alone says yes in a column."""
    other = ONLY_A + ONLY_B - column
    yes, no = tables[..., BOTH] + tables[..., column], tables[..., NEITHER] + tables[..., other]
    return yes[..., 0], yes[..., 1], no[..., 0], no[..., 1]


class Sums(NamedTuple):
    """What each cell adds to the counts of a system: places among 3 x labels (or labels x labels), and cells."""

    place: Any
    cell: Any


def _of_sums(
    cells: Floats,
    sums: tuple[Sums, Sums],
    moves: Moves,
    measure: Average,
    undefined: str,
    *,
    labels: int,
    of: int,
    paired: bool,
) -> Disputed | None:
    """See an average over labels: a function of what the cells add up to."""
    if labels > (MOST_CONFUSED if measure.matrix else MOST_OF_ALL):
        return None
    size = labels * (labels if measure.matrix else 3)

    def counted(own: Floats, which: Sums) -> Floats:
        return np.bincount(which.place, weights=own[which.cell], minlength=size).astype(float)

    def value(counts: Floats) -> Floats:
        if measure.matrix:
            return measure.of_matrix(counts.reshape(*counts.shape[:-1], labels, labels))
        tp, fp, fn = np.moveaxis(counts.reshape(*counts.shape[:-1], labels, 3), -1, 0)
        return measure(tp, fp, fn, np.full(counts.shape[:-1], float(of)), undefined)

    def slopes(own: Floats) -> tuple[Floats, Floats]:
        found = []
        for which in sums:
            counts = counted(own, which)
            step = STEP * max(of, 1)
            derivative = np.empty(size)
            for at in range(0, size, 500):
                rows = np.arange(at, min(at + 500, size))
                near = np.repeat(counts[None], len(rows), axis=0)
                near[np.arange(len(rows)), rows] += step
                derivative[rows] = (value(near) - value(counts[None])) / step
            # A label that nobody names has no value beside it.
            derivative = np.nan_to_num(derivative)
            found.append(np.bincount(which.cell, weights=derivative[which.place], minlength=len(own)).astype(float))
        return found[0], found[1]

    return Disputed(
        cells=cells,
        difference=lambda own: float(np.subtract(*(value(counted(own, each)[None])[0] for each in sums))),
        slopes=slopes,
        moves=moves,
        of=of,
        paired=paired,
        cheap=labels <= MOST_LABELS,
    )


def _of_patterns(
    data: Classes | Grouped, names: tuple[str, str], measure: Average, undefined: str, *, paired: bool
) -> Disputed | None:
    """See one label per item: a wrong label is what the other system said."""
    outcomes = data.outcomes.selected(names)
    truth, *said = outcomes.patterns.T
    if measure.matrix and min(int(each.min(initial=0)) for each in said) < 0:
        return None
    rows, sources, favours = [outcomes.patterns], [], []
    for which, other in enumerate(said):
        open_ = np.flatnonzero((said[0] != said[1]) & (other != truth) & (other >= 0))
        rows.append(np.column_stack([other[open_], said[0][open_], said[1][open_]]))
        sources.append(open_)
        favours.append(np.full(len(open_), which))
    distinct, place = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    place = place.ravel()
    own = len(outcomes.patterns)
    cells = np.bincount(place[:own], weights=outcomes.counts, minlength=len(distinct)).astype(float)
    moves = Moves(place[:own][np.concatenate(sources)], place[own:], np.concatenate(favours))
    labels = len(outcomes.labels)
    sums = [_sums(distinct[:, 0], distinct[:, column], labels, matrix=measure.matrix) for column in (1, 2)]
    return _of_sums(
        cells, (sums[0], sums[1]), moves, measure, undefined, labels=labels, of=outcomes.items, paired=paired
    )


def _sums(truth: Any, said: Any, labels: int, *, matrix: bool) -> Sums:
    """Return what each kind of item adds to a system's counts."""
    cell = np.arange(len(truth))
    if matrix:
        return Sums(truth * labels + said, cell)
    right = truth == said
    named = ~right & (said >= 0)
    place = np.concatenate([3 * truth[right], 3 * said[named] + 1, 3 * truth[~right] + 2])
    return Sums(place, np.concatenate([cell[right], cell[named], cell[~right]]))


def _of_many(
    data: MultiLabel, names: tuple[str, str], measure: Average, undefined: str, *, paired: bool
) -> Disputed | None:
    """See many labels per item: a wrong label is one that is there and should not be, or the reverse."""
    joints = data.joints(*names).astype(float)  # label, class, cell
    labels = len(joints)
    at = 8 * np.arange(labels)[:, None]
    source, target = at + [ONLY_A, 4 + ONLY_B, ONLY_B, 4 + ONLY_A], at + [4 + ONLY_A, ONLY_B, 4 + ONLY_B, ONLY_A]
    favours = np.broadcast_to([1, 1, 0, 0], source.shape)
    moves = Moves(source.ravel(), target.ravel(), favours.ravel())
    sums = []
    for column in (ONLY_A, ONLY_B):
        other = ONLY_A + ONLY_B - column
        cell = at + [BOTH, column, 4 + BOTH, 4 + column, other, NEITHER]
        place = 3 * np.arange(labels)[:, None] + [0, 0, 1, 1, 2, 2]
        sums.append(Sums(place.ravel(), cell.ravel()))
    decisions = data.items * labels
    found = _of_sums(
        joints.ravel(), (sums[0], sums[1]), moves, measure, undefined, labels=labels, of=data.items, paired=paired
    )
    if found is None:
        return None
    # Documents, not decisions, are what the width comes from: it stays as it is.
    return replace(found, of=decisions, cheap=False, unit="decisions")
