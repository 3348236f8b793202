"""Updates that are killed at any moment, and many updates at the same time: nothing lost, nothing doubled.

    python tests/attack/kills.py kills 1000 7
    python tests/attack/kills.py concurrent 2000 7

Both run the real command. Most runs are forked from a process that has loaded everything and started nothing, so that a
run takes a tenth of the time of a new process; every fiftieth is a new process.
"""

import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

ROWS: Final = 30
AT_ONCE: Final = 24  # processes that update one state at the same time
FRESH: Final = 50  # every so many runs are new processes
LONGEST: Final = 900.0  # seconds after which a run hangs
STEPS: Final = ("open", "fsync", "chmod", "replace", "close")  # of `os`, what writing a state goes through


def kills(count: int, seed: int) -> dict[str, float]:
    """Kill that many updates at random moments of their lives; return what came of them."""
    return _apart("kills", count, seed)


def concurrent(count: int, seed: int) -> dict[str, float]:
    """Run that many updates of one state, many at the same time; return what came of them."""
    return _apart("concurrent", count, seed)


def _apart(name: str, count: int, seed: int) -> dict[str, float]:
    """Run in a process of its own: only one without threads can be forked safely."""
    done = subprocess.run(
        [sys.executable, __file__, name, str(count), str(seed)], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


# --- one run ---------------------------------------------------------------------------------------------------------


def _load() -> None:
    """Load what an update needs, so that forks have it; no thread must be started."""
    import duckdb  # noqa: F401

    import outclass.answers.comparison
    import outclass.ask.compare
    import outclass.ask.update
    import outclass.cli.update
    import outclass.planning.anytime
    import outclass.report.formats  # noqa: F401


class _Run:
    """One run of the command, forked or as a new process."""

    def __init__(self, folder: Path, arguments: Sequence[str], *, fresh: bool, step: int = 0) -> None:
        self.arguments, self.start = list(arguments), time.monotonic()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  open as long as the run
        self.pid = self._spawned(folder) if fresh else self._forked(folder, step)
        self.status: int | None = None

    def _spawned(self, folder: Path) -> int:
        process = subprocess.Popen(
            [sys.executable, "-m", "outclass", *self.arguments],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
        )
        return process.pid

    def _forked(self, folder: Path, step: int) -> int:
        pid = os.fork()
        if pid:
            return pid
        status = 70
        try:
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(self._said.fileno(), 2)
            random.seed()
            if step:
                _kill_at(step)
            from outclass.cli.entry import _run

            sys.argv = ["outclass", *self.arguments]
            status = _run()
            sys.stderr.flush()
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(status)

    def is_over(self) -> bool:
        """Return whether it has ended."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
                self.seconds = time.monotonic() - self.start
        return self.status is not None

    def wait(self, most: float = LONGEST) -> bool:
        """Wait for the end; return whether it came in time."""
        end = self.start + most
        while not self.is_over() and time.monotonic() < end:
            time.sleep(0.002)
        return self.is_over()

    def kill(self) -> None:
        """End it without notice."""
        if not self.is_over():
            os.kill(self.pid, signal.SIGKILL)
            while not self.is_over():
                time.sleep(0.001)

    def said(self) -> str:
        """Return what it wrote to its standard error."""
        self._said.seek(0)
        return self._said.read().decode(errors="replace")


def _kill_at(step: int) -> None:
    """Let this process kill itself at one of the steps of writing."""
    left = [step]

    def counted(own: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return own(*arguments, **more)

        return run

    def armed(path: Any, *more: Any) -> Any:
        # Only once writing begins: what is opened before is read.
        if not hasattr(os, "_armed"):
            os._armed = True  # type: ignore[attr-defined]
            for name in STEPS:
                setattr(os, name, counted(getattr(os, name)))
        return whole(path, *more)

    from outclass.data import state

    whole = state.write_whole
    state.write_whole = armed  # type: ignore[assignment]


# --- what is checked -------------------------------------------------------------------------------------------------


class _Ledger:
    """A state, the files that may be in it, and what it must be."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder, self.rng, self.state = folder, rng, folder / "s.json"
        self.rows: dict[str, list[tuple[str, str, str]]] = {}
        self.held: list[str] = []

    def file(self) -> str:
        """Write another file; no two are alike. The truth is of one class, so that only the sign model answers."""
        name = f"b{len(self.rows)}.csv"
        rows = [("x", self.rng.choice("xy"), self.rng.choice("xy")) for _ in range(ROWS)]
        with (self.folder / name).open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(["id", "gold", "a", "b"])
            writer.writerows((f"{name}-{at}", *row) for at, row in enumerate(rows))
        self.rows[name] = rows
        return name

    def arguments(self, name: str, *, answer: bool = False) -> list[str]:
        """Return the command that adds a file, and that answers or not."""
        model = ["--model", "sign"] if answer else []
        return ["update", "s.json", name, "--truth", "gold", "--id", "id", *model]

    def text_with(self, *more: str) -> str:
        """Return the state that holds what it held, and more."""
        import outclass as oc

        rows = [row for name in (*self.held, *more) for row in self.rows[name]]
        return oc.Outcomes.of_rows(("a", "b"), rows, [1] * len(rows)).to_json() if rows else ""

    def text(self) -> str:
        return self.state.read_text() if self.state.exists() else ""

    def is_listed(self) -> bool:
        """Return whether the list holds what the state holds, each file once."""
        from outclass.data.state import State

        found = Counter(entry.name for entry in State.open(self.state).entries)
        return found == Counter(self.held)

    def litter(self) -> int:
        return sum(path.name.startswith(".s.json") for path in self.folder.iterdir())


def _kills(count: int, seed: int, folder: Path) -> dict[str, float]:
    ledger, rng = _Ledger(folder, random.Random(seed)), random.Random(seed + 1)
    found = Counter(dict.fromkeys(("tries", "completed", "kept", "lost", "doubled", "busy", "tracebacks", "hung"), 0))
    name = ledger.file()
    worst = life = _go_on(ledger, name, found)
    while found["tries"] < count:
        # What was killed is tried again, until it is there.
        name = ledger.file() if name in ledger.held else name
        number = found["tries"] + found["completed"]
        fresh = number % FRESH == FRESH - 1
        step = rng.randint(1, 26) if number % 2 else 0
        run = _Run(folder, ledger.arguments(name, answer=not step), fresh=fresh, step=step)
        over = run.wait(rng.uniform(0, life * (6 if fresh else 1.2)) if fresh or not step else LONGEST)
        found["hung"] += not over and step > 0 and not fresh
        run.kill()
        said = run.said()
        found["tracebacks"] += "Traceback" in said
        found["tries" if run.status == -signal.SIGKILL else "completed"] += 1
        if run.status not in (0, -signal.SIGKILL):
            found["lost"] += 1
            sys.stderr.write(f"{run.arguments}: {run.status}: {said}\n")
        _settle(ledger, name, found, ended=run.status == 0)
        if rng.random() < 0.05 or found["tries"] == count:
            life = 0.5 * life + 0.5 * _go_on(ledger, name, found)
            worst = max(worst, life)
    found["lost"] += ledger.text() != ledger.text_with()
    return {**found, "files": len(ledger.rows), "litter": ledger.litter(), "worst_seconds": round(worst, 2)}


def _settle(ledger: _Ledger, name: str, found: "Counter[str]", *, ended: bool) -> None:
    """Check that the state holds a file once or not at all, and note which."""
    text = ledger.text()
    if text == ledger.text_with(name):
        ledger.held.append(name)
        found["kept"] += not ended
    elif text == ledger.text_with():
        found["lost"] += ended  # it was said to be there
    else:
        found["doubled" if text == ledger.text_with(name, name) else "lost"] += 1
    found["lost"] += not ledger.is_listed()


def _go_on(ledger: _Ledger, name: str, found: "Counter[str]") -> float:
    """Update with a file again, undisturbed: it is added, or was already."""
    there = name in ledger.held
    run = _Run(ledger.folder, ledger.arguments(name), fresh=False)
    found["hung"] += not run.wait()
    run.kill()
    said = run.said()
    found["tracebacks"] += "Traceback" in said
    found["busy"] += run.status == 75
    if there:
        found["doubled"] += run.status != 2 or "already been counted" not in said or ledger.text() != ledger.text_with()
    else:
        _settle(ledger, name, found, ended=run.status == 0)
        found["lost"] += run.status != 0
    return run.seconds


def _concurrent(count: int, seed: int, folder: Path) -> dict[str, float]:
    ledger, rng = _Ledger(folder, random.Random(seed)), random.Random(seed + 1)
    found = Counter(
        dict.fromkeys(
            ("tries", "completed", "lost", "doubled", "busy", "refused", "waited", "tracebacks", "hung", "reads"), 0
        )
    )
    worst, twice = 0.0, Counter[str]()
    running: list[tuple[str, _Run]] = []
    ended: list[tuple[str, _Run]] = []
    while found["tries"] < count or running:
        while found["tries"] < count and len(running) < AT_ONCE:
            found["tries"] += 1
            fresh = found["tries"] % FRESH == 0
            name = ledger.file()
            # One file of many comes from two processes at once, of which one must be told that it is there.
            again = found["tries"] < count and rng.random() < 0.05
            arguments = ledger.arguments(name, answer=rng.random() < 0.1)
            running += [(name, _Run(folder, arguments, fresh=fresh)) for _ in range(1 + again)]
            found["tries"] += again
            twice[name] += 1 + again
            if rng.random() < 0.02 and ledger.state.exists():
                found["reads"] += 1
                running.append(("", _Run(folder, ["compare", "s.json", "--model", "sign"], fresh=False)))
        for pair in [pair for pair in running if pair[1].is_over() or time.monotonic() - pair[1].start > LONGEST]:
            running.remove(pair)
            ended.append(pair)
            found["hung"] += not pair[1].is_over()
            pair[1].kill()
        time.sleep(0.02)
    for name, run in ended:
        said = run.said()
        worst = max(worst, run.seconds)
        found["tracebacks"] += "Traceback" in said
        found["busy"] += run.status == 75
        found["waited"] += "waiting" in said
        if run.status == 0:
            found["completed"] += bool(name)
            ledger.held += [name] * bool(name)
        elif run.status == 2 and "already been counted" in said and twice[name] == 2:
            found["refused"] += 1
        elif run.status != 75:
            found["lost"] += 1
            sys.stderr.write(f"{run.arguments}: {run.status}: {said}\n")
    found["doubled"] += sum(many > 1 for many in Counter(ledger.held).values())
    found["lost"] += ledger.text() != ledger.text_with() or not ledger.is_listed()
    return {**found, "litter": ledger.litter(), "worst_seconds": round(worst, 2)}


def _main(name: str, count: int, seed: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="outclass-kills-"))
    (folder / "aside").mkdir()
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "aside")
    os.environ["COLUMNS"] = "80"
    try:
        _load()
        start = time.monotonic()
        found = {"kills": _kills, "concurrent": _concurrent}[name](count, seed, folder)
        found["seconds"] = round(time.monotonic() - start, 1)
        sys.stdout.write(json.dumps(found) + "\n")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
