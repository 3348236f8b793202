"""Both systems' own posteriors."""

from typing import Any

from outclass.errors import InputError
from outclass.report.curves import quick
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast
from outclass.report.drawing.marks import density_points
from outclass.report.drawing.theme import SYSTEMS, altair, named_colours, numbered, short, titled


def draw(answer: Any) -> Any:
    """Draw both systems of one comparison."""
    alt, row = altair(), only_contrast(answer, "systems")
    data, names = [], numbered(short(each.name) for each in row.systems)
    for name, system in zip(names, row.systems, strict=True):
        if system.posterior is None:
            raise InputError("this model estimates only the difference, not each system.")
        data += density_points(quick(system.posterior), system=name)
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_area(opacity=0.35, line=True)
        .encode(
            x=alt.X("x:Q", title=row.measure.title, scale=alt.Scale(zero=False)),
            y=alt.Y("density:Q", stack=None),
            color=named_colours(names, SYSTEMS),
        ),
        f"{row.measure.title} of each system",
        "With paired items the overlap overstates the uncertainty of the difference." if row.pairing else "",
    )


CHART = Chart(title="Each system", answers=("Comparison",), draw=draw, page_place=1)
