"""Quantities that, everything else given, are monotone in one number r between 0 and 1.

Both curves here are made of linear fractions, so that the inverse is a linear or a quadratic equation. Arrays are
over the nodes of an integration; `r` and `1 - r` travel together because each is needed to its own last digit.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from outclass.arrays import Floats

NEARLY: float = 1e-9  # an end, but for rounding


class Root(NamedTuple):
    """Where a curve takes a value: r, 1 - r (clipped to [0, 1]) and the speed dr/dvalue."""

    r: Floats
    rest: Floats
    speed: Floats


class Curve(Protocol):
    """A family of monotone curves over r in [0, 1], one a node."""

    @property
    def rising(self) -> Floats:
        """+1 where the curve rises in r, -1 where it falls."""

    def at(self, r: Floats, rest: Floats) -> Floats:
        """Return the values at r, with rest = 1 - r."""

    def solve(self, value: "float | Floats") -> Root:
        """Return where the curves take the value."""

    @property
    def span(self) -> Floats:
        """How far the curve's own variable runs as r goes from 0 to 1."""


@dataclass(frozen=True)
class Fraction:
    """(top + r * top_slope) / (bottom + r * bottom_slope).

    `top_end` and `bottom_end` are the two at r = 1, given where adding them up would lose all digits.
    """

    top: Floats
    top_slope: Floats
    bottom: Floats
    bottom_slope: Floats
    top_end: Floats | None = None
    bottom_end: Floats | None = None

    @cached_property
    def _ends(self) -> tuple[Floats, Floats]:
        return (
            self.top + self.top_slope if self.top_end is None else self.top_end,
            self.bottom + self.bottom_slope if self.bottom_end is None else self.bottom_end,
        )

    @cached_property
    def _turn(self) -> Floats:
        return np.asarray(self.top_slope * self.bottom - self.bottom_slope * self.top)

    @cached_property
    def _range(self) -> tuple[Floats, Floats]:
        """The values at r = 0 and at r = 1."""
        top_end, bottom_end = self._ends
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.top / self.bottom, top_end / bottom_end

    @property
    def span(self) -> Floats:
        return np.ones_like(self.top)

    @cached_property
    def rising(self) -> Floats:
        return np.where(self._turn < 0, -1.0, 1.0)

    def at(self, r: Floats, rest: Floats) -> Floats:
        # As mixtures of the two ends, which lose nothing where one of them is zero.
        top_end, bottom_end = self._ends
        top = self.top * rest + top_end * r
        bottom = self.bottom * rest + bottom_end * r
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            # 0/0 is met at nodes alone whose weight is below the last digit.
            return np.nan_to_num(top / bottom, nan=0.0, posinf=0.0, neginf=0.0)

    def solve(self, value: "float | Floats") -> Root:
        top_end, bottom_end = self._ends
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = self.top_slope - value * self.bottom_slope
            r = (value * self.bottom - self.top) / scale
            rest = (top_end - value * bottom_end) / scale
            # Beyond its ends a linear fraction can come back from the other side of its pole: look at the ends.
            at_zero, at_one = self._range
            r, rest = _clipped(r, rest, (value - at_zero) * self.rising, (value - at_one) * self.rising)
            speed = (self.bottom + r * self.bottom_slope) ** 2 / np.abs(self._turn)
        return Root(r, rest, speed)


@dataclass(frozen=True)
class Shifted:
    """A fraction, or what it lacks to a given value: sign * fraction + offset, the offset differing between nodes."""

    fraction: Fraction
    sign: int
    offset: Floats

    @property
    def span(self) -> Floats:
        return self.fraction.span

    @property
    def rising(self) -> Floats:
        return self.sign * self.fraction.rising

    def at(self, r: Floats, rest: Floats) -> Floats:
        return np.asarray(self.sign * self.fraction.at(r, rest) + self.offset)

    def solve(self, value: "float | Floats") -> Root:
        return self.fraction.solve(self.sign * (value - self.offset))


@dataclass(frozen=True)
class OddsDifference:
    """sign * (x - far), where the odds of x are `factor` times those of r; far and 1 - far each to its own last digit.

    At a difference of zero nothing is subtracted, so that distributions that pile up at 1 are compared there, too.
    """

    factor: Floats
    far: Floats
    far_rest: Floats
    sign: int

    @property
    def span(self) -> Floats:
        return np.ones_like(self.far)

    @property
    def rising(self) -> Floats:
        return np.full_like(self.far, self.sign)

    def at(self, r: Floats, rest: Floats) -> Floats:
        whole = self.factor * r + rest
        low = self.factor * r / whole - self.far
        return np.asarray(self.sign * np.where(self.far < 0.5, low, self.far_rest - rest / whole))

    def solve(self, value: "float | Floats") -> Root:
        x, x_rest = self.far + self.sign * value, self.far_rest - self.sign * value
        inside = (x > 0) & (x_rest > 0)
        with np.errstate(invalid="ignore"):  # at an infinite value
            whole = np.where(inside, x + self.factor * x_rest, 1.0)
        r = np.where(inside, x / whole, np.where(x > 0, 1.0, 0.0))
        rest = np.where(inside, self.factor * x_rest / whole, np.where(x > 0, 0.0, 1.0))
        return Root(r, rest, np.where(inside, self.factor / whole**2, 0.0))


@dataclass(frozen=True)
class FractionDifference:
    """The difference of two linear fractions whose variables move by `move_a * x` and `move_b * x`, x = span * r.

    It is (level + x * turn) / ((bottom_a + x * move_a * slope) (bottom_b + x * move_b * slope)): the terms in x squared
    cancel. It is monotone if the two move in opposite ways, or only one of them moves.
    """

    span: Floats
    level: Floats
    speed_a: Floats
    speed_b: Floats
    bottom_a: Floats
    bottom_b: Floats
    slope: Floats
    move_a: int
    move_b: int

    @cached_property
    def _turn(self) -> Floats:
        return np.asarray(self.move_a * self.speed_b - self.move_b * self.speed_a)

    @cached_property
    def rising(self) -> Floats:
        return np.where(self.move_a * self.speed_a < self.move_b * self.speed_b, -1.0, 1.0)

    @cached_property
    def _range(self) -> tuple[Floats, Floats, Floats]:
        """The least and the greatest value, and the r of the least."""
        zero = np.zeros_like(self.span)
        at_zero, at_one = self.at(zero, zero + 1), self.at(zero + 1, zero)
        falls = self.rising < 0
        return np.where(falls, at_one, at_zero), np.where(falls, at_zero, at_one), falls.astype(float)

    # What does not depend on the value asked for: every distribution asks for many.

    @cached_property
    def _of_equation(self) -> tuple[Floats, Floats, Floats]:
        bend = self.move_a * self.move_b * self.slope * self.slope
        cross = self.slope * (self.move_a * self.bottom_b + self.move_b * self.bottom_a)
        return bend, cross, self.bottom_a * self.bottom_b

    def at(self, r: Floats, rest: Floats) -> Floats:
        x = self.span * r
        a, b = (self.bottom_a + x * self.move_a * self.slope), (self.bottom_b + x * self.move_b * self.slope)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.nan_to_num((self.level + x * self._turn) / (a * b), nan=0.0, posinf=0.0, neginf=0.0)

    def _clip(self, r: Floats, value: "float | Floats", both: Floats, square: Floats) -> None:
        """Put the root in [0, 1] in the place of another; the end beyond which the value lies, if there is none."""
        odd = np.nonzero(~((r > NEARLY) & (r < 1 - NEARLY)))
        if not odd[0].size:
            return
        node = odd[-self.span.ndim :]  # the first axis may be of values
        root, wanted = r[odd], np.broadcast_to(value, r.shape)[odd]
        # Of the two roots the smaller is nearly always the one between 0 and 1; where it is not, the other is.
        other = -both[odd] / (2 * square[odd]) / self.span[node]
        wrong = (root < 0) | (root > 1)
        root = np.where(wrong & (other >= 0) & (other <= 1), other, root)
        least, greatest, r_of_least = (each[node] for each in self._range)
        root = np.where(wanted <= least, r_of_least, np.where(wanted >= greatest, 1 - r_of_least, root))
        r[odd] = np.minimum(np.maximum(root, 0.0), 1.0)

    def solve(self, value: "float | Floats") -> Root:
        bend, cross, product = self._of_equation
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            square = -value * bend
            linear = self._turn - value * cross
            constant = self.level - value * product
            root = np.sqrt(np.maximum(linear * linear - 4 * square * constant, 0))
            both = linear + np.copysign(root, linear)
            r = -2 * constant / both / self.span
            self._clip(r, value, both, square)
            x = self.span * r
            # By the implicit function: at a root the equation's own derivative is the root of its discriminant.
            speed = ((bend * x + cross) * x + product) / (root * self.span)
        return Root(r, 1 - r, speed)


def _clipped(r: Floats, rest: Floats, from_zero: Floats, from_one: Floats) -> tuple[Floats, Floats]:
    """Clip a root to [0, 1] by which end of the curve the value lies beyond."""
    below, above = from_zero <= 0, from_one >= 0
    if below.any() or above.any():
        r, rest = (np.where(below, low, np.where(above, 1.0 - low, x)) for x, low in ((r, 0.0), (rest, 1.0)))
    return np.minimum(np.maximum(r, 0), 1), np.minimum(np.maximum(rest, 0), 1)
