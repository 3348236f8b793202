"""Counts from published rates: every table of counts whose precision, recall, ... are printed as given.

A printed rate stands for an interval: '.90' for all values from .895 to .905, both ends included, since halves are
rounded up by some and to even by others. Given the true positives, every rate is monotone in the false positives, so
that the solutions are an interval of these for each number of true positives.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, NamedTuple

from outclass.errors import InputError, quoted

RATES: Final = ("precision", "recall", "f1", "accuracy", "error", "specificity")
TOTALS: Final = ("positives", "negatives", "n")
OF_NEGATIVES: Final = ("accuracy", "error", "specificity")  # which need the number of negatives
MOST_TRIED: Final = 2_000  # numbers of true positives that are tried; of more, every so many
LONGEST: Final = 18  # digits of a rate


class Rate(NamedTuple):
    """A rate as it was printed: its text, its value and half a unit of its last digit."""

    name: str
    text: str
    value: Fraction
    half: Fraction

    @property
    def low(self) -> Fraction:
        """The lowest value that is printed like this."""
        return max(self.value - self.half, Fraction(0))

    @property
    def high(self) -> Fraction:
        """The highest value that is printed like this."""
        return min(self.value + self.half, Fraction(1))


class Solution(NamedTuple):
    """Counts that give the printed rates."""

    tp: int
    fp: int


class Sizes(NamedTuple):
    """How many positive and negative items were tested; None for negatives that are not known."""

    positives: int
    negatives: int | None


@dataclass(frozen=True, slots=True)
class Recovered:
    """The counts behind published rates.

    Parameters
    ----------
    given
        What was published, in words.
    solutions, is_exact
        How many counts give it, and whether they were counted one by one.
    best
        The one whose rates are nearest to the printed ones.
    ends
        For each number of true positives, the fewest and the most false positives: the extremes of any measure are
        among them.
    """

    given: str
    solutions: int
    is_exact: bool
    best: Solution
    ends: tuple[Solution, ...]


def rate_of(name: str, value: Any) -> Rate:
    """Read a rate with its digits: '.90', '90.1%', 0.9 (in Python: the digits of its repr); a whole number is exact."""
    text = "" if isinstance(value, bool) else str(value).strip()
    percent = text.endswith("%")
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if not number.is_finite() or not isinstance(exponent, int) or abs(exponent) > LONGEST or len(text) > 2 * LONGEST:
        raise InputError(f"{name} must be a number such as .90 or 90.1%, got {quoted([value])}.")
    unit = Fraction(10) ** exponent
    exact = exponent >= 0 and not percent
    whole = Fraction(number) / (100 if percent else 1)
    if not 0 <= whole <= 1:
        near = f" Did you mean {text}%?" if not percent and 1 < number <= 100 else ""
        raise InputError(f"{name} must lie between 0 and 1, or 0% and 100%, got {quoted([value])}.{near}")
    return Rate(name, text, whole, Fraction(0) if exact else unit / (200 if percent else 2))


def listed(rates: Mapping[str, Rate]) -> str:
    """Return rates in words."""
    told = [f"{rate.name} {rate.text}" for rate in rates.values()]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def rights(rate: Rate, items: int) -> Recovered:
    """Recover how many items a system got right, from its accuracy or error; they count as true positives."""
    own = _accuracy(rate)
    found = range(math.ceil(own.low * items), math.floor(own.high * items) + 1)
    given = f"{rate.name} {rate.text} of {items:,} items"
    if not found:
        near = round(own.value * items)
        shown = _said(rate, near / items if rate.name == "accuracy" else 1 - near / items)
        raise InputError(f"no number of right answers gives {given}; the nearest, {near:,} right, gives {shown}.")
    best = min(max(round(own.value * items), found[0]), found[-1])
    ends = dict.fromkeys((Solution(found[0], 0), Solution(found[-1], 0)))
    return Recovered(given, len(found), True, Solution(best, 0), tuple(ends))


def tables(rates: Mapping[str, Rate], sizes: Sizes) -> Recovered:
    """Recover all tables of counts whose rates are the printed ones."""
    above, below = _bounds(rates, sizes)
    tried = _hits(rates, sizes, above, below)
    step = max(1, -(-len(tried) // MOST_TRIED))
    ends: list[Solution] = []
    many, best, distance = 0, None, math.inf
    for tp in tried[::step]:
        fewest, largest = _alarms(rates, above, below, tp)
        if fewest > largest:
            continue
        many += largest - fewest + 1
        ends += dict.fromkeys((Solution(tp, fewest), Solution(tp, largest)))
        for fp in {fewest, largest, *(min(max(fp, fewest), largest) for fp in _near(rates, sizes, tp))}:
            away = _away(rates, sizes, tp, fp)
            if away < distance:
                best, distance = Solution(tp, fp), away
    if best is None:
        raise _none(rates, sizes)
    return Recovered(_given(rates, sizes), many * step, step == 1, best, tuple(ends))


def _accuracy(rate: Rate) -> Rate:
    """Return the accuracy that an error stands for; other rates as they are."""
    return rate._replace(name="accuracy", value=1 - rate.value) if rate.name == "error" else rate


def _given(rates: Mapping[str, Rate], sizes: Sizes) -> str:
    of = "" if sizes.negatives is None else f" and {sizes.negatives:,} negative"
    return f"{listed(rates)} on {sizes.positives:,} positive{of} items"


class Line(NamedTuple):
    """False positives as a linear function of the true ones."""

    slope: Fraction
    start: Fraction

    def at(self, tp: int) -> Fraction:
        """Return its value."""
        return self.slope * tp + self.start


def _line(rate: Rate, sizes: Sizes, value: Fraction) -> Line | None:
    """Return the false positives at which a rate has a value; None where it never has."""
    positives, negatives = sizes.positives, sizes.negatives or 0
    if rate.name in ("precision", "f1") and value == 0:
        return None
    match rate.name:
        case "precision":
            return Line((1 - value) / value, Fraction(0))
        case "f1":
            return Line(2 * (1 - value) / value + 1, Fraction(-positives))
        case "specificity":
            return Line(Fraction(0), negatives * (1 - value))
        case _:
            return Line(Fraction(1), negatives - value * (positives + negatives))


def _bounds(rates: Mapping[str, Rate], sizes: Sizes) -> tuple[list[Line], list[Line]]:
    """Return the lines that the false positives lie above, and those that they lie below."""
    above, below = [Line(Fraction(0), Fraction(0))], []
    if sizes.negatives is not None:
        below.append(Line(Fraction(0), Fraction(sizes.negatives)))
    for rate in map(_accuracy, rates.values()):
        if rate.name == "recall":
            continue
        # The higher the rate, the fewer the alarms.
        fewest, most = _line(rate, sizes, rate.high), _line(rate, sizes, rate.low)
        above += [] if fewest is None else [fewest]
        below += [] if most is None else [most]
    if not below:
        raise InputError(f"{listed(rates)} leave the number of false positives open: add n, the number of items.")
    return above, below


def _hits(rates: Mapping[str, Rate], sizes: Sizes, above: list[Line], below: list[Line]) -> range:
    """Return the numbers of true positives that can be part of a solution: between the lines there is room."""
    least, most = Fraction(0), Fraction(sizes.positives)
    if (recall := rates.get("recall")) is not None:
        least, most = recall.low * sizes.positives, recall.high * sizes.positives
    if any(rate.high == 0 for name, rate in rates.items() if name in ("precision", "f1")):
        most = Fraction(0)
    for low in above:
        for high in below:
            slope, start = high.slope - low.slope, high.start - low.start
            if slope > 0:
                least = max(least, -start / slope)
            elif slope < 0:
                most = min(most, -start / slope)
            elif start < 0:
                return range(0)
    return range(math.ceil(least), math.floor(most) + 1)


def _alarms(rates: Mapping[str, Rate], above: list[Line], below: list[Line], tp: int) -> tuple[int, int]:
    """Return the fewest and the most false positives that go with so many true ones."""
    fewest, most = (math.ceil(max(line.at(tp) for line in above)), math.floor(min(line.at(tp) for line in below)))
    # Without true positives precision is 0, or undefined where nothing is returned.
    return (max(fewest, 1) if tp == 0 and "precision" in rates else fewest), most


def _near(rates: Mapping[str, Rate], sizes: Sizes, tp: int) -> Iterator[int]:
    """Return the false positives at which rates are nearest to the printed values."""
    for rate in map(_accuracy, rates.values()):
        line = None if rate.name == "recall" else _line(rate, sizes, rate.value)
        if line is not None:
            yield from (math.floor(line.at(tp)), math.ceil(line.at(tp)))


def _values(sizes: Sizes, tp: int, fp: int) -> dict[str, float]:
    """Return the rates of counts; nan for those that are undefined."""
    fn, tn = sizes.positives - tp, (sizes.negatives or 0) - fp
    items = sizes.positives + (sizes.negatives or 0)
    parts = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "accuracy": (tp + tn, items),
        "error": (fp + fn, items),
        "specificity": (tn, sizes.negatives or 0),
    }
    return {name: top / bottom if bottom else math.nan for name, (top, bottom) in parts.items()}


def _away(rates: Mapping[str, Rate], sizes: Sizes, tp: int, fp: int) -> float:
    """Return how far the rates of counts are from the printed ones, in units of their last digits, at most."""
    values = _values(sizes, tp, fp)
    away = [
        abs(values[name] - float(rate.value)) / float(rate.half or Fraction(1, 10**6)) for name, rate in rates.items()
    ]
    return math.inf if any(map(math.isnan, away)) else max(away)


def _none(rates: Mapping[str, Rate], sizes: Sizes) -> InputError:
    """Build the error for rates that no counts have, with the nearest."""
    positives, recall = sizes.positives, rates.get("recall")
    middle = None if recall is None else round(recall.value * positives)
    tried = range(positives + 1) if middle is None else range(max(0, middle - 2), min(positives, middle + 2) + 1)
    top = math.inf if sizes.negatives is None else sizes.negatives
    found = [
        (_away(rates, sizes, tp, fp), tp, fp)
        for tp in tried
        for fp in {int(min(max(each, 0), top)) for each in _near(rates, sizes, tp)}
    ]
    told = f"no counts give {_given(rates, sizes)}"
    if not found or min(found)[0] == math.inf:
        return InputError(f"{told}: the numbers contradict each other.")
    _, tp, fp = min(found)
    values = _values(sizes, tp, fp)
    shown = ", ".join(_said(rate, values[name]) for name, rate in rates.items())
    return InputError(f"{told}; the nearest, tp={tp}, fp={fp}, fn={positives - tp}, give {shown}.")


def _said(rate: Rate, value: float) -> str:
    """Return what counts give for a rate, with one digit more than was printed."""
    return f"{rate.name} {100 * value:.4g}%" if rate.text.endswith("%") else f"{rate.name} {value:.4g}"
