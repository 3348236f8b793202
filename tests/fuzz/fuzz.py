"""Broken inputs into every reader: `make fuzz RUNS=30000`, or `SECONDS=60`, or `READER=csv`.

An input must give a value or an OutclassError, in a sentence that a terminal can show, within seconds and within bounds
of memory. Inputs are made from the corpus and from what was met on the way: an input that reaches a new line of
outclass, or an outcome not seen before, is broken further. Whatever is found is written to the corpus, made small, and
stays there: tests/fuzz/test_fuzz.py replays it.

Each reader runs in a process of its own, which may be killed or die: the input at hand lies in memory that is shared.
"""

import argparse
import json
import mmap
import os
import resource
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Final

from mutator import Mutator

import readers

SLOW: Final = 5.0  # seconds: what takes longer is a hang
DEAD: Final = 60.0  # seconds after which a process is killed
MEMORY: Final = 6 << 30  # bytes of address space
LONGEST: Final = 6_000  # letters of a message
ENOUGH: Final = 20_000  # inputs of a reader
POOL: Final = 400  # inputs that are kept to be broken further
TRACED: Final = 24  # one of so many inputs is followed line by line, which takes ten times as long
SOURCE: Final = str(Path(readers.files.__file__).parents[1])
MEMORY_DISK: Final = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
PAGE: Final = Path(__file__).parents[2] / "docs" / "fuzz.md"


HEAD: Final = """\
# Fuzzing the readers

Every reader is tested with deliberately corrupted inputs: flipped bytes, truncated, spliced and repeated files,
numbers at the limits of their types, NaN, NULs, byte-order marks, UTF-16, unclosed quotes, ragged rows, duplicate
column names, control characters, SQL, deep nesting. Each input must give a value or a one-sentence, printable error,
within five seconds of CPU time and six gigabytes of address space; whatever was read must survive saving and loading.
Inputs that reach new lines of outclass or new errors are mutated further. Every failure found was fixed, is kept in
`tests/fuzz/corpus` and is replayed by the tests.

`make fuzz RUNS=20000` (per reader, or a multiple for fast ones) generates this page; `SECONDS=60` sets a time limit,
and `READER=text` selects a reader.

| reader | inputs | values | outcomes | lines | seconds | slowest | memory (MB) | current failures | fixed failures |
|:---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"""
FOOT: Final = """
*Values* is the number of inputs that were valid; *outcomes* counts the kinds of values and distinct errors; *lines* is
the number of lines of outclass that were reached. *Failures* are inputs that raised an unexpected exception,
crashed, or produced unprintable messages. Memory is that of the process, including libraries; seconds are wall-clock
times on a busy machine, while the limit refers to CPU time.
"""


@dataclass
class Tally:
    """What came of the inputs of one reader."""

    inputs: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    megabytes: int = 0
    values: int = 0
    outcomes: set[str] = field(default_factory=set)
    lines: set[tuple[str, int]] = field(default_factory=set)
    faults: dict[str, bytes] = field(default_factory=dict)


def outcome_of(read: Callable[[bytes, Path], Any], data: bytes, folder: Path) -> tuple[str, str]:
    """Return what came of an input, 'value', 'refused' or 'fault', and what kind of it."""
    start = time.process_time()  # of this process: the machine may be busy
    try:
        value = read(data, folder)
        kind, told = "value", type(value).__name__
    except readers.OutclassError as error:
        kind, told = "refused", str(error)
        if wrong := wrong_message(told):
            return "fault", f"{wrong}: {type(error).__name__} {_place(error)}"
        told = _place(error, lines=True)  # what a sentence is about changes with the input; where it is made does not
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return "fault", f"{type(error).__name__} {_place(error)}"
    return ("fault", "slow") if time.process_time() - start > SLOW else (kind, told)


def wrong_message(told: str) -> str:
    """Return what is wrong with the sentence of an error, if anything is."""
    if not told.strip():
        return "empty message"
    if len(told) > LONGEST:
        return "message too long"
    if not all(sign.isprintable() or sign == "\n" for sign in told):
        return "control characters in the message"
    return ""


def _place(error: BaseException, *, lines: bool = False) -> str:
    """Return where in outclass an error was raised."""
    told, trace = "outside", error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(SOURCE):
            told = f"{Path(code.co_filename).name}:{trace.tb_lineno if lines else code.co_name}"
        trace = trace.tb_next
    return told


class _Lines:
    """The lines of outclass that an input reaches."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int]] = set()

    def __enter__(self) -> "_Lines":
        self._before = sys.gettrace()  # of `make cover`
        sys.settrace(self._call)
        return self

    def __exit__(self, *what: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(SOURCE) else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        self.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


def smaller(read: Callable[[bytes, Path], Any], data: bytes, folder: Path, fault: str, tries: int = 300) -> bytes:
    """Take away from an input what its fault does not need."""
    size = max(1, len(data) // 2)
    while size and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            less = data[:at] + data[at + size :]
            tries -= 1
            if outcome_of(read, less, folder) == ("fault", fault):
                data = less
            else:
                at += size
        size //= 2
    return data


class _Box:
    """Memory shared with the process that reads: what it reads, since when, and how many were read."""

    def __init__(self) -> None:
        self._map = mmap.mmap(-1, 1 << 20)

    def put(self, number: int, data: bytes) -> None:
        head = b"%d %f %d\n" % (number, time.time(), len(data))
        self._map[: len(head) + len(data)] = head + data

    def get(self) -> tuple[int, float, bytes]:
        head, _, rest = self._map[:].partition(b"\n")
        number, since, size = head.split()
        return int(number), float(since), rest[: int(size)]


@contextmanager
def checking() -> Iterator[Path]:
    """Make a folder for inputs, in which a warning is an error: a user would see it and wonder."""
    with (
        tempfile.TemporaryDirectory(prefix="fuzz-", dir=MEMORY_DISK) as folder,
        warnings.catch_warnings(),
        readers.sharing(),
    ):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"(?!outclass)")
        yield Path(folder)


def fuzz(name: str, runs: int, seconds: float, seed: str, box: _Box | None = None, *, small: bool = True) -> Tally:
    """Break inputs of one reader, in this process."""
    own, tally = readers.READERS[name], Tally()
    pool = readers.seeds(name)
    mutator = Mutator(f"{name} {seed}", own.tokens)
    begun = time.perf_counter()
    with checking() as folder:
        while tally.inputs < runs and (tally.seconds < seconds or tally.inputs == 0):
            data = mutator.one(pool, own.most)
            if box is not None:
                box.put(tally.inputs, data)
            start = time.perf_counter()
            if tally.inputs % TRACED == 0:
                with _Lines() as lines:
                    kind, told = outcome_of(own.read, data, folder)
                new = not lines.seen <= tally.lines
                tally.lines |= lines.seen
            else:
                kind, told = outcome_of(own.read, data, folder)
                new = False
                tally.slowest = max(tally.slowest, time.perf_counter() - start)
            tally.inputs += 1
            tally.values += kind == "value"
            tally.seconds = time.perf_counter() - begun
            if kind == "fault":
                if told not in tally.faults:
                    tally.faults[told] = smaller(own.read, data, folder, told) if small and told != "slow" else data
                continue
            if new or f"{kind} {told}" not in tally.outcomes:
                tally.outcomes.add(f"{kind} {told}")
                pool.append(data)
                if len(pool) > POOL:
                    del pool[mutator.random.randrange(len(pool))]
    tally.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return tally


def apart(name: str, runs: int, seconds: float, seed: str) -> Tally:
    """Break inputs of one reader in processes of their own, which may die."""
    whole, part_of = Tally(), 0
    while whole.inputs < runs and (whole.seconds < seconds or part_of == 0):
        part = _child(name, runs - whole.inputs, seconds - whole.seconds, f"{seed} {part_of}")
        whole = Tally(
            inputs=whole.inputs + part.inputs,
            seconds=whole.seconds + part.seconds,
            slowest=max(whole.slowest, part.slowest),
            megabytes=max(whole.megabytes, part.megabytes),
            values=whole.values + part.values,
            outcomes=whole.outcomes | part.outcomes,
            lines=whole.lines | part.lines,
            faults=part.faults | whole.faults,
        )
        part_of += 1
    return whole


def _child(name: str, runs: int, seconds: float, seed: str) -> Tally:
    box, (ours, theirs) = _Box(), os.pipe()
    box.put(0, b"")
    begun = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(ours)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # libraries complain there, of what they then raise
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        status = 1
        try:
            found = fuzz(name, runs, seconds, seed, box)
            plain = {**vars(found), "outcomes": sorted(found.outcomes), "lines": sorted(found.lines)}
            plain["faults"] = {told: data.hex() for told, data in found.faults.items()}
            with os.fdopen(theirs, "w") as stream:
                json.dump(plain, stream)
            status = 0
        finally:
            os._exit(status)
    os.close(theirs)
    os.set_blocking(ours, False)
    received, why = b"", ""
    while True:
        try:
            block = os.read(ours, 1 << 16)
            received += block
            if not block:
                break
        except BlockingIOError:
            time.sleep(0.05)
            if time.time() - box.get()[1] > DEAD and not received:
                why = "hangs"
                os.kill(child, signal.SIGKILL)
    os.close(ours)
    _, status = os.waitpid(child, 0)
    if status == 0:
        plain = json.loads(received)
        return Tally(
            **{
                **plain,
                "outcomes": set(plain["outcomes"]),
                "lines": {(file, line) for file, line in plain["lines"]},
                "faults": {told: bytes.fromhex(data) for told, data in plain["faults"].items()},
            }
        )
    number, _, data = box.get()
    told = why or f"dies of {signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else 'itself'}"
    return Tally(inputs=number + 1, seconds=time.perf_counter() - begun, faults={told: data})


def keep(name: str, faults: dict[str, bytes]) -> None:
    """Write the inputs that were found to the corpus."""
    for told, data in faults.items():
        path = readers.CORPUS / name / f"found-{sha256(data).hexdigest()[:10]}"
        path.write_bytes(data)
        print(f"  {told}: {path.name}, {len(data)} bytes: {data[:60]!r}", flush=True)


def page(tallies: dict[str, dict[str, Any]], *, parts: bool = False) -> str:
    """Return the page of the tally."""
    lines = [HEAD]
    for name, row in tallies.items():
        before = len(list((readers.CORPUS / name).glob("found-*")))
        lines.append(
            f"| {name} | {row['inputs']:,} | {row['values']:,} | {row['outcomes']:,} | {row['lines']:,} "
            f"| {row['seconds']:,.0f} | {row['slowest']:.2f} | {row['megabytes']:,} | {row['faults']} | {before} |"
        )
    total = {key: sum(row[key] for row in tallies.values()) for key in ("inputs", "values", "seconds", "faults")}
    before = len(list(readers.CORPUS.rglob("found-*")))
    lines.append(
        f"| **all** | **{total['inputs']:,}** | {total['values']:,} | | | {total['seconds']:,.0f} | | "
        f"| **{total['faults']}** | {before} |"
    )
    lines.append(FOOT)
    few = [name for name, row in tallies.items() if row["inputs"] < ENOUGH]
    if few:
        lines.append(f"Fewer than {ENOUGH:,} inputs so far: {', '.join(few)}.\n")
    if parts:
        lines.append("This page combines several partial runs; failures found were fixed in between.\n")
    return "\n".join(lines)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", action="append", choices=list(readers.READERS), help="one or more; all if none")
    parser.add_argument("--runs", type=int, default=20_000, help="inputs of each, times its share")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="at most so long for each")
    parser.add_argument("--seed", default="0", help="other inputs")
    parser.add_argument("--tally", type=Path, help="a folder that keeps what came of each reader, for runs in parts")
    parser.add_argument("--page", action="store_true", help="write docs/fuzz.md")
    given = parser.parse_args()
    tallies: dict[str, dict[str, Any]] = {}
    for name in given.reader or readers.READERS:
        runs = int(given.runs * max(1.0, readers.READERS[name].share))
        found = apart(name, runs, given.seconds, given.seed)
        row = {key: getattr(found, key) for key in ("inputs", "values", "seconds", "slowest", "megabytes")}
        row |= {key: len(getattr(found, key)) for key in ("outcomes", "lines", "faults")}
        tallies[name] = row
        told = f"{row['inputs']:,} inputs, {row['outcomes']} outcomes, {row['faults']} faults"
        print(f"{name}: {told}, {row['seconds']:.0f} s, {row['megabytes']} MB", flush=True)
        keep(name, found.faults)
        if given.tally is not None:
            (given.tally / f"{name}.json").write_text(json.dumps(row), encoding="utf-8")
    if given.page and given.tally is not None:
        kept = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in given.tally.glob("*.json")}
        tallies = {name: kept[name] for name in readers.READERS if name in kept}
    if given.page:
        PAGE.write_text(page(tallies, parts=given.tally is not None), encoding="utf-8")
    return min(1, sum(row["faults"] for row in tallies.values()))


if __name__ == "__main__":
    sys.exit(main())
