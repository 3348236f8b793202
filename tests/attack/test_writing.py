"""Where an answer goes: odd paths, full disks, and a run that is killed at any moment."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from attacking import outclass, refused

GOOD = "id,gold,a,b\n" + "".join(f"{n},{n % 2},{int(n % 3 == 0)},{int(n % 5 < 2)}\n" for n in range(40))
ASK = ("compare", "good.csv", "--truth", "gold", "--id", "id")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.csv").write_text(GOOD)
    return tmp_path


PATHS = {
    "device that is full": (("-o", "/dev/full"), "No space left"),
    "folder": (("-o", "inner"), "is a directory"),
    "folder by a link": (("-o", "link"), "is a directory"),
    "below a file": (("-o", "good.csv/x.json"), "no folder"),
    "report below a file": (("--report", "good.csv/x.html"), "no folder"),
    "report that is no page": (("--report", "r.csv"), "ends in .html"),
    "both in one": (("--report", "r.html", "-o", "../x/r.html"), "same file"),
    "name too long": (("-o", "x" * 300 + ".json"), "too long"),
    "line break": (("-o", "no\nwhere/x.json"), "no folder"),
}


@pytest.mark.parametrize("case", PATHS)
def test_odd_paths(tmp_path: Path, case: str) -> None:
    """What cannot be written is refused in a sentence, and nothing is left behind."""
    folder = tmp_path / "x"
    (folder / "inner").mkdir(parents=True)
    (folder / "link").symlink_to("inner")
    (folder / "good.csv").write_text(GOOD)
    arguments, hint = PATHS[case]
    refused(outclass(*ASK, "--format", "json", *arguments, cwd=folder), hint)
    assert sorted(path.name for path in folder.iterdir()) == ["good.csv", "inner", "link"]
    assert not list((folder / "inner").iterdir())
    assert (folder / "good.csv").read_text() == GOOD


def test_a_link_stays_a_link(folder: Path) -> None:
    """What a link points to is replaced; a link to nowhere makes the file it names; odd names are names."""
    (folder / "real.json").write_text("old")
    (folder / "link.json").symlink_to("real.json")
    for name in ("link.json", "*.json", "a\nb.json", "..json"):
        result = outclass(*ASK, "-o", name, cwd=folder)
        assert result.returncode == 0, result.stderr
        assert json.loads((folder / name).read_text())
    assert (folder / "link.json").is_symlink()
    assert (folder / "real.json").read_text() != "old"


def test_the_input_itself_is_not_overwritten(folder: Path) -> None:
    """An answer written over its own data would be the end of them."""
    refused(outclass(*ASK, "-o", "good.csv", cwd=folder), "is what is read")
    (folder / "again.csv").symlink_to("good.csv")
    refused(outclass(*ASK, "-o", "again.csv", cwd=folder), "is what is read")
    assert (folder / "good.csv").read_text() == GOOD


def test_no_input_of_any_kind_is_overwritten(folder: Path) -> None:
    """What a glob, a database's URL, judgements, runs, a pilot and a pool stand for is read, too."""
    refused(outclass("compare", "go*.csv", *ASK[2:], "-o", "good.csv", cwd=folder), "is what is read")
    with sqlite3.connect(folder / "d.db") as database:
        database.execute("CREATE TABLE t (gold, a, b)")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", [(n % 2, n % 3 == 0, n % 2) for n in range(40)])
    database.close()
    refused(outclass("compare", "sqlite:///d.db#t", *ASK[2:], "-o", "d.db", cwd=folder), "is what is read")
    for name in ("q.txt", "r1", "r2"):
        (folder / name).write_text("1 0 d 1\n")
    runs = ("compare", "--qrels", "q.txt", "--run", "r1", "--run", "r2")
    refused(outclass(*runs, "-o", "q.txt", cwd=folder), "is what is read")
    refused(outclass(*runs, "-o", "r2", cwd=folder), "is what is read")
    refused(outclass("plan", "--pilot", "good.csv", *ASK[2:], "-o", "good.csv", cwd=folder), "is what is read")
    (folder / "good.html").write_text(GOOD)
    refused(outclass("report", "good.html", *ASK[2:], "-o", "good.html", cwd=folder), "is what is read")
    assert (folder / "good.csv").read_text() == (folder / "good.html").read_text() == GOOD


# No file grows beyond some bytes, as on a full disk. Set in the child: to fork a process with threads is unsafe.
FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
sys.dont_write_bytecode = True
from outclass.cli.entry import _run
sys.argv = ["outclass", *sys.argv[1:]]
sys.exit(_run())
"""


def on_a_full_disk(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run the command where nothing more can be written; not even what `make cover` would note."""
    return subprocess.run(
        [sys.executable, "-c", FULL, *arguments],
        cwd=cwd,
        env={name: value for name, value in os.environ.items() if not name.startswith("COV")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.parametrize("arguments", [("-o", "out.json"), ("--report", "out.html", "-o", "other.json"), ("update",)])
def test_a_full_disk(folder: Path, arguments: tuple[str, ...]) -> None:
    """What was there stays as it was, and nothing is left behind."""
    for name in ("out.json", "out.html", "other.json"):
        (folder / name).write_text("old")
    asked = (*ASK, "--format", "json", *arguments)
    if arguments == ("update",):
        assert outclass("update", "s.json", *ASK[1:], cwd=folder).returncode == 0
        (folder / "more.csv").write_text(GOOD.replace("\n1,1,", "\n1,0,"))
        asked = ("update", "s.json", "more.csv", *ASK[2:])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    refused(on_a_full_disk(*asked, cwd=folder), "File too large")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


KILLS = """
import json, os, random, signal, time
from pathlib import Path
import outclass as oc
from outclass.atomic import write_whole

data = {"gold": ["x", "y", "x"] * 50, "a": ["x", "y", "y"] * 50, "b": ["y", "y", "x"] * 50}
oc.update("s.json", data, truth="gold")
rng, items, kills = random.Random(7), 150, 0
while kills < 40:
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        # A process that writes without pause: most of its moments are those of writing.
        for turn in range(100_000):
            oc.update("s.json", data, truth="gold")
            write_whole(Path("out.json"), "[" + "0, " * 20_000 + "1]")
            os.write(theirs, b"x")
        os._exit(0)
    os.read(ours, 1)  # it has written once
    time.sleep(rng.uniform(0.0, 0.05))
    os.kill(child, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    kills += 1
    os.close(ours)
    os.close(theirs)
    now = sum(row[-1] for row in json.loads(Path("s.json").read_text())["outcomes"])
    assert now >= items and now % 150 == 0, now
    items = now
    if os.path.exists("out.json"):
        assert json.loads(Path("out.json").read_text())[-1] == 1
assert oc.update("s.json", data, truth="gold").items == items + 150
print(kills, items)
"""


def test_killed_at_any_moment(folder: Path) -> None:
    """Forty kills: every time the state and the answer are whole, and the next run goes on from them."""
    result = subprocess.run(
        [sys.executable, "-c", KILLS], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )
    assert result.returncode == 0, result.stderr
    kills, items = map(int, result.stdout.split())
    assert kills == 40
    assert items > 150, "no writer came so far as to write"
    # What was half-written lies beside, under a name that nothing reads: a glob of tables does not find it.
    own = ("s.json", "s.json.seen", "out.json", "good.csv")
    litter = [path for path in folder.iterdir() if path.name not in own]
    assert all(path.name.startswith(".out.json.outclass-") for path in litter), "the last update clears its own"
    assert not [path for path in litter if path.suffix in (".csv", ".json", ".jsonl", ".parquet")]
