"""The posterior of the difference, with its HDI, the ROPE, and who is better on which side (figure 6a, 2016)."""

from functools import partial
from typing import Any, Final

from outclass.inference.distribution import Interval
from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast, pair_of, posterior_of, sides_of
from outclass.report.drawing.held import held
from outclass.report.drawing.marks import density_points, difference_axis, reach, rope_band, zero_line
from outclass.report.drawing.theme import COLOURS, altair, titled
from outclass.report.tiles import difference

# Heights are shares of the highest density: the curve stands on 0, its interval lies below.
HEIGHTS: Final = (-0.22, 1.06)
BELOW: Final = -0.11


def draw(answer: Any) -> Any:
    """Draw one comparison."""
    alt, row = altair(), only_contrast(answer, "posterior")
    d, digits = row.difference, words.decimals(row.difference.std)
    own = COLOURS[row.verdict.sign]
    data = density_points(posterior_of(row), colour=own)
    top = max(point["density"] for point in data) or 1.0
    data = [{**point, "height": point["density"] / top} for point in data]
    domain = reach(Interval(data[0]["x"], data[-1]["x"]), [row.rope])
    scale = alt.Scale(domain=domain, nice=False, zero=False)
    x = partial(alt.X, axis=difference_axis([row.measure], sides=pair_of(row)), scale=scale)
    y = partial(alt.Y, axis=None, scale=alt.Scale(domain=HEIGHTS, nice=False))
    colour = alt.Color("colour:N", scale=None)
    # Each layer's data has a name, so that the page can put in others.
    curve = alt.Chart(held(data, "curve")).encode(x=x("x:Q"), y=y("height:Q"), color=colour)
    level = {"y": BELOW, "colour": own}
    interval = (
        alt.Chart(alt.Data(values=[{"low": d.hdi.low, "high": d.hdi.high, **level}], name="hdi"))
        .mark_rule(strokeWidth=5)
        .encode(x=x("low:Q"), x2=alt.X2("high:Q"), y=y("y:Q"), color=colour)
    )
    mean = (
        alt.Chart(alt.Data(values=[{"mean": d.mean, **level}], name="mean"))
        .mark_point(filled=True, size=110, opacity=1)
        .encode(x=x("mean:Q"), y=y("y:Q"), color=colour)
    )
    ends = [
        alt.Chart(alt.Data(values=[{"x": end, "y": BELOW, "label": difference(row, end)}], name=name))
        .mark_text(align=align, dx=-7 if align == "right" else 7)
        .encode(x=x("x:Q"), y=y("y:Q"), text=alt.Text("label:N"))
        for end, align, name in ((d.hdi.low, "right", "low"), (d.hdi.high, "left", "high"))
    ]
    band = rope_band([row.rope], domain, x, f"ROPE {words.region(row.rope, row.measure)}")
    area = curve.transform_calculate(zero="0").mark_area(opacity=0.35, clip=True).encode(y2=alt.Y2("zero:Q"))
    return titled(
        alt.layer(
            *band, area, curve.mark_line(strokeWidth=2, clip=True), zero_line(x), interval, mean, *ends, *sides_of(row)
        ),
        words.verdict(row),
        f"mean {words.signed(d.mean, digits)}, {100 * row.hdi_mass:g}% HDI {words.interval(d.hdi, digits)}, "
        f"ROPE {words.rope(row.rope)}",
        f"{words.percent(d.below)} below zero, {words.percent(d.above)} above, {words.percent(d.rope)} in the ROPE",
        offset=24,
    )


CHART = Chart(
    title="The difference", answers=("Comparison",), draw=draw, is_default=lambda answer: len(answer.rows) == 1
)
