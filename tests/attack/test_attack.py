"""The quick form of `make attack`: some of its cases; that it sees faults; and that its page is of these attacks."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import attack_page
import broken_files
import extremes
import hostile_pages
import others
import pytest
from forked import Ended, Room
from judging import wrong_json, wrong_run, wrong_words

from attack import ATTACKS, SHARES, Section

SCRIPT = Path(__file__).with_name("attack.py")
FEW = 12  # commands on broken files, and of the rest in proportion


@pytest.mark.slow
def test_some_of_it(tmp_path: Path) -> None:
    """A small sample of broken files, extreme numbers and hostile pages fails nowhere."""
    sections = [part for each in ("files", "extremes", "pages") for part in ("--section", each)]
    found = subprocess.run(
        [sys.executable, str(SCRIPT), "--runs", str(FEW), "--seed", "ci", *sections, "--keep", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.returncode == 0, found.stdout + found.stderr
    assert " 0 failed." in found.stdout


def test_there_is_enough_of_it() -> None:
    """There are files of every kind, each put to many commands; and thousands of numbers and hundreds of pages."""
    files = list(broken_files.files(Path(), "0"))
    kinds = Counter(each.kind for each in files)

    assert len({each.name for each in files}) == len(files) >= 146
    assert set(kinds) == {*broken_files.KINDS, "name"}
    assert sum(len(broken_files.questions(each.kind)) for each in files) >= 3_000
    assert len(set(extremes.cases())) == len(extremes.cases()) >= 3_441
    assert len(set(hostile_pages.cases())) == len(hostile_pages.cases()) >= 247
    assert set(SHARES) == set(ATTACKS) == {"files", "extremes", "pages", *others.WHERE}


def test_the_same_seed_makes_the_same_files() -> None:
    """Files are made of the seed alone, and another seed makes others."""
    first, again, other = (broken_files.making.__wrapped__(seed) for seed in ("0", "0", "1"))
    fixed = {name: made for name, (_, made) in first.items() if isinstance(made, bytes)}

    assert fixed == {name: again[name][1] for name in fixed}
    assert fixed != {name: other[name][1] for name in fixed}


def _ended(room: Room, status: int = 0, out: str = "", err: str = "", megabytes: int = 100) -> Ended:
    (room.folder / "out").write_text(out, encoding="utf-8")
    (room.folder / "err").write_text(err, encoding="utf-8")
    return Ended(name="x", status=status, seconds=1.0, computing=1.0, megabytes=megabytes)


@pytest.mark.parametrize(
    ("status", "out", "err", "wrong"),
    [
        (0, "all is well\n", "", ""),
        (2, "", "outclass: the file is empty.\n", ""),
        (75, "", "outclass: the state is in use; try again.\n", ""),
        (2, "", "", "says nothing"),
        (70, "", "outclass: internal error.\n", "status 70"),
        (1, "", "x\n", "status 1"),
        (-11, "", "", "dies of signal 11"),
        (1, "", "Traceback (most recent call last):\nValueError: x\n", "traceback: ValueError: x"),
        (2, "", "outclass: \x1b[31mred.\n", "control character U+001B"),
        (2, "", "line\n" * 40, "says too much"),
        (0, "", "x.py:1: RuntimeWarning: overflow\n", "a Python warning"),
        (0, "mean nan\n", "", "nan or inf and no finding"),
        (0, "mean nan\nOC103 undefined.\n", "", ""),
        (0, "\x07", "", "answer: control character"),
    ],
)
def test_what_a_command_may_not_do(tmp_path: Path, status: int, out: str, err: str, wrong: str) -> None:
    """Tracebacks, odd statuses, signals, control characters, warnings and silent nan are all seen."""
    room = Room.fresh(tmp_path / "room")
    found = wrong_run(["compare", "x.csv"], _ended(room, status, out, err), room, ("out.",))

    assert found.startswith(wrong)
    assert bool(found) == bool(wrong)


def test_what_takes_too_long(tmp_path: Path) -> None:
    """A minute of computing is too long; one of waiting for a busy machine is not; what never ends hangs."""
    room = Room.fresh(tmp_path / "room")
    ended = _ended(room, out="all is well")

    def wrong(**parts: float) -> str:
        return wrong_run(["compare"], replace(ended, **parts), room, ("out.",))  # type: ignore[arg-type]

    assert wrong(seconds=70.0, computing=65.0) == "takes more than a minute"
    assert wrong(seconds=70.0, computing=5.0) == ""
    assert wrong(seconds=40.0, computing=65.0) == ""
    assert wrong(seconds=90.0, computing=0.5, timed_out=True) == "hangs"
    (room.folder / "err").write_text("outclass: 1 comparison will take about 5 min. Fewer draws are quicker.\n")
    assert wrong(seconds=70.0, computing=65.0) == ""


def test_what_a_command_may_not_leave(tmp_path: Path) -> None:
    """Temporary files, outputs of a run that failed, cut pages, missing outputs and too much memory are seen."""
    arguments = ["compare", "x.csv", "-o", "out.json", "--report", "out.html"]
    sentence = "outclass: no.\n"
    room = Room.fresh(tmp_path / "room")
    assert wrong_run(arguments, _ended(room, 2, err=sentence), room, ("out.",)) == ""
    assert wrong_run(arguments, _ended(room, 0), room, ("out.",)) == "out.json was not written"
    (room.work / "out.json").write_text("{}")
    assert wrong_run(arguments, _ended(room, 2, err=sentence), room, ("out.",)) == "out.json was written all the same"
    (room.work / "out.html").write_text("<html>")
    assert wrong_run(arguments, _ended(room), room, ("out.",)) == "out.html: cut"
    (room.work / "out.html").write_text("<html></html>")
    assert wrong_run(arguments, _ended(room), room, ("out.",)) == ""
    assert "3,000 MB" in wrong_run(arguments, _ended(room, megabytes=3_000), room, ("out.",))
    (room.temporary / "outclass-x").mkdir()
    assert wrong_run(arguments, _ended(room), room, ("out.",)) == "leaves tmp/outclass-x"


def test_numbers_that_are_missing() -> None:
    """A number that is not there needs a finding in its row or above; JSON has no NaN."""
    row = {"difference": {"mean": None, "hdi": [0, 1]}, "findings": []}

    assert wrong_json(json.dumps({"comparisons": [row]})) == "no number and no finding: comparisons[0].difference.mean"
    assert wrong_json(json.dumps({"comparisons": [{**row, "findings": [{"code": "OC103"}]}]})) == ""
    assert wrong_json('{"mean": NaN}').startswith("not JSON")
    assert wrong_words("a sentence.") == ""


def test_what_a_page_may_not_do() -> None:
    """Scripts that ran, requests, errors, foreign elements and charts without marks are seen."""
    calm = {"ran": None, "polluted": [], "scripts": 2, "foreign": [], "handlers": [], "links": [], "sized": True}
    calm |= {"charts": {"forest": 9}, "rows": 3, "text": "x"}
    plain = {**calm, "then": calm, "said": [], "asked": [], "went": []}

    assert hostile_pages.wrong_page(plain, plain) == ""
    for odd in ({"ran": "1"}, {"scripts": 3}, {"foreign": ["img"]}, {"charts": {}}, {"rows": 2}, {"text": "\u202e"}):
        assert hostile_pages.wrong_page({**plain, **odd}, plain)
    for odd in ({"said": ["error"]}, {"asked": ["https://x"]}, {"went": ["about:blank"]}, {"charts": {"forest": 0}}):
        assert hostile_pages.wrong_page({**plain, **odd}, plain)
    assert hostile_pages.wrong_page({**plain, "then": {**calm, "ran": "1"}}, plain) == "a script ran in use"


@pytest.mark.parametrize(
    ("found", "cases", "failures"),
    [
        ({"kills": 1000, "lost": 0, "doubled": 0}, 1000, {}),
        ({"tries": 10, "lost": 2, "hung": 1}, 10, {"lost": "2 lost", "hung": "1 hung"}),
        ({"updates": 100, "busy": 1}, 100, {}),
        ({"updates": 100, "busy": 2}, 100, {"busy": "2 of 100 were told to try again"}),
        ({"count": 3, "failures": [("a", "slow")], "slowest": ("a", 61.0)}, 3, {"a": "slow"}),
        ({"count": 3, "failures": {"a": "slow"}}, 3, {"a": "slow"}),
        ({"count": 3, "failures": ["slow"]}, 3, {"case-0": "slow"}),
    ],
)
def test_what_other_attacks_tell(found: dict[str, object], cases: int, failures: dict[str, str]) -> None:
    """Counts, failures and the share of busy runs are read off what they return."""
    told = others.told(found)

    assert (told.cases, told.failures) == (cases, failures)


def test_the_page() -> None:
    """Every section stands on it, with what failed and what was not run; and docs/attack.md is such a page."""
    section = Section("files", asked=3)
    section.add("files/a|b.csv/compare", "answer", "", 1.5, 300)
    section.add("files/c.csv/compare", "sentence", "traceback: <x>", 0.5, 400)
    text = attack_page.text([section, Section("pages", asked=5, note="not run: there is no Chromium here")])

    assert "| files | 2 | 1 | 0 | 0 | 1 | 1 |" in text
    assert "| pages | 0 | 0 | 0 | 0 | 0 | all |" in text
    assert "| files | 1.5 | `files/a\\|b.csv/compare` | 400 | `files/c.csv/compare` |" in text
    assert "| traceback: &lt;x> | 1 | `files/c.csv/compare` |" in text
    assert attack_page.PAGE.read_text(encoding="utf-8").startswith(attack_page.HEAD)
