"""Random tables of labels, written for every reader, and what each must read: counted here by other means."""

import argparse
import csv
import json
import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import outclass as oc
from outclass.errors import InputError

NAMES = ("gold", "a", "b")
WORDS = [
    "ham",
    "spam",
    "é\u0301",
    "a,b",
    'say "x"',
    "two words",
    "nan",
    "NA",
    "null",
    "None",
    "01",
    "-0x1",
    "yes",
    "<b>",
]
# Each pool holds labels that a column may hold; the columns of one table are spelt in ways of their own.
POOLS: tuple[tuple[Any, ...], ...] = (
    (0, 1),
    (1, 2, 3),
    (-1, 1),
    (True, False),
    (1, 2, "other"),
    (True, False, "unknown"),
    (10**17, 2**62, 5),
    (4.5, 3.5, 5),
    ("a;b", "c", "7"),
    WORDS,
    (1, 1.0, "1", "01", True, "true", 0),
    (0, -0.0, "0", "-0", False),
    ("a", " a ", "A", "nan", "NaN", "None", "<NA>"),
    (2**53, 2**53 + 1, -(2**53) - 1),
    (1e16, 5.0, "1e+16", 10**16),
    (date(2024, 1, 1), date(2024, 2, 3), "2024-01-01"),
    (datetime(2024, 1, 1, 10, 30), datetime(2024, 2, 3), "2024-02-03"),
    ("\u00e9", "e\u0301", "\ufb01", "fi", "\u0130", "i"),
    ('"', '""', "'", "a\nb", "a\tb", "a|b", "a;b", "\\", "\\n", "-", "#a"),
)


@dataclass(frozen=True)
class Table:
    """Columns of values as Python has them; None and NaN are missing."""

    columns: dict[str, list[Any]]


def _types(column: Sequence[Any]) -> set[type]:
    return {type(value) for value in column if not _gone(value)}


def _gone(value: Any) -> bool:
    return (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or (isinstance(value, str) and not value.strip())
    )


def random_table(rng: np.random.Generator) -> Table:
    """Draw a table of few rows, whose columns spell the same labels in different ways."""
    pool = POOLS[rng.integers(len(POOLS))]
    # Numbers beyond 2**53 beside fractions, or beside what is missing, are rounded by pandas before anybody reads them.
    big = any(isinstance(value, int) and value >= 2**53 for value in pool)
    ways = SPELLINGS[:2] if big else SPELLINGS
    size = int(rng.integers(1, 13))
    truth = [pool[rng.integers(len(pool))] for _ in range(size)]
    said = [[each if rng.random() < 0.6 else pool[rng.integers(len(pool))] for each in truth] for _ in "ab"]
    gone = rng.random() < 0.3 and not big
    found = {}
    for name, column in zip(NAMES, [truth, *said], strict=True):
        spelt = ways[rng.integers(len(ways))]
        own = [spelt(value) for value in column]
        if gone and rng.random() < 0.5:
            own[rng.integers(size)] = (None, math.nan, "", "  ")[rng.integers(4)]
        found[name] = own
    return Table(found)


def _as_float(value: Any) -> Any:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else value


def _padded(value: Any) -> Any:
    return f" {value} " if isinstance(value, str) else value


# Ways to write a label that do not make it another.
SPELLINGS: tuple[Callable[[Any], Any], ...] = (
    lambda value: value,
    str,
    _as_float,
    lambda value: str(_as_float(value)),
    _padded,
    lambda value: str(value).lower() if isinstance(value, bool) else value,
    lambda value: int(value) if isinstance(value, bool) else value,
)


def expected(table: Table, missing: str) -> "Counter[tuple[str, ...]] | None":
    """Count the rows in plain Python; None where the table must be refused."""
    rows = [tuple(map(_word, row)) for row in zip(*table.columns.values(), strict=True)]
    lacking = [row for row in rows if None in row]
    if lacking and (missing == "error" or (missing == "wrong" and any(row[0] is None for row in rows))):
        return None
    kept = [row for row in rows if None not in row or missing == "wrong"]
    true = {row[0] for row in kept}
    fractions = [{row[at] for row in kept if row[at] in ("4.5", "3.5")} for at in range(3)]
    if any(own - true for own in fractions[1:]) or (fractions[0] and not fractions[0] & (fractions[1] | fractions[2])):
        return None  # looks like a score
    return Counter(tuple("wrong" if word is None else word for word in row) for row in kept) if kept else None


def _word(value: Any) -> str | None:
    if _gone(value):
        return None
    text = str(value).strip().removesuffix(" 00:00:00")  # a day is written without its first second
    if text in ("-0", "-0.0"):
        return "0"
    if text == "1e+16":
        return str(10**16)
    if text.lower() in ("true", "false"):
        return "1" if text.lower() == "true" else "0"
    return text.removesuffix(".0")


def read(data: Any, missing: str) -> oc.Outcomes | None:
    """Read a table; None where it is refused."""
    try:
        found: oc.Outcomes = oc.read(*data, missing=missing) if isinstance(data, tuple) else oc.read(
            data, truth="gold", systems=["a", "b"], missing=missing
        )  # fmt: skip
    except InputError:
        return None
    return found


def counted(read: oc.Outcomes | None) -> "Counter[tuple[str, ...]] | None":
    """Count the rows of what was read."""
    if read is None:
        return None
    words = [_word(label) for label in read.labels] + ["wrong"]
    rows = [tuple(words[code] for code in row) for row in read.patterns.tolist()]
    found = Counter(dict(zip(rows, read.counts.tolist(), strict=True)))
    assert len(found) == len(rows), "two labels are one"
    return found or None


def typed(table: Table) -> dict[str, list[Any]]:
    """Return the columns as engines that give every column one type can hold them: mixed ones as text."""
    columns = {}
    for name, column in table.columns.items():
        plain = [None if _gone(value) else value for value in column]
        kinds = _types(plain)
        columns[name] = [None if value is None else str(value) for value in plain] if len(kinds) > 1 else plain
    return columns


def as_csv(table: Table, folder: Path, *, ending: str = ".csv") -> Path:
    """Write text, quoted where needed; what is missing is empty."""
    path = folder / f"table{ending}"
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, delimiter="\t" if ending == ".tsv" else ",")
        writer.writerow(table.columns)
        writer.writerows(
            [["" if _gone(value) else value for value in row] for row in zip(*table.columns.values(), strict=True)]
        )
    return path


def as_json(table: Table, folder: Path) -> Path:
    """Write JSON lines as Python does, NaN included."""
    path = folder / "table.jsonl"
    rows = [dict(zip(table.columns, row, strict=True)) for row in zip(*table.columns.values(), strict=True)]
    path.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    return path


def as_arrow(table: Table) -> pa.Table:
    """Return a table of Arrow."""
    return pa.table(typed(table))


def as_parquet(table: Table, folder: Path) -> Path:
    """Write Parquet."""
    pq.write_table(as_arrow(table), path := folder / "table.parquet")
    return path


def as_parts(table: Table, folder: Path) -> str:
    """Write each row as a part of its own, whose columns have the types of that row."""
    for old in folder.glob("part*.parquet"):
        old.unlink()
    for at, row in enumerate(zip(*table.columns.values(), strict=True)):
        plain = {name: [None if _gone(value) else value] for name, value in zip(table.columns, row, strict=True)}
        pq.write_table(pa.table(plain), folder / f"part{at:02}.parquet")
    return str(folder / "part*.parquet")


SQLITE = {str: "TEXT", float: "REAL", int: "INTEGER", bool: "INTEGER"}


def as_sqlite(table: Table, folder: Path) -> str:
    """Write a table of SQLite, which has no booleans and no dates."""
    path = folder / "table.sqlite"
    path.unlink(missing_ok=True)
    columns = {
        name: [str(value) if isinstance(value, date) else value for value in own] for name, own in typed(table).items()
    }
    with closing(sqlite3.connect(path)) as connection:
        kinds = [next(iter(_types(own)), str) for own in columns.values()]
        named = [f"{name} {SQLITE[kind]}" for name, kind in zip(columns, kinds, strict=True)]
        connection.execute(f"CREATE TABLE t ({', '.join(named)})")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", list(zip(*columns.values(), strict=True)))
        connection.commit()
    return f"sqlite:///{path}#t"


def as_duckdb(table: Table, folder: Path) -> str:
    """Write a file of DuckDB."""
    path = folder / "table.duckdb"
    path.unlink(missing_ok=True)
    arrow = as_arrow(table)
    with duckdb.connect(str(path)) as connection:
        connection.register("arrow", arrow)
        connection.execute("CREATE TABLE t AS SELECT * FROM arrow")
    return f"duckdb:///{path}#t"


def _arrays(table: Table) -> tuple[Any, ...]:
    columns = []
    for column in table.columns.values():
        own = np.empty(len(column), dtype=object)
        own[:] = column
        columns.append(np.array(column) if len(set(map(type, column))) == 1 else own)
    return columns[0], dict(zip("ab", columns[1:], strict=True))


READERS: dict[str, Callable[[Table, Path], Any]] = {
    "lists": lambda table, _: (table.columns["gold"], {name: table.columns[name] for name in "ab"}),
    "arrays": lambda table, _: _arrays(table),
    "mapping": lambda table, _: table.columns,
    "pandas": lambda table, _: pd.DataFrame(table.columns),
    "pandas objects": lambda table, _: pd.DataFrame(table.columns, dtype=object),
    "pandas series": lambda table, _: (
        pd.Series(table.columns["gold"]),
        {name: pd.Series(table.columns[name]) for name in "ab"},
    ),
    "polars": lambda table, _: pl.DataFrame(typed(table)),
    "polars lazy": lambda table, _: pl.LazyFrame(typed(table)),
    "arrow": lambda table, _: as_arrow(table),
    "csv": as_csv,
    "tsv": lambda table, folder: as_csv(table, folder, ending=".tsv"),
    "json lines": as_json,
    "parquet": as_parquet,
    "parquet in parts": as_parts,
    "duckdb": as_duckdb,
    "sqlite": as_sqlite,
}


def disagreements(
    seed: int, many: int, folder: Path, readers: "dict[str, Callable[[Table, Path], Any]]" = READERS
) -> list[str]:
    """Draw tables, and tell which readers differ from what was counted by hand, or from each other."""
    told = []
    for number in range(many):
        rng = np.random.default_rng((seed, number))
        table = random_table(rng)
        missing = ("error", "drop", "wrong")[rng.integers(3)]
        wanted = expected(table, missing)
        first = read(table.columns, missing)
        for name, written in readers.items():
            found = read(written(table, folder), missing)
            if (got := counted(found)) != wanted:
                told.append(f"table {number}, {name}, missing={missing}: {got} is not {wanted}\n  {table.columns}")
            # SQLite has no booleans, so that it shows True as 1.
            elif found != first and name != "sqlite":
                told.append(f"table {number}, {name}, missing={missing}: {found} is not {first}\n  {table.columns}")
    return told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Read random tables by every reader and compare.")
    parser.add_argument("--tables", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        differ = disagreements(options.seed, options.tables, Path(place))
    print(*differ, sep="\n")
    print(f"{options.tables:,} tables by {len(READERS)} readers: {len(differ):,} disagreements")
    raise SystemExit(bool(differ))
