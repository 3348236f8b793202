"""The probability of reaching a goal over the number of items, with the number chosen (figure 5 of the 2016 paper)."""

from typing import Any

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.theme import altair, titled


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
            "of": f"{cell.goal}, {cell.model}",
        }
        for cell in answer.powers
    ]
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("n:Q", title="items", scale=alt.Scale(zero=False)), color=alt.Color("of:N", title=None)
    )
    y = alt.Y("probability:Q", scale=alt.Scale(domain=[0, 1]), title="probability")
    layers = [
        base.mark_line(point=True).encode(y=y),
        base.mark_rule().encode(y=alt.Y("low:Q", title="probability"), y2="high:Q"),
    ]
    chosen = [{"n": each.n} for each in answer.smallest if each.n is not None]
    if chosen:
        layers.append(
            alt.Chart(alt.Data(values=chosen)).mark_rule(strokeDash=[4, 3]).encode(x=alt.X("n:Q", title="items"))
        )
    return titled(alt.layer(*layers), answer.title, answer.words)


CHART = Chart(title="Power", answers=("Plan",), draw=draw, is_default=lambda answer: bool(answer.powers))
