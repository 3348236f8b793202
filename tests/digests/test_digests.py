"""No page of measured numbers is older than its sources; and what counts as a change of them."""

import sys
from pathlib import Path

import pytest
from measured import STUDIES
from sources import ROOT, Definition, meaning, module_of, references

import digests


@pytest.mark.parametrize("study", STUDIES)
def test_no_page_is_older_than_its_sources(study: str) -> None:
    """The sources of every study are those it was last run or accepted with."""
    told = digests.stale(study, STUDIES[study].sources(), digests.load())

    assert not told, told


FUNCTION = '''
def f(x: int = 1) -> int:
    """What it does."""
    if x > 2:
        raise ValueError(f"x is {x!r}")
    return g(x, "a")
'''


def _meaning(text: str, folder: Path) -> str:
    file = folder / f"{len(list(folder.iterdir()))}.py"
    file.write_text(text, encoding="utf-8")
    return meaning(Definition(file, "f"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"""What it does."""', '"""What it gives."""'),
        ("    return", "    # why\n\n    return"),
        ('g(x, "a")', "g(\n        x,\n        'a',\n    )"),
        (" -> int", ""),
        ("x: int", "x: float"),
        ("x is ", "x must be positive, not "),
        ("\ndef f", "\nOTHER = 2\n\n\ndef f"),
    ],
)
def test_what_changes_nothing(before: str, after: str, tmp_path: Path) -> None:
    """Docstrings, comments, layout, annotations, the wording of errors, neighbours and the file are no part of it."""
    assert before in FUNCTION

    assert _meaning(FUNCTION.replace(before, after), tmp_path) == _meaning(FUNCTION, tmp_path)


@pytest.mark.parametrize(
    ("before", "after"),
    [("x > 2", "x >= 2"), ("= 1", "= 2"), ('"a"', '"b"'), ("ValueError", "TypeError"), ("!r", ""), ("g(x", "f(x")],
)
def test_what_changes_the_meaning(before: str, after: str, tmp_path: Path) -> None:
    """Code, defaults, texts that are data, kinds of errors and what they quote are part of it."""
    assert before in FUNCTION

    assert _meaning(FUNCTION.replace(before, after), tmp_path) != _meaning(FUNCTION, tmp_path)


def test_a_finding_keeps_its_code_only(tmp_path: Path) -> None:
    """The wording of a finding is no part of it; its code and its condition are."""
    text = 'def f(x):\n    return finding("OC104", f"few items: {x}")'

    assert _meaning(text.replace("few items", "too few items"), tmp_path) == _meaning(text, tmp_path)
    assert _meaning(text.replace("OC104", "OC105"), tmp_path) != _meaning(text, tmp_path)


def test_names_are_followed(tmp_path: Path) -> None:
    """From a function through imports, aliases, modules and decorators; not through annotations or a script's call."""
    (tmp_path / "near.py").write_text("A = 1\n\ndef g(): return A\n\ndef h(): pass\n")
    (tmp_path / "again.py").write_text("from near import h as k\n")
    lines = [
        "import near",
        "from again import k",
        "import outclass as oc",
        "@k",
        "def f(x: oc.Outcomes): return near.g() + oc.measures.get(x)",
        "def main(): f(1)",
        "if __name__ == '__main__': main()",
    ]
    (tmp_path / "study.py").write_text("\n".join(lines))

    found = references(Definition(tmp_path / "study.py", "f"))

    assert {(each.file.stem, each.name) for each in found} == {("near", "g"), ("near", "h"), ("__init__", "get")}
    assert "statements" not in module_of(tmp_path / "study.py").bound


def test_studies_reach_what_they_measure_and_no_more() -> None:
    """Ranks depend on the paired model, on measures that are found by themselves and on chains, not on any page."""
    labels = {each.label for each in STUDIES["sbc"].sources().values()}

    assert {"models.table.paired.Paired", "measures.fscores.MEASURES", "models.mcmc_many.sample_shared"} <= labels
    assert not [each for each in labels if each.startswith(("report.", "cli.", "data.files")) or each == "sbc.PAGE"]


def test_what_is_left_out_and_what_is_named_exists() -> None:
    """Pages and folders that studies name are there, so that none is left out by an old name."""
    for study in STUDIES.values():
        assert (ROOT / study.page).is_file()
        assert [each for each in study.without if not (ROOT / each).exists()] == []


def test_accepting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was run is up to date; what changes later is named, with the command and the reasons since the run."""
    kept = tmp_path / "digests.json"
    monkeypatch.setattr(digests, "KEPT", kept)
    sources = STUDIES["sbc"].sources()

    digests.accept("sbc", [], "never run")
    assert digests.stale("sbc", sources, digests.load()).endswith("Accepted since its last run: never run")
    assert digests.main(["--accept", "sbc", sys.executable, "-c", "pass"]) == 0
    assert digests.stale("sbc", sources, digests.load()) == ""
    digests.accept("sbc", sources, "moved only")
    assert digests.main(["--accept", "all", "--reason", "reworded"]) == 0  # which sbc does not need
    assert digests.main([]) == 0
    changed = {key: each for key, each in sources.items() if not key.startswith("_f1 ")} | {
        "Paired 00000000": next(each for each in sources.values() if each.name == "Paired")
    }
    told = digests.stale("sbc", changed, digests.load())
    assert told.startswith(
        "docs/ranks.md is older than its sources (changed: models.table.paired.Paired, _f1 is gone): "
        "run `make calibrate-sbc`"
    )
    assert told.endswith("Accepted since its last run: moved only")


def test_a_run_that_fails_is_not_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its status is handed on and nothing is written; neither is it with no run and no reason."""
    kept = tmp_path / "digests.json"
    monkeypatch.setattr(digests, "KEPT", kept)

    assert digests.main(["--accept", "sbc", sys.executable, "-c", "raise SystemExit(3)"]) == 3
    with pytest.raises(SystemExit):
        digests.main(["--accept", "sbc"])
    assert not kept.exists()
