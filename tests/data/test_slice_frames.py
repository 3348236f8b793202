"""Slices that an engine counts where the table lies: as in memory, from counts alone."""

from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import dask.dataframe as dd
import duckdb
import ibis
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

import outclass as oc
from outclass.data import frame_looks, frames, slice_frames
from outclass.data.frame_looks import quantile_edges
from outclass.data.slice_frames import blocks_of
from outclass.data.slicing import edges_of
from outclass.errors import FileError, InputError

NAMES: dict[str, Any] = {"truth": "gold", "systems": ["old", "new"]}
ITEMS = 1_200
SQLITE = ibis.sqlite.connect()

Columns = dict[str, list[Any]]


def _columns(labels: tuple[str, ...] = ("yes", "no"), seed: int = 4) -> Columns:
    """Return a table in which the new system loses German web pages, with columns of every kind."""
    rng = np.random.default_rng(seed)
    lang, genre = rng.choice(["en", "de", "fr"], ITEMS), rng.choice(["web", "news", "mail"], ITEMS)
    gold = rng.choice(labels, ITEMS)
    said = [np.where(rng.random(ITEMS) < 0.15, rng.choice(labels, ITEMS), gold) for _ in range(2)]
    said[1] = np.where((lang == "de") & (genre == "web") & (rng.random(ITEMS) < 0.6), labels[0], said[1])
    days = np.datetime64("2024-01-15") + rng.integers(0, 100, ITEMS)
    return {
        "id": [f"item {place:05d}" for place in range(ITEMS)],
        "gold": gold.tolist(),
        "old": said[0].tolist(),
        "new": said[1].tolist(),
        "lang": lang.tolist(),
        'gen\'re "x"': genre.tolist(),
        "length": rng.integers(3, 400, ITEMS).tolist(),
        "weight": rng.gamma(2, 30, ITEMS).tolist(),
        "few": [None if each < 0.2 else "here" for each in rng.random(ITEMS)],
        "words": [None if each % 7 == 0 else f" {each}" for each in rng.integers(0, 90, ITEMS).tolist()],
        "day": days.astype(str).tolist(),
        "text": [f"some text {place}" for place in range(ITEMS)],
        "same": ["one"] * ITEMS,
    }


def _sqlite(columns: Columns) -> Any:
    name = f"t{len(SQLITE.list_tables())}"
    pd.DataFrame(columns).to_sql(name, SQLITE.con, index=False)
    return SQLITE.table(name)


def _duckdb(columns: Columns) -> Any:
    frame = pl.DataFrame(columns, strict=False).to_arrow()
    return duckdb.connect().from_arrow(frame)


ENGINES: dict[str, Callable[[Columns], Any]] = {
    "polars": lambda columns: pl.LazyFrame(columns, strict=False),
    "duckdb": _duckdb,
    "sqlite": _sqlite,
    "dask": lambda columns: dd.from_pandas(pd.DataFrame(columns), npartitions=3),
}


@cache
def _in_memory() -> oc.SliceSearch:
    return oc.slices(_columns(), **NAMES, id="id")


@pytest.fixture(autouse=True)
def _nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody read the rows of a lazy frame."""

    def refused(_: Any) -> Any:
        raise AssertionError("the rows were fetched")

    monkeypatch.setattr(frames, "columns_of", refused)
    monkeypatch.setattr(frames.FrameColumns, "__getitem__", refused)


@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
@pytest.mark.parametrize(
    ("engine", "most"),
    [
        *((engine, frames.MOST_VALUES) for engine in ENGINES),
        *((engine, 80) for engine in ENGINES if engine != "dask"),
        pytest.param("dask", 80, marks=pytest.mark.full),
    ],
)
def test_the_answer_is_that_of_memory(engine: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows, order, findings and examples are the same, also where a column has more values than are fetched."""
    columns, expected = _columns(), _in_memory()
    monkeypatch.setattr(frame_looks, "MOST_VALUES", most)
    monkeypatch.setattr(frame_looks, "BUCKETS", 7)
    monkeypatch.setattr(slice_frames, "BLOCK", 500)
    found = oc.slices(ENGINES[engine](columns), **NAMES, id="id")

    assert any(row.ids for row in expected.rows)
    assert expected.searched.columns == ("lang", 'gen\'re "x"', "length", "weight", "few", "words", "day")
    assert found.to_json() == expected.to_json()


@pytest.mark.parametrize("positive", [None, "b"])
@pytest.mark.parametrize("missing", ["drop", "wrong", "error"])
@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_missing_labels_of_many(engine: str, missing: str, positive: str | None) -> None:
    """Several labels, some of them missing in every way, by who is right and by one label, with rows of many items."""
    columns = _columns(labels=("a", "b", "c", "d"))
    columns["new"][3] = columns["old"][5] = columns["new"][5] = None
    columns["new"][9] = "  "
    columns["gold"][11] = None if missing == "drop" else "a"
    columns["many"] = [place % 4 for place in range(ITEMS)]
    asked = {**NAMES, "missing": missing, "positive": positive, "count": "many", "id": "id"}
    answers = []
    for data in (columns, ENGINES[engine](columns)):
        if missing == "error":
            with pytest.raises(InputError, match=r"items have a missing label"):
                oc.slices(data, **asked)
            return
        answers.append(oc.slices(data, **asked))

    assert answers[0].to_json() == answers[1].to_json()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_labels_that_are_spelt_otherwise(engine: str) -> None:
    """1, 1.0, '1' and ' 1 ' are one label, in columns of different types, for many labels and for one of two."""
    rng = np.random.default_rng(2)
    for many in (2, 5):
        gold = rng.integers(0, many, 600)
        columns = {
            "gold": gold.tolist(),
            "old": [f" {each} " if place % 3 else str(each) for place, each in enumerate(gold.tolist())],
            "new": np.where(rng.random(600) < 0.3, 0.0, gold).tolist(),
            "side": rng.choice(["x", "y"], 600).tolist(),
        }
        columns["new"][0] = float("nan")
        answers = [oc.slices(data, **NAMES, missing="wrong") for data in (columns, ENGINES[engine](columns))]

        assert answers[0].to_json() == answers[1].to_json()


@pytest.mark.parametrize("engine", ["polars", "duckdb", "sqlite"])
@pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
def test_quantiles_are_found_in_few_queries(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The edges of the values, weighed, with ties, some far away: as from all values at once."""
    monkeypatch.setattr(frame_looks, "MOST_VALUES", 20)
    monkeypatch.setattr(frame_looks, "BUCKETS", 10)
    rng = np.random.default_rng(8)
    worlds = {
        "even": rng.random(900),
        "ties": rng.integers(-5, 60, 900).astype(float),
        "skewed": np.exp(rng.normal(0, 12, 900)),
        "close": 1e9 + rng.integers(0, 300, 900) * 1e-6,
        "one far away": np.append(rng.random(899), 1e300),
        "two": np.repeat([1.0, 2.0], 450),
    }
    for name, numbers in worlds.items():
        sizes = rng.integers(0, 4, 900)
        frame = nw.from_native(ENGINES[engine]({"number": numbers.tolist(), "size": sizes.tolist()}))
        values = np.unique(numbers[sizes > 0])
        weights = np.array([sizes[numbers == value].sum() for value in values])
        for bins in (2, 4, 9):
            expected = edges_of(values, weights, bins)
            weighing = frame.filter(nw.col("size") > 0)

            assert quantile_edges(weighing, nw.col("number"), "size", bins) == expected, name


def test_blocks_give_everything_once_and_in_few_queries() -> None:
    """Every column and pair is counted by one query; columns with few slices share them."""
    for sizes, most in (([7] * 20, 40), ([3, 900, 4, 900, 5], 6), ([2, 3], 1)):
        wanted = [(at,) for at in range(len(sizes))] + list(combinations(range(len(sizes)), 2))
        blocks = blocks_of(sizes, 8, wanted)
        given = [at for _, families in blocks for at in families]

        assert sorted(given) == list(range(len(wanted)))
        assert all({*wanted[at]} <= {*block} for block, families in blocks for at in families)
        assert len(blocks) <= most
        assert all(len(block) <= 2 or 8 * np.prod([sizes[at] for at in block]) <= 1 << 17 for block, _ in blocks)


def test_few_counts_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a hundred thousand rows, some hundred are fetched: the values of columns, and the counts of slices."""
    rng = np.random.default_rng(1)
    items = 100_000
    gold = rng.integers(0, 2, items)
    columns = {"gold": gold, "old": gold ^ (rng.random(items) < 0.1), "new": gold ^ (rng.random(items) < 0.2)}
    columns |= {"side": rng.integers(0, 3, items), "weight": rng.random(items), "place": rng.permutation(items)}
    fetched = []
    rows_of = frames.rows_of

    def counted(frame: Any) -> Any:
        rows = rows_of(frame)
        fetched.append(len(rows))
        return rows

    expected = oc.slices({name: list(own) for name, own in columns.items()}, **NAMES)
    for module in (frames, frame_looks, slice_frames):
        monkeypatch.setattr(module, "rows_of", counted)
    monkeypatch.setattr(frame_looks, "MOST_VALUES", 300)
    found = oc.slices(pl.LazyFrame(columns), **NAMES)

    assert found.to_json() == expected.to_json()
    assert sum(fetched) < 8_000


def test_a_table_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of two moments are no counts: one sentence."""
    table = pl.LazyFrame(_columns())
    by = slice_frames.Rows.by

    def later(rows: Any, key: Any, columns: Any) -> Any:
        return by(rows._replace(frame=rows.frame.head(ITEMS - 1)), key, columns)

    monkeypatch.setattr(slice_frames.Rows, "by", later)
    with pytest.raises(FileError, match=r"do not add up: it changed while it was being counted"):
        oc.slices(table, **NAMES)


def test_what_cannot_be_grouped_is_told() -> None:
    """Lists are no slices; of a named one that is an error; and so are bins of what is no number."""
    table = pl.LazyFrame({**_columns(), "tags": [["a"] if place % 2 else ["b"] for place in range(ITEMS)]})
    found = oc.slices(table, **NAMES)

    assert "'tags' (it holds lists, records or bytes)" in dict(found.findings)["OC641"]
    with pytest.raises(InputError, match="column 'tags' cannot be sliced: it holds lists, records or bytes"):
        oc.slices(table, **NAMES, columns="tags")
    with pytest.raises(InputError, match=r"column 'lang' cannot be sliced: '..' is not a number"):
        oc.slices(table, **NAMES, columns="lang:3")
    with pytest.raises(InputError, match="the table is empty"):
        oc.slices(table.head(0), **NAMES)
    with pytest.raises(InputError, match="occur more than once"):
        oc.slices(table, **NAMES, id="lang")


def test_moments_in_time_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Months are those of UTC, as in memory; of text with too many of them, a sentence says what to do."""
    columns = _columns()
    columns["at"] = [f"2024-0{1 + place % 3}-31 23:{place % 60:02d}:00-05:00" for place in range(ITEMS)]
    asked = {**NAMES, "columns": ["at", "lang"]}
    expected = oc.slices(columns, **asked)
    found = oc.slices(pl.LazyFrame(columns), **asked)
    monkeypatch.setattr(frame_looks, "MOST_VALUES", 20)

    assert found.to_json() == expected.to_json()
    with pytest.raises(InputError, match="moments in time zones, as text; make it a column of timestamps"):
        oc.slices(pl.LazyFrame(columns), **asked)
