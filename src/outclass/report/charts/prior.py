"""The prior's law of the difference and the posterior's, each scaled to its highest point."""

from typing import Any, Final

from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast, pair_of, posterior_of, prior_of, sides_of
from outclass.report.drawing.held import held
from outclass.report.drawing.marks import before_and_after, density_points, difference_axis
from outclass.report.drawing.theme import altair, titled

TITLE: Final = "Prior and posterior"


def draw(answer: Any) -> Any:
    """Draw one comparison."""
    alt, row = altair(), only_contrast(answer, "prior")
    data = []
    for name, law in (("prior", prior_of(row)), ("posterior", posterior_of(row))):
        points = density_points(law, of=name)
        top = max(point["density"] for point in points) or 1.0
        data += [{**point, "density": point["density"] / top} for point in points]
    lines = (
        alt.Chart(held(data))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("x:Q", axis=difference_axis([row.measure], sides=pair_of(row))),
            y=alt.Y("density:Q", axis=None, stack=None),
            **before_and_after(),
        )
    )
    return titled(
        alt.layer(lines, *sides_of(row)),
        TITLE,
        f"{row.prior} prior" + (f": {row.prior_words}" if row.prior_words else ""),
    )


CHART = Chart(title=TITLE, answers=("Comparison",), draw=draw)
