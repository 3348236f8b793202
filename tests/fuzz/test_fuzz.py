"""What once broke a reader does not break it again; a short run over every reader; and no reader is forgotten."""

import ast
from pathlib import Path

import pytest
from mutator import Mutator

from fuzz import checking, fuzz, outcome_of, page, wrong_message
from readers import CORPUS, NO_READER, READERS, seeds

SOURCE = Path(__file__).parents[2] / "src" / "outclass"
INPUTS = 60  # of each reader


@pytest.mark.parametrize("name", READERS)
def test_reader(name: str) -> None:
    """The corpus, and some new inputs, give values or sentences."""
    with checking() as folder:
        told = {path.name: outcome_of(READERS[name].read, path.read_bytes(), folder) for path in _corpus(name)}
    assert not {file: what for file, what in told.items() if what[0] == "fault"}
    assert any(what[0] == "value" for what in told.values()), "no input of the corpus is sound"
    found = fuzz(name, INPUTS, float("inf"), "ci", small=False)
    assert found.inputs == INPUTS
    assert not found.faults


def _corpus(name: str) -> list[Path]:
    return sorted((CORPUS / name).iterdir())


def test_every_folder_of_the_corpus_is_of_a_reader_and_small() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(READERS)
    assert sum(path.stat().st_size for path in CORPUS.rglob("*") if path.is_file()) < 300_000


def test_no_reader_is_forgotten() -> None:
    """Every module of data/ has a reader, or a reason why not; and so has whatever reads JSON or opens a file."""
    covered = {module for reader in READERS.values() for module in reader.modules}
    modules = {path.stem for path in (SOURCE / "data").glob("*.py")} - {"__init__"}
    assert modules - covered == set(NO_READER)
    reading = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in (
                "json.loads",
                "json.load",
                "gzip.open",
                "open",
            ):
                reading.add(path.relative_to(SOURCE).with_suffix("").as_posix())
    assert {name for name in reading if not name.startswith("data/")} == {
        "cli/entry",  # standard streams that are closed
        "cli/gate",  # files that a build names, which are written to
        "rows/plain",  # the readers `comparison`, `evaluation`, `ranking`, `plan` and `battery`
        "planning/study",  # the reader `resume`
        "studies/study",  # the reader `study`
    }


def test_the_harness_sees_faults() -> None:
    """What it looks for is found: exceptions, control characters, empty and endless messages."""

    def broken(data: bytes, folder: Path) -> None:
        raise RecursionError

    assert outcome_of(broken, b"", Path())[0] == "fault"
    assert wrong_message("a \x1b[31m red") == "control characters in the message"
    assert wrong_message(" ") == "empty message"
    assert wrong_message("x" * 10_000) == "message too long"
    assert not wrong_message("one\ntwo: 'é'.")


def test_the_same_seed_makes_the_same_inputs() -> None:
    first, second = (Mutator("x").one(seeds("text"), 20_000) for _ in range(2))
    assert first == second


def test_the_page_is_of_these_readers() -> None:
    """Every reader stands in docs/fuzz.md with no fault, and they had a million inputs together."""
    text = (SOURCE.parents[1] / "docs" / "fuzz.md").read_text(encoding="utf-8")
    rows = {
        cells[0]: [cell.strip("*").replace(",", "") for cell in cells]
        for cells in (
            [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"
        )
    }
    assert text.startswith(page({}).split("\n| reader", maxsplit=1)[0])
    for name in READERS:
        assert int(rows[name][1]) >= 20_000
        assert rows[name][8] == "0"
    assert int(rows["**all**"][1]) >= 1_000_000
