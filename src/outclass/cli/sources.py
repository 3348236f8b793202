"""What a command reads: files, or counts in their place."""

from collections.abc import Sequence
from pathlib import Path

from outclass.data.state import is_state
from outclass.errors import InputError


def data_of(files: Sequence[str] | None, truth: str | None, *, counted: bool) -> list[str] | str | None:
    """Return the files as the library takes them; none if counts are given instead."""
    if not files:
        if counted:
            return None
        raise InputError("nothing to read: name a file, or give counts (--counts, --wins). See --help.")
    if truth is None and not counted and not (len(files) == 1 and is_state(Path(files[0]))):
        raise InputError("which column holds the true labels? Say --truth COL.")
    return list(files) if len(files) > 1 else files[0]
