"""Sequential analysis: e-values and confidence sequences that are valid at any time, unlike an HDI against a ROPE.

For each difference in accuracy there is an e-process: if that is the true difference, it exceeds 1/alpha at any time
with probability alpha at most. It is the mean of two, one from all items and one from those on which exactly one system
is right, which is the sharper of the two about equality. The e-value is that of no difference, the confidence sequence
holds the differences whose evidence is below 1/alpha: so it excludes zero exactly where the e-value rejects equality.
Both hold at all times at once, as long as the items come in an order that does not look at them.
"""

import math
from typing import Final, NamedTuple

import numpy as np
from scipy import special

from outclass.data.outcomes import Outcomes
from outclass.errors import InputError, shown
from outclass.inference.distribution import Interval

ALPHA: Final = 0.05


class Anytime(NamedTuple):
    """Results that are valid at any time: the evidence against equality, and an interval of the difference."""

    e_value: float
    interval: Interval
    alpha: float
    measure: str = "accuracy"

    @property
    def refuses(self) -> bool:
        """Whether equality is rejected at this level, however often the data were checked."""
        return self.e_value >= 1 / self.alpha


def e_value(only_a: int, only_b: int, items: int) -> float:
    """Return the evidence against equal accuracy."""
    log = log_e_process(only_a, only_b, items, 0.0)
    return math.exp(log) if log < 700 else math.inf


def log_e_process(only_a: int, only_b: int, items: int, difference: float) -> float:
    """Return the log of the evidence against a difference in accuracy: the mean of two e-processes is one."""
    of_all = _log_e_of_all(only_a, only_b, items, difference)
    of_apart = _log_e_of_apart(only_a, only_b, difference)
    return float(np.logaddexp(of_all, of_apart) - math.log(2))


def _log_e_of_all(only_a: int, only_b: int, items: int, difference: float) -> float:
    """The likelihood of the three counts mixed over Jeffreys' Dirichlet, against the greatest the difference allows.

    It is never more than the mixture against the truth, which is a martingale.
    """
    a, b, c = only_a, only_b, items - only_a - only_b
    mixed = _log_dirichlet((a + 0.5, b + 0.5, c + 0.5)) - _log_dirichlet((0.5, 0.5, 0.5))
    return mixed - _log_greatest(a, b, c, difference)


def _log_e_of_apart(only_a: int, only_b: int, difference: float) -> float:
    """The same of the items that exactly one system gets right: A's share of them, mixed over a uniform distribution.

    With a difference d, A has at least (1 + d) / 2 of them if d > 0, at most that if d < 0, and half if d = 0.
    """
    a, b = only_a, only_b
    mixed = special.betaln(1 + a, 1 + b)
    end = (1 + difference) / 2
    best = a / (a + b) if a + b else 0.5
    if difference == 0 or (difference > 0 and best < end) or (difference < 0 and best > end):
        best = end
    return float(mixed - _xlogy(a, best) - _xlogy(b, 1 - best))


def _log_dirichlet(alphas: tuple[float, ...]) -> float:
    return math.fsum(math.lgamma(alpha) for alpha in alphas) - math.lgamma(math.fsum(alphas))


def _log_greatest(a: int, b: int, c: int, difference: float) -> float:
    """Return the greatest log likelihood of shares (x, x - difference, the rest): where its slope is zero."""
    low, high = max(0.0, difference), (1 + difference) / 2
    total = a + b + c
    if total == 0:
        return 0.0
    # a / x + b / (x - d) = 2 c / (1 + d - 2 x), as a quadratic in x.
    linear = a * (1 + 3 * difference) + b * (1 + difference) + 2 * c * difference
    root = math.sqrt(max(linear * linear - 8 * total * a * difference * (1 + difference), 0.0))
    best = min(max((linear + root) / (4 * total), low), high)
    return _xlogy(a, best) + _xlogy(b, best - difference) + _xlogy(c, 1 + difference - 2 * best)


def _xlogy(count: int, share: float) -> float:
    if count == 0:
        return 0.0
    return count * math.log(share) if share > 0 else -math.inf


def confidence_sequence(only_a: int, only_b: int, items: int, alpha: float = ALPHA) -> Interval:
    """Return the confidence sequence: the differences in accuracy that have not been rejected so far."""
    if items == 0:
        return Interval(-1.0, 1.0)
    mean = (only_a - only_b) / items
    bound = math.log(1 / alpha)
    ends = []
    for end in (-1.0, 1.0):
        inside, outside = mean, end
        if log_e_process(only_a, only_b, items, end) < bound:
            inside = end
        for _ in range(60):
            if inside == end:
                break
            middle = (inside + outside) / 2
            if log_e_process(only_a, only_b, items, middle) < bound:
                inside = middle
            else:
                outside = middle
        ends.append(inside)
    return Interval(ends[0], ends[1])


def anytime(only_a: int, only_b: int, items: int, alpha: float = ALPHA) -> Anytime:
    """Return results that are valid at any time, from the numbers of items that only A and only B got right."""
    for name, value in (("only_a", only_a), ("only_b", only_b), ("items", items)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
            raise InputError(f"{name} must be a non-negative integer, got {shown(value)}.")
    if only_a + only_b > items:
        raise InputError(f"{only_a} and {only_b} wins exceed the {items} items.")
    if not 0 < alpha < 1:
        raise InputError(f"alpha must lie in (0, 1), got {shown(alpha)}.")
    return Anytime(e_value(only_a, only_b, items), confidence_sequence(only_a, only_b, items, alpha), alpha)


def anytime_of(outcomes: Outcomes, a: str, b: str) -> Anytime:
    """Return results that are valid at any time for two systems on the same items; raise an error for other data."""
    if not isinstance(outcomes, Outcomes):
        raise InputError(
            "the e-value and its confidence sequence need independent items with one label each; "
            f"{type(outcomes).__name__} are not."
        )
    right = outcomes.rights(a, b)
    return anytime(int(right[0, 1]), int(right[1, 0]), outcomes.items)
