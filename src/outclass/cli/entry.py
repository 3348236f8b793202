"""Where the command starts: everything else is loaded inside, so that an interrupt while loading is told plainly."""

import atexit
import gc
import os
import sys
import threading
import warnings
from contextlib import suppress
from typing import Final

INTERRUPTED: Final = 130
# New objects between two searches for garbage. Loading makes a few hundred thousand that all stay; Python's own
# threshold of 700 would have them looked through again and again, for some fifty milliseconds.
SELDOM: Final = 50_000


def run() -> None:
    """Run the command; a mistake in the input is one sentence and exit status 2, never a traceback."""
    gc.set_threshold(SELDOM)
    try:
        status = _run()
    except KeyboardInterrupt:
        sys.stderr.write("outclass: interrupted; no answer was written.\n")
        status = INTERRUPTED
    try:
        sys.stdout.flush()
    except OSError:
        # What could not be written has been told; Python must not try again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if status == INTERRUPTED:
        # Threads and processes that still compute for an answer nobody waits for must not hold up the end.
        if "outclass.parallel" in sys.modules:
            from outclass.parallel import stop

            stop()
            # What waits to be put away at the end, such as the locks of those processes; all but waiting for threads.
            atexit._run_exitfuncs()
        _leave(status)
    if threading.active_count() == 1 and not _is_watched():
        # Nobody else is at work. To take everything apart before it is given back would take a tenth of a second.
        atexit._run_exitfuncs()
        _leave(status)
    sys.exit(status)


def _leave(status: int) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # there may be none, or nobody left to tell
            stream.flush()
    os._exit(status)


def _is_watched() -> bool:
    """Return whether a debugger, a profiler or the measurement of coverage waits for the end."""
    tools = getattr(sys, "monitoring", None)  # since Python 3.12
    return (
        sys.gettrace() is not None
        or sys.getprofile() is not None
        or (tools is not None and any(tools.get_tool(number) is not None for number in range(6)))
    )


def _run() -> int:
    import typer

    from outclass.cli.main import app
    from outclass.errors import OutclassError
    from outclass.report.text import plain

    # What is to be said of chains stands in the answer.
    warnings.filterwarnings("ignore", message="the chains")
    try:
        status = app(standalone_mode=False)
        if status == INTERRUPTED:
            raise KeyboardInterrupt
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.Exit as end:
        return end.exit_code
    except Exception as error:
        # What the command line itself refuses is a click exception, of click or of the copy inside typer.
        usage = getattr(error, "format_message", None)
        if usage is None and not isinstance(error, OutclassError):
            raise
        told = str(error) if usage is None else str(usage())
        if not told:
            return 2  # the help was all there was to say
        # Lines are kept, control characters in names are not.
        sys.stderr.write("outclass: " + "\n".join(plain(line) for line in told.splitlines()) + "\n")
        return getattr(error, "status", 2)
    return status if isinstance(status, int) else 0
