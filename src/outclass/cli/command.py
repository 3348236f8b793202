"""Commands made of groups of options: Typer reads them off a signature, which is built here."""

import functools
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from outclass.cli.help import show_all
from outclass.cli.option import Given, Option
from outclass.cli.options import HELP_ALL, OUTPUT
from outclass.cli.output import (
    INPUTS,
    check_format,
    check_names,
    check_output,
    check_picture,
    check_report,
    check_verbose,
    deliver,
    inputs_of,
    listed,
)
from outclass.cli.wording import in_options
from outclass.dialects import speaking
from outclass.errors import OutclassError
from outclass.locations import located

if TYPE_CHECKING:
    from outclass.answers.answer import Answer  # which loads what no help needs

# Options that name files, folders and tables in databases.
PLACES: Final = frozenset((*INPUTS, "output", "report", "resume", "data"))


def typer_command(command: Callable[[Given], None], options: Iterable[Option]) -> Callable[..., None]:
    """Build a command that hands on what the user gave and nothing else; of two options of one name the last counts."""
    taken = {option.name: option for option in (*options, HELP_ALL)}
    parameters = [_parameter(option) for option in taken.values()]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        said = {
            name: value for name, value in given.items() if value is not None and value is not False and value != []
        }
        asked = dict(said)  # which a command may use up
        try:
            with speaking(functools.partial(in_options, given={})):
                check_names(listed(said, PLACES))
                command({name: located(value) if name in PLACES else value for name, value in said.items()})
        except OutclassError as error:
            error.wording = functools.partial(in_options, given=asked)
            raise

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.common = frozenset(name for name, option in taken.items() if option.common)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def question(answer: "Callable[[Given], Answer | None]", options: Iterable[Option]) -> Callable[..., None]:
    """Build a command that prints an answer, or writes it."""

    @functools.wraps(answer)
    def own(given: Given) -> None:
        answered(answer, given)

    return typer_command(own, (*options, *OUTPUT))


def answered(answer: Callable[[Given], Any], given: Given) -> None:
    """Answer what was given, once it is known that the answer can be written; there may be none yet."""
    reads = inputs_of(given)
    how, output, report, verbose = (given.pop(option.name, None) for option in OUTPUT)
    check_format(how, output)
    check_output(output, reads)
    if how is None and output is not None:
        check_picture(Path(output).suffix.lower())
    check_report(report, output, reads)
    check_verbose(verbose, how, output)
    found = answer(given)
    if found is not None:
        deliver(found, how, output, report, verbose=bool(verbose))


def _parameter(option: Option) -> inspect.Parameter:
    made: Any = typer.Argument if option.positional else typer.Option
    first = {"callback": show_all, "is_eager": True} if option is HELP_ALL else {}
    how = made(
        *([] if option.positional else option.flags or (option.flag,)),
        metavar=option.metavar,
        help=option.help,
        rich_help_panel=option.panel,
        **first,
    )
    default: Any = inspect.Parameter.empty if option.required else False if option.kind is bool else None
    kind = option.kind | None if default is None else option.kind
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, how]
    )
