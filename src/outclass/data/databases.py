"""A table in a database, named by a URL such as postgresql://host/db#table, counted where it lies."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from outclass.errors import FileError, InputError, MissingExtraError, OutclassError, did_you_mean, quoted

_URL: Final = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
# Where files lie, not tables: an engine that reads such places is asked for by name.
REMOTE: Final = ("s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss", "wasbs", "hdfs", "http", "https", "dbfs")
_PASSWORD: Final = re.compile(r"(://[^/@:\s]*):[^/@\s]*@")


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
    return _PASSWORD.sub(r"\1:***@", text)


@contextmanager
def opened(urls: Sequence[str]) -> Iterator[Any]:
    """Open a table of Ibis, or one for each of several by its name, for as long as it is being counted."""
    if not all(map(is_database, urls)):
        raise InputError("files and tables in databases do not go together: give one or the other.")
    if len({url.partition("#")[0] for url in urls}) > 1:
        raise InputError("tables that are joined must lie in one database.")
    try:
        import ibis
    except ImportError:
        raise MissingExtraError.named("database", "reading a table in a database") from None
    address, connection = urls[0].partition("#")[0], None
    try:
        in_file = scheme_of(address) in ("sqlite", "duckdb")
        connection = _in_file(ibis, address) if in_file else ibis.connect(address)
        tables = [_table(connection, url) for url in urls]
        yield tables[0] if len(urls) == 1 else dict(zip([each.get_name() for each in tables], tables, strict=True))
    except OutclassError:
        raise
    except Exception as error:  # every driver has its own
        first = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        raise FileError(f"{quoted([discreet(address)])} cannot be read: {discreet(first.strip())}") from None
    finally:
        if connection is not None:
            connection.disconnect()


def _table(connection: Any, url: str) -> Any:
    address, _, name = url.partition("#")
    told = quoted([discreet(address)])
    schema, _, table = name.rpartition(".")
    tables = connection.list_tables(database=schema) if schema else connection.list_tables()
    if not name:
        raise FileError(f"which table of {told}? Say {discreet(address)}#TABLE; there are {quoted(tables)}.")
    if table not in tables:
        raise FileError(f"{told} has no table {quoted([name])}. {did_you_mean(name, tables)}")
    return connection.table(table, database=schema) if schema else connection.table(table)


def _in_file(ibis: Any, address: str) -> Any:
    """Open a database in a file: sqlite:///relative.db, sqlite:////absolute.db; of a wrong name none is made."""
    kind, _, rest = address.partition("://")
    path = Path(unquote(rest.partition("?")[0]))
    relative = Path(*path.parts[1:]) if path.is_absolute() and not rest.startswith("//") else path
    file = next((each for each in (relative, path) if each.is_file()), None)
    if file is None:
        raise FileError(f"there is no database file {quoted([relative])}.")
    return ibis.duckdb.connect(file, read_only=True) if kind.lower() == "duckdb" else ibis.sqlite.connect(file)
