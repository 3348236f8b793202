"""Generated pages are what the library says today."""

import csv
import importlib.util
import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from outclass.cli.main import app
from outclass.models import VIEWS, models_of

DOCS = Path(__file__).parents[2] / "docs"


def test_pages() -> None:
    """The pages on models, findings, commands and the papers are as `make docs` writes them."""
    spec = importlib.util.spec_from_file_location("make_pages", DOCS / "make_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    for study in ("zhang2016", "goutte2005", "yang1999"):
        assert (DOCS / f"{study}.md").read_text(encoding="utf-8") == module.study_page(study)
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == module.findings_page()
    assert (DOCS / "capabilities.md").read_text(encoding="utf-8") == module.capabilities_page()
    assert (DOCS / "commands.md").read_text(encoding="utf-8") == module.commands_page()
    assert (DOCS / "models.md").read_text(encoding="utf-8") == module.page()


PAGES = sorted(DOCS.rglob("*.md"))
TITLED = re.compile(r'```\w+ title="([\w.]+)"\n(.*?)```', flags=re.DOTALL)
SHOWN = re.compile(r"```python\n((?:(?!```).)*)```\n\n```text\n(.*?)```", flags=re.DOTALL)
CONSOLE = re.compile(r"```console\n(.*?)```(?:\s*(?:[^\n`]+\n\s*)?```text\n(.*?)```)?", flags=re.DOTALL)


# One process for all of them: most of the time is that of loading what the examples need.
EACH = """
import contextlib, io, json, sys, traceback
for page, blocks in json.load(sys.stdin).items():
    for block in blocks:
        said, wrong = io.StringIO(), ""
        try:
            with contextlib.redirect_stdout(said):
                exec(compile(block, page, "exec"), {"__name__": "__main__"})
        except BaseException:
            wrong = traceback.format_exc()
        print(json.dumps([page, block, said.getvalue(), wrong]), flush=True)
"""


def _named(page: Path) -> str:
    return page.relative_to(DOCS).as_posix()


def _python(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_python_of_the_pages_runs() -> None:
    """Every Python example on a page of the docs runs, with no names but its own, and prints something.

    Where text stands below it, that is its output, whole.
    """
    asked = {_named(page): blocks for page in PAGES if (blocks := _python(page))}
    result = subprocess.run(
        [sys.executable, "-c", EACH], input=json.dumps(asked), capture_output=True, text=True, timeout=600, check=False
    )
    found = [json.loads(line) for line in result.stdout.splitlines()]

    assert len(asked) > 10
    assert [(page, block) for page, block, _, _ in found] == [(page, each) for page in asked for each in asked[page]]
    faults = [
        f"{page}: {block}\n{wrong or 'prints nothing'}" for page, block, said, wrong in found if wrong or not said
    ]
    assert not faults, "\n".join(faults)

    printed = {(page, block): said for page, block, said, _ in found}
    shown = {
        (_named(page), block): text for page in PAGES for block, text in SHOWN.findall(page.read_text(encoding="utf-8"))
    }
    assert {page for page, _ in shown} >= {"habits.md", "papers.md"}
    for example, text in shown.items():
        assert printed[example].split() == text.split(), example


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")], ids=_named
)
def test_examples_of_the_pages_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command on a page of the docs runs, on the files that the page shows, and says what the page says."""
    text = page.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name, content in TITLED.findall(text):
        (tmp_path / name).write_text(content, encoding="utf-8")
    for block, said in CONSOLE.findall(text):
        output = ""
        for line in block.splitlines():
            program, *arguments = shlex.split(line.removeprefix("$ "))
            assert program == "outclass"
            result = CliRunner().invoke(app, arguments)
            assert result.exit_code == 0, (page.name, line, result.output)
            output += result.output
        assert " ".join(said.split()) in " ".join(output.split()), (page.name, block)


def test_question_pages_show_what_commands_print() -> None:
    """Below every command of a question page stands what it prints."""
    pages = [page.read_text(encoding="utf-8") for page in sorted((DOCS / "questions").glob("*.md"))]
    blocks = [block for page in pages for block in CONSOLE.findall(page)]

    assert len(blocks) > 15
    assert [command for command, said in blocks if command.count("$ ") != 1 or not said.strip()] == []


def test_every_model_is_explained() -> None:
    """The page of formulas has every model that can be asked for: as a heading, or named beside its kin."""
    page = (DOCS / "formulas.md").read_text(encoding="utf-8")
    headings = " ".join(re.findall(r"^### (.+)$", page, flags=re.MULTILINE)).replace(",", " ").split()
    for model in {name for view in VIEWS for name in models_of(view)}:
        assert model in headings or f"`{model}`" in page, model


def test_table_3_on_the_page(shared: Path) -> None:
    """The printed powers stand on the page as in the oracle, and ours within three joint standard errors of them."""
    page = (DOCS / "planning.md").read_text(encoding="utf-8")
    with (shared / "oracles" / "zhang2016_table3.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        (line,) = [
            each
            for each in page.splitlines()
            if each.startswith(f"| ({row['scenario']}) | {row['goal']} | {int(row['n']):,} |")
        ]
        cells = [cell.strip() for cell in line.split("|")[4:8]]
        for ours, theirs, model in ((cells[0], cells[1], "unpaired"), (cells[2], cells[3], "paired")):
            printed = float(row[f"power_{model}"])
            assert float(theirs) == printed
            spread = max(printed * (1 - printed), 0.01) / 100 + 0.25 / 2000
            assert abs(float(ours) - printed) <= 3 * math.sqrt(spread)
