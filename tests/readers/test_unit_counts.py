"""Tables of counts per item: wide, long, one per system; what is missing, and what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import outclass as oc
from outclass.data.unit_counts import GroupedCounts, UnitCounts
from outclass.errors import InputError

WIDE: dict[str, list[Any]] = {
    "id": ["x", "y", "z", "w"],
    "old_tp": [1, 0, 2, 0],
    "old_fp": [0, 1, 0, 0],
    "old_fn": [1, 0, 0, 0],
    "new_tp": [2, 0, 1, 0],
    "new_fp": [0, 0, 3, 0],
    "new_fn": [0, 0, 1, 0],
    "doc": ["d", "d", "e", "e"],
    "text": ["a long text", "another", "a third one", "and no counts"],
}
PATTERNS = {"tp": "*_tp", "fp": "*_fp", "fn": "*_fn"}
COLUMNS = {"tp": "tp", "fp": "fp", "fn": "fn"}
EXPECTED = {"old": [3, 1, 1], "new": [3, 1, 3]}


def _long() -> dict[str, list[Any]]:
    rows = [
        (WIDE["id"][at], WIDE["doc"][at], name, *(WIDE[f"{name}_{kind}"][at] for kind in ("tp", "fp", "fn")))
        for at in range(4)
        for name in ("old", "new")
    ]
    return dict(zip(("id", "doc", "who", "tp", "fp", "fn"), map(list, zip(*rows, strict=True)), strict=True))


LONG = {**COLUMNS, "item": "id", "system_column": "who"}


def _counts(found: UnitCounts | GroupedCounts) -> dict[str, list[int]]:
    """Return TP, FN and FP of each system."""
    return {name: found.tables(name).sum(axis=0).ravel()[:3].tolist() for name in found.systems}


def _read(data: Any, **columns: Any) -> Any:
    return oc.read(data, **columns)


@pytest.mark.parametrize("make", [dict, pd.DataFrame, pl.DataFrame])
def test_wide_and_long_tables(make: Any) -> None:
    """A star in the names of columns is the system's name; a long table has a row for each item and system."""
    wide, long = _read(make(WIDE), **PATTERNS), _read(make(_long()), **LONG)

    assert _counts(wide) == _counts(long) == EXPECTED
    assert wide.items == long.items == 4
    assert (wide.labels, wide.typed, wide.findings) == (("all",), False, ())


def test_files(tmp_path: Path) -> None:
    """The same from files; and one per system, joined on the ids, in any order, named after the files."""
    pd.DataFrame(WIDE).to_csv(tmp_path / "wide.csv", index=False)
    long = pd.DataFrame(_long())
    for name in ("old", "new"):
        long[long.who == name].sample(frac=1, random_state=1).drop(columns="who").to_csv(tmp_path / f"{name}.csv")
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]

    assert _counts(_read(tmp_path / "wide.csv", **PATTERNS)) == EXPECTED
    assert _counts(_read(files, **COLUMNS, id="id")) == EXPECTED
    assert _counts(_read(files[0], **COLUMNS)) == {"old": EXPECTED["old"]}
    assert _counts(_read(tmp_path / "wide.csv", **PATTERNS, systems=["new"])) == {"new": EXPECTED["new"]}


def test_labels_and_groups() -> None:
    """Rows of one item and different labels belong together; groups hold items."""
    table = {**_long(), "type": ["PER", "PER", "LOC", "LOC"] * 2}
    typed = _read(table, **LONG, label="type")
    grouped = _read(WIDE, **PATTERNS, group="doc")

    assert typed.labels == ("LOC", "PER")
    assert typed.tables("old")[:, 0].tolist() == [[0, 0], [3, 1]]
    assert typed.items == 4
    assert (grouped.sizes.tolist(), grouped.names) == ([2, 2], ("d", "e"))
    assert grouped.contributions("new")[0].tolist() == [0, 1, 1, 1]


def test_items_that_are_alike_are_kept_once() -> None:
    """A thousand copies of four items are four items with counts, as a column of counts says, too."""
    many = {name: column * 1000 for name, column in WIDE.items()}
    copied, counted = _read(many, **PATTERNS), _read({**WIDE, "n": [1000] * 4}, **PATTERNS, count="n")

    for found in (copied, counted):
        assert found.items == 4000
        assert sorted(found.times.tolist()) == [1000] * 4
        assert _counts(found) == {name: [1000 * each for each in own] for name, own in EXPECTED.items()}


@pytest.mark.parametrize(("missing", "old"), [("drop", [2, 0, 1]), ("wrong", [2, 2, 1])])
@pytest.mark.parametrize("wide", [True, False])
def test_missing_counts(missing: str, old: list[int], wide: bool) -> None:
    """An item without counts of a system is an error, or dropped, or all that the other knows of was missed."""
    table = {**WIDE, "old_tp": [None, 0, 2, 0], "new_tp": [2, 0, 1, 0]}
    long = {name: column[1:] for name, column in _long().items()}
    data, how = (table, PATTERNS) if wide else (long, LONG)

    with pytest.raises(InputError, match="1 of 4 items have no counts of some system"):
        _read(data, **how)
    found = _read(data, **how, missing=missing)
    assert _counts(found)["old"] == old
    assert [each.code for each in found.findings] == ["OC101" if missing == "drop" else "OC102"]


def test_systems_that_disagree_about_the_truth() -> None:
    """A finding says on how many items tp + fn differ, and shows the first."""
    found = _read({**WIDE, "new_fn": [0, 2, 1, 0]}, **PATTERNS)
    told = [each.message for each in found.findings if each.code == "OC621"]

    assert len(told) == 1
    assert "differs between systems on 1 items (first: 'row 2', 0 in old, 2 in new)" in told[0]
    assert "OC621" in {each.code for each in oc.compare(found).findings}


WRONG: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "negative": (
        {"old_tp": [1, -1, 2, 0]},
        {},
        "'old_tp' must contain counts (tp, fp, fn), whole numbers from 0 on; got -1",
    ),
    "fractional": ({"old_tp": [1, 0.5, 2, 0]}, {}, "got 0.5"),
    "a word": ({"old_tp": [1, "two", 2, 0]}, {}, "got 'two'"),
    "too many": ({"old_tp": [1, 10**13, 2, 0]}, {}, "must contain counts"),
    "a column is missing": ({}, {"fn": "*_missed"}, "has the column 'old_tp', 'old_fp', but no column 'old_missed'"),
    "no column": ({}, {"tp": "*_a", "fp": "*_b", "fn": "*_c"}, "no column is like '*_a', '*_b', '*_c'"),
    "two are missing": ({}, {"fn": None, "fp": None}, "fp, fn are missing"),
    "mixed patterns": ({}, {"fn": "fn"}, "three patterns with one * each"),
    "one column twice": ({}, {"fn": "*_fp"}, "name three different columns"),
    "patterns in a long table": ({}, {"system_column": "doc"}, "give one of the two"),
    "no such system": ({}, {"systems": ["nwe"]}, "Did you mean 'new'"),
    "no such column": ({}, {"group": "dok"}, "no column 'dok' (group)"),
    "an item twice": ({"id": ["x", "x", "z", "w"]}, {"item": "id"}, "item 'x' has counts of 'old' twice"),
    "labels without items": ({}, {"label": "doc"}, "needs the column of items"),
    "an item in two groups": (
        {"id": ["x", "x", "z", "w"], "kind": ["a", "b", "a", "a"], "doc": ["d", "e", "e", "e"]},
        {"item": "id", "label": "kind", "group": "doc"},
        "an item is in two groups",
    ),
    "empty groups": ({"doc": ["d", None, "e", "e"]}, {"group": "doc"}, "has empty cells"),
    "counts of groups": ({"n": [1] * 4}, {"group": "doc", "count": "n"}, "leave out item, id and group"),
    "no items": ({"n": [0] * 4}, {"count": "n"}, "no items"),
    "nothing to find": (
        {name: [0] * 4 for name in WIDE if "_" in name},
        {},
        "all counts (tp, fp, fn) are 0",
    ),
    "a truth": ({}, {"truth": "doc"}, "not used with counts per item"),
    "tags of tables": ({}, {"tp": None, "fp": None, "fn": None, "scheme": "bio"}, "applies to tagged sequences"),
    "two names of items": ({}, {"item": "id", "id": "id"}, "give only one"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(name: str) -> None:
    """Every fault is one sentence that shows what was seen."""
    columns, how, told = WRONG[name]

    with pytest.raises(InputError) as error:
        _read({**WIDE, **columns}, **{**PATTERNS, **how})
    assert told in str(error.value)


def test_names_of_systems_are_hostile() -> None:
    """A system may be called by a pattern, a path or nothing special; its name is what the star stands for."""
    names = ["*", "a.b", "<b>", "x_tp", "Ω 1"]
    table = {f"{name}_{kind}": [1, 0] for name in names for kind in ("tp", "fp", "fn")}

    found = _read(table, **PATTERNS)
    assert found.systems == tuple(names)
    assert isinstance(oc.compare(found.selected(names[:2])).to_html(), str)
    assert np.array_equal(found.times, [1, 1])
