"""What a file is called without its extensions."""

from pathlib import PurePath
from typing import Final

# Only what is known to be an extension is cut: `claude-2.0.csv` and `claude-2.1.csv` are two systems.
EXTENSIONS: Final = (
    *(".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather", ".run", ".eval"),
    *(".gz", ".zst", ".bz2", ".xz"),
)


def stem_of(path: object) -> str:
    """Return the name of a file, or of a folder, without the extensions that say how it is written."""
    name = PurePath(str(path).rstrip("/")).name
    while (suffix := PurePath(name).suffix.lower()) in EXTENSIONS and len(name) > len(suffix):
        name = name[: -len(suffix)]
    return name
