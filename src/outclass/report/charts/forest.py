"""Many comparisons, one line each: the interval and its mean, marked by the decision, sorted by the mean."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.inference.distribution import Interval
from outclass.report import captions, words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import pair_of, row_names
from outclass.report.drawing.held import held
from outclass.report.drawing.marks import (
    LABELLED,
    Sides,
    difference_axis,
    directions,
    reach,
    rope_band,
    tips,
    zero_line,
)
from outclass.report.drawing.theme import COLOURS, HEIGHT, REGION, UNNUMBERED, altair, numbered, titled
from outclass.rows.types import Contrast

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
    alt, alone = altair(), answer.rows
    rows = [row.pooled for row in alone]
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
            **_alone(own),
        }
        for key, name, row, own in zip(keys, names, rows, alone, strict=True)
    ]
    # All items come first.
    ordered = np.lexsort([[-row.difference.mean for row in rows], [not row.is_whole for row in rows]])
    order = [keys[place] for place in ordered]
    seen = {row.verdict.sign for row in rows}
    usual = [each for sign, each in DECISIONS.items() if sign not in ("≥", "≤") or sign in seen]
    domain = [name for name, _, _ in usual]
    colour = alt.Color("decision:N", title=None, scale=alt.Scale(domain=domain, range=[each[2] for each in usual]))
    shape = alt.Shape("decision:N", title=None, scale=alt.Scale(domain=domain, range=[each[1] for each in usual]))
    y = alt.Y("key:N", title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelLimit=340, labelExpr=UNNUMBERED))
    base = alt.Chart(held(data, "rows"))
    ropes = {row.rope for row in rows}
    both = [*rows, *alone]
    lows, highs = [row.difference.hdi.low for row in both], [row.difference.hdi.high for row in both]
    ends = reach(Interval(float(np.nanmin([*lows, 0])), float(np.nanmax([*highs, 0]))), ropes)
    measures = {row.measure for row in rows}
    pairs = {pair_of(row) for row in rows}
    sides = (next(iter(pairs)) if len(pairs) == 1 else Sides("first", "second"))._replace(taken=LABELLED)
    x = partial(alt.X, axis=difference_axis(measures, sides=sides), scale=alt.Scale(domain=ends, nice=False))
    said = tips("name:N", "mean:Q", "low:Q", "high:Q", "decision:N", "in ROPE:N")
    bars = base.mark_rule(strokeWidth=2).encode(x=x("low:Q"), x2=alt.X2("high:Q"), y=y, color=colour, tooltip=said)
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=x("mean:Q"), y=y, color=colour, shape=shape, tooltip=said
    )
    beside = _overall(rows, base, x, y) if any(row.is_whole for row in rows) else []
    # Where higher is better of some measures only, no side speaks for one system.
    told = directions(rows[0].measure, sides) if len({each.higher_is_better for each in measures}) == 1 else []
    region = f"ROPE {words.region(rows[0].rope, rows[0].measure)}"
    return titled(
        alt.layer(*rope_band(ropes, ends, x, region), zero_line(x), *beside, bars, dots, *told),
        captions.title(rows),
        f"{100 * rows[0].hdi_mass:g}% HDI; ROPE {words.rope(rows[0].rope)}" if len(ropes) == 1 else "",
        offset=24,
        height=max(HEIGHT / 3, 17 * len(rows)),
    )


def _alone(row: Contrast) -> dict[str, float]:
    """Return the difference of a slice by itself, where that of the row is pooled."""
    if row.pooled is row:
        return {}
    return {"raw": row.difference.mean, "raw low": row.difference.hdi.low, "raw high": row.difference.hdi.high}


def _overall(rows: Sequence[Contrast], base: Any, x: Any, y: Any) -> list[Any]:
    """Draw the differences of slices by themselves, in grey below those that were pooled, and that of all items."""
    alt = altair()
    grey: dict[str, Any] = {"color": REGION, "opacity": 0.9}
    own = base.transform_filter("isValid(datum.raw)")
    lines = own.mark_rule(strokeWidth=1.5, yOffset=6, **grey).encode(x=x("raw low:Q"), x2=alt.X2("raw high:Q"), y=y)
    dots = own.mark_point(size=18, yOffset=6, filled=True, **grey).encode(x=x("raw:Q"), y=y)
    whole = [row.difference.mean for row in rows if row.is_whole]
    if len(whole) != 1:
        return [lines, dots]
    overall = alt.Chart(alt.Data(values=[{"overall": whole[0]}])).mark_rule(strokeDash=[4, 3]).encode(x=x("overall:Q"))
    return [overall, lines, dots]


CHART = Chart(
    title="All comparisons", answers=("Comparison",), draw=draw, is_default=lambda answer: len(answer.rows) > 1
)
