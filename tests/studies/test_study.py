"""What a study gives, in every form; and a folder from which an interrupted one goes on."""

import json
from pathlib import Path

import pytest

from outclass.errors import InputError
from outclass.studies.study import Check, Desk, Heading, Results, Table, printed

RESULTS = Results(
    study="zhang2016",
    title="A paper",
    corpus="Some texts.",
    quick=False,
    settings={"C": 2.0},
    tables=(
        Table(
            key="one",
            title="Table 1",
            heads=(Heading(title="a|b"), Heading(title="mean", digits=2, signed=True), Heading(title="n")),
            rows=(("<b>", 0.126, 1200), ("x_y", None, 3)),
            note="A note.",
        ),
    ),
    checks=(
        Check(what="this", ours="1", theirs="1", agrees=True),
        Check(what="that", ours="2", theirs="3", agrees=False, why="of the seed."),
        Check(what="those", ours="4", theirs="4", agrees=None),
    ),
    account=("What to know.",),
    figures={"figures/one.svg": "Figure 1"},
    versions={"Python": "3"},
)


def test_json_is_the_identity() -> None:
    """What is written is read back, all of it."""
    assert Results.from_json(RESULTS.to_json()) == RESULTS


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "[]",
        "{}",
        '{"kind": "outclass study", "version": 2}',
        '{"kind": "outclass study", "version": 1, "tables": 3}',
    ],
)
def test_other_json_is_refused(wrong: str) -> None:
    with pytest.raises(InputError):
        Results.from_json(wrong)


def test_markdown() -> None:
    """The page has the outcome first, then checks, the account, figures and tables."""
    told = RESULTS.to_markdown("at/")

    parts = [
        "**1 of 2 checks against the paper agree; 1 more",
        "| that | 2 | 3 | no |",
        "that: of the seed",
        "What to know",
        "(at/figures/one.svg)",
    ]
    parts += ["## Table 1", "+0.13", "1,200", "A note."]
    places = [told.index(part) for part in parts]
    assert places == sorted(places)
    assert "<b>" not in told


def test_quick_judges_nothing(tmp_path: Path) -> None:
    """A small corpus is held to nothing that a paper says, and nothing that is true of the whole is told of it."""
    desk = Desk(folder=tmp_path / "run", quick=True)
    desk.open("zhang2016", 1)
    quick = desk.close(RESULTS, lambda path: path.write_text("page"))

    assert "quick run" in quick.words
    assert all(check.agrees is None for check in quick.checks)
    for told in (str(quick), quick.to_markdown(), quick.to_json()):
        assert "of the seed" not in told
        assert "What to know" not in told


def test_interrupted_run_goes_on(tmp_path: Path) -> None:
    """What was predicted is not predicted again; what was not, is."""
    asked: list[str] = []

    def system(name: str, *, stops: bool = False) -> list[list[str]]:
        asked.append(name)
        if stops:
            raise KeyboardInterrupt
        return [["x"], [], [name, "y"]]

    truth = [["x"], ["y"], []]
    for stops in (True, False):
        desk = Desk(folder=tmp_path / "run")
        desk.open("yang1999", 2)
        both = {"a": lambda: system("a"), "b": lambda stops=stops: system("b", stops=stops)}
        if stops:
            with pytest.raises(KeyboardInterrupt):
                desk.predictions("data", "key", truth, both)
        else:
            found = desk.predictions("data", "key", truth, both)

    assert asked == ["a", "b", "b"]
    assert found == {"truth": truth, "a": [["x"], [], ["a", "y"]], "b": [["x"], [], ["b", "y"]]}
    # Other documents are other predictions.
    desk.predictions("data", "key", [["x"], ["z"], []], {"a": lambda: system("a")})
    assert asked == ["a", "b", "b", "a"]


def test_another_corpus_is_not_the_same(tmp_path: Path) -> None:
    """What was predicted from other texts, or with other settings, is predicted again."""
    for key, answer in (("one", "x"), ("other", "y")):
        desk = Desk(folder=tmp_path / "run")
        desk.open("yang1999", 1)
        found = desk.predictions("data", key, ["x"], {"a": lambda answer=answer: [answer]})
        assert found["a"] == [answer]


def test_damaged_notes(tmp_path: Path) -> None:
    Desk(folder=tmp_path / "run").open("yang1999", 1)
    (tmp_path / "run" / "notes.json").write_text("[1]")
    again = Desk(folder=tmp_path / "run")
    again.open("yang1999", 1)
    assert again.notes == {}


def test_damaged_predictions_are_made_again(tmp_path: Path) -> None:
    desk = Desk(folder=tmp_path / "run")
    desk.open("yang1999", 1)
    (tmp_path / "run" / "predictions" / "data.parquet").write_bytes(b"PAR1 and then nothing")

    assert desk.predictions("data", "key", ["x"], {"a": lambda: ["y"]}) == {"truth": ["x"], "a": ["y"]}


def test_folders_of_others_are_refused(tmp_path: Path) -> None:
    """Neither somebody's own folder nor another run is written to."""
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(InputError, match="not empty"):
        Desk(folder=tmp_path).open("yang1999", 1)
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]
    Desk(folder=tmp_path / "run", quick=True).open("yang1999", 1)
    with pytest.raises(InputError, match="another run"):
        Desk(folder=tmp_path / "run").open("yang1999", 1)
    (tmp_path / "run" / "run.json").write_text("{")
    with pytest.raises(InputError, match="cannot be read"):
        Desk(folder=tmp_path / "run", quick=True).open("yang1999", 1)


def test_notes_are_kept(tmp_path: Path) -> None:
    """What was found on the way is there when the run goes on."""
    desk = Desk(folder=tmp_path / "run", tune=True)
    desk.open("zhang2016", 1)
    desk.note("20news", "svm_l2", {"C": 2.0})
    again = Desk(folder=tmp_path / "run", tune=True)
    again.open("zhang2016", 1)

    assert again.notes == {"20news": {"svm_l2": {"C": 2.0}}}


def test_steps_are_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    desk = Desk(folder=tmp_path / "run", tell=lambda *step: told.append(step))
    desk.open("yang1999", 3)
    desk.step("reading")
    desk.predictions("data", "key", ["x"], {"a": lambda: ["y"]})

    assert told == [("reading", 0, 3), ("data: a", 1, 3)]


def test_folder(tmp_path: Path) -> None:
    """Everything is there, and the page is written by whoever knows how."""
    desk = Desk(folder=tmp_path / "run")
    desk.open("zhang2016", 1)
    desk.close(RESULTS, lambda path: path.write_text("page"))

    files = {str(file.relative_to(tmp_path / "run")) for file in (tmp_path / "run").rglob("*") if file.is_file()}
    tables = {f"tables/{key}.{suffix}" for key in ("one", "checks") for suffix in ("md", "tex")}
    assert files == {"run.json", "account.md", "results.json", "report.html", *tables}
    assert json.loads((tmp_path / "run" / "results.json").read_text())["study"] == "zhang2016"


def test_printed_tables_are_the_papers(shared: Path) -> None:
    """What ships is what is printed."""
    for file in (shared / "oracles").glob("*.csv"):
        lines = file.read_text(encoding="utf-8").strip().splitlines()
        found = printed(file.stem)
        assert [",".join(row.values()) for row in found] == lines[1:]
