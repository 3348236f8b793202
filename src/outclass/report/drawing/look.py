"""How large a chart is, in which letters, and under which title: as a paper wants it, rather than as a page does."""

import math
import textwrap
from dataclasses import dataclass
from typing import Any, Final

from outclass.errors import InputError, quoted, shown
from outclass.report import text
from outclass.report.drawing.theme import LINE, WIDTH, altair

POINTS: Final = 72  # of an inch: Vega's unit becomes a point of a PDF file
DPI: Final = 300  # what journals ask for
SMALLEST, LARGEST = 0.5, 40.0  # inches
LETTERS: Final = (3.0, 72.0)  # points
FINEST: Final = (36, 1200)  # dots per inch
USUAL_LETTERS: Final = 11.0
MARGIN, ABOVE = 40.0, 60.0  # what axes and titles take of a chart that is one of several


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What is asked of a chart's looks; None leaves it as it is.

    Parameters
    ----------
    size
        Width and height of all of it, in inches.
    font_size
        In points.
    title
        In the place of chart's own title and what stands below it; empty for none.
    """

    size: tuple[float, float] | None = None
    font_size: float | None = None
    title: str | None = None

    @classmethod
    def of(cls, size: Any = None, font_size: Any = None, title: str | None = None) -> "Look":
        """Check what a user asks: a size is (6, 4) or '6,4'."""
        if font_size is not None:
            font_size = _number(font_size, "font_size", "points", LETTERS)
        return cls(size=None if size is None else _size(size), font_size=font_size, title=title)


def dpi_of(dpi: Any, suffix: str) -> float:
    """Check how fine a picture is to be; 300 dots per inch by default."""
    if dpi is None:
        return DPI
    if suffix != ".png":
        raise InputError(f"⟨dpi⟩ is for PNG files only, not for {quoted([suffix])}: leave it out.")
    return _number(dpi, "dpi", "dots per inch", FINEST)


def _size(size: Any) -> tuple[float, float]:
    parts = size.replace("x", ",").split(",") if isinstance(size, str) else size
    try:
        width, height = parts
    except (TypeError, ValueError):
        raise InputError(f"size must be a width and a height in inches, as in 6,4; got {shown(size)}.") from None
    found = [_number(each, "size", "inches", (SMALLEST, LARGEST)) for each in (width, height)]
    return found[0], found[1]


def _number(value: Any, name: str, unit: str, ends: tuple[float, float]) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not ends[0] <= number <= ends[1]:
        raise InputError(f"{name} must lie between {ends[0]:g} and {ends[1]:g} {unit}, got {shown(value)}.")
    return number


def dressed(chart: Any, look: Look) -> Any:
    """Return a chart with the looks that are asked for."""
    if look == Look():
        return chart
    letters = USUAL_LETTERS if look.font_size is None else look.font_size
    _retitle(chart, look, letters)
    if look.size is not None:
        chart = _resized(chart, *(POINTS * each for each in look.size))
    if look.font_size is not None:
        sizes = {"labelFontSize": letters, "titleFontSize": letters}
        chart = chart.configure_axis(**sizes).configure_legend(**sizes).configure_header(**sizes)
        chart = chart.configure_text(fontSize=letters)
        chart = chart.configure_title(fontSize=1.2 * letters, subtitleFontSize=letters)
    return chart


def _retitle(chart: Any, look: Look, letters: float) -> None:
    """Put in another title, or break the lines of the one there is for another width."""
    alt = altair()
    if look.title == "":
        chart.title = alt.Undefined
        return
    width = WIDTH if look.size is None else POINTS * look.size[0]
    line = max(12, int(LINE * width / WIDTH * USUAL_LETTERS / letters))
    if look.title is not None:
        chart.title = alt.TitleParams(textwrap.wrap(text.plain(look.title), int(0.85 * line)), anchor="start")
        return
    own = chart.title
    if isinstance(own, alt.TitleParams):
        own.text = _rewrapped(own.text, int(0.85 * line))
        if isinstance(own.subtitle, list):
            own.subtitle = [part for told in own.subtitle for part in textwrap.wrap(told, line)]


def _rewrapped(told: Any, line: int) -> list[str]:
    return textwrap.wrap(told if isinstance(told, str) else " ".join(told), line)


def _resized(chart: Any, width: float, height: float) -> Any:
    """Give a chart its size, axes and titles included; of several beside each other, each its share."""
    alt = altair()
    beside = getattr(chart, "hconcat", None)
    if beside:
        for part in beside:
            part.width, part.height = max(width / len(beside) - MARGIN, MARGIN), max(height - ABOVE, MARGIN)
        return chart
    if (own := getattr(chart, "spec", None)) is not None:
        own.width, own.height = max(width / 2 - MARGIN, MARGIN), max(height / 2 - ABOVE, MARGIN)
        return chart
    fit = alt.AutoSizeParams(type="fit", contains="padding")
    return chart.properties(width=width, height=height, autosize=fit)
