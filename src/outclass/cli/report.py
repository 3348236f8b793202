"""`outclass report`: a comparison as a page."""

import sys

from outclass.cli.command import command_of
from outclass.cli.compare import compared
from outclass.cli.option import Given
from outclass.cli.options import COMPARED, OUTPUT, without
from outclass.cli.output import FEW_ROWS, check_report, command_line, inputs_of, print_text


def _report(given: Given) -> None:
    """Compare systems and write an interactive report page.

    One self-contained file. Readers can move the region of practical equivalence and see every verdict update.

    Example: outclass report predictions.csv --truth gold -o report.html
    """
    path = given.pop("output", "report.html")
    check_report(path, None, inputs_of(given))
    answer = compared(given)
    if len(answer.rows) > FEW_ROWS and sys.stderr.isatty():
        sys.stderr.write(f"Writing the page, with the posteriors of {len(answer.rows):,} comparisons ...\n")
    answer.to_html(path, command=command_line())
    print_text(f"{path}\n")


command = command_of(_report, (*COMPARED, *without(OUTPUT, "format", "report", "verbose")))
