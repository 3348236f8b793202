"""Results of significance tests, their alternatives and marks."""

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.errors import unknown
from outclass.findings import Finding
from outclass.inference.distribution import Interval

# 'observed' is the side on which the difference was seen, as Yang & Liu take it.
ALTERNATIVES: Final = ("two-sided", "greater", "less", "observed")
NOWHERE: Final = Interval(math.nan, math.nan)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """Result of one test.

    Parameters
    ----------
    name, words
        Key and description.
    systems, measure
        What was tested.
    statistic, p_value, alternative
        Test statistic, p-value and alternative: 'two-sided', 'greater' (A above B), 'less', or 'any' for more than two
        systems.
    effect, effect_name, interval
        Effect size, its name, and its interval.
    assumptions, findings
        Assumptions of the test, and warnings about them.
    """

    __test__ = False  # not a pytest class, whatever its name says

    name: str
    p_value: float
    statistic: float
    words: str
    systems: tuple[str, ...] = ()
    measure: str = "accuracy"
    alternative: str = "two-sided"
    effect: float = math.nan
    effect_name: str = ""
    interval: Interval = NOWHERE
    assumptions: str = ""
    findings: tuple[Finding, ...] = ()
    adjusted: "Adjusted | None" = field(default=None)
    lower_is_better: bool = False
    p_error: float = 0.0  # the p-value's Monte Carlo standard error, where it was drawn
    ties: int = 0  # units that do not differ, which the test leaves out
    direction: float | None = None  # of the statistic, where the effect may be zero beside a small p-value

    @property
    def mark(self) -> str:
        """The mark of Yang & Liu: >> (A better) and << up to .01, > and < up to .05, ~ otherwise."""
        if self.alternative == "equivalence":
            return "~=" if self.p_value <= 0.05 else ""
        if self.alternative == "non-inferiority":
            return ">=" if self.p_value <= 0.05 else ""
        direction = self.effect if self.direction is None else self.direction
        return (
            "" if self.alternative == "any" else mark(self.p_value, -direction if self.lower_is_better else direction)
        )


class Blocks(NamedTuple):
    """The units of a test over several numbers per system."""

    noun: str
    value: str


CATEGORIES = Blocks("categories", "F1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjusted:
    """A p-value adjusted within a family."""

    holm: float
    benjamini_hochberg: float
    family: str


def mark(p_value: float, direction: float) -> str:
    """Return the paper's sign for a p-value and the direction of the difference."""
    if math.isnan(p_value):
        return ""
    if math.isnan(direction) or p_value > 0.05 or direction == 0:
        return "~"
    sign = ">" if direction > 0 else "<"
    return 2 * sign if p_value <= 0.01 else sign


def check_alternative(alternative: str) -> str:
    """Check the word for the side of a test."""
    if alternative not in ALTERNATIVES:
        raise unknown("alternative", str(alternative), ALTERNATIVES)
    return alternative


def as_extreme(differences: Floats, observed: float, side: str, close: float) -> np.ndarray:
    """Return which differences are as far out on a side as the observed one, or so close to it that they may be."""
    if side == "two-sided":
        return np.asarray(np.abs(differences) >= abs(observed) - close)
    return np.asarray(differences >= observed - close if side == "greater" else differences <= observed + close)


def side_of(alternative: str, direction: float) -> str:
    """Return the side that is tested: 'observed' becomes the one on which the difference was seen."""
    if alternative != "observed":
        return alternative
    return "less" if direction < 0 else "greater"


def p_of(alternative: str, below: float, above: float) -> float:
    """Return the p-value from the two tails, each of which holds the value itself."""
    if alternative == "greater":
        return above
    if alternative == "less":
        return below
    return min(1.0, 2 * min(below, above))
