"""How numbers are written: differences, intervals, probabilities, Bayes factors, p-values, regions."""

import math

from outclass.inference.distribution import Interval

MOST_DECIMALS = 6
NOTHING = 1e-13
MINUS = "−"
LEAST_P = 0.0005  # what is less is written as <.001


def signed(value: float, digits: int = 3) -> str:
    """Write a difference with its sign."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < NOTHING:
        value = 0.0
    told = f"{value:+.{digits}f}" if digits <= MOST_DECIMALS else f"{value:+.2e}"
    return told.lstrip("+-") if float(told) == 0 else told  # rounding is no reason for a sign


def in_prose(value: float, digits: int = 3) -> str:
    """Write a difference for a sentence: with a minus, where a table has a hyphen."""
    return signed(value, digits).replace("-", MINUS)


def interval(value: Interval, digits: int = 3) -> str:
    """Write an interval of differences."""
    return f"[{signed(value.low, digits)}, {signed(value.high, digits)}]"


def unsigned_interval(value: Interval, digits: int = 3) -> str:
    """Write an interval of values."""
    return f"[{value.low:.{digits}f}, {value.high:.{digits}f}]"


def percent(probability: float) -> str:
    """Write a probability; never 0% or 100% for what is not certain."""
    if math.isnan(probability):
        return "undefined"
    if probability < 0.0005:
        return "<0.1%"
    if probability >= 0.9995:
        return ">99.9%"
    return f"{100 * probability:.1f}%"


def probability(value: float) -> str:
    """Write a probability with its sign of relation: = 99.7%, > 99.9%."""
    return _related(percent(value))


def p_equals(value: float) -> str:
    """Write a p-value with its sign of relation: = .003, < .001."""
    return _related(p_value(value))


def _related(told: str) -> str:
    return f"{told[0]} {told[1:]}" if told[0] in "<>" else f"= {told}"


def factor(value: float) -> str:
    """Write a Bayes factor."""
    if math.isnan(value):
        return "undefined"
    if value >= 1e5 or (0 < value < 1e-3):
        return f"{value:.1e}" if math.isfinite(value) else "infinite"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def p_value(value: float) -> str:
    """Write a p-value."""
    if math.isnan(value):
        return "undefined"
    return "<.001" if value < LEAST_P else f"{value:.3f}".replace("0.", ".", 1)


def rope(value: Interval) -> str:
    """Write a region of practical equivalence."""
    low, high = (_to_three_digits(end) for end in value)
    if math.isinf(value.high):
        return f"above {low:+g}"
    if math.isinf(value.low):
        return f"below {high:+g}"
    return f"±{high:g}" if value.low == -value.high else f"{low:+g} to {high:+g}"


def _to_three_digits(value: float) -> float:
    """Round the end of a region: a share of an error has more digits than anybody chose."""
    return round(value, max(0, 2 - math.floor(math.log10(abs(value))))) if value and math.isfinite(value) else value


def decimals(std: float) -> int:
    """Return how many decimals show a number with this std to two digits, three at least."""
    return 3 if not 0 < std < math.inf else min(9, max(3 if std < 100 else 0, 1 - math.floor(math.log10(std))))
