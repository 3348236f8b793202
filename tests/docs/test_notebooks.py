"""The notebooks run, and print what they printed when they were kept."""

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_prints_what_is_kept(path: Path) -> None:
    """A notebook runs, prints what it printed when it was kept, and is small."""
    assert path.stat().st_size < 300_000
    result = subprocess.run(
        [sys.executable, DOCS / "run_notebooks.py", "--check", path.stem],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_a_changed_number_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is held to what was kept: words, and numbers to the last digit but one."""
    monkeypatch.syspath_prepend(str(DOCS))
    from run_notebooks import differences

    assert not differences("F1 +0.861 in [0.8, 0.9], error 1e-06", "F1 +0.862 in [0.8, 0.9], error 3e-06")
    assert differences("F1 +0.861", "F1 +0.864")
    assert differences("7,532 items", "7,534 items")
    assert differences("A is better", "B is better")
    assert differences("error 1e-06", "error 1e-03")
