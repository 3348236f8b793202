"""Each system's score with its interval, best first; of a ranking also its tiers and P(best)."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from outclass.errors import InputError
from outclass.report import words
from outclass.report.drawing.chart import Chart, always
from outclass.report.drawing.marks import roomy, tips
from outclass.report.drawing.theme import SYSTEMS, UNNUMBERED, altair, numbered, short, titled
from outclass.rows.types import Appraisal, MeasureInfo, Ranked

MOST_TIERS: Final = 6  # drawn as bars
BAR, GAP, CHANCE = 14, 20, 66  # pixels: a tier, from one to the next, and P(best)
TIER: Final = "#55606a"


def draw(answer: Any) -> Any:
    """Draw all systems of a ranking, or all rows of an evaluation."""
    if hasattr(answer, "systems") and hasattr(answer, "verdicts"):
        return _ranked(answer)
    return _appraised(answer.rows)


def _intervals(names: list[str], ends: Sequence[tuple[float, float, float]], title: str) -> tuple[list[Any], Any]:
    """Return the layers of scores with their intervals, and the encoding of their lines."""
    alt, keys = altair(), numbered(names)
    data = [
        {"key": key, "mean": mean, "low": low, "high": high}
        for key, (mean, low, high) in zip(keys, ends, strict=True)
        if math.isfinite(mean)
    ]
    if not data:
        raise InputError("none of these scores is known, so there is nothing to draw.")
    lines = alt.Axis(labelLimit=300, labelExpr=UNNUMBERED)
    y = partial(alt.Y, title=None, scale=alt.Scale(domain=keys), axis=lines)
    axis = alt.Axis(title=title, **roomy())
    scale = alt.Scale(zero=False, padding=12)
    base = alt.Chart(alt.Data(values=data, name="scores")).encode(y=y("key:N"))
    said = tips("mean:Q", "low:Q", "high:Q")
    bars = base.mark_rule(strokeWidth=3, color=SYSTEMS[0]).encode(
        x=alt.X("low:Q", axis=axis, scale=scale), x2=alt.X2("high:Q"), tooltip=said
    )
    dots = base.mark_point(filled=True, size=90, opacity=1, color=SYSTEMS[0]).encode(
        x=alt.X("mean:Q", axis=axis, scale=scale), tooltip=said
    )
    return [bars, dots], y


def _ranked(answer: Any) -> Any:
    """Draw systems with bars over those that are not credibly apart."""
    alt, systems = altair(), answer.systems
    names = [short(each.system.name) for each in systems]
    ends = [(each.system.mean, *each.system.hdi) for each in systems]
    layers, y = _intervals(names, ends, _title(answer.measure, answer.hdi_mass))
    tiers = _tiers(systems)
    keys = numbered(names)
    for at, (first, last) in enumerate(tiers):
        middle = alt.XValue(alt.ExprRef(f"width + {14 + GAP * at}"))
        held = alt.Chart(alt.Data(values=[{"first": keys[first], "last": keys[last], "label": chr(ord("a") + at)}]))
        bar = held.mark_rule(strokeWidth=BAR, color=TIER).encode(
            x=middle, y=y("first:N", bandPosition=0.12), y2=alt.Y2("last:N", bandPosition=0.88)
        )
        letter = held.mark_text(color="white", fontWeight="bold").encode(
            x=middle, y=y("first:N"), text=alt.Text("label:N")
        )
        layers += [bar, letter]
    beyond = 14 + GAP * len(tiers) + CHANCE - 14
    chances = alt.Data(
        values=[{"key": key, "p": words.percent(each.best)} for key, each in zip(keys, systems, strict=True)]
    )
    at_end = alt.XValue(alt.ExprRef(f"width + {beyond}"))
    layers.append(alt.Chart(chances).mark_text(align="right").encode(x=at_end, y=y("key:N"), text=alt.Text("p:N")))
    heads = [("P(best)", at_end, "right")]
    heads += [("tiers", alt.XValue(alt.ExprRef(f"width + {14 - BAR / 2}")), "left")] if tiers else []
    layers += [
        alt.Chart(alt.Data(values=[{"label": label}]))
        .mark_text(align=align, fontWeight="bold", baseline="bottom")
        .encode(x=where, y=alt.YValue(-5), text=alt.Text("label:N"))
        for label, where, align in heads
    ]
    return titled(alt.layer(*layers), answer.words, height=max(90, 30 * len(names)))


def _title(measure: MeasureInfo, mass: float) -> str:
    """Name what is drawn: more than the bare measure, since a title called "toString" would leave the chart blank."""
    return f"{short(measure.title)}, {100 * mass:g}% HDI"


def _tiers(systems: Sequence[Ranked]) -> list[tuple[int, int]]:
    """Return the first and the last system of each tier; none if there are too many to draw."""
    letters = sorted({tier for each in systems for tier in each.tiers})
    if len(letters) > MOST_TIERS:
        return []
    found = [[place for place, each in enumerate(systems) if letter in each.tiers] for letter in letters]
    return [(min(each), max(each)) for each in found]


def _appraised(rows: Sequence[Appraisal]) -> Any:
    """Draw the rows of the first measure, best first."""
    own = [row for row in rows if row.measure.name == rows[0].measure.name]
    measure = own[0].measure
    labels = len({row.label for row in own}) > 1
    best = sorted(own, key=lambda row: row.system.mean, reverse=measure.higher_is_better)
    names = [
        f"{short(row.system.name, 24)}, {short(row.label, 24)}" if labels else short(row.system.name) for row in best
    ]
    title = _title(measure, own[0].hdi_mass)
    layers, _ = _intervals(names, [(row.system.mean, *row.system.hdi) for row in best], title)
    height = max(90, (30 if len(best) < 12 else 17) * len(best))
    return titled(altair().layer(*layers), title, height=height)


CHART = Chart(title="Scores", answers=("Ranking", "Evaluation"), draw=draw, is_default=always)
