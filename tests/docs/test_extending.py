"""The skeletons of docs/extending.md do what the page says, in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import outclass

PAGE = (Path(__file__).parents[2] / "docs" / "extending.md").read_text(encoding="utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
BLOCK = re.compile(r'```(python|diff) title="([^"]+)"\n(.*?)```', flags=re.DOTALL)


def _patched(text: str, hunk: str) -> str:
    """Apply a hunk: the lines it takes away and those around them must be there, once."""
    lines = hunk.splitlines(keepends=True)
    old, new = ("".join(line[1:] or "\n" for line in lines if line[0] in f" {sign}") for sign in "-+")
    assert text.count(old) == 1, f"these lines are not there (once):\n{old}"
    return text.replace(old, new)


@pytest.mark.parametrize("section", SECTIONS)
def test_skeleton(section: str, tmp_path: Path) -> None:
    """A new file and the lines that the page names are all it takes; the new thing is found by its name."""
    package = tmp_path / "outclass"
    shutil.copytree(Path(outclass.__file__).parent, package)  # with what was compiled, which spares seconds
    asked = ""
    for language, title, code in BLOCK.findall(SECTIONS[section]):
        if title == "ask":
            asked = code
        elif language == "diff":
            file = package / title
            file.write_text(_patched(file.read_text(encoding="utf-8"), code), encoding="utf-8")
        else:
            assert not (package / title).exists()
            (package / title).write_text(code, encoding="utf-8")
    assert asked, "the section asks nothing"
    elsewhere = tmp_path / "empty"
    elsewhere.mkdir()
    # The new thing is in the copy alone.
    for folder, good in ((tmp_path, True), (Path(outclass.__file__).parents[1], False)):
        result = subprocess.run(
            [sys.executable, "-c", f"import outclass; print(outclass.__file__)\n{asked}"],
            env={**os.environ, "PYTHONPATH": str(folder)},
            cwd=elsewhere,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert (result.returncode == 0) is good, f"{asked}\n{result.stdout}\n{result.stderr}"
        assert str(folder) in result.stdout
        if good:
            assert len(result.stdout.splitlines()) > 1


def test_the_table_names_every_section() -> None:
    """The table at the top is the page's table of contents, and says truly who needs lines elsewhere."""
    rows = re.findall(r"^\| \[([^\]]+)\]\([^)]+\) \| (.*?) \| (.*?) \|$", PAGE, flags=re.MULTILINE)
    assert {name.lower() for name, *_ in rows} == {section.lower() for section in SECTIONS}
    for name, file, elsewhere in rows:
        (section,) = [text for each, text in SECTIONS.items() if each.lower() == name]
        blocks = [(language, title) for language, title, _ in BLOCK.findall(section) if title != "ask"]
        assert ("python" in [language for language, _ in blocks]) is (file != "none")
        assert ("diff" in [language for language, _ in blocks]) is not elsewhere.startswith("none")
        for language, title in blocks:
            assert language == "python" or title in elsewhere
