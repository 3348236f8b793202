"""Files that are there whole or not at all, and that one process at a time may change."""

import errno
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from outclass.errors import BusyError, FileError, quoted

fcntl: Any
try:
    fcntl = import_module("fcntl")
except ImportError:  # Windows
    fcntl = None

WAIT: Final = 60.0  # seconds to wait for a lock while the file does not change
LONGEST: Final = 600.0  # seconds to wait for it in any case
PATIENCE: Final = 1.0  # seconds after which the wait is announced
NAP: Final = 0.03  # seconds between two attempts, on average
TAKEN: Final = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # what a lock that another process holds answers


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file by way of a temporary one beside it."""
    temporary = None
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path = path.resolve()  # a link stays a link, and what it points to is replaced
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device or a pipe
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=_prefix(path))
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


@contextmanager
def locked(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock on a file while it is changed; it ends with the process, however that ends.

    Parameters
    ----------
    path
        The file. Links to it share its lock.
    waiting
        Called once if the lock is not free within a second. The wait ends in a `BusyError` once the file has not
        changed for a minute, or after ten minutes.
    """
    path = path.resolve()
    # The folder is locked rather than the file, which is replaced, or a lock file, which would be left behind. Windows
    # and NFS do not lock folders.
    places = [(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT)]
    if fcntl is not None:
        places.insert(0, (path.parent, os.O_RDONLY))
    with ExitStack() as handles:
        for number, (place, mode) in enumerate(places, 1):
            try:
                handle = os.open(place, mode, 0o666)
                handles.callback(os.close, handle)
                _wait(handle, path, waiting)
                break
            except BusyError:
                raise
            except OSError as error:
                if number == len(places):
                    raise FileError(
                        f"cannot lock {quoted([path])}: {error.strerror}. Keep it on a local disk."
                    ) from None
        yield


def _prefix(path: Path) -> str:
    """Return how the temporary files of a file begin, and those of no other."""
    return f".{path.name[:40]}.outclass-{crc32(path.name.encode('utf-8', 'surrogateescape')):08x}-"


def tidy(path: Path) -> None:
    """Delete what killed processes left beside a file; whoever calls it holds the lock that writers of it hold."""
    with suppress(OSError):
        for entry in os.scandir(path.parent):
            if entry.name.startswith(_prefix(path)):
                os.unlink(entry)


def _wait(handle: int, path: Path, waiting: Callable[[], None] | None) -> None:
    """Take a lock as soon as it is free; as long as those before it get on, it is worth waiting for."""
    start = since = time.monotonic()
    seen = _stamp(path)
    while not _is_mine(handle):
        now = time.monotonic()
        if waiting is not None and now - start > PATIENCE:
            waiting()
            waiting = None
        if _stamp(path) != seen:
            since, seen = now, _stamp(path)
        if now - since > WAIT or now - start > LONGEST:
            raise BusyError(
                f"{quoted([path.name])} is locked by other processes, which did not finish within {now - start:.0f} "
                "seconds. Nothing was added; try again."
            )
        time.sleep(random.uniform(0, 2 * NAP))  # noqa: S311  no secret: many that wait should not try all at once


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is written."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _is_mine(handle: int) -> bool:
    """Take a lock, unless another process holds it."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt = import_module("msvcrt")
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno not in TAKEN:
            raise
        return False
    return True
