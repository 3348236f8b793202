"""The page on language models: each command of its table runs on files of that harness."""

import json
import re
import shlex
from pathlib import Path
from typing import Any, Final

import pytest
from making import header_of, helm, inspect_eval, lm_eval, promptfoo, row, sample, tau
from test_formats import _details, _entry, _events, _judgment, _mteb, _new, _preference, _run, _write

from outclass.data.logs.formats import formats

PAGE: Final = Path(__file__).parents[2] / "docs" / "questions" / "language_models.md"
COMMANDS: Final = re.findall(r"^\| ([^|:]+): [^|]*\| `outclass ([^`]+)` \|", PAGE.read_text(), re.MULTILINE)
RIGHT: Final = [True, False, True, True, False, True, True, False]
LESS: Final = [True, False, True, False, False, True, False, False]
Lists: Final = {"a": RIGHT, "b": LESS}


def _files(folder: Path) -> None:
    """Write the files that the commands name."""
    for name, own in (("base", RIGHT), ("cand", LESS)):
        scores = list(map(float, own))
        lm_eval(folder / "out" / name, name, scores, filters={"strict": scores, "flexible-extract": scores})
    for name, own in Lists.items():
        values = [sample(at, "CI"[not good]) for at, good in enumerate(own)]
        inspect_eval(folder / f"{name}.eval", header_of(name), values)
        helm(folder / "runs" / name, name, {"test": list(map(float, own)), "valid": [1.0]})
        _write(folder / f"{name}_eval_results.json", _new([[("pass", "pass" if good else "fail")] for good in own]))
        preferences = [_preference(at, 1.0 + good, name) for at, good in enumerate(own)]
        _write(folder / name / "annotations.json", preferences)
        rows: list[dict[str, Any]] = [
            {"doc": {"id": str(at), "query": f"q{at}"}, "metric": {"em": float(good)}} for at, good in enumerate(own)
        ]
        _details(folder, f"org/{name}", rows)
        _write(folder / f"{name}.jsonl", _events(name, own), lines=True)
        _mteb(folder / "results", f"org__{name}", {f"T{at}": 0.5 + at / 20 + good / 10 for at, good in enumerate(own)})
        tau(folder / f"{name}.json", [[float(good)] * 4 for good in own])
    for name, own in (("old", RIGHT), ("new", LESS)):
        _write(folder / name / ".deepeval" / ".latest_run_full.json", _run("gpt-4o", [good / 2 for good in own]))
    for name, own in (("run1", RIGHT), ("run2", LESS)):
        table = [[f"q{at}", int(good)] for at, good in enumerate(own)]
        _write(
            folder / name / "artifacts" / "eval_results_table.json", {"columns": ["inputs", "x/score"], "data": table}
        )
    cases = [row({"x": at}, success=good, provider=name) for name, own in Lists.items() for at, good in enumerate(own)]
    promptfoo(folder / "output.json", [*cases, *(row({"x": at}, success=True, provider="c") for at in range(8))])
    entries = [_entry(name, [*own, True, False]) for name, own in {**Lists, "c": RIGHT}.items()]
    _write(folder / "leaderboards.json", {"leaderboards": [{"name": "bash-only", "results": entries}]})
    judged = [
        _judgment(name, at, float(good)) for name, own in {**Lists, "c": RIGHT}.items() for at, good in enumerate(own)
    ]
    _write(folder / "ground_truth_judgment.jsonl", [*judged, _judgment("a", 0, 0.5)], lines=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every harness."""
    found = tmp_path_factory.mktemp("page")
    _files(found)
    return found


def test_every_format_is_on_the_page() -> None:
    """A format without a command is a failure."""
    assert len(COMMANDS) == len(formats())


@pytest.mark.parametrize("harness", [name for name, _ in COMMANDS])
def test_commands(harness: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command gives an answer in JSON about all that was read."""
    from click.testing import CliRunner

    from outclass.cli.main import app

    monkeypatch.chdir(folder)
    arguments = shlex.split(dict(COMMANDS)[harness])

    result = CliRunner().invoke(app, [*arguments, "--format", "json"])

    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)
