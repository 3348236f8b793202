"""Bad input gets one clear sentence, exit status 2, no traceback, and leaves nothing half-written."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

from outclass.cli.entry import _run

GOOD = "id,gold,a,b\n" + "".join(f"{n},{n % 2},{int(n % 3 == 0)},{int(n % 5 < 2)}\n" for n in range(40))


def outclass(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command, in this process: to start sixty of them would take a minute."""
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd),
        mock.patch.dict(os.environ, {"COLUMNS": "80"}),
        mock.patch.object(sys, "argv", ["outclass", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = _run()
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


def refused(result: subprocess.CompletedProcess[str], hint: str) -> None:
    """Check that a run was refused in a sentence with the hint."""
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    assert hint in " ".join(result.stderr.replace("│", " ").split())
    assert result.stdout == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good file."""
    (tmp_path / "good.csv").write_text(GOOD)
    return tmp_path


TRUTH = ("--truth", "gold", "--id", "id")
FILES: dict[str, tuple[bytes, str]] = {
    "empty.csv": (b"", "is empty"),
    "header.csv": (b"gold,a,b\n", "no rows"),
    "binary.csv": (bytes(range(256)) * 4, "binary"),
    "latin.csv": ("gold,a,b\ncafé,thé,x\nx,x,x\n".encode("latin1"), "not UTF-8"),
    "twice.csv": (b"gold,a,a\n1,0,1\n0,1,1\n", "more than one column named 'a'"),
    "lone.csv": (b"gold\n1\n0\n", "no system column"),
    "one.csv": (b"gold,a\n1,1\n0,1\n", "only one system"),
    "ragged.csv": (b"gold,a,b\n1,0,1\n1,0,1,1,1\n", "Expected Number of Columns: 3"),
    "missing.csv": (b"gold,a,b\n1,,1\n0,1,0\n", "row 1: no label in 'a'"),
    "oneclass.csv": (b"gold,a,b\n1,0,1\n1,1,1\n", "compare with --model sign"),
    "three.csv": (b"gold,a,b\nx,y,z\ny,y,z\nz,z,z\n", "3 labels"),
    "unplain.csv": (b"gold,a,b\ncat,dog,cat\ndog,dog,cat\n", "which label is positive"),
    "scores.csv": (b"gold,a,b\n1,0.25,1\n0,1,0\n", "looks like a score"),
    "broken.jsonl": (b'{"gold": 1, "a": 0, "b": 1}\n{"gold": \n', "cannot be read"),
    "fake.parquet": (b"not parquet at all", "not a Parquet file"),
    "what.xyz": (b"gold,a,b\n", "unknown extension"),
}


@pytest.mark.parametrize("name", FILES)
def test_bad_files(tmp_path: Path, name: str) -> None:
    """A file that cannot be used is refused with the reason."""
    content, hint = FILES[name]
    (tmp_path / name).write_bytes(content)

    systems = [] if name in ("lone.csv", "twice.csv", "one.csv") else ["--system", "a", "--system", "b"]
    refused(outclass("compare", name, "--truth", "gold", "--measure", "f1", *systems, cwd=tmp_path), hint)


ARGUMENTS: dict[str, tuple[tuple[str, ...], str]] = {
    "missing file": (("god.csv", *TRUTH), "Did you mean 'good.csv'?"),
    "directory": ((".", *TRUTH), "is a directory"),
    "missing column": (("good.csv", "--truth", "glod"), "Did you mean 'gold'?"),
    "missing system": (("good.csv", "--truth", "gold", "--system", "aa", "--system", "b"), "no column 'aa'"),
    "system twice": (("good.csv", "--truth", "gold", "--system", "a", "--system", "a"), "one name twice"),
    "positive": (("good.csv", *TRUTH, "--positive", "7"), "does not occur"),
    "positive and by": (("good.csv", *TRUTH, "--positive", "1", "--by", "label"), "leave out --positive"),
    "by what": (("good.csv", *TRUTH, "--by", "size"), "no column 'size' (--by)"),
    "rope reversed": (("good.csv", *TRUTH, "--rope", "0.05,-0.05"), "reversed"),
    "rope negative": (("good.csv", *TRUTH, "--rope=-0.05"), "must not be negative"),
    "hdi mass": (("good.csv", *TRUTH, "--hdi-mass", "95"), "Did you mean 0.95?"),
    "measure": (("good.csv", *TRUTH, "--measure", "acuracy"), "Did you mean 'accuracy'?"),
    "model": (("good.csv", *TRUTH, "--model", "pared"), "Did you mean 'paired'?"),
    "prior": (("good.csv", *TRUTH, "--prior", "unifrom"), "Did you mean 'uniform'?"),
    "method": (("good.csv", *TRUTH, "--method", "exat"), "Did you mean 'exact'?"),
    "draws": (("good.csv", *TRUTH, "--method", "draws", "--draws", "3"), "between 100"),
    "tolerance": (("good.csv", *TRUTH, "--tolerance", "7"), "tolerance"),
    "seed": (("good.csv", *TRUTH, "--seed", "-1"), "seed"),
    "format": (("good.csv", *TRUTH, "--format", "jsn"), "Did you mean 'json'?"),
    "missing policy": (("good.csv", *TRUTH, "--missing", "keep"), "'drop'"),
    "count": (("good.csv", *TRUTH, "--count", "b", "--system", "a"), "only one system"),
    "two files": (("good.csv", "good.csv", "--truth", "gold"), "--id COL"),
    "output folder": (("good.csv", *TRUTH, "-o", "nowhere/x.json"), "no folder 'nowhere'"),
    "output directory": (("good.csv", *TRUTH, "-o", "."), "is a directory"),
    "no file": ((), "nothing to read: name a file"),
    "no truth": (("good.csv",), "which column holds the true labels? Say --truth COL; or --scores"),
    "no such option": (("good.csv", *TRUTH, "--ropes", "1"), "there is no option --ropes. Did you mean --rope?"),
}


@pytest.mark.parametrize("case", ARGUMENTS)
def test_bad_arguments(folder: Path, case: str) -> None:
    """A wrong argument is refused with what to do."""
    arguments, hint = ARGUMENTS[case]

    refused(outclass("compare", *arguments, cwd=folder), hint)
    assert [path.name for path in folder.iterdir()] == ["good.csv"]


PUBLISHED: dict[str, tuple[tuple[str, ...], str]] = {
    "one result": (("--counts", "tp=8,fp=3,fn=2,tn=7"), "--same-items needs two published results"),
    "no negatives": (("--counts", "tp=8,fp=3,fn=2", "--counts", "tp=8,fp=3,fn=2"), "add tn=N or n=N"),
    "other positives": (
        ("--counts", "tp=8,fp=3,fn=2,n=20", "--counts", "tp=8,fp=3,fn=3,n=20"),
        "have the same positives: A has 10, B 11. Check the counts, or leave out --same-items.",
    ),
    "a file": (("good.csv", "--truth", "gold"), "--same-items is not used with data whose items are counted"),
    "nothing": ((), "It goes with --counts"),
    "wins": (("--wins", "3,4", "--items", "20"), "--same-items is not used with wins"),
    "a model of test sets": (
        ("--counts", "tp=8,fp=3,fn=2,n=20", "--counts", "tp=7,fp=3,fn=3,n=20", "--model", "goutte"),
        "--model goutte is not for results on the same items (--same-items)",
    ),
    "no classes": (
        ("--counts", "accuracy=.9,n=20", "--counts", "accuracy=.8,n=20", "--measure", "f1"),
        "only accuracy and error are known",
    ),
    "unknown rate": (("--counts", "precison=.9,recall=.8,positives=20"), "Did you mean 'precision'?"),
    "no counts fit": (("--counts", "precision=.90,recall=.85,positives=7"), "the nearest, tp=6, fp=1, fn=1"),
}


@pytest.mark.parametrize("case", PUBLISHED)
def test_bad_published_results(folder: Path, case: str) -> None:
    """Published results that do not go together are refused with the reason."""
    arguments, hint = PUBLISHED[case]

    refused(outclass("compare", *arguments, "--same-items", cwd=folder), hint)


@pytest.mark.parametrize("count", ["-1", "1.5", "x", ""])
def test_bad_counts(tmp_path: Path, count: str) -> None:
    """A count that is negative, not whole, not a number or missing is refused."""
    (tmp_path / "c.csv").write_text(f"gold,a,b,n\n1,0,1,2\n0,0,1,{count}\n")

    refused(outclass("compare", "c.csv", "--truth", "gold", "--count", "n", cwd=tmp_path), "non-negative integers")


JOINS: dict[str, tuple[str, str, str]] = {
    "repeated": ("id,gold,p\n1,1,1\n1,0,1\n2,0,0\n", "id,gold,p\n1,1,1\n2,0,0\n", "occur more than once: '1'"),
    "only here": ("id,gold,p\n1,1,1\n2,0,0\n3,1,1\n", "id,gold,p\n1,1,1\n2,0,0\n", "1 id occurs in 'x.csv' but not"),
    "only there": (
        "id,gold,p\n1,1,1\n2,0,0\n",
        "id,gold,p\n1,1,1\n2,0,0\n9,1,1\n",
        "in 'y.csv' but not in 'x.csv': '9'",
    ),
    "truth differs": ("id,gold,p\n1,1,1\n2,0,0\n", "id,gold,p\n1,1,1\n2,1,0\n", "id '2': '0' and '1'"),
    "no id": ("id,gold,p\n1,1,1\n", "nr,gold,p\n1,1,1\n", "'y.csv' has no column 'id'"),
    "no truth": ("id,p\n1,1\n", "id,p\n1,1\n", "no file has a column 'gold'"),
    "empty id": ("id,gold,p\n,1,1\n", "id,gold,p\n1,1,1\n", "1 row of 'x.csv' has no id"),
}


@pytest.mark.parametrize("case", JOINS)
def test_bad_joins(tmp_path: Path, case: str) -> None:
    """One file per system must hold the same items and the same truth; up to five that do not are shown."""
    x, y, hint = JOINS[case]
    (tmp_path / "x.csv").write_text(x)
    (tmp_path / "y.csv").write_text(y)

    refused(outclass("compare", "x.csv", "y.csv", "--truth", "gold", "--id", "id", cwd=tmp_path), hint)


def test_unreadable_and_unwritable(folder: Path) -> None:
    """A file without permission is told as such, on the way in and on the way out."""
    if os.geteuid() == 0:
        # root may do anything: a path below a plain file is unwritable for everybody
        refused(outclass("compare", "good.csv", *TRUTH, "-o", "good.csv/x", cwd=folder), "cannot write")
    else:
        (folder / "good.csv").chmod(0)
        refused(outclass("compare", "good.csv", *TRUTH, cwd=folder), "cannot be read")


def test_full_disk_leaves_nothing(folder: Path) -> None:
    """A write that fails half-way leaves the old file as it was, and no other."""
    (folder / "out.json").write_text("old")
    code = (
        "import os, sys\n"
        "def full(*a): raise OSError(28, 'No space left on device')\n"
        "os.fsync = full\n"
        "from outclass.cli.entry import run\n"
        f"sys.argv = ['outclass', 'compare', 'good.csv', *{TRUTH!r}, '--format', 'json', '-o', 'out.json']\n"
        "run()\n"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)

    refused(result, "No space left on device")
    assert (folder / "out.json").read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["good.csv", "out.json"]


def test_hostile_names_do_not_reach_the_terminal(tmp_path: Path) -> None:
    """Control characters in column names and labels are shown escaped."""
    (tmp_path / "h.csv").write_text("gold,\x1b[31ma,b\n\x1b]0;x\x07,y,y\ny,y,y\nz,z,z\n")
    result = outclass("compare", "h.csv", "--truth", "gold", "--measure", "f1", cwd=tmp_path)

    assert result.returncode == 2
    assert "\x1b" not in result.stderr


def test_averages_of_one_system(tmp_path: Path) -> None:
    """Many labels: `evaluate` gives averages over all of them, and refuses an average of one."""
    (tmp_path / "three.csv").write_text("gold,a\nx,y\ny,y\nz,z\n")
    done = outclass("evaluate", "three.csv", "--truth", "gold", "--measure", "macro_f1", cwd=tmp_path)
    assert (done.returncode, "macro-F1" in done.stdout) == (0, True), done.stderr
    refused(
        outclass("evaluate", "three.csv", "--truth", "gold", "--measure", "macro_f1", "--by", "label", cwd=tmp_path),
        "an average includes all labels",
    )


def test_decimal_commas(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text("id;a;b\n1;0,5;0,4\n2;0,25;1\n")
    refused(outclass("compare", "s.csv", "--scores", "--item", "id", cwd=tmp_path), "a decimal point, not a comma")
    (tmp_path / "t.csv").write_text("id;a;b\n1;q,5;0.4\n2;0.25;1\n")
    refused(outclass("compare", "t.csv", "--scores", "--item", "id", cwd=tmp_path), "use --item")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("plan", "--pool", "good.csv", "--format", "json"), "--format is not used with a pool (--pool)"),
        (("plan", "--pool", "good.csv", "--truth", "gold"), "--truth is not used with a pool (--pool) without --pilot"),
        (("plan", "--pool", "good.csv", "--n", "100"), "--n is not used with a pool"),
        (
            ("plan", "--pool", "good.csv", "--n", "100", "--goal", ">>"),
            "--n, --goal are not used with a pool",
        ),
        (("plan", "--pool", "good.csv", "--count", "id"), "--count is not used with a pool (--pool) without --pilot"),
        (("plan", "--pool", "good.csv", "--report", "x.html"), "--report is not used with a pool"),
        (("update", "new.json", "good.csv"), "which column holds the true labels"),
        (("evaluate", "good.csv", *TRUTH, "--wins", "3,4"), "--wins"),
        (("rank", "good.csv", *TRUTH, "--counts", "tp=1,fp=2,fn=3"), "--counts"),
        (("plan", "--measure", "f1", "--measure", "recall"), "one measure"),
        (("plan", "--n", "9", "--resume", "x.json", "-o", "x.json"), "name the same file"),
        (("report", "good.csv", *TRUTH, "-o", "page.txt"), "ends in .html"),
        (("plot", "--counts", "tp=1,fp=2,fn=3", "--kind", "ranking", "-o", "p.png"), "needs the predictions"),
        (("plot", "good.csv", *TRUTH, "--kind", "ranking", "--by", "label", "-o", "p.png"), "--by is not used"),
        (("compare", "good.csv", *TRUTH, "--name", "x", "--name", "y"), "whose columns have names of their own"),
        (("compare", "good.csv", *TRUTH, "--engine", "spak"), "unknown engine 'spak'"),
        (("compare", "--counts", "tp=1,fp=2,fn=3", "--engine", "spark"), "leave out --engine"),
        (("compare", "good.csv", *TRUTH, "--output", "."), "it is a directory"),
        (("compare", "good.csv", *TRUTH, "-o", "x.html", "--report", "x.html"), "name the same file"),
        (("compare", "good.csv", *TRUTH, "--master", "local[2]"), "Use --engine spark"),
        (("test", "good.csv", "--scores", "--engine", "spark"), "leave out --engine"),
    ],
)
def test_commands_that_make_no_sense(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    refused(outclass(*arguments, cwd=folder), told)
    assert [path.name for path in folder.iterdir()] == ["good.csv"]
