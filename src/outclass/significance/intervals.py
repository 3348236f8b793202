"""Intervals for shares and their differences, which hold their level where the normal approximation does not."""

import math
from typing import Final

from scipy import special

from outclass.inference.distribution import Interval

LEVEL: Final = 0.95


def _z(level: float) -> float:
    return float(special.ndtri((1 + level) / 2))


def wilson(successes: float, n: float, level: float = LEVEL) -> Interval:
    """Return Wilson's score interval of a share."""
    if n == 0:
        return Interval(0.0, 1.0)
    z, p = _z(level), successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(max(0.0, centre - reach), min(1.0, centre + reach))


def clopper_pearson(successes: int, n: int, level: float = LEVEL) -> Interval:
    """Return the exact interval of a share."""
    if n == 0:
        return Interval(0.0, 1.0)
    spare = (1 - level) / 2
    low = float(special.betaincinv(successes, n - successes + 1, spare)) if successes else 0.0
    high = float(special.betaincinv(successes + 1, n - successes, 1 - spare)) if successes < n else 1.0
    return Interval(low, high)


def newcombe(a: float, n_a: float, b: float, n_b: float, level: float = LEVEL) -> Interval:
    """Return Newcombe's hybrid score interval of the difference of two independent shares (his method 10)."""
    if min(n_a, n_b) == 0:
        return Interval(-1.0, 1.0)
    p, q = a / n_a, b / n_b
    first, second = wilson(a, n_a, level), wilson(b, n_b, level)
    low = p - q - math.hypot(p - first.low, second.high - q)
    high = p - q + math.hypot(first.high - p, q - second.low)
    return Interval(low, high)


def agresti_caffo(a: float, n_a: float, b: float, n_b: float, level: float = LEVEL) -> Interval:
    """Return Agresti & Caffo's interval of the difference of two independent shares: one of each added to both."""
    p, q = (a + 1) / (n_a + 2), (b + 1) / (n_b + 2)
    reach = _z(level) * math.sqrt(p * (1 - p) / (n_a + 2) + q * (1 - q) / (n_b + 2))
    return Interval(max(-1.0, p - q - reach), min(1.0, p - q + reach))


def newcombe_paired(both: int, only_a: int, only_b: int, neither: int, level: float = LEVEL) -> Interval:
    """Return Newcombe's score interval of the difference of two shares of the same items (1998, method 10)."""
    n = both + only_a + only_b + neither
    if n == 0:
        return Interval(-1.0, 1.0)
    rights = (both + only_a, both + only_b)
    p, q = rights[0] / n, rights[1] / n
    first, second = wilson(rights[0], n, level), wilson(rights[1], n, level)
    margins = rights[0] * (n - rights[0]) * rights[1] * (n - rights[1])
    product = both * neither - only_a * only_b
    if margins == 0:
        phi = 0.0
    else:
        # Newcombe's continuity correction of the correlation, where it is positive.
        corrected = max(product - n / 2, 0) if product > 0 else product
        phi = corrected / math.sqrt(margins)
    down, up = (p - first.low, second.high - q), (first.high - p, q - second.low)
    reaches = [math.sqrt(max(x * x - 2 * phi * x * y + y * y, 0.0)) for x, y in (down, up)]
    return Interval(p - q - reaches[0], p - q + reaches[1])


def bonett_price(only_a: int, only_b: int, n: int, level: float = LEVEL) -> Interval:
    """Return Bonett & Price's interval of the difference of two shares of the same items (2012).

    An adjusted Wald interval: one item is added to each kind of disagreement. How often both are right plays no part.
    """
    p, q = (only_a + 1) / (n + 2), (only_b + 1) / (n + 2)
    reach = _z(level) * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return Interval(max(-1.0, p - q - reach), min(1.0, p - q + reach))
