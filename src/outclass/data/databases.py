"""A table in a database, named by a URL such as postgresql://host/db#table, counted where it lies."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from outclass.data.sql import no_progress_bar, quote
from outclass.errors import FileError, InputError, MissingExtraError, OutclassError, did_you_mean, quoted

_URL: Final = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
# Where files lie, not tables: an engine that reads such places is asked for by name.
REMOTE: Final = ("s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss", "wasbs", "hdfs", "http", "https", "dbfs")
# A password may hold signs that should have been written otherwise: up to the last @ before a query, or the end.
_PASSWORD: Final = re.compile(r"(://[^:/@\s]*):([^?#\s]*)@")
_IN_QUERY: Final = re.compile(r"([?&][^=&#\s]*(?:pass|pwd|token|secret|key)[^=&#\s]*=)([^&#\s]*)", re.IGNORECASE)


def scheme_of(path: object) -> str | None:
    """Return the scheme of a URL, lower case; None of anything else."""
    match = _URL.match(path) if isinstance(path, str) else None
    return match.group(1).lower() if match else None


def is_database(path: object) -> bool:
    """Return whether a text names a table in a database."""
    scheme = scheme_of(path)
    return scheme is not None and scheme not in (*REMOTE, "file")


def discreet(text: str) -> str:
    """Return a text without the passwords of its URLs."""
    return _IN_QUERY.sub(r"\1***", _PASSWORD.sub(r"\1:***@", text))


def _said(error: Exception, address: str) -> str:
    """Return the first line of what a driver says, without pieces of the URL's passwords."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    for pattern in (_PASSWORD, _IN_QUERY):
        for match in pattern.finditer(address):
            for piece in (match.group(2), *re.split(r"[^\w]+", match.group(2))):
                first = first.replace(piece, "***") if len(piece) > 1 else first
    return discreet(first)


@contextmanager
def opened(urls: Sequence[str]) -> Iterator[Any]:
    """Open a table of Ibis, or one for each of several by its name, for as long as it is being counted."""
    if not all(map(is_database, urls)):
        raise InputError("files and tables in databases do not go together: give one or the other.")
    if len({url.partition("#")[0] for url in urls}) > 1:
        raise InputError("tables that are joined must lie in one database.")
    if len(set(urls)) < len(urls):
        raise InputError("the same table is given twice.")
    address, connection = urls[0].partition("#")[0], None
    kind = scheme_of(address)
    try:
        connection = _DuckDb(_file_of(address)) if kind == "duckdb" else _by_ibis(address, kind)
        tables = {url.partition("#")[2]: _table(connection, url) for url in urls}
        yield tables if len(urls) > 1 else next(iter(tables.values()))
    except (OutclassError, AssertionError, AttributeError, LookupError, TypeError):
        raise  # what was told, and faults of our own
    except Exception as error:  # every driver has its own
        raise FileError(f"{quoted([discreet(address)])} cannot be read: {_said(error, address)}") from None
    finally:
        if connection is not None:
            connection.disconnect()


def _by_ibis(address: str, kind: str | None) -> Any:
    try:
        import ibis
    except ImportError:
        raise MissingExtraError.named("database", "reading a table in a database") from None
    return ibis.sqlite.connect(_file_of(address)) if kind == "sqlite" else ibis.connect(address)


class _DuckDb:
    """A file of DuckDB, which needs no other library, read alone."""

    def __init__(self, file: Path) -> None:
        import duckdb

        config: Any = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        self._connection = duckdb.connect(str(file), read_only=True, config=config)
        no_progress_bar(self._connection)

    def list_tables(self, database: str = "main") -> list[str]:
        """Return the names of the tables of a schema."""
        asked = "SELECT table_name FROM information_schema.tables WHERE table_schema = ? ORDER BY 1"
        return [row[0] for row in self._connection.execute(asked, [database]).fetchall()]

    def table(self, name: str, database: str = "main") -> Any:
        """Return a table; nothing is read yet."""
        return self._connection.sql(f"SELECT * FROM {quote(database)}.{quote(name)}")

    def disconnect(self) -> None:
        """Close the file."""
        self._connection.close()


def _table(connection: Any, url: str) -> Any:
    address, _, name = url.partition("#")
    told, tables = quoted([discreet(address)]), connection.list_tables()
    if not name:
        raise FileError(f"which table of {told}? Say {discreet(address)}#TABLE; there are {quoted(tables)}.")
    for whole in (name, unquote(name)):
        if whole in tables:
            return connection.table(whole)
        schema, _, table = whole.rpartition(".")
        try:
            if schema and table in connection.list_tables(database=schema):
                return connection.table(table, database=schema)
        except Exception:  # noqa: S112  there is no such schema, which every driver says in its own way
            continue
    raise FileError(f"{told} has no table {quoted([name])}. {did_you_mean(name, tables)}")


def _file_of(address: str) -> Path:
    """Return the file of sqlite:///relative.db or sqlite:////absolute.db; of a wrong name none is made."""
    rest = address.partition("://")[2]
    path = Path(unquote(rest.partition("?")[0]))
    relative = Path(*path.parts[1:]) if path.is_absolute() and not rest.startswith("//") else path
    file = next((each for each in (relative, path) if os.path.isfile(each)), None)
    if file is None:
        raise FileError(f"there is no database file {quoted([relative])}.")
    return file
