"""What a page shows below a Python example is what the example prints."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SHOWN = re.compile(r"```python\n((?:(?!```).)*)```\n\n```text\n(.*?)```", flags=re.DOTALL)
PAGES = sorted(page for page in DOCS.rglob("*.md") if SHOWN.search(page.read_text(encoding="utf-8")))
END = "=== end of an example ===\n"
EACH = f"""
import json, sys
for block in json.load(sys.stdin):
    exec(compile(block, "example", "exec"), {{"__name__": "__main__"}})
    sys.stdout.write({END!r})
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_is_shown(page: Path) -> None:
    """The text below an example is its output, whole."""
    blocks, shown = zip(*SHOWN.findall(page.read_text(encoding="utf-8")), strict=True)
    result = subprocess.run(
        [sys.executable, "-c", EACH], input=json.dumps(blocks), capture_output=True, text=True, timeout=300, check=False
    )

    assert result.returncode == 0, result.stderr
    assert [each.split() for each in result.stdout.split(END)[:-1]] == [each.split() for each in shown]


def test_some_pages_show_output() -> None:
    """The pattern finds what it is for."""
    assert {"habits.md", "papers.md"} <= {page.name for page in PAGES}
