"""An answer as one page, with what other methods would have said beside it."""

import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.errors import InputError
from outclass.report import charts
from outclass.report.other_methods import other_methods
from outclass.report.page import Drawn, Extras, checks_missing, render
from outclass.rows.types import Contrast

LIBRARIES: Final = ("outclass", "numpy", "scipy", "duckdb")


def report(answer: Any, path: str | Path | None = None, *, command: str = "") -> str:
    """Write an answer as one self-contained page, and return it; `pip install "outclass[report]"`.

    The page asks nobody for anything. On it the region of practical equivalence and the interval's mass can be moved,
    and every verdict follows.
    """
    sheet = answer.sheet
    rows = [row for row in sheet.rows if isinstance(row, Contrast)]
    extras = Extras(
        command=command,
        versions=versions(),
        others=other_methods(rows[0]) if len(rows) == 1 else (),
        missing=checks_missing(rows),
        charts=_charts(answer, rows),
    )
    page = render(sheet, extras)
    if path is not None:
        write_whole(Path(path), page)
    return page


def versions(libraries: Sequence[str] = LIBRARIES) -> dict[str, str]:
    """Return what an answer was made with: Python, and those of the libraries that are installed."""
    found = {"Python": platform.python_version()}
    for name in libraries:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {"outclass": found.pop("outclass", ""), **found}


def _charts(answer: Any, rows: Sequence[Contrast]) -> list[Drawn]:
    """Draw what says something of this answer: the usual chart, and of a comparison those that go beside it."""
    if any(row.posterior is None for row in rows):
        return []  # read back from a file
    if len(rows) > 1:
        # The page puts the comparison that is chosen in the table in the place of the first.
        return [_drawn(answer, charts.usual_kind(answer)), _drawn(answer[0], "posterior")]
    found = []
    try:
        found.append(_drawn(answer, charts.usual_kind(answer)))
    except InputError:
        return []  # this answer has none
    for kind in charts.beside(answer):
        try:
            found.append(_drawn(answer, kind))
        except InputError:
            continue  # nor has it this one
    return found


def _drawn(answer: Any, kind: str) -> Drawn:
    return Drawn(kind=kind, heading=charts.chart_of(kind).title, chart=charts.plot(answer, kind))
