"""`outclass plan`: how much data is needed to decide?"""

import csv
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from outclass.cli.command import answered, command_of
from outclass.cli.option import Given
from outclass.cli.options import OUTPUT, PLANNED, unused
from outclass.cli.output import print_text, progress_bar
from outclass.cli.sources import arguments_of
from outclass.errors import InputError
from outclass.report.text import cell, plain

if TYPE_CHECKING:
    from outclass.answers.plan import Plan

POOL = ("pool", "pilot", "systems", "id", "measure", "positive")  # what the ranking of a pool takes
OF_ITS_PILOT = ("truth", "count")


def _plan(given: Given) -> None:
    """Plan a test: the probability of a decision, and the number of items needed.

    From a scenario (cells, or recalls and false-positive rates), or from a pilot file.

    Example: outclass plan --prevalence 0.3 --recall-a 0.75 --recall-b 0.7 --fpr-a 0.05 --fpr-b 0.05 --probability 0.8
    """
    if "pool" in given:
        print_text(_next(given))
        return
    resume, output = given.get("resume"), given.get("output")
    if resume is not None and output is not None and Path(resume).resolve() == Path(output).resolve():
        raise InputError("--resume and --output name the same file; the answer would replace the finished cells.")
    answered(_planned, given)


def _planned(given: Given) -> "Plan":
    from outclass.ask.plan import plan

    asked = arguments_of(given)
    for name, rate in (("recalls", "recall"), ("false_positive_rates", "fpr")):
        pair = tuple(asked.pop(f"{rate}_{system}", None) for system in "ab")
        if pair != (None, None):
            asked[name] = pair
    asked.setdefault("jobs", -1)  # nobody else waits for the cores of a command
    try:
        with progress_bar("simulating") as progress:
            return plan(**asked, progress=progress)
    except KeyboardInterrupt:
        resume = given.get("resume")
        if resume is not None and Path(resume).exists():
            sys.stderr.write(f"outclass: finished cells are in {plain(resume)}; the same command goes on from them.\n")
        raise


def _next(given: Given) -> str:
    """Return which items of a pool to label next: a sentence, and a list to go through."""
    from outclass.ask.plan import label_next

    known = [option for option in PLANNED if option.name in POOL]
    unused(given, [option for option in PLANNED if option.name in (*POOL, *OF_ITS_PILOT)], "a pool (--pool)")
    if "pilot" not in given:
        unused(given, known, "a pool (--pool) without --pilot")
    found = label_next(**arguments_of(given))
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["id", "a", "b", "worth"])
    # A spreadsheet would run a cell that starts like a formula.
    writer.writerows([cell(str(x.id)), cell(str(x.a)), cell(str(x.b)), f"{x.worth:.4g}"] for x in found.items)
    return f"{found.words}\n{lines.getvalue()}"


command = command_of(_plan, (*PLANNED, *OUTPUT))
