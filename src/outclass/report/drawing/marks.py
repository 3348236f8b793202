"""Marks that several charts share: densities, the region of practical equivalence, the line at zero, tables of shares.

Data that the page moves have a name, by which it puts in others.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from outclass.inference.distribution import Distribution, Interval
from outclass.report.curves import curve_of
from outclass.report.drawing.theme import DASHES, REGION, SYSTEMS, UNNUMBERED, altair, short
from outclass.rows.types import MeasureInfo

LETTER: Final = 7.5  # pixels of a letter in bold, on average
LABELLED: Final = 230  # pixels that the labels of rows take, and what is written behind them


def density_points(law: Distribution, **more: Any) -> list[dict[str, Any]]:
    """Return the density of a distribution as points of a curve, each with what else is to be said of it."""
    curve = curve_of(law)
    return [{"x": float(x), "density": float(y), **more} for x, y in zip(curve.x, curve.density, strict=True)]


def before_and_after() -> dict[str, Any]:
    """Return the encodings that tell a prior from its posterior, by the field `of`: colour and dash."""
    alt = altair()
    names = ["prior", "posterior"]
    # A line in the legend also where there are points: its dash tells them apart in grey.
    shown: dict[str, Any] = {"title": None, "legend": alt.Legend(symbolType="stroke")}
    return {
        "color": alt.Color("of:N", scale=alt.Scale(domain=names, range=list(SYSTEMS[::-1])), **shown),
        "strokeDash": alt.StrokeDash("of:N", scale=alt.Scale(domain=names, range=DASHES[1::-1]), **shown),
    }


def roomy() -> dict[str, Any]:
    """Return the settings of an axis whose ticks do not collide, however narrow it is."""
    alt = altair()
    return {"tickCount": alt.ExprRef("max(3, ceil(width / 80))"), "labelOverlap": True, "labelFlush": False}


class Sides(NamedTuple):
    """The systems to either side of an axis of differences, and how many pixels beside the axis are not its own."""

    a: str
    b: str
    taken: int = 20

    @property
    def are_close(self) -> str:
        """The expression that says whether they have no room beside each other on a page; elsewhere charts are wide."""
        letters = sum(map(len, (self.a, self.b, "←  better", " better →")))
        return f"containerSize()[0] - {self.taken} < {LETTER * letters + 12:g}"


def difference_axis(measures: Iterable[MeasureInfo], title: str = "", *, sides: Sides | None = None) -> Any:
    """Return the axis of a difference: in points of rates, with room for `directions` below its ticks."""
    alt, found = altair(), set(measures)
    in_points = bool(found) and all(measure.in_points for measure in found)
    value = "100 * datum.value" if in_points else "datum.value"
    named = title or (f"difference in {short(found.pop().title)}" if len(found) == 1 else "difference")
    return alt.Axis(
        title=f"{named} (points)" if in_points else named,
        titlePadding=alt.ExprRef(f"{sides.are_close} ? 40 : 24") if sides else 4,
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
    band = held.mark_rect(opacity=0.22, color=REGION, clip=True).encode(x=x("low:Q"), x2=alt.X2("high:Q"))
    if len(values) != 1:
        return [band]
    named = held.transform_calculate(middle="(datum.low + datum.high) / 2")
    text = named.mark_text(baseline="bottom").encode(x=x("middle:Q"), y=alt.YValue(-5), text=alt.Text("label:N"))
    return [band, text]


def directions(measure: MeasureInfo | None, sides: Sides) -> list[Any]:
    """Say below an axis of differences which system is better to either side."""
    alt = altair()
    a, b, _ = sides
    if measure is not None and not measure.higher_is_better:
        a, b = b, a
    narrow = sides.are_close
    # One below the other they may be longer than the axis: there is nothing to either side of them.
    limit = alt.ExprRef(f"{narrow} ? width + {sides.taken} / 2 : width / 2 - 4")
    return [
        alt.Chart(alt.Data(values=[{"label": label}], name=name))
        .mark_text(align=align, baseline="top", fontWeight="bold", limit=limit)
        .encode(x=alt.XValue(where), y=alt.YValue(alt.ExprRef(f"height + {below}")), text=alt.Text("label:N"))
        for name, label, align, where, below in (
            ("left", f"← {b} better", "left", 0, 22),
            ("right", f"{a} better →", "right", "width", f"({narrow} ? 38 : 22)"),
        )
    ]


def zero_line(x: Any | None = None) -> Any:
    """Mark where there is no difference."""
    alt = altair()
    return alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(opacity=0.5).encode(x=(x or alt.X)("zero:Q"))


def numbers_on(base: Any, share: str) -> Any:
    """Write the field `label` into coloured cells, white on the dark ones."""
    colour = white_where(f"datum.{share} > 0.55")
    return base.mark_text().encode(text=altair().Text("label:N"), color=colour)


def white_where(test: str) -> Any:
    """Write in white where an expression is true, in black elsewhere."""
    return altair().ColorValue("black", condition={"test": test, "value": "white"})


def tips(*fields: str) -> list[Any]:
    """Tell fields where the pointer is."""
    alt = altair()
    return [alt.Tooltip(field) for field in fields]


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
