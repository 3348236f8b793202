"""Many comparisons, one line each: the interval and its mean, coloured by the verdict, sorted by the mean."""

from typing import Any

import numpy as np

from outclass.inference.distribution import Interval
from outclass.report import captions, words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import row_names
from outclass.report.drawing.marks import rope_band, zero_line
from outclass.report.drawing.theme import COLOURS, HEIGHT, UNNUMBERED, altair, numbered, titled


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
            "in ROPE": words.percent(row.difference.rope),
        }
        for key, name, row in zip(keys, names, rows, strict=True)
    ]
    order = [keys[place] for place in np.argsort([-row.difference.mean for row in rows], kind="stable")]
    colour = alt.Color(
        "verdict:N", title="decision", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    )
    y = alt.Y("key:N", title=None, scale=alt.Scale(domain=order), axis=alt.Axis(labelLimit=340, labelExpr=UNNUMBERED))
    base = alt.Chart(alt.Data(values=data, name="rows"))
    ropes = {row.rope for row in rows}
    ends = Interval(min(row.difference.hdi.low for row in rows), max(row.difference.hdi.high for row in rows))
    tips = ["name:N", "mean:Q", "low:Q", "high:Q", "verdict:N", "in ROPE:N"]
    bars = base.mark_rule(strokeWidth=2).encode(x="low:Q", x2="high:Q", y=y, color=colour, tooltip=tips)
    dots = base.mark_point(filled=True, size=45, opacity=1).encode(x="mean:Q", y=y, color=colour, tooltip=tips)
    return titled(
        alt.layer(rope_band(ropes, ends, "difference"), zero_line(), bars, dots),
        captions.title(rows),
        f"{100 * rows[0].hdi_mass:g}% HDI; ROPE {words.rope(rows[0].rope)}" if len(ropes) == 1 else "",
    ).properties(height=max(HEIGHT / 3, 17 * len(rows)))


CHART = Chart(
    title="All comparisons", answers=("Comparison",), draw=draw, is_default=lambda answer: len(answer.rows) > 1
)
