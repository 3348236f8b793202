"""`outclass report` and `outclass plot`: a comparison as a page, or as a picture."""

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from outclass.ask.rank import rank
from outclass.ask.test import test
from outclass.atomic import write_whole
from outclass.cli import compare
from outclass.cli.output import check_drawing, check_output, command_line, inputs_of
from outclass.cli.sources import data_of
from outclass.errors import FileError, InputError, quoted
from outclass.report.charts import CHARTS, SUFFIXES, picture

_KINDS = [kind for kind in CHARTS if kind not in ("power", "rule")]
Kind = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="posterior, forest, systems, factor, prior, confusion, joint, trace, ranks, ranking or frequency. "
        "Default: posterior, or forest for many comparisons.",
        rich_help_panel="Output",
    ),
]


def _like_compare(own: Callable[..., None], without: tuple[str, ...], **more: Any) -> Callable[..., None]:
    """Return a command with the options of `compare`, some left out, some added."""
    parameters = [each for name, each in inspect.signature(compare.command).parameters.items() if name not in without]
    parameters += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
        for name, hint in more.items()
    ]

    @functools.wraps(own)
    def command(**given: Any) -> None:
        own(dict.fromkeys(without) | given)

    # The options are read off the signature.
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _report(given: dict[str, Any]) -> None:
    """Compare systems, and write one page that a colleague can open, understand and play with.

    The page asks nobody for anything. On it the region of practical equivalence is moved, and every verdict follows.

    Example: outclass report predictions.csv --truth gold -o report.html
    """
    path = given["output"] or "report.html"
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise FileError(f"a report is a page; name a file that ends in .html, not {quoted([path])}.")
    check_output(path, inputs_of(given))
    check_drawing("a report")
    compare.answer_of(given).to_html(path, command=command_line())
    typer.echo(path)


def _plot(given: dict[str, Any]) -> None:
    """Compare systems, and write a picture: PNG, SVG, PDF or HTML, as the file is named; or .json for Vega-Lite.

    Example: outclass plot predictions.csv --truth gold --kind posterior -o posterior.svg
    """
    path, kind = given["output"], given["kind"]
    if path is None or Path(path).suffix.lower() not in SUFFIXES:
        raise FileError(f"name the picture's file (-o), ending in {quoted(SUFFIXES)}.")
    if kind is not None and (kind not in CHARTS or kind in ("power", "rule")):
        raise InputError(
            f"there is no chart {quoted([kind])} of a comparison; kinds are {quoted(_KINDS, most=12)}. A plan draws "
            "its own (outclass plan ... -o plan.svg)."
        )
    check_output(path, inputs_of(given))
    check_drawing("a picture")
    write_whole(Path(path), picture(_answer(given, kind), kind, Path(path).suffix.lower()))
    typer.echo(path)


def _answer(given: dict[str, Any], kind: str | None) -> Any:
    columns = {name: given[name] for name in ("truth", "count", "id", "missing", "item", "label", "separator")}
    if kind in ("ranking", "frequency") and not given["files"]:
        raise InputError(f"a {kind} chart needs the predictions themselves: name a file.")
    if kind in ("ranking", "frequency"):
        read = data_of(given["files"], given["truth"], counted=False, engine=given["engine"], master=given["master"])
    if kind == "ranking":
        measure = given["measure"]
        return rank(
            read,
            systems=given["system"],
            measure=measure[0] if measure else None,
            positive=given["positive"],
            rope=given["rope"],
            hdi_mass=given["hdi_mass"],
            model=given["model"],
            prior=given["prior"],
            draws=given["draws"],
            rng=given["seed"],
            **columns,
        )
    if kind == "frequency":
        if given["model"] is not None or given["prior"] is not None:
            raise InputError("a frequency chart is of F1 as observed: leave out --model and --prior.")
        columns["missing"] = None if columns["missing"] == "error" else columns["missing"]
        return test(read, systems=given["system"], rng=given["seed"], **columns)
    return compare.answer_of(given)


report_command = _like_compare(_report, ("report", "format"))
plot_command = _like_compare(_plot, ("report", "format"), kind=Kind)
