"""Files of logs: how they are opened, and what their first kilobytes say of their format."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from outclass.data.compressed import opened
from outclass.data.logs.streaming import Stream, beginning
from outclass.errors import FileError, quoted

LOOKED_AT: Final = 1 << 18  # bytes
POINTER: Final = b"version https://git-lfs"
ZIPPED: Final = b"PK\x03\x04"
PARQUET: Final = b"PAR1"
# Files with other endings are not looked into.
ENDINGS: Final = (".json", ".jsonl", ".ndjson", ".eval", ".parquet")


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a file before it is read.

    Parameters
    ----------
    path, name
        Where it is; and its name, without the ending of a compressed file.
    packed
        'zip' or 'parquet'; '' for text.
    first
        The first JSON value, as far as it is there; of an array its first element.
    listed
        Whether the first value is an array.
    """

    path: Path
    name: str
    packed: str = ""
    first: Any = None
    listed: bool = False

    def has(self, *keys: str) -> bool:
        """Return whether the first value is an object with these keys."""
        return isinstance(self.first, dict) and all(key in self.first for key in keys)


def name_of_file(path: Path) -> str:
    """Return a file's name without the ending of a compressed file."""
    return path.name[:-3] if path.name.lower().endswith(".gz") else path.name


def head_of(path: Path) -> Head | None:
    """Look at the beginning of a file; None if its name is not one of a log."""
    name = name_of_file(path)
    if not name.lower().endswith(ENDINGS):
        return None
    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else open(path, "rb") as file:
            raw = file.read(LOOKED_AT)
    except (OSError, EOFError, zlib.error, ValueError):
        return Head(path, name)  # whoever reads it tells what is wrong
    if raw.startswith(POINTER):
        return Head(path, name, "pointer")
    if raw.startswith(ZIPPED):
        return Head(path, name, "zip")
    if raw.startswith(PARQUET):
        return Head(path, name, "parquet")
    text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
    value = beginning(text)
    if isinstance(value, list):
        return Head(path, name, "", value[0] if value else None, True)
    return Head(path, name, "", value)


@contextmanager
def streamed(path: Path) -> Iterator[Stream]:
    """Open a file of JSON."""
    with opened(path) as file:
        yield Stream(file, path.name)


def check_pointer(path: Path) -> None:
    """Refuse what Git LFS leaves in the place of a file that was not fetched."""
    with opened(path) as file:
        if file.read(len(POINTER)) == POINTER:
            raise FileError(
                f"{quoted([path.name])} is a Git LFS pointer and not the log itself: run git lfs pull first."
            )


def whole_json(path: Path) -> Any:
    """Return the one JSON value of a small file, such as a summary beside a log."""
    with streamed(path) as stream:
        for _, _, value in stream.walk():
            return value
    return None


def digest(*parts: Any) -> str:
    """Return what some texts have in common with equal ones and with no others, in a few letters."""
    found = blake2b(digest_size=12)
    for part in parts:
        found.update(str(part).encode("utf-8", "surrogatepass") + b"\0")
    return found.hexdigest()
