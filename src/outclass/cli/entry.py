"""Where the command starts, and the outer boundary: whatever happens inside ends in one sentence and an exit status.

Everything else is loaded inside, so that an interrupt while loading is told plainly, too.
"""

import atexit
import errno
import gc
import os
import signal
import sys
import threading
import warnings
from contextlib import suppress
from types import FrameType
from typing import Any, Final

INTERRUPTED: Final = 130
INTERNAL: Final = 70  # EX_SOFTWARE: an unexpected exception
DEBUG: Final = "OUTCLASS_DEBUG"
LONGEST: Final = 300  # letters of what an exception says
# New objects between two searches for garbage. Loading makes a few hundred thousand that all stay; Python's own
# threshold of 700 would have them looked through again and again, for some fifty milliseconds.
SELDOM: Final = 50_000


class EndedError(BaseException):
    """A signal that asks the process to end: it unwinds like an interrupt, so that temporary files are removed."""

    signal: int = 0  # the first that came, an interrupt included; known even if a library swallows the exception


def run() -> None:
    """Run the command; a mistake in the input is one sentence and exit status 2, never a traceback."""
    gc.set_threshold(SELDOM)
    _open_streams()
    _catch_signals()
    try:
        status = _run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    except EndedError:
        status = INTERNAL  # replaced by the signal's
    if EndedError.signal:
        status = 128 + EndedError.signal
    if status == INTERRUPTED:
        _tell("interrupted; no answer was written.")
    elif status > 128:
        _tell(f"ended by {signal.Signals(status - 128).name}; no answer was written.")
    try:
        sys.stdout.flush()
    except OSError:
        _to_nowhere(sys.stdout)  # what could not be written has been told; Python must not try again at its end
    if "outclass.child" in sys.modules:
        from outclass import child

        child.stop()
    if status > 128:
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


def _open_streams() -> None:
    """Put something in the place of streams that the caller closed: the next file opened would take their number.

    Nothing can be written to the stand-in for standard output, which is told as for a full disk. What would go to
    standard error is dropped.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest number that is free
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # open to the end
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # open to the end


def _to_nowhere(stream: Any) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())


def _catch_signals() -> None:
    """Let SIGTERM and SIGHUP unwind the program as an interrupt does, unless they are ignored, as under nohup."""

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        for each in caught:
            signal.signal(each, signal.SIG_IGN)  # one is enough: putting things away must not be interrupted
        EndedError.signal = number
        raise KeyboardInterrupt if number == signal.SIGINT else EndedError

    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    numbers = {getattr(signal, name): handler for name, handler in usual.items() if hasattr(signal, name)}
    caught = [number for number, handler in numbers.items() if signal.getsignal(number) is handler]
    for number in caught:
        signal.signal(number, end)


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
    """Run the command and return its exit status; only an interrupt or a signal gets out as an exception."""
    try:
        import click

        from outclass.cli.main import COMPLETION, NAME, app

        warnings.showwarning = _warned
        # What is to be said of chains stands in the answer.
        warnings.filterwarnings("ignore", message="the chains")
        try:
            if COMPLETION in os.environ:
                app(prog_name=NAME)  # a shell asks what may follow
            # Not by calling it: click would write an empty line for an interrupt before it tells us.
            with app.make_context(NAME, sys.argv[1:]) as context:
                app.invoke(context)
        except click.exceptions.Exit as end:
            return end.exit_code
        except click.Abort:
            raise KeyboardInterrupt from None
        return 0
    except Exception as error:
        return _told(error)


def _warned(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """Say what takes long as a sentence; other warnings are of libraries, and are shown with their place."""
    if category.__name__ == "CostWarning":
        from outclass.cli.wording import in_options

        _tell(in_options(str(getattr(message, "told", message)), {}))
    else:
        sys.stderr.write(warnings.formatwarning(message, category, *where[:2], *where[3:]))


def _told(error: Exception) -> int:
    """Say what went wrong, and return the exit status."""
    if EndedError.signal:
        return INTERNAL  # a library's own view of the signal; see `run`
    from outclass.errors import OutclassError, quoted

    # What the command line itself rejects is a click exception.
    usage = getattr(error, "format_message", None)
    if usage is not None:
        from outclass.cli.help import no_such_option

        _tell(no_such_option(error) or str(usage()))  # empty if the help was all there was to say
        return 2
    if isinstance(error, OutclassError):
        _tell(str(error))
        return int(getattr(error, "status", 2))
    if isinstance(error, BrokenPipeError):
        _to_nowhere(sys.stdout)  # the reader went away, as `head` does: not a fault
        return 0
    if os.environ.get(DEBUG):
        from traceback import format_exception

        _tell("".join(format_exception(error)))
    first = next((line.strip()[:LONGEST] for line in str(error).splitlines() if line.strip()), "")
    kind = type(error).__name__
    if isinstance(error, MemoryError):
        _tell("not enough memory; no answer was written. Take fewer draws, systems or items at a time.")
    elif isinstance(error, OSError) and error.errno in _ENVIRONMENT:
        place = "" if error.filename is None else f" ({quoted([os.fsdecode(error.filename)])})"
        _tell(f"{error.strerror}{place}; no answer was written.")
    else:
        _tell(
            f"internal error ({kind}{': ' * bool(first)}{first}); no answer was written. Please report it with the "
            f"command; {DEBUG}=1 shows where it happened."
        )
    return INTERNAL


# What the machine lacks, not the program.
_ENVIRONMENT: Final = (errno.ENOSPC, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EROFS, errno.EIO,
                       errno.EBADF, errno.ENAMETOOLONG)  # fmt: skip


def _tell(text: str) -> None:
    """Write to standard error: lines are kept; control characters and secrets of the command line are not."""
    from outclass.locations import masked, secrets_in
    from outclass.report.text import plain

    if not text:
        return
    lines = [plain(line) for line in masked(text, secrets_in(sys.argv[1:])).splitlines()]
    if not lines[0].startswith("Usage:"):
        lines[0] = f"outclass: {lines[0]}"
        lines = [part for line in lines for part in _on_screen(line)]
    with suppress(OSError, ValueError):  # nobody is left to be told
        sys.stderr.write("\n".join(lines) + "\n")


def _on_screen(line: str) -> list[str]:
    """Break a line between words on a terminal; a file or another program gets it whole."""
    with suppress(AttributeError, OSError, ValueError):
        if sys.stderr.isatty():
            import shutil
            import textwrap

            width = max(40, shutil.get_terminal_size((80, 24)).columns)
            indent = " " * (len(line) - len(line.lstrip()))
            return textwrap.wrap(
                line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            ) or [line]
    return [line]
