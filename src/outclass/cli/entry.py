"""Where the command starts: everything else is loaded inside, so that an interrupt while loading is told plainly."""

import os
import sys


def run() -> None:
    """Run the command; a mistake in the input is one sentence and exit status 2, never a traceback."""
    try:
        status = _run()
    except KeyboardInterrupt:
        sys.stderr.write("outclass: interrupted; nothing was written.\n")
        status = 130
    except BrokenPipeError:
        # The reader of a pipe went away, as `head` does: not a fault. Nothing more can be written, even at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    # Threads that still compute for an answer nobody waits for must not hold up the end.
    sys.stderr.flush()
    if status == 130:
        os._exit(status)
    sys.exit(status)


def _run() -> int:
    import click

    from outclass.cli.main import app
    from outclass.errors import OutclassError
    from outclass.report.text import plain

    try:
        app(standalone_mode=False)
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except (OutclassError, click.ClickException) as error:
        told = error.format_message() if isinstance(error, click.ClickException) else str(error)
        # Lines are kept, control characters in names are not.
        sys.stderr.write("outclass: " + "\n".join(plain(line) for line in told.splitlines()) + "\n")
        return 2
    return 0
