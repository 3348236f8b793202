"""lighteval: `details_<task>_<time>.parquet`, of 2025 (`doc`, `metric`) and before (`example`, `metrics`)."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.files import Head, digest
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in
from outclass.errors import FileError, quoted

NAME: Final = "lighteval"
TITLE: Final = "details of lighteval"
_NAMED: Final = re.compile(
    r"details_(?P<task>.+?)_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.parquet", re.DOTALL
)
COLUMNS: Final = ("doc", "metric", "example", "metrics", "hashes", "gold", "predictions")
AT_ONCE: Final = 1_000  # rows


def claims(head: Head) -> bool:
    """Look at the name: other Parquet files are tables."""
    return head.packed == "parquet" and _NAMED.fullmatch(head.name) is not None


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the rows: each is a document with its metrics."""
    match = _NAMED.fullmatch(head.name)
    task, time = (match["task"], match["time"]) if match else (head.path.stem, "")
    samples, seen = Samples(), set()
    for at, row in enumerate(_rows(head.path), start=1):
        doc, metrics = row.get("doc"), row.get("metric") or row.get("metrics")
        if not isinstance(metrics, dict):
            raise FileError(f"row {at:,} of {quoted([head.path.name])} has no metrics.")
        item, texts = _item(doc if isinstance(doc, dict) else {}, row, at)
        if item in seen:
            raise FileError(f"document {quoted([item])} occurs twice in {quoted([head.path.name])}.")
        seen.add(item)
        scores = {name: number_in(value) for name, value in metrics.items() if is_score(value)}
        samples.add(item, scores, hashes=texts)
    if not samples.scores:
        raise FileError(f"{quoted([head.path.name])} has no rows with scores.")
    yield LogRun(
        system=_system(head.path, time), task=task, harness=NAME, path=str(head.path), key=time, samples=samples
    )


def _item(
    doc: Mapping[str, Any], row: Mapping[str, Any], at: int
) -> tuple[str, tuple[str | None, str | None, str | None, str | None]]:
    """Return what tells a document, and the digests of its question, choices and gold answer."""
    if doc:
        query, choices = str(doc.get("query", "")), doc.get("choices")
        gold = json.dumps(doc.get("gold_index"), default=str)
        item = f"{doc['id']}-{digest(query)[:8]}" if doc.get("id") not in (None, "") else digest(query)
        return item, (digest(query), digest(*choices) if isinstance(choices, list) else None, digest(gold), None)
    example, hashes = str(row.get("example", "")), row.get("hashes")
    own = hashes.get("hash_examples") if isinstance(hashes, dict) else None
    right = None if row.get("gold") is None else digest(row["gold"])
    return str(own or digest(example) or at), (digest(example), None, right, None)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a Parquet file, a thousand at a time."""
    import duckdb  # loaded for Parquet alone

    try:
        with duckdb.connect(":memory:") as connection:
            place = str(path).replace("*", "[*]").replace("?", "[?]")
            described = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [place]).fetchall()
            columns = [str(row[0]) for row in described if row[0] in COLUMNS]
            if not columns:
                return
            listed = ", ".join(f'"{name}"' for name in columns)
            connection.execute(f"SELECT {listed} FROM read_parquet(?)", [place])
            while rows := connection.fetchmany(AT_ONCE):
                for row in rows:
                    yield dict(zip(columns, row, strict=True))
    except (duckdb.Error, RuntimeError) as error:
        told = str(error).strip().splitlines()[0][:120] if str(error).strip() else type(error).__name__
        raise FileError(f"{quoted([path.name])} cannot be read as Parquet: {told}") from None


def _system(path: Path, time: str) -> str:
    """Return the model: details lie in details/<model>/<time>/, where a model may have the name of its owner before."""
    folders = list(path.absolute().parent.parts)
    if folders and folders[-1].startswith(time[:10]):
        folders = folders[:-1]
    if "details" in folders:
        own = folders[len(folders) - folders[::-1].index("details") :]
        return "/".join(own) or "model"
    return folders[-1] if folders else "model"
