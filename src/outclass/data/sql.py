"""Names in SQL, and what every connection is told."""

from contextlib import suppress
from typing import Any


def quote(name: str) -> str:
    """Quote a name from a file as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def no_progress_bar(connection: Any) -> None:
    """Let DuckDB draw nothing on standard output, in the middle of an answer."""
    import duckdb  # known to whoever has a connection

    with suppress(duckdb.Error):  # in a notebook without widgets there is no bar, and no changing that
        connection.execute("SET enable_progress_bar = false")
