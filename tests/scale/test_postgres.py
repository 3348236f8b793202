"""A real PostgreSQL: the counting happens in the database."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime
from pathlib import Path

import numpy as np
import psycopg
import pytest
from click.testing import CliRunner
from servers import Postgres, postgres, wait_for
from sliced_tables import columns_to_search, read_by, same_slices, table_of
from tables import Table, disagreements, typed

import outclass as oc
from outclass.cli.main import app
from outclass.data import frame_looks
from outclass.data.frames import MOST_VALUES
from outclass.data.sql import quote
from outclass.errors import FileError

# Ibis asks pandas for an option that newer ones give up.
pytestmark = pytest.mark.filterwarnings("ignore:The 'future.infer_string' option")
ITEMS = 5_000


@pytest.fixture(scope="module")
def columns() -> dict[str, np.ndarray]:
    """Predictions of two systems."""
    rng = np.random.default_rng(11)
    gold = rng.integers(0, 2, ITEMS)
    return {"gold": gold, **{name: gold ^ (rng.random(ITEMS) < 0.15) for name in ("old", "new")}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, columns: dict[str, np.ndarray]) -> Iterator[Postgres]:
    """A server with one table a system, and one of both in a schema of its own."""
    with postgres(tmp_path_factory.mktemp("postgres")) as running:
        with psycopg.connect(running.url) as connection:
            connection.execute("CREATE SCHEMA tests")
            connection.execute('CREATE TABLE tests.runs (item int, "Gold ""x""" int, old int, new int)')
            rows = list(zip(range(ITEMS), *(column.tolist() for column in columns.values()), strict=True))
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO tests.runs VALUES (%s, %s, %s, %s)", rows)
            for name in ("old", "new"):
                connection.execute(
                    f'CREATE TABLE {name} AS SELECT item, "Gold ""x""" AS gold, {name} AS said FROM tests.runs'
                )
        yield running


def _statements(server: Postgres, before: int) -> list[str]:
    """Return what the server was asked, on one line each."""
    text = server.log.read_bytes()[before:].decode()
    found = re.split(r"\n(?=\d{4}-\d\d-\d\d )", text)
    return [" ".join(each.split()) for each in found if "statement:" in each or "execute" in each]


def test_the_database_counts(server: Postgres, columns: dict[str, np.ndarray]) -> None:
    """The log of the server shows the GROUP BY; and no statement that would send the rows."""
    before = server.log.stat().st_size
    found = oc.outcomes(f"{server.url}#tests.runs", truth='Gold "x"', systems=["old", "new"])
    asked = _statements(server, before)
    of_table = [each for each in asked if '"runs"' in each or "runs AS" in each]

    assert found == oc.outcomes(dict_frame(columns), truth="gold")
    assert of_table
    assert any("GROUP BY" in each for each in of_table)
    assert all("GROUP BY" in each or "LIMIT" in each for each in of_table)


def test_the_database_counts_slices(server: Postgres) -> None:
    """A slice is one more column of the GROUP BY: names, bins and months are cut in the database."""
    table = table_of(400)
    with psycopg.connect(server.url) as connection:
        connection.execute("CREATE TABLE sliced (gold int, old int, new int, lang text, length int, day date)")
        names = ("gold", "old", "new", "lang", "length", "day")
        with connection.cursor() as cursor:
            rows = list(zip(*(table[name] for name in names), strict=True))
            cursor.executemany("INSERT INTO sliced VALUES (%s, %s, %s, %s, %s, %s)", rows)
    before = server.log.stat().st_size
    by = ["lang", "length:3", "day"]
    found = read_by(f"{server.url}#sliced", by)
    asked = [each for each in _statements(server, before) if '"sliced"' in each]
    search = {"truth": "gold", "systems": ["old", "new"], "positive": 1, "columns": by}

    assert same_slices(found, read_by(table, by))
    assert all("GROUP BY" in each or "LIMIT" in each for each in asked)
    assert oc.slices(f"{server.url}#sliced", **search).to_json() == oc.slices(table, **search).to_json()


@pytest.fixture(scope="module")
def searched(server: Postgres) -> dict[str, list[object]]:
    """A table with columns of every type to search; the same is in the database."""
    table = columns_to_search(ITEMS)
    kinds = ["text", "int", "text", "text", "text", "text", "bigint", "double precision", "numeric", "text", "date"]
    named = ", ".join(f"{quote(name)} {kind}" for name, kind in zip(table, [*kinds, "timestamptz"], strict=True))
    with psycopg.connect(server.url) as connection:
        connection.execute(f"CREATE TABLE searched ({named})")
        listed = ", ".join(["%s"] * len(table))
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO searched VALUES ({listed})", list(zip(*table.values(), strict=True)))
    return table


@pytest.mark.parametrize("most", [MOST_VALUES, 150])
def test_the_database_counts_a_search(
    server: Postgres, searched: dict[str, list[object]], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search is that of memory, from counts alone, also where a column has more values than are fetched."""
    asked = {"truth": "gold", "systems": ["old", "new"], "id": "id", "missing": "drop", "count": "many"}
    expected = oc.slices(searched, **asked)
    monkeypatch.setattr(frame_looks, "MOST_VALUES", most)
    before = server.log.stat().st_size
    found = oc.slices(f"{server.url}#searched", **asked)
    statements = [each for each in _statements(server, before) if "searched" in each and "pg_catalog" not in each]

    assert len(expected.searched.columns) == 7
    assert found.to_json() == expected.to_json()
    assert len(statements) > 10
    assert all(re.search(r"GROUP BY|LIMIT|SUM\(|COUNT\(", each) for each in statements), statements


def test_the_database_counts_a_ranking(server: Postgres) -> None:
    """A ranking is of counts, too: every statement groups, or fetches a bounded number of rows."""
    before = server.log.stat().st_size
    found = oc.rank(f"{server.url}#searched", truth="gold", systems=["old", "new"], missing="drop", positive="yes")
    statements = [each for each in _statements(server, before) if "searched" in each and "pg_catalog" not in each]

    assert len(found.systems) == 2
    assert statements
    assert all("GROUP BY" in each or "LIMIT" in each for each in statements), statements


def test_the_database_joins(server: Postgres, columns: dict[str, np.ndarray]) -> None:
    """One table a system is joined and counted by the server."""
    before = server.log.stat().st_size
    found = oc.outcomes([f"{server.url}#old", f"{server.url}#new"], truth="gold", id="item")
    asked = _statements(server, before)

    assert found == oc.outcomes(dict_frame(columns), truth="gold")
    assert any("FULL OUTER JOIN" in each and "GROUP BY" in each for each in asked)


def test_command(server: Postgres, tmp_path: Path) -> None:
    """The command takes the URL; a wrong table is one sentence."""
    page = tmp_path / "report.html"
    asked = ["compare", f"{server.url}#old", f"{server.url}#new", "--truth", "gold", "--id", "item", "--positive", "1"]
    ran = CliRunner().invoke(app, [*asked, "--report", str(page)])

    assert ran.exit_code == 0, ran.output
    assert page.exists()
    with pytest.raises(FileError, match=r"has no table 'olt'. Did you mean 'old'"):
        oc.outcomes(f"{server.url}#olt", truth="gold")


def dict_frame(columns: dict[str, np.ndarray]) -> object:
    """Return the columns as a frame."""
    import polars as pl

    return pl.DataFrame(columns)


def test_the_database_reads_as_others_do(server: Postgres, tmp_path: Path) -> None:
    """Random tables of odd labels are counted by PostgreSQL as by every other reader."""

    def written(table: Table, _: Path) -> str:
        columns = typed(table)
        kinds = {bool: "boolean", int: "bigint", float: "double precision", str: "text", date: "date"}
        kinds[datetime] = "timestamp"
        types = [kinds[next((type(value) for value in own if value is not None), str)] for own in columns.values()]
        with psycopg.connect(server.url) as connection:
            connection.execute("DROP TABLE IF EXISTS odd")
            named = ", ".join(f"{name} {kind}" for name, kind in zip(columns, types, strict=True))
            connection.execute(f"CREATE TABLE odd ({named})")
            with connection.cursor() as cursor:
                cursor.executemany("INSERT INTO odd VALUES (%s, %s, %s)", list(zip(*columns.values(), strict=True)))
        return f"{server.url}#odd"

    assert disagreements(9, 40, tmp_path, {"postgresql": written}) == []


def _slow_view(server: Postgres, seconds: float) -> str:
    """Make a view of a few items, each of which takes a while; return its URL."""
    with psycopg.connect(server.url) as connection:
        connection.execute(
            "CREATE OR REPLACE VIEW slow AS SELECT item, gold, old.said AS old, new.said AS new FROM old JOIN new "
            f"USING (item, gold) WHERE item < 40 AND pg_sleep({seconds})::text IS NOT NULL"
        )
    return f"{server.url}#slow"


def _asleep(server: Postgres) -> int | None:
    """Return the process of the server that counts the view, once it is at it."""
    asked = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND pid <> pg_backend_pid()"
    with psycopg.connect(server.url) as connection:
        found = connection.execute(asked).fetchone()
    return None if found is None else int(found[0])


def _terminated(server: Postgres) -> None:
    with psycopg.connect(server.url) as connection:
        connection.execute("SELECT pg_terminate_backend(%s)", [_asleep(server)])


def _crashed(server: Postgres) -> None:
    server.stop(signal.SIGQUIT)
    server.start()


@pytest.mark.parametrize("end", [_terminated, _crashed])
def test_a_server_that_stops_in_the_middle(server: Postgres, tmp_path: Path, end: Callable[[Postgres], None]) -> None:
    """The connection is cut, or the server stops, in the middle of a query: a sentence, no file; a retry works."""
    url, answer = _slow_view(server, 30), tmp_path / "answer.json"
    asked = ["compare", url, "--truth", "gold", "--id", "item", "--positive", "1", "-o", str(answer)]
    command = [sys.executable, "-m", "outclass", *asked]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for("the query", lambda: _asleep(server))
    end(server)
    out, err = process.communicate(timeout=60)
    left = list(tmp_path.iterdir())
    _slow_view(server, 0)
    again = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (process.returncode, out) == (2, ""), err
    assert "psycopg failed while counting: " in err
    assert "and try again" in err
    assert len(err.splitlines()) == 1
    assert left == []
    assert again.returncode == 0, again.stderr
    assert answer.exists()


def test_a_lost_connection_in_python(server: Postgres) -> None:
    """It is a FileError, and the next call is answered."""
    url = _slow_view(server, 0)
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("ALTER ROLE tester SET statement_timeout = 1500")
        _slow_view(server, 30)
        try:
            with pytest.raises(FileError, match="failed while counting: canceling statement due to statement timeout"):
                oc.outcomes(url, truth="gold", id="item")
        finally:
            connection.execute("ALTER ROLE tester RESET statement_timeout")
    _slow_view(server, 0)

    assert oc.outcomes(url, truth="gold", id="item").items == 40
