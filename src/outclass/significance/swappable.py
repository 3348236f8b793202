"""What can be swapped between two systems under the null hypothesis, and what that does to a measure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Classes, Decisions, Grouped
from outclass.data.scores import Scores
from outclass.data.unit_counts import GroupedCounts
from outclass.measures.averages import Average, counts_rights
from outclass.measures.scored import ScoreMeasure
from outclass.models import clusters
from outclass.models.clusters import Groups, Jackknife
from outclass.models.label_clusters import of_labels
from outclass.models.weighed import features
from outclass.significance.swapping import Swaps

SORTED: Final = 2_000  # random swaps of scores, which are sorted anew for each
Difference = Callable[[Floats, Floats, Floats], Floats]  # of both systems' (rows, labels, 3) counts, and of items


def difference_of(measure: Average, undefined: str, *, same_labels: bool = True) -> Difference:
    """Return the difference in a measure of two systems' counts.

    With `same_labels` a label that has no value for one of the two is left out for both.
    """

    def difference(first: Floats, second: Floats, items: Floats) -> Floats:
        if measure.matrix:
            return np.asarray(measure.of_matrix(first) - measure.of_matrix(second))
        cells = [np.moveaxis(each, -1, 0) for each in (first, second)]
        if undefined == "drop" and same_labels and measure.averages_labels:
            lacking = (cells[0].sum(axis=0) == 0) | (cells[1].sum(axis=0) == 0)
            cells = [np.where(lacking, 0.0, each) for each in cells]
        a, b = (measure(tp, fp, fn, items, undefined) for tp, fp, fn in cells)
        return np.asarray(a - b)

    return difference


def weighted_difference(
    decisions: Decisions, systems: Sequence[str], measure: Average, undefined: str
) -> Callable[[Floats], Floats]:
    """Return the difference in a measure over many labels as a function of weights on the units."""
    labels = len(decisions.labels)
    matrices = [features(decisions, system, matrix=measure.matrix) for system in systems]
    between = difference_of(measure, undefined)

    def difference(weights: Floats) -> Floats:
        first, second = (np.asarray((matrix @ weights.T).T).reshape(len(weights), labels, -1) for matrix in matrices)
        return between(first, second, weights.sum(axis=1))

    return difference


def of_decisions(decisions: Decisions, systems: Sequence[str], measure: Average, undefined: str) -> Swaps:
    """Swap items (one label each), documents or, of items in groups, groups."""
    if isinstance(decisions, Classes):
        decisions = Classes(decisions.outcomes.selected(systems))
        if counts_rights(measure, all_predicted=decisions.outcomes.all_predicted(*systems)):
            return _of_rights(decisions, systems, measure.name == "error")
    a, b = (features(decisions, system, matrix=measure.matrix).T for system in systems)
    return _swaps(decisions, a, b, difference_of(measure, undefined))


def _of_rights(decisions: Classes, systems: Sequence[str], is_error: bool) -> Swaps:
    """Accuracy: only items on which exactly one system is right count, and all of them alike."""
    right = decisions.outcomes.rights(*systems)
    only_a, only_b = int(right[0, 1]), int(right[1, 0])
    n, items = only_a + only_b, decisions.items
    sign = -1 if is_error else 1
    return Swaps(
        counts=np.array([n]),
        seen=np.array([only_a]),
        statistic=lambda places: np.asarray(sign * (2 * places[:, 0] - n) / items),
    )


def _swaps(decisions: Decisions, a: Any, b: Any, difference: Difference) -> Swaps:
    counts = decisions.units
    labels = len(decisions.labels)
    own, other = (np.asarray(counts @ each).reshape(1, -1) for each in (a, b))
    change = (a - b).tocsr()
    change.eliminate_zeros()
    differ = np.flatnonzero(np.diff(change.indptr))
    kinds, seen, rows = _merged(decisions, differ, counts)
    change = change[rows]
    items = float(decisions.items)

    def statistic(places: Floats) -> Floats:
        moved = np.asarray((change.T @ (places - seen).T).T)
        first, second = (
            (each + step).reshape(len(places), labels, -1) for each, step in ((own, moved), (other, -moved))
        )
        # What is left of counts that cancel is rounding.
        first, second = (np.where(np.abs(each) < 1e-9, 0.0, each) for each in (first, second))
        return difference(first, second, np.full(len(places), items))

    return Swaps(kinds, seen, statistic)


def _merged(decisions: Decisions, differ: Counts, counts: Counts) -> tuple[Counts, Counts, Counts]:
    """Return how many units of each kind there are, how many stand as they do in its first row, and those rows.

    (truth, a, b) and (truth, b, a) are one kind: each is what the other becomes when it is swapped.
    """
    if not isinstance(decisions, Classes):
        return counts[differ], counts[differ], differ
    patterns = decisions.outcomes.patterns[differ][:, :3]
    swapped = patterns[:, 1] > patterns[:, 2]
    keys = np.column_stack([patterns[:, 0], np.sort(patterns[:, 1:3], axis=1)])
    _, first, kind = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    kind = kind.ravel()
    whole = np.bincount(kind, weights=counts[differ], minlength=len(first)).astype(np.int64)
    as_first = swapped == swapped[first][kind] if len(first) else swapped
    seen = np.bincount(kind, weights=counts[differ] * as_first, minlength=len(first)).astype(np.int64)
    return whole, seen, differ[first]


# --- groups ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GroupedMeasure:
    """One measure of two systems on items in groups: what the tests at the level of groups are made from."""

    measure: str
    title: str
    jackknife: Jackknife
    swaps: Swaps
    lower_is_better: bool = False
    usual_draws: int | None = None  # random swaps; None is what the test usually takes


def of_grouped(
    decisions: Grouped | GroupedCounts, systems: Sequence[str], measure: Average, undefined: str, average: str
) -> GroupedMeasure:
    """Labels or counts: swap the predictions of whole groups."""
    jackknife = of_labels(decisions, systems, measure, undefined, average)
    groups = jackknife.groups
    from scipy import sparse  # loaded for many labels alone

    scale = sparse.diags(groups.mass / groups.sizes)
    a, b = (scale @ features(decisions, system, matrix=measure.matrix).T for system in systems)
    swaps = _swaps(decisions, a, b, difference_of(measure, undefined, same_labels=False))
    return GroupedMeasure(measure.name, measure.title, jackknife, swaps, not measure.higher_is_better)


def of_scores(scores: Scores, systems: Sequence[str], measure: ScoreMeasure | None, average: str) -> GroupedMeasure:
    """Numbers, or the scores of a classifier: swap those of whole groups."""
    assert scores.group is not None
    a, b = (scores.values[name] for name in systems)
    if measure is None:
        jackknife = clusters.of_numbers([a, b], scores.group, average)
        swaps = _of_sums(jackknife.groups, a - b)
        return GroupedMeasure("mean", scores.name, jackknife, swaps, not scores.higher_is_better)
    assert scores.truth is not None
    jackknife = clusters.of_scores([a, b], scores.truth, scores.group, measure, average)
    swaps = _of_ranks(jackknife.groups, scores.truth, a, b, measure)
    return GroupedMeasure(measure.name, measure.title, jackknife, swaps, not measure.higher_is_better, SORTED)


def _of_sums(groups: Groups, differences: Floats) -> Swaps:
    """Of means: to swap a group turns the sign of its sum."""
    sums = groups.sums(differences * groups.weights)
    sums = sums[sums != 0]
    whole, ones = float(groups.mass.sum()), np.ones(len(sums), dtype=np.int64)
    return Swaps(ones, ones, lambda places: np.asarray((2 * places - 1) @ sums / whole))


def _of_ranks(groups: Groups, truth: np.ndarray, a: Floats, b: Floats, measure: ScoreMeasure) -> Swaps:
    """Of scores: those of whole groups are swapped; as ranks, so that two systems' scales need not be the same."""
    from scipy import stats  # loaded for tests alone

    if not measure.probabilities:
        a, b = stats.rankdata(a), stats.rankdata(b)
    differ = np.flatnonzero(groups.sums((a != b).astype(float)) > 0)
    place = np.full(groups.number, len(differ))
    place[differ] = np.arange(len(differ))
    weights = groups.weights[None, :]

    def statistic(places: Floats) -> Floats:
        found = np.empty(len(places))
        for row, each in enumerate(places):
            kept = np.append(each, 1.0)[place][groups.group] > 0
            first, second = np.where(kept, a, b), np.where(kept, b, a)
            found[row] = measure.prepare(truth, first)(weights)[0] - measure.prepare(truth, second)(weights)[0]
        return found

    ones = np.ones(len(differ), dtype=np.int64)
    return Swaps(ones, ones, statistic)
