"""Regions of practical equivalence that nobody chose, or on whose edge a verdict sits."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from outclass.findings import Finding, declare, finding
from outclass.inference.distribution import Interval
from outclass.models.data_sets_fit import WinsFit
from outclass.models.fit import Fit
from outclass.rows.checks import Case
from outclass.rows.types import Contrast
from outclass.verdict.rope import decide

declare(
    OC301="the verdict is borderline",
    OC304="the default ROPE was used",
    OC305="the default ROPE is wide for these systems",
)

NOTHING = 1e-9  # a gap that is none


def check(case: Case) -> Iterator[Finding]:
    """Look at the region and where the interval ends."""
    row = case.row
    if not isinstance(row, Contrast) or not getattr(case.measure, "interval", True):
        return
    yield from usual_rope(case.fit, case.measure, row.rope, [system.observed for system in row.systems])
    if not isinstance(case.fit, WinsFit):
        yield from _edge(row)


def usual_rope(fit: Fit, measure: Any, rope: Interval, values: Sequence[float]) -> Iterator[Finding]:
    """Say if nobody chose the ROPE; and if it is so wide for these systems that nearly anything is equivalent."""
    if fit.question.rope.usual:
        yield from unchosen(measure, rope, values, fit.constant(measure))


def unchosen(measure: Any, rope: Interval, values: Sequence[float], constant: float) -> Iterator[Finding]:
    """Say the same of a ROPE that nobody chose; `constant` is the value of a system that always says the same."""
    best = measure.high if measure.higher_is_better else measure.low
    if not math.isfinite(best):
        return
    error = min((abs(best - value) for value in values if not math.isnan(value)), default=math.nan)
    gap = abs(best - constant)
    # A constant system that is perfect, as in recall, is no yardstick.
    if NOTHING < gap < rope.high:
        yield finding(
            "OC305",
            f"the default ROPE of ±{rope.high:g} is wider than the gap between a perfect and a constant system "
            f"({gap:.2g}), so nearly any two systems would count as equivalent. Change it with ⟨rope=…⟩.",
        )
    elif rope.high > error / 2 + NOTHING:
        told = "is wide for perfect systems"
        if error > NOTHING:
            told = f"is wide: the better system's error is {error:.2g}"
        yield finding(
            "OC305",
            f"the default ROPE of ±{rope.high:g} {told}, so large improvements count as equivalent. Change it with "
            "⟨rope=…⟩, for example ⟨rope=10%⟩ (of the error).",
        )
    else:
        yield finding("OC304", f"no ROPE was set, so the default of ±{rope.high:g} was used; change it with ⟨rope=…⟩.")


def _edge(row: Contrast) -> Iterator[Finding]:
    """Say if a verdict depends on the last digit of an interval's end."""
    hdi, errors = row.difference.hdi, row.difference.errors.hdi
    for place, (end, error) in enumerate(zip(hdi, errors, strict=True)):
        for edge in row.rope:
            hair = max(error, 0.01 * hdi.width)
            moved = [
                Interval(at, hdi.high) if place == 0 else Interval(hdi.low, at) for at in (edge - hair, edge + hair)
            ]
            if abs(end - edge) <= hair and len({decide(each, row.rope) for each in moved}) > 1:
                about = "" if row.label is None else f" (label {row.label})"
                yield finding(
                    "OC301",
                    f"{row.systems[0].name} against {row.systems[1].name} in {row.measure.title}{about} is borderline: "
                    f"the interval ends at {end:+.4f}, the ROPE at {edge:+g}.",
                )
                return
