"""How many more items would decide: by the normal formula, quick enough to end every undecided comparison with it."""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from scipy import special

from outclass.inference.distribution import Interval

MOST: Final = 1e9


class Further(NamedTuple):
    """Items beyond those at hand that decide with the wanted probability: if the estimate is right, and on average."""

    if_right: int | None
    on_average: int | None
    probability: float


def decided(delta: "float | np.ndarray", std: float, rope: Interval, reach: float) -> np.ndarray:
    """Return the probability of any decision, the estimate being normal around delta and its interval +- reach stds."""
    better = special.ndtr((delta - rope.high - reach * std) / std)
    worse = special.ndtr((rope.low - delta - reach * std) / std)
    room = np.maximum(rope.high - rope.low - 2 * reach * std, 0)
    low, high = rope.low + reach * std - delta, rope.low + reach * std + room - delta
    same = np.where(room > 0, special.ndtr(high / std) - special.ndtr(low / std), 0.0)
    return np.asarray(better + worse + same)


def further_items(
    mean: float, std: float, items: int, rope: Interval, hdi_mass: float, probability: float = 0.8
) -> Further:
    """Return how many more items would decide with a probability, if the estimate is right and over its posterior."""
    if not (std > 0 and items > 0 and math.isfinite(mean)):
        return Further(None, None, probability)
    reach = float(special.ndtri((1 + hdi_mass) / 2))
    each = std * math.sqrt(items)
    z = np.linspace(-6, 6, 241)
    weights = np.exp(-z * z / 2)
    weights /= weights.sum()

    def right(total: float) -> float:
        return float(decided(mean, each / math.sqrt(total), rope, reach))

    def average(total: float) -> float:
        # With all items at hand the estimate moves by what the new ones bring; the world is drawn from the posterior.
        return float(weights @ decided(mean + std * z, each / math.sqrt(total), rope, reach))

    return Further(_first(right, items, probability), _first(average, items, probability), probability)


def _first(at: Callable[[float], float], items: int, wanted: float) -> int | None:
    low, high = float(items), 2.0 * items
    while at(high) < wanted:
        low, high = high, 2 * high
        if high > MOST * items or high > 1e15:
            return None
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if at(middle) >= wanted else (middle, high)
    return max(0, math.ceil(high) - items)
