"""Marks that several charts share: densities, the region of practical equivalence, the line at zero, tables of shares.

Data that the page moves have a name, by which it puts in others.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from outclass.inference.distribution import Distribution, Interval
from outclass.report.curves import curve_of
from outclass.report.drawing.theme import DASHES, REGION, SYSTEMS, UNNUMBERED, altair, short
from outclass.rows.types import MeasureInfo

LETTER = 7.5  # pixels that a bold letter takes, roughly
LINE = 14  # pixels


def density_points(law: Distribution, **more: Any) -> list[dict[str, Any]]:
    """Return the density of a distribution as points of a curve, each with what else is to be said of it."""
    curve = curve_of(law)
    return [{"x": float(x), "density": float(y), **more} for x, y in zip(curve.x, curve.density, strict=True)]


def before_and_after() -> dict[str, Any]:
    """Return the encodings that tell a prior from its posterior, by the field `of`: colour and dash."""
    alt = altair()
    names = ["prior", "posterior"]
    return {
        "color": alt.Color("of:N", title=None, scale=alt.Scale(domain=names, range=list(SYSTEMS[::-1]))),
        "strokeDash": alt.StrokeDash("of:N", title=None, scale=alt.Scale(domain=names, range=DASHES[1::-1])),
    }


def roomy() -> dict[str, Any]:
    """Return the settings of an axis whose ticks do not collide, however narrow it is."""
    alt = altair()
    return {"tickCount": alt.ExprRef("max(3, ceil(width / 80))"), "labelOverlap": True, "labelFlush": False}


def difference_axis(measures: Iterable[MeasureInfo], title: str = "", *, sides: int = 0) -> Any:
    """Return the axis of a difference: in points of rates, with room for the lines of `directions` below its ticks."""
    alt, found = altair(), set(measures)
    in_points = bool(found) and all(measure.in_points for measure in found)
    value = "100 * datum.value" if in_points else "datum.value"
    named = title or (f"difference in {short(found.pop().title)}" if len(found) == 1 else "difference")
    return alt.Axis(
        title=f"{named} (points)" if in_points else named,
        titlePadding=10 + LINE * sides if sides else 4,
        labelExpr=f"datum.value == 0 ? '0' : format({value}, '+.4~r')",
        **roomy(),
    )


def reach(ends: Interval, ropes: Iterable[Interval]) -> list[float]:
    """Return the domain of an axis of differences: what there is to see, the ROPE, and zero, with some room."""
    edges = [1.25 * edge for rope in ropes for edge in rope if math.isfinite(edge)]
    low, high = min(ends.low, 0.0, *edges), max(ends.high, 0.0, *edges)
    room = 0.02 * (high - low)
    return [low - room, high + room]


def rope_band(ropes: Iterable[Interval], domain: Sequence[float], x: Any, label: str) -> list[Any]:
    """Shade regions of practical equivalence and name them; an open end goes as far as the chart does."""
    alt = altair()
    values = [{"low": max(rope.low, domain[0]), "high": min(rope.high, domain[1]), "label": label} for rope in ropes]
    held = alt.Chart(alt.Data(values=values, name="rope"))
    band = held.mark_rect(opacity=0.22, color=REGION, clip=True).encode(x=x("low:Q"), x2="high:Q")
    if len(values) != 1:
        return [band]
    named = held.transform_calculate(middle="(datum.low + datum.high) / 2")
    text = named.mark_text(baseline="bottom").encode(x=x("middle:Q"), y=alt.value(-5), text="label:N")
    return [band, text]


def directions(measure: MeasureInfo | None, a: str, b: str, *, lines: int = 1) -> list[Any]:
    """Say below an axis of differences which system is better to either side, in one line or two."""
    alt = altair()
    if measure is not None and not measure.higher_is_better:
        a, b = b, a
    below = alt.value(alt.ExprRef("height + 22"))
    limit = alt.ExprRef("width / 2 - 4")
    # Too long for its half of the axis, a label with room for it goes on below the name.
    at = "lastindexof(datum.label, ' better')"
    is_long = f"{lines} > 1 && {LETTER} * length(datum.label) > width / 2 - 4"
    told = alt.ExprRef(f"{is_long} ? [slice(datum.label, 0, {at}), slice(datum.label, {at} + 1)] : datum.label")
    return [
        alt.Chart(alt.Data(values=[{"label": label}], name=name))
        .mark_text(align=align, baseline="top", fontWeight="bold", limit=limit, text=told)
        .encode(x=alt.value(where), y=below)
        for name, label, align, where in (
            ("left", f"← {b} better", "left", 0),
            ("right", f"{a} better →", "right", "width"),
        )
    ]


def zero_line(x: Any | None = None) -> Any:
    """Mark where there is no difference."""
    alt = altair()
    return alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(opacity=0.5).encode(x=x("zero:Q") if x else "zero:Q")


def numbers_on(base: Any, share: str) -> Any:
    """Write the field `label` into coloured cells, white on the dark ones."""
    alt = altair()
    colour = alt.condition(f"datum.{share} > 0.55", alt.value("white"), alt.value("black"))
    return base.mark_text().encode(text="label:N", color=colour)


def count_cells(lines: Iterable[tuple[str, Iterable[Any]]], columns: Iterable[str]) -> list[dict[str, Any]]:
    """Return counts as the cells of a table, each with its share of its line."""
    names = list(columns)
    return [
        {"x": said, "y": true, "share": float(n / max(sum(counts), 1)), "label": f"{int(n):,}"}
        for true, counts in ((true, list(line)) for true, line in lines)
        for said, n in zip(names, counts, strict=True)
    ]


def heatmap(data: list[dict[str, Any]], x: str, y: str, orders: tuple[list[str], list[str]]) -> Any:
    """Colour the cells of a table of counts by their share of the row; its columns are numbered."""
    alt = altair()
    base = alt.Chart(alt.Data(values=data)).encode(
        x=alt.X("x:N", title=x, sort=orders[0], axis=alt.Axis(labelAngle=0, labelLimit=160, labelExpr=UNNUMBERED)),
        y=alt.Y("y:N", title=y, sort=orders[1], axis=alt.Axis(labelLimit=160)),
    )
    cells = base.mark_rect().encode(color=alt.Color("share:Q", title="share of row", scale=alt.Scale(scheme="blues")))
    return alt.layer(cells, numbers_on(base, "share"))
