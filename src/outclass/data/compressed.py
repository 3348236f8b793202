"""Files that may be compressed, as their ending says; a damaged one is told in the same words everywhere."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from outclass.errors import FileError, OutclassError, quoted


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file to be read as it was before it was compressed."""
    try:
        with gzip.open(path) if str(path).lower().endswith(".gz") else open(path, "rb") as stream:
            yield cast("IO[bytes]", stream)
    except OutclassError:
        raise  # what a reader says of the content
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise FileError(f"{quoted([path])} is not a .gz file, or it is damaged: it cannot be unpacked.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, UnicodeError):
            raise  # of what is in the file, for the reader to tell
        # A name with a NUL in it is no name of a file: a ValueError.
        raise FileError(f"cannot read {quoted([path])}: {getattr(error, 'strerror', None) or error}.") from None
