"""The decision of a gate: where the candidate's difference from the baseline lies, against a margin.

A difference is candidate minus baseline, turned so that higher is better. A check *fails* with the probability that it
is worse by more than the margin, and passes with the probability that it is not. Of several checks, failing is
controlled over all of them (Holm), so that a false alarm anywhere is as rare as of one; passing needs each check by
itself, for which nothing need be corrected (an intersection-union test).
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from outclass.inference.distribution import Distribution, Interval

CONFIDENCE: Final = 0.95
ROUNDING: Final = 1e-12  # of a level


class GateDecision(StrEnum):
    """What a gate decides on one check, or on all of them."""

    REGRESSED = "regressed"
    NOT_COMPARABLE = "not comparable"
    NOT_JUDGED = "not judged"
    UNDECIDED = "undecided"
    SLIGHTLY_WORSE = "slightly worse"
    NON_INFERIOR = "non-inferior"
    EQUIVALENT = "equivalent"
    IMPROVED = "improved"

    @property
    def words(self) -> str:
        """What it means."""
        return WORDS[self]

    @property
    def passes(self) -> bool:
        """Whether the candidate is shown not to be worse by more than the margin."""
        return self in PASSING


WORDS: Final = {
    GateDecision.REGRESSED: "worse by more than the margin",
    GateDecision.NOT_COMPARABLE: "not comparable",
    GateDecision.NOT_JUDGED: "could not be judged",
    GateDecision.UNDECIDED: "cannot tell yet",
    GateDecision.SLIGHTLY_WORSE: "worse, by less than the margin",
    GateDecision.NON_INFERIOR: "not worse by more than the margin",
    GateDecision.EQUIVALENT: "no difference that matters",
    GateDecision.IMPROVED: "better",
}
PASSING: Final = (
    GateDecision.SLIGHTLY_WORSE,
    GateDecision.NON_INFERIOR,
    GateDecision.EQUIVALENT,
    GateDecision.IMPROVED,
)
# From the worst on: a regression is sure, what could not be judged is not.
SEVERITY: Final = tuple(GateDecision)
EXIT: Final = {
    GateDecision.REGRESSED: 1,
    GateDecision.NOT_COMPARABLE: 4,
    GateDecision.NOT_JUDGED: 2,
    GateDecision.UNDECIDED: 3,
}
UNDECIDED: Final = {"fail": 3, "warn": 0, "pass": 0}  # what an undecided gate exits with


class Chances(NamedTuple):
    """Probabilities of a difference: worse by more than the margin, worse, better, and within the margin."""

    below_margin: float
    worse: float
    better: float
    within: float

    @property
    def above_margin(self) -> float:
        """The probability that it is not worse by more than the margin."""
        return 1 - self.below_margin


def chances(law: Distribution, margin: float, *, sign: int = 1) -> Chances:
    """Read the probabilities off the posterior of a difference; `sign` is -1 where lower is better."""
    tie = float(law.probability(0.0, 0.0))
    down, up = float(law.cdf(0.0)) - tie / 2, 1 - float(law.cdf(0.0)) + tie / 2
    low, high = float(law.cdf(-margin)), 1 - float(law.cdf(margin))
    if sign < 0:
        down, up, low, high = up, down, high, low
    return Chances(below_margin=low, worse=down, better=up, within=max(0.0, 1 - low - high))


def shifted(law: Distribution, margin: float, move: float, *, sign: int = 1, floor: bool = False) -> Chances:
    """Read the probabilities of a difference that is moved by something, as by the mean of several attempts.

    Of a floor, `margin` is the floor, and `sign` is -1 for a ceiling.
    """
    if floor:
        below = float(law.cdf(margin - move))
        below = below if sign > 0 else 1 - below
        return Chances(below_margin=below, worse=below, better=1 - below, within=0.0)
    at = [float(law.cdf(sign * (edge - move))) for edge in (-margin, 0.0, margin)]
    low, middle, high = at if sign > 0 else [1 - each for each in at]
    return Chances(below_margin=low, worse=middle, better=1 - middle, within=max(0.0, high - low))


def limits(law: Distribution, confidence: float, *, sign: int = 1) -> Interval:
    """Return the one-sided limits at this confidence: it regressed exactly if the upper one is below -margin."""
    low, high = (float(x) for x in law.quantile([1 - confidence, confidence]))
    return Interval(low, high) if sign > 0 else Interval(-high, -low)


def decide(chance: Chances, confidence: float = CONFIDENCE, *, fails: bool | None = None) -> GateDecision:
    """Decide on one check; `fails` says whether it fails among several, which share one level."""
    level = confidence - ROUNDING
    if chance.below_margin >= level if fails is None else fails:
        return GateDecision.REGRESSED
    if chance.above_margin < level:
        return GateDecision.UNDECIDED
    if chance.better >= level:
        return GateDecision.IMPROVED
    if chance.worse >= level:
        return GateDecision.SLIGHTLY_WORSE
    return GateDecision.EQUIVALENT if chance.within >= level else GateDecision.NON_INFERIOR


def decide_interval(interval: Interval, margin: float) -> GateDecision:
    """Decide by an interval that holds at any time: whatever it excludes is rejected."""
    if interval.high < -margin:
        return GateDecision.REGRESSED
    if interval.low <= -margin:
        return GateDecision.UNDECIDED
    if interval.low > 0:
        return GateDecision.IMPROVED
    if interval.high < 0:
        return GateDecision.SLIGHTLY_WORSE
    return GateDecision.EQUIVALENT if interval.high < margin else GateDecision.NON_INFERIOR


def decide_floor(below: float, confidence: float = CONFIDENCE, *, fails: bool | None = None) -> GateDecision:
    """Decide on a floor, by the probability that the candidate is below it."""
    if below >= confidence - ROUNDING if fails is None else fails:
        return GateDecision.REGRESSED
    return GateDecision.NON_INFERIOR if 1 - below >= confidence - ROUNDING else GateDecision.UNDECIDED


def worst(decisions: Sequence[GateDecision]) -> GateDecision:
    """Return the decision on all checks: the worst."""
    return min(decisions, key=SEVERITY.index)


def exit_of(decision: GateDecision, undecided: str = "fail") -> int:
    """Return the exit status of a decision."""
    return UNDECIDED[undecided] if decision is GateDecision.UNDECIDED else EXIT.get(decision, 0)
