"""States of the other kinds of data: cut, edited or written by somebody else, they are an error, never misread."""

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outclass.data import saved
from outclass.data.multilabel import Grouped, from_lists
from outclass.data.outcomes import Outcomes
from outclass.data.scores import Scores
from outclass.data.state import State, is_state, read_state
from outclass.errors import InputError

ODD: tuple[Any, ...] = (None, True, -1, 0, 2, 1.0, 0.5, float("nan"), float("inf"), 10**30, "1", "", " x", "\ud800")
ODDER: tuple[Any, ...] = ([], {}, [[]], [None], {"a": 1}, [1, "1"], ["x", "x"], [["x"]], ["\ud800"], [float("nan")])
CODES = np.array([[0, 0, 1], [1, 1, 1], [0, 1, 0]])
OUTCOMES = Outcomes.of_rows(("old", "new"), [("x", "x", "y"), ("y", "y", "y"), ("x", "y", "x")], [1, 1, 1])
NUMBERS = {"old": np.array([0.5, -1e90, 0.0]), "new": np.array([1.0, 2.0, -0.0])}
KINDS: dict[str, Any] = {
    "documents": from_lists([["x", "y"], [], ["y"]], {"old": [["x"], [], ["y"]], "new": [["y"], ["x"], []]}),
    "groups": Grouped(OUTCOMES, CODES, np.array([1, 0, 1]), 2, ("d1", "d2")),
    "results": Scores(values=NUMBERS, name="latency", higher_is_better=False),
    "scores": Scores(
        values=NUMBERS,
        truth=np.array([True, False, True]),
        group=np.array([0, 1, 0]),
        group_names=("g", "h"),
        ids=("i1", "i2", "i3"),
    ),
}
TEXTS = {name: saved.to_json(saved.added(None, data, new_labels=False)) for name, data in KINDS.items()}


def places(plain: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every place in plain data."""
    inner = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    return [path, *(each for key, value in inner for each in places(value, (*path, key)))]


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_read_back_is_what_was_written(kind: str, tmp_path: Path) -> None:
    """A saved state of any kind has the same bytes again, and is known as one."""
    path = tmp_path / "s.json"
    path.write_text(TEXTS[kind])

    assert is_state(path)
    assert saved.to_json(read_state(path)) == TEXTS[kind]


@pytest.mark.parametrize("kind", TEXTS)
def test_cut_anywhere(kind: str, tmp_path: Path) -> None:
    """Whatever is lost at the end, it is an error of the input."""
    for size in range(len(TEXTS[kind]) - 1):
        with pytest.raises(InputError):
            saved.from_json(TEXTS[kind][:size])


@pytest.mark.parametrize("kind", TEXTS)
def test_every_field_edited(kind: str) -> None:
    """A value of another type, out of range, not finite or missing in any place: an error, or read as it stands."""
    plain = json.loads(TEXTS[kind])
    tried = read = 0
    for path in places(plain)[1:]:
        for odd in (*ODD, *ODDER):
            edited: Any = copy.deepcopy(plain)
            holder = edited
            for key in path[:-1]:
                holder = holder[key]
            if holder[path[-1]] == odd and type(holder[path[-1]]) is type(odd):
                continue
            holder[path[-1]] = odd
            tried += 1
            try:
                found = saved.from_json(json.dumps(edited))
            except InputError:
                continue
            read += 1
            assert saved.to_json(saved.from_json(saved.to_json(found))) == saved.to_json(found)
            assert sorted(found.systems) == sorted(edited["systems"])
            assert found.items == 3
    assert tried > 300
    assert read < tried / 4


@pytest.mark.parametrize("kind", TEXTS)
def test_a_newer_version_is_told(kind: str, tmp_path: Path) -> None:
    """A state of a later outclass is named as such."""
    (tmp_path / "s.json").write_text(TEXTS[kind].replace('"version": 1', '"version": 2'))

    with pytest.raises(InputError, match="version 2; this outclass reads 1"):
        State.open(tmp_path / "s.json")


def test_names_that_cannot_be_written() -> None:
    """Half of a surrogate pair in a label is an error before anything is written."""
    odd = from_lists([["\ud800"], ["x"]], {"old": [["x"], ["x"]]})

    with pytest.raises(InputError, match="surrogate"):
        saved.to_json(odd)
