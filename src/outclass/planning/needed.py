"""What would decide a gate that is undecided: more items, or more repeats of each, by the normal formula."""

import math
from typing import NamedTuple

from scipy import special

from outclass.planning import asymptotic

PROBABILITY = 0.8
MOST = 10**12  # items; more is no number that anybody plans with


class Needed(NamedTuple):
    """What decides with a probability of 80%: all in all, and not beyond what there is.

    Parameters
    ----------
    items_if_equal, items_if_right
        How many items, if there is no difference, and if the estimate is right; None if no number of them decides.
    repeats_if_equal, repeats_if_right
        How many repeats of the items there are; None if none decides, or if the data have none.
    repeats
        How many repeats there are now.
    """

    items_if_equal: int | None
    items_if_right: int | None
    repeats_if_equal: int | None = None
    repeats_if_right: int | None = None
    repeats: float = 1.0


def reach(confidence: float, probability: float = PROBABILITY) -> float:
    """Return how many standard errors lie between a difference and the margin if it is decided so often."""
    return float(special.ndtri(confidence) + special.ndtri(probability))


def smallest_margin(error: float, confidence: float) -> float:
    """Return the margin at which a candidate without a difference passes with a probability of 80%."""
    return reach(confidence) * error


def needed(
    difference: float,
    error: float,
    items: int,
    margin: float,
    confidence: float,
    *,
    noise: float = 0.0,
    repeats: float = 1.0,
    fixed: bool = False,
) -> Needed:
    """Return what would decide.

    Parameters
    ----------
    difference, error, items
        The difference, its standard error, and of how many items.
    margin, confidence
        What is decided about.
    noise, repeats
        The part of the squared error that is generation noise, and how many repeats it is of.
    fixed
        Whether these very items are asked about, so that there can be no more of them.
    """
    size = reach(confidence)

    def of(distance: float) -> tuple[int | None, int | None]:
        if not (distance > 0 and error > 0 and math.isfinite(error)):
            return None, None
        wanted = (distance / size) ** 2
        total = error**2 * items / wanted
        left = wanted - (error**2 - noise)
        many = noise * repeats / left if noise > 0 and left > 0 else math.inf
        return None if fixed else _whole(total), _whole(many)

    equal, right = of(margin), of(abs(difference + margin))
    return Needed(equal[0], right[0], equal[1], right[1], repeats)


def needed_at_any_time(difference: float, spread: float, margin: float, alpha: float, *, sharpest: float) -> Needed:
    """Return how many items decide by limits that hold at any time.

    Parameters
    ----------
    difference, margin
        The difference, and what is decided about.
    spread
        The std of what one item contributes to the difference.
    alpha, sharpest
        The level of a limit, and the number of items at which it is sharpest.
    """
    reserve = float(special.ndtri(PROBABILITY))

    def of(distance: float) -> int | None:
        if not (distance > 0 and spread > 0 and math.isfinite(spread)):
            return None
        low, high = 1, 2
        while _reached(high, alpha, sharpest, reserve) > distance / spread:
            low, high = high, 2 * high
            if high > MOST:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            if _reached(middle, alpha, sharpest, reserve) > distance / spread:
                low = middle
            else:
                high = middle
        return high

    return Needed(of(margin), of(abs(difference + margin)))


def _reached(items: int, alpha: float, sharpest: float, reserve: float) -> float:
    """Return which distance, in stds of one item, is decided in four of five cases."""
    return asymptotic.reach(items, alpha, sharpest=sharpest) + reserve / math.sqrt(items)


def _whole(number: float) -> int | None:
    return math.ceil(number - 1e-9) if math.isfinite(number) and number < MOST else None
