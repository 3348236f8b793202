"""Label sets and merges on the command line: bad ones are one sentence and status 2."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from outclass.cli.main import app
from outclass.errors import OutclassError

RELATIONS = ("Cause(e1,e2)", "Cause(e2,e1)", "Part", "Other")


@pytest.fixture(autouse=True)
def _table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of relations in the current folder."""
    monkeypatch.chdir(tmp_path)
    rows = [f'"{gold}","{gold}","{said}"' for gold in RELATIONS for said in (*[gold] * 6, *RELATIONS)]
    Path("relations.csv").write_text("\n".join(["gold,old,new", *rows]) + "\n", encoding="utf-8")
    Path("coarse.csv").write_text("fine,coarse\nPart,x\n", encoding="utf-8")


def _run(command: str, *more: str) -> Any:
    return CliRunner().invoke(app, [command, "relations.csv", "--truth", "gold", *more])


def test_labels_with_and_without_commas() -> None:
    """A value that is a label is that label; any other is split at its commas."""
    found = _run("compare", "--labels", "Cause(e1,e2)", "--labels", "Part,Other", "--format", "json")

    measures = [row["measure"] for row in json.loads(found.stdout)["comparisons"]]
    assert measures == ["macro_f1 over 3 of 4 labels", "micro_f1 over 3 of 4 labels"]


@pytest.mark.parametrize("command", ["compare", "evaluate", "rank", "test"])
def test_merge_comes_first(command: str) -> None:
    """Labels are merged before some are left out, in every question."""
    merge = ("--merge", "Cause=Cause(e1,e2)|Cause(e2,e1)")
    found = _run(command, *merge, "--exclude-label", "Cause", "--measure", "micro_f1", "--format", "json")

    assert found.exit_code == 0, found.output
    assert "micro-F1 without Cause" in found.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("--labels Prt", "no label 'Prt' (--labels). Did you mean 'Part'?"),
        ("--exclude-label Othr", "no label 'Othr' (--exclude-label). Did you mean 'Other'?"),
        ("--labels Cause(e1,e2),Part", "A label that contains a comma is given by itself: repeat the option."),
        ("--labels Part --exclude-label Other", "give --labels, those to average over, or --exclude-label"),
        ("--exclude-label Part,Other --exclude-label Cause(e1,e2) --exclude-label Cause(e2,e1)", "leaves none of the"),
        ("--merge A=Prt|Other", "no label 'Prt' (--merge). Did you mean 'Part'?"),
        ("--merge A=Part|Other --merge B=Part", "--merge puts 'Part' into both 'A' and 'B'"),
        ("--merge A=Part|Other|Cause(e1,e2)|Cause(e2,e1)", "--merge leaves a single label"),
        ("--merge nosuch.csv", "there is no file 'nosuch.csv'"),
        ("--merge coarse.csv", "needs the columns 'old' and 'new'; it has 'fine', 'coarse'"),
        ("--labels Part --measure mcc", "MCC has no average over some of the labels (--labels, --exclude-label)"),
        ("--labels Part --positive Part", "--labels is not used with one label against the rest (--positive)"),
    ],
)
def test_bad_label_sets(line: str, told: str) -> None:
    """Each mistake is one sentence, in the words of the command line."""
    found = _run("compare", *line.split(" "))

    assert isinstance(found.exception, OutclassError)
    assert found.exception.status == 2
    assert told in str(found.exception)
    assert "\n" not in str(found.exception)


def test_rows_by_label() -> None:
    """With --by label the options choose the rows."""
    found = _run("compare", "--by", "label", "--exclude-label", "Other,Part", "--format", "json")

    rows = json.loads(found.stdout)["comparisons"]
    assert [row["label"] for row in rows] == ["Cause(e1,e2)", "Cause(e2,e1)"]
