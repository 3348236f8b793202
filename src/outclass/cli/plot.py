"""`outclass plot`: a comparison as a picture."""

from pathlib import Path
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.cli.command import command_of
from outclass.cli.compare import compared
from outclass.cli.option import Given
from outclass.cli.options import (
    CATEGORIES,
    CHART,
    COMPARED,
    LABELS,
    OF_PLANS,
    OUTPUT,
    RANKED,
    SLICED,
    TESTED,
    unused,
    without,
)
from outclass.cli.output import check_output, check_picture, inputs_of, print_text
from outclass.cli.rank import ranked
from outclass.cli.slices import searched
from outclass.cli.test import tested
from outclass.errors import FileError, InputError, quoted

# How the picture looks: options, and what the library calls them. Scores have a `title`, too, which is what they are.
LOOK: Final = {"size": "size", "font_size": "font_size", "chart_title": "title", "dpi": "dpi"}
# Charts of another answer than a comparison: which options it takes, and how it is asked for.
OF_OTHERS: Any = {
    **dict.fromkeys(("ranking", "scores"), (RANKED, ranked)),
    "frequency": ((*LABELS, *CATEGORIES), tested),
    "effects": (TESTED, tested),
    "losses": (SLICED, searched),
}


def _plot(given: Given) -> None:
    """Compare systems and write a chart: PNG, SVG, PDF, HTML or Vega-Lite (.json), by file extension.

    Example: outclass plot predictions.csv --truth gold --kind posterior --size 3.3,2.5 --font-size 8 -o posterior.pdf
    """
    from outclass.report.charts import CHARTS, SUFFIXES, picture
    from outclass.report.drawing.look import Look, dpi_of

    path, kind = given.pop("output", ""), given.pop("kind", None)
    look = {argument: given.pop(name) for name, argument in LOOK.items() if name in given}
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(f"name the picture's file (-o), ending in {quoted(SUFFIXES)}.")
    kinds = [each for each in CHARTS if each not in OF_PLANS]
    if kind is not None and kind not in kinds:
        raise InputError(
            f"there is no chart {quoted([kind])} of a comparison; kinds are {quoted(kinds, most=12)}. A plan draws "
            "its own (outclass plan ... -o plan.svg)."
        )
    check_output(path, inputs_of(given))
    check_picture(suffix)
    dpi_of(look.get("dpi"), suffix)  # before any work is done
    Look.of(**{name: value for name, value in look.items() if name != "dpi"})
    options, answer = OF_OTHERS.get(kind, (COMPARED, compared))
    unused(given, options, f"a {kind} chart")
    if kind in OF_OTHERS and "files" not in given:
        raise InputError(f"a {kind} chart needs the predictions themselves: name a file.")
    write_whole(Path(path), picture(answer(given), kind, suffix, **look))
    print_text(f"{path}\n")


command = command_of(_plot, (*COMPARED, *without(OUTPUT, "format", "report", "verbose"), *CHART))
