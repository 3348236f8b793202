"""Two published results on one test set: what every possible agreement between the systems makes of their difference.

The counts fix each system's own posterior, and so the mean of the difference, whatever the agreement. Its variance is
linear in the numbers of positives and of negatives that both systems get right (each takes 2 g_A g_B off it, g being
the slopes of the measure), so that the widest and the narrowest posterior are those of two opposite corners.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from outclass.data.published import SameItems
from outclass.inference.distribution import Distribution
from outclass.models import fitted
from outclass.models.question import Question
from outclass.models.table_fit import evidence_of

Both = tuple[int, int]
MAPPED, PRINTED = 2e-3, 5e-4  # errors of a map of many pairings, and of the few that are printed


def difference_at(pair: SameItems, both: Both, measure: Any, question: Question) -> Distribution:
    """Return the posterior of the difference if both systems get so many positives, and negatives, right."""
    evidence = evidence_of(replace(pair, both=both), None)
    prior = question.prior.of(measure, question.model)
    return fitted(question.model, evidence, prior, question.settings).difference(measure)


def roughly(question: Question, tolerance: float = MAPPED) -> Question:
    """Return the question with the digits that a map of many pairings needs."""
    settings = question.settings
    return replace(question, settings=replace(settings, tolerance=max(tolerance, settings.tolerance)))


def corners(pair: SameItems, measure: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ends of both ranges; a range that does not matter to the measure has one."""
    found = [tuple(dict.fromkeys(ends)) for ends in pair.ranges]
    if measure.given is not None:
        other = 1 if measure.given == "positives" else 0
        found[other] = found[other][:1]
    return found[0], found[1]


def widest(pair: SameItems, measure: Any, question: Question) -> SameItems:
    """Return the pair with the agreement of the widest posterior; of equal ones, that of the least agreement."""
    ends = corners(pair, measure)
    every: Sequence[Both] = [(positives, negatives) for positives, negatives in product(*ends)]
    spread = {both: difference_at(pair, both, measure, roughly(question)).std for both in every}
    return replace(pair, both=max(every, key=lambda both: spread[both]))


def independent(pair: SameItems) -> Both:
    """Return the agreement of systems that err independently of each other, given the class."""
    found = []
    for (a, b), size, (low, high) in zip(pair.right.tolist(), pair.sizes.tolist(), pair.ranges, strict=True):
        found.append(min(max(round(a * b / size) if size else 0, low), high))
    return found[0], found[1]
