"""Calls in a child process: results, exceptions and progress come back; a crash is an exception; nothing is left."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from outclass import child
from outclass.child import in_child, report
from outclass.cli.entry import _run
from outclass.errors import CrashError, InputError


def test_calls() -> None:
    """One process serves all calls, reports how far it is, and raises what the function raises."""
    told: list[tuple[int, int]] = []

    def counted(steps: int) -> int:
        for step in range(steps):
            report(step + 1, steps)
        return os.getpid()

    def failed() -> None:
        raise InputError("this is wrong")

    first = in_child("counting", lambda *at: told.append(at), counted, 3)
    with pytest.raises(InputError, match="this is wrong"):
        in_child("failing", None, failed)

    assert first != os.getpid()
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert in_child("x", None, os.getpid) == first


def test_what_cannot_be_sent() -> None:
    """A function that holds a lock, or that the child cannot find, is rejected in a sentence."""
    for function in (threading.Lock().acquire, _here):
        with pytest.raises(InputError, match="runs in a separate process"):
            in_child("sampling", None, function)


def _here() -> None:
    """Do nothing, in a module that is on nobody's path."""


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_crash_is_a_sentence(number: signal.Signals) -> None:
    """The caller lives, learns which signal it was, and is served again."""
    with pytest.raises(CrashError, match=rf"sampling crashed \({number.name}\)"):
        in_child("sampling", None, lambda: os.kill(os.getpid(), number))

    assert in_child("x", None, os.getpid) != os.getpid()


def test_a_crash_of_the_sampler_ends_a_command_in_a_sentence() -> None:
    """Compiled code that crashes during `evaluate`: one line, status 70, no traceback."""

    def crash(*arguments: Any) -> None:
        os.abort()

    asked = ["evaluate", "--counts", "tp=10,fp=3,fn=4,tn=20", "--model", "single", "--method", "mcmc"]
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch("outclass.models.mcmc._draw", crash),
        mock.patch.object(sys, "argv", ["outclass", *asked]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = _run()

    assert (status, out.getvalue()) == (70, "")
    assert err.getvalue().startswith("outclass: sampling crashed (SIGABRT)")
    assert len(err.getvalue().splitlines()) == 1


def test_a_caller_that_dies_takes_its_child_along() -> None:
    """The child of a killed process ends by itself, even in the middle of a call."""
    code = (
        "import os, time\nfrom outclass.child import in_child\nprint(in_child('x', None, os.getpid), flush=True)\n"
        "in_child('sleeping', None, time.sleep, 600)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    number = int(process.stdout.readline())
    process.kill()
    process.communicate()
    end = time.monotonic() + 60
    while _runs(number) and time.monotonic() < end:
        time.sleep(0.02)

    assert not _runs(number)


def _runs(number: int) -> bool:
    """Return whether a process runs: it may have ended, and nobody has asked yet how."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_stop() -> None:
    """The child ends at once when nobody needs it."""
    number = in_child("x", None, os.getpid)
    child.stop()

    assert not os.path.exists(f"/proc/{number}")
