"""Commands made of groups of options: click gets its parameters from the lines of the table."""

import functools
import inspect
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from outclass.cli.help import Helped, show_all
from outclass.cli.option import MANY, Given, Option
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


class _Option(click.Option):
    """An option, with the panel of the help it stands in."""

    def __init__(self, line: Option, **more: Any) -> None:
        typed = [line.name, *(line.flags or (line.flag,))]
        if line.kind is bool:
            kind: dict[str, Any] = {"is_flag": True, "default": None}
        else:
            kind = {"type": str, "multiple": True} if line.kind == MANY else {"type": line.kind}
        super().__init__(typed, required=line.required, metavar=line.metavar, help=line.help, **kind, **more)
        self.panel = line.panel


class _Argument(click.Argument):
    """What is given by its place; click has no help for it, and we have."""

    def __init__(self, line: Option) -> None:
        many = line.kind == MANY
        super().__init__([line.name], type=str, nargs=-1 if many else 1, required=line.required, metavar=line.metavar)
        self.help, self.panel = line.help, line.panel


def command_of(function: Callable[[Given], None], options: Iterable[Option]) -> Helped:
    """Build a command that hands on what the user gave and nothing else; of two options of one name the last counts."""
    taken = {option.name: option for option in (*options, HELP_ALL)}

    def run(**typed: Any) -> None:
        given = {name: list(value) if isinstance(value, tuple) else value for name, value in typed.items()}
        said = {
            name: value for name, value in given.items() if value is not None and value is not False and value != []
        }
        asked = dict(said)  # which a command may use up
        try:
            with speaking(functools.partial(in_options, given={})):
                check_names(listed(said, PLACES))
                function({name: located(value) if name in PLACES else value for name, value in said.items()})
        except OutclassError as error:
            error.wording = functools.partial(in_options, given=asked)
            raise

    return Helped(
        name=function.__module__.rpartition(".")[2],
        callback=run,
        params=[_parameter(option) for option in taken.values()],
        help=inspect.cleandoc(function.__doc__ or ""),
        common=frozenset(name for name, option in taken.items() if option.common),
    )


def question(answer: "Callable[[Given], Answer | None]", options: Iterable[Option]) -> Helped:
    """Build a command that prints an answer, or writes it."""

    @functools.wraps(answer)
    def own(given: Given) -> None:
        answered(answer, given)

    return command_of(own, (*options, *OUTPUT))


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


def _parameter(option: Option) -> click.Parameter:
    if option.positional:
        return _Argument(option)
    return _Option(option, callback=show_all, is_eager=True) if option is HELP_ALL else _Option(option)
