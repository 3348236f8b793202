"""The effects that significance tests found, with their confidence intervals and p-values."""

from functools import partial
from typing import Any, Final

from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.report import words
from outclass.report.drawing.chart import Chart
from outclass.report.drawing.effects import intervals_of
from outclass.report.drawing.marks import LABELLED, Sides, difference_axis, directions, reach, zero_line
from outclass.report.drawing.theme import SYSTEMS, UNNUMBERED, altair, numbered, short, titled
from outclass.testing.registry import title_of

LINE: Final = "; "
TITLE: Final = "Effects and their 95% confidence intervals"


def draw(answer: Any) -> Any:
    """Draw one line for each test of one pair, or for each pair."""
    alt, rows = altair(), intervals_of(answer.rows, answer.asked)
    if not rows:
        raise InputError("none of these tests has an interval to draw.")
    pairs = {row.systems for row in rows}
    names = [
        f"{title_of(row.name)}{LINE}{short(words.measure_name(row))}"
        if len(pairs) == 1
        else " − ".join(short(each, 20) for each in row.systems)
        for row in rows
    ]
    adjusted = any(row.adjusted for row in rows)
    p = "adjusted p" if adjusted else "p"
    keys, kinds = numbered(names), [f"{p} ≤ .05", f"{p} > .05"]
    data = [
        {
            "key": key,
            "effect": row.effect,
            "low": row.interval.low,
            "high": row.interval.high,
            "kind": kinds[words.decisive(row) > words.SIGNIFICANT],
            "p": f"p {words.p_equals(words.decisive(row))}{' (Holm)' if row.adjusted else ''}",
        }
        for key, row in zip(keys, rows, strict=True)
    ]
    ends = reach(Interval(min(each.interval.low for each in rows), max(each.interval.high for each in rows)), [])
    asked = {(words.test_name(row.name), words.measure_name(row)) for row in rows}
    named = "difference in {1} ({0})".format(*next(iter(asked))) if len(asked) == 1 else "difference"
    a, b = (short(each, 24) for each in rows[0].systems) if len(pairs) == 1 else ("first", "second")
    sides = Sides(*((b, a) if rows[0].lower_is_better else (a, b)), taken=LABELLED)
    axis = difference_axis([], short(named), sides=sides)
    x = partial(alt.X, axis=axis, scale=alt.Scale(domain=ends, nice=False))
    y = alt.Y("key:N", title=None, scale=alt.Scale(domain=keys), axis=_in_lines(len(pairs) == 1))
    legend = alt.Legend(orient="top")
    scales = [alt.Scale(domain=kinds, range=each) for each in ([SYSTEMS[0], "#6b7a85"], ["diamond", "circle"])]
    colour = alt.Color("kind:N", title=None, scale=scales[0], legend=legend)
    shape = alt.Shape("kind:N", title=None, scale=scales[1], legend=legend)
    base = alt.Chart(alt.Data(values=data)).encode(y=y)
    layers = [
        zero_line(x),
        base.mark_rule(strokeWidth=2).encode(x=x("low:Q"), x2=alt.X2("high:Q"), color=colour),
        base.mark_point(filled=True, size=80, opacity=1).encode(x=x("effect:Q"), color=colour, shape=shape),
        base.mark_text(align="left", dx=10).encode(x=alt.XValue("width"), text=alt.Text("p:N")),
        *directions(None, sides),
    ]
    return titled(alt.layer(*layers), TITLE, height=max(80, 28 * len(rows)))


def _in_lines(has_measures: bool) -> Any:
    """Write the test and its measure one below the other where the page is narrow."""
    alt, narrow = altair(), "containerSize()[0] < 500"
    told = f"{narrow} ? split({UNNUMBERED}, '{LINE}') : replace({UNNUMBERED}, '{LINE}', ', ')"
    offset = alt.ExprRef(f"{narrow} ? -7 : 0") if has_measures else 0
    return alt.Axis(labelLimit=340, labelOffset=offset, labelExpr=told if has_measures else UNNUMBERED)


CHART = Chart(
    title=TITLE,
    answers=("TestReport",),
    draw=draw,
    is_default=lambda answer: bool(intervals_of(answer.rows, answer.asked)),
)
