"""Put below every command of the question pages what it prints; a test holds the pages to it.

Run `python docs/make_outputs.py` after a change of what commands print.
"""

import os
import re
import shlex
import tempfile
from pathlib import Path

from click.testing import CliRunner

from outclass.cli.main import app

PAGES = sorted((Path(__file__).parent / "questions").glob("*.md"))
FILES = re.compile(r'```\w+ title="([\w.]+)"\n(.*?)```', flags=re.DOTALL)
# A command, and below it what it printed when the page was last made.
COMMANDS = re.compile(r"```console\n(.*?)```\n(?:\n```text\n.*?```\n)?", flags=re.DOTALL)


def outputs(page: str) -> str:
    """Return a page with what its commands print, run on the files that the page shows."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, content in FILES.findall(page):
                Path(name).write_text(content, encoding="utf-8")
            return COMMANDS.sub(lambda found: "\n".join(map(_shown, found[1].splitlines())), page)
        finally:
            os.chdir(here)


def _shown(line: str) -> str:
    result = CliRunner().invoke(app, shlex.split(line.removeprefix("$ outclass ")))
    assert result.exit_code == 0, (line, result.output)
    return f"```console\n{line}\n```\n\n```text\n{result.stdout.strip()}\n```\n"


if __name__ == "__main__":
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(outputs(text), encoding="utf-8")
