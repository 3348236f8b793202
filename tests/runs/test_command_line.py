"""Runs from the command line: the same answers, in a dozen lines, and a strip of runs on the page."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner
from run_worlds import SYSTEMS, files, long, wide

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError

PATTERNS = ("--system", "bert=bert_s*", "--system", "roberta=roberta_s*")


def _run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == status, result.output
    return str(result.output if status == 0 else result.exception or result.output)


def _numbers(*arguments: str) -> Any:
    return json.loads(_run(*arguments, "--format", "json"))["comparisons"][0]


def test_all_ways_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns, a column of runs, files of runs with and without the truth, and a state say the same."""
    monkeypatch.chdir(tmp_path)
    table = wide(items=90)
    pd.DataFrame(table).to_csv("wide.csv", index=False)
    long(table).to_csv("long.csv", index=False)
    globs = files(table, tmp_path / "runs")
    pd.DataFrame({"id": table["id"], "gold": table["gold"]}).to_csv("gold.csv", index=False)
    oc.update("state.json", "wide.csv", truth="gold", systems=[name for name in table if "_s" in name])
    rest = ("--truth", "gold", "--measure", "accuracy", "--draws", "2000")
    named = [f"{name}={glob}" for name, glob in globs.items()]
    ways = [
        _numbers("compare", "wide.csv", *PATTERNS, *rest),
        _numbers(
            "compare",
            "long.csv",
            "--item",
            "id",
            "--system-column",
            "system",
            "--run",
            "seed",
            "--label",
            "label",
            *rest,
        ),
        _numbers("compare", *named, "--id", "id", *rest),
        _numbers("compare", "gold.csv", *named, "--id", "id", *rest),
        _numbers("compare", "state.json", *PATTERNS, *rest[2:]),
    ]

    assert {round(way["observed"], 12) for way in ways} == {round(ways[0]["observed"], 12)}
    assert all(len(way["runs"]["systems"][0]["values"]) == 4 for way in ways)


def test_a_dozen_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short answer names what varies, how often a single run wins and what would help, in twelve lines of 80."""
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(wide()).to_csv("wide.csv", index=False)
    told = _run("compare", "wide.csv", "--truth", "gold", *PATTERNS, "--rope", "0.01", "--measure", "accuracy")
    lines = told.rstrip("\n").splitlines()

    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    assert "300 items, 4 and 3 runs; variance: runs" in told
    assert "P(a new run of roberta beats one of bert) =" in told
    assert "Next: 1 more run each narrows the HDI " in told


def test_the_page_shows_the_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has a strip with a tick for each run beside each system's interval; the chart exists by itself."""
    monkeypatch.chdir(tmp_path)
    answer = oc.compare(wide(), truth="gold", systems=SYSTEMS, measure="accuracy", draws=2_000)
    page = answer.to_html()
    chart = answer.plot("runs").to_dict()
    data = [each for layer in chart["layer"] for each in layer["data"].get("values", [])]

    assert "Runs of each system" in page
    assert "more run each narrows the HDI" in page
    assert sorted(each["value"] for each in data if "value" in each) == sorted(
        value for system in answer.only.runs.systems for value in system.values
    )
    with pytest.raises(InputError, match="needs several runs"):
        oc.compare(wide(), truth="gold", systems=["bert_s1", "roberta_s1"]).plot("runs")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--system", "bert=brt*", "--system", "roberta=roberta_s*"), "nothing matches 'brt*'"),
        (("--system", "=bert_s1", "--system", "roberta=roberta_s*"), "NAME=PATTERN"),
        ((*PATTERNS, "--run", "lang", "--item", "id"), "use one of them"),
        (("--paired-runs",), "--paired-runs applies to several runs"),
        (("--run", "a.run", "--run", "b.run"), "--qrels"),
        ((*PATTERNS, "--model", "paired"), "--model paired requires"),
    ],
)
def test_wrong_arguments(
    arguments: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong arguments are one sentence in the words of the command line."""
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(wide(items=60)).to_csv("wide.csv", index=False)
    result = CliRunner().invoke(app, ["compare", "wide.csv", "--truth", "gold", *arguments])

    assert isinstance(result.exception, InputError)
    said = result.exception.wording(result.exception.args[0])
    assert told in said
    assert "\n" not in said
