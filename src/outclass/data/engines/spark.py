"""Files read by Spark: counted by its executors, wherever they are; only the counts come back."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from tempfile import TemporaryFile
from typing import IO, Any, Final

from outclass.data.databases import is_database
from outclass.data.existing import JSON, PARQUET, TEXT
from outclass.data.names import stem_of
from outclass.data.tables import delimiter_of
from outclass.errors import FileError, InputError, MissingExtraError, quoted
from outclass.locations import Location

CLUSTER: Final = True


def tables(paths: Sequence[str], master: str | None) -> Any:
    """Return a Spark table of one path (a folder or glob of parts), or one for each of several by the file's name."""
    for path in paths:
        if is_database(path):
            raise InputError(
                f"{quoted([path])} is a database table, and the database does the counting: leave out --engine."
            )
    session = _session(master)
    frames: dict[str, Any] = {}
    for path in paths:
        name = stem_of(path)
        if name in frames:
            raise InputError(f"two files would both be called {quoted([name])}. Rename one, or give a glob of parts.")
        frames[name] = _read(session, path)
    return frames if len(frames) > 1 else next(iter(frames.values()))


def _session(master: str | None) -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError.named("spark", "counting with Spark") from None
    # Of pandas, which is not used here.
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"pyspark\..*")
    with as_file(files("outclass.data") / "spark-log.properties") as quiet:
        builder = (
            SparkSession.builder.appName("outclass")
            .config("spark.driver.extraJavaOptions", f"-Dlog4j2.configurationFile={quiet.as_uri()}")
            .config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
        )
        if master is not None:
            builder = builder.master(master)
        with TemporaryFile() as talk:
            try:
                with _aside(talk):
                    return builder.getOrCreate()
            except Exception as error:  # Java's exceptions, and Python's where Java is missing
                talk.seek(0)
                said = talk.read().decode(errors="replace").splitlines()
                # Java says why, among the places where; Python only says that Java ended.
                why = [line.strip() for line in said if "Exception" in line or "rror:" in line or "JAVA_HOME" in line]
                where = "" if master is None else f" on {quoted([master])}"
                raise FileError(
                    f"Spark could not be started{where}: {(why or [_first(error)])[0]} It needs Java, and a --master "
                    "such as local[*] or spark://HOST:7077."
                ) from None


@contextmanager
def _aside(talk: IO[bytes]) -> Iterator[None]:
    """Put aside what Java says as it starts, and later, unless it is a terminal on which Spark shows its progress."""
    if sys.stderr.isatty():
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    os.dup2(talk.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _read(session: Any, path: str) -> Any:
    whole = path.given if isinstance(path, Location) else path
    plain = path.rstrip("/").removesuffix(".gz").lower()
    kind = next((kind for kind in (*PARQUET, *JSON, *TEXT) if plain.endswith(kind)), ".parquet")
    try:
        if kind in PARQUET:
            return session.read.parquet(whole)
        if kind in JSON:
            return session.read.option("primitivesAsString", "true").json(whole)
        # Text stays text, as in every other reader: "01" is no number.
        head = session.read.text(whole).head()
        return session.read.csv(whole, header=True, sep=delimiter_of(head[0] if head else "", kind), escape='"')
    except Exception as error:  # Java's exceptions
        raise FileError(f"Spark cannot read {quoted([path])}: {_first(error)}") from None


def _first(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
