"""The command `outclass`."""

from importlib import import_module
from typing import Any, Final, cast

import click
from click.shell_completion import get_completion_class

from outclass import __version__
from outclass.cli.help import SETTINGS, HelpedGroup

NAME: Final = "outclass"
COMPLETION: Final = "_OUTCLASS_COMPLETE"  # by which a shell asks what may follow
SHELLS: Final = ("bash", "zsh", "fish")
# Each is a module of its name.
COMMANDS: Final = (
    "bless",
    "compare",
    "demo",
    "evaluate",
    "gate",
    "logs",
    "label",
    "plan",
    "plot",
    "rank",
    "report",
    "reproduce",
    "slices",
    "test",
    "update",
)


class _Commands(HelpedGroup):
    """The commands, each loaded when it is asked for."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The names alone: they are what a misspelt one is compared with.
        self.commands = cast("Any", dict.fromkeys(COMMANDS))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return their names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load one of them."""
        if cmd_name not in COMMANDS:
            return None
        return import_module(f"outclass.cli.{cmd_name}").command


def _show_version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    del parameter
    if asked:
        click.echo(f"outclass {__version__}")
        ctx.exit()


def _show_completion(ctx: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    del parameter
    if shell is not None:
        made = get_completion_class(shell)
        assert made is not None
        click.echo(made(app, {}, NAME, COMPLETION).source())
        ctx.exit()


app = _Commands(
    name=NAME,
    help="Is system A really better than system B: by how much, how sure, and does it matter?",
    no_args_is_help=True,
    context_settings=dict(SETTINGS),
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            callback=_show_version,
            expose_value=False,
            is_eager=True,
            help="Show the version.",
        ),
        click.Option(
            ["--show-completion"],
            type=click.Choice(SHELLS),
            metavar="SHELL",
            callback=_show_completion,
            expose_value=False,
            is_eager=True,
            help="Print what makes bash, zsh or fish complete commands and options, to be evaluated by the shell.",
        ),
    ],
)
