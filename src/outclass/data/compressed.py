"""Files that may be compressed, as their ending says; a damaged one is told in the same words everywhere."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, cast

from outclass.errors import FileError, OutclassError, quoted

# How to unpack what is not read. DuckDB would read .zst, and of a file that was cut off just the beginning, in silence.
UNPACKED: Final = {".zst": "zstd -d", ".bz2": "bunzip2", ".xz": "unxz"}


def check_packing(path: str | Path) -> None:
    """Raise an error for a file that is compressed in a way that is not read."""
    ending = Path(path).suffix.lower()
    if ending in UNPACKED:
        name = quoted([Path(path).name])
        raise FileError(
            f"{name}: {ending} compression is not supported, only .gz. Unpack the file first: {UNPACKED[ending]} FILE"
        )


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file to be read as it was before it was compressed."""
    check_packing(path)
    try:
        with gzip.open(path) if str(path).lower().endswith(".gz") else open(path, "rb") as stream:
            yield cast("IO[bytes]", stream)
    except OutclassError:
        raise  # what a reader says of the content
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise FileError(f"{quoted([path])} is not a valid .gz file: it cannot be unpacked.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise  # of what is in the file, for the reader to tell
        # A name with a NUL in it is no name of a file: a ValueError.
        raise FileError(f"cannot read {quoted([path])}: {getattr(error, 'strerror', None) or error}.") from None
