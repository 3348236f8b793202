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

FEWEST_ROWS: Final = 4  # of a matrix product
# Multiplications to one number held. On the processor products stay so small that NumPy's library does not spread one
# over several threads, which wait for each other where plans use all cores already.
WORK: Final = 16
FEWEST_PROBES: Final = 4  # directions in which the curvature is probed
PROBED: Final = 64  # ratios times directions: few ratios are curved in few directions, which few probes may miss
# Beyond which a set is left to draws: what curvature changes of the linear form's variance, as a share of it; and by
# how much it moves the mean, in stds, times that share, of which about a third is the error of the mean.
MOST_CURVED: Final = 0.2
MOST_OFF: Final = 0.02


@dataclass(frozen=True)
class Question:
    """A kernel with what it is asked, the arrays that all sets share, and how many products a set takes."""

    kernel: Kernel
    asked: Any
    shared: Sequence[Any]
    work: int = 0


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
    many = max(FEWEST_ROWS, runner.elements // max(2 * width, question.work // WORK))
    found = [
        runner.run(question.kernel, question.asked, [each[start : start + many] for each in rows], question.shared)
        for start in range(0, len(rows[0]), many)
    ]
    mean, shift, linear, curved, variance, third, fourth = (np.concatenate(each) for each in zip(*found, strict=True))
    with np.errstate(all="ignore"):
        std = np.sqrt(variance)
        moments = Moments(mean, std, third / std**3, fourth / variance**2)
        share = curved / linear
        near = (share <= MOST_CURVED) & (np.abs(shift) * share <= MOST_OFF * np.sqrt(linear))
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


def probes_of(weights: int, ratios: int, rng: np.random.Generator) -> Floats:
    """Return directions in which curvature is probed: +1 or -1 for each weight."""
    return np.asarray(rng.integers(0, 2, (max(FEWEST_PROBES, PROBED // ratios), weights)) * 2.0 - 1)
