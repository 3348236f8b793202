"""Texts read as those of scikit-learn, statsmodels and ArviZ do: the phrases of the first edition do not come back."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUFFIXES = (".py", ".md", ".html", ".js", ".css", ".toml", ".cff", ".ipynb")

# Sentences of the first edition, and the most telling fragments of them.
PHRASES = (
    "one row an item",
    "what each system said",
    "cries wolf",
    "cry wolf",
    "not told from it",
    "of systems that share a letter",
    "surely apart",
    "differ by more than matters",
    "all that is known of the difference",
    "on so few the prior weighs",
    "it would take about",
    "items more than these",
    "a difference of zero is refused",
    "not to be believed",
    "the chains have not met",
    "they hang together",
    "hang together so little",
    "sets a cell",
    "of mcmc:",
    "where it is not plain",
    "taken for systems",
    "full of values that never occur",
    "the same seed gives the same bytes",
    "taking items of a group as independent",
    "to tell what the groups change",
    "nothing was found that speaks against",
    # Of the same kind, from elsewhere.
    "one label an item",
    "a number an item",
    "a line a row",
    "said beforehand",
    "fixed beforehand",
    "let go of",
    "told from its",
    " and its kin",
    "beside a truth",
    "worth independent ones",
    "is no bell",
    "too many to be true",
    "not to be relied on",
    "found by itself",
    "holds the truth",
    "what now:",
    "set yours with",
    "asks nobody for anything",
    "says more than it may",
    "begun where there is none",
    "the recipes do not agree",
    "decisions too early",
    "has two roles",
    "besides it there is",
)
BREAKS = re.compile(r'"\s*\n\s*[fr]{0,2}"|(?<=\n)\s*#')  # between parts of a string, and before a comment


def _texts() -> list[Path]:
    found = [path for folder in ("src", "docs") for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    return [*sorted(found), ROOT / "README.md", ROOT / "CHANGELOG.md"]


def _words(path: Path) -> str:
    """Return a file as one line, so that a sentence is found wherever its lines break."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    return " ".join(BREAKS.sub("", text).split()).casefold()


@pytest.mark.parametrize("path", _texts(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_phrase_of_the_first_edition_is_left(path: Path) -> None:
    """No file that a user can read has one of the phrases, whatever its lines are."""
    words = _words(path)

    found = [phrase for phrase in PHRASES if phrase in words]

    assert not found


def test_a_phrase_is_found_across_lines(tmp_path: Path) -> None:
    """Sentences in source code break within their quotes, and those on a page between words."""
    source, page = tmp_path / "a.py", tmp_path / "a.md"
    source.write_text('told = (\n    f"{many} sets "\n    "a cell"\n)\n', encoding="utf-8")
    page.write_text("One row\nan item.\n", encoding="utf-8")

    assert "sets a cell" in _words(source)
    assert "one row an item" in _words(page)
