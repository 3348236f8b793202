"""Generated pages are what the library says today."""

import csv
import importlib.util
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from outclass.cli.main import app

DOCS = Path(__file__).parents[2] / "docs"


def test_pages() -> None:
    """docs/models.md, docs/findings.md and the papers' pages are as `make docs` writes them."""
    spec = importlib.util.spec_from_file_location("make_pages", DOCS / "make_pages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    for study in ("zhang2016", "goutte2005", "yang1999"):
        assert (DOCS / f"{study}.md").read_text(encoding="utf-8") == module.study_page(study)
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == module.findings_page()
    assert (DOCS / "models.md").read_text(encoding="utf-8") == module.page()


def test_python_of_the_pages_runs() -> None:
    """Every Python example on a page of the docs runs, and prints something."""
    seen = 0
    for page in DOCS.glob("*.md"):
        for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
            result = subprocess.run(
                [sys.executable, "-c", block], capture_output=True, text=True, timeout=300, check=False
            )
            assert result.returncode == 0, f"{page.name}: {block}\n{result.stderr}"
            assert result.stdout.strip()
            seen += 1
    assert seen


def test_examples_of_the_pages_run() -> None:
    """Every command on a page of the docs runs."""
    for page in DOCS.glob("*.md"):
        for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
            for line in block.splitlines():
                program, *arguments = shlex.split(line.removeprefix("$ "))
                assert program == "outclass"
                result = CliRunner().invoke(app, arguments)
                assert result.exit_code == 0, (page.name, line, result.output)


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
