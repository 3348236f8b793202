"""`outclass update`: what it must not overwrite, how it takes its turn, and that saving does not wait for answering."""

import errno
import json
import os
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import outclass as oc
from outclass import atomic
from outclass.ask import compare as compare_module
from outclass.atomic import locked
from outclass.cli.entry import _run
from outclass.data import state as states
from outclass.errors import BusyError, InputError

ROWS = "gold,a,b\n" + "".join(f"{n % 2},{int(n % 3 == 0)},{int(n % 5 < 2)}\n" for n in range(40))
UPDATE = ("update", "s.json", "good.csv", "--truth", "gold")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run a command in this process, in a folder with one good file; return its status and both streams."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "good.csv").write_text(ROWS)

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outclass", *arguments])
        status = _run()
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.mark.parametrize("begun", [False, True])
@pytest.mark.parametrize("target", ["s.json", "s.json.seen", "./inner/../s.json.seen", "link", "hard"])
@pytest.mark.parametrize("option", ["-o", "--report"])
def test_the_state_is_not_overwritten(run: Run, tmp_path: Path, option: str, target: str, begun: bool) -> None:
    """An answer written over the state or its list of files would be the end of them, also through a link."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to("s.json.seen")
    if begun:
        oc.update("s.json", {"gold": [0, 1], "a": [0, 1], "b": [1, 1]}, truth="gold")
        os.link("s.json.seen", "hard")
    elif target == "hard":
        return  # there is nothing yet to link to
    before = {path.name: path.read_bytes() for path in tmp_path.glob("s.json*")}
    status, out, err = run(*UPDATE, option, target)

    assert (status, out) == (2, "")
    assert "belongs to the state" in err or "is what is read" in err
    assert {path.name: path.read_bytes() for path in tmp_path.glob("s.json*")} == before


def test_other_commands_keep_the_list(run: Run, tmp_path: Path) -> None:
    """Whoever reads a state must not write over its list either."""
    oc.update("s.json", "good.csv", truth="gold")
    before = (tmp_path / "s.json.seen").read_bytes()
    status, _, err = run("compare", "s.json", "-o", "s.json.seen")

    assert (status, "is what is read" in err) == (2, True)
    assert (tmp_path / "s.json.seen").read_bytes() == before


@pytest.mark.parametrize("name", ["s.json", "link.json"])
def test_busy(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """While another process writes, an update waits; if that takes too long it ends with status 75. Readers go on."""
    monkeypatch.setattr(atomic, "WAIT", 0.1)
    monkeypatch.setattr(atomic, "PATIENCE", 0.02)
    (tmp_path / "real").mkdir()
    (tmp_path / "link.json").symlink_to("real/s.json")
    oc.update(name, "good.csv", truth="gold")
    (tmp_path / "more.csv").write_text(ROWS.replace("\n0,1,1", "\n0,0,1", 1))
    before = Path(name).read_bytes()
    with locked(Path(name).resolve()):
        status, out, err = run("update", name, "more.csv", "--truth", "gold")
        assert run("compare", name, "--model", "sign")[0] == 0

    assert (status, out) == (75, "")
    assert f"{name} is being updated by another process; waiting." in err
    assert "try again" in err
    assert Path(name).read_bytes() == before
    assert run("update", name, "more.csv", "--truth", "gold", "--model", "sign")[0] == 0


def test_a_turn_that_comes(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An update that has waited goes on from what the other has written."""
    monkeypatch.setattr(atomic, "PATIENCE", 0.0)
    data = {"gold": [0, 1], "a": [0, 1], "b": [1, 1]}
    told, free = threading.Event(), threading.Event()

    def other() -> None:
        with locked(Path("s.json")):
            told.set()
            free.wait(30)
            grown = states.State.open(Path("s.json")).plus(oc.read(data, truth="gold"), [], again=True, new_labels=True)
            grown.write()

    thread = threading.Thread(target=other)
    thread.start()
    told.wait(30)
    monkeypatch.setattr("outclass.cli.update._tell", lambda sentence: "waiting" in sentence and free.set())
    status, _, _ = run(*UPDATE, "--model", "sign")
    thread.join()

    assert status == 0
    assert oc.outcomes("s.json").items == 42


def test_a_queue_that_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits does not give up as long as the file changes: others are being served; but not for ever."""
    monkeypatch.setattr(atomic, "WAIT", 0.2)
    path = tmp_path / "s.json"
    path.write_text("")
    mine, served = os.open(tmp_path, os.O_RDONLY), []
    atomic.fcntl.flock(mine, atomic.fcntl.LOCK_EX)

    def others(_: float) -> None:
        # In the place of a nap: the clock goes on, and somebody else writes.
        clock[0] += 0.15
        served.append(clock[0])
        os.utime(path, ns=(len(served), len(served)))
        if len(served) == 8:
            os.close(mine)

    clock = [0.0]
    monkeypatch.setattr(atomic.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(atomic.time, "sleep", others)
    with locked(path):
        assert len(served) == 8
        monkeypatch.setattr(atomic, "LONGEST", 1.0)
        with pytest.raises(BusyError, match="did not finish within 1 seconds"), locked(path):
            pass


def test_folders_that_cannot_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file system locks no folders, as NFS, a lock file does; where it locks nothing, that is an error."""
    monkeypatch.setattr(atomic, "WAIT", 0.1)
    own, nothing = atomic.fcntl.flock, False

    def flock(handle: int, how: int) -> None:
        if nothing or stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EBADF, "Bad file descriptor")
        own(handle, how)

    monkeypatch.setattr(atomic.fcntl, "flock", flock)
    with locked(tmp_path / "s.json"):
        assert (tmp_path / ".s.json.lock").exists()
        with pytest.raises(BusyError), locked(tmp_path / "s.json"):
            pass
    with locked(tmp_path / "s.json"):
        nothing = True
    with pytest.raises(OSError, match="cannot lock"), locked(tmp_path / "s.json"):
        pass


@pytest.mark.parametrize("fault", [InputError("no answer today."), KeyboardInterrupt(), ZeroDivisionError()])
def test_saved_before_answering(run: Run, monkeypatch: pytest.MonkeyPatch, capsys: Any, fault: BaseException) -> None:
    """If the answer fails or is interrupted, the evidence is in the state, and the message says how to go on."""

    def failing(*data: Any, **asked: Any) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(compare_module, "compare", failing)
        if isinstance(fault, InputError):
            status, _, err = run(*UPDATE)
            assert status == 2
            assert "no answer today" in err
        else:
            err = ""
            with suppress(KeyboardInterrupt):
                status, _, err = run(*UPDATE)
                assert status == 70
            err += capsys.readouterr().err

    assert "The new evidence is saved. To answer from it, run: outclass compare s.json" in err
    assert oc.outcomes("s.json").items == 40
    assert run("compare", "s.json", "--model", "sign")[0] == 0


def test_saved_before_delivering(run: Run) -> None:
    """An answer that cannot be written is an error after which the evidence is in the state."""
    status, _, err = run(*UPDATE, "--model", "sign", "-o", "/dev/full")

    assert (status, "The new evidence is saved." in err) == (2, True)
    assert oc.outcomes("s.json").items == 40


@pytest.mark.parametrize(
    "wrong",
    [
        ("--measure", "f2x"),
        ("--rope", "wide"),
        ("--hdi-mass", "95"),
        ("--model", "nobody's"),
        ("--positive", "7"),
        ("--prior", "much"),
        ("--draws", "100"),
        ("--seed", "-1"),
    ],
)
def test_a_wrong_question_saves_nothing(run: Run, tmp_path: Path, wrong: tuple[str, str]) -> None:
    """What is wrong with the question is said before anything is saved, so that the same command can be mended."""
    status, out, err = run(*UPDATE, *wrong)

    assert (status, out) == (2, "")
    assert "saved" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["good.csv"]


@pytest.mark.parametrize("format", ["table", "json"])
def test_many_pairs(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str) -> None:
    """Beyond 66 pairs an update saves, and names the command that answers."""
    monkeypatch.setattr(compare_module, "answer_of", lambda *_: pytest.fail("answered"))
    names = [f"s{number}" for number in range(13)]
    rows = [",".join(str((row + number * row) % 2) for number in range(14)) for row in range(30)]
    (tmp_path / "wide.csv").write_text("\n".join([",".join(["gold", *names]), *rows]) + "\n")
    status, out, err = run("update", "s.json", "wide.csv", "--truth", "gold", "--format", format)

    assert status == 0
    assert "s0" not in out
    assert json.loads(out) is not None if format == "json" else out == ""
    assert "78 pairs are too many to answer with every update. Run: outclass rank s.json" in err
    assert oc.outcomes("s.json").items == 30


def test_a_state_of_tables_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that holds no files is still its list's own if the next update ends between the two writes."""
    path, batch = tmp_path / "s.json", tmp_path / "b.csv"
    batch.write_text(ROWS)
    oc.update(path, {"gold": [0, 1], "a": [0, 1], "b": [1, 1]}, truth="gold")
    whole, calls = states.write_whole, []

    def stopped(place: Path, text: str) -> None:
        calls.append(place)
        if len(calls) == 2:
            raise KeyboardInterrupt
        whole(place, text)

    with monkeypatch.context() as patch:
        patch.setattr(states, "write_whole", stopped)
        with pytest.raises(KeyboardInterrupt):
            oc.update(path, batch, truth="gold")

    assert oc.update(path, batch, truth="gold").items == 42


def test_findings_are_read_with_a_state(tmp_path: Path) -> None:
    """`compare STATE` says what was found when its files were read, as `update` does."""
    batch = tmp_path / "b.csv"
    batch.write_text(ROWS + "1,,0\n")
    grown = oc.update(tmp_path / "s.json", batch, truth="gold", missing="drop")
    found = oc.read(tmp_path / "s.json")

    assert "OC101" in {each.code for each in found.findings}
    assert found.findings == grown.findings
    (tmp_path / "s.json.seen").unlink()
    assert oc.read(tmp_path / "s.json").findings == ()
