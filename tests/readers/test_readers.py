"""One table gives one count, whoever reads it, and in however many batches."""

import json
import math
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tables import Table, as_csv, as_json, disagreements, random_table

import outclass as oc
from outclass.data.labels import normal
from outclass.data.multilabel import from_lists
from outclass.errors import FileError, InputError

# Ibis asks pandas for an option that newer ones give up.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")


def test_every_reader(tmp_path: Path, full: bool) -> None:
    """One table gives one `Outcomes` by every reader: random tables of odd labels, some missing; in full, 2,000."""
    assert disagreements(7, 2_000 if full else 12, tmp_path) == []


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (1.0, 1), ("1", 1), (" 1.0 ", 1), ("1.", 1), (-0.0, 0), (np.int8(3), 3), (np.float32(2), 2),
        (1e16, 10**16), ("1e16", 10**16), ("10000000000000000.0", 10**16), ("10000000000000000", 10**16),
        ("1.152921504606847e18", 2**60), ("1e-7", "1e-07"), ("1e5", "1e5"), ("12e16", "12e16"),
        (datetime(2024, 2, 3), "2024-02-03"), ("2024-02-03 00:00:00", "2024-02-03"), (date(2024, 2, 3), "2024-02-03"),
        (datetime(2024, 2, 3, tzinfo=UTC), "2024-02-03 00:00:00+00:00"),
        ("2024-02-03T00:00:00.000Z", "2024-02-03 00:00:00+00:00"),
        ("2024-02-03 01:00:00+0100", "2024-02-03 00:00:00+00:00"), ("2024-02-32 00:00:00Z", "2024-02-32 00:00:00Z"),
        (np.datetime64("2024-02-03", "ns"), "2024-02-03"),
        (np.datetime64("2024-02-03T10", "ns"), "2024-02-03 10:00:00"),
        (pd.Timestamp("2024-02-03 00:00:00.000000001"), "2024-02-03 00:00:00.000000001"),
        (np.datetime64("2024-02-03 00:00:00.000000001"), "2024-02-03 00:00:00.000000001"),
        (True, True), ("TRUE", True), (np.bool_(False), False),
        ("01", "01"), ("1.10", "1.10"), (4.5, "4.5"), ("+1", "+1"), (1e20, 10**20), (math.inf, "inf"),
        (1e200, "1e+200"), ("1e200", "1e+200"),
        (Decimal(10**16), 10**16), (Decimal("12345678901234567.00"), 12345678901234567), (Decimal("1E+3"), 1000),
        (Decimal("4.50"), "4.5"), (Decimal("-0.0"), 0), (Decimal(f"0.{10**31 + 1}"), f"0.{10**31 + 1}"),
        (Decimal("Infinity"), "inf"), (Decimal("1E+999999"), "1E+999999"), (Decimal("1E+40"), str(10**40)),
        (10**40, str(10**40)), (str(10**37), 10**37), (b"ham", "ham"), ("nan", "nan"), ("\u0661", "\u0661"),
    ],
)  # fmt: skip
def test_values_one_by_one(value: Any, label: Any) -> None:
    """A label is made of its value alone; made again it stays what it is."""
    found = normal(value)

    assert (type(found), found) == (type(label), label)
    assert normal(found) == found


def _of_bytes(columns: dict[str, list[bytes]], folder: Path) -> dict[str, Any]:
    """Return columns of bytes as every reader that can hold them takes them."""
    gold, said = columns.values()
    table = pa.table(columns)
    pq.write_table(table, folder / "x.parquet")
    with duckdb.connect(str(folder / "x.duckdb")) as connection:
        connection.register("written", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM written")
    with closing(sqlite3.connect(folder / "x.sqlite")) as connection:
        connection.execute("CREATE TABLE t (gold BLOB, a BLOB)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", list(zip(gold, said, strict=True)))
        connection.commit()
    return {
        "lists": (gold, {"a": said}),
        "arrays": (np.array(gold), {"a": np.array(said)}),
        "objects": (np.array(gold, dtype=object), {"a": np.array(said, dtype=object)}),
        "pandas": pd.DataFrame(columns),
        "categories": pd.DataFrame(columns).astype("category"),
        "polars": pl.DataFrame(columns),
        "polars lazy": pl.LazyFrame(columns),
        "arrow": table,
        "parquet": folder / "x.parquet",
        "duckdb": f"duckdb:///{folder}/x.duckdb#t",
        "sqlite": f"sqlite:///{folder}/x.sqlite#t",
    }


def _read(source: Any) -> oc.Outcomes:
    found: oc.Outcomes = oc.read(*source) if isinstance(source, tuple) else oc.read(source, truth="gold")
    return found


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused by every reader: replaced by a sign, all would be one label."""
    for name, source in _of_bytes({"gold": [b"a", b"\xff"], "a": [b"a", b"\xfe"]}, tmp_path).items():
        with pytest.raises(InputError, match="not UTF-8"):
            print(name, _read(source))


def test_bytes_that_are_text(tmp_path: Path) -> None:
    """Bytes that are UTF-8 are that text, whoever reads them."""
    for name, source in _of_bytes({"gold": [b"a", b"\xc3\xa9"], "a": [b"a", b"a"]}, tmp_path).items():
        assert _read(source).labels == ("a", "\u00e9"), name


def test_numbers_beside_text(tmp_path: Path) -> None:
    """1 and 1.0 are one label beside text as well: a file and the same frame give the same answer (+.592 and -.077)."""
    table = Table({"gold": [1, 2, "other"] * 9, "a": [1.0, 2.0, "other"] * 9, "b": ["1", "1", "other"] * 9})
    found = [oc.read(source, truth="gold") for source in (as_csv(table, tmp_path), table.columns)]

    assert found[0] == found[1]
    assert found[0].rights("a", "b").tolist() == [[18, 9], [0, 0]]


def test_midnights_in_time_zones(tmp_path: Path) -> None:
    """A moment in a time zone is the same label by every reader, and midnights in different zones are different."""
    zone = timezone(timedelta(hours=9))
    moments = [datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=zone), datetime(2024, 1, 1, 3, tzinfo=UTC)]
    columns = {"gold": moments * 2, "a": moments * 2}
    table = pa.table({name: pa.array(own, pa.timestamp("us", "Asia/Tokyo")) for name, own in columns.items()})
    pq.write_table(table, tmp_path / "x.parquet")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.register("written", table)
        connection.execute("CREATE TABLE t AS SELECT * FROM written")
    sources = {
        "mapping": columns,
        "arrays": {name: np.array(own, dtype=object) for name, own in columns.items()},
        "pandas": table.to_pandas(),
        "polars": pl.from_arrow(table),
        "arrow": table,
        "csv": as_csv(Table(columns), tmp_path),
        "json lines": as_json(Table(columns), tmp_path),
        "parquet": tmp_path / "x.parquet",
        "duckdb": f"duckdb:///{tmp_path}/x.duckdb#t",
    }

    for name, source in sources.items():
        found = oc.read(source, truth="gold").labels
        assert found == tuple(f"{day}:00:00+00:00" for day in ("2023-12-31 15", "2024-01-01 00", "2024-01-01 03")), name


@pytest.mark.parametrize("unit", ["D", "s", "us", "ns"])
@pytest.mark.parametrize("many", [2, 20])
def test_arrays_of_moments(unit: str, many: int) -> None:
    """Arrays of moments have the labels of a frame; NaT and what is masked are missing."""
    days = np.append(np.arange(many).astype("datetime64[D]"), np.datetime64("NaT")).astype(f"datetime64[{unit}]")
    wanted = oc.read(pd.DataFrame({"gold": days[:-1], "a": days[:-1]}), truth="gold")
    counted = {"gold": days[:-1], "a": days[:-1], "n": [1] * many}

    assert wanted.labels[0] == "1970-01-01"
    assert oc.read(days, {"a": days}, missing="drop").labels == wanted.labels
    assert oc.read(np.ma.masked_array(days, [False] * many + [True]), {"a": days}, missing="drop") == oc.read(
        days, {"a": days}, missing="drop"
    )
    assert oc.read(counted, truth="gold", systems=["a"], count="n") == wanted
    assert oc.read({"gold": list(wanted.labels), "a": days[:-1]}, truth="gold") == wanted


IDS = [Decimal(12345678901234567), Decimal(12345678901234568)]


def _of_ids(folder: Path) -> dict[str, Any]:
    """Return a table whose labels and groups are ids of 17 digits, as every reader takes it."""
    columns = {"gold": IDS * 4, "a": IDS * 4, "g": IDS * 4}
    table = pa.table(columns, pa.schema([(name, pa.decimal128(20, 0)) for name in columns]))
    pq.write_table(table, folder / "ids.parquet")
    return {
        "mapping": columns,
        "pandas": pd.DataFrame(columns),
        "polars": pl.DataFrame(columns),
        "arrow": table,
        "parquet": folder / "ids.parquet",
    }


def test_exact_decimals(tmp_path: Path) -> None:
    """Decimals that are one number as floats stay two labels and two groups."""
    for name, source in _of_ids(tmp_path).items():
        labels = oc.read(source, truth="gold", systems=["a"]).labels
        grouped = oc.read(source, truth="gold", systems=["a"], group="g")

        assert labels == tuple(map(int, IDS)), name
        assert len(grouped.sizes) == 2, name


def test_exact_groups_of_scores(tmp_path: Path) -> None:
    """Groups of scores whose ids have 17 digits stay apart."""
    groups = pa.array(IDS * 4, pa.decimal128(20, 0))
    pq.write_table(pa.table({"a": [0.1, 0.2] * 4, "b": [0.3, 0.1] * 4, "g": groups}), tmp_path / "x.parquet")
    found = oc.read(tmp_path / "x.parquet", scores=True, group="g")

    assert len(np.unique(found.group)) == 2


def test_parts_of_other_types(tmp_path: Path) -> None:
    """Parts of a Parquet table are not cast to the types of the first: scores stay scores, and 7 is not True."""
    pq.write_table(pa.table({"gold": [True, False], "a": [True, False]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"gold": [2, 7], "a": [2, 7]}), tmp_path / "2.parquet")
    whole = oc.read(str(tmp_path / "*.parquet"), truth="gold")
    pq.write_table(pa.table({"gold": [1, 0], "a": [0.4, 0.6]}), tmp_path / "2.parquet")

    assert whole.labels == (0, 1, 2, 7)
    with pytest.raises(InputError, match="looks like a score"):
        oc.read(str(tmp_path / "*.parquet"), truth="gold")


@pytest.mark.parametrize(
    "parts",
    [
        [pa.array([Decimal("4.50"), Decimal("3.00")], pa.decimal128(3, 2)), pa.array([4.5, 3.0])],
        [pa.array([Decimal("4.50")], pa.decimal128(3, 2)), pa.array([Decimal("4.5"), Decimal(3)], pa.decimal128(2, 1))],
        [pa.array([Decimal("0.0")], pa.decimal128(1, 1)), pa.array([0, 1], pa.int8())],
        [pa.array([b"caf\xc3\xa9", b"1.0"]), pa.array(["caf\u00e9", "1"])],
        [pa.array([0.5, 0.1], pa.float32()), pa.array([0.5, float(np.float32(0.1))])],
        [pa.array([datetime(2024, 1, 1, 10, 30, 0, 500_000)], pa.timestamp("ms")), pa.array(["2024-01-02"])],
        [pa.array([datetime(2024, 1, 2)], pa.timestamp("ns")), pa.array([date(2024, 1, 2), date(2024, 1, 3)])],
        [pa.array([10**16, 5]), pa.array([1e16, 5.0])],
        [pa.array([True, False]), pa.array(["TRUE", "no"])],
    ],
    ids=lambda parts: " and ".join(str(part.type) for part in parts),
)
def test_parts_by_value(parts: list[pa.Array], tmp_path: Path) -> None:
    """Parts of different types have the labels of their values, as if these came from one list."""
    for at, part in enumerate(parts):
        pq.write_table(pa.table({"gold": part, "a": part}), tmp_path / f"{at}.parquet")
    values = np.array([value for part in parts for value in part.to_pylist()], dtype=object)

    assert oc.read(str(tmp_path / "*.parquet"), truth="gold") == oc.read({"gold": values, "a": values}, truth="gold")


def test_parts_with_nan(tmp_path: Path) -> None:
    """NaN in one part is missing beside text in another."""
    pq.write_table(pa.table({"gold": [1.0, 2.0], "a": [1.0, math.nan]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"gold": ["1", "x"], "a": ["1", "x"]}), tmp_path / "2.parquet")

    with pytest.raises(InputError, match="1 of 4 items has a missing label"):
        oc.read(str(tmp_path / "*.parquet"), truth="gold")


def test_parts_with_lists(tmp_path: Path) -> None:
    """Parts that hold lists here and text there do not become text."""
    pq.write_table(pa.table({"gold": [["x"]], "a": [["x"]]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"gold": ["x"], "a": ["x"]}), tmp_path / "2.parquet")

    with pytest.raises(FileError, match=r"column 'gold' .* is VARCHAR\[\] in some parts"):
        oc.read(str(tmp_path / "*.parquet"), truth="gold", separator=";")


def _lines(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_late_columns_of_json(tmp_path: Path) -> None:
    """A column that JSON lines have after thousands of rows, or in the last of many files, is there."""
    rows = [{"gold": at % 2, "a": at % 2} | ({"b": 1} if at >= 30_000 else {}) for at in range(30_010)]
    _lines(tmp_path / "x.jsonl", rows)
    for at in range(40):
        _lines(tmp_path / f"part{at:02}.jsonl", [rows[-1 if at == 39 else at]])

    for source in (tmp_path / "x.jsonl", tmp_path / "part*.jsonl"):
        assert oc.read(str(source), truth="gold", missing="wrong").systems == ("a", "b")


def test_many_columns_of_json(tmp_path: Path) -> None:
    """JSON lines with hundreds of columns, most of which a row lacks, are a table all the same."""
    rows = [{"gold": at % 2, "a": at % 2} | {f"k{at}_{own}": own for own in range(20)} for at in range(30)]
    path = _lines(tmp_path / "x.jsonl", rows)

    assert oc.read(path, truth="gold", systems=["a"]).items == 30


@pytest.mark.parametrize("data", [(["a", math.nan], ["a", "b"]), (["a", "b"], ["a", math.nan])])
def test_nan_is_no_label(data: tuple[Any, ...], tmp_path: Path) -> None:
    """NaN in a list or in JSON lines is a missing label, not a class."""
    path = tmp_path / "x.jsonl"
    rows = zip(*data, strict=True)
    path.write_text("".join(f'{{"gold": {_json(gold)}, "a": {_json(said)}}}\n' for gold, said in rows))

    for read in (lambda: oc.read(*data), lambda: oc.read(path, truth="gold")):
        with pytest.raises(InputError, match="1 of 2 items has a missing label"):
            read()


def test_null_in_a_list(tmp_path: Path) -> None:
    """Null in a list of labels is no label, whoever reads the list."""
    cells = [["x", None], ["y"], [None]]
    columns = {"gold": cells, "a": cells}
    pq.write_table(pa.table(columns), tmp_path / "x.parquet")
    path = _lines(tmp_path / "x.jsonl", [{"gold": cell, "a": cell} for cell in cells])

    for source in (columns, pl.DataFrame(columns), tmp_path / "x.parquet", path):
        assert oc.read(source, truth="gold", systems=["a"], separator=";").labels == ("x", "y")
    assert from_lists(cells, {"a": cells}).labels == ("x", "y")


def _json(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else "NaN"


BATCHES = (
    ("1.0", "0.0"), ("1.0", "maybe"), ("true", "false"), ("True", "unknown"), ("1", "2"), ("a", "b"), ("01", "1"),
)  # fmt: skip


@pytest.mark.parametrize("kind", ["labels", "groups"])
@pytest.mark.parametrize("chosen", list(permutations(range(len(BATCHES)), 3))[::12])
def test_batches_add_up(chosen: tuple[int, ...], kind: str, tmp_path: Path) -> None:
    """A state is what one file with all its batches is, however each spells its labels."""
    how = {"truth": "gold"} | ({"group": "g"} if kind == "groups" else {})
    lines = []
    for at, place in enumerate(chosen):
        own = [f"{gold},{said},{at}" for gold in BATCHES[place] for said in BATCHES[place]]
        (tmp_path / f"{at}.csv").write_text("\n".join(["gold,a,g", *own]) + "\n")
        oc.update(tmp_path / "state.json", tmp_path / f"{at}.csv", systems=["a"], new_labels=True, **how)
        lines += own
    (tmp_path / "whole.csv").write_text("\n".join(["gold,a,g", *lines]) + "\n")
    oc.update(tmp_path / "union.json", tmp_path / "whole.csv", systems=["a"], **how)

    assert (tmp_path / "state.json").read_bytes() == (tmp_path / "union.json").read_bytes()


def test_random_batches(tmp_path: Path) -> None:
    """Random tables cut into batches add up to themselves, in any order."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        columns = random_table(rng).columns
        cut = int(rng.integers(1, len(columns["gold"]) + 1))
        parts = [{name: own[part] for name, own in columns.items()} for part in (slice(cut), slice(cut, None))]
        how: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "missing": "drop"}
        try:
            whole = oc.read(columns, **how)
            read = [oc.read(part, **how) for part in parts if part["gold"]]
        except InputError:
            continue  # such as a fraction that the truth of a batch does not hold

        assert sum(read[1:], start=read[0]) == whole
        assert sum(read[-2::-1], start=read[-1]) == whole
