"""Small files that would become gigabytes, and files that lie: refused in a sentence, or read in bounded memory."""

import gzip
import io
import json
import os
import subprocess
import sys
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from attacking import outclass, refused

MEMORY = 4 << 30  # bytes of address space, of which libraries and their threads take one
PEAK = 1_200  # megabytes that a process may hold
BODY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
from outclass.cli.entry import _run
sys.argv = ["outclass", *sys.argv[1:]]
status = _run()
# What getrusage says is the larger of this process and of the one that started it.
peak = int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0]) >> 10
assert peak < PEAK, peak
sys.exit(status)
""".replace("MEMORY", str(MEMORY)).replace("PEAK", str(PEAK))


def bounded(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command that may not take more than so much memory, nor so much time."""
    return subprocess.run(
        [sys.executable, "-c", BODY, *arguments],
        cwd=cwd,
        env=os.environ | {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"},  # threads take address space
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def packed(start: bytes, block: bytes, times: int, end: bytes = b"") -> bytes:
    """Compress what is too large to be held."""
    squeezer = zlib.compressobj(1, zlib.DEFLATED, 31)
    parts = [squeezer.compress(start), *(squeezer.compress(block) for _ in range(times)), squeezer.compress(end)]
    return b"".join([*parts, squeezer.flush()])


MEGABYTE = 1 << 20
GZ = {
    "header without end": ("h.csv.gz", b"gold,a,b", b"x" * MEGABYTE, 300, "has no header"),
    "cell without end": ("c.csv.gz", b"gold,a,b\n1,0,", b"x" * MEGABYTE, 100, "cannot be read"),
    "quote without end": ("q.csv.gz", b'gold,a,b\n1,0,"', b"x\n" * (MEGABYTE // 2), 300, "cannot be read"),
    "object without end": ("o.jsonl.gz", b'{"gold": 1, "a": "', b"x" * MEGABYTE, 300, "cannot be read"),
    "brackets": ("b.jsonl.gz", b'{"gold": ', b"[" * MEGABYTE, 200, "cannot be read"),
}


@pytest.mark.parametrize("case", GZ)
def test_compressed_without_end(tmp_path: Path, case: str) -> None:
    """Hundreds of megabytes of one cell, in a file of less than one."""
    name, start, block, times, hint = GZ[case]
    (tmp_path / name).write_bytes(packed(start, block, times))
    assert (tmp_path / name).stat().st_size < 4 * MEGABYTE
    refused(bounded("compare", name, "--truth", "gold", cwd=tmp_path), hint, "has no rows", "no column")


def test_many_rows_are_counted(tmp_path: Path) -> None:
    """Five million rows in a small file are not held, but counted."""
    (tmp_path / "r.csv.gz").write_bytes(packed(b"gold,a,b\n0,0,1\n", b"1,0,1\n0,0,0\n" * 50_000, 50))
    result = bounded("compare", "r.csv.gz", "--truth", "gold", "--format", "json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["comparisons"][0]["items"] == 5_000_001


def test_trec_line_without_end(tmp_path: Path) -> None:
    (tmp_path / "q.gz").write_bytes(packed(b"q1 0 d1 ", b"1" * MEGABYTE, 300))
    (tmp_path / "r").write_text("q1 Q0 d1 1 0.5 r\n")
    refused(bounded("compare", "--qrels", "q.gz", "--run", "r", "--run", "r", cwd=tmp_path), "not the 4 of a TREC file")


def parquet(table: pa.Table) -> bytes:
    stream = io.BytesIO()
    pq.write_table(table, stream, compression="gzip", store_schema=False)
    return stream.getvalue()


def test_parquet_that_lies(tmp_path: Path) -> None:
    """The number of rows in the footer is not believed: what is not there cannot be read."""
    good = parquet(pa.table({"gold": ["x", "y"] * 50, "a": ["x", "y"] * 50, "b": ["y", "y"] * 50}))
    true = b"\x16\xc8\x01"  # 100, as the footer writes it
    assert good.count(true) >= 2
    (tmp_path / "l.parquet").write_bytes(good.replace(true, b"\x16\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"))
    result = bounded("compare", "l.parquet", "--truth", "gold", "--positive", "x", "--format", "json", cwd=tmp_path)
    refused(result, "cannot be read", "too many to be true")


def test_parquet_with_a_cell_of_megabytes(tmp_path: Path) -> None:
    """A cell of twenty megabytes, which is a label like any other, is shown cut."""
    long = "x" * (20 * MEGABYTE)
    (tmp_path / "c.parquet").write_bytes(parquet(pa.table({"gold": ["y", long], "a": ["y", long], "b": ["y", "y"]})))
    result = bounded("compare", "c.parquet", "--truth", "gold", "--positive", "z", cwd=tmp_path)
    refused(result, "does not occur")


def test_a_hundred_thousand_columns(tmp_path: Path) -> None:
    """So many columns are looked through in seconds, whatever is wrong with them."""
    names = [f"c{place}" for place in range(100_000)]
    (tmp_path / "w.csv").write_text(",".join([*names, "c7"]) + "\n")
    refused(bounded("compare", "w.csv", "--truth", "gold", cwd=tmp_path), "more than one column named 'c7'")
    (tmp_path / "w.csv").write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    refused(bounded("compare", "w.csv", "--truth", "gold", cwd=tmp_path), "no column 'gold'", "cannot be read")


def test_states(tmp_path: Path) -> None:
    """A number without end and brackets without end are refused, a million patterns read."""
    head = '{"kind": "outclass outcomes", "version": 1, "systems": ["a", "b"], "labels": %s, "outcomes": '
    small = json.dumps(["x", "y"])
    for name, text in {
        "n.json": head % small + "[[0, 0, 1, " + "9" * (50 * MEGABYTE) + "]]}",
        "f.json": head % small + "[[0, 0, 1, 1." + "9" * (50 * MEGABYTE) + "]]}",
        "d.json": head % small + "[" * (20 * MEGABYTE),
    }.items():
        (tmp_path / name).write_text(text)
        refused(bounded("compare", name, cwd=tmp_path), "is not a valid state")
    labels = [f"label {place}" for place in range(100_000)]
    rows = ",".join(f"[{place},{place},{(place * 7) % 100_000},1]" for place in range(100_000))
    (tmp_path / "m.json").write_text(head % json.dumps(labels) + f"[{rows}]}}")
    refused(bounded("compare", "m.json", "--measure", "f1", cwd=tmp_path), "100000 labels", "100,000 labels")


@pytest.mark.parametrize("counts", ["tp=1e18,fp=1,fn=1", "tp=1e30,fp=1,fn=1", "tp=" + "9" * 4000 + ",fp=1,fn=1"])
def test_huge_counts(tmp_path: Path, counts: str) -> None:
    """Counts that no test set has are answered or refused, and do not overflow."""
    result = bounded("evaluate", "--counts", counts, "--measure", "precision", "--format", "json", cwd=tmp_path)
    if counts.startswith("tp=1e18"):
        assert result.returncode == 0, result.stderr
        assert json.loads(result.stdout)["evaluations"][0]["system"]["mean"] == pytest.approx(1.0)
    else:
        refused(result, "non-negative integer")


def test_gzip_of_gzip_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "g.csv.gz").write_bytes(gzip.compress(gzip.compress(b"gold,a,b\n1,0,1\n")))
    refused(outclass("compare", "g.csv.gz", "--truth", "gold", cwd=tmp_path), "not UTF-8", "binary", "cannot be read")


def test_a_pipe(tmp_path: Path) -> None:
    """A pipe that nobody writes to, or a device, is an error at once: opening it would wait for ever."""
    os.mkfifo(tmp_path / "p.csv")
    (tmp_path / "d.csv").symlink_to("/dev/null")

    for name in ("p.csv", "d.csv"):
        refused(outclass("compare", name, "--truth", "gold", cwd=tmp_path), "is a pipe or device")
