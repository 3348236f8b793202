"""Many comparisons, one line each: the interval and its mean, marked by the decision, sorted by the mean."""

from functools import partial
from typing import Any, Final

import numpy as np

from outclass.inference.distribution import Interval
from outclass.report import captions, words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import row_names
from outclass.report.drawing.marks import difference_axis, directions, reach, rope_band, zero_line
from outclass.report.drawing.theme import COLOURS, HEIGHT, UNNUMBERED, altair, numbered, short, titled
from outclass.report.tiles import IN_A_LABEL

# What a sign says of the HDI and the ROPE, how it is drawn, and of which colour.
DECISIONS: Final = {
    "≫": ("≫ beyond", "triangle-right", COLOURS["≫"]),
    "≪": ("≪ beyond", "triangle-left", COLOURS["≪"]),
    "≈": ("≈ within", "square", COLOURS["≈"]),
    "": ("undecided", "circle", COLOURS["?"]),
    "≥": ("≥ non-inferior", "triangle-right", COLOURS["≥"]),
    "≤": ("≤ non-inferior", "triangle-left", COLOURS["≤"]),
}


def named(sign: str) -> str:
    """Return what a sign is called in the legend."""
    return DECISIONS.get(sign, DECISIONS[""])[0]


def draw(answer: Any) -> Any:
    """Draw all comparisons."""
    alt, rows = altair(), answer.rows
    names = row_names(rows)
    keys = numbered(names)
    data = [
        {
            "key": key,
            "name": name,
            "mean": row.difference.mean,
            "low": row.difference.hdi.low,
            "high": row.difference.hdi.high,
            "verdict": row.verdict.sign,
            "decision": named(row.verdict.sign),
            "in ROPE": words.percent(row.difference.rope),
        }
        for key, name, row in zip(keys, names, rows, strict=True)
    ]
    order = [keys[place] for place in np.argsort([-row.difference.mean for row in rows], kind="stable")]
    seen = {row.verdict.sign for row in rows}
    usual = [each for sign, each in DECISIONS.items() if sign not in ("≥", "≤") or sign in seen]
    domain = [name for name, _, _ in usual]
    colour = alt.Color("decision:N", title=None, scale=alt.Scale(domain=domain, range=[each[2] for each in usual]))
    shape = alt.Shape("decision:N", title=None, scale=alt.Scale(domain=domain, range=[each[1] for each in usual]))
    y = alt.Y("key:N", title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelLimit=340, labelExpr=UNNUMBERED))
    base = alt.Chart(alt.Data(values=data, name="rows"))
    ropes = {row.rope for row in rows}
    lows, highs = [row.difference.hdi.low for row in rows], [row.difference.hdi.high for row in rows]
    ends = reach(Interval(float(np.nanmin([*lows, 0])), float(np.nanmax([*highs, 0]))), ropes)
    measures = {row.measure for row in rows}
    x = partial(alt.X, axis=difference_axis(measures, sides=1), scale=alt.Scale(domain=ends, nice=False))
    tips = ["name:N", "mean:Q", "low:Q", "high:Q", "decision:N", "in ROPE:N"]
    bars = base.mark_rule(strokeWidth=2).encode(x=x("low:Q"), x2="high:Q", y=y, color=colour, tooltip=tips)
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=x("mean:Q"), y=y, color=colour, shape=shape, tooltip=tips
    )
    pairs = {tuple(short(system.name, IN_A_LABEL) for system in row.systems) for row in rows}
    a, b = next(iter(pairs)) if len(pairs) == 1 else ("first", "second")
    # Where higher is better of some measures only, no side speaks for one system.
    sides = directions(rows[0].measure, a, b) if len({each.higher_is_better for each in measures}) == 1 else []
    region = f"ROPE {words.region(rows[0].rope, rows[0].measure)}"
    return titled(
        alt.layer(*rope_band(ropes, ends, x, region), zero_line(x), bars, dots, *sides),
        captions.title(rows),
        f"{100 * rows[0].hdi_mass:g}% HDI; ROPE {words.rope(rows[0].rope)}" if len(ropes) == 1 else "",
        offset=24,
    ).properties(height=max(HEIGHT / 3, 17 * len(rows)))


CHART = Chart(
    title="All comparisons", answers=("Comparison",), draw=draw, is_default=lambda answer: len(answer.rows) > 1
)
