"""`outclass reproduce`: the experiments of the papers, from text to table, ours beside theirs."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from outclass.cli.command import command_of
from outclass.cli.option import Given
from outclass.cli.options import STUDY
from outclass.cli.output import print_text
from outclass.errors import FileError, InputError, quoted, unknown
from outclass.studies import STUDIES

FORMATS: Final[dict[str, Callable[[Any], str]]] = {
    "table": str,
    "json": lambda results: results.to_json(),
    "markdown": lambda results: results.to_markdown(),
    "latex": lambda results: results.to_latex(),
}


def _reproduce(given: Given) -> None:
    """Reproduce a paper: train its classifiers and compare our tables and figures with the printed ones.

    Finished steps are kept in the output folder, so an interrupted run can be resumed.

    Example: outclass reproduce goutte2005 --data corpora
    """
    study, how = given["study"], given.get("format", "table")
    quick, tune = given.get("quick", False), given.get("tune", False)
    data, output = given.get("data"), given.get("output")
    if study not in STUDIES:
        raise unknown("study", study, STUDIES)
    if how not in FORMATS:
        raise unknown("format", how, FORMATS)
    if tune and study != "zhang2016":
        raise InputError("only zhang2016 has parameters to tune: leave out --tune.")
    if output == "":
        raise InputError("name a folder (--output).")
    if data is not None and not Path(data).is_dir():
        raise FileError(f"there is no folder {quoted([data])}. Name the folder that has the corpora (--data).")
    from outclass.studies.study import Desk

    folder = Path(output or Path("reproduced") / (f"{study}-quick" if quick else study))
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{quoted([folder])} is a file; name a folder (--output).")
    module = import_module(f"outclass.studies.{study}")
    try:
        with _progress() as tell:
            results = module.run(
                Desk(folder=folder, data=None if data is None else Path(data), quick=quick, tune=tune, tell=tell)
            )
    except KeyboardInterrupt:
        sys.stderr.write(f"what is finished is kept in {folder}; the same command goes on from there\n")
        raise
    print_text(FORMATS[how](results))
    sys.stderr.write(
        f"everything is in {folder}: account.md, report.html, results.json, tables, figures, predictions\n"
    )


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar on a terminal, and a line a step anywhere else."""
    if not sys.stderr.isatty():
        yield lambda what, done, total: print(f"{done}/{total} {what}", file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)


command = command_of(_reproduce, STUDY)
