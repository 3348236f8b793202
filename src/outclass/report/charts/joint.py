"""What both systems say of the same items: the counts of the paired model, where only one is right standing out."""

from typing import Any, Final

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.contrasts import only_contrast
from outclass.report.drawing.marks import white_where
from outclass.report.drawing.theme import SYSTEMS, UNNUMBERED, altair, numbered, short, titled

TITLE: Final = "Predictions on the same items"
TRUE: Final = ["positive", "negative"]
# Who is right, by the true class, in the order of the columns.
RIGHT: Final = ((2, 0, 1, 3), (3, 1, 0, 2))
AGREED: Final = ("#dfe4e8", "#b9c2c9")


def draw(answer: Any) -> Any:
    """Draw one comparison: the cells that tell the systems apart in their colours, the others in grey."""
    alt, row = altair(), only_contrast(answer, "joint")
    if row.unknown_agreement is not None:
        raise InputError("which items the systems agree on is unknown, so there is no joint table to draw.")
    if row.evidence is None or row.evidence.joint is None:
        raise InputError(
            "there is no joint table to draw: it takes one label against the rest, and both systems on the same items."
        )
    a, b = (short(system.name, 20) for system in row.systems)
    columns = numbered(["both", f"only {a}", f"only {b}", "neither"])
    who = numbered([f"only {a} right", f"only {b} right", "both right", "both wrong"])
    data = [
        {"x": said, "y": true, "right": who[right], "label": f"{int(count):,}", "apart": right < 2}
        for true, counts, rights in zip(TRUE, row.evidence.joint, RIGHT, strict=True)
        for said, count, right in zip(columns, counts, rights, strict=True)
    ]
    column = alt.ExprRef("width / 4 - 8")
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X(
            "x:N",
            title="says positive",
            scale=alt.Scale(domain=columns, paddingInner=0.04),
            axis=alt.Axis(labelAngle=0, labelLimit=column, labelExpr=UNNUMBERED, orient="top", ticks=False),
        ),
        y=alt.Y("y:N", title="is", sort=TRUE, scale=alt.Scale(paddingInner=0.06), axis=alt.Axis(ticks=False)),
    )
    colours = alt.Scale(domain=who, range=[*SYSTEMS, *AGREED])
    cells = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color("right:N", title=None, scale=colours, legend=alt.Legend(labelExpr=UNNUMBERED, orient="bottom"))
    )
    ink = white_where("datum.apart")
    counts = base.mark_text(fontSize=17, fontWeight="bold", dy=-7).encode(text=alt.Text("label:N"), color=ink)
    short_of = "slice(datum.right, indexof(datum.right, ' ') + 1)"
    roles = base.transform_calculate(role=short_of).mark_text(fontSize=11, dy=11, limit=column)
    roles = roles.encode(text=alt.Text("role:N"), color=ink)
    return titled(alt.layer(cells, counts, roles), TITLE, height=150)


CHART = Chart(title=TITLE, answers=("Comparison",), draw=draw, page_place=3)
