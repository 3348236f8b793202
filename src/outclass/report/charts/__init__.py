"""Takes an answer, gives a picture of it: one file for each kind of chart, which is found by its name.

A file here declares `CHART`: its title, the answers it is for, and how it is drawn (`drawing.chart.Chart`). Listing the
kinds imports none of them. A chart's data are few numbers, read off the laws by `curves`; what it says stands in its
title and subtitle, which come from `words` like every other sentence.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from outclass.errors import InputError, unknown
from outclass.report.drawing.chart import QUESTIONS, Answer, Chart
from outclass.report.drawing.files import SUFFIXES, file_of
from outclass.report.drawing.look import Look, dpi_of, dressed
from outclass.report.drawing.theme import COLOURS, unchecked, undescribed

__all__ = ["CHARTS", "COLOURS", "SUFFIXES", "beside", "chart_of", "kinds_for", "picture", "plot", "usual_kind"]
CHARTS: Final = tuple(sorted(module.name for module in iter_modules(__path__)))


def chart_of(kind: str) -> Chart:
    """Return a kind of chart by its name."""
    if kind not in CHARTS:
        raise unknown("chart", str(kind), CHARTS)
    found: Chart = import_module(f"{__name__}.{kind}").CHART
    return found


def kinds_for(*answers: Answer) -> list[str]:
    """Return the kinds that are for any of some classes of answers."""
    return [kind for kind in CHARTS if set(answers) & set(chart_of(kind).answers)]


def usual_kind(answer: Any) -> str:
    """Return the chart that says most of an answer."""
    for kind in CHARTS:
        if chart_of(kind).is_for(answer) and chart_of(kind).is_default(answer):
            return kind
    raise InputError(f"there is no chart of {type(answer).__name__.lower()}s yet.")


def beside(answer: Any) -> list[str]:
    """Return the kinds that a page shows after the usual one, in their order."""
    places = {kind: chart_of(kind).page_place for kind in CHARTS if chart_of(kind).is_for(answer)}
    return [kind for place, kind in sorted((place, kind) for kind, place in places.items() if place is not None)]


def plot(
    answer: Any,
    kind: str | None = None,
    *,
    size: Any = None,
    font_size: float | None = None,
    title: str | None = None,
) -> Any:
    """Return an Altair chart of an answer, to show in a notebook or `.save()` as PNG, SVG, PDF or HTML.

    Parameters
    ----------
    answer
        An answer of `compare`, `rank` or another question.
    kind
        `outclass.report.charts.CHARTS` lists the kinds. Default: the posterior of one comparison, the forest of many,
        the scores of a ranking or evaluation, the power of a plan, and the effects of tests.
    size
        Width and height in inches, axes and titles included, as in (3.3, 2.5).
    font_size
        In points.
    title
        Title, instead of the chart's own title and subtitle; empty for none.
    """
    look = Look.of(size, font_size, title)
    chosen = usual_kind(answer) if kind is None else kind
    chart = chart_of(chosen)
    if not chart.is_for(answer):
        asked = " or ".join(f"`{QUESTIONS[each]}`" for each in chart.answers)
        raise InputError(f"a {chosen} chart needs the answer of {asked}, not a {type(answer).__name__}.")
    with unchecked():
        return dressed(undescribed(chart.draw(answer)), look)


def picture(answer: Any, kind: str | None, suffix: str, *, dpi: float | None = None, **look: Any) -> bytes:
    """Return a chart of an answer as the bytes of a file; `look` is what `plot` takes."""
    dots = dpi_of(dpi, suffix)
    return file_of(plot(answer, kind, **look), suffix, dots)
