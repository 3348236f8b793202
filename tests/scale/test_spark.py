"""A real Spark cluster, a master and two workers: the executors count, and only counts reach the driver."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet
from servers import QUICK_JAVA, Cluster, spark, wait_for
from sliced_tables import columns_to_search, read_by, same_slices, table_of
from tables import as_csv, as_parquet, disagreements

import outclass as oc
from outclass.data import frame_looks
from outclass.data.engines.spark import tables as spark_tables
from outclass.data.frames import MOST_VALUES, FrameColumns
from outclass.errors import FileError

pytestmark = pytest.mark.slow
DAYS, FILES, ROWS = 4, 10, 10_000
COLUMNS = ["--truth", "gold", "--system", "old", "--system", "new", "--positive", "spam"]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of Parquet, in folders by day, with ids."""
    rng = np.random.default_rng(3)
    folder = tmp_path_factory.mktemp("data") / "runs"
    number = 0
    for day in range(DAYS):
        (folder / f"day={day}").mkdir(parents=True)
        for part in range(FILES):
            gold = rng.random(ROWS) < 0.3
            said = {name: gold ^ (rng.random(ROWS) < 0.1) for name in ("old", "new")}
            labels = {name: np.where(column, "spam", "ham") for name, column in {"gold": gold, **said}.items()}
            ids = np.arange(number, number + ROWS)
            parquet.write_table(pa.table({"id": ids, **labels}), folder / f"day={day}" / f"{part}.parquet")
            number += ROWS
    return folder


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster."""
    with spark(tmp_path_factory.mktemp("spark")) as running:
        yield running


@pytest.fixture(scope="module")
def expected(data: Path) -> Any:
    """The comparison as DuckDB counts it, without a cluster."""
    command = [sys.executable, "-m", "outclass", "compare", f"{data}/*/*.parquet", *COLUMNS, "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)["comparisons"]


Read = Callable[..., Any]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    """A Spark in this process, for all that does not depend on where it runs: starting one costs seconds."""
    from pyspark.sql import SparkSession

    settings = tmp_path_factory.mktemp("conf")
    (settings / "spark-defaults.conf").write_text("spark.ui.enabled false\nspark.sql.shuffle.partitions 2\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_CONF_DIR", str(settings))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("JDK_JAVA_OPTIONS", QUICK_JAVA)
        yield lambda *paths: spark_tables([str(path) for path in paths], "local[1]")
        SparkSession.builder.getOrCreate().stop()


def _start(
    cluster: Cluster, *arguments: str, partition: int = 1 << 20, master: str | None = None
) -> "subprocess.Popen[str]":
    """Start the command on the cluster, or with a Spark of its own, in a process of its own."""
    environment = cluster.environment | {"PYSPARK_SUBMIT_ARGS": _conf(partition) + " pyspark-shell"}
    command = [sys.executable, "-m", "outclass", *arguments, "--engine", "spark", "--master", master or cluster.master]
    return subprocess.Popen(
        [*command, "--format", "json"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _conf(partition: int) -> str:
    # Small pieces, so that there are many tasks.
    return f"--conf spark.sql.files.maxPartitionBytes={partition} --conf spark.sql.files.openCostInBytes={partition}"


def _answer(process: "subprocess.Popen[str]") -> Any:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return json.loads(out)["comparisons"], err


def _application(cluster: Cluster) -> Path:
    return max(cluster.events.iterdir(), key=lambda path: path.stat().st_mtime)


def test_executors_count(cluster: Cluster, data: Path, expected: Any) -> None:
    """The counts are DuckDB's; every task ran on an executor, on both, and what they sent back is counts alone."""
    found, err = _answer(_start(cluster, "compare", str(data), *COLUMNS))
    tasks = cluster.tasks(_application(cluster))
    metrics = [task["Task Metrics"] for task in tasks]

    assert found == expected
    assert found[0]["items"] == DAYS * FILES * ROWS
    assert err == ""  # nothing of Spark's own talk
    assert {task["Task Info"]["Executor ID"] for task in tasks} == {"0", "1"}
    assert sum(each["Input Metrics"]["Records Read"] for each in metrics) == DAYS * FILES * ROWS
    # 400,000 rows were read. A result comes with some 4 kB of the task's own accounts.
    assert sum(each["Result Size"] for each in metrics) < 8_000 * len(tasks)
    assert sum(each["Shuffle Write Metrics"]["Shuffle Records Written"] for each in metrics) <= 8 * len(tasks)


def test_a_killed_worker_loses_nothing(cluster: Cluster, data: Path, expected: Any) -> None:
    """A worker dies in the middle, with its executor and what it had counted: the answer is the same."""
    process = _start(cluster, "compare", str(data), *COLUMNS, "--id", "id", partition=1 << 16)
    done = wait_for("the first tasks", cluster.finished_tasks)
    cluster.kill_worker()
    assert process.poll() is None  # it was still counting
    found, _ = _answer(process)
    events = [json.loads(line) for line in _application(cluster).read_text().splitlines()]
    lost = [event for event in events if event["Event"] == "SparkListenerExecutorRemoved"]
    cluster.start_worker()

    assert found == expected
    assert lost, f"no executor was lost after {done} tasks"


def test_a_killed_driver_is_a_sentence(cluster: Cluster, data: Path, tmp_path: Path) -> None:
    """Spark itself dies in the middle: one sentence, status 2, and nothing left for a second try to trip over."""
    # What becomes of the command does not depend on where the executors are; in one process they start sooner.
    process = _start(
        cluster,
        *("compare", str(data), *COLUMNS, "--id", "id", "-o", str(tmp_path / "answer.json")),
        partition=1 << 16,
        master="local[1]",
    )
    wait_for("the first tasks", cluster.finished_tasks)
    for child in _children(process.pid):
        os.kill(child, signal.SIGKILL)
    out, err = process.communicate(timeout=120)

    assert (process.returncode, out) == (2, ""), err
    # What is lost first depends on the moment: the query, or the connection to the driver.
    assert "failed while counting" in err or "Spark cannot read" in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def _children(parent: int) -> list[int]:
    """Return the processes that a process started."""
    found = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(each) for each in found.split()]


def test_tables_of_a_session(read: Read, data: Path, tmp_path: Path) -> None:
    """A user's own Spark table goes in as it is; one a system is joined by Spark; a mistake is a sentence.

    Text is read as DuckDB reads it, whatever its delimiter and the names of its columns.
    """
    asked = {"truth": "gold", "systems": ["old", "new"]}
    days = [oc.outcomes(f"{data}/day={day}/*", **asked) for day in range(2)]
    table = parquet.read_table(data, columns=["id", "gold", "old", "new"], filters=[("day", "<", 2)])
    files = [tmp_path / "old.parquet", tmp_path / "new.parquet"]
    for file in files:
        parquet.write_table(table.select(["id", "gold", file.stem]), file)
    odd = tmp_path / "odd.csv"
    odd.write_text('größe.x;"o`ld";new\n01;01;1\n1;"1";01\n"a;b";a;\'b\'\n', encoding="utf-8")
    part = oc.outcomes(read(data).filter("day < 2"), **asked)
    joined = oc.outcomes(read(*files), id="id", **asked)
    text = oc.outcomes(read(odd), truth="größe.x", systems=["o`ld", "new"])

    assert part == joined == days[0] + days[1]
    assert text == oc.outcomes(odd, truth="größe.x")
    with pytest.raises(FileError, match=r"^Spark cannot read .*$"):
        read(tmp_path / "none.parquet")


def test_slices(read: Read, tmp_path: Path) -> None:
    """Spark counts slices as one more column: names, bins and months."""
    table, by = table_of(400), ["lang", "length:3", "day"]
    parquet.write_table(pa.table(table), tmp_path / "sliced.parquet")
    found = read_by(read(tmp_path / "sliced.parquet"), by)

    assert same_slices(found, read_by(table, by))


@pytest.mark.parametrize("most", [MOST_VALUES, 150])
def test_a_search_for_slices(read: Read, tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark counts what is searched, from Parquet and from text, as is done in memory; and it sends back counts."""
    table = columns_to_search(800)
    asked = {"truth": "gold", "systems": ["old", "new"], "id": "id", "missing": "drop", "count": "many"}
    parquet.write_table(pa.table(table), tmp_path / "searched.parquet")
    expected = oc.slices(table, **asked)
    monkeypatch.setattr(frame_looks, "MOST_VALUES", most)
    monkeypatch.setattr(FrameColumns, "__getitem__", lambda *_: pytest.fail("the rows were fetched"))

    assert len(expected.searched.columns) == 7
    assert oc.slices(read(tmp_path / "searched.parquet"), **asked).to_json() == expected.to_json()
    if most == MOST_VALUES:
        pq = parquet.read_table(tmp_path / "searched.parquet", columns=["gold", "old", "new", "lang", "length"])
        csv.write_csv(pq, tmp_path / "searched.csv")
        own = {"truth": "gold", "systems": ["old", "new"], "missing": "drop", "columns": ["lang", "length:3"]}
        from_text = oc.slices(read(tmp_path / "searched.csv"), **own)

        assert from_text.to_json() == oc.slices(str(tmp_path / "searched.csv"), **own).to_json()


@pytest.mark.parametrize("question", ["slices", pytest.param("rank", marks=pytest.mark.full)])
def test_executors_send_counts_alone(cluster: Cluster, data: Path, question: str) -> None:
    """A search for slices and a ranking of 400,000 rows on the cluster: what reaches the driver is a few counts."""
    columns = COLUMNS if question == "rank" else [*COLUMNS, "--columns", "day"]
    process = _start(cluster, question, str(data), *columns)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    tasks = cluster.tasks(_application(cluster))
    metrics = [task["Task Metrics"] for task in tasks]

    assert json.loads(out)
    assert sum(each["Input Metrics"]["Records Read"] for each in metrics) >= DAYS * FILES * ROWS
    assert sum(each["Result Size"] for each in metrics) < 8_000 * len(tasks)
    assert sum(each["Shuffle Write Metrics"]["Shuffle Records Written"] for each in metrics) <= 40 * len(tasks)


def test_random_tables(read: Read, tmp_path: Path, full: bool) -> None:
    """Spark counts as the others do, from text and from Parquet: odd labels, some missing; in full, 50 tables."""
    readers = {
        "csv": lambda table, folder: read(as_csv(table, folder)),
        "parquet": lambda table, folder: read(as_parquet(table, folder)),
    }

    assert disagreements(8, 50 if full else 2, tmp_path, readers) == []
