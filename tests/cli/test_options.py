"""The one table of options: commands are made of it, and what a user gives reaches the library as it was given."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from outclass.ask.columns import Columns
from outclass.ask.used import SPELT
from outclass.cli.main import COMMANDS, app
from outclass.cli.option import Option
from outclass.cli.options import TABLE, prior_text, unused
from outclass.errors import InputError

READERS = ("compare", "evaluate", "rank", "test", "plan", "update", "report", "plot")


def parameters(command: str) -> list[Any]:
    """Return what a command takes, as click got it."""
    group: Any = app
    return [each for each in group.get_command(None, command).params if each.name not in ("help", "help_all")]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_in_the_table(command: str) -> None:
    """A command has no option of its own spelling: name, flags, metavar and help are a line of the table."""
    table = {(option.name, option.flag, option.metavar, option.help) for option in TABLE}
    found = [
        (each.name, each.metavar if each.param_type_name == "argument" else each.opts[0], each.metavar, each.help)
        for each in parameters(command)
    ]

    assert found
    assert set(found) <= table


@pytest.mark.parametrize("command", COMMANDS)
def test_no_option_has_a_default(command: str) -> None:
    """What was not given is not passed on: defaults are the library's."""
    group: Any = app
    needed = ["x" for each in parameters(command) if each.param_type_name == "argument" and each.required]
    typed = [part for each in parameters(command) if each.param_type_name == "option" and each.required
             for part in (each.opts[0], "1")]  # fmt: skip
    context = group.get_command(None, command).make_context(command, [*needed, *typed])

    given = {each.name: context.params[each.name] for each in parameters(command) if not each.required}

    assert given
    assert all(value in (None, False, ()) for value in given.values())


@pytest.mark.parametrize("command", READERS)
def test_every_column_can_be_named(command: str) -> None:
    """Whatever `read` takes can be said to each command that reads, under the flag that its errors name."""
    typed = {each.name: each.opts[0] for each in parameters(command) if each.param_type_name == "option"}

    for name in Columns.__annotations__:
        assert typed[name] == SPELT.get(name, f"--{name.replace('_', '-')}")


def test_an_option_is_spelt_one_way() -> None:
    """Two lines of the table with one name are typed alike, so that an error can name the option."""
    typed: dict[str, set[str]] = {}
    for option in TABLE:
        if not option.positional:
            typed.setdefault(option.name, set()).add(option.flag)

    assert all(len(flags) == 1 for flags in typed.values())


def test_help_of_every_command_loads_no_numpy() -> None:
    """The help of each command exits with 0, and is shown without NumPy or DuckDB."""
    code = f"""
import sys
from outclass.cli.entry import _run
for command in {COMMANDS!r}:
    sys.argv = ["outclass", command, "--help"]
    assert _run() == 0, command
sys.stderr.write(" ".join(name for name in ("numpy", "duckdb", "outclass.answers.comparison") if name in sys.modules))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stderr == ""
    assert all(f" {command} [OPTIONS]" in result.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", ["compare", "evaluate", "test", "rank", "slices"])
def test_common_mistakes_load_no_numpy(command: str) -> None:
    """Nothing to read, and a file that is not there, are told without NumPy or DuckDB, whatever the other options."""
    code = f"""
import sys
from outclass.cli.entry import _run
for given in ([], ["nofile.csv"], ["nofile.csv", "--truth", "gold", "--system", "a"]):
    sys.argv = ["outclass", {command!r}, *given]
    assert _run() == 2, given
print(" ".join(name for name in ("numpy", "duckdb") if name in sys.modules))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == ""
    first, *others = result.stderr.splitlines()
    assert "nothing to read" in first
    assert others == ["outclass: there is no file 'nofile.csv'."] * 2


QUESTIONS = {
    "compare": "outclass.ask.compare.compare",
    "evaluate": "outclass.ask.evaluate.evaluate",
    "rank": "outclass.ask.rank.rank",
    "test": "outclass.ask.test.test",
}


@pytest.mark.parametrize("command", QUESTIONS)
def test_what_is_given_reaches_the_library(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A question gets what was typed, under the library's names, and nothing that was not typed."""
    monkeypatch.chdir(tmp_path)
    Path("p.csv").touch()
    seen: dict[str, Any] = {}

    def answer(progress: Any = None, **columns: Any) -> Any:
        seen.update(columns)
        raise InputError("enough")

    monkeypatch.setattr(QUESTIONS[command], answer)
    typed = ["p.csv", "--truth", "gold", "--system", "a", "--system", "b", "--run", "r", "--name", "x", "--seed", "0"]
    result = CliRunner().invoke(app, [command, *typed, "--scores", "--title", "", "--measure", "f1"])

    assert str(result.exception) == "enough"
    assert seen == {
        "data": "p.csv",
        "truth": "gold",
        "systems": ["a", "b"],
        "runs": ["r"],
        "names": ["x"],
        "rng": 0,
        "scores": True,
        "title": "",
        "measure": "f1",
    }


def test_ranges_become_a_prior(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of rates are parts of the prior; several measures stay a list."""
    seen: dict[str, Any] = {}

    def answer(progress: Any = None, **columns: Any) -> Any:
        seen.update(columns)
        sys.exit(3)

    monkeypatch.setattr("outclass.ask.compare.compare", answer)
    ranges = ["--prior-recall", "0.6..0.9", "--prior-fpr", "0.1..0.2"]
    result = CliRunner().invoke(app, ["compare", "--wins", "3,4", *ranges, "--measure", "f1", "--measure", "mcc"])

    assert result.exit_code == 3
    assert seen == {"wins": "3,4", "prior": "recall=0.6..0.9;fpr=0.1..0.2", "measure": ["f1", "mcc"]}
    with pytest.raises(InputError, match=r"--prior-fpr is a range, as in 0\.6\.\.0\.9; got '0\.3'"):
        prior_text(None, None, "0.3", None)


def test_unused_options_are_named_as_typed() -> None:
    """The error names options as they are typed, one or several."""
    used = [Option("n", "N", "Numbers.")]

    unused(["n"], used, "a plan")
    with pytest.raises(InputError, match=r"^--system is not used with a plan: leave it out\.$"):
        unused(["n", "systems"], used, "a plan")
    with pytest.raises(InputError, match=r"^--seed, --system-column are not used with a plan: leave them out\.$"):
        unused(["rng", "system_column"], used, "a plan")


def test_a_format_that_is_named_wins(tmp_path: Path) -> None:
    """The name of the output file says the format, or the user does; if the two disagree, nothing is written."""
    asked = ["compare", "--wins", "17,4", "--items", "99", "-o"]
    for name, named, opening in (
        ("answer.json", [], "{"),
        ("answer.json", ["--format", "json"], "{"),
        ("answer", ["--format", "markdown"], "**"),
        ("answer.txt", ["--format", "table"], "A "),
    ):
        assert CliRunner().invoke(app, [*asked, str(tmp_path / name), *named]).exit_code == 0

        assert (tmp_path / name).read_text().startswith(opening)
    found = CliRunner().invoke(app, [*asked, str(tmp_path / "other.json"), "--format", "csv"])

    assert "is a name for json, but --format is csv" in str(found.exception)
    assert not (tmp_path / "other.json").exists()


@pytest.mark.parametrize(
    ("twice", "told"),
    [
        (["--hdi-mass", "0.9", "--hdi-mass=0.5"], "--hdi-mass is given 2 times"),
        (["--id", "item", "--id", "A"], "--id is given 2 times"),
        (["--format", "json", "--format", "csv", "--format", "csv"], "--format is given 3 times"),
        (["-o", "a.json", "--output", "b.json"], "--output is given 2 times"),
    ],
)
def test_an_option_of_one_value_given_twice(twice: list[str], told: str) -> None:
    """None is dropped in silence: the error names the option."""
    found = CliRunner().invoke(app, ["compare", "p.csv", *twice])

    assert isinstance(found.exception, InputError)
    assert told in str(found.exception)


def test_what_may_be_given_twice() -> None:
    """Options that are listed may be repeated, and a flag says the same twice: the file is looked for."""
    repeated = ["--system", "A", "--system", "B", "--measure", "f1", "--measure", "recall", "--verbose", "--verbose"]
    found = CliRunner().invoke(app, ["compare", "nowhere.csv", "--truth", "gold", *repeated])

    assert "no file 'nowhere.csv'" in str(found.exception)
