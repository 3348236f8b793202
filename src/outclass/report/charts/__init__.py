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
from outclass.report.drawing.theme import COLOURS, undescribed

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


def plot(answer: Any, kind: str | None = None) -> Any:
    """Return a chart of an answer, as Altair has it: show it in a notebook, or `.save()` it as PNG, SVG, PDF or HTML.

    `outclass.report.charts.CHARTS` lists the kinds. Without one, the chart that says most: of one comparison its
    posterior, of many their forest, of a ranking or evaluation the scores, of a plan its power, of tests their effects.
    """
    chosen = usual_kind(answer) if kind is None else kind
    chart = chart_of(chosen)
    if not chart.is_for(answer):
        asked = " or ".join(f"`{QUESTIONS[each]}`" for each in chart.answers)
        raise InputError(f"a {chosen} chart is of what {asked} answers, not of a {type(answer).__name__}.")
    return undescribed(chart.draw(answer))


def picture(answer: Any, kind: str | None, suffix: str) -> bytes:
    """Return a chart of an answer as the bytes of a file."""
    return file_of(plot(answer, kind), suffix)
