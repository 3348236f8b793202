"""`outclass bless`: freeze a baseline for the gate."""

import sys
from pathlib import Path

from outclass.cli.command import command_of
from outclass.cli.option import Given
from outclass.cli.options import BLESSED
from outclass.cli.output import check_output, command_line
from outclass.report.text import plain


def _blessed(given: Given) -> None:
    """Freeze what one system scores as the baseline of a gate, item by item, with the reason for it.

    The same scores are the same bytes. Numbers are kept, and with --keep-labels labels and predictions; never prompts
    or outputs. Nothing else moves a baseline.

    Example: outclass bless runs/main -o evals/baseline.oc --why "release 1.4"
    """
    from outclass.ask.gate_bless import bless

    files = given.pop("files")
    check_output(given["output"], files)
    found = bless(files if len(files) > 1 else files[0], **given, created_by=command_line())
    told = ", ".join(f"{part.metric} on {len(part.items):,} items" for part in found.parts)
    sys.stderr.write(f"{plain(Path(given['output']))}: {plain(found.system)}, {plain(told)}.\n")


command = command_of(_blessed, BLESSED)
