"""Takes a path, gives data: readers of formats that no table is, each one file that is discovered automatically.

A file has `recognises(path)`, which looks at the name or the first bytes, and `read(path)`, which returns data of any
kind.
"""

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any


@cache
def _readers() -> tuple[Any, ...]:
    return tuple(import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__))


def reader_of(path: Path) -> Any | None:
    """Return the reader that recognises a file; None if it is a table, or something else."""
    if not os.path.isfile(path):  # a pipe without a writer would keep whoever opens it waiting
        return None
    return next((reader for reader in _readers() if reader.recognises(path)), None)
