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

from outclass.errors import BusyError, FileError, quoted

fcntl: Any
try:
    fcntl = import_module("fcntl")
except ImportError:  # Windows
    fcntl = None

WAIT: Final = 60.0  # seconds to wait for a lock
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


@contextmanager
def locked(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock on a file while it is changed; it ends with the process, however that ends.

    Parameters
    ----------
    path
        The file. Links to it share its lock.
    waiting
        Called once if the lock is not free within a second. After a minute the wait ends in a `BusyError`.
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


def _wait(handle: int, path: Path, waiting: Callable[[], None] | None) -> None:
    """Take a lock as soon as it is free."""
    start = time.monotonic()
    while not _is_mine(handle):
        waited = time.monotonic() - start
        if waited > WAIT:
            raise BusyError(
                f"{quoted([path.name])} is locked by another process, which did not finish within {WAIT:.0f} "
                "seconds. Nothing was added; try again."
            )
        if waiting is not None and waited > PATIENCE:
            waiting()
            waiting = None
        time.sleep(random.uniform(0, 2 * NAP))  # noqa: S311  no secret: many that wait should not try all at once


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
