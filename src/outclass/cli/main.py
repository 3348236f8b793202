"""The command `outclass`."""

from importlib import import_module
from typing import Any, Final, cast

import typer
from typer.core import TyperGroup

from outclass import __version__

_HELP: Final = {"help_option_names": ["-h", "--help"]}
# Each command is loaded when it is asked for: what the others need would take longer than a small comparison does.
COMMANDS: Final = {
    "compare": ("compare", "command"),
    "evaluate": ("evaluate", "command"),
    "plan": ("plan", "command"),
    "plot": ("report", "plot_command"),
    "rank": ("rank", "command"),
    "report": ("report", "report_command"),
    "reproduce": ("reproduce", "command"),
    "test": ("test", "command"),
    "update": ("update", "command"),
}


class _Commands(TyperGroup):
    """The commands, by name."""

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
        module, function = COMMANDS[cmd_name]
        alone = typer.Typer(add_completion=False, context_settings=dict(_HELP))
        alone.command(cmd_name)(getattr(import_module(f"outclass.cli.{module}"), function))
        return typer.main.get_command(alone)


app = typer.Typer(
    name="outclass",
    cls=_Commands,
    help="Is classifier A really better than classifier B: by how much, how sure, and does it matter?",
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
