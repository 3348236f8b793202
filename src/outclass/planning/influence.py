"""Influences: how much a difference between two systems owes to each item, by which its spread is known.

A measure is a function of the shares of the kinds of items; its influence is the derivative towards each kind, taken
numerically, so that every measure that can be computed has one.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.measures.averages import Average
from outclass.measures.measure import Measure, pair_difference

STEP: Final = 1e-5
CELLS: Final = 20_000_000  # of weights at a time


class Estimate(NamedTuple):
    """A difference and the std of its influences; the std is nan where it is undefined."""

    difference: float
    spread: float


def of_table(measure: Measure, joint: Counts) -> Estimate:
    """Return the difference of two systems from their (2, 4) table of counts."""
    counts = np.asarray(joint, dtype=float).reshape(8)
    kinds = np.eye(8)[counts > 0]
    return _estimate(
        counts[counts > 0], kinds, lambda shares: np.asarray(pair_difference(measure, shares.reshape(-1, 2, 4)))
    )


def of_average(measure: Average, labels: int, codes: Counts, undefined: str = "drop") -> Estimate:
    """Return the difference of two systems in an average over labels; codes are of the truth, A and B, row by row."""
    patterns, counts = np.unique(codes, axis=0, return_counts=True)
    return of_patterns(measure, labels, patterns, counts, undefined)


def of_patterns(measure: Average, labels: int, patterns: Counts, counts: Counts, undefined: str = "drop") -> Estimate:
    """Return the same from distinct rows of codes, each with how often it occurs."""
    truth = np.eye(labels)[patterns[:, 0]]
    parts = []
    for place in (1, 2):
        said = np.where(patterns[:, place, None] >= 0, np.eye(labels)[patterns[:, place]], 0.0)
        parts += [truth * said, said * (1 - truth), truth * (1 - said)]
    kinds = np.stack(parts, axis=1).reshape(len(patterns), -1)

    def function(shares: Floats) -> Floats:
        own = shares.reshape(len(shares), 6, labels)
        sides = [measure(own[:, at], own[:, at + 1], own[:, at + 2], 1.0, undefined) for at in (0, 3)]
        return np.asarray(sides[0] - sides[1])

    return _estimate(counts.astype(float), kinds, function)


def _estimate(counts: Floats, kinds: Floats, function: Callable[[Floats], Floats]) -> Estimate:
    """Return a function of the mean of kinds, and the std of its derivatives towards each kind."""
    shares = counts / counts.sum()
    middle = shares @ kinds
    at = float(function(middle[None])[0])
    moved = function((1 - STEP) * middle + STEP * kinds)
    slopes = (moved - at) / STEP
    return Estimate(at, float(np.sqrt(shares @ slopes**2)))


def of_scores(measure: Any, truth: np.ndarray, a: Floats, b: Floats) -> Estimate:
    """Return the difference of two systems in a measure of their scores."""
    items = len(truth)
    weighings = [measure.prepare(truth, own) for own in (a, b)]
    even = np.ones((1, items))
    at = float(weighings[0](even)[0] - weighings[1](even)[0])
    slopes = np.empty(items)
    rows = max(1, CELLS // items)
    for start in range(0, items, rows):
        many = min(rows, items - start)
        weights = np.full((many, items), 1 - STEP)
        weights[np.arange(many), start + np.arange(many)] += STEP * items
        moved = weighings[0](weights) - weighings[1](weights)
        slopes[start : start + many] = (moved - at) / STEP
    return Estimate(at, float(np.sqrt(np.mean(slopes**2))))


def rarest(measure: Average, truth: Counts, labels: Counts, counts: Counts | None = None) -> int:
    """Return how many items the rarest of some labels has, if an average gives each of them a value of its own."""
    known = truth >= 0
    many = np.bincount(truth[known], None if counts is None else counts[known], int(labels.max(initial=0)) + 1)
    if measure.averages_labels and not measure.name.startswith("weighted"):
        return int(many[labels].min(initial=int(many.sum())))
    return int(many.sum())  # a rare label counts as little as it occurs


def of_numbers(differences: Floats) -> Estimate:
    """Return the mean of numbers, whose influences are the numbers themselves."""
    return Estimate(float(differences.mean()), float(differences.std()))
