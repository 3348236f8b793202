"""Intervals of simulated sets without draws, where a measure is smooth enough in the weights of the items.

The cumulants (`planning.cumulants`) give the mean, the spread, the skewness and the excess kurtosis of each set's
posterior, and these its interval, as in `planning.intervals`. Where the curvature matters much (few items of a label,
nearly perfect systems) the cumulants are not enough, and a set is left to draws.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.planning.backends import Kernel, Runner
from outclass.planning.intervals import Moments

FEWEST_ROWS: Final = 64  # of a matrix product, which fewer would hardly make quicker
PROBES: Final = 4  # directions in which the curvature is probed
# Beyond which a set is left to draws: in stds of the linear form, by how much curvature moves the mean, and in shares
# of its variance, by how much it adds to it.
MOST_SHIFTED: Final = 0.05
MOST_WIDENED: Final = 0.05


@dataclass(frozen=True)
class Question:
    """A kernel with what it is asked, and the arrays that all sets share."""

    kernel: Kernel
    asked: Any
    shared: Sequence[Any]


def moments_of(question: Question, rows: Sequence[Any], runner: Runner) -> tuple[Moments, np.ndarray]:
    """Return the moments of each set, and whether they are as good as those of many draws.

    Parameters
    ----------
    question, runner
        What is computed, and what computes it.
    rows
        Arrays with a row for each set; the first has the weights of its items.
    """
    width = max(int(np.prod(each.shape[1:])) for each in rows)
    many = max(FEWEST_ROWS, runner.elements // (2 * width))
    found = [
        runner.run(question.kernel, question.asked, [each[start : start + many] for each in rows], question.shared)
        for start in range(0, len(rows[0]), many)
    ]
    mean, shift, linear, variance, third, fourth = (np.concatenate(each) for each in zip(*found, strict=True))
    with np.errstate(all="ignore"):
        std = np.sqrt(variance)
        moments = Moments(mean, std, third / std**3, fourth / variance**2)
        near = (np.abs(shift) <= MOST_SHIFTED * np.sqrt(linear)) & (np.abs(variance - linear) <= MOST_WIDENED * linear)
    return moments, near & (variance > 0) & ~moments.odd


def ends_of(moments: Moments, near: np.ndarray, mass: float, drawn: Callable[[int], Floats]) -> Floats:
    """Return the interval of each set, (sets, 2): from moments where they are good, from draws elsewhere."""
    ends = moments.interval(mass)
    for row in np.flatnonzero(~near):
        ends[row] = drawn(int(row))
    return ends


def added_up(parts: Sequence[tuple[Moments, np.ndarray]]) -> tuple[Moments, np.ndarray]:
    """Return the moments of a sum of independent numbers, and where all of theirs are good."""
    if len(parts) == 1:
        return parts[0]
    cumulants = [(each.mean, each.std**2, each.skew * each.std**3, each.kurtosis * each.std**4) for each, _ in parts]
    mean, variance, third, fourth = (np.sum(own, axis=0) for own in zip(*cumulants, strict=True))
    std = np.sqrt(variance)
    with np.errstate(invalid="ignore"):
        moments = Moments(mean, std, third / std**3, fourth / variance**2)
    return moments, np.all([good for _, good in parts], axis=0)


def probes_of(weights: int, rng: np.random.Generator) -> Floats:
    """Return directions in which curvature is probed: +1 or -1 for each weight."""
    return np.asarray(rng.integers(0, 2, (PROBES, weights)) * 2.0 - 1)
