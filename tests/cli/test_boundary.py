"""The outer boundary: whatever happens inside, a command ends in a sentence and a status, and leaves nothing behind."""

import contextlib
import errno
import io
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import duckdb
import pytest

import outclass as oc
from outclass.cli.entry import _run
from outclass.errors import FileError, InputError, quoted
from outclass.locations import Location, masked

GOOD = "id,gold,a,b\n" + "".join(f"{n},{n % 2},{int(n % 3 == 0)},{int(n % 5 < 2)}\n" for n in range(40))
COLUMNS = ("--truth", "gold", "--id", "id")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one good file."""
    (tmp_path / "good.csv").write_text(GOOD)
    return tmp_path


def _inside(*arguments: str, **environment: str) -> tuple[int, str, str]:
    """Run the command in this process; return its status and what it wrote."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "80", **environment}),
        mock.patch.object(sys, "argv", ["outclass", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = _run()
    return status, out.getvalue(), err.getvalue()


# --- secrets ----------------------------------------------------------------------------------------------------------

PIECES = ("qzJw", "xVk8")  # every password is made of these and a sign that has a meaning in URLs
PLACE = "127.0.0.1:1/db"
URLS = [
    *(f"postgresql://me:{PIECES[0]}{sign}{PIECES[1]}@{PLACE}#t" for sign in ("#", "?", " ", "@", "/", ":", "&", "%23")),
    f"postgresql://{PLACE}?user=me&password={PIECES[0]}@{PIECES[1]}#t",
    f"postgresql://{PLACE}?sslpassword={PIECES[0]}&{PIECES[1]}&user=me#t",
    f"postgresql://{PLACE}?user=me&api_token={PIECES[0]}%20{PIECES[1]}#t",
    f"postgresql://me:{PIECES[0]}#{PIECES[1]}",
]


def _wrong(url: str) -> list[list[str]]:
    """Return commands that name a database and get something else wrong."""
    return [
        ["compare", url, "--truth", "gold", "--group", "nope"],
        ["compare", url, "--scores"],
        ["compare", url, "--truth", "gold", "-o", "/nonexistent/x.json"],
        ["compare", url, "--truth", "gold", "--format", "nope"],
        ["compare", url, "other.csv", "--truth", "gold", "--id", "id"],
        ["compare", url, url, "--truth", "gold"],
        ["compare", url, "--truth", url],
        ["compare", url, "--truth", "gold", "--model", url],
        ["compare", url, "--truth", "gold", "--measure", url, "--prior", url],
        ["compare", url, "--truth", "gold", "--hdi-mass", url],
        ["compare", url, "--truth", "gold", "--engine", "spark", "--master", url],
        ["compare", "--qrels", url, "--run", url],
        ["compare", url, "--truth", "gold", "-o", url],
        ["compare", url, "--truth", "gold", f"--report={url}"],
        ["compare", f"--{url}", "--truth", "gold"],
        ["test", url, "--truth", "gold", "--frequencies", url],
        ["update", url, url, "--truth", "gold"],
        ["plan", "--pilot", url, "--n", "100"],
        ["report", url],
        [url],
    ]


@pytest.mark.parametrize("url", URLS)
def test_no_message_shows_a_secret(url: str, tmp_path: Path) -> None:
    """Whatever else is wrong beside a database's URL, no piece of a password gets out."""
    told = []
    with contextlib.chdir(tmp_path):
        for command in _wrong(url):
            status, out, err = _inside(*command)
            told += [f"{command[0]}: {out}{err}"] if status != 2 or any(piece in out + err for piece in PIECES) else []

    assert told == []


@pytest.mark.parametrize("url", URLS)
def test_a_location_is_masked_wherever_it_goes(url: str) -> None:
    """Its text, its representation, a text around it and errors in Python show no secret; the driver gets it whole."""
    place = Location(url)
    around = masked(f"cannot read {url.replace(' ', '+')!r}: no")
    with pytest.raises((FileError, InputError)) as caught:
        oc.compare(url, truth="gold")

    for text in (place, repr(place), f"{place}", str(Path(place)), around, str(caught.value)):
        assert not any(piece in text for piece in PIECES), text
    assert all(piece in place.address for piece in PIECES)
    assert pickle.loads(pickle.dumps(place)).address == place.address


SLIPS = [
    f"duckdb://md:db?motherduck_token={PIECES[0]}{PIECES[1]}#t",
    f"md:db?motherduck_token={PIECES[0]}{PIECES[1]}",
    f"postgresql:/me:{PIECES[0]}@{PIECES[1]}@{PLACE}#t",
    f"postgresql://{PLACE}?user=me;password={PIECES[0]};{PIECES[1]}#t",
    *(f"postgresql://{PLACE}?{name}={PIECES[0]}&{PIECES[1]}#t" for name in ("pw", "auth", "sas", "sig")),
    f"sqlserver://{PLACE};user=me;password={PIECES[0]}{PIECES[1]}",
    f"host=h user=me password={PIECES[0]}{PIECES[1]}",
    f"host=h password='{PIECES[0]} {PIECES[1]}' user=me",
    f"Server=h;Pwd={PIECES[0]} {PIECES[1]};Database=db",
    f" postgresql://me:{PIECES[0]} {PIECES[1]}@{PLACE}#t",
    f"jdbc:postgresql://me:{PIECES[0]} {PIECES[1]}@{PLACE}#t",
]


@pytest.mark.parametrize("place", SLIPS)
def test_a_place_spelt_otherwise_shows_no_secret(place: str, tmp_path: Path) -> None:
    """What is not a URL that outclass knows, but meant as one, is masked in errors, their repr and on the command."""
    with pytest.raises((FileError, InputError)) as caught:
        oc.compare(place, truth="gold")
    with contextlib.chdir(tmp_path):
        told = [_inside(*command) for command in _wrong(place)[:8]]

    for text in (str(caught.value), repr(caught.value), *(out + err for _, out, err in told)):
        assert not any(piece in text for piece in PIECES), text
    assert {status for status, _, _ in told} == {2}


def test_the_repr_of_an_error_shows_no_secret() -> None:
    """As its text, so its representation, which a log prints."""
    error = FileError(f"cannot read {URLS[4]}")

    assert repr(error) == f"FileError({str(error)!r})"
    assert not any(piece in repr(error) for piece in PIECES)


@pytest.mark.parametrize("name", ["a=1.csv", "key=1", "tokens.csv", "C:/data/a@b.csv", "it's user@host: x=y"])
def test_a_name_that_holds_no_secret_is_shown_as_it_is(name: str) -> None:
    """Only what looks like a password is masked."""
    assert quoted([name]) == repr(name)


@pytest.mark.parametrize(
    ("url", "address", "table"),
    [
        ("postgresql://u:pa#ss@h/db#s.t", "postgresql://u:pa%23ss@h/db", "s.t"),
        ("postgresql://u:p@s/s?@h:5/db?sslmode=off#t", "postgresql://u:p%40s%2Fs%3F@h:5/db?sslmode=off", "t"),
        ("postgresql://u:p%23s@h/db#t", "postgresql://u:p%23s@h/db", "t"),
        ("postgresql://u@h:5/db#t@x", "postgresql://u@h:5/db", "t@x"),
        ("postgresql://u@cloud:pw@h/db", "postgresql://u@cloud:pw@h/db", ""),
        ("postgresql://[::1]:5/db#t", "postgresql://[::1]:5/db", "t"),
        ("sqlite:///a@b:c.db#t", "sqlite:///a@b:c.db", "t"),
    ],
)
def test_what_a_driver_gets(url: str, address: str, table: str) -> None:
    """A password ends at the last @, the table begins after the last #; signs in a password are percent-encoded."""
    assert (Location(url).address, Location(url).table) == (address, table)


def test_pages_show_no_secret(folder: Path) -> None:
    """The command in a page and in a file beside it has no password."""
    secret = "-".join(PIECES)
    with duckdb.connect(str(folder / "d.duckdb")) as connection:
        connection.execute(f"CREATE TABLE t AS SELECT * FROM '{folder / 'good.csv'}'")
    url = f"duckdb:///{folder}/d.duckdb?password={secret}#t"
    page, answer = folder / "page.html", folder / "answer.json"
    status, out, err = _inside("compare", url, *COLUMNS, "-o", str(answer), "--report", str(page))

    assert status == 0, err
    assert "password=***" in page.read_text()
    assert not any(secret in text for text in (page.read_text(), answer.read_text(), out, err))


def test_a_traceback_shows_no_secret() -> None:
    """Asked for with OUTCLASS_DEBUG, a traceback is masked, too."""
    with mock.patch("outclass.ask.compare.source_of", side_effect=RuntimeError(f"lost {URLS[0]} and {PIECES[1]}")):
        status, _, err = _inside("compare", URLS[0], "--truth", "gold", OUTCLASS_DEBUG="1")

    assert status == 70
    assert "Traceback" in err
    assert PIECES[0] not in err


# --- a database is no program -----------------------------------------------------------------------------------------


def test_a_view_reads_no_other_file(folder: Path) -> None:
    """A view in a DuckDB file that reads a file beside it is rejected in a sentence; a view on its tables is not."""
    database = folder / "d.duckdb"
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"CREATE VIEW other AS SELECT * FROM '{folder / 'good.csv'}'")
        connection.execute(f"CREATE TABLE t AS SELECT * FROM '{folder / 'good.csv'}'; CREATE VIEW own AS FROM t")

    with pytest.raises(FileError, match=r"'other' in .* is a view that reads other files, which is not supported"):
        oc.outcomes(f"duckdb:///{database}#other", truth="gold", id="id")
    assert oc.outcomes(f"duckdb:///{database}#own", truth="gold", id="id").items == 40


# --- exceptions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (KeyError("x"), "internal error (KeyError: 'x')"),
        (RecursionError("too deep"), "internal error (RecursionError: too deep)"),
        (UnicodeEncodeError("ascii", "é", 0, 1, "no such letter"), "internal error (UnicodeEncodeError"),
        (MemoryError(), "not enough memory"),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), "No space left on device ('/x')"),
    ],
)
def test_an_unexpected_exception_is_a_sentence(folder: Path, error: Exception, told: str) -> None:
    """One line, status 70, no traceback; with OUTCLASS_DEBUG=1 the traceback as well."""
    with mock.patch("outclass.ask.compare.source_of", side_effect=error):
        status, out, err = _inside("compare", str(folder / "good.csv"), *COLUMNS)
        _, _, debugged = _inside("compare", str(folder / "good.csv"), *COLUMNS, OUTCLASS_DEBUG="1")

    assert (status, out) == (70, "")
    assert told in err
    assert len(err.splitlines()) == 1
    assert "Traceback" in debugged


def test_an_error_brings_its_status(folder: Path) -> None:
    """A class of errors may end the command with a status of its own."""

    class BusyError(InputError):
        status = 75

    with mock.patch("outclass.ask.compare.source_of", side_effect=BusyError("try again")):
        assert _inside("compare", str(folder / "good.csv"), *COLUMNS) == (75, "", "outclass: try again\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["compare", "{}.csv", *COLUMNS],
        ["compare", "{}*.csv", *COLUMNS],
        ["compare", "good.csv", *COLUMNS, "-o", "{}.json"],
        ["compare", "good.csv", *COLUMNS, "--report", "{}.html"],
        ["update", "{}.json", "good.csv", *COLUMNS],
        ["plan", "--pilot", "good.csv", *COLUMNS, "--n", "100", "--resume", "{}.json"],
        ["reproduce", "goutte2005", "--data", "{}"],
    ],
)
def test_long_names(folder: Path, arguments: list[str]) -> None:
    """A file name that no file system holds is one sentence, before any work is done."""
    with contextlib.chdir(folder):
        status, out, err = _inside(*(each.format("x" * 300) for each in arguments))

    assert (status, out) == (2, "")
    assert "File name too long" in err
    assert len(err.splitlines()) == 1


def test_no_temporary_folder(folder: Path) -> None:
    """Where no temporary folder can be written, what fits into memory is counted all the same."""
    with mock.patch("tempfile.mkdtemp", side_effect=FileNotFoundError(errno.ENOENT, "No usable temporary directory")):
        status, out, err = _inside("compare", str(folder / "good.csv"), *COLUMNS)

    assert status == 0, err
    assert "a - b" in out


# --- streams and signals, in a process of its own ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("closed", "more", "status", "told"),
    [
        (">&-", "", 2, "outclass: cannot write the answer: Bad file descriptor.\n"),
        (">&-", "-o x.json", 0, ""),
        ("2>&-", "", 0, ""),
        ("<&- >&- 2>&-", "--format nope", 2, ""),
    ],
)
def test_closed_streams(folder: Path, closed: str, more: str, status: int, told: str) -> None:
    """A closed stream is no traceback, and no file takes its place."""
    command = f'"{sys.executable}" -m outclass compare good.csv {" ".join(COLUMNS)} {more} {closed}'
    ran = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)

    assert ran.returncode == status, ran.stderr
    assert ran.stderr == told
    assert bool(ran.stdout) == (closed == "2>&-")
    assert (folder / "good.csv").read_text() == GOOD


@pytest.fixture
def large(folder: Path) -> Path:
    """A file that takes a while to read."""
    lines = GOOD.partition("\n")[2]
    (folder / "large.csv").write_text("id,gold,a,b\n" + lines * 20_000)
    return folder


def _started(folder: Path, *arguments: str, until: Callable[[Path], bool]) -> "subprocess.Popen[str]":
    """Start a command with a temporary folder of its own, and wait until it is at work."""
    temporary = folder / "tmp"
    temporary.mkdir()
    # Whoever runs the tests may ignore the signals, and so would the child.
    heard = (
        "import runpy, signal\n"
        "for each in (signal.SIGHUP, signal.SIGTERM): signal.signal(each, signal.SIG_DFL)\n"
        "runpy.run_module('outclass', run_name='__main__')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", heard, *arguments],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while not until(temporary):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)
    return process


@pytest.fixture
def ended() -> Iterator[list["subprocess.Popen[str]"]]:
    """Processes that must not outlive a test."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing(large: Path, number: signal.Signals, ended: list["subprocess.Popen[str]"]) -> None:
    """SIGTERM and SIGHUP in the middle of reading: a sentence, 143 or 129, no temporary folder, no output."""
    asked = ["compare", "large.csv", "--truth", "gold", "-o", "x.json"]
    # A folder: to find out whether it can write there at all, Python itself makes a file for a moment.
    process = _started(large, *asked, until=lambda temporary: any(each.is_dir() for each in temporary.iterdir()))
    ended.append(process)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)

    assert process.returncode == 128 + number
    assert (out, err) == ("", f"outclass: ended by {number.name}; no answer was written.\n")
    assert list((large / "tmp").iterdir()) == []
    assert sorted(path.name for path in large.iterdir()) == ["good.csv", "large.csv", "tmp"]
