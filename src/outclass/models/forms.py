"""A measure along one rate: the linear fractions that the exact engine inverts.

Given the share of positives, a measure's two linear forms of the cells are linear in the rate at which a system says
"positive" on one class (its recall, or its false-positive rate), the other class's rate being held.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.inference.curves import Fraction, FractionDifference
from outclass.inference.distribution import Interval
from outclass.measures.measure import Cells, Measure, Ratio

Side = Literal["positives", "negatives"]


class Unit(NamedTuple):
    """A number between 0 and 1 and what it lacks to 1, each to its own last digit."""

    value: Floats
    rest: Floats


class Said(NamedTuple):
    """How often A and B say positive on one class, and A's lead, which is not found by subtracting them."""

    a: Floats
    b: Floats
    lead: Floats


class Move(NamedTuple):
    """What the integrated coordinate moves on one class: up to `span`, times `a` for A and times `b` for B."""

    span: Floats
    a: int
    b: int


@dataclass(frozen=True, slots=True)
class Form:
    """One linear form of the cells, as seen from one class: yes and no are what the system says."""

    own_yes: Any
    own_no: Any
    other_yes: Any
    other_no: Any

    @classmethod
    def of(cls, cells: Cells, side: Side) -> "Form":
        """Look at a form from one class."""
        if side == "positives":
            return cls(cells.tp, cells.fn, cells.fp, cells.tn)
        return cls(cells.fp, cells.tn, cells.tp, cells.fn)


def _weights(share: Unit, side: Side) -> tuple[Floats, Floats]:
    """Return the share of the class looked at, and of the other."""
    return (share.value, share.rest) if side == "positives" else (share.rest, share.value)


def fraction(ratio: Ratio, share: Unit, other: Unit, side: Side) -> Fraction:
    """Return one system's measure as a curve over its rate on one class, its rate on the other class being given."""
    own, rest = _weights(share, side)
    lines = []
    for cells in ratio:
        form = Form.of(cells, side)
        there = rest * (form.other_yes * other.value + form.other_no * other.rest)
        slope = own * (form.own_yes - form.own_no) + np.zeros_like(there)
        lines.append((own * form.own_no + there, slope, own * form.own_yes + there))
    (top, top_slope, top_end), (bottom, bottom_slope, bottom_end) = lines
    return Fraction(top, top_slope, bottom, bottom_slope, top_end, bottom_end)


@dataclass(frozen=True)
class FunctionOfRate:
    """A measure that is no ratio, over its rate on one class: values alone."""

    measure: Measure
    side: Side
    share: Unit
    other: Unit

    @property
    def span(self) -> Floats:
        """How far the rate runs."""
        return np.ones_like(self.other.value)

    def at(self, r: Floats, rest: Floats) -> Floats:
        """Return the values at r, with rest = 1 - r."""
        rates = (r, self.other.value) if self.side == "positives" else (self.other.value, r)
        return np.asarray(self.measure(*cells_of(self.share.value, *rates)))


def fraction_difference(
    ratio: Ratio, share: Unit, own: Said, other: Said, move: Move, side: Side
) -> FractionDifference:
    """Return two systems' difference as a curve over r in [0, 1], which moves what they say on one class.

    `own` and `other` are what the systems say at r = 0, on that class and on the other.
    """
    weight, rest = _weights(share, side)
    made = []
    for cells in ratio:
        form = Form.of(cells, side)
        slope = weight * (form.own_yes - form.own_no)
        tilt = rest * (form.other_yes - form.other_no)
        common = weight * form.own_no + rest * form.other_no
        a, b = (common + slope * mine + tilt * theirs for mine, theirs in ((own.a, other.a), (own.b, other.b)))
        made.append((a, b, slope * own.lead + tilt * other.lead, slope))
    (top_a, top_b, top_lead, top_slope), (bottom_a, bottom_b, bottom_lead, bottom_slope) = made
    return FractionDifference(
        span=move.span,
        # top_a * bottom_b - top_b * bottom_a, without subtracting nearly equal numbers
        level=top_lead * bottom_b - top_b * bottom_lead,
        speed_a=top_slope * bottom_a - bottom_slope * top_a,
        speed_b=top_slope * bottom_b - bottom_slope * top_b,
        bottom_a=bottom_a,
        bottom_b=bottom_b,
        slope=bottom_slope + np.zeros_like(move.span),
        move_a=move.a,
        move_b=move.b,
    )


def cells_of(share: Any, recall: Any, fallout: Any) -> Cells:
    """Return the cells' probabilities for a share of positives, a recall and a false-positive rate."""
    rest = 1 - share
    return Cells(share * recall, rest * fallout, share * (1 - recall), rest * (1 - fallout))


def support_of(measure: Measure) -> Interval:
    """Return where a measure's distribution can have mass."""
    return Interval(measure.low, measure.high)


def difference_support(measure: Measure) -> Interval:
    """Return where the distribution of a difference can have mass."""
    reach = measure.high - measure.low
    return Interval(-reach, reach)
