"""Where a system lost: the loss of every slice, of its own items alone and pooled with the other slices."""

from functools import partial
from typing import Any, Final

import numpy as np

from outclass.inference.distribution import Interval
from outclass.report import words
from outclass.report.drawing.chart import Chart, always
from outclass.report.drawing.marks import difference_axis, reach, rope_band, tips, zero_line
from outclass.report.drawing.theme import HEIGHT, SYSTEMS, UNNUMBERED, altair, dashed, numbered, short, titled

RAW: Final = "raw"
POOLED: Final = "pooled"


def draw(answer: Any) -> Any:
    """Draw all items and the slices that were found, in the order of the table."""
    alt, rows = altair(), (answer.whole, *answer.rows)
    keys = numbered(short(row.title) for row in rows)
    data = []
    for key, row in zip(keys, rows, strict=True):
        laws = [(RAW, row.loss, row.interval)]
        laws += [] if row.pooled is None else [(POOLED, row.pooled.mean, row.pooled.interval)]
        data += [
            {
                "key": key,
                "name": row.title,
                "of": of,
                "mean": mean,
                "low": low,
                "high": high,
                "items": row.items,
                "P(worse)": words.percent(row.probability),
            }
            for of, mean, (low, high) in laws
        ]
    lows, highs = [each["low"] for each in data], [each["high"] for each in data]
    ends = reach(Interval(float(np.nanmin(lows)), float(np.nanmax(highs))), [answer.rope])
    title = f"loss in {short(answer.measure.title)}"
    x = partial(alt.X, axis=difference_axis([answer.measure], title), scale=alt.Scale(domain=ends, nice=False))
    axis = alt.Axis(labelLimit=340, labelExpr=UNNUMBERED)
    names = [RAW, POOLED]
    shape = alt.Shape("of:N", title=None, scale=alt.Scale(domain=names, range=["circle", "diamond"]))
    shown = {
        "y": alt.Y("key:N", title=None, scale=alt.Scale(domain=keys), axis=axis),
        "yOffset": alt.YOffset("of:N", scale=alt.Scale(domain=names)),
        "color": alt.Color("of:N", title=None, scale=alt.Scale(domain=names, range=list(SYSTEMS[:2]))),
        "tooltip": tips("name:N", "of:N", "mean:Q", "low:Q", "high:Q", "items:Q", "P(worse):N"),
    }
    base = alt.Chart(alt.Data(values=data))
    bars = base.mark_rule(strokeWidth=2).encode(
        x=x("low:Q"), x2=alt.X2("high:Q"), strokeDash=dashed("of:N", names), **shown
    )
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=x("mean:Q"), shape=shape, **shown)
    region = f"ROPE {words.region(answer.rope, answer.measure)}"
    told = f"{100 * answer.hdi_mass:g}% intervals; right of zero, {short(answer.new)} is worse than {short(answer.old)}"
    return titled(
        alt.layer(*rope_band([answer.rope], ends, x, region), zero_line(x), bars, dots),
        f"Where {answer.new} lost",
        told,
        offset=24,
        height=max(HEIGHT / 3, 34 * len(rows)),
    )


CHART = Chart(title="Where it lost", answers=("SliceSearch",), draw=draw, is_default=always)
