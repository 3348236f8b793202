"""The posterior of the difference, with its HDI, the ROPE, the mean and percentages (figure 6a of the 2016 paper)."""

from typing import Any

from outclass.inference.distribution import Interval
from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import difference_title, only_contrast, posterior_of
from outclass.report.drawing.marks import density_points, rope_band, zero_line
from outclass.report.drawing.theme import COLOURS, altair, titled


def draw(answer: Any) -> Any:
    """Draw one comparison."""
    alt, row = altair(), only_contrast(answer, "posterior")
    d, digits = row.difference, words.decimals(row.difference.std)
    own = COLOURS[row.verdict.sign]
    data = density_points(posterior_of(row), colour=own)
    top = max(point["density"] for point in data)
    axis = difference_title(row)
    x = alt.X("x:Q", title=axis, scale=alt.Scale(zero=False, nice=False))
    colour = alt.Color("colour:N", scale=None)
    # Each layer's data has a name, so that the page can put in others.
    curve = alt.Chart(alt.Data(values=data, name="curve")).encode(
        x=x, y=alt.Y("density:Q", title="density"), color=colour
    )
    interval = (
        alt.Chart(alt.Data(values=[{"low": d.hdi.low, "high": d.hdi.high, "y": 0, "colour": own}], name="hdi"))
        .mark_rule(strokeWidth=5)
        .encode(x="low:Q", x2="high:Q", y=alt.Y("y:Q", title="density"), color=colour)
    )
    mean = alt.Chart(alt.Data(values=[{"mean": d.mean}], name="mean")).mark_rule(strokeDash=[4, 3]).encode(x="mean:Q")
    ends = [(d.hdi.low, "left", "low"), (d.hdi.high, "right", "high")]
    labels = [
        alt.Chart(alt.Data(values=[{"x": end, "y": top * 0.06, "label": words.signed(end, digits)}], name=name))
        .mark_text(align=align, dx=4 if align == "left" else -4)
        .encode(x="x:Q", y="y:Q", text="label:N")
        for end, align, name in ends
    ]
    band = rope_band([row.rope], Interval(data[0]["x"], data[-1]["x"]), axis)
    return titled(
        alt.layer(band, curve.mark_area(opacity=0.35), curve.mark_line(), zero_line(), mean, interval, *labels),
        words.verdict(row),
        f"mean {words.signed(d.mean, digits)}, {100 * row.hdi_mass:g}% HDI {words.interval(d.hdi, digits)}, "
        f"ROPE {words.rope(row.rope)}",
        f"{words.percent(d.below)} below zero, {words.percent(d.above)} above, {words.percent(d.rope)} in the ROPE",
    )


CHART = Chart(
    title="The difference", answers=("Comparison",), draw=draw, is_default=lambda answer: len(answer.rows) == 1
)
