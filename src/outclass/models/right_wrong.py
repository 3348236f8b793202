"""Results that are just two numbers, as 0 and 1: the sign model, in the unit of the numbers.

Only A has the higher number, only B has, both have the same: Dirichlet shares with Jeffreys' prior; a system's own mean
is a Beta with one pseudo-item of each kind, as `evaluate` has it for accuracy.
"""

from collections.abc import Sequence

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.inference.closed import BetaLaw
from outclass.inference.derived import Scaled
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.settings import Settings
from outclass.measures import get
from outclass.models.table.sign import Sign

JEFFREYS = 0.5


def two_values(columns: Sequence[Floats]) -> Interval | None:
    """Return the two numbers that all results are; None if there are more.

    A single number counts as one of two only if it is 0 or 1; two constant systems, each at its own number, are not
    right or wrong.
    """
    kinds = np.unique(np.concatenate([np.unique(each) for each in columns]))
    if set(kinds.tolist()) <= {0.0, 1.0}:
        return Interval(0.0, 1.0)
    if len(kinds) != 2 or not any(len(np.unique(each)) == 2 for each in columns):
        return None
    return Interval(float(kinds[0]), float(kinds[1]))


def kinds_of(columns: Sequence[Floats], step: float | None) -> Interval | None:
    """Return the two numbers that results are; means of repeats are right or wrong only a whole `step` apart.

    Two means that happen to occur, such as 0.9 and 1 of ten answers, are not all that others could be.
    """
    found = two_values(columns)
    return None if found is not None and step is not None and found.width < step else found


def table_of(a: Floats, b: Floats, values: Interval) -> Counts:
    """Return how often both are right, only A, only B, neither: [[both, only A], [only B, neither]]."""
    right = [each == values.high for each in (a, b)]
    return np.array(
        [[(x & y).sum() for y in (right[1], ~right[1])] for x in (right[0], ~right[0])],
        dtype=np.int64,
    )


def difference_law(table: Counts, width: float, settings: Settings) -> Distribution:
    """Return the law of A's mean less B's, from how often each is right and the width between the two numbers."""
    (both, only_a), (only_b, neither) = table
    alphas = (only_a + JEFFREYS, only_b + JEFFREYS, both + neither + JEFFREYS)
    return Scaled(Sign(alphas=alphas, settings=settings).difference(get("accuracy")), width)


def own_law(own: Floats, values: Interval) -> Distribution:
    """Return the distribution of one system's mean."""
    right = int((own == values.high).sum())
    return BetaLaw(right + 1.0, len(own) - right + 1.0, values.width, values.low)
