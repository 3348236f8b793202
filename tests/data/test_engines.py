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
from click.testing import CliRunner

import outclass as oc
from outclass.cli.main import app
from outclass.data import frames
from outclass.data.engines.spark import tables as spark_tables
from outclass.errors import FileError, InputError
from outclass.locations import Location

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
    with pytest.raises(
        InputError, match=r"of 401 ids, these are missing: 1 in 'frame1' \('7777'\), 1 in 'frame2' \('7'\)"
    ):
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
    long = pd.concat([table.drop(columns=["n", "id"])] * 100, ignore_index=True).assign(key=range(100 * ITEMS))

    found = oc.outcomes(pl.from_pandas(long).lazy(), truth="gold")

    assert found.systems == ("old", "new")
    assert [each.message for each in found.findings] == ["column left out (not a system): 'key'."]
    assert max(fetched) <= 10_000


@pytest.mark.parametrize("bad", [-1, 2.5, None])
@pytest.mark.parametrize("engine", ENGINES)
def test_counts_that_are_none(engine: str, bad: Any, table: pd.DataFrame) -> None:
    """Negative, broken and missing counts are refused by every engine."""
    counts = table.n.astype("float" if bad == 2.5 else "Int64").copy()
    counts[17] = bad

    with pytest.raises(InputError, match="must contain non-negative integers"):
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
    with pytest.raises(InputError, match="must be in the same database"):
        oc.outcomes([urls[0], f"sqlite:///{database}#new"], truth="gold", id="id")
    with pytest.raises(InputError, match="files and database tables"):
        oc.outcomes([urls[0], "new.csv"], truth="gold", id="id")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sqlite:///runs.db", "which table of 'sqlite:///runs.db'"),
        ("sqlite:///runs.db#run", "has no table 'run'. Did you mean 'runs'"),
        ("sqlite:///walks.db#runs", "there is no database file 'walks.db'"),
        ("nosuch://host/db#runs", "cannot be read"),
        ("s3://bucket/runs.parquet", "use a Spark dataframe (with s3a://)"),
    ],
)
def test_what_cannot_be_read(url: str, told: str, database: Path) -> None:
    """Each mistake in a URL is one sentence; and no database is made of a wrong name."""
    with pytest.raises(FileError) as caught:
        oc.outcomes(url, truth="gold")

    assert told in str(caught.value)
    assert sorted(each.name for each in database.parent.iterdir()) == ["runs.db"]


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cret@127.0.0.1:1/db#t",
        "postgresql://me:s3cret@s3cret@127.0.0.1:1/db#t",
        "postgresql://me:s3cret/s3cret@127.0.0.1:1/db#t",
        "postgresql://127.0.0.1:1/db?user=me&password=s3cret#t",
        "postgresql://127.0.0.1:1/db?sslpassword=s3cret&user=me#t",
    ],
)
def test_passwords_are_not_told(url: str) -> None:
    """Neither a location nor a message repeats a password, even one that is written wrongly."""
    assert "s3cret" not in Location(url)
    with pytest.raises(FileError) as caught:
        oc.outcomes(url, truth="gold")
    assert "s3cret" not in str(caught.value)
    with pytest.raises(InputError, match="leave out --engine") as refused:
        spark_tables([url], None)
    assert "s3cret" not in str(refused.value)


def test_what_is_no_password_stays() -> None:
    """A URL without one is told as it is."""
    for url in ("postgresql://me@host:5432/db#t", "sqlite:///a/b.db#t", "spark://a:7077,b:7077", "s3://bucket/a@b#c"):
        assert Location(url) == url
        assert Location(url).secrets == ()


def test_duckdb_file(tmp_path: Path, table: pd.DataFrame) -> None:
    """A file of DuckDB by its URL, with a schema, read without being changed."""
    with duckdb.connect(str(tmp_path / "runs.duckdb")) as connection:
        connection.register("frame", table)
        connection.execute('CREATE SCHEMA s; CREATE TABLE s."a""b" AS SELECT * FROM frame')
    before = (tmp_path / "runs.duckdb").read_bytes()

    found = oc.outcomes(f'duckdb:///{tmp_path}/runs.duckdb#s.a"b', truth="gold", systems=["old", "new"])

    assert found == oc.outcomes(table[COLUMNS], truth="gold")
    assert (tmp_path / "runs.duckdb").read_bytes() == before


def test_names_of_tables(database: Path, table: pd.DataFrame) -> None:
    """A name with a dot, and one that a URL must write otherwise; the same table twice is refused."""
    with sqlite3.connect(database) as connection:
        for name in ("v1.2", "a#b"):
            table[COLUMNS].to_sql(name, connection, index=False)
    expected = oc.outcomes(table[COLUMNS], truth="gold")

    assert oc.outcomes("sqlite:///runs.db#v1.2", truth="gold") == expected
    assert oc.outcomes("sqlite:///runs.db#a%23b", truth="gold") == expected
    with pytest.raises(FileError, match=r"has no table 'v9.9'. Known: .*'v1.2'"):
        oc.outcomes("sqlite:///runs.db#v9.9", truth="gold")
    with pytest.raises(InputError, match="given twice"):
        oc.outcomes(["sqlite:///runs.db#runs"] * 2, truth="gold", id="id")


def test_a_table_is_not_counted_again_in_silence(database: Path) -> None:
    """A state cannot remember a table in a database, so it asks."""
    asked = {"truth": "gold", "systems": ["old", "new"]}
    with pytest.raises(InputError, match="use again=True"):
        oc.update(database.parent / "state.json", "sqlite:///runs.db#runs", **asked)
    assert not (database.parent / "state.json").exists()
    assert oc.update(database.parent / "state.json", "sqlite:///runs.db#runs", again=True, **asked).items == ITEMS


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
        (["--master", "local[2]"], "Use --engine spark"),
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
    with pytest.raises(InputError, match="occur more than once"):
        oc.outcomes(columns, truth="gold", id="old")
    scores = {"a": [0.1, 0.5, 0.4, 0.7], "b": np.array([0.2, 0.4, 0.6, 0.9])}
    assert oc.compare(oc.scores(scores)).difference == oc.compare(oc.scores(pd.DataFrame(scores))).difference


def test_a_column_that_is_no_system(table: pd.DataFrame, tmp_path: Path) -> None:
    """Joined tables are looked at as one table is: a stray column is not taken for a system."""
    old, new = table[["id", "gold", "old"]], table[["id", "new"]].assign(row=range(1000, 1000 + ITEMS))
    old.to_csv(tmp_path / "old.csv", index=False)
    new.to_csv(tmp_path / "new.csv", index=False)
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]

    for data in ([old, new], files):
        found = oc.outcomes(data, truth="gold", id="id")
        assert found.systems == ("old", "new")
        assert [each.message for each in found.findings] == ["column left out (not a system): 'row'."]
        assert not oc.outcomes(data, truth="gold", id="id", systems=["old", "new"]).findings


def test_names_of_columns(table: pd.DataFrame) -> None:
    """Columns that are numbered, and two of one name."""
    numbered = table[COLUMNS].set_axis([0, 1, 2], axis=1)
    expected = oc.outcomes(table[COLUMNS], truth="gold").counts.tolist()

    assert oc.outcomes(numbered, truth=0).counts.tolist() == expected
    assert oc.outcomes(numbered, truth="0", systems=[1, "2"]).counts.tolist() == expected
    with pytest.raises(InputError, match="more than one column named 'old'"):
        oc.outcomes(table[["gold", "old", "old"]], truth="gold")


def test_one_frame_in_a_list(table: pd.DataFrame) -> None:
    """It is a table like any other: its ids are looked at."""
    with pytest.raises(InputError, match="occur more than once"):
        oc.outcomes([table.assign(id=1)], truth="gold", id="id", systems=["old", "new"])


def test_ids_that_all_are_the_same_are_not_joined(table: pd.DataFrame, tmp_path: Path) -> None:
    """A wrong id is refused before every row is joined with every other: these would be 10 billion rows."""
    many = pd.concat([table] * 250, ignore_index=True).assign(id=7)
    many[["id", "gold", "old"]].to_parquet(tmp_path / "old.parquet")
    many[["id", "new"]].to_parquet(tmp_path / "new.parquet")

    for data in (
        [many[["id", "gold", "old"]], many[["id", "new"]]],
        [tmp_path / "old.parquet", tmp_path / "new.parquet"],
    ):
        with pytest.raises(InputError, match=r"occur more than once: '?7'?"):
            oc.outcomes(data, truth="gold", id="id")


@pytest.mark.parametrize("kind", ["frames", "files"])
def test_truths_of_different_types(kind: str, tmp_path: Path) -> None:
    """True in one table and true in another are one truth; one that is missing in a table is that of the other."""
    ids = range(40)
    flags = pd.DataFrame({"id": ids, "truth": [number % 2 == 0 for number in ids], "a": [True] * 40})
    words = pd.DataFrame({"id": ids, "truth": ["true", "false"] * 20, "b": ["true"] * 40})
    none = words.assign(truth=["true", "None"] * 20)
    gone = flags.assign(truth=["true", None] * 20)

    def read(first: pd.DataFrame, second: pd.DataFrame) -> list[Any]:
        if kind == "frames":
            return [first, second]
        first.to_parquet(tmp_path / "first.parquet")
        second.to_csv(tmp_path / "second.csv", index=False)
        return [tmp_path / "first.parquet", tmp_path / "second.csv"]

    assert oc.outcomes(read(flags, words), truth="truth", id="id").items == 40
    for missing in ("error", "drop", "wrong"):
        assert oc.outcomes(read(gone, none), truth="truth", id="id", missing=missing).true_labels == ("None", "True")
        with pytest.raises(InputError, match="the truth of 20 items differs"):
            oc.outcomes(read(flags, none), truth="truth", id="id", missing=missing)


def test_frames_of_different_kinds(table: pd.DataFrame) -> None:
    """A list that is not of frames alone is no list of frames; frames of two libraries are not joined."""
    with pytest.raises(InputError, match="must come from one library"):
        oc.outcomes([table, pl.from_pandas(table).lazy()], truth="gold", id="id", systems=["frame1.old", "frame2.old"])
    with pytest.raises(InputError, match="the mapping is empty"):
        oc.outcomes({}, truth="gold")
    with pytest.raises(InputError, match="cannot read outcomes from list"):
        oc.outcomes([table, 3], truth="gold", id="id")
    assert isinstance(nw.from_native(table), nw.DataFrame)
