"""What a command asks the library: its options as arguments of a question."""

import logging
import os
from glob import has_magic
from pathlib import Path
from typing import Any, Final

from outclass.cli.data_options import NUMBERS, PER_ITEM
from outclass.cli.option import Given
from outclass.cli.options import prior_text
from outclass.errors import InputError, quoted

_NUMBERS: Final = frozenset(option.name for option in (*NUMBERS, *PER_ITEM))  # read here, item by item
_INSTEAD: Final = frozenset(("counts", "same_items", "wins", "items", "qrels", "runs"))


def arguments_of(given: Given) -> Given:
    """Turn options into arguments: ranges of rates into a prior, and a measure alone into itself."""
    asked = dict(given)
    ranges = [asked.pop(f"prior_{name}", None) for name in ("recall", "fpr", "prevalence")]
    if ranges != [None] * 3:
        asked["prior"] = prior_text(asked.get("prior"), *ranges)
    for name in ("measure", "truth"):
        if len(asked.get(name, ())) == 1:
            (asked[name],) = asked[name]
    return asked


def asked_of(given: Given) -> Given:
    """Turn options into the arguments of a question, with files as its data."""
    asked = arguments_of(given)
    data = _data(asked.pop("files", []), asked.pop("engine", None), asked.pop("master", None), asked)
    return asked if data is None else {"data": data, **asked}


def _files_of_runs(files: list[str]) -> dict[str, list[str]] | None:
    """Return the files of each system's runs, given as NAME=GLOB; a file by itself, as of the truth, has no name."""
    parts = [("", each) if "://" in each or Path(each).exists() else each.partition("=")[::2] for each in files]
    if not any(name and pattern for name, pattern in parts):
        return None
    found: dict[str, list[str]] = {}
    for name, pattern in parts:
        found.setdefault(name if pattern else "", []).append(pattern or name)
    return found


def _data(files: list[str], engine: str | None, master: str | None, asked: Given) -> Any:
    """Return the files as the library takes them, or as tables of another engine; None where counts replace them."""
    if not files and not asked.keys() & _INSTEAD:
        raise InputError("nothing to read: name a file, or give counts (--counts, --wins). See --help.")
    elsewhere = engine is not None or master is not None
    if files and _are_logs(files, asked, found=elsewhere):
        if elsewhere:
            raise InputError("evaluation logs are read here: leave out --engine and --master.")
        return list(files)
    if (runs := _files_of_runs(files)) is not None:
        if elsewhere:
            raise InputError("files of runs are read here: leave out --engine and --master.")
        return runs
    if not elsewhere:
        _check_files(files)
    if files and not asked.keys() & (_NUMBERS | _INSTEAD | {"truth", "judge"}) and not _names_its_columns(files):
        if columns := [name for name in files[1:] if not Path(name).suffix and not Path(name).exists()]:
            options = " ".join(["--truth", columns[0], *(f"--system {name}" for name in columns[1:])])
            raise InputError(f"{quoted(columns[:1])} is not a file. To name columns, use options: {options}.")
        raise InputError(
            "which column holds the true labels? Say --truth COL; or --scores, if the columns are numbers of each "
            "item, such as 1 for right and 0 for wrong."
        )
    if not files or asked.keys() & (_NUMBERS | {"frequencies"}):
        if elsewhere:
            raise InputError("scores, counts and frequencies are read here: leave out --engine and --master.")
        return None if not files else list(files) if len(files) > 1 else files[0]
    from outclass.data.engines import tables_by

    if engine == "spark":
        # Its gateway logs a traceback when the driver dies, beside our own sentence.
        logging.getLogger().addHandler(logging.NullHandler())
    return tables_by(engine or "duckdb", files, master)


def _check_files(files: list[str]) -> None:
    """Raise the reader's own error for files that are not there, before anything is loaded that reads them."""
    from outclass.data.existing import existing  # which no help needs

    for path in files:
        if Path(path).suffix and "://" not in path and not has_magic(path) and not os.path.lexists(path):
            existing(path)


def _are_logs(files: list[str], asked: Given, *, found: bool) -> bool:
    """Return whether files are logs; a folder is one to look into, unless logs must be `found` in it."""
    from outclass.data.logs.places import are_logs, holds_logs, places_of  # NumPy is not loaded for a help text

    return are_logs(files, asked.get("source")) and (not found or any(map(holds_logs, places_of(files) or ())))


def _names_its_columns(files: list[str]) -> bool:
    from outclass.data.readers import reader_of, source_of  # NumPy is not loaded for a help text

    paths = [Path(name) for name in files]
    return source_of(paths) is not None or (len(files) == 1 and reader_of(paths[0]) is not None)
