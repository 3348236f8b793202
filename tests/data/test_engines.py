"""Tables of every engine: counted where they live, joined where they live, and nothing but counts comes back."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import dask.dataframe as dd
import duckdb
import ibis
import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import outclass as oc
from outclass.cli.main import app
from outclass.data import frames
from outclass.data.databases import discreet
from outclass.errors import FileError, InputError

# Ibis asks pandas for an option that newer ones give up.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
ITEMS = 400
COLUMNS = ["gold", "old", "new"]
SQLITE = ibis.sqlite.connect()


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    """Predictions with a column of ids and one of counts."""
    rng = np.random.default_rng(5)
    gold = rng.choice(["ham", "spam"], ITEMS)
    said = {name: np.where(rng.random(ITEMS) < 0.2, rng.choice(["ham", "spam"], ITEMS), gold) for name in COLUMNS[1:]}
    return pd.DataFrame({"id": np.arange(ITEMS), "gold": gold, **said, "n": rng.integers(0, 4, ITEMS)})


def _ibis(frame: pd.DataFrame) -> Any:
    # Tables that are joined must lie in one database.
    name = f"t{len(SQLITE.list_tables())}"
    frame.to_sql(name, SQLITE.con, index=False)
    return SQLITE.table(name)


ENGINES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "polars lazy": lambda frame: pl.from_pandas(frame).lazy(),
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "duckdb": duckdb.from_df,
    "ibis": _ibis,
    "dask": lambda frame: dd.from_pandas(frame, npartitions=3),
}


@pytest.mark.parametrize("engine", ENGINES)
def test_counts(engine: str, table: pd.DataFrame) -> None:
    """Every engine counts what arrays give, with ids and with counts."""
    native = ENGINES[engine](table)
    expected = oc.compare(table.gold.to_numpy(), table.old.to_numpy(), table.new.to_numpy(), positive="spam")
    repeated = table.loc[table.index.repeat(table.n)]

    found = oc.outcomes(native, truth="gold", id="id", systems=["old", "new"])
    weighted = oc.outcomes(native, truth="gold", count="n", systems=["old", "new"])
    answer = oc.compare(native, truth="gold", systems=["old", "new"], positive="spam")

    assert found == oc.outcomes(table[COLUMNS], truth="gold")
    assert weighted == oc.outcomes(repeated[COLUMNS], truth="gold")
    assert answer.difference == expected.difference


@pytest.mark.parametrize("engine", ENGINES)
def test_joining(engine: str, table: pd.DataFrame) -> None:
    """One table a system, in another order, is joined on the ids; the systems are named by column or by key."""
    make = ENGINES[engine]
    old, new = table[["id", "gold", "old"]], table[["id", "gold", "new"]].sample(frac=1, random_state=0)
    expected = oc.outcomes(table[COLUMNS], truth="gold")

    listed = oc.outcomes([make(old), make(new)], truth="gold", id="id")
    named = oc.outcomes(
        {
            "old": make(old.rename(columns={"old": "label"})),
            "new": make(new.rename(columns={"new": "label"}).drop(columns="gold")),
        },
        truth="gold",
        id="id",
    )

    assert listed == expected
    assert named == expected
    with pytest.raises(InputError, match="differs between the tables"):
        oc.outcomes([make(old), make(new.assign(gold="spam"))], truth="gold", id="id")
    with pytest.raises(InputError, match=r"of 401 ids are missing: 1 in 'frame1', 1 in 'frame2'"):
        oc.outcomes([make(old), make(new.replace({"id": {7: 7777}}))], truth="gold", id="id")
    with pytest.raises(InputError, match=r"1 id of 'frame2' occur more than once: '?8'?"):
        oc.outcomes([make(old), make(new.replace({"id": {7: 8}}))], truth="gold", id="id")


@pytest.mark.parametrize("engine", ["polars lazy", "duckdb", "ibis", "dask"])
def test_only_counts_come_back(engine: str, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lazy table never sends its rows: what is fetched stays as small when it is a hundred times as long."""
    fetched: list[int] = []
    plain = frames.rows_of

    def watched(frame: Any) -> list[tuple[Any, ...]]:
        rows = plain(frame)
        fetched.append(len(rows))
        return rows

    monkeypatch.setattr(frames, "rows_of", watched)
    long = pd.concat([table] * 100, ignore_index=True)
    oc.outcomes(ENGINES[engine](long.assign(id=range(len(long)))), truth="gold", id="id", count="n")

    assert max(fetched) <= 8
    assert len(fetched) >= 4


def test_an_id_taken_for_a_system_is_not_fetched_whole(table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that are no systems are told from the first rows."""
    fetched: list[int] = []
    plain = frames.rows_of
    monkeypatch.setattr(frames, "rows_of", lambda frame: ((rows := plain(frame)) and fetched.append(len(rows))) or rows)
    long = pd.concat([table.drop(columns="n")] * 100, ignore_index=True).assign(id=range(100 * ITEMS))

    with pytest.raises(InputError, match="taken for systems, but full of values"):
        oc.outcomes(pl.from_pandas(long).lazy(), truth="gold")

    assert max(fetched) <= 10_000


@pytest.mark.parametrize("bad", [-1, 2.5, None])
@pytest.mark.parametrize("engine", ENGINES)
def test_counts_that_are_none(engine: str, bad: Any, table: pd.DataFrame) -> None:
    """Negative, broken and missing counts are refused by every engine."""
    counts = table.n.astype("float" if bad == 2.5 else "Int64").copy()
    counts[17] = bad

    with pytest.raises(InputError, match="must hold whole numbers"):
        oc.outcomes(ENGINES[engine](table.assign(n=counts)), truth="gold", count="n", systems=["old", "new"])


@pytest.fixture
def database(tmp_path: Path, table: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of SQLite in the current folder."""
    monkeypatch.chdir(tmp_path)
    with sqlite3.connect(tmp_path / "runs.db") as connection:
        table.to_sql('odd "table"; --\'', connection, index=False)
        table[COLUMNS].to_sql("runs", connection, index=False)
    return tmp_path / "runs.db"


@pytest.mark.parametrize("url", ["sqlite:///runs.db#runs", "sqlite:///{}#runs", 'sqlite:///runs.db#odd "table"; --\''])
def test_sqlite(url: str, database: Path, table: pd.DataFrame) -> None:
    """A table of SQLite, by a relative and an absolute URL, and by a hostile name."""
    found = oc.outcomes(url.format(database), truth="gold", systems=["old", "new"])

    assert found == oc.outcomes(table[COLUMNS], truth="gold")


def test_joined_in_a_database(database: Path, table: pd.DataFrame) -> None:
    """Two tables of one database are joined there, and named by their own names; of two databases they are not."""
    with sqlite3.connect(database) as connection:
        for name in COLUMNS[1:]:
            table[["id", "gold", name]].rename(columns={name: "label"}).to_sql(name, connection, index=False)
    urls = [f"sqlite:///runs.db#{name}" for name in COLUMNS[1:]]

    assert oc.outcomes(urls, truth="gold", id="id") == oc.outcomes(table[COLUMNS], truth="gold")
    with pytest.raises(InputError, match="must lie in one database"):
        oc.outcomes([urls[0], f"sqlite:///{database}#new"], truth="gold", id="id")
    with pytest.raises(InputError, match="files and tables in databases"):
        oc.outcomes([urls[0], "new.csv"], truth="gold", id="id")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sqlite:///runs.db", "which table of 'sqlite:///runs.db'"),
        ("sqlite:///runs.db#run", "has no table 'run'. Did you mean 'runs'"),
        ("sqlite:///walks.db#runs", "there is no database file 'walks.db'"),
        ("nosuch://host/db#runs", "cannot be read"),
        ("s3://bucket/runs.parquet", "--engine spark (with s3a://)"),
    ],
)
def test_what_cannot_be_read(url: str, told: str, database: Path) -> None:
    """Each mistake in a URL is one sentence; and no database is made of a wrong name."""
    with pytest.raises(FileError) as caught:
        oc.outcomes(url, truth="gold")

    assert told in str(caught.value)
    assert sorted(each.name for each in database.parent.iterdir()) == ["runs.db"]


def test_passwords_are_not_told() -> None:
    """A report holds the command it was made by, but not the password in it."""
    assert discreet("postgresql://me:s3c:ret@host:5432/db#t") == "postgresql://me:***@host:5432/db#t"
    assert discreet("postgresql://me@host/db") == "postgresql://me@host/db"
    with pytest.raises(FileError) as caught:
        oc.outcomes("postgresql://me:s3cret@127.0.0.1:1/db#t", truth="gold")
    assert "s3cret" not in str(caught.value)


def test_command(database: Path) -> None:
    """The command takes a URL as it takes a file."""
    asked = ["compare", "sqlite:///runs.db#runs", "--truth", "gold", "--positive", "spam", "--format", "json"]
    ran = CliRunner().invoke(app, asked)

    assert ran.exit_code == 0
    assert oc.Comparison.from_json(ran.stdout).only.items == ITEMS


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--engine", "sprak"], "unknown engine 'sprak'. Did you mean 'spark'?"),
        (["--master", "local[2]"], "ask for it (--engine spark)"),
        (["--engine", "spark", "--scores"], "leave out --engine"),
    ],
)
@pytest.mark.parametrize("command", ["compare", "rank", "evaluate", "test"])
def test_engine_options(command: str, options: list[str], told: str, database: Path) -> None:
    """Options of engines that make no sense are refused."""
    if command == "evaluate" and "--scores" in options:
        return
    ran = CliRunner().invoke(app, [command, "runs.csv", "--truth", "gold", *options])

    assert told in str(ran.exception)


def test_a_mapping_of_columns(table: pd.DataFrame) -> None:
    """Plain columns by name go in like a frame, for labels and for scores."""
    columns = {name: table[name].tolist() for name in COLUMNS}

    assert oc.outcomes(columns, truth="gold") == oc.outcomes(table[COLUMNS], truth="gold")
    assert oc.outcomes(columns, truth="gold", systems=["new"]).systems == ("new",)
    with pytest.raises(InputError, match="has no column 'glod'"):
        oc.outcomes(columns, truth="glod")
    with pytest.raises(InputError, match="leave out count and id"):
        oc.outcomes(columns, truth="gold", id="old")
    scores = {"a": [0.1, 0.5, 0.4, 0.7], "b": np.array([0.2, 0.4, 0.6, 0.9])}
    assert oc.compare(oc.scores(scores)).difference == oc.compare(oc.scores(pd.DataFrame(scores))).difference


def test_frames_of_different_kinds(table: pd.DataFrame) -> None:
    """A list that is not of frames alone is no list of frames."""
    with pytest.raises(InputError, match="cannot read outcomes from list"):
        oc.outcomes([table, 3], truth="gold", id="id")
    assert isinstance(nw.from_native(table), nw.DataFrame)
