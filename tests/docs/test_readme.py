"""Every example in the README runs."""

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from outclass.cli.main import app

README = (Path(__file__).parents[2] / "README.md").read_text()


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_python_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    """The Python runs, and prints a verdict."""
    (code,) = _blocks("python")
    exec(compile(code, "README.md", "exec"), {})

    assert "F1" in capsys.readouterr().out


COMMANDS = [line[2:] for block in _blocks("console") for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands run on the README's own file."""
    (table,) = _blocks("csv")
    (tmp_path / "predictions.csv").write_text(table)
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)

    assert program == "outclass"
    assert CliRunner().invoke(app, arguments).exit_code == 0
    if "table.tex" in command:
        assert r"\bottomrule" in (tmp_path / "table.tex").read_text()
