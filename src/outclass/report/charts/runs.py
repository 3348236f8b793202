"""The runs of each system, beside the interval of what a fresh run of it is expected to score."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from outclass.errors import InputError
from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.marks import roomy, tips
from outclass.report.drawing.theme import SYSTEMS, UNNUMBERED, altair, numbered, short, titled
from outclass.rows.run_parts import SystemRuns
from outclass.rows.types import SystemSummary

TITLE = "Runs of each system"
Strip = tuple[SystemSummary, SystemRuns]


def draw(answer: Any) -> Any:
    """Draw a strip of runs for each system of an answer's first measure."""
    alt = altair()
    strips, measure, mass, told = _strips(answer)
    keys = numbered(short(system.name) for system, _ in strips)
    ends = [
        {"key": key, "mean": system.mean, "low": system.hdi.low, "high": system.hdi.high}
        for key, (system, _) in zip(keys, strips, strict=True)
        if math.isfinite(system.mean)
    ]
    dots = [
        {"key": key, "run": short(run), "value": value}
        for key, (_, own) in zip(keys, strips, strict=True)
        for run, value in zip(own.runs, own.values, strict=True)
    ]
    axis = alt.Axis(title=f"{short(measure.title)}: each run, and {100 * mass:g}% HDI of a system", **roomy())
    x = partial(alt.X, axis=axis, scale=alt.Scale(zero=False, padding=12))
    y = alt.Y("key:N", title=None, scale=alt.Scale(domain=keys), axis=alt.Axis(labelLimit=300, labelExpr=UNNUMBERED))
    held = alt.Chart(alt.Data(values=ends)).encode(y=y)
    bars = held.mark_rule(strokeWidth=3, color=SYSTEMS[0], yOffset=6).encode(x=x("low:Q"), x2=alt.X2("high:Q"))
    means = held.mark_point(filled=True, size=90, opacity=1, color=SYSTEMS[0], yOffset=6).encode(x=x("mean:Q"))
    runs = (
        alt.Chart(alt.Data(values=dots))
        .mark_tick(color=SYSTEMS[1], thickness=2, size=14, opacity=0.75, yOffset=-8)
        .encode(x=x("value:Q"), y=y, tooltip=tips("run:N", "value:Q"))
    )
    return titled(alt.layer(bars, means, runs), TITLE, told, height=max(90, 48 * len(strips)))


def _strips(answer: Any) -> tuple[Sequence[Strip], Any, float, str]:
    """Return the systems with their runs, the measure, the mass of intervals, and what is to be said."""
    if hasattr(answer, "verdicts"):
        found = [(each.system, each.runs) for each in answer.systems]
        return _known(found), answer.measure, answer.hdi_mass, ""
    row = answer.rows[0]
    if hasattr(row, "systems"):
        own = row.runs.systems if row.runs is not None else (None, None)
        return _known(list(zip(row.systems, own, strict=True))), row.measure, row.hdi_mass, words.variation(row)
    same = [each for each in answer.rows if each.measure == row.measure and each.part == row.part]
    return _known([(each.system, each.runs) for each in same]), row.measure, row.hdi_mass, ""


def _known(strips: Sequence[tuple[SystemSummary, SystemRuns | None]]) -> list[Strip]:
    found = [(system, runs) for system, runs in strips if runs is not None]
    if not found:
        raise InputError("a chart of runs needs several runs of each system.")
    return found


CHART = Chart(title=TITLE, answers=("Comparison", "Evaluation", "Ranking"), draw=draw, page_place=0)
