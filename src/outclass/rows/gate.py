"""The rows of a gate: one for each check, with plain numbers and words."""

import math
from dataclasses import dataclass
from typing import Final

from outclass.findings import Finding
from outclass.inference.distribution import Interval
from outclass.planning.needed import Needed
from outclass.verdict.gate import Chances, GateDecision

UNKNOWN: Final = Interval(math.nan, math.nan)
SHOWN: Final = 20  # ids of flips that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFlips:
    """The items on which the candidate is worse than the baseline, and those on which it is better."""

    worse: int
    better: int
    worse_ids: tuple[str, ...] = ()
    better_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A look at the first items, in an order that does not depend on them, by an interval that holds at any time."""

    items: int
    difference: float
    interval: Interval
    decision: GateDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCheck:
    """One check of a gate: a difference against a margin, or the candidate's own value against a floor.

    Parameters
    ----------
    name, task, measure
        What it is called, of which part of the suite it is, and what is measured.
    kind
        'difference' or 'floor'.
    margin, margin_told
        The largest drop that is accepted, in the unit of the measure; and as it was written.
    baseline, candidate, difference, interval
        The observed values, the difference (candidate minus baseline, turned so that higher is better), and its
        one-sided limits. Of a floor: the interval of the candidate's own value.
    chances
        The probabilities that decide; None of an interval that holds at any time.
    why
        Why it could not be judged.
    """

    name: str
    decision: GateDecision
    measure: str = ""
    kind: str = "difference"
    task: str = ""
    margin: float = math.nan
    margin_told: str = ""
    baseline: float = math.nan
    candidate: float = math.nan
    difference: float = math.nan
    interval: Interval = UNKNOWN
    error: float = math.nan
    items: int = 0
    higher_is_better: bool = True
    in_points: bool = True
    chances: Chances | None = None
    flips: ItemFlips | None = None
    needed: Needed | None = None
    attempts: int = 1
    stages: tuple[Stage, ...] = ()
    model: str = ""
    why: str = ""
    anchor: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def probability(self) -> float:
        """The probability of what was decided: of a failure, that it is one; otherwise that it passes."""
        if self.chances is None:
            return math.nan
        own = {
            GateDecision.IMPROVED: self.chances.better,
            GateDecision.EQUIVALENT: self.chances.within,
            GateDecision.NON_INFERIOR: self.chances.above_margin,
            GateDecision.SLIGHTLY_WORSE: self.chances.above_margin,
        }
        return own.get(self.decision, self.chances.below_margin)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSide:
    """What was compared with what: the name of a system, where it comes from, and the digest of its scores."""

    name: str
    source: str = ""
    digest: str = ""
    commit: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateHistory:
    """What the ledger knows of this suite: earlier attempts of this commit, and decisions in all."""

    attempts: int = 0
    cached: bool = False
    decisions: int = 0
    recorded: bool = False
