"""What would decide a gate that is undecided: more items, or more repeats of each, by the normal formula."""

import math
from typing import NamedTuple

from scipy import special

PROBABILITY = 0.8


class Needed(NamedTuple):
    """What decides with a probability of 80%: all in all, and not beyond what there is.

    Parameters
    ----------
    items_if_equal, items_if_right
        How many items, if there is no difference, and if the estimate is right; None if no number of them decides.
    repeats_if_equal, repeats_if_right
        How many repeats of the items there are; None if none decides, or if the data have none.
    """

    items_if_equal: int | None
    items_if_right: int | None
    repeats_if_equal: int | None = None
    repeats_if_right: int | None = None


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
    """
    size = reach(confidence)

    def of(distance: float) -> tuple[int | None, int | None]:
        if not (distance > 0 and error > 0 and math.isfinite(error)):
            return None, None
        wanted = (distance / size) ** 2
        total = error**2 * items / wanted
        left = wanted - (error**2 - noise)
        many = noise * repeats / left if noise > 0 and left > 0 else math.inf
        return _whole(total), _whole(many)

    equal, right = of(margin), of(abs(difference + margin))
    return Needed(equal[0], right[0], equal[1], right[1])


def _whole(number: float) -> int | None:
    return math.ceil(number - 1e-9) if math.isfinite(number) and number < 1e12 else None
