"""An answer as one page, with what other methods would have said beside it."""

import platform
from collections.abc import Sequence
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.dialects import spoken
from outclass.errors import InputError
from outclass.report import charts, words
from outclass.report.live import MOST_MOVED, first_chosen
from outclass.report.other_methods import other_methods
from outclass.report.page import Drawn, Extras, checks_missing, render
from outclass.rows.types import Contrast

LIBRARIES: Final = ("outclass", "numpy", "scipy", "duckdb")
MOST_CHARTED: Final = 100  # comparisons, or systems of a ranking, in the chart of a page that has more


def report(answer: Any, path: str | Path | None = None, *, command: str = "") -> str:
    """Write an answer as one self-contained page, and return it.

    The page needs no network. The reader can move the ROPE and the interval's mass, and every verdict follows; with
    more than 200 comparisons it lists all of them as they are, and draws the largest.
    """
    sheet = answer.page_sheet
    rows = [row for row in sheet.rows if isinstance(row, Contrast)]
    extras = Extras(
        command=command,
        versions=versions(),
        others=other_methods(rows[0]) if len(rows) == 1 else (),
        missing=checks_missing(rows),
        notes=[*_left_out(rows), *_of_slices(answer, rows), *_of_runs(rows)],
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


def _left_out(rows: Sequence[Contrast]) -> list[str]:
    """Say what a page of many comparisons cannot do."""
    if len(rows) <= MOST_MOVED:
        return []
    return [
        f"The chart shows the {MOST_CHARTED} largest of {len(rows):,} differences; the table has all of them. The ROPE "
        f"can be moved on pages of up to {MOST_MOVED} comparisons: "
        + spoken("name fewer systems (⟨systems⟩) or one label (⟨positive⟩).")
    ]


def _of_slices(answer: Any, rows: Sequence[Contrast]) -> list[str]:
    """Say what the slices of every column come to, with the ROPE that the page was made with."""
    families = getattr(answer, "families", ())
    return [*words.families(rows, families), *words.chances(families)]


def _of_runs(rows: Sequence[Contrast]) -> list[str]:
    """Say what runs and items do to one comparison."""
    told = [each for row in rows[:1] for each in (words.variation(row), words.new_run(row), words.remedy(row))]
    return [each for each in told if each] if len(rows) == 1 else []


def _charts(answer: Any, rows: Sequence[Contrast]) -> list[Drawn]:
    """Draw what says something of this answer: the usual chart, and of a comparison those that go beside it."""
    if any(row.law is None for row in rows):
        return []  # read back from a file
    if len(rows) > MOST_MOVED:
        largest = sorted(rows, key=lambda row: -abs(row.difference.mean))[:MOST_CHARTED]
        drawn = _drawn(type(answer)(tuple(largest)), charts.usual_kind(answer))
        return [replace(drawn, heading=f"The {MOST_CHARTED} largest of {len(rows):,} differences")]
    if len(rows) > 1:
        # The page puts the comparison that is chosen in the table in its place.
        chosen = type(answer)((rows[first_chosen(rows)],))
        return [_drawn(answer, charts.usual_kind(answer)), _drawn(chosen, "posterior")]
    shown, heading = _of_the_first(answer)
    try:
        kind = charts.usual_kind(answer)
        found = [_drawn(shown, kind)]
    except InputError:
        return []  # this answer has none
    found[0] = replace(found[0], heading=heading or found[0].heading)
    for beside in charts.beside(answer):
        try:
            found += [] if beside == kind else [_drawn(shown, beside)]
        except InputError:
            continue  # nor has it this one
    return found


def _of_the_first(answer: Any) -> tuple[Any, str]:
    """Return the first systems of a long ranking, whose table of ranks has a cell for every two, and what they are."""
    many = len(getattr(answer, "verdicts", ()))
    if many <= MOST_CHARTED:
        return answer, ""
    first = tuple(replace(each, ranks=each.ranks[:MOST_CHARTED]) for each in answer.systems[:MOST_CHARTED])
    verdicts = tuple(row[:MOST_CHARTED] for row in answer.verdicts[:MOST_CHARTED])
    return replace(answer, systems=first, verdicts=verdicts), f"The first {MOST_CHARTED} of {many:,} systems"


def _drawn(answer: Any, kind: str) -> Drawn:
    return Drawn(kind=kind, heading=charts.chart_of(kind).title, chart=charts.plot(answer, kind))
