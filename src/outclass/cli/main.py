"""The command `outclass`."""

import typer

from outclass import __version__
from outclass.cli import compare, evaluate, plan, rank, report, reproduce, test, update

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
app.command("plan")(plan.command)
app.command("plot")(report.plot_command)
app.command("rank")(rank.command)
app.command("report")(report.report_command)
app.command("reproduce")(reproduce.command)
app.command("test")(test.command)
app.command("update")(update.command)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"outclass {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: bool = typer.Option(False, "--version", callback=_show_version, is_eager=True, help="Show the version."),
) -> None:
    pass
