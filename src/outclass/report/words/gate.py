"""Words of a gate: the decision, the numbers behind it, and what would decide."""

import math
from typing import Any, Final

from outclass.inference.distribution import Interval
from outclass.report.text import plain
from outclass.rows.gate import GateCheck
from outclass.verdict.gate import GateDecision

WIDE: Final = 41  # letters of a drawn interval
NOTHING: Final = 1e-9
MARKS: Final = {
    GateDecision.REGRESSED: "❌",
    GateDecision.NOT_COMPARABLE: "⛔",
    GateDecision.NOT_JUDGED: "⛔",
    GateDecision.UNDECIDED: "❔",
    GateDecision.SLIGHTLY_WORSE: "⚠️",
}


def mark(decision: GateDecision) -> str:
    """Return a sign for a decision."""
    return MARKS.get(decision, "✅")


def headline(gate: Any) -> str:
    """Return the decision in words."""
    decision = gate.decision
    told = f"{plain(gate.name)}: {decision.value}"
    if decision.words != decision.value:
        told += f" ({decision.words})"
    if decision is GateDecision.UNDECIDED and gate.undecided != "fail":
        told += f"; counts as {'a warning' if gate.undecided == 'warn' else 'passed'}"
    return f"{told}; exit status {gate.exit}"


def number(value: float, row: GateCheck, *, signed: bool = False) -> str:
    """Return a value or a difference."""
    if not math.isfinite(value):
        return "–"
    size = max(abs(value), abs(row.baseline) if math.isfinite(row.baseline) else 0.0)
    digits = 3 if row.in_points or size < 10 else 1 if size < 10_000 else 0
    value = value if abs(value) > NOTHING else 0.0  # minus nothing is nothing, and a little less than it is not
    return f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}"


def interval(own: Interval, row: GateCheck, *, signed: bool = True) -> str:
    """Return an interval in brackets."""
    ends = [number(end, row, signed=signed) if math.isfinite(end) else ("-∞" if end < 0 else "∞") for end in own]
    return f"[{ends[0]}, {ends[1]}]"


def margin(row: GateCheck) -> str:
    """Return the margin as it was written."""
    if row.kind == "floor":
        return plain(row.margin_told)
    own = f"{row.margin:.4g}"
    return own if row.margin_told in ("", own) else f"{plain(row.margin_told)} = {own}"


def chance(value: float) -> str:
    """Return a probability."""
    if math.isnan(value):
        return "–"
    return ">0.999" if value > 0.9995 else "<0.001" if value < 0.0005 else f"{value:.3f}"


def numbers(row: GateCheck) -> str:
    """Return what was measured."""
    if row.why:
        return plain(row.why)
    items = f"{row.items:,} items"
    if row.kind == "floor":
        own = f"{number(row.candidate, row)} {interval(row.interval, row, signed=False)}"
        return f"{own}, must be {margin(row)}, {items}"
    sides = f"{number(row.baseline, row)} → {number(row.candidate, row)}"
    apart = f"{number(row.difference, row, signed=True)} {interval(row.interval, row)}"
    return f"{sides}, {apart}, margin {margin(row)}, {items}"


def probabilities(row: GateCheck) -> str:
    """Return the probabilities that decide."""
    if row.chances is None:
        looks = ", ".join(f"{stage.items:,} items: {stage.decision.value}" for stage in row.stages)
        return f"limits that hold at any time; {looks}" if looks else ""
    if row.kind == "floor":
        return f"P(beyond the limit) = {chance(row.chances.below_margin)}"
    return (
        f"P(beyond margin) = {chance(row.chances.below_margin)}, P(worse) = {chance(row.chances.worse)}, "
        f"P(within margin) = {chance(row.chances.within)}"
    )


def flips(row: GateCheck) -> str:
    """Return how many items changed."""
    if row.flips is None:
        return ""
    return f"{row.flips.worse:,} items are worse, {row.flips.better:,} better"


def to_decide(row: GateCheck) -> str:
    """Return what would decide: items or repeats of each, first what takes fewer answers of a system."""
    if row.decision is not GateDecision.UNDECIDED or row.needed is None:
        return ""
    own = row.needed
    parts = []
    for items, repeats, when in (
        (own.items_if_equal, own.repeats_if_equal, "if equal"),
        (own.items_if_right, own.repeats_if_right, "if the estimate is right"),
    ):
        ways = _ways(row, items, repeats)
        parts.append(f"{' or '.join(ways)} {when}" if ways else f"no number decides {when}")
    return f"to decide (80%): {'; '.join(parts)}"


def _ways(row: GateCheck, items: int | None, repeats: int | None) -> list[str]:
    assert row.needed is not None
    now = row.needed.repeats
    ways = []
    if items is not None:
        ways.append(((items - row.items) * now, f"{items:,} items"))
    if repeats is not None and (repeats > now or items is None):
        ways.append(((repeats - now) * row.items, f"{repeats:,} repeats of each"))
    if len(ways) < 2:
        return [way for _, way in ways]
    return [f"{way} ({math.ceil(max(more, 0)):,} more answers)" for more, way in sorted(ways)]


def drawn(row: GateCheck) -> str:
    """Draw the interval against the margin: `[---o---]`, with `!` at the margin and `|` at zero."""
    low, high = row.interval
    ends = [low, high, row.difference, 0.0, -row.margin]
    if row.kind != "difference" or not all(map(math.isfinite, ends)):
        return ""
    first, last = min(*ends, -1.2 * row.margin), max(*ends, 1.2 * row.margin)
    if not last > first:
        return ""

    def place(value: float) -> int:
        return round((value - first) / (last - first) * (WIDE - 1))

    signs = [" "] * WIDE
    for at in range(place(low), place(high) + 1):
        signs[at] = "-"
    for value, sign in ((0.0, "|"), (-row.margin, "!"), (low, "["), (high, "]"), (row.difference, "o")):
        signs[place(value)] = sign
    return f"{''.join(signs)}   ! margin, | no difference"


def sentence(row: GateCheck) -> str:
    """Return one check in a sentence, for an annotation."""
    name = plain(row.name)
    if row.why:
        return f"{name} {row.decision.value}: {plain(row.why)}"
    if row.kind == "floor":
        verb = "is beyond its limit" if row.decision is GateDecision.REGRESSED else row.decision.value
        own = f"{number(row.candidate, row)} {interval(row.interval, row, signed=False)}"
        return f"{name} {verb}: {own}, must be {margin(row)}"
    by = f"{number(abs(row.difference), row)} {interval(row.interval, row)}, margin {margin(row)}"
    if row.decision is GateDecision.REGRESSED:
        return f"{name} regressed by {by}"
    return f"{name} {row.decision.value}, difference {number(row.difference, row, signed=True)} " + by.partition(" ")[2]
