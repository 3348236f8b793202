"""Work in forked processes with limits: what it ended with, how long it took and how much memory it held.

The process that forks has loaded outclass and has run nothing of it, so that a child starts in milliseconds and has no
threads of its parent's libraries to miss.
"""

import json
import math
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

SECONDS: Final = 60.0  # by the clock of a machine that is not busy, after which a process is killed
MEMORY: Final = 4 << 30  # bytes of address space
HELD: Final = 6 << 30  # bytes really held, after which a process is killed whatever its address space may be
LOOK: Final = 0.1  # seconds between two looks at them
PATIENCE: Final = 0.002  # seconds between two looks at the children
NOTICED: Final = 20_000  # letters that are kept of a stream, from its beginning and from its end
# What commands would import when they run: most of a second each, in every child.
HEAVY: Final = (
    *("numpy", "scipy.special", "scipy.stats", "scipy.optimize", "duckdb", "narwhals", "joblib", "rich.console"),
    *("altair", "jinja2", "vl_convert", "ibis", "ir_measures", "pyarrow.parquet", "pandas"),
)
COMMANDS: Final = ("compare", "evaluate", "plan", "plot", "rank", "report", "test", "update")


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a process ended."""

    name: str
    status: int  # negative: minus the signal that killed it
    seconds: float
    computing: float  # seconds of processor time
    megabytes: int  # at its peak, loaded libraries included
    timed_out: bool = False


@dataclass(frozen=True, kw_only=True)
class Job:
    """Something to do in a process of its own."""

    name: str
    work: Callable[[], int | None]
    seconds: float = SECONDS
    memory: int = MEMORY
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(kw_only=True)
class _Child:
    job: Job
    since: float
    most: float  # seconds by the clock
    killed: bool = False
    looked: float = 0.0


def load() -> None:
    """Load what the children use, before any of them is forked."""
    from outclass.cli import main  # noqa: F401

    for name in (*(f"outclass.cli.{each}" for each in COMMANDS), *HEAVY):
        with suppress(ImportError):  # of an extra that is not installed
            import_module(name)


def together(jobs: Iterable[Job], workers: int, *, until: float = float("inf")) -> Iterator[Ended]:
    """Run jobs side by side and yield how each ended; none is begun after a moment of the monotonic clock."""
    waiting, running = iter(jobs), dict[int, _Child]()
    try:
        while True:
            while len(running) < workers and time.monotonic() < until:
                job = next(waiting, None)
                if job is None:
                    break
                running[_forked(job)] = _Child(job=job, since=time.perf_counter(), most=job.seconds * busy())
            if not running:
                return
            ended = [found for pid, child in list(running.items()) if (found := _ended(pid, child, running))]
            if not ended:
                time.sleep(PATIENCE)
            yield from ended
    finally:
        for pid in running:
            _kill(pid)


def busy() -> float:
    """Return how many processes wait for each core: so many times as long everything takes."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _forked(job: Job) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        os.setsid()  # whatever it starts goes with it
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, signal.SIG_DFL if name is not signal.SIGINT else signal.default_int_handler)
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        limit = 2 * int(job.seconds) + 10  # of two cores
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        os.environ.update(job.environment)
        status = job.work() or 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 70
    finally:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):
                stream.flush()
        os._exit(status)


def _ended(pid: int, child: _Child, running: dict[int, _Child]) -> Ended | None:
    found, status, used = os.wait4(pid, os.WNOHANG)
    seconds = time.perf_counter() - child.since
    if not found:
        if seconds > child.most and not child.killed:
            child.killed = True
            _kill(pid, wait=False)
        elif seconds - child.looked > LOOK:
            child.looked = seconds
            if _held(pid) > HELD:
                _kill(pid, wait=False)
        return None
    del running[pid]
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)  # what it left behind
    return Ended(
        name=child.job.name,
        status=os.waitstatus_to_exitcode(status),
        seconds=seconds,
        computing=used.ru_utime + used.ru_stime,
        megabytes=used.ru_maxrss >> 10,
        timed_out=child.killed,
    )


def _held(pid: int) -> int:
    """Return how many bytes of memory a process holds."""
    with suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    return 0


def _kill(pid: int, *, wait: bool = True) -> None:
    with suppress(OSError):
        os.killpg(pid, signal.SIGKILL)
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL)  # it may not have become the leader of a group yet
    if wait:
        with suppress(OSError):
            os.waitpid(pid, 0)


# --- the command ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Room:
    """Where a command runs: a folder to work in, a home, a place for temporary files, and what it says."""

    folder: Path

    @classmethod
    def fresh(cls, folder: Path) -> "Room":
        """Make one, empty."""
        shutil.rmtree(folder, ignore_errors=True)
        room = cls(folder=folder)
        for each in (room.work, room.home, room.temporary):
            each.mkdir(parents=True)
        return room

    @property
    def work(self) -> Path:
        """The current folder of the command."""
        return self.folder / "work"

    @property
    def home(self) -> Path:
        """Where it must leave nothing."""
        return self.folder / "home"

    @property
    def temporary(self) -> Path:
        """Where it must leave nothing either."""
        return self.folder / "tmp"

    def said(self, stream: str) -> str:
        """Return what it said: `out` or `err`."""
        path = self.folder / stream
        data = path.read_bytes() if path.exists() else b""
        if len(data) > 2 * NOTICED and stream == "err":
            data = data[:NOTICED] + b"\n...\n" + data[-NOTICED:]
        return data.decode("utf-8", "backslashreplace")

    def left(self) -> list[str]:
        """Return what lies in its folders, by their paths."""
        return sorted(
            path.relative_to(self.folder).as_posix()
            for each in (self.work, self.home, self.temporary)
            for path in each.rglob("*")
        )

    @property
    def environment(self) -> dict[str, str]:
        """What a process in it is told."""
        return {"HOME": str(self.home), "TMPDIR": str(self.temporary), "COLUMNS": "100", "PYTHONWARNINGS": "default"}


def command(arguments: list[str], room: Room) -> int | None:
    """Run the command in this process, which is a child and will end with it."""
    import tempfile
    import warnings

    _speak(room)
    tempfile.tempdir = None  # it may have been found out in the parent
    warnings.resetwarnings()  # as `python -m outclass` shows them
    warnings.filterwarnings("ignore", category=ResourceWarning)
    warnings.filterwarnings("ignore", category=ImportWarning)
    for each in (DeprecationWarning, PendingDeprecationWarning):
        warnings.filterwarnings("ignore", category=each)
    sys.argv = ["outclass", *arguments]
    from outclass.cli.entry import run

    run()
    return 0


def process(arguments: list[str], room: Room) -> int | None:
    """Become the command as a user runs it."""
    _speak(room)
    os.environ.pop("PYTHONWARNINGS", None)
    os.execv(sys.executable, [sys.executable, "-m", "outclass", *arguments])


def _speak(room: Room) -> None:
    """Put the streams into files, and go to the folder."""
    os.chdir(room.work)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(room.folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)


def in_child(work: Callable[[], object], *, seconds: float = 600.0, memory: int = 16 << 30) -> None:
    """Do something in a process of its own, so that this one stays as it is; an error if it fails there."""

    def done() -> int:
        work()
        return 0

    (ended,) = together([Job(name="setup", work=done, seconds=seconds, memory=memory)], 1)
    if ended.status:
        raise RuntimeError(f"the preparation ended with status {ended.status}")


# --- many small things in one process ---------------------------------------------------------------------------------


def batched(
    names: Iterable[str],
    work: Callable[[str], dict[str, Any]],
    folder: Path,
    *,
    workers: int,
    size: int = 25,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    until: float = float("inf"),
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Do the same for many names, some in each process; yield what came of each.

    A process that dies or hangs does so in one of them, which then has a `fault`; those behind it are begun again.
    """
    left, number = list(names), 0
    while left and time.monotonic() < until:
        parts = [left[at : at + size] for at in range(0, len(left), size)]
        left, jobs, files = [], [], {}
        for part in parts:
            number += 1
            files[str(number)] = (folder / f"batch-{number}.jsonl", part)
            job = partial(_batch, part, work, files[str(number)][0], seconds)
            jobs.append(Job(name=str(number), work=job, seconds=seconds * len(part) + 30, memory=memory))
        for ended in together(jobs, workers, until=until):
            path, part = files[ended.name]
            found, begun = _told(path)
            yield from found.items()
            lost = [name for name in part if name not in found]
            if lost and lost[0] == begun:
                alarm = ended.status == -signal.SIGALRM or ended.timed_out
                why = f"takes more than {seconds:g} s" if alarm else f"the process dies ({_status(ended.status)})"
                yield lost[0], {"fault": why, "seconds": seconds if alarm else 0.0, "megabytes": ended.megabytes}
                left += lost[1:]
            elif lost:
                raise RuntimeError(f"a batch ended with status {ended.status} before {lost[0]} was begun")


def _batch(part: list[str], work: Callable[[str], dict[str, Any]], path: Path, seconds: float) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process, even in a library that never returns
    with path.open("w", encoding="utf-8") as stream:
        for name in part:
            print(json.dumps({"begun": name}), file=stream, flush=True)
            with suppress(OSError):
                Path("/proc/self/clear_refs").write_text("5")  # the peak of memory is this name's own
            signal.alarm(math.ceil(seconds * busy()))
            since = time.perf_counter()
            result = work(name)
            signal.alarm(0)
            own = {"seconds": time.perf_counter() - since, "megabytes": peak()}
            print(json.dumps({"name": name, **own, **result}), file=stream, flush=True)


def _told(path: Path) -> tuple[dict[str, dict[str, Any]], str | None]:
    """Return what came of each name, and the last that was begun."""
    found, begun = {}, None
    for line in path.read_text(encoding="utf-8").split("\n") if path.exists() else ():
        with suppress(ValueError):  # the last line of a process that was killed
            row = json.loads(line)
            if "begun" in row:
                begun = row["begun"]
            else:
                found[row.pop("name")] = row
    return found, begun


def peak() -> int:
    """Return the most memory that this process has held, in megabytes."""
    with suppress(OSError, IndexError, ValueError):
        return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) >> 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _status(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"
