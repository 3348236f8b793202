"""The command `outclass`."""

from importlib import import_module
from typing import Any, Final, cast

import typer

from outclass import __version__
from outclass.cli.help import Helped, HelpedGroup

_HELP: Final = {"help_option_names": ["-h", "--help"]}
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
        alone = typer.Typer(add_completion=False, context_settings=dict(_HELP))
        command = import_module(f"outclass.cli.{cmd_name}").command
        alone.command(cmd_name, cls=Helped)(command)
        found: Any = typer.main.get_command(alone)
        found.common = command.common
        return found


app = typer.Typer(
    name="outclass",
    cls=_Commands,
    help="Is system A really better than system B: by how much, how sure, and does it matter?",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings=dict(_HELP),
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"outclass {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass
