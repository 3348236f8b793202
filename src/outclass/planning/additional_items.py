"""How many more items would decide: by the normal formula, quick enough to end every undecided comparison with it."""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from scipy import special

from outclass.inference.distribution import Interval

MOST: Final = 1e9


class AdditionalItems(NamedTuple):
    """Items beyond those at hand that decide with the wanted probability: if the estimate is right, and on average."""

    if_right: int | None
    on_average: int | None
    probability: float


def decided(
    delta: "float | np.ndarray", std: float, rope: Interval, reach: float, spread: float | None = None
) -> np.ndarray:
    """Return the probability of any decision: the interval is +- reach stds around an estimate, normal around delta.

    `spread` is the estimate's own std, where it is not that of the interval: existing items do not vary any more.
    """
    own = max(std if spread is None else spread, 1e-300)
    better = special.ndtr((delta - rope.high - reach * std) / own)
    worse = special.ndtr((rope.low - delta - reach * std) / own)
    room = max(rope.high - rope.low - 2 * reach * std, 0.0)
    low = rope.low + reach * std - delta
    same = special.ndtr((low + room) / own) - special.ndtr(low / own) if room > 0 else 0.0
    return np.asarray(better + worse + same)


def additional_items(
    mean: float, std: float, items: int, rope: Interval, hdi_mass: float, probability: float = 0.8
) -> AdditionalItems:
    """Return how many more items would decide with a probability, if the estimate is right and over its posterior.

    The existing items stay: after T items in all the estimate is their mean and the new ones', and has the spread of
    the new ones alone; over the posterior it moves by what is still to be learnt, std^2 - (std^2 items / T).
    """
    if not (std > 0 and items > 0 and math.isfinite(mean)):
        return AdditionalItems(None, None, probability)
    reach = float(special.ndtri((1 + hdi_mass) / 2))
    each = std * math.sqrt(items)

    def right(total: float) -> float:
        spread = each * math.sqrt(max(total - items, 0.0)) / total
        return float(decided(mean, each / math.sqrt(total), rope, reach, spread))

    def average(total: float) -> float:
        spread = std * math.sqrt(max(1 - items / total, 0.0))
        return float(decided(mean, each / math.sqrt(total), rope, reach, spread))

    return AdditionalItems(_first(right, items, probability), _first(average, items, probability), probability)


def _first(at: Callable[[float], float], items: int, wanted: float) -> int | None:
    if at(items) >= wanted:
        return 0
    low, high = items, 2 * items
    while at(high) < wanted:
        low, high = high, 2 * high
        if high > MOST * items or high > 1e15:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if at(middle) >= wanted else (middle, high)
    return high - items
