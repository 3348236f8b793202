"""Rows that are counted by the billion: time grows with them, memory does not. `scale.py` puts it into its table.

A shard of some hundred million rows is read as often as it takes, through links to it: as much is read, decoded and
counted as of so many rows, and what the disk holds is one shard.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import NamedTuple

SHARD = 200_000_000
BILLION = 1_000_000_000


class Counted(NamedTuple):
    """How many rows, the seconds of ours and of the bare query, and the memory (MB) of both."""

    rows: int
    ours_s: float
    bare_s: float
    ours_mb: float
    bare_mb: float


def ours(pattern: str) -> None:
    """Count a glob as a comparison reads it."""
    from outclass.data.files import from_files

    start = time.perf_counter()
    found = from_files([pattern], truth="truth", systems=["a", "b"])
    told(time.perf_counter() - start, found.items)


def bare(pattern: str) -> None:
    """Count the same rows by nothing but a query."""
    import duckdb

    duckdb.sql("SET enable_progress_bar = false")
    start = time.perf_counter()
    rows = duckdb.sql(f"SELECT truth, a, b, count(*) FROM '{pattern}' GROUP BY ALL").fetchall()
    told(time.perf_counter() - start, sum(row[-1] for row in rows))


def told(seconds: float, items: int) -> None:
    """Print what the process that asked wants to know."""
    print(json.dumps([seconds, items, getrusage(RUSAGE_SELF).ru_maxrss / 1024]))


def shard_of(folder: Path, rows: int) -> Path:
    """Write Parquet of two systems."""
    import duckdb

    duckdb.sql("SET enable_progress_bar = false")
    path = folder / f"shard-{rows}.parquet"
    if not path.exists():
        duckdb.sql(
            f"COPY (SELECT CASE WHEN hash(i) % 100 < 30 THEN 'spam' ELSE 'ham' END AS truth, "
            f"CASE WHEN hash(i + 7) % 100 < 10 THEN 'spam' ELSE truth END AS a, "
            f"CASE WHEN hash(i + 11) % 100 < 12 THEN 'ham' ELSE truth END AS b FROM range({rows}) t(i)) TO '{path}'"
        )
    return path


def linked(folder: Path, rows: int, shard: int) -> str:
    """Return a glob of so many rows: one file, or links to one shard."""
    path = shard_of(folder, min(rows, shard))
    own = folder / f"rows-{rows}"
    own.mkdir()
    for part in range(max(rows // shard, 1)):
        os.link(path, own / f"{part:03d}.parquet")
    return str(own / "*.parquet")


def measured(task: str, pattern: str) -> tuple[float, int, float]:
    """Count in a fresh process; return its seconds, how many rows it counted, and its memory."""
    command = [sys.executable, __file__, task, pattern]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, items, memory = json.loads(out.splitlines()[-1])
    return seconds, items, memory


def counted(folder: Path, scale: int = 1) -> list[Counted]:
    """Count ten million rows to two billion, in turns with the bare query; tell how time and memory grow."""
    shard, found = SHARD // scale, []
    for rows in (BILLION // 100, BILLION // 10, BILLION, 2 * BILLION):
        pattern = linked(folder, rows // scale, shard)
        rounds = 3 if rows < BILLION else 2
        runs = [(measured("ours", pattern), measured("bare", pattern)) for _ in range(rounds)]
        assert {own[1] for run in runs for own in run} == {rows // scale}
        (ours_s, _, ours_mb), (bare_s, _, bare_mb) = (min(run[which] for run in runs) for which in (0, 1))
        found.append(Counted(rows // scale, ours_s, bare_s, ours_mb, bare_mb))
    one, two = found[-2:]
    print(
        f"a billion rows take {one.ours_s * BILLION / one.rows:.1f} s, and the second billion "
        f"{(two.ours_s - one.ours_s) * BILLION / (two.rows - one.rows):.1f} s; memory grows by "
        f"{two.ours_mb - found[0].ours_mb:.0f} MB from {found[0].rows:,} rows to {two.rows:,}"
    )
    return found


if __name__ == "__main__":
    {"ours": ours, "bare": bare}[sys.argv[1]](sys.argv[2])
