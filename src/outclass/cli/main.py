"""The command `outclass`."""

from importlib import import_module
from typing import Any, Final, cast

import typer
from typer.core import TyperCommand, TyperGroup

from outclass import __version__

_HELP: Final = {"help_option_names": ["-h", "--help"]}
_LISTING: Final = "outclass.listing"
# Each command is loaded when it is asked for: what the others need would take longer than a small comparison does.
# Its first line is here too, as the command says it itself, so that the list of all is shown without loading any.
COMMANDS: Final = {
    "compare": ("compare", "command", "Compare systems: which is better, by how much, how sure, and does it matter?"),
    "evaluate": ("evaluate", "command", "Judge each system by itself: the posterior of its measure."),
    "plan": (
        "plan",
        "command",
        "Plan a test: how likely is a decision at each number of items, and how many are needed?",
    ),
    "plot": (
        "report",
        "plot_command",
        "Compare systems, and write a picture: PNG, SVG, PDF or HTML, as the file is named; or .json for Vega-Lite.",
    ),
    "rank": ("rank", "command", "Rank systems: which is best, how sure is that, and which cannot be told apart?"),
    "report": (
        "report",
        "report_command",
        "Compare systems, and write one page that a colleague can open, understand and play with.",
    ),
    "reproduce": (
        "reproduce",
        "command",
        "Reproduce a paper: train its classifiers, make its tables and figures, and say where ours differ.",
    ),
    "test": (
        "test",
        "command",
        "Test systems the frequentist way: p-values, with what they assume and where they do not hold.",
    ),
    "update": ("update", "command", "Add evidence to a saved state, and answer from all of it."),
}


class _Commands(TyperGroup):
    """The commands, by name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The names alone: they are what a misspelt one is compared with.
        self.commands = cast("Any", dict.fromkeys(COMMANDS))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, of the commands their first lines."""
        ctx.meta[_LISTING] = True
        super().format_help(ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return their names."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load one of them."""
        if cmd_name not in COMMANDS:
            return None
        if ctx is not None and _LISTING in ctx.meta:
            return TyperCommand(cmd_name, help=COMMANDS[cmd_name][2])
        module, function, _ = COMMANDS[cmd_name]
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
