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


# Tells of each piece of code that fails.
FAILING = """
import outclass
print(outclass.__file__)
for section, code in {asked!r}.items():
    try:
        exec(code, {{}})
    except Exception:
        print("failed:", section)
"""


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
    result = _ran(f"import outclass; print(outclass.__file__)\n{asked}", tmp_path, tmp_path)
    assert result.returncode == 0, f"{asked}\n{result.stdout}\n{result.stderr}"
    assert str(package) in result.stdout
    assert len(result.stdout.splitlines()) > 1


def _ran(code: str, source: Path, tmp_path: Path) -> "subprocess.CompletedProcess[str]":
    """Run code with the package of a folder."""
    elsewhere = tmp_path / "empty"
    elsewhere.mkdir()
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(source)},
        cwd=elsewhere,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_skeletons_add_is_not_there_yet(tmp_path: Path) -> None:
    """Without the new file and lines, what each section asks fails."""
    asked = {
        section: code for section, text in SECTIONS.items() for _, title, code in BLOCK.findall(text) if title == "ask"
    }
    result = _ran(FAILING.format(asked=asked), Path(outclass.__file__).parents[1], tmp_path)
    lines = result.stdout.splitlines()

    assert set(asked) == set(SECTIONS)
    assert outclass.__file__ in lines
    assert [line for line in lines if line.startswith("failed: ")] == [f"failed: {section}" for section in asked]


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
