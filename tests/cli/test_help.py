"""Help: short by default, whole on request, and the demonstration that a new user starts with."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from outclass.cli.main import COMMANDS, app

LINES = 60  # two screens and a bit, at 80 columns
FEW_LINES = 12  # of one comparison


def said(*arguments: str, columns: int = 80, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command on a terminal of some width."""
    return subprocess.run(
        [sys.executable, "-m", "outclass", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=folder,
        env=os.environ | {"COLUMNS": str(columns), "PYTHONUTF8": "1"},
    )


def options(command: str) -> list[str]:
    """Return every option of a command, as it is typed."""
    group: Any = app
    found = group.get_command(None, command).params
    own = [each for each in found if each.name not in ("help", "help_all")]
    return [each.opts[0] for each in own if each.param_type_name == "option"]


def listed(option: str, told: str) -> int:
    """Return how many lines of a help begin with an option, or with its short form."""
    below = told.partition("Example:")[2].partition("\n\n")[2]
    return len(re.findall(rf"^  (?:-\w, )?{option}(?: |$)", below, flags=re.MULTILINE))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short(command: str) -> None:
    """At 80 columns the help of a command is two screens, in plain words, with an example and the way to the rest."""
    told = said(command, "--help").stdout

    assert len(told.splitlines()) <= LINES
    assert max(map(len, told.splitlines())) <= 80
    assert "<" not in told.replace("'<<'", "")
    assert f"outclass {command}" in told.partition("Example:")[2]
    left = [option for option in options(command) if not listed(option, told)]
    assert (f"--help-all shows {len(left)} more options." in told) == bool(left)


@pytest.mark.parametrize("command", COMMANDS)
def test_all_help_has_every_option(command: str) -> None:
    """--help-all shows each option once, with what it takes and what it does, and exits with 0."""
    result = said(command, "--help-all")

    assert result.returncode == 0
    assert "<bool>" not in result.stdout
    for option in options(command):
        assert listed(option, result.stdout) == 1, option


def test_the_list_of_commands() -> None:
    """The first help names every command in a sentence and says where to begin, without types of Python."""
    told = said("--help").stdout

    assert all(f"\n  {command} " in told for command in COMMANDS)
    assert "outclass demo" in told
    assert "<bool>" not in told
    assert max(map(len, told.splitlines())) <= 81


@pytest.mark.parametrize("columns", [40, 60, 100, 300])
def test_help_fits_the_terminal(columns: int) -> None:
    """Lines are as long as the terminal is wide, from 60 to 100 columns."""
    told = said("compare", "--help-all", columns=columns).stdout
    whole = [line for line in told.splitlines() if " " in line.strip()]

    assert max(map(len, whole)) <= max(60, min(columns, 100))


def test_demo(tmp_path: Path) -> None:
    """From data that ship: the short answer, a page if asked for, and what to try next; nothing else is written."""
    result = said("demo", "--report", "page.html", folder=tmp_path)

    assert result.returncode == 0
    assert result.stdout.startswith("nb_mult leads svm_l2 by 2.2 points of macro-F1")
    assert len(result.stdout.splitlines()) <= FEW_LINES
    assert "outclass compare predictions.csv --truth COLUMN" in result.stderr
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    assert "svm_l2" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("asked", "said_of_it"),
    [
        (("--by", "label"), "rec.sport.baseball"),
        (("--positive", "sci.med", "--rope", "0.02"), "F1 for sci.med"),
        (("--measure", "accuracy", "--format", "json"), '"accuracy"'),
    ],
)
def test_demo_of_other_questions(asked: tuple[str, ...], said_of_it: str) -> None:
    """One label, all of them, another measure or format; what a program reads is followed by nothing."""
    result = said("demo", *asked)

    assert result.returncode == 0
    assert said_of_it in result.stdout
    assert ("predictions.csv" in result.stderr) == ("json" not in asked)
