"""Many systems, classes and rows, and small files that hold many: what a command takes, and whether it said so first.

`rows()` runs commands as a user does, and returns one dict per case: its name, the command, the seconds, the megabytes
of the largest process, the exit status, and what was said before the work; and the symptom, if it broke the rule that
no input under 10 MB takes more than 60 seconds or 2 GB unless the cost was said first. `scale()` and `limits()` sum
them up for `make attack`.
"""

import csv
import gzip
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

MOST_SECONDS: Final = 60.0
MOST_MEGABYTES: Final = 2_000.0
LIMIT: Final = 120.0  # seconds, after which a command is stopped; one that said its cost is stopped soon after
WAIT: Final = 20.0  # seconds
SAID: Final = ("will take about", "takes about")
SYSTEMS: Final = ["--truth", "truth", "--positive", "1"]
TWO: Final = ["--system", "s0", "--system", "s1"]
CLASSES: Final = ["--truth", "truth"]
LABELS: Final = ["--truth", "truth", "--separator", ";"]
# The file that each case reads, by name; the command; and whether a quick run has it.
Case = tuple[str, str, list[str], bool]
CASES: Final[tuple[Case, ...]] = (
    ("rank 1,000 systems", "systems.csv", ["rank", *SYSTEMS], False),
    ("compare 1,000 systems", "systems.csv", ["compare", *SYSTEMS], True),
    ("test 1,000 systems", "systems.csv", ["test", *SYSTEMS], True),
    ("evaluate 1,000 systems", "systems.csv", ["evaluate", *SYSTEMS], False),
    ("compare 10,000 classes", "classes.csv", ["compare", *CLASSES], False),
    ("compare 10,000 classes, accuracy", "classes.csv", ["compare", *CLASSES, "--measure", "accuracy"], True),
    ("compare 10,000 classes, one by one", "classes.csv", ["compare", *CLASSES, "--by", "label"], False),
    ("evaluate 10,000 classes", "classes.csv", ["evaluate", *CLASSES], False),
    ("rank 10,000 classes", "classes.csv", ["rank", *CLASSES], False),
    ("test 10,000 classes", "classes.csv", ["test", *CLASSES], False),
    ("page of 2,000 labels", "labels.csv", ["compare", *CLASSES, "--by", "label", "--report", "page.html"], False),
    ("compare 2,000 of many labels", "many.csv", ["compare", *LABELS], False),
    ("test 2,000 of many labels", "many.csv", ["test", *LABELS], False),
    ("evaluate 1e6 rows of 50 systems", "rows.parquet", ["evaluate", *SYSTEMS], False),
    ("compare two of 50 systems on 1e6 rows", "rows.parquet", ["compare", *SYSTEMS, *TWO], False),
    ("rank 1,000 systems by results", "results.csv", ["rank", "--scores"], False),
    ("compare 1,000 systems by results", "results.csv", ["compare", "--scores"], True),
)
# Of each kind of data, a compressed file that holds so many megabytes of rows; and what is asked of it.
ROADS: Final[dict[str, tuple[str, str, list[str]]]] = {
    "labels": ("truth,a,b", "1,0,1 0,0,0 1,1,1 0,1,0", ["--truth", "truth"]),
    "groups": ("truth,a,b,g", "1,0,1,x 0,0,0,y 1,1,1,z 0,1,0,w 1,1,0,v 0,0,1,u", ["--truth", "truth", "--group", "g"]),
    "lists": ("truth,a,b", "p;q,p,q q,q,q p,p;q,q r,p;r,", ["--truth", "truth", "--separator", ";"]),
    "scores": ("truth,a,b", "1,.5,.6 0,.5,.1 1,.7,.2 0,.3,.1", ["--truth", "truth", "--scores"]),
    "results": ("a,b", ".5,.6 .5,.1 .7,.2 .3,.1", ["--scores"]),
}
MEGABYTES: Final = (4, 16, 100)
BOMBS: Final[tuple[Case, ...]] = tuple(
    (
        f"{command} {size} MB of {road}",
        f"{road}-{size}.csv.gz",
        [command, *options],
        (command, size) == ("compare", 100),
    )
    for size in MEGABYTES
    for road, (_, _, options) in ROADS.items()
    for command in ("compare", "test", "rank", "evaluate")
)


def scale(
    *, count: int | None = None, seed: int = 1, seconds: float | None = None, quick: bool = False
) -> dict[str, Any]:
    """Run the cases and sum them up."""
    return summed(rows(count=count, seed=seed, seconds=seconds, quick=quick))


def limits(
    *, count: int | None = None, seed: int = 1, seconds: float | None = None, quick: bool = False
) -> dict[str, Any]:
    """Run small compressed files that hold millions of rows, and sum them up."""
    return summed(rows(BOMBS, count=count, seed=seed, seconds=seconds, quick=quick))


def summed(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Sum up what was run."""
    return {
        "count": len(found),
        "failures": {case["name"]: case["failure"] for case in found if case["failure"]},
        "slowest": max(((case["seconds"], case["name"]) for case in found), default=(0.0, "")),
        "largest": max(((case["megabytes"], case["name"]) for case in found), default=(0, "")),
        "rows": found,
    }


def rows(
    cases: Sequence[Case] = CASES,
    *,
    count: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    quick: bool = False,
) -> list[dict[str, Any]]:
    """Run the cases, the quick ones alone if asked, until the time is out."""
    found: list[dict[str, Any]] = []
    until = time.monotonic() + (seconds or 1e9)
    with tempfile.TemporaryDirectory(prefix="outclass-scale-") as place:
        folder = Path(place)
        for name, file, command, is_quick in cases:
            if (quick and not is_quick) or (count is not None and len(found) >= count) or time.monotonic() > until:
                continue
            if not (folder / file).exists():
                make = _packed if file.endswith(".gz") else MAKERS[file]
                make(folder / file, np.random.default_rng(seed))
            found.append(_run(name, [command[0], file, *command[1:]], folder))
    return found


def _run(name: str, command: Sequence[str], folder: Path) -> dict[str, Any]:
    """Run one command in a process group of its own; its memory is that of its largest process."""
    begun = time.monotonic()
    with (folder / "stderr").open("w+") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "outclass", *command],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
        )
        ended, code, used = os.wait4(process.pid, os.WNOHANG)
        while not ended and time.monotonic() < begun + (WAIT if _said((folder / "stderr").read_text()) else LIMIT):
            time.sleep(0.05)
            ended, code, used = os.wait4(process.pid, os.WNOHANG)
        if not ended:
            os.killpg(process.pid, signal.SIGKILL)
            _, _, used = os.wait4(process.pid, 0)
        status: int | str = os.waitstatus_to_exitcode(code) if ended else "stopped"
        process.returncode = 0  # it was waited for
        stderr.seek(0)
        told = stderr.read()
    took, megabytes = time.monotonic() - begun, used.ru_maxrss / 1024
    said = _said(told)
    return {
        "name": name,
        "command": " ".join(["outclass", *command]),
        "seconds": round(took, 1),
        "megabytes": round(megabytes),
        "status": status,
        "said": said,
        "failure": _failure(took, megabytes, status, said, told),
    }


def _said(told: str) -> str:
    """Return the line with the cost, if it was said."""
    return next((line for line in told.splitlines() if any(words in line for words in SAID)), "")


def _failure(seconds: float, megabytes: float, status: int | str, said: str, told: str) -> str:
    """Return what is wrong with how a command ended; nothing if it kept the rule."""
    if "Traceback" in told:
        return "a traceback"
    if status not in (0, 2) and not (status == "stopped" and said):
        return f"status {status}"
    if status == 2 and not said and "GB allowed" not in told:
        return f"not answered: {told.strip()[:160]}"
    if not said and (seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES):
        return f"{seconds:.0f} s and {megabytes:.0f} MB, and nothing was said"
    return ""


# --- the files ---------------------------------------------------------------------------------------------------


def _table(path: Path, truth: Any, systems: Sequence[Any]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["truth", *(f"s{at}" for at in range(len(systems)))])
        writer.writerows(zip(truth, *systems, strict=True))


def _drawn(truth: Any, labels: int, right: float, rng: np.random.Generator) -> Any:
    return np.where(rng.random(len(truth)) < right, truth, rng.integers(0, labels, len(truth)))


def _systems(path: Path, rng: np.random.Generator) -> None:
    truth = rng.integers(0, 2, 200)
    _table(path, truth, [_drawn(truth, 2, right, rng) for right in np.linspace(0.5, 0.9, 1_000)])


def _classes(labels: int) -> Callable[[Path, np.random.Generator], None]:
    def make(path: Path, rng: np.random.Generator) -> None:
        truth = rng.integers(0, labels, 20_000)
        _table(path, truth, [_drawn(truth, labels, right, rng) for right in (0.7, 0.75)])

    return make


def _many(path: Path, rng: np.random.Generator) -> None:
    truth = [set(rng.choice(2_000, 3, replace=False).tolist()) for _ in range(10_000)]
    systems = [
        [{each for each in own if rng.random() < kept} | {int(rng.integers(2_000))} for own in truth]
        for kept in (0.7, 0.75)
    ]
    truths, *others = [[";".join(map(str, sorted(own))) for own in column] for column in (truth, *systems)]
    _table(path, truths, others)


def _rows(path: Path, rng: np.random.Generator) -> None:
    import duckdb

    picked = ", ".join(
        f"CASE WHEN random() < {0.6 + 0.006 * at} THEN truth ELSE (random() < 0.5)::TINYINT END AS s{at}"
        for at in range(50)
    )
    with duckdb.connect() as connection:
        connection.execute(f"SELECT setseed({rng.random()})")
        connection.execute(
            f"COPY (SELECT truth, {picked} FROM (SELECT (random() < 0.5)::TINYINT AS truth FROM range(1000000))) "
            f"TO '{path}' (FORMAT parquet)"
        )


def _results(path: Path, rng: np.random.Generator) -> None:
    values = rng.random((200, 1_000)) + np.linspace(0, 0.2, 1_000)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([f"s{at}" for at in range(1_000)])
        writer.writerows(np.round(values, 4).tolist())


def _packed(path: Path, _: np.random.Generator) -> None:
    road, _, size = path.name.removesuffix(".csv.gz").partition("-")
    header, lines, _ = ROADS[road]
    block = (lines.replace(" ", "\n") + "\n").encode()
    with gzip.open(path, "wb", compresslevel=9) as stream:
        stream.write(f"{header}\n".encode())
        for _ in range(int(size)):
            stream.write(block * (1_000_000 // len(block)))


MAKERS: Final[dict[str, Callable[[Path, np.random.Generator], None]]] = {
    "systems.csv": _systems,
    "classes.csv": _classes(10_000),
    "labels.csv": _classes(2_000),
    "many.csv": _many,
    "rows.parquet": _rows,
    "results.csv": _results,
}


if __name__ == "__main__":
    for case in rows(BOMBS if "--limits" in sys.argv else CASES, quick="--quick" in sys.argv):
        told = case["failure"] or case["said"]
        print(
            f"{case['seconds']:6} s {case['megabytes']:5} MB, status {case['status']}: {case['command']}  {told}",
            flush=True,
        )
