"""The same question gets the same answer, whatever road it takes inside."""

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from cells import CELLS
from extract import apart, numbers_of, plain
from round_trip import lost
from speech import foreign

FILE = Path(__file__).parent / "answers.json"
TOLERANCE = 1e-6  # of numbers that are integrated, or drawn from the same seeds


@pytest.fixture(scope="module")
def golden() -> dict[str, dict[str, object]]:
    """Return the answers that were kept."""
    kept: dict[str, dict[str, object]] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


class Asked(NamedTuple):
    """A cell and its answer."""

    name: str
    answer: Any


@pytest.fixture(scope="module", params=CELLS)
def asked(request: pytest.FixtureRequest) -> Asked:
    """Return the answer of a cell, which several tests look at."""
    return Asked(request.param, CELLS[request.param]())


def test_an_answer_is_what_it_was(asked: Asked, golden: dict[str, dict[str, object]]) -> None:
    """Every number, verdict, p-value and code of a cell is as it was kept; JSON and another process get all of it."""
    then = golden[asked.name]

    now = plain(numbers_of(asked.answer))

    assert {key: sorted(set(apart(now.get(key), then[key], TOLERANCE))) for key in then} == {key: [] for key in then}
    assert set(now) == set(then)
    assert lost(asked.answer) == []


def test_an_answer_speaks_the_dialect_of_its_reader(asked: Asked) -> None:
    """In Python no text names an option of the command line; on the command line none names an argument or a method."""
    assert foreign(asked.answer) == []


def test_every_golden_answer_has_its_cell(golden: dict[str, dict[str, object]]) -> None:
    """No answer is kept that nobody asks for."""
    assert set(golden) == set(CELLS)
