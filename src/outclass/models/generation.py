"""Generation noise: the part of a mean's variance that other repeats of the same items would change.

The variance within items is estimated from those with at least two repeats and taken to be the same, on average, in
those with one. Where hardly any repeats differ, few items say how much they can: each system gets half an item of which
one repeat differs from the others. Degrees of freedom are Welch's, which items that never vary do not raise. Coverage
was measured (docs/repeats-coverage.md).
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from outclass.data.repeats import OneSystem, RepeatedScores
from outclass.inference.grid import StudentLaw

PSEUDO: Final = 0.5  # items of each system, of which one repeat differs
LEAST_FREEDOM: Final = 5.0
ENOUGH: Final = 0.5  # of the items, that must have two repeats


class Noise(NamedTuple):
    """What other repeats would change in a mean: its variance, and the sum that degrees of freedom come from."""

    variance: float
    squares: float

    @property
    def freedom(self) -> float:
        """Welch's degrees of freedom."""
        return max(self.variance**2 / self.squares - 2, LEAST_FREEDOM) if self.squares > 0 else LEAST_FREEDOM


def is_known(own: OneSystem) -> bool:
    """Whether most items have the two repeats that noise is seen by."""
    return float((own.sizes > 1).mean()) >= ENOUGH


def seen_noise(scores: RepeatedScores, systems: Sequence[str]) -> list[OneSystem]:
    """Return the repeats that the noise of each system is estimated from."""
    every, thinned = scores.repeats.distinct.systems, scores.repeats.thinned.systems
    return [thinned[name] if is_known(thinned[name]) else every[name] for name in systems]


def noise_of(own: OneSystem, step: float | None = None) -> Noise:
    """Return the generation noise in one system's mean over items; with a `step`, pseudo-items are added."""
    seen = own.sizes > 1
    if not seen.any():
        return Noise(math.nan, math.nan)
    sizes, within = own.sizes[seen], own.variances[seen]
    # What is not seen of items with one repeat is shared out among the others.
    scale = (1 / sizes + float((~seen).sum()) / len(within)) / len(own.sizes) ** 2
    parts = scale * within
    variance, squares = float(parts.sum()), float((parts**2 / (sizes + 1)).sum())
    if step is not None:
        # One of n repeats differs: the item's mean has the variance (step / n)^2.
        added = PSEUDO * step**2 * float(np.mean(1 / sizes**2)) / len(own.sizes) ** 2
        variance += added
        squares += added**2 / (float(np.mean(sizes)) + 1)
    return Noise(variance, squares)


def together(parts: Sequence[Noise]) -> Noise:
    """Return the noise in a difference of systems, which are repeated independently."""
    return Noise(sum(part.variance for part in parts), sum(part.squares for part in parts))


def fixed_law(scores: RepeatedScores, systems: Sequence[str]) -> StudentLaw:
    """Return the posterior of a system's mean, or of the first's minus the second's, over these very items."""
    own = seen_noise(scores, systems)
    noise = together([noise_of(each, scores.step or _spread(each)) for each in own])
    means = [float(np.mean(scores.values[name])) for name in systems]
    return StudentLaw(noise.freedom, means[0] - sum(means[1:]), math.sqrt(noise.variance))


def _spread(own: OneSystem) -> float:
    """Return how much repeats vary where they do, for numbers that are not right or wrong."""
    varying = own.variances[own.variances > 0]
    return math.sqrt(float(varying.mean())) if len(varying) else float(np.ptp(own.values))
