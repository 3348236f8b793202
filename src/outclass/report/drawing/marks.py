"""Marks that several charts share: densities, the region of practical equivalence, the line at zero, tables of shares.

Data that the page moves have a name, by which it puts in others.
"""

import math
from collections.abc import Iterable
from typing import Any

from outclass.inference.distribution import Distribution, Interval
from outclass.report.curves import curve_of
from outclass.report.drawing.theme import REGION, SYSTEMS, UNNUMBERED, altair


def density_points(law: Distribution, **more: Any) -> list[dict[str, Any]]:
    """Return the density of a distribution as points of a curve, each with what else is to be said of it."""
    curve = curve_of(law)
    return [{"x": float(x), "density": float(y), **more} for x, y in zip(curve.x, curve.density, strict=True)]


def before_and_after() -> Any:
    """Return the colours of a prior and its posterior, by the field `of`."""
    alt = altair()
    return alt.Color("of:N", title=None, scale=alt.Scale(domain=["prior", "posterior"], range=list(SYSTEMS[::-1])))


def rope_band(ropes: Iterable[Interval], ends: Interval, title: str) -> Any:
    """Shade regions of practical equivalence; an open end goes as far as the chart does."""
    alt = altair()
    values = [
        {
            "low": min(ends.low, rope.high) if math.isinf(rope.low) else rope.low,
            "high": max(ends.high, rope.low) if math.isinf(rope.high) else rope.high,
        }
        for rope in ropes
    ]
    band = alt.Chart(alt.Data(values=values, name="rope")).mark_rect(opacity=0.18, color=REGION, clip=True)
    return band.encode(x=alt.X("low:Q", title=title), x2="high:Q")


def zero_line() -> Any:
    """Mark where there is no difference."""
    alt = altair()
    return alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(opacity=0.5).encode(x="zero:Q")


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
