"""A table in a database, named by a URL such as postgresql://host/db#table, counted where it lies."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from outclass.data.sql import no_progress_bar, quote, spill_folder
from outclass.errors import FileError, InputError, MissingExtraError, OutclassError, did_you_mean, quoted
from outclass.locations import MASK, SHORT, Location, masked, scheme_of

# Where files lie, not tables: an engine that reads such places is asked for by name.
REMOTE: Final = ("s3", "s3a", "s3n", "gs", "gcs", "abfs", "abfss", "wasbs", "hdfs", "http", "https", "dbfs")


def is_database(path: object) -> bool:
    """Return whether a text names a table in a database."""
    scheme = scheme_of(path)
    return scheme is not None and scheme not in (*REMOTE, "file")


def _said(error: Exception, place: Location) -> str:
    """Return the first line of what a driver says, without any piece of a secret."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    for secret in place.secrets:
        for piece in (secret, *re.split(r"\W+", secret)):
            first = first.replace(piece, MASK) if len(piece) >= SHORT else first
    return masked(first)


@contextmanager
def opened(urls: Sequence[str]) -> Iterator[Any]:
    """Open a table of Ibis, or one for each of several by its name, for as long as it is being counted."""
    if not all(map(is_database, urls)):
        raise InputError("files and database tables cannot be mixed: give one or the other.")
    places = [Location(url) for url in urls]
    if len({place.address for place in places}) > 1:
        raise InputError("tables to be joined must be in the same database.")
    if len({place.table for place in places}) < len(places):
        raise InputError("the same table is given twice.")
    place, connection = places[0], None
    told = place.removesuffix(f"#{place.table}")
    try:
        connection = _DuckDb(_file_of(place)) if scheme_of(place) == "duckdb" else _by_ibis(place)
        tables = {each.table: _table(connection, told, each.table) for each in places}
        yield tables if len(places) > 1 else next(iter(tables.values()))
    except (OutclassError, AssertionError, AttributeError, LookupError, TypeError):
        raise  # what was told, and faults of our own
    except Exception as error:  # every driver has its own
        raise FileError(f"{quoted([told])} cannot be read: {_said(error, place)}") from None
    finally:
        if connection is not None:
            with suppress(Exception):  # one that is lost cannot be closed
                connection.disconnect()


def _by_ibis(place: Location) -> Any:
    try:
        import ibis
    except ImportError:
        raise MissingExtraError.named("database", "reading a table in a database") from None
    return ibis.sqlite.connect(_file_of(place)) if scheme_of(place) == "sqlite" else ibis.connect(place.address)


class _DuckDb:
    """A file of DuckDB, which needs no other library; read only, and nothing but this file is."""

    def __init__(self, file: Path) -> None:
        import duckdb

        self._file, self._closing = file, ExitStack()
        # A view in the file is somebody else's query: it must not read what else lies on this machine.
        config: Any = {
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "enable_external_access": "false",
            "temp_directory": self._closing.enter_context(spill_folder()),
        }
        self._connection = self._closing.enter_context(duckdb.connect(str(file), read_only=True, config=config))
        no_progress_bar(self._connection)
        self._connection.execute("SET lock_configuration = true")

    def list_tables(self, database: str = "main") -> list[str]:
        """Return the names of the tables of a schema."""
        asked = "SELECT table_name FROM information_schema.tables WHERE table_schema = ? ORDER BY 1"
        return [row[0] for row in self._connection.execute(asked, [database]).fetchall()]

    def table(self, name: str, database: str = "main") -> Any:
        """Return a table; nothing is read yet."""
        import duckdb

        try:
            return self._connection.sql(f"SELECT * FROM {quote(database)}.{quote(name)}")
        except duckdb.PermissionException:
            raise FileError(
                f"{quoted([name])} in {quoted([self._file])} is a view that reads other files, which is not supported. "
                "Name those files instead, or make it a table (CREATE TABLE ... AS SELECT ...)."
            ) from None

    def disconnect(self) -> None:
        """Close the file."""
        self._closing.close()


def _table(connection: Any, place: str, name: str) -> Any:
    told, tables = quoted([place]), connection.list_tables()
    if not name:
        raise FileError(f"which table of {told}? Say {place}#TABLE; there are {quoted(tables)}.")
    for whole in (name, unquote(name)):
        if whole in tables:
            return connection.table(whole)
        schema, _, table = whole.rpartition(".")
        try:
            is_there = bool(schema) and table in connection.list_tables(database=schema)
        except Exception:  # noqa: S112  there is no such schema, which every driver says in its own way
            continue
        if is_there:
            return connection.table(table, database=schema)
    raise FileError(f"{told} has no table {quoted([name])}. {did_you_mean(name, tables)}")


def _file_of(place: Location) -> Path:
    """Return the file of sqlite:///relative.db or sqlite:////absolute.db; of a wrong name none is made."""
    rest = place.address.partition("://")[2]
    path = Path(unquote(rest.partition("?")[0]))
    relative = Path(*path.parts[1:]) if path.is_absolute() and not rest.startswith("//") else path
    file = next((each for each in (relative, path) if os.path.isfile(each)), None)
    if file is None:
        raise FileError(f"there is no database file {quoted([relative])}.")
    return file
