"""The long table of evaluation logs as a file: CSV, Parquet, or the list of runs as JSON."""

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from outclass.answers.logs import Logs
from outclass.atomic import write_whole

NUMBERS: Final = {"epoch": "BIGINT", "score": "DOUBLE", "refused": "BOOLEAN"}  # all other columns are text


def write_items(found: Logs, path: Path) -> None:
    """Write all samples, one row for each metric."""
    if path.suffix.lower() == ".json":
        write_whole(path, found.to_json())
        return
    text = _csv(found)
    if path.suffix.lower() == ".csv":
        write_whole(path, text)
        return
    import duckdb  # loaded for Parquet alone

    with TemporaryDirectory(prefix="outclass-", ignore_cleanup_errors=True) as folder:
        source, target = Path(folder) / "items.csv", Path(folder) / "items.parquet"
        source.write_text(text, encoding="utf-8", newline="")
        heads, _ = found.records
        with duckdb.connect(":memory:") as connection:
            types = {name: NUMBERS.get(name, "VARCHAR") for name in heads}
            table = connection.read_csv(str(source), header=True, dtype=types, all_varchar=False)
            table.write_parquet(str(target))
        write_whole(path, target.read_bytes())


def _csv(found: Logs) -> str:
    heads, lines = found.records
    target = io.StringIO(newline="")
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(lines)
    return target.getvalue()
