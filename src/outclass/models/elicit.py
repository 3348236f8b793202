"""Prior elicitation: a range of a rate, such as "between .6 and .9", as a Beta distribution."""

import math
from typing import Final

from scipy import special

from outclass.errors import InputError, shown

MASS: Final = 0.95
SOLVED: Final = 60  # halvings


def beta_between(low: float, high: float, mass: float = MASS) -> tuple[float, float]:
    """Return the Beta distribution with the given probability between two rates, and equal tails.

    A range that starts at 0 or ends at 1 has its mode at that end and all remaining probability on the other side.
    """
    if not (0 <= low < high <= 1):
        raise InputError(
            f"the range of a rate must be increasing and lie in [0, 1], as in 0.6..0.9; got {low:g}..{high:g}."
        )
    if not 0 < mass < 1:
        raise InputError(f"the probability of a range must lie in (0, 1), got {shown(mass)}.")
    if low == 0 and high == 1:
        return 1.0, 1.0
    if low == 0:
        return 1.0, math.log1p(-mass) / math.log1p(-high)
    if high == 1:
        return math.log1p(-mass) / math.log(low), 1.0
    rest = (1 - mass) / 2

    def centred(weight: float) -> float:
        """Return the mean at which, with so many pseudo-counts, the share below the range is right."""
        first, last = 0.0, 1.0
        for _ in range(SOLVED):
            middle = (first + last) / 2
            if special.betainc(weight * middle, weight * (1 - middle), low) > rest:
                first = middle
            else:
                last = middle
        return (first + last) / 2

    # The more pseudo-counts, the less lies above the range.
    least, most = math.log(1e-2), math.log(1e9)
    for _ in range(SOLVED):
        log_weight = (least + most) / 2
        weight = math.exp(log_weight)
        mean = centred(weight)
        if 1 - special.betainc(weight * mean, weight * (1 - mean), high) > rest:
            least = log_weight
        else:
            most = log_weight
    weight = math.exp((least + most) / 2)
    mean = centred(weight)
    if abs(1 - special.betainc(weight * mean, weight * (1 - mean), high) - rest) > 1e-3:
        raise InputError(f"{low:g}..{high:g} is too narrow to be expressed as a Beta distribution.")
    return weight * mean, weight * (1 - mean)


def range_of(text: str) -> tuple[float, float] | None:
    """Read a range such as `0.6..0.9`; None if it is none."""
    low, dots, high = text.partition("..")
    if not dots:
        return None
    try:
        return float(low), float(high)
    except ValueError:
        raise InputError(
            f"a range must be two numbers separated by two dots, as in 0.6..0.9; got {shown(text)}."
        ) from None
