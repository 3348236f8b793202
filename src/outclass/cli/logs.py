"""`outclass logs`: what is in evaluation logs, and can it be compared?"""

from pathlib import Path

from outclass.cli.command import command_of
from outclass.cli.option import Given
from outclass.cli.options import LISTED
from outclass.cli.output import check_output, print_text
from outclass.errors import InputError, quoted, unknown

FORMATS = ("table", "json")
ENDINGS = (".csv", ".parquet", ".json")


def _listed(given: Given) -> None:
    """Show what evaluation logs hold: systems, tasks, items, epochs, metrics; and what does not fit together.

    With --output, all samples of all runs as one long table.

    Example: outclass logs runs/ -o items.parquet
    """
    how, output = given.pop("format", None), given.pop("output", None)
    if how is not None and how not in FORMATS:
        raise unknown("format", how, FORMATS)
    check_output(output, given["files"])
    ending = "" if output is None else Path(output).suffix.lower()
    if output is not None and ending not in ENDINGS:
        raise InputError(f"--output writes {quoted(ENDINGS)}, not {quoted([output])}.")
    from outclass.answers.log_files import write_items
    from outclass.ask.logs import logs

    found = logs(*given.pop("files"), **given)
    if output is not None:
        write_items(found, Path(output))
    if output is None or how is not None:
        print_text(found.to_json() if how == "json" else f"{found}\n")


command = command_of(_listed, LISTED)
