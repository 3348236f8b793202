"""How often a rule is right, wrong or undecided, over true differences."""

from typing import Any, Final

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.theme import COLOURS, UNNUMBERED, altair, dashed, titled

KINDS: Final = {"right": COLOURS["≫"], "wrong": COLOURS["≪"], "undecided": COLOURS["≈"]}


def draw(answer: Any) -> Any:
    """Draw the operating characteristics of a plan."""
    alt = altair()
    if not answer.characteristics:
        raise InputError("a rule chart needs a plan with ⟨characteristics=True⟩.")
    data = [
        {"difference": each.difference, "share": getattr(each, kind), "verdict": kind}
        for each in answer.characteristics
        for kind in KINDS
    ]
    colours = alt.Scale(domain=list(KINDS), range=list(KINDS.values()))
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_line(point=True)
        .encode(
            strokeDash=dashed("verdict:N", list(KINDS)),
            x=alt.X("difference:Q", title="true difference"),
            y=alt.Y("share:Q", title="share of test sets", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("verdict:N", title=None, scale=colours, legend=alt.Legend(labelExpr=UNNUMBERED)),
        ),
        "Operating characteristics",
    )


CHART = Chart(title="Rule", answers=("Plan",), draw=draw, is_default=lambda answer: not answer.powers)
