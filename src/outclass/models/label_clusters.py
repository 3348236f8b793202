"""The cluster jackknife of labels, and of counts per item: groups of items are left out one by one."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.multilabel import Grouped
from outclass.data.unit_counts import GroupedCounts
from outclass.inference.distribution import Interval
from outclass.measures.averages import Average
from outclass.models.clusters import CELLS, Groups, Jackknife

STEP: Final = 1e-6  # of a count, for slopes


class _System(NamedTuple):
    """What one system has: its counts in each group, (groups, labels, 3), and what each item adds, given the slopes."""

    counts: Floats
    added: Callable[[Floats], Floats]


def of_labels(
    decisions: Grouped | GroupedCounts,
    systems: Sequence[str],
    measure: Average,
    undefined: str,
    average: str = "items",
) -> Jackknife:
    """Leave out the groups one by one."""
    groups = Groups(decisions.group, average)
    if isinstance(decisions, GroupedCounts):
        found, differing = _of_counts(decisions, systems, groups, measure.label)
    else:
        found, differing = _of_codes(decisions, systems, groups, measure)
        if measure.places is not None:
            measure = replace(measure, places=tuple(range(len(measure.places))))
    values, otherwise, left, influence, units = [], [], [], [], []
    whole = groups.mass.sum()
    for counted, added in found:
        total = counted.sum(axis=0)
        reweighed = np.tensordot(groups.other.mass / groups.mass, counted, axes=1)
        otherwise.append(_value(measure, reweighed[None], np.array([whole]), undefined)[0])
        values.append(_value(measure, total[None], np.array([whole]), undefined)[0])
        slopes, of_items = _slopes(measure, total, float(whole), undefined)
        influence.append(groups.weights * (added(slopes) + of_items))
        without = _value(measure, total - counted, whole - groups.mass, undefined)
        # Where the measure is undefined without a group, what the group adds to first order stands in.
        linear = values[-1] - groups.sums(influence[-1]) / (1 - groups.mass / whole)
        left.append(np.where(np.isfinite(without), without, linear))
        units.append(_unit(measure, total, float(whole), undefined, single=isinstance(decisions, Grouped)))
    known = [each for each in units if math.isfinite(each)]
    unit = float(np.mean(known)) if known else 0.0

    def apart(a: int, b: int | None) -> Floats:
        return unit * groups.sums(differing(a, b) * groups.weights)

    return Jackknife(
        groups=groups,
        values=np.array(values),
        otherwise=np.array(otherwise),
        left_out=np.stack(left, axis=1),
        bounds=Interval(measure.low, measure.high),
        unit=unit * (1.0 if isinstance(decisions, Grouped) else decisions.counts.typical(measure.label)),
        apart=apart,
        influence=np.stack(influence, axis=1),
    )


_Systems = tuple[list[_System], Callable[[int, int | None], Floats]]


def _of_codes(decisions: Grouped, systems: Sequence[str], groups: Groups, measure: Average) -> _Systems:
    """One label per item: what each system has, and on which items two systems, or one and the truth (None), differ."""
    labels = len(decisions.labels)
    truth = decisions.codes[:, 0]
    said = [decisions.codes[:, decisions.outcomes.column(system)] for system in systems]
    if measure.places is not None:
        # Labels that are not averaged over are one to the measure.
        labels = len(measure.places) + 1
        truth, *said = (measure.told_apart(codes) % labels for codes in (truth, *said))

    def system(own: Counts) -> _System:
        if measure.matrix:
            table = np.zeros((groups.number, labels, labels))
            np.add.at(table, (groups.group, truth, own), groups.weights)
            return _System(table, lambda slopes: slopes[truth, own])
        right = truth == own
        found = np.zeros((groups.number, labels, 3))
        for kind, where, which in ((0, right, truth), (1, ~right, own), (2, ~right, truth)):
            np.add.at(found, (groups.group[where], which[where], kind), groups.weights[where])
        return _System(found, lambda slopes: np.where(right, slopes[truth, 0], slopes[own, 1] + slopes[truth, 2]))

    def differing(a: int, b: int | None) -> Floats:
        return np.asarray(said[a] != (truth if b is None else said[b]), dtype=float)

    return [system(own) for own in said], differing


def _of_counts(decisions: GroupedCounts, systems: Sequence[str], groups: Groups, about: int | None) -> _Systems:
    """Counts per item: the same, with on how many decisions systems differ in each item."""
    counts = decisions.counts

    def system(name: str) -> _System:
        cells = counts.cells[:, counts.column(name)].astype(float)
        found = np.zeros((groups.number, len(counts.labels), 3))
        np.add.at(found, (groups.group[counts.unit], counts.label), cells * groups.weights[counts.unit][:, None])

        def added(slopes: Floats) -> Floats:
            rows = (cells * slopes[counts.label]).sum(axis=1)
            return np.bincount(counts.unit, weights=rows, minlength=counts.items).astype(float)

        return _System(found, added)

    def differing(a: int, b: int | None) -> Floats:
        first, second = (None, systems[a]) if b is None else (systems[a], systems[b])
        return counts.apart(first, second, about).astype(float)

    return [system(name) for name in systems], differing


def _value(measure: Average, counts: Floats, items: Floats, undefined: str) -> Floats:
    if measure.matrix:
        return measure.of_matrix(counts)
    return measure(counts[..., 0], counts[..., 1], counts[..., 2], items, undefined)


def _slopes(measure: Average, counts: Floats, items: float, undefined: str) -> tuple[Floats, float]:
    """Return how the measure changes with every count, by a small step in each that occurs, and with the items."""
    here = _value(measure, counts[None], np.array([items]), undefined)[0]
    slopes = np.zeros(counts.shape)
    there = np.argwhere(counts > 0)
    rows = max(1, CELLS // counts.size)
    for start in range(0, len(there), rows):
        part = there[start : start + rows]
        moved = np.repeat(counts[None], len(part), axis=0)
        step = STEP * counts[part[:, 0], part[:, 1]]
        moved[np.arange(len(part)), part[:, 0], part[:, 1]] += step
        found = (_value(measure, moved, np.full(len(part), items), undefined) - here) / step
        slopes[part[:, 0], part[:, 1]] = np.nan_to_num(found)
    of_items = (_value(measure, counts[None], np.array([items * (1 + STEP)]), undefined)[0] - here) / (STEP * items)
    return slopes, 0.0 if measure.matrix else float(np.nan_to_num(of_items))


def _unit(measure: Average, counts: Floats, items: float, undefined: str, *, single: bool) -> float:
    """Return what one decision can change: from right to wrong, or the other way, averaged over the positives.

    With a `single` label per item, what is not said of one label is said of another.
    """
    if measure.matrix:
        return _unit_of_matrix(measure, counts)
    frequency = counts[:, 0] + counts[:, 2]
    true = np.flatnonzero(frequency > 0)
    if len(true) < 1 + single:
        return 0.0
    rows = max(1, CELLS // counts.size)
    here = _value(measure, counts[None], np.array([items]), undefined)[0]
    squares = []
    for start in range(0, len(true), rows):
        part = true[start : start + rows]
        at = np.arange(len(part))
        moved = np.repeat(counts[None], len(part), axis=0)
        one = np.where(counts[part, 0] >= 1, 1.0, -np.minimum(counts[part, 2], 1.0))
        moved[at, part, 0] -= one
        moved[at, part, 2] += one
        if single:
            other = np.zeros((len(part), len(counts)))
            other[:, true] = (np.maximum(one, 0.0) / (len(true) - 1))[:, None]
            other[at, part] = 0.0
            moved[..., 1] += other
        changed = _value(measure, moved, np.full(len(part), items), undefined) - here
        squares.append(np.nan_to_num(changed / one) ** 2)
    return math.sqrt(float(np.average(np.concatenate(squares), weights=frequency[true])))


def _unit_of_matrix(measure: Average, counts: Floats) -> float:
    """Return the same of a function of the table of confusions: from right to each wrong label, or back."""
    true = np.flatnonzero(counts.sum(axis=1) > 0)
    here = float(measure.of_matrix(counts[None])[0])
    squares, weights = [], []
    for label in true:
        others = [place for place in true if place != label]
        moved = np.repeat(counts[None], len(others), axis=0)
        one = 1.0 if counts[label, label] >= 1 else -1.0
        moved[:, label, label] -= one
        moved[np.arange(len(others)), label, others] += one
        known = moved[np.arange(len(others)), label, others] >= 0
        if known.any():
            squares.append(float(np.mean(np.nan_to_num(measure.of_matrix(moved[known]) - here) ** 2)))
            weights.append(float(counts[label].sum()))
    return math.sqrt(float(np.average(squares, weights=weights))) if squares else 0.0
