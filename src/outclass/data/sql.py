"""Names in SQL, and what every connection is told."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryDirectory
from typing import Any, Final

INTEGERS: Final = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
# Types whose text in DuckDB has the same label as the value.
_PLAIN: Final = (*INTEGERS, *(f"U{kind}" for kind in INTEGERS), "BOOLEAN", "VARCHAR", "DATE", "UUID", '"NULL"')


def quote(name: str) -> str:
    """Quote a name from a file as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def as_text(own: str, kind: str) -> str | None:
    """Return SQL for a column as text with the same labels as its values; None of a type for which there is none.

    A plain cast does not: it keeps the zeros of 4.50, escapes bytes, and makes a label of NaN.
    """
    plain = f"CAST({own} AS VARCHAR)"
    if kind in _PLAIN or (kind.startswith("DECIMAL(") and kind.endswith(",0)")):
        return plain
    if kind.startswith("DECIMAL("):
        # DuckDB writes .5 where the type has no room for the zero before it.
        return rf"rtrim(rtrim(regexp_replace({plain}, '^(-?)\.', '\10.'), '0'), '.')"
    if kind in ("FLOAT", "DOUBLE"):
        return f"CASE WHEN isnan({own}) THEN NULL ELSE CAST(CAST({own} AS DOUBLE) AS VARCHAR) END"
    if kind == "BLOB":
        return f"decode({own})"
    if kind == "TIMESTAMP WITH TIME ZONE":
        # By the number of its microseconds: the text of a cast depends on where this machine is.
        return f"{_moment(f'make_timestamp(epoch_us({own}))')} || '+00:00'"
    if kind == "TIMESTAMP_NS":
        exact = f"epoch_ns({own}) % 1000 <> 0"
        return f"CASE WHEN {exact} THEN {plain} ELSE {_moment(f'CAST({own} AS TIMESTAMP)')} END"
    return _moment(f"CAST({own} AS TIMESTAMP)") if kind.startswith("TIMESTAMP") else None


def _moment(sql: str) -> str:
    """Return SQL for a moment as Python writes it: six digits after the point, or none."""
    return f"regexp_replace(strftime({sql}, '%Y-%m-%d %H:%M:%S.%f'), '\\.000000$', '')"


def as_key(own: str, kind: str) -> str:
    """Return SQL for a column of ids as text in which one id is spelt in one way: 1, 1.0 and " 1" are the same."""
    text = f"trim({as_text(own, kind) or f'CAST({own} AS VARCHAR)'}, chr(32) || chr(9) || chr(10) || chr(13))"
    whole = rf"regexp_replace({text}, '^(-?(0|[1-9][0-9]{{0,37}}))\.0*$', '\1')"
    day = rf"regexp_replace({whole}, '^(\d{{4}}-\d\d-\d\d)[ T]00:00:00(\.0+)?$', '\1')"
    # Few end like this, so that few are searched.
    return (
        f"CASE WHEN {text} = '' THEN NULL WHEN lower({text}) IN ('true', 'false') THEN lower({text}) "
        f"WHEN right({text}, 1) IN ('0', '.') THEN {day} ELSE {text} END"
    )


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
