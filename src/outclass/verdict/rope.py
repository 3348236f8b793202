"""The decision: the highest-density interval against the region of practical equivalence (ROPE)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, shown
from outclass.inference.distribution import Interval

EVEN: Final = 1e-6  # of its width: what rounding makes of an interval that is exactly even
USUAL: Final = 0.05
HOW: Final = "a rope must be one number, LOW,HIGH or a percentage of the error"
TRY: Final = "Try 0.05, -0.02,0.05, -0.02,inf (non-inferiority) or 10%."


class Verdict(StrEnum):
    """The decision on A against B, in the papers' notation (as plain text, for files)."""

    MUCH_LESS = "<<"
    LESS = "<"
    EQUIVALENT = "~="
    GREATER = ">"
    MUCH_GREATER = ">>"
    UNDECIDED = "?"
    AT_LEAST = ">="
    AT_MOST = "<="

    @property
    def sign(self) -> str:
        """The sign as printed."""
        return {"<<": "≪", "~=": "≈", ">>": "≫", ">=": "≥", "<=": "≤"}.get(self.value, self.value)

    @property
    def is_decided(self) -> bool:
        """Whether no more data are needed."""
        return self not in (Verdict.LESS, Verdict.GREATER, Verdict.UNDECIDED)


def decide(hdi: Interval, rope: Interval) -> Verdict:
    """Compare the interval with the region; ends may touch. A region open to one side asks for non-inferiority."""
    if math.isnan(hdi.low) or math.isnan(hdi.high):
        return Verdict.UNDECIDED
    if rope.low <= hdi.low and hdi.high <= rope.high:
        if math.isinf(rope.high):
            return Verdict.AT_LEAST
        return Verdict.AT_MOST if math.isinf(rope.low) else Verdict.EQUIVALENT
    if hdi.high <= rope.low:
        return Verdict.MUCH_LESS
    if hdi.low >= rope.high:
        return Verdict.MUCH_GREATER
    middle = rope.high if math.isinf(rope.low) else rope.low if math.isinf(rope.high) else rope.middle
    if abs(hdi.middle - middle) <= EVEN * hdi.width:
        return Verdict.UNDECIDED
    return Verdict.LESS if hdi.middle < middle else Verdict.GREATER


def decided(low: Floats, high: Floats, rope: Interval) -> list[Verdict]:
    """Return what `decide` says of many intervals."""
    middle = rope.high if math.isinf(rope.low) else rope.low if math.isinf(rope.high) else rope.middle
    inside = (
        Verdict.AT_LEAST if math.isinf(rope.high) else Verdict.AT_MOST if math.isinf(rope.low) else Verdict.EQUIVALENT
    )
    centre = (low + high) / 2
    cases = [
        (np.isnan(low) | np.isnan(high), Verdict.UNDECIDED),
        ((rope.low <= low) & (high <= rope.high), inside),
        (high <= rope.low, Verdict.MUCH_LESS),
        (low >= rope.high, Verdict.MUCH_GREATER),
        (np.abs(centre - middle) <= EVEN * (high - low), Verdict.UNDECIDED),
        (centre < middle, Verdict.LESS),
    ]
    places = np.select([holds for holds, _ in cases], range(len(cases)), len(cases))
    signs = [*(verdict for _, verdict in cases), Verdict.GREATER]
    return [signs[place] for place in places.tolist()]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rope:
    """A region of practical equivalence: in the unit of the measure, or relative to the error.

    Parameters
    ----------
    interval
        The region; if relative, the share of the error on either side.
    relative
        Whether `interval` is a share of the smaller of the systems' errors.
    usual
        Whether it is the default.
    """

    interval: Interval
    relative: bool = False
    usual: bool = False

    def of(self, values: Sequence[float], low: float, high: float, *, higher_is_better: bool) -> Interval:
        """Return the region for systems with these observed values of a measure between `low` and `high`.

        An end that no difference can reach is open: the region then asks for non-inferiority.
        """
        # Of a correlation, which may be below zero, 1 is all that people mean by an end.
        reach = 1.0 if (low, high) == (-1.0, 1.0) else high - low
        region = self.interval
        if self.relative:
            best = high if higher_is_better else low
            if not math.isfinite(best):
                raise InputError("a rope in percent of the error needs a measure with a best value; give a number.")
            errors = [abs(best - value) for value in values if not math.isnan(value)]
            if len(errors) < len(values):
                raise InputError("a rope in percent of the error needs the value of every system; give a number.")
            if min(errors) == 0:
                raise InputError(
                    "a rope in percent of the error needs systems that make errors; one of these makes none. Give a "
                    "number instead."
                )
            region = Interval(region.low * min(errors), region.high * min(errors))
        low, high = (
            -math.inf if region.low <= -reach else region.low,
            math.inf if region.high >= reach else region.high,
        )
        if math.isinf(low) and math.isinf(high):
            raise InputError(
                "the rope contains every possible difference. Use the smallest difference that would matter."
            )
        return Interval(low, high)

    def fixed(self, what: str) -> Interval:
        """Return the region where no data are available that a relative one could be measured by."""
        if self.relative:
            raise InputError(f"⟨rope⟩ in percent of the error applies to comparisons, not to {what}; give a number.")
        return self.interval


def rope_of(spec: "float | str | Sequence[float] | Rope | None") -> Rope:
    """Parse a region: one number (symmetric), two numbers, or '10%' of the error; None is the default."""
    if isinstance(spec, Rope):
        return spec
    if spec is None:
        return Rope(interval=Interval(-USUAL, USUAL), usual=True)
    wrong = InputError(f"{HOW}, got {shown(spec)}. {TRY}")
    relative = isinstance(spec, str) and "%" in spec
    try:
        if isinstance(spec, str):
            parts = [part.strip() for part in spec.split(",")]
            numbers = [float(part.removesuffix("%")) / (100 if relative else 1) for part in parts]
            pairs = zip(parts, numbers, strict=True)
            if relative and not all(part.endswith("%") or number in (0, math.inf, -math.inf) for part, number in pairs):
                raise InputError(f"a rope must be in percent on both sides or on neither, got {shown(spec)}. {TRY}")
        elif isinstance(spec, Sequence):
            numbers = [float(part) for part in spec]
        else:
            numbers = [float(spec)]
    except InputError:
        raise
    except (TypeError, ValueError):
        raise wrong from None
    finite = [math.isfinite(number) for number in numbers]
    if len(numbers) not in (1, 2) or any(math.isnan(number) for number in numbers) or not any(finite):
        raise wrong
    if len(numbers) == 1:
        if numbers[0] < 0:
            raise InputError(f"a rope of one number must not be negative, got {shown(spec)}. Use {-numbers[0]:g}.")
        return Rope(interval=Interval(-numbers[0], numbers[0]), relative=relative)
    low, high = numbers
    if low > high:
        raise InputError(f"the rope is reversed: {low:g} is above {high:g}. Use {high:g},{low:g}.")
    return Rope(interval=Interval(low, high), relative=relative)
