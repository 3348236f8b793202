"""The decision: the highest-density interval against the region of practical equivalence."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from outclass.errors import InputError, shown
from outclass.inference.distribution import Interval

EVEN: Final = 1e-6  # of its width: what rounding makes of an interval that is exactly even


class Verdict(StrEnum):
    """How A compares with B, in the papers' signs (as plain text, for files)."""

    MUCH_LESS = "<<"
    LESS = "<"
    EQUIVALENT = "~="
    GREATER = ">"
    MUCH_GREATER = ">>"
    UNDECIDED = "?"

    @property
    def sign(self) -> str:
        """The sign as printed."""
        return {"<<": "≪", "~=": "≈", ">>": "≫"}.get(self.value, self.value)


def decide(hdi: Interval, rope: Interval) -> Verdict:
    """Compare the interval with the region; ends may touch."""
    if math.isnan(hdi.low) or math.isnan(hdi.high):
        return Verdict.UNDECIDED
    if rope.low <= hdi.low and hdi.high <= rope.high:
        return Verdict.EQUIVALENT
    if hdi.high <= rope.low:
        return Verdict.MUCH_LESS
    if hdi.low >= rope.high:
        return Verdict.MUCH_GREATER
    if abs(hdi.middle - rope.middle) <= EVEN * hdi.width:
        return Verdict.UNDECIDED
    return Verdict.LESS if hdi.middle < rope.middle else Verdict.GREATER


USUAL: Final = 0.05


def rope_of(spec: "float | str | Sequence[float] | None") -> Interval:
    """Make a region of one number (as far to both sides of zero), of two numbers, or of text like '-0.02,0.05'."""
    if spec is None:
        return Interval(-USUAL, USUAL)
    try:
        if isinstance(spec, str):
            numbers = [float(part) for part in spec.split(",")]
        elif isinstance(spec, Sequence):
            numbers = [float(part) for part in spec]
        else:
            numbers = [float(spec)]
    except (TypeError, ValueError):
        raise InputError(f"a rope is one number or LOW,HIGH, got {shown(spec)}. Try 0.05 or -0.02,0.05.") from None
    if len(numbers) not in (1, 2) or not all(math.isfinite(number) for number in numbers):
        raise InputError(f"a rope is one number or LOW,HIGH, got {shown(spec)}. Try 0.05 or -0.02,0.05.")
    if len(numbers) == 1:
        if numbers[0] < 0:
            raise InputError(f"a rope of one number must not be negative, got {numbers[0]:g}. Use {-numbers[0]:g}.")
        return Interval(-numbers[0], numbers[0])
    low, high = numbers
    if low > high:
        raise InputError(f"the rope is reversed: {low:g} is above {high:g}. Use {high:g},{low:g}.")
    return Interval(low, high)
