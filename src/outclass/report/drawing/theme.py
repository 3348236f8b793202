"""What all charts look alike in: size, colours, titles, and how much of a name there is room for."""

import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final

from outclass.report import text

WIDTH, HEIGHT = 560, 240
LINE: Final = 95  # characters of a title
MOST_NAMES: Final = 60  # characters of a name that a chart shows
# Colours that are distinguished in print, in the dark, and by people who do not see red and green.
COLOURS: Final = {
    "≫": "#2f7ebc",
    ">": "#b8860b",
    "≈": "#6b7a85",
    "≥": "#2f7ebc",
    "≤": "#c4532d",
    "?": "#b8860b",
    "<": "#b8860b",
    "≪": "#c4532d",
}
SYSTEMS: Final = ("#2f7ebc", "#c4532d")
# Beside its colour every entry of a legend has a dash or a shape of its own, for print in grey and for all eyes.
DASHES: Final = ([1, 0], [7, 4], [2, 3], [9, 3, 2, 3], [4, 2], [12, 4])
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
REGION: Final = "#8a8f94"
# Vega keeps categories as keys of JavaScript objects, where names such as "constructor" and "__proto__" mean something,
# and two long names may be cut to the same text. So charts number their categories; labels leave the number out.
UNNUMBERED: Final = "slice(datum.label, indexof(datum.label, ' ') + 1)"
_SWITCH: Final = RLock()  # Altair's switch is one for all threads


def altair() -> Any:
    """Load Altair, which only charts need."""
    import altair as alt

    return alt


@contextmanager
def unchecked() -> Iterator[None]:
    """Build charts without holding each of their parts against the schema, which takes longer than to build them.

    Tests hold every kind of chart against it as a whole.
    """
    from altair.utils.schemapi import debug_mode

    with _SWITCH, debug_mode(False):
        yield


def short(name: object, most: int = MOST_NAMES) -> str:
    """Write a name so that a chart has room for it; names that begin alike may end unlike."""
    told = text.plain(name)
    half = most // 2
    return told if len(told) <= most else f"{told[: half - 1]}…{told[-half:]}"


def numbered(names: Iterable[str]) -> list[str]:
    """Return names as categories of a chart, each with its number; `UNNUMBERED` takes it off again."""
    return [f"{place} {name}" for place, name in enumerate(names)]


def named_colours(categories: list[str], colours: tuple[str, ...] | None = None) -> Any:
    """Colour the field `system` by numbered categories, in their order."""
    alt = altair()
    scale = alt.Scale(domain=categories, range=list(colours)) if colours else alt.Scale(domain=categories)
    return alt.Color("system:N", title=None, scale=scale, legend=alt.Legend(labelExpr=UNNUMBERED))


def dashed(field: str, categories: list[str]) -> Any:
    """Give each category of a field its own dash, in the legend of its colour."""
    alt = altair()
    scale = alt.Scale(domain=categories, range=[list(DASHES[at % len(DASHES)]) for at in range(len(categories))])
    return alt.StrokeDash(field, title=None, scale=scale, legend=alt.Legend(labelExpr=UNNUMBERED))


def shaped(field: str, categories: list[str]) -> Any:
    """Give each category of a field its own shape, in the legend of its colour."""
    alt = altair()
    scale = alt.Scale(domain=categories, range=[SHAPES[at % len(SHAPES)] for at in range(len(categories))])
    return alt.Shape(field, title=None, scale=scale, legend=alt.Legend(labelExpr=UNNUMBERED))


def titled(chart: Any, title: str, *subtitle: str, offset: int = 8, height: float = HEIGHT) -> Any:
    """Give a chart its title, what is to be said below it, and its size; the chart itself, which a copy would slow."""
    alt = altair()
    told = [part for line in subtitle for part in textwrap.wrap(text.plain(line), LINE)]
    title = "\n".join(textwrap.wrap(text.plain(title), LINE - 10))
    chart.title = alt.TitleParams(title.split("\n"), subtitle=told, anchor="start", offset=offset)
    chart.width, chart.height = WIDTH, height
    return chart


def undescribed(chart: Any) -> Any:
    r"""Leave out the descriptions that Vega-Lite adds to every mark.

    It writes titles into their expressions without escaping backslashes: a system called `C:\users` would leave the
    chart blank. A page describes each chart as a whole.
    """
    alt = altair()
    parts = [
        *getattr(chart, "layer", ()),
        *getattr(chart, "hconcat", ()),
        *filter(None, [getattr(chart, "spec", None)]),
    ]
    for part in parts:
        undescribed(part)
    if isinstance(mark := getattr(chart, "mark", None), str):
        chart.mark = alt.MarkDef(type=mark, aria=False)
    elif mark is not None:
        mark.aria = False
        for overlay in ("line", "point"):
            if mark[overlay] is True:
                mark[overlay] = alt.OverlayMarkDef(aria=False)
    return chart
