"""Names in SQL, and what every connection is told."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any


def quote(name: str) -> str:
    """Quote a name from a file as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def no_progress_bar(connection: Any) -> None:
    """Let DuckDB draw nothing on standard output, in the middle of an answer."""
    import duckdb  # known to whoever has a connection

    with suppress(duckdb.Error):  # in a notebook without widgets there is no bar, and no changing that
        connection.execute("SET enable_progress_bar = false")


@contextmanager
def spill_folder() -> Iterator[str]:
    """Make a folder where DuckDB puts aside what does not fit into memory; without one ('') everything has to fit."""
    try:
        folder = TemporaryDirectory(prefix="outclass-", ignore_cleanup_errors=True)
    except OSError:  # no temporary folder can be written
        yield ""
        return
    with folder as name:
        yield name
