"""A state that was cut, edited, or written by somebody else is refused, never misread."""

import copy
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from attacking import outclass, refused

import outclass as oc
from outclass import atomic
from outclass.data.state import State
from outclass.errors import InputError, OutclassError

ROWS = [("spam", "spam", "ham"), ("ham", "ham", "ham"), ("spam", None, "spam"), ("unsure", "ham", "ham")]
GOOD = oc.Outcomes.of_rows(("old", "new"), ROWS, [5, 7, 1, 10**15])
TEXT = GOOD.to_json()


def test_cut_anywhere() -> None:
    """Whatever is lost at the end, it is not read; but for the last line break, which means nothing."""
    for size in range(len(TEXT) - 1):
        with pytest.raises(InputError):
            oc.Outcomes.from_json(TEXT[:size])
    assert oc.Outcomes.from_json(TEXT[:-1]) == GOOD


ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        -1,
        0,
        2,
        1.0,
        0.5,
        float("nan"),
        float("inf"),
        1e308,
        10**18 + 1,
        10**30,
        "1",
        "",
        " x",
        "\ud800",
    ),
    *([], {}, [[]], [None], {"a": 1}, [1, "1"], ["x", "x"], ["\ud800"], [float("nan")]),
)


def places(plain: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return every place in plain data."""
    inner = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    return [path, *(each for key, value in inner for each in places(value, (*path, key)))]


def test_every_field_edited() -> None:
    """A value of another type, negative, not finite, huge, empty or missing in any place: refused, or plainly so."""
    plain = json.loads(TEXT)
    tried = 0
    for path in places(plain):
        for odd in ODD:
            edited: Any = copy.deepcopy(plain)
            if not path:
                edited = odd
            else:
                holder = edited
                for key in path[:-1]:
                    holder = holder[key]
                if holder[path[-1]] == odd and type(holder[path[-1]]) is type(odd):
                    continue
                holder[path[-1]] = odd
            tried += 1
            try:
                found = oc.Outcomes.from_json(json.dumps(edited))
            except InputError:
                continue
            # What is still a state says what stands in it: a code, a count or a name was changed for another.
            assert json.loads(found.to_json())["version"] == edited["version"] == 1
            assert sorted(found.systems) == sorted(edited["systems"])
            assert set(found.labels) == set(edited["labels"])
            assert found.items == sum(row[-1] for row in edited["outcomes"])
    assert tried > 500


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version": 1', '"version": 2'),
        ('"version": 1', '"version": true'),
        ('"version": 1', '"version": 1.0'),
        ('"version": 1', '"version": 1, "version": 1'),
        ('"version": 1', '"version": 1, "checked": true'),
        ('"outcomes": [', '"outcomes": [[0, 0, 0, 1]], "outcomes": ['),
        ('"systems": ["old", "new"]', '"systems": ["old"]'),
        ('"systems": ["old", "new"]', '"systems": ["old", "old"]'),
        ("[\n", "[" * 100_000 + "\n"),
        ("[\n", "[\n [0, 0, 0, " + "9" * 5_000 + "],\n"),
        ("[\n", "[\n [0, 0, 0, 1e5],\n"),
        ("[\n", "[\n [0, 0, 0, NaN],\n"),
        ("[\n", "[\n [-1, 0, 0, 1],\n"),
    ],
)
def test_edited_text(old: str, new: str) -> None:
    assert old in TEXT
    with pytest.raises(InputError) as caught:
        oc.Outcomes.from_json(TEXT.replace(old, new, 1))
    assert len(str(caught.value)) < 300


def test_a_newer_version_is_told(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text(TEXT.replace('"version": 1', '"version": 2'))
    with pytest.raises(InputError, match="version 2; this outclass reads 1"):
        State.open(tmp_path / "s.json")


def test_every_field_of_the_list_edited(tmp_path: Path) -> None:
    """The list of counted files is refused if it is not what was written: a file might count twice."""
    (tmp_path / "m.csv").write_text("gold,old,new\nspam,ham,spam\nham,ham,ham\n")
    oc.update(tmp_path / "s.json", tmp_path / "m.csv", truth="gold")
    listed = tmp_path / "s.json.seen"
    good = listed.read_text()
    plain = json.loads(good)
    for path in places(plain)[1:]:
        for odd in (None, 3, [], {}, True, [[1, 2]], ["x"]):
            edited = copy.deepcopy(plain)
            edited[path[0]] = odd
            if edited == plain or (path[0], odd) in (("findings", []), ("bytes", 3)):
                continue  # what might have been written
            listed.write_text(json.dumps(edited) + "\n")
            with pytest.raises(OutclassError):
                State.open(tmp_path / "s.json")
    for text in (good[:-5], good.replace('"file"', '"file": "x", "file"'), good.replace("{", '{"more": 1, ')):
        listed.write_text(text)
        with pytest.raises(OutclassError):
            State.open(tmp_path / "s.json")
    listed.write_text(good)
    assert State.open(tmp_path / "s.json").entries


def test_a_state_that_is_a_pipe(tmp_path: Path) -> None:
    """A pipe as a state is an error at once: opening it would wait for ever."""
    (tmp_path / "x.csv").write_text("gold,a,b\n1,1,0\n0,0,1\n", encoding="utf-8")
    os.mkfifo(tmp_path / "s.json")

    refused(outclass("update", "s.json", "x.csv", "--truth", "gold", cwd=tmp_path), "a pipe or a device; a state is")


def test_what_killed_updates_left_is_cleared(tmp_path: Path) -> None:
    """The next update deletes temporary files of the state, and no other file whose name looks like them."""
    (tmp_path / "x.csv").write_text("gold,a,b\n1,1,0\n0,0,1\n", encoding="utf-8")
    state = tmp_path / "s.json"
    left = Path(tempfile.mkstemp(dir=tmp_path, prefix=atomic._prefix(state))[1])
    others = [tmp_path / ".s.json.backup", Path(f"{tmp_path / '.t.json'}{left.name.removeprefix('.s.json')}")]
    for other in others:
        other.write_text("mine", encoding="utf-8")
    outclass("update", "s.json", "x.csv", "--truth", "gold", cwd=tmp_path)

    assert not left.exists()
    assert all(other.exists() for other in others)
