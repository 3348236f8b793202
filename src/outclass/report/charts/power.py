"""The probability of reaching a goal over the number of items, with the number chosen (figure 5 of the 2016 paper)."""

from typing import Any

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.marks import roomy
from outclass.report.drawing.theme import UNNUMBERED, altair, dashed, numbered, shaped, titled


def draw(answer: Any) -> Any:
    """Draw every goal and model of a plan."""
    alt = altair()
    if not answer.powers:
        raise InputError("a power chart needs a plan with several numbers of items (⟨n=400,800,1600⟩).")
    data = [
        {
            "n": cell.n,
            "probability": cell.probability,
            "low": max(0.0, cell.probability - 1.96 * cell.error),
            "high": min(1.0, cell.probability + 1.96 * cell.error),
            "of": f"{cell.goal}, {cell.model} model",
        }
        for cell in answer.powers
    ]
    known = list(dict.fromkeys(each["of"] for each in data))
    names = numbered(known)
    data = [{**each, "of": names[known.index(each["of"])]} for each in data]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("n:Q", title="items", scale=alt.Scale(zero=False), axis=alt.Axis(**roomy())),
        color=alt.Color("of:N", title=None, scale=alt.Scale(domain=names), legend=alt.Legend(labelExpr=UNNUMBERED)),
    )
    y = alt.Y("probability:Q", scale=alt.Scale(domain=[0, 1]), title="probability")
    layers = [
        base.mark_line(strokeWidth=2).encode(y=y, strokeDash=dashed("of:N", names)),
        base.mark_point(filled=True, size=60, opacity=1).encode(y=y, shape=shaped("of:N", names)),
        base.mark_rule().encode(y=alt.Y("low:Q", title="probability"), y2=alt.Y2("high:Q")),
    ]
    chosen = [{"n": each.n, "p": each.wanted, "label": f"{each.n:,}"} for each in answer.smallest if each.n is not None]
    if chosen:
        marked = alt.Chart(alt.Data(values=chosen)).encode(x=alt.X("n:Q", title="items"))
        layers += [
            marked.mark_rule(strokeDash=[4, 3]),
            alt.Chart(alt.Data(values=chosen)).mark_rule(strokeDash=[4, 3]).encode(y=alt.Y("p:Q", title="probability")),
            marked.mark_text(align="left", dx=5, baseline="bottom", dy=-3).encode(
                y=alt.Y("p:Q", title="probability"), text=alt.Text("label:N")
            ),
        ]
    return titled(alt.layer(*layers), answer.title, answer.words)


CHART = Chart(title="Power", answers=("Plan",), draw=draw, is_default=lambda answer: bool(answer.powers))
