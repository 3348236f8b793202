"""Looking while labels arrive: rules that hold whenever one looks, which an HDI against a ROPE does not.

The e-value is the inverse of the same-accuracy Bayes factor: under equality it exceeds 1/alpha at any time with
probability alpha at most. The confidence sequence for the difference in accuracy is the sub-Gaussian normal mixture: at
all times at once it misses with probability alpha at most, as long as the order of the items does not look at them.
"""

import math
from typing import Final, NamedTuple

from scipy import special

from outclass.data.outcomes import Outcomes
from outclass.inference.distribution import Interval

ALPHA: Final = 0.05
TUNED: Final = 500.0  # the number of items at which the sequence is narrowest


class Watched(NamedTuple):
    """What may be said at any time: the evidence against equal accuracy, and where the difference is."""

    e_value: float
    interval: Interval
    alpha: float

    @property
    def refuses(self) -> bool:
        """Whether equality is refused, at this level, however often one has looked."""
        return self.e_value >= 1 / self.alpha


def e_value(only_a: int, only_b: int) -> float:
    """Return the evidence against equal accuracy from the items that exactly one system gets right."""
    log = (only_a + only_b) * math.log(2) + special.betaln(1 + only_a, 1 + only_b) - special.betaln(1, 1)
    return math.exp(log) if log < 700 else math.inf


def confidence_sequence(only_a: int, only_b: int, items: int, alpha: float = ALPHA) -> Interval:
    """Return the difference in accuracy, at all times at once; each item's difference lies between -1 and 1."""
    if items == 0:
        return Interval(-1.0, 1.0)
    mean = (only_a - only_b) / items
    # The mixture's variance that makes the bound narrowest at about `TUNED` items.
    rho = TUNED / (2 * math.log(1 / alpha) + math.log(1 + 2 * math.log(1 / alpha)))
    spread = items + rho
    reach = math.sqrt(spread * math.log(spread / (rho * alpha * alpha))) / items
    return Interval(max(-1.0, mean - reach), min(1.0, mean + reach))


def watched(only_a: int, only_b: int, items: int, alpha: float = ALPHA) -> Watched:
    """Return what may be said at any time."""
    return Watched(e_value(only_a, only_b), confidence_sequence(only_a, only_b, items, alpha), alpha)


def watched_of(outcomes: Outcomes, a: str, b: str) -> Watched:
    """Return what may be said at any time of two systems on the same items."""
    right = outcomes.rights(a, b)
    return watched(int(right[0, 1]), int(right[1, 0]), outcomes.items)
