"""Takes a path, gives data: readers of formats that no table is, each one file that is discovered automatically.

A file has `recognises(path)`, which looks at the name or the first bytes, and `read(path)`, which returns data of any
kind. One that reads several files together, or has options, has `read_files(paths, **options)` as well, and `OPTIONS`.
"""

import os
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from outclass.errors import unknown


@cache
def _readers() -> tuple[Any, ...]:
    return tuple(import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))


def files_reader(name: str) -> Any:
    """Find a reader of several files by its name."""
    known = {each.__name__.rpartition(".")[2]: each for each in _readers() if hasattr(each, "read_files")}
    if str(name).strip().lower() not in known:
        from outclass.data.logs.formats import formats  # which are named where logs are meant

        raise unknown("format to read from", str(name), [*known, *formats()])
    return known[str(name).strip().lower()]


def source_of(paths: Sequence[Path]) -> str | None:
    """Return the name of the reader of several files that recognises all of these; None if there is none."""
    for reader in _readers():
        if paths and hasattr(reader, "read_files") and all(map(reader.recognises, paths)):
            return str(reader.__name__.rpartition(".")[2])
    return None


def reader_of(path: Path) -> Any | None:
    """Return the reader that recognises a file; None if it is a table, or something else."""
    if not os.path.isfile(path):  # a pipe without a writer would keep whoever opens it waiting
        return None
    return next((reader for reader in _readers() if reader.recognises(path)), None)
