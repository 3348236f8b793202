"""The difference of two systems as a curve over one split: of what is said on one class, between two outcomes.

Given the class, both systems, only A, only B or neither say positive. As one of two outcomes takes from the other, A or
B says positive more often, or the one more and the other less: the difference of a measure is monotone in r.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.inference.beside import Beside
from outclass.inference.curves import FractionDifference
from outclass.inference.distribution import Interval
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import Nodes
from outclass.inference.scores import ScoreSpline
from outclass.inference.tabled import Tabled
from outclass.measures.measure import Measure
from outclass.models.forms import Move, Said, Side, Unit, cells_of, fraction_difference

BOTH, ONLY_A, ONLY_B, NEITHER = range(4)
DISAGREEMENT: Final = (ONLY_A, ONLY_B)
# For two outcomes: how far A and B say positive more often as the first takes from the second.
MOVES: Final = {
    DISAGREEMENT: (1, -1),
    (ONLY_A, NEITHER): (1, 0),
    (BOTH, ONLY_B): (1, 0),
    (ONLY_B, NEITHER): (0, 1),
    (BOTH, ONLY_A): (0, 1),
}


@dataclass(frozen=True)
class FunctionDifference:
    """The difference of a measure that is no ratio: values alone, whose inverse is looked up (`Tabled`)."""

    measure: Measure
    side: Side
    share: Unit
    own: Said
    other: Said
    move: Move

    @property
    def span(self) -> Floats:
        """How far the systems' rates run as r goes from 0 to 1."""
        return self.move.span

    def at(self, r: Floats, rest: Floats) -> Floats:
        """Return the values at r, with rest = 1 - r."""
        x = self.move.span * r
        values = []
        for own, other, move in ((self.own.a, self.other.a, self.move.a), (self.own.b, self.other.b, self.move.b)):
            rates = own + move * x, other
            recall, fallout = rates if self.side == "positives" else rates[::-1]
            values.append(self.measure(*cells_of(self.share.value, recall, fallout)))
        return np.asarray(values[0] - values[1])


PairCurve = FractionDifference | FunctionDifference


def curve_of(measure: Measure, side: Side, pair: tuple[int, int], units: Sequence[Unit]) -> PairCurve:
    """Return the difference as a curve over the split r of two outcomes on one class, given six variates.

    These are, on the other class, the split of the disagreements; on that class, the share of the two outcomes
    together; the other class's disagreements; the share of positives; and how those are split that are left.
    """
    far_split, span, far_span, share, rest, far_rest = units
    zero = np.zeros_like(span.value)
    at_start = said(shares(pair, span, Unit(zero, zero + 1), rest))
    other = said(shares(DISAGREEMENT, far_span, far_split, far_rest))
    move = Move(span.value, *MOVES[pair])
    if measure.ratio is None:
        return FunctionDifference(measure, side, share, at_start, other, move)
    return fraction_difference(measure.ratio(*share), share, at_start, other, move, side)


def mixture_of(
    curve: PairCurve,
    law: ScoreSpline,
    nodes: Nodes,
    support: Interval,
    beside: Beside | None = None,
) -> Mixture:
    """Return the distribution of a curve's value, logit(r) having the distribution `law`."""
    if isinstance(curve, FractionDifference):
        return Mixture(curve, law, nodes, support=support, beside=beside)
    return Tabled.of_curve(curve, law, nodes, support=support, beside=beside)


def shares(pair: tuple[int, int], together: Unit, split: Unit, others: Unit) -> Floats:
    """Return the shares of the four outcomes: of two together, their split, and that of the other two."""
    third, fourth = (place for place in range(4) if place not in pair)
    found = np.empty((4, *together.value.shape))
    found[pair[0]], found[pair[1]] = together.value * split.value, together.value * split.rest
    found[third], found[fourth] = together.rest * others.value, together.rest * others.rest
    return found


def said(shares: Floats) -> Said:
    """Return how often A and B say positive."""
    both, only_a, only_b, _ = shares
    return Said(both + only_a, both + only_b, only_a - only_b)
