"""`outclass logs` and `oc.logs`: what is listed, written, and named; the formats as a registry."""

import ast
import csv
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from making import REAL, header_of, inspect_eval, lm_eval, promptfoo, row, sample

import outclass as oc
from outclass.answers.log_files import write_items
from outclass.data.logs import formats
from outclass.errors import InputError, OutclassError

SOURCE = Path(oc.__file__).parent
RIGHT = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]


def _command(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "outclass", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_list(tmp_path: Path) -> None:
    """A line per run within 80 columns, and what does not fit together, in options."""
    lm_eval(tmp_path / "a", "org/a-model-with-a-very-long-name-indeed-1.5", RIGHT, task="a_task_with_a_long_name_too")
    lm_eval(tmp_path / "b", "org/b", RIGHT[::-1], task="a_task_with_a_long_name_too", question="another")

    result = _command("logs", tmp_path)

    lines = result.stdout.splitlines()
    assert result.returncode == 0
    assert len(lines) >= 4
    assert max(map(len, lines)) < 80
    assert "--drop-changed" in result.stdout


def test_json(tmp_path: Path) -> None:
    """JSON has the runs with their facts, and the problems."""
    lm_eval(tmp_path / "a", "a@v1.5", RIGHT)
    found = json.loads(_command("logs", tmp_path, "--format", "json").stdout)

    (run,) = found["runs"]
    assert found["systems"] == ["a@v1.5"]
    assert found["compared"] == ["exact_match"]
    assert (run["harness"], run["task"], run["items"], run["epochs"]) == ("lm-eval", "gsm8k", 6, 1)
    assert run["means"] == {"exact_match": pytest.approx(4 / 6)}


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_items_as_a_file(tmp_path: Path, ending: str) -> None:
    """The long table has a row per sample and metric, with columns of their types."""
    samples = [sample(at, "C" if at else "I", metadata={"kind": "x, 'y'\n\"z\""}) for at in range(4)]
    inspect_eval(tmp_path / "m.eval", header_of("m"), samples)
    target = tmp_path / f"items.{ending}"

    write_items(oc.logs(tmp_path / "m.eval"), target)

    if ending == "json":
        assert json.loads(target.read_text())["systems"] == ["m"]
        return
    if ending == "csv":
        with target.open(newline="", encoding="utf-8") as stream:
            rows: list[dict[str, Any]] = list(csv.DictReader(stream))
    else:
        rows = pq.read_table(target).to_pylist()
    assert [float(each["score"]) for each in rows] == [0, 1, 1, 1]
    assert rows[0]["metadata.kind"] == "x, 'y'\n\"z\""
    assert {"system", "task", "item", "epoch", "metric", "gold", "item_hash", "target_hash"} <= rows[0].keys()


def test_the_output_of_the_command(tmp_path: Path) -> None:
    """--output writes the table and prints nothing; another ending is an error."""
    lm_eval(tmp_path / "a", "a", RIGHT)

    written, wrong = (_command("logs", tmp_path / "a", "-o", tmp_path / name) for name in ("items.csv", "items.xls"))

    assert (written.returncode, written.stdout) == (0, "")
    assert (tmp_path / "items.csv").read_text().count("\n") == 7
    assert wrong.returncode == 2
    assert ".parquet" in wrong.stderr


def test_logs_can_be_pickled(tmp_path: Path) -> None:
    """Logs go to other processes, and come back with the same answer."""
    for model, own in (("a", RIGHT), ("b", RIGHT[::-1])):
        lm_eval(tmp_path / model, model, own)
    logs = oc.logs(tmp_path)

    again = pickle.loads(pickle.dumps(logs))

    assert oc.compare(again).to_json() == oc.compare(logs).to_json()
    assert len(logs.frame) == 12


def test_names(tmp_path: Path) -> None:
    """One model at two paths is named by the paths; NAME=PATH names anything; two systems of one name are an error."""
    for name, own in (("base", RIGHT), ("next", RIGHT[::-1])):
        lm_eval(tmp_path / "runs" / name, "same", own)
    paths = [tmp_path / "runs" / name for name in ("base", "next")]

    assert oc.logs(*paths).systems == ("base", "next")
    assert oc.logs(f"one={paths[0]}", f"two={paths[1]}").systems == ("one", "two")
    assert oc.logs({"one": paths[0], "two": [paths[1]]}).systems == ("one", "two")
    with pytest.raises(InputError, match="given twice"):
        oc.logs(paths[0], paths[0])


def test_a_name_for_two_systems(tmp_path: Path) -> None:
    """A name can be given to one system only."""
    for model in "ab":
        lm_eval(tmp_path / "runs" / model, model, RIGHT)

    with pytest.raises(InputError, match="holds 2 systems: 'a', 'b'"):
        oc.logs({"x": tmp_path / "runs"})


def test_two_formats_that_claim_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that two formats claim is an error that says how to choose."""
    path = promptfoo(tmp_path / "out.json", [row({"x": at}, success=bool(at)) for at in range(5)])
    monkeypatch.setattr(formats.formats()["tau"], "claims", lambda head: True)

    with pytest.raises(InputError, match="source='"):
        oc.logs(path)
    assert oc.logs(path, source="promptfoo").systems == ("openai:x",)


def test_every_format_is_complete() -> None:
    """Each has a name, a title, and the two functions; none imports its harness or anything beyond the core."""
    known = {*sys.stdlib_module_names, "outclass", "duckdb"}

    assert len(formats.formats()) == 14
    for name, each in formats.formats().items():
        assert (each.NAME, callable(each.claims), callable(each.read)) == (name, True, True)
        assert each.TITLE
        tree = ast.parse((SOURCE / "data" / "logs" / "formats" / f"{each.__name__.rpartition('.')[2]}.py").read_text())
        for node in ast.walk(tree):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert {str(each).partition(".")[0] for each in names} <= known


def test_formats_are_known_by_name() -> None:
    """A misspelt format gets a suggestion."""
    with pytest.raises(InputError, match="Did you mean 'inspect'"):
        oc.logs(REAL / "tau", source="inspct")
    with pytest.raises(InputError, match="Did you mean 'lm-eval'"):
        oc.compare(REAL / "lm_eval" / "pyfade_gsm8k", source="lmeval")
    with pytest.raises(InputError, match="only 1 result was given"):
        oc.compare(REAL / "inspect" / "flow" / "logs1")


def test_options_that_a_format_does_not_use(tmp_path: Path) -> None:
    """An option of another format is an error that names it."""
    path = lm_eval(tmp_path, "m", RIGHT)

    for option in ({"unfinished": True}, {"board": "x"}, {"duplicates": "first"}):
        with pytest.raises(InputError, match=f"^{next(iter(option))} is not used with these logs"):
            oc.logs(path, **option)
    with pytest.raises(InputError, match="truth is not used with evaluation logs"):
        oc.evaluate(path, truth="gold")


def test_every_question_of_logs(tmp_path: Path) -> None:
    """Each question has an answer, from paths and from logs that were read before."""
    for model, own in (("a", RIGHT * 10), ("b", [*RIGHT[::-1]] * 10)):
        lm_eval(tmp_path / model, model, own)
    paths = [tmp_path / model for model in "ab"]
    logs = oc.logs(*paths)

    for data in (paths, logs):
        assert oc.compare(data).only.items == 60
        assert len(oc.evaluate(data).rows) == 2
        assert len(oc.rank(data).systems) == 2
        assert oc.test(data).rows
        assert str(oc.plan(pilot=data, n=[60], sets=20))
        assert oc.slices(data, columns="doc.level").whole.items == 60
        assert oc.sensitivity(data).rows
    with pytest.raises(OutclassError, match="logs are whole runs"):
        oc.update(tmp_path / "state.json", paths)


def test_a_search_for_slices_needs_right_and_wrong(tmp_path: Path) -> None:
    """Other numbers are refused with what to do instead."""
    for model in "ab":
        lm_eval(tmp_path / model, model, [0.1, 0.5, 0.2, 0.9])

    with pytest.raises(InputError, match="right or wrong"):
        oc.slices(tmp_path)
