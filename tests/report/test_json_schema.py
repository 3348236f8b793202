"""The JSON of every kind of answer has a version, and the keys that programs rely on."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import outclass as oc
from outclass.answers.answer import SCHEMA, Answer
from outclass.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

from cells import CELLS, many_labels
from searches import searched

# The keys of each kind of answer, as released: a key may be added here, and one that goes away needs a new SCHEMA.
FIELDS: Final = json.loads(Path(__file__).with_name("json_fields.json").read_text())
# Objects whose keys are names of systems, goals or recipes.
BY_NAME: Final = ("bayes_factors", "f1", "macro_f1", "smallest_n", "pairing_saves")
ASKED: Final = {
    "Comparison": CELLS["binary compare paired all"],
    "Evaluation": CELLS["binary evaluate single"],
    "Ranking": CELLS["binary rank"],
    "TestReport": lambda: oc.test(many_labels(), tests=["micro_sign"], by="frequency"),
    "SliceSearch": searched,
    "Plan": lambda: oc.plan(
        prevalence=0.3,
        recalls=(0.8, 0.7),
        false_positive_rates=(0.1, 0.1),
        n=[300],
        probability=0.8,
        model=["paired", "unpaired"],
        characteristics=True,
        sets=50,
    ),
}


def _paths(plain: Any, path: str = "") -> Iterator[str]:
    """Return the keys of plain data, each with those above it."""
    if isinstance(plain, list):
        for each in plain:
            yield from _paths(each, f"{path}[]")
        return
    named = path.rpartition(".")[2].partition("[")[0] in BY_NAME
    for key, value in plain.items() if isinstance(plain, dict) else ():
        here = f"{path}.{'*' if named else key}".removeprefix(".")
        yield here
        yield from _paths(value, here)


@pytest.fixture(scope="module", params=ASKED)
def answer(request: pytest.FixtureRequest) -> Answer:
    """Make an answer of each kind."""
    made: Answer = ASKED[request.param]()
    return made


def test_keys_are_those_that_were_released(answer: Answer) -> None:
    """No key goes away or is renamed by accident, and a new one is written down."""
    found = sorted(set(_paths(json.loads(answer.to_json()))))

    assert found == FIELDS[type(answer).__name__]


def test_version_comes_first(answer: Answer) -> None:
    """A program knows what it reads before it reads it."""
    plain = json.loads(answer.to_json())

    assert next(iter(plain)) == "schema"
    assert plain["schema"] == SCHEMA


def test_json_without_a_version_is_read(answer: Answer) -> None:
    """Files of the first release have none."""
    plain = json.loads(answer.to_json())
    del plain["schema"]

    assert type(answer).from_json(json.dumps(plain)).to_json() == answer.to_json()


@pytest.mark.parametrize(
    ("version", "told"),
    [
        (SCHEMA + 1, f"schema version {SCHEMA + 1}.*Upgrade"),
        (0, "schema 0"),
        ("2", "schema '2'"),
        (True, "schema True"),
    ],
)
def test_other_versions_are_refused(answer: Answer, version: object, told: str) -> None:
    """A later release may have moved what this one looks for."""
    plain = json.loads(answer.to_json()) | {"schema": version}

    with pytest.raises(InputError, match=told):
        type(answer).from_json(json.dumps(plain))
