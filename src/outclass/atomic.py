"""Files that are there whole or not at all, whatever happens while they are written."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from outclass.errors import FileError, quoted


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file by way of a temporary one beside it."""
    temporary = None
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path = path.resolve()  # a link stays a link, and what it points to is replaced
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device or a pipe
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        # A temporary file is private to its maker; a result should be as readable as any other, or as it was before.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask)
        os.replace(temporary, path)
        with suppress(OSError):  # where a folder cannot be synced, the file is there all the same
            folder = os.open(path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except OSError as error:
        raise FileError(f"cannot write to {quoted([path])}: {error.strerror}.") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)
