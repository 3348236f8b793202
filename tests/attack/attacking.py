"""What the attacks share: names that mean something to somebody, and the command as a user runs it."""

import csv
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

# Each means something to a shell, a database, a browser, a typesetter, a spreadsheet, a terminal or a formatter.
NAMES: Final = (
    '"; DROP TABLE t0; --',
    'a" "b\'); SELECT 1; --',
    "</script><script>window.ran=1</script><img src=x onerror=run()>",
    "\\input{/etc/passwd} $x^2$ % {un}balanced}",
    "| pipe | `code` [link](javascript:run) **bold**",
    "line\nbreak and more",
    "\x1b[31mred\x1b]0;title\x07\x9b31m\u202egnp.exe\u2066",
    "=HYPERLINK(1)",
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "＝1+1",
    "sep\u2028arated\u2029\u0085\x00"[:-1],
    "{0.__class__} {low} %s %n {{7*7}}",
    "&amp;&lt;b&gt;<b>",
)
# What the SQL of the readers itself calls its tables and columns.
OF_SQL: Final = (
    "t0",
    "joined",
    "k",
    "truth0",
    "here1",
    "system0",
    "rowid",
    "*",
    "select",
    "Truth",
    "column0",
    "{",
    "n",
)


def table(path: Path, names: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    """Write a table as a careful program would."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    return path


def outclass(*arguments: str, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "outclass", *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "80", **options.pop("env", {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        **options,
    )


def refused(result: subprocess.CompletedProcess[str], *hints: str) -> None:
    """Check that a run was refused in a sentence with one of the hints."""
    assert result.returncode == 2, (result.returncode, result.stderr[-2000:])
    assert "Traceback" not in result.stderr
    assert any(hint in " ".join(result.stderr.split()) for hint in hints), result.stderr
    assert len(result.stderr) < 6_000


def is_plain(text: str) -> bool:
    """Return whether a terminal shows a text and does nothing else."""
    return all(sign.isprintable() or sign == "\n" for sign in text)
