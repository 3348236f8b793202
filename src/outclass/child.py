"""Calls in a child process: if native code crashes there, the caller gets an exception instead of dying with it.

One child serves all calls of a process, so that what it has loaded and compiled is used again. It starts with the first
call, in a fresh interpreter, which is safe whatever threads the caller runs. It ends with its caller, even if the
caller is killed.
"""

import atexit
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, Final, TypeVar

from outclass.errors import CrashError, InputError

Result = TypeVar("Result")
Progress = Callable[[int, int], None]

_HEAD: Final = struct.Struct(">Q")  # the size of a message
_INSIDE: Final = "OUTCLASS_CHILD"  # set in the child's environment
# The child finds what its caller finds.
_START: Final = "import sys; sys.path[:] = sys.argv[1:]; from outclass.child import _serve; _serve()"
_PATIENCE: Final = 5.0  # seconds for the child to end by itself
_ONE_AT_A_TIME: Final = threading.RLock()


class _State:
    """The child, where this is the caller; and where this is the child, how a call reports."""

    child: "subprocess.Popen[bytes] | None" = None
    owner = 0  # the process that started it: a fork needs a child of its own
    report: Progress | None = None


_STATE: Final = _State()


def in_child(job: str, progress: Progress | None, function: Callable[..., Result], *arguments: Any) -> Result:
    """Call a function in the child process; return what it returns, raise what it raises.

    Parameters
    ----------
    job
        What the function does, as the subject of a sentence.
    progress
        Called with what the function reports (see `report`).
    function, arguments
        Both are pickled; functions of a script or a notebook by their code.
    """
    if os.environ.get(_INSIDE):
        return function(*arguments)
    import cloudpickle  # which PyMC brings

    try:
        request = cloudpickle.dumps((function, arguments, progress is not None))
    except Exception as error:
        raise _not_sent(job, error) from None
    with _ONE_AT_A_TIME:
        child = _started()
        try:
            is_done, value = _exchanged(child, request, progress)
        except (EOFError, BrokenPipeError):
            how = _ending(child.wait())
            stop()
            raise CrashError(f"{job} crashed ({how}), so there is no answer. Check the prior and the data.") from None
        except BaseException:
            stop()  # nobody waits for its answer
            raise
    if isinstance(value, _UnreadableError):
        raise _not_sent(job, value)
    if not is_done:
        raise value
    found: Result = value
    return found


class _UnreadableError(Exception):
    """A request that the child cannot read, as of a function in a module that it does not find."""


def _not_sent(job: str, error: Exception) -> InputError:
    first = (str(error).splitlines() or [type(error).__name__])[0]
    return InputError(f"{job} runs in a separate process, and the prior could not be sent to it: {first}")


def report(done: int, total: int) -> None:
    """Tell the caller how far a call is; for functions called by `in_child`."""
    if _STATE.report is not None:
        _STATE.report(done, total)


def stop() -> None:
    """End the child at once, if there is one."""
    _let_go(0.0)


@atexit.register
def _let_go(patience: float = _PATIENCE) -> None:
    child, _STATE.child = _STATE.child, None
    if child is None or _STATE.owner != os.getpid():
        return
    assert child.stdin is not None
    assert child.stdout is not None
    if patience:
        with suppress(OSError, subprocess.TimeoutExpired):
            child.stdin.close()  # which the child takes as its end
            child.wait(patience)
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        with suppress(OSError):  # it may be broken
            pipe.close()


def _started() -> "subprocess.Popen[bytes]":
    if _STATE.child is None or _STATE.owner != os.getpid() or _STATE.child.poll() is not None:
        # In a group of its own: an interrupt from the terminal reaches the caller alone, which then ends the child.
        group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        _STATE.child = subprocess.Popen(  # noqa: S603  # this interpreter, and nothing from outside
            [sys.executable, "-c", _START, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, _INSIDE: "1"},
            **group,
        )
        _STATE.owner = os.getpid()
    return _STATE.child


def _exchanged(child: "subprocess.Popen[bytes]", request: bytes, progress: Progress | None) -> tuple[bool, Any]:
    """Send a request and wait for its answer: whether it is a result, and the result or the exception."""
    import cloudpickle  # which PyMC brings

    assert child.stdin is not None
    assert child.stdout is not None
    _send(child.stdin, request)
    while True:
        kind, value = cloudpickle.loads(_received(child.stdout))
        if kind != "progress":
            return kind == "done", value
        if progress is not None:
            progress(*value)


def _ending(status: int) -> str:
    """Say how a process ended."""
    if status >= 0:
        return f"exit status {status}"
    with suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_HEAD.pack(len(message)))
    stream.write(message)
    stream.flush()


def _received(stream: IO[bytes]) -> bytes:
    head = stream.read(_HEAD.size)
    message = stream.read(_HEAD.unpack(head)[0]) if len(head) == _HEAD.size else b""
    if not message:
        raise EOFError
    return message


# --- the child's side -------------------------------------------------------------------------------------------------


def _serve() -> None:
    """Answer requests until the caller is gone."""
    import cloudpickle  # which PyMC brings

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not get between the answers
    requests: queue.Queue[bytes | None] = queue.Queue()

    def listen() -> None:
        with suppress(EOFError), os.fdopen(os.dup(0), "rb") as stream:
            while True:
                requests.put(_received(stream))
        if requests.unfinished_tasks:
            os._exit(0)  # nobody waits for the answer of what is asked, whether it was begun or not
        requests.put(None)

    def tell(done: int, total: int) -> None:
        _send(answers, cloudpickle.dumps(("progress", (done, total))))

    threading.Thread(target=listen, daemon=True).start()
    while (request := requests.get()) is not None:
        answer = _answer(request, tell)
        requests.task_done()
        _send(answers, answer)


def _answer(request: bytes, tell: Progress) -> bytes:
    import cloudpickle  # which PyMC brings

    try:
        try:
            function, arguments, has_progress = cloudpickle.loads(request)
        except Exception as error:
            raise _UnreadableError(str(error)) from None
        _STATE.report = tell if has_progress else None
        answer = cloudpickle.dumps(("done", function(*arguments)))
    except Exception as error:
        try:
            answer = cloudpickle.dumps(("failed", error))
            cloudpickle.loads(answer)  # some exceptions can be written and not read
        except Exception:
            answer = cloudpickle.dumps(("failed", RuntimeError(f"{type(error).__name__}: {error}")))
    return bytes(answer)
