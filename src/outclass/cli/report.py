"""`outclass report` and `outclass plot`: a comparison as a page, or as a picture."""

import functools
import inspect
from collections.abc import Callable, Container
from pathlib import Path
from typing import Annotated, Any, Final, get_args

import typer

from outclass.ask.test import test
from outclass.atomic import write_whole
from outclass.cli import compare, rank
from outclass.cli.output import check_drawing, check_output, command_line, inputs_of
from outclass.cli.sources import asks_scores, data_of
from outclass.errors import FileError, InputError, quoted
from outclass.report.charts import SUFFIXES, chart_of, kinds_for, picture

KINDS: Final = kinds_for("Comparison", "Ranking", "TestReport")
# Options of `compare` that a page and a picture have no use for.
WITHOUT: Final = ("report", "format")
# Options that `test` calls by the same name, and that what it observes of the categories depends on.
OF_TESTS: Final = ("truth", "count", "id", "missing", "item", "label", "separator", "draws")
Kind = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help=f"{', '.join(KINDS[:-1])} or {KINDS[-1]}. Default: posterior, or forest for many comparisons.",
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
    if kind is not None and kind not in KINDS:
        raise InputError(
            f"there is no chart {quoted([kind])} of a comparison; kinds are {quoted(KINDS, most=len(KINDS))}. A plan "
            "draws its own (outclass plan ... -o plan.svg)."
        )
    check_output(path, inputs_of(given))
    check_drawing("a picture")
    write_whole(Path(path), picture(_answer(given, kind), kind, Path(path).suffix.lower()))
    typer.echo(path)


def _answer(given: dict[str, Any], kind: str | None) -> Any:
    """Ask the question whose answer a chart is of; an option that this question does not know is an error."""
    answers = () if kind is None else chart_of(kind).answers
    if kind is None or "Comparison" in answers:
        return compare.answer_of(given)
    if not given["files"] and not asks_scores(given):
        raise InputError(f"a {kind} chart needs the predictions themselves: name a file.")
    if "Ranking" in answers:
        _refuse_unused(given, kind, inspect.signature(rank.command).parameters)
        return rank.answer_of(given)
    _refuse_unused(given, kind, ("files", "engine", "master", "system", "seed", "output", *OF_TESTS))
    return test(
        data_of(given["files"], given["truth"], counted=False, engine=given["engine"], master=given["master"]),
        systems=given["system"],
        rng=given["seed"],
        **{name: given[name] for name in OF_TESTS},
    )


def _refuse_unused(given: dict[str, Any], kind: str, used: Container[str]) -> None:
    """Refuse options of `compare` that the question behind a chart does not know, unless they are at their default."""
    unused = [
        _spelt(each)
        for name, each in inspect.signature(compare.command).parameters.items()
        if name not in used and name not in WITHOUT and (given[name] or None) != (each.default or None)
    ]
    if unused:
        raise InputError(
            f"a {kind} chart does not use {', '.join(unused)}: leave {'it' if len(unused) == 1 else 'them'} out."
        )


def _spelt(parameter: inspect.Parameter) -> str:
    """Return an option as it is given on the command line."""
    option = get_args(parameter.annotation)[1]
    # Within `Annotated`, Typer takes the first name for a default until the command is built.
    return next(each for each in (option.default, *option.param_decls) if isinstance(each, str))


report_command = _like_compare(_report, WITHOUT)
plot_command = _like_compare(_plot, WITHOUT, kind=Kind)
