"""The probability of every rank, for every system."""

from typing import Any, Final

from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.marks import numbers_on
from outclass.report.drawing.theme import UNNUMBERED, altair, numbered, short, titled

MOST_NUMBERED: Final = 12  # systems, beyond which the cells have no room for numbers


def draw(answer: Any) -> Any:
    """Draw all systems, best first."""
    alt = altair()
    names = numbered(short(each.system.name) for each in answer.systems)
    data = [
        {"system": name, "rank": place + 1, "p": float(p), "label": words.percent(float(p)) if p >= 0.005 else ""}
        for name, each in zip(names, answer.systems, strict=True)
        for place, p in enumerate(each.ranks)
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("rank:O", title="rank", axis=alt.Axis(labelAngle=0)),
        y=alt.Y(
            "system:N",
            scale=alt.Scale(domain=names),
            title=None,
            axis=alt.Axis(labelLimit=220, labelExpr=UNNUMBERED),
        ),
    )
    cells = base.mark_rect().encode(
        color=alt.Color("p:Q", title="probability", scale=alt.Scale(scheme="blues", domain=[0, 1]))
    )
    numbers = [numbers_on(base, "p")] if len(names) <= MOST_NUMBERED else []
    return titled(alt.layer(cells, *numbers), answer.words, height=max(60, 26 * len(names)))


CHART = Chart(title="The probability of every rank", answers=("Ranking",), draw=draw, page_place=1)
