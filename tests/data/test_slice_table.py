"""Tables of slices: counts of columns and pairs of columns from any source, against counting by hand."""

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from outclass.data.slice_codes import ROWS
from outclass.data.slice_table import families
from outclass.data.slice_tables import Asked, opened
from outclass.errors import InputError

ASKED = {"truth": "gold", "systems": ["old", "new"]}
HOSTILE = "a \"b', c; -- <i>&%"


def _columns(items: int = 400, labels: tuple[str, ...] = ("yes", "no")) -> dict[str, list[Any]]:
    rng = np.random.default_rng(3)
    gold = rng.choice(labels, items)
    said = {name: np.where(rng.random(items) < 0.25, rng.choice(labels, items), gold) for name in ("old", "new")}
    return {
        "key": [f"k{place}" for place in range(items)],
        "gold": gold.tolist(),
        **{name: own.tolist() for name, own in said.items()},
        HOSTILE: rng.choice(["x", 'y "q"', "z,';", "ü"], items).tolist(),
        "flag": rng.choice(["on", "off"], items).tolist(),
        "size": rng.integers(0, 60, items).tolist(),
        "holes": [None if draw < 0.2 else "here" for draw in rng.random(items)],
        "note": [f"some text {place}" for place in range(items)],
        "same": ["one"] * items,
    }


def _by_hand(columns: dict[str, list[Any]], names: tuple[str, ...], bins: Any) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for row in zip(*columns.values(), strict=True):
        item = dict(zip(columns, row, strict=True))
        where = tuple(bins(item[name]) if name == "size" else str(item[name] or "(missing)") for name in names)
        yes = [item[name] == "yes" for name in ("gold", "old", "new")]
        found[(*where, (0 if yes[0] else 4) + (0 if yes[1] else 2) + (0 if yes[2] else 1))] += 1
    return found


def _sources(columns: dict[str, list[Any]], folder: Path) -> dict[str, Any]:
    frame = pd.DataFrame(columns)
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_parquet(folder / "t.parquet")
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (folder / "t.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    for part in range(2):
        frame.iloc[part::2].to_csv(folder / f"part{part}.csv", index=False)
    return {
        "csv": str(folder / "t.csv"),
        "parquet": str(folder / "t.parquet"),
        "json lines": folder / "t.jsonl",
        "glob": str(folder / "part*.csv"),
        "pandas": frame,
        "polars": pl.DataFrame(columns),
        "lazy": pl.LazyFrame(columns),
        "mapping": columns,
    }


@pytest.mark.parametrize("kind", ["csv", "parquet", "json lines", "glob", "pandas", "polars", "lazy", "mapping"])
def test_counts_of_columns_and_pairs(kind: str, tmp_path: Path) -> None:
    """Every source gives the same slices and the same tables as counting row by row; ids and constants are left out."""
    columns = _columns()
    source = _sources(columns, tmp_path)[kind]
    with opened(source, Asked(**ASKED, id="key")) as table:
        found = families(table, "yes", 2)
        names = [column.name for column in table.columns]
        slices = {column.name: column.slices for column in table.columns}
        left_out = table.left_out

    assert names == [HOSTILE, "flag", "size", "holes"]
    assert set(left_out) == {"note", "same"}
    assert slices["holes"] == ("here", "(missing)")
    assert len(slices["size"]) == 4
    edges = [float(name.removeprefix("≤ ").split(" to ")[-1]) for name in slices["size"][:3]]

    def bins(value: int) -> str:
        return slices["size"][int(np.searchsorted(edges, value, side="left"))]

    assert [each.columns for each in found] == [(0,), (1,), (2,), (3,), *combinations(range(4), 2)]
    for family in found:
        own = tuple(names[at] for at in family.columns)
        counted = {
            (*(slices[name][place] for name, place in zip(own, places, strict=True)), cell): int(count)
            for places, tables in zip(family.places, family.tables, strict=True)
            for cell, count in enumerate(tables.ravel())
            if count
        }

        assert counted == _by_hand(columns, own, bins)


@pytest.mark.parametrize("kind", ["csv", "mapping"])
def test_items_that_were_lost(kind: str, tmp_path: Path) -> None:
    """The first rows of a slice that the old system got right and the new one wrong, with their ids."""
    columns = _columns()
    with opened(_sources(columns, tmp_path)[kind], Asked(**ASKED, id="key")) as table:
        place = table.columns[0].slices.index("x")
        (rows,) = table.lost_items("yes", [[(0, place)]], 5)
        assert table.ids is not None
        ids = table.ids(rows)

    lost = [
        key
        for key, gold, old, new, value in zip(
            *(columns[name] for name in ("key", "gold", "old", "new", HOSTILE)), strict=True
        )
        if value == "x" and gold == old != new
    ]
    assert ids == lost[:5]


@pytest.mark.parametrize("kind", ["csv", "mapping"])
def test_many_labels_and_who_is_right(kind: str, tmp_path: Path) -> None:
    """Without a positive label the cells are: both right, only the old one, only the new one, neither."""
    columns = _columns(labels=("a", "b", "c"))
    with opened(_sources(columns, tmp_path)[kind], Asked(**ASKED, columns=["flag"])) as table:
        (family,) = families(table, None, 1)
        rights = table.outcomes.rights("old", "new")

    assert family.tables.sum(axis=0)[0].tolist() == rights.ravel().tolist()
    assert family.tables[:, 1].sum() == 0


@pytest.mark.parametrize("kind", ["csv", "parquet", "mapping"])
@pytest.mark.parametrize("policy", ["drop", "wrong", "error"])
def test_missing_predictions(kind: str, policy: str, tmp_path: Path) -> None:
    """They are dropped, counted as wrong, or an error, as for every other question."""
    columns = _columns()
    columns["new"][0] = columns["new"][7] = None
    with opened(_sources(columns, tmp_path)[kind], Asked(**ASKED, missing=policy, columns=["flag"])) as table:
        if policy == "error":
            with pytest.raises(InputError, match="2 of 400 items have a missing label"):
                families(table, "yes", 1)
            return
        (family,) = families(table, "yes", 1)
        whole = table.outcomes.joint("old", "new", "yes")

    assert family.tables.sum(axis=0).tolist() == whole.tolist()
    assert family.tables.sum() == (398 if policy == "drop" else 400)


@pytest.mark.parametrize("kind", ["csv", "parquet", "mapping"])
def test_rows_that_stand_for_several_items(kind: str, tmp_path: Path) -> None:
    """A column of counts weighs every row."""
    columns = {**_columns(), "n": [place % 3 for place in range(400)]}
    with opened(_sources(columns, tmp_path)[kind], Asked(**ASKED, count="n", columns=["flag"])) as table:
        (family,) = families(table, "yes", 1)

    assert family.tables.sum() == sum(columns["n"])


def test_many_numbers_and_dates_in_a_file(tmp_path: Path) -> None:
    """Of columns with many values, the quartiles found by DuckDB are those found in memory; dates are months."""
    rng = np.random.default_rng(5)
    items = 3_000
    columns = {
        "gold": rng.choice(["yes", "no"], items),
        "old": rng.choice(["yes", "no"], items),
        "new": rng.choice(["yes", "no"], items),
        "time": rng.gamma(2, 30, items),
        "day": np.datetime_as_string(
            np.datetime64("2024-01-15")
            + rng.permutation(items).astype("timedelta64[D]") // 20
            + np.zeros(items, dtype="timedelta64[D]")
        ),
        "at": [f"2024-0{1 + place % 3}-01 10:{place // 60 % 60:02d}:{place % 60:02d}" for place in range(items)],
        "who": [f"user {place % 1500}" for place in range(items)],
    }
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = []
    for source in (str(tmp_path / "t.csv"), {name: list(values) for name, values in columns.items()}):
        with opened(source, Asked(**ASKED)) as table:
            found.append(
                (
                    [(column.name, column.slices) for column in table.columns],
                    [family.tables.tolist() for family in families(table, "yes", 1)],
                    set(table.left_out),
                )
            )

    assert found[0] == found[1]
    assert [name for name, _ in found[0][0]] == ["time", "day", "at"]
    assert dict(found[0][0])["at"] == ("2024-01", "2024-02", "2024-03")
    assert found[0][2] == {"who"}


def test_more_rows_than_a_part() -> None:
    """Parts add up."""
    rng = np.random.default_rng(1)
    items = ROWS + 10
    columns = {name: rng.integers(0, 2, items) for name in ("gold", "old", "new", "side")}
    steps: list[tuple[int, int]] = []
    with opened(columns, Asked(**ASKED)) as table:
        (family,) = families(table, 1, 2, lambda done, total: steps.append((done, total)))

    assert family.tables.sum() == items
    assert steps == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"systems": ["old"]}, "which two systems.*got 'old'"),
        ({"systems": None}, "which two systems"),
        ({"systems": ["old", "new", "flag"]}, "which two systems"),
        ({"columns": ["flg"]}, "no column 'flg'.*Did you mean 'flag'"),
        ({"columns": ["old"]}, "is a system, the id or the count"),
        ({"truth": None}, "which column of .* is the truth"),
        ({"missing": "maybe"}, "must be one of"),
    ],
)
def test_wrong_roles(asked: dict[str, Any], told: str) -> None:
    """Each is one sentence."""
    with pytest.raises(InputError, match=told), opened(_columns(), Asked(**{**ASKED, **asked})):
        pass


def test_several_tables() -> None:
    """They are not joined."""
    with pytest.raises(InputError, match="reads one table"), opened(["a.csv", "b.csv"], Asked(**ASKED)):
        pass


def test_columns_of_other_types(tmp_path: Path) -> None:
    """Lists and bytes in a file make no slices; nan and NA are missing values, all of them one slice."""
    items = 60
    said = {name: [place % 2 for place in range(items)] for name in ("gold", "old", "new")}
    frame = pd.DataFrame(
        {
            **said,
            "lists": [[place % 3] for place in range(items)],
            "bytes": [bytes([place % 3]) for place in range(items)],
            "number": [float("nan") if place % 4 == 0 else place % 3 for place in range(items)],
            "whole": pd.array([None if place % 5 == 0 else place % 2 for place in range(items)], dtype="Int64"),
        }
    )
    frame.to_parquet(tmp_path / "t.parquet")
    found, left_out = [], []
    for source in (tmp_path / "t.parquet", frame.drop(columns=["lists", "bytes"])):
        with opened(source, Asked(**ASKED)) as table:
            found.append({column.name: column.slices for column in table.columns})
            left_out.append(set(table.left_out))

    assert found[0] == found[1] == {"number": ("0", "1", "2", "(missing)"), "whole": ("0", "1", "(missing)")}
    assert left_out == [{"lists", "bytes"}, set()]
