"""Both systems' own posteriors."""

from typing import Any

from outclass.errors import InputError
from outclass.report.curves import quick
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast
from outclass.report.drawing.held import held
from outclass.report.drawing.marks import density_points, roomy
from outclass.report.drawing.theme import SYSTEMS, altair, dashed, named_colours, numbered, short, titled


def draw(answer: Any) -> Any:
    """Draw both systems of one comparison."""
    alt, row = altair(), only_contrast(answer, "systems")
    data, names = [], numbered(short(each.name) for each in row.systems)
    for name, system in zip(names, row.systems, strict=True):
        if system.posterior is None:
            raise InputError("this model estimates only the difference, not each system.")
        data += density_points(quick(system.posterior, roughly=True), system=name)
    # More than the bare measure: a title called "toString" would leave the chart blank.
    axis = alt.Axis(title=f"{short(row.measure.title)} of each system", **roomy())
    return titled(
        alt.Chart(held(data))
        .mark_line(strokeWidth=2.5)
        .encode(
            x=alt.X("x:Q", axis=axis, scale=alt.Scale(zero=False)),
            y=alt.Y("density:Q", axis=None, stack=None),
            color=named_colours(names, SYSTEMS),
            strokeDash=dashed("system:N", names),
        ),
        f"{row.measure.title} of each system",
        "With paired items the overlap overstates the uncertainty of the difference." if row.pairing else "",
    )


CHART = Chart(title="Each system", answers=("Comparison",), draw=draw, page_place=1)
