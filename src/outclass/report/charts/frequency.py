"""Performance against how common a category is (figures 4 and 5 of Yang & Liu 1999): running macro-F1."""

from typing import Any

import numpy as np

from outclass.errors import InputError
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.effects import intervals_of
from outclass.report.drawing.marks import roomy
from outclass.report.drawing.theme import altair, dashed, named_colours, numbered, short, titled


def draw(answer: Any) -> Any:
    """Draw every system of a test over categories."""
    alt = altair()
    if not answer.categories:
        raise InputError("a frequency chart needs a test over categories: more than two labels.")
    ordered = sorted((each for each in answer.categories if each.frequency > 0), key=lambda each: each.frequency)
    near = max(3, len(ordered) // 8)
    data, names = [], numbered(map(short, answer.systems))
    for place, name in enumerate(names):
        f1 = np.array([each.f1[place] for each in ordered], dtype=float)
        for at in range(len(ordered)):
            part = f1[max(0, at - near // 2) : at + near // 2 + 1]
            if np.isfinite(part).any():
                data.append({"frequency": ordered[at].frequency, "f1": float(np.nanmean(part)), "system": name})
    return titled(
        alt.Chart(alt.Data(values=data))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X(
                "frequency:Q",
                scale=alt.Scale(type="log", nice=False),
                title="items of the category",
                axis=alt.Axis(format="~s", **roomy()),
            ),
            y=alt.Y("f1:Q", title="F1, running mean"),
            color=named_colours(names),
            strokeDash=dashed("system:N", names),
        ),
        "Performance against category frequency",
        f"running mean over {near} categories",
    )


CHART = Chart(
    title="F1 by how common a category is",
    answers=("TestReport",),
    draw=draw,
    is_default=lambda answer: bool(answer.categories) and not intervals_of(answer.rows, answer.asked),
    page_place=1,
)
