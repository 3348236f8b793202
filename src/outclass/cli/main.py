"""The command `outclass`."""

import sys

import typer

from outclass import __version__
from outclass.cli import compare, evaluate
from outclass.errors import OutclassError
from outclass.report.text import plain

app = typer.Typer(
    name="outclass",
    help="Is classifier A really better than classifier B: by how much, how sure, and does it matter?",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("compare")(compare.command)
app.command("evaluate")(evaluate.command)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"outclass {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def run() -> None:
    """Run the command; a mistake in the input is one sentence and exit status 2, never a traceback."""
    try:
        app()
    except OutclassError as error:
        # Lines are kept, control characters in names are not.
        told = "\n".join(plain(line) for line in str(error).splitlines())
        sys.stderr.write(f"outclass: {told}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("outclass: interrupted; nothing was written.\n")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe went away, as `head` does: not a fault.
        sys.stderr.close()
        sys.exit(0)
