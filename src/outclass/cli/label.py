"""`outclass label`: which items to label next?"""

import sys
import textwrap
from pathlib import Path

from outclass.cli.command import command_of
from outclass.cli.option import Given
from outclass.cli.options import TO_LABEL
from outclass.cli.output import check_output, inputs_of, print_text
from outclass.errors import InputError
from outclass.report.text import plain


def _label(given: Given) -> None:
    """Choose which items to label next: a table that comes back as input.

    The table with all items is written, the chosen ones first and marked in the column to_label. Fill in their true
    labels, then compare, or label again.

    Example: outclass label predictions.csv --truth gold --judge llm --budget 200 -o to_label.csv
    """
    from outclass.ask.label import label

    reads = inputs_of(given)
    output = given.pop("output", None)
    if output is None:
        raise InputError("where should the table go? Say --output FILE.csv.")
    if Path(output).suffix.lower() != ".csv":
        raise InputError("the table is written as CSV: name the output FILE.csv.")
    check_output(output, reads)
    files = given.pop("files", [])
    if not files:
        raise InputError("nothing to read: name a file with all items, labelled or not. See --help.")
    if "budget" not in given:
        raise InputError("how many items can be labelled? Say --budget N.")
    if len(given.get("measure", ())) > 1:
        raise InputError("labels are chosen for one measure; name one (--measure).")
    if len(given.get("truth", ())) > 1:
        raise InputError("one column takes the labels; name one (--truth).")
    for name in ("measure", "truth"):
        if name in given:
            (given[name],) = given[name]
    found = label(files if len(files) > 1 else files[0], **given)
    found.write(output)
    print_text("\n".join(textwrap.wrap(found.words, 80)) + "\n")
    for each in found.findings:
        sys.stderr.write(f"{each.code} {plain(each.message)}\n")


command = command_of(_label, TO_LABEL)
