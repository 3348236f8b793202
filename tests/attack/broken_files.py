"""Broken and odd files of every kind that a command reads, the same for one seed; and the commands that read them.

A file is a name and its making: bytes, or something that writes to a path. The name tells the kind by its suffix.
"""

import gzip
import io
import json
import os
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

ITEMS: Final = 60
COLUMNS: Final = ("id", "gold", "a", "b", "g")
LARGE: Final = 5_000_000  # bytes of a line
DEEP: Final = 100_000  # brackets in each other
WIDE: Final = 100_000  # columns
HOSTILE: Final = {
    "control": "\x1b[31mred\x07",
    "bidi": "\u202egnp.exe\u2066",
    "sql": '"; DROP TABLE t0; --',
    "html": "</script><img src=x onerror=alert(1)>",
    "latex": "\\input{/etc/passwd} $x^2$ % {un}balanced}",
    "proto": "__proto__",
    "constructor": "constructor",
    "separator": "a\u2028b",
    "formula": "=HYPERLINK(1)",
    "long": "n" * 10_000,
    "format": "{0.__class__} %s %n {{7*7}}",
}

Making = bytes | Callable[[Path, Random], None]


def rows(random: Random, items: int = ITEMS, labels: Sequence[Any] = ("0", "1")) -> list[list[Any]]:
    """Return a sound table without its header: id, truth, two systems, a group."""
    found = []
    for at in range(items):
        truth = random.choice(labels)
        said = [truth if random.random() < 0.8 else random.choice(labels) for _ in range(2)]
        found.append([at, truth, *said, at // 5])
    return found


def delimited(table: Sequence[Sequence[Any]], names: Sequence[str] = COLUMNS, comma: str = ",", end: str = "\n") -> str:
    """Return a table as text, with no quotes at all."""
    return "".join(comma.join(map(str, row)) + end for row in (names, *table))


def json_lines(table: Sequence[Sequence[Any]], names: Sequence[str] = COLUMNS) -> str:
    """Return a table as lines of JSON."""
    return "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in table)


def _set(table: list[list[Any]], column: str, value: Any) -> list[list[Any]]:
    at = COLUMNS.index(column)
    return [[value if each == at else cell for each, cell in enumerate(row)] for row in table]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(seed: str) -> dict[str, Making]:
    """Return comma- and tab-separated files."""
    random = Random(f"{seed} text")
    table = rows(random)
    sound = delimited(table)
    head = ",".join(COLUMNS)
    lines = sound.splitlines()
    ragged = [line if random.random() < 0.7 else line.rpartition(",")[0] for line in lines[1:]]
    found: dict[str, str | bytes] = {
        "sound": sound,
        "empty": "",
        "only-a-blank": " ",
        "only-line-ends": "\n" * 50,
        "only-header": f"{head}\n",
        "header-without-end": head,
        "one-row": "\n".join(lines[:2]),
        "two-rows": "\n".join(lines[:3]) + "\n",
        "one-column": "gold\n" + "1\n0\n" * 30,
        "truth-and-one-system": "gold,a\n" + "1,1\n0,1\n" * 30,
        "ragged-short": "\n".join([head, *ragged]) + "\n",
        "ragged-long": "\n".join([head, *(f"{line},9" if at == 30 else line for at, line in enumerate(lines[1:]))]),
        "row-of-a-thousand-cells": sound + "1," * 1000 + "\n",
        "nul-in-cells": sound.replace("1,1", "1\0,1", 3),
        "nul-at-start": "\0" + sound,
        "only-nuls": "\0" * 4096,
        "bom": "\ufeff" + sound,
        "two-boms": "\ufeff\ufeff" + sound,
        "utf-16": sound.encode("utf-16"),
        "utf-16-be-without-bom": sound.encode("utf-16-be"),
        "utf-32": sound.encode("utf-32"),
        "latin-1": sound.replace(",1,", ",naïve,").encode("latin-1"),
        "not-utf-8": sound.encode().replace(b"1,1", b"\xff\xfe,1", 2),
        "overlong-utf-8": sound.encode().replace(b"1,1", b"\xc0\xaf,1", 2),
        "surrogates": sound.encode().replace(b"1,1", b"\xed\xa0\x80,1", 2),
        "mixed-line-ends": "".join(line + random.choice(("\n", "\r\n", "\r")) for line in lines),
        "old-mac-line-ends": "\r".join(lines),
        "windows-line-ends": "\r\n".join(lines),
        "unclosed-quote": sound.replace(",1,", ',"1,', 1),
        "quote-never-closed-at-end": sound + '61,"1,1,1,9\n',
        "quote-in-the-middle": sound.replace(",1,", ',1"1,', 2),
        "all-quoted": "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in lines),
        "line-break-in-a-cell": sound.replace(",1,", ',"1\n1",', 2),
        "semicolons": sound.replace(",", ";"),
        "pipes": sound.replace(",", "|"),
        "sep-line": f"sep=,\n{sound}",
        "comment-line": f"# made by hand\n{sound}",
        "blank-lines-between": "\n\n".join(lines),
        "header-again-in-the-middle": "\n".join([*lines[:30], head, *lines[30:]]),
        "blanks-around": "\n".join(line.replace(",", " , ") for line in lines),
        "trailing-commas": "\n".join(f"{line}," for line in lines),
        "a-column-twice": delimited(table, ("id", "gold", "a", "a", "g")),
        "truth-twice": delimited(table, ("id", "gold", "gold", "b", "g")),
        "names-in-two-cases": delimited(table, ("id", "gold", "Gold", "GOLD", "g")),
        "names-empty": delimited(table, ("id", "gold", "", "", "g")),
        "names-blank": delimited(table, ("id", "gold", " ", "  ", "g")),
        "names-are-numbers": delimited(table, ("id", "gold", "1", "2", "g")),
        "no-header": "\n".join(lines[1:]) + "\n",
        "truth-constant": delimited(_set(table, "gold", 1)),
        "all-constant": delimited(_set(_set(_set(table, "gold", 1), "a", 1), "b", 1)),
        "system-constant": delimited(_set(table, "a", 0)),
        "systems-alike": delimited([[*row[:3], row[2], row[4]] for row in table]),
        "all-blank": delimited([["", "", "", "", ""]] * ITEMS),
        "truth-missing": delimited(_set(table, "gold", "")),
        "system-missing": delimited(_set(table, "b", "")),
        "one-missing": sound.replace(",1,", ",,", 1),
        "na-words": sound.replace(",1,", ",NA,", 4).replace(",0,", ",null,", 4),
        "nan-tokens": sound.replace(",1,", ",NaN,", 5),
        "infinity-tokens": sound.replace(",1,", ",Infinity,", 5).replace(",0,", ",-inf,", 5),
        "400-digits": sound.replace(",1,", f",{'9' * 400},", 5),
        "400-decimals": sound.replace(",1,", f",0.{'3' * 400},", 5),
        "exponents": sound.replace(",1,", ",1e999,", 3).replace(",0,", ",1e-999,", 3),
        "minus-zero": sound.replace(",0,", ",-0.0,", 9),
        "hexadecimal": sound.replace(",1,", ",0x1,", 9),
        "one-and-true": sound.replace(",1,", ",true,", 9).replace(",0,", ",False,", 9),
        "dates": sound.replace(",1,", ",2024-01-01,", 99).replace(",0,", ",2024-13-45,", 99),
        "every-label-once": delimited([[at, f"t{at}", f"a{at}", f"b{at}", at] for at in range(ITEMS)]),
        "two-thousand-labels": delimited(rows(random, 4_000, [f"l{at}" for at in range(2_000)])),
        "labels-of-ten-thousand-letters": sound.replace(",1,", f",{'x' * 10_000},", 20),
        "ids-twice": delimited(_set(table, "id", 7)),
        "ids-missing": delimited(_set(table, "id", "")),
        "groups-missing": delimited(_set(table, "g", "")),
        "one-group": delimited(_set(table, "g", "all")),
        "counts-negative": delimited(_set(table, "g", -3)),
        "counts-huge": delimited(_set(table, "g", 10**15)),
        "counts-beyond-64-bits": delimited(_set(table, "g", 10**30)),
        "counts-of-fractions": delimited(_set(table, "g", 0.5)),
        "numbers": delimited([[at, at % 2, random.gauss(0, 1), random.gauss(0, 1), at % 4] for at in range(ITEMS)]),
        "numbers-huge": delimited([[at, at % 2, 1e300 * random.random(), -1e300, at % 4] for at in range(ITEMS)]),
        "lists": delimited([[at, "x;y", random.choice(["x", "y;x", ""]), "x;;y", at // 5] for at in range(ITEMS)]),
        "lists-of-a-thousand": delimited(
            [[at, ";".join(f"l{n}" for n in range(1_000)), f"l{at}", "l1;l2", at // 5] for at in range(20)]
        ),
        "a-page": "<!DOCTYPE html><html><body><table><tr><td>gold</td></tr></table></body></html>\n" * 20,
        "random-bytes": bytes(random.randrange(256) for _ in range(20_000)),
        "line-of-5-mb": f"{head}\n1,1,1,{'x' * LARGE},1\n",
        "header-of-5-mb": f"{head},{'h' * LARGE}\n" + "1,1,1,0,1,2\n" * 9,
        "million-rows": f"{head}\n" + "1,1,1,0,1\n1,0,0,0,2\n" * 400_000,
        "wide": ",".join(["gold", *(f"s{at}" for at in range(WIDE))]) + "\n" + ("1" + ",1" * WIDE + "\n") * 2,
        "four-hundred-systems": ",".join(["gold", *(f"s{at}" for at in range(400))])
        + "\n"
        + "".join(",".join(random.choice("01") for _ in range(401)) + "\n" for _ in range(40)),
    }
    for key, name in HOSTILE.items():
        found[f"names-{key}"] = delimited(table, ("id", "gold", _quoted(name), _quoted(name + "2"), "g"))
        found[f"labels-{key}"] = sound.replace(",1,", f",{_quoted(name)},").replace(",1\n", ",1\n")
    made: dict[str, Making] = {f"{key}.csv": _bytes(text) for key, text in found.items()}
    tabs = ("sound", "empty", "ragged-short", "unclosed-quote", "utf-16", "names-empty", "nul-in-cells")
    made |= {f"{key}.tsv": _bytes(found[key]).replace(b",", b"\t") for key in tabs}
    made |= {f"{key}.txt": _bytes(found[key]) for key in ("sound", "random-bytes")}
    return made


def _bytes(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode()


def _json(seed: str) -> dict[str, Making]:
    """Return files of JSON lines."""
    random = Random(f"{seed} json")
    table = rows(random, labels=(0, 1))
    sound = json_lines(table)
    lines = sound.splitlines()
    odd = {
        "nested-values": [{"gold": {"x": 1}, "a": {"x": 1}, "b": {"x": 2}}] * 20,
        "lists-as-values": [{"id": at, "gold": ["x"], "a": ["x", "y"], "b": [], "g": 1} for at in range(20)],
        "kinds-mixed": [{"gold": value, "a": value, "b": 1} for value in (1, 1.0, True, "1", "true", None, [], {})],
        "keys-that-differ": [{"gold": 1, f"a{at}": 1, "b": 0} for at in range(40)],
        "keys-missing": [{"gold": 1, "a": 1}, {"gold": 0, "b": 1}, {"a": 1, "b": 1}] * 9,
        "truth-null": [{"gold": None, "a": 1, "b": 0}] * 20,
        "empty-objects": [{}] * 20,
        "keys-empty": [{"gold": 1, "": 1, " ": 0}] * 20,
        "many-keys": [{"gold": 1, **{f"k{at}": at % 2 for at in range(5_000)}}] * 3,
        "whole-numbers-beyond-64-bits": [{"gold": 1, "a": 2**70, "b": -(2**70)}, {"gold": 0, "a": 1, "b": 1}] * 9,
    }
    found: dict[str, str | bytes] = {
        "sound": sound,
        "empty": "",
        "null": "null\n",
        "scalars": "1\n2\n3\n",
        "an-array": json.dumps([json.loads(line) for line in lines]),
        "an-empty-array": "[]",
        "arrays": "[1, 2, 3]\n" * 20,
        "pretty-printed": "\n".join(json.dumps(json.loads(line), indent=2) for line in lines),
        "not-separated": "".join(lines),
        "trailing-commas": ",\n".join(lines),
        "comments": f"// made by hand\n{sound}",
        "cut": sound[:-20],
        "cut-in-a-string": sound + '{"id": 1, "gold": "1',
        "a-key-twice": sound.replace('"a": 1', '"a": 1, "a": 0'),
        "nan-tokens": sound.replace('"a": 1', '"a": NaN', 3).replace('"b": 1', '"b": -Infinity', 3),
        "400-digits": sound.replace('"a": 1', f'"a": {"9" * 400}', 3),
        "lone-surrogate": sound.replace('"a": 1', '"a": "\\ud800"', 3),
        "nul-escaped": sound.replace('"a": 1', '"a": "\\u0000"', 3),
        "bom": "\ufeff" + sound,
        "utf-16": sound.encode("utf-16"),
        "single-quotes": sound.replace('"', "'"),
        "deep-arrays": '{"gold": ' + "[" * DEEP + "]" * DEEP + "}\n",
        "deep-objects": '{"gold": ' + '{"a":' * DEEP + "1" + "}" * DEEP + "}\n",
        "brackets-without-end": "[" * DEEP,
        "string-of-5-mb": sound + json.dumps({"id": 1, "gold": 1, "a": "x" * LARGE, "b": 1, "g": 1}) + "\n",
        "key-of-5-mb": json.dumps({"gold": 1, "x" * LARGE: 1}) + "\n",
        **{key: "".join(json.dumps(each) + "\n" for each in value) for key, value in odd.items()},
    }
    for key in ("control", "sql", "html", "proto"):
        found[f"names-{key}"] = json_lines(table, ("id", "gold", HOSTILE[key], HOSTILE[key] + "2", "g"))
    made: dict[str, Making] = {f"{key}.jsonl": _bytes(text) for key, text in found.items()}
    return made | {f"{key}.json": _bytes(found[key]) for key in ("sound", "an-array", "empty", "deep-arrays")}


def _compressed(seed: str) -> dict[str, Making]:
    """Return files that are compressed, or say so."""
    sound = delimited(rows(Random(f"{seed} compressed"))).encode()
    whole = gzip.compress(sound, mtime=0)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr(zipfile.ZipInfo("x.csv"), sound)
    head = f"{','.join(COLUMNS)}\n".encode()

    def zst(path: Path, random: Random) -> None:
        import pyarrow as pa

        with pa.CompressedOutputStream(str(path), "zstd") as stream:
            stream.write(sound)

    return {
        "sound.csv.gz": whole,
        "empty.csv.gz": b"",
        "of-nothing.csv.gz": gzip.compress(b"", mtime=0),
        "cut.csv.gz": whole[: len(whole) // 2],
        "head-only.csv.gz": whole[:10],
        "wrong-checksum.csv.gz": whole[:-8] + b"\0" * 8,
        "flipped.csv.gz": whole[:40] + bytes([whole[40] ^ 255]) + whole[41:],
        "garbage-behind.csv.gz": whole + b"garbage",
        "two-members.csv.gz": whole + gzip.compress(sound.partition(b"\n")[2], mtime=0),
        "of-a-gz.csv.gz": gzip.compress(whole, mtime=0),
        "not-compressed.csv.gz": sound,
        "compressed-all-the-same.csv": whole,
        "utf-16.csv.gz": gzip.compress(sound.decode().encode("utf-16"), mtime=0),
        "bomb-of-rows.csv.gz": packed(head, b"1,1,1,0,1\n1,0,0,0,2\n" * 50_000, 100),
        "bomb-of-one-cell.csv.gz": packed(head + b"1,1,1,", b"x" * 1_000_000, 200),
        "bomb-of-line-ends.csv.gz": packed(head, b"\n" * 1_000_000, 200),
        "bomb-of-columns.csv.gz": packed(b"gold,a,b", b",x" * 500_000, 100),
        "bomb-of-brackets.jsonl.gz": packed(b'{"gold": ', b"[" * 1_000_000, 100),
        "zip.csv.zip": archive.getvalue(),
        "zip-called-csv.csv": archive.getvalue(),
        "zip-called-gz.csv.gz": archive.getvalue(),
        "sound.csv.zst": zst,
        "not-compressed.csv.zst": sound,
        "empty.csv.zst": b"",
        "wrong.csv.bz2": sound,
    }


def packed(start: bytes, block: bytes, times: int) -> Making:
    """Compress what is too large to be held."""

    def make(path: Path, random: Random) -> None:
        squeezer = zlib.compressobj(1, zlib.DEFLATED, 31)
        with path.open("wb") as stream:
            stream.write(squeezer.compress(start))
            for _ in range(times):
                stream.write(squeezer.compress(block))
            stream.write(squeezer.flush())

    return make


def _parquet(seed: str) -> dict[str, Making]:
    """Return files of Parquet, with types that are no labels, and damaged ones."""

    def table(columns: Callable[[Any, int], dict[str, Any]], *, cut: float = 1.0, flip: float = 0.0) -> Making:
        def make(path: Path, random: Random) -> None:
            import pyarrow as pa
            import pyarrow.parquet as pq

            plain = {
                "gold": [at % 2 for at in range(ITEMS)],
                "a": [1] * ITEMS,
                "b": [at % 3 % 2 for at in range(ITEMS)],
            }
            made = {**plain, **columns(pa, ITEMS)}
            names, values = (
                list(made),
                [each if isinstance(each, pa.Array) else pa.array(each) for each in made.values()],
            )
            names = ["a" if name == "a again" else name for name in names]
            stream = io.BytesIO()
            pq.write_table(pa.Table.from_arrays(values, names=names), stream)
            data = bytearray(stream.getvalue()[: int(cut * len(stream.getvalue()))])
            if flip:
                data[int(flip * len(data))] ^= 255
            path.write_bytes(bytes(data))

        return make

    def none(pa: Any, n: int) -> dict[str, Any]:
        return {}

    return {
        "sound.parquet": table(none),
        "cut.parquet": table(none, cut=0.6),
        "without-footer.parquet": table(none, cut=0.95),
        "flipped-in-a-page.parquet": table(none, flip=0.05),
        "flipped-in-the-footer.parquet": table(none, flip=0.9),
        "empty.parquet": b"",
        "magic-only.parquet": b"PAR1PAR1",
        "footer-that-lies.parquet": b"PAR1" + b"\0" * 20 + b"\xff\xff\xff\x7fPAR1",
        "really-a-csv.parquet": delimited(rows(Random(seed))).encode(),
        "no-rows.parquet": table(lambda pa, n: {key: pa.array([], pa.int64()) for key in ("gold", "a", "b")}),
        "structs.parquet": table(lambda pa, n: {"a": [{"x": at % 2, "y": None} for at in range(n)]}),
        "lists.parquet": table(lambda pa, n: {name: [["x"], ["y", "x"]] * (n // 2) for name in ("gold", "a", "b")}),
        "maps.parquet": table(lambda pa, n: {"b": pa.array([[("k", 1)]] * n, pa.map_(pa.string(), pa.int64()))}),
        "decimals.parquet": table(lambda pa, n: {"a": pa.array([1, 0] * (n // 2)).cast(pa.decimal128(38, 10))}),
        "timestamps.parquet": table(lambda pa, n: {"a": pa.array([0, 10**18] * (n // 2), pa.timestamp("ns", "UTC"))}),
        "dates.parquet": table(lambda pa, n: {"gold": pa.array([0, 1] * (n // 2), pa.date32())}),
        "times.parquet": table(lambda pa, n: {"a": pa.array([0, 1] * (n // 2), pa.time64("us"))}),
        "durations.parquet": table(lambda pa, n: {"a": pa.array([0, 1] * (n // 2), pa.duration("us"))}),
        "binary.parquet": table(lambda pa, n: {"a": [b"\xff\x00", b"\xfe"] * (n // 2)}),
        "dictionary.parquet": table(lambda pa, n: {"a": pa.array(["1", "0"] * (n // 2)).dictionary_encode()}),
        "nulls.parquet": table(lambda pa, n: {"a": pa.nulls(n)}),
        "truth-null.parquet": table(lambda pa, n: {"gold": pa.nulls(n, pa.int64())}),
        "nan.parquet": table(lambda pa, n: {"a": [float("nan"), 1.0] * (n // 2)}),
        "infinite.parquet": table(lambda pa, n: {"a": [float("inf"), 1.0] * (n // 2), "b": [-1e308, 1e308] * (n // 2)}),
        "unsigned.parquet": table(lambda pa, n: {"a": pa.array([2**64 - 1, 1] * (n // 2), pa.uint64())}),
        "halves.parquet": table(lambda pa, n: {"a": pa.array([0.0, 1.0] * (n // 2)).cast(pa.float16())}),
        "booleans.parquet": table(lambda pa, n: {"gold": [True, False] * (n // 2), "a": [True] * n}),
        "a-column-twice.parquet": table(lambda pa, n: {"a again": [0, 1] * (n // 2)}),
        "string-of-5-mb.parquet": table(lambda pa, n: {"a": ["x" * LARGE, "y"] + ["y"] * (n - 2)}),
        "two-thousand-columns.parquet": table(lambda pa, n: {f"s{at}": [at % 2] * n for at in range(2_000)}),
        **{
            f"names-{key}.parquet": table(lambda pa, n, name=name: {name: [at % 2 for at in range(n)]})  # type: ignore[misc]
            for key, name in HOSTILE.items()
            if key in ("control", "sql", "html", "proto")
        },
    }


def _databases(seed: str) -> dict[str, Making]:
    """Return files of SQLite and of DuckDB."""
    table = rows(Random(f"{seed} databases"))

    def lite(*statements: str, fill: bool = False) -> Making:
        def make(path: Path, random: Random) -> None:
            with closing(sqlite3.connect(path)) as connection:
                for each in statements:
                    connection.execute(each)
                if fill:
                    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", table)
                connection.commit()

        return make

    def duck(*statements: str) -> Making:
        def make(path: Path, random: Random) -> None:
            import duckdb

            with duckdb.connect(str(path)) as connection:
                for each in statements:
                    connection.execute(each.replace("HERE", str(path.parent)))

        return make

    five = "(id, gold, a, b, g)"
    some = "SELECT i AS id, i % 2 AS gold, i % 3 % 2 AS a, i % 5 % 2 AS b, i // 5 AS g FROM range(60) r(i)"
    return {
        "sound.sqlite": lite(f"CREATE TABLE t {five}", fill=True),
        "no-table.sqlite": lite(),
        "no-rows.sqlite": lite(f"CREATE TABLE t {five}"),
        "blobs.sqlite": lite(
            f"CREATE TABLE t {five}", "INSERT INTO t VALUES (1, x'ff00', x'fe', x'ff00', 1)", fill=True
        ),
        "kinds-mixed.sqlite": lite(
            f"CREATE TABLE t {five}", "INSERT INTO t VALUES ('x', 1.5, NULL, 'y', 9e999)", fill=True
        ),
        "typed-otherwise.sqlite": lite(
            "CREATE TABLE t (id INTEGER, gold INTEGER, a INTEGER, b INTEGER, g INTEGER)",
            "INSERT INTO t VALUES (1, 'spam', 'ham', 'x', 'y')",
            fill=True,
        ),
        "a-view-without-end.sqlite": lite(
            "CREATE VIEW t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000) "
            "SELECT i AS id, i % 2 AS gold, i % 3 AS a, i % 2 AS b, i % 7 AS g FROM n"
        ),
        "empty.sqlite": b"",
        "wrong-magic.sqlite": b"SQLite format 4\0" + b"\0" * 4096,
        "random-bytes.sqlite": b"SQLite format 3\0" + Random(seed).randbytes(8192),
        "sound.duckdb": duck(f"CREATE TABLE t AS {some}"),
        "no-table.duckdb": duck("SELECT 1"),
        "no-rows.duckdb": duck(f"CREATE TABLE t AS {some} LIMIT 0"),
        "a-view-of-other-files.duckdb": duck("CREATE VIEW t AS SELECT * FROM read_csv('HERE/beside.csv')"),
        "a-view-of-a-table-that-went.duckdb": duck(
            f"CREATE TABLE x AS {some}", "CREATE VIEW t AS SELECT * FROM x", "DROP TABLE x"
        ),
        "nested.duckdb": duck(
            "CREATE TABLE t AS SELECT i AS id, [i] AS gold, {'x': i} AS a, i AS b, 1 AS g FROM range(9) r(i)"
        ),
        "empty.duckdb": b"",
        "wrong-magic.duckdb": b"\0" * 8 + b"DUCX" + b"\0" * 8192,
        "random-bytes.duckdb": b"\0" * 8 + b"DUCK" + Random(seed).randbytes(16_384),
    }


def trec(random: Random, *, judged: bool) -> str:
    """Return judgements, or a run."""
    pairs = [(topic, at) for topic in range(12) for at in range(8)]
    if judged:
        lines = [f"{topic} 0 d{at} {random.randrange(3)}" for topic, at in pairs]
    else:
        lines = [f"{topic} Q0 d{at} {at} {random.random():.4f} r" for topic, at in pairs]
    return "\n".join(lines) + "\n"


def _trec(seed: str) -> dict[str, Making]:
    """Return judgements and runs that are not."""
    random = Random(f"{seed} trec")
    run, qrels = trec(random, judged=False), trec(random, judged=True)
    found: dict[str, str | bytes] = {
        "sound.run": run,
        "sound.qrels": qrels,
        "empty.run": "",
        "three-columns.run": "1 d1 0.5\n" * 9,
        "nan.run": run.replace(" 0.", " nan", 5),
        "infinite.run": run.replace(" 0.", " 1e999 ", 1).replace(" 0.", " inf", 5),
        "documents-twice.run": run + run,
        "topics-of-nobody.run": "\n".join(f"x{line}" for line in run.splitlines()),
        "scores-alike.run": "\n".join(" ".join([*line.split()[:4], "1", "r"]) for line in run.splitlines()),
        "utf-16.run": run.encode("utf-16"),
        "nul.run": run.replace("d1", "d\0", 4),
        "escapes.run": run.replace("d1", "\x1b[31m", 4),
        "400-digits.qrels": qrels.replace(" 2\n", f" {'9' * 400}\n", 3),
        "negative.qrels": qrels.replace(" 2\n", " -2\n"),
        "nothing-relevant.qrels": "\n".join(f"{line[:-1]}0" for line in qrels.splitlines()),
        "grades-of-words.qrels": qrels.replace(" 2\n", " good\n"),
    }
    return {key: _bytes(text) for key, text in found.items()}


STATE: Final = {
    "kind": "outclass outcomes",
    "version": 1,
    "systems": ["a", "b"],
    "labels": [0, 1],
    "outcomes": [[0, 0, 0, 44], [0, 0, 1, 10], [1, 0, 1, 8], [1, 1, 1, 42]],
}


def _states(seed: str) -> dict[str, Making]:
    """Return saved states and answers, none of which was written by outclass."""
    text = json.dumps(STATE)

    def changed(**parts: Any) -> bytes:
        return json.dumps({**STATE, **parts}).encode()

    def beside(line: str) -> Making:
        def make(path: Path, random: Random) -> None:
            path.write_text(text, encoding="utf-8")
            path.with_name(f"{path.name}.seen").write_text(line, encoding="utf-8")

        return make

    digest = {"file": "x.csv", "sha256": "0" * 64, "state": "0" * 64, "findings": []}
    return {
        "sound.state.json": text.encode(),
        "cut.state.json": text[:-9].encode(),
        "kind-unknown.state.json": changed(kind="outclass dreams"),
        "version-of-the-future.state.json": changed(version=99),
        "counts-negative.state.json": changed(outcomes=[[0, 0, 0, -1]]),
        "counts-of-fractions.state.json": changed(outcomes=[[0, 0, 0, 1.5]]),
        "counts-huge.state.json": changed(outcomes=[[0, 0, 0, 10**15], [1, 1, 0, 10**15]]),
        "counts-beyond-64-bits.state.json": changed(outcomes=[[0, 0, 0, 10**40], [1, 1, 0, 1]]),
        "labels-out-of-range.state.json": changed(outcomes=[[7, 0, 0, 1]]),
        "systems-twice.state.json": changed(systems=["a", "a"]),
        "systems-no-list.state.json": changed(systems={"a": 1}),
        "labels-nested.state.json": changed(labels=[[0], {"x": 1}]),
        "without-outcomes.state.json": json.dumps({key: STATE[key] for key in list(STATE)[:4]}).encode(),
        "a-key-twice.state.json": text.replace('"version": 1', '"version": 1, "version": 1').encode(),
        "nan.state.json": text.replace("44", "NaN").encode(),
        "names-hostile.state.json": changed(systems=[HOSTILE["control"], HOSTILE["html"]]),
        "deep.state.json": text.replace("[0, 1]", "[" * DEEP + "]" * DEEP).encode(),
        "digests-wrong.state.json": beside(json.dumps(digest) + "\n"),
        "list-damaged.state.json": beside("{\n"),
        "list-of-numbers.state.json": beside("1\n2\n"),
        "an-answer.answer.json": json.dumps({"comparisons": [{"systems": [], "measure": "f1"}]}).encode(),
        "an-answer-cut.answer.json": b'{"comparisons": [{"systems": [{"name": "a", "observed": 0.8',
        "an-answer-of-texts.answer.json": json.dumps({"comparisons": [{"items": "many", "rope": "wide"}]}).encode(),
        "a-plan.resume.json": json.dumps({"version": 1, "cells": [{"n": 1e400}]}).encode(),
        "random-bytes.resume.json": Random(seed).randbytes(900),
    }


def _places(seed: str) -> dict[str, Making]:
    """Return what is no file at all, or none that can be read."""

    def link(target: str) -> Making:
        def make(path: Path, random: Random) -> None:
            path.symlink_to(target)

        return make

    def nothing(path: Path, random: Random) -> None:
        pass

    def closed(path: Path, random: Random) -> None:
        path.write_text(delimited(rows(random)), encoding="utf-8")
        path.chmod(0)

    def folder(path: Path, random: Random) -> None:
        path.mkdir()
        (path / "x.csv").write_text(delimited(rows(random)), encoding="utf-8")

    def parts(path: Path, random: Random) -> None:
        path.mkdir()
        (path / "1.csv").write_text(delimited(rows(random)), encoding="utf-8")
        (path / "2.csv").write_text(delimited(rows(random), ("id", "gold", "a", "x", "g")), encoding="utf-8")
        (path / "3.csv").write_bytes(b"")

    def pipe(path: Path, random: Random) -> None:
        os.mkfifo(path)

    return {
        "not-there.csv": nothing,
        "a-folder.csv": folder,
        "a-folder-called.parquet": folder,
        "dangling.csv": link("nowhere.csv"),
        "round.csv": link("round.csv"),
        "null.csv": link("/dev/null"),
        "device.csv": link("/dev/full"),
        "memory.csv": link("/proc/self/mem"),
        "pipe.csv": pipe,
        "closed.csv": closed,
        "parts": parts,
    }


KINDS: Final = {
    "text": _text,
    "json": _json,
    "compressed": _compressed,
    "parquet": _parquet,
    "database": _databases,
    "trec": _trec,
    "state": _states,
    "place": _places,
}
# Names that need no file: a glob that finds nothing, and paths that no file system has.
BARE: Final = {
    "a-glob-of-nothing": "nothing-*.csv",
    "a-glob-of-everything": "*",
    "a-name-of-300-letters": f"{'n' * 300}.csv",
    "a-path-of-5000-letters": "/".join(["d" * 100] * 50) + ".csv",
    "an-empty-name": "",
    "a-dash": "-",
    "a-url": "https://localhost:1/x.csv",
    "a-database-of-nobody": "postgresql://user:secret@localhost:1/x#t",
    "a-scheme-of-nobody": "gopher://x/y#t",
    "a-null-device": "/dev/null",
    "a-home-of-nobody": "~nobody-there/x.csv",
}
LOCATIONS: Final = {".sqlite": "sqlite:///{}#t", ".duckdb": "duckdb:///{}#t"}


@dataclass(frozen=True, kw_only=True)
class Broken:
    """A broken file: its kind, and what a command calls it."""

    name: str
    kind: str
    location: str
    path: Path | None  # where it lies; None of a name alone


@cache
def making(seed: str) -> dict[str, tuple[str, Making]]:
    """Return every file by its name: its kind, and its making."""
    return {name: (kind, made) for kind, files in KINDS.items() for name, made in files(seed).items()}


def write(folder: Path, seed: str, names: Collection[str] | None = None) -> None:
    """Write all of them, or some, and the sound files beside them."""
    random = Random(f"{seed} beside")
    (folder / "beside.csv").write_text(delimited(rows(random)), encoding="utf-8")
    renamed = [*COLUMNS[:2], "c", "d", "g"]
    (folder / "other.csv").write_text(delimited(rows(random), renamed), encoding="utf-8")
    for name in ("one.run", "two.run", "beside.qrels"):
        (folder / name).write_text(trec(random, judged=name.endswith("qrels")), encoding="utf-8")
    for name, (_, made) in making(seed).items():
        if names is not None and name not in names:
            continue
        path = folder / name
        if isinstance(made, bytes):
            path.write_bytes(made)
        else:
            made(path, Random(f"{seed} {name}"))


def files(folder: Path, seed: str) -> Iterator[Broken]:
    """Yield all of them, as commands call them."""
    for name, (kind, _) in making(seed).items():
        path = folder / name
        location = f"{path}/*.csv" if name == "parts" else LOCATIONS.get(path.suffix, "{}").format(path)
        yield Broken(name=name, kind=kind, location=location, path=path)
    for name, location in BARE.items():
        yield Broken(name=name, kind="name", location=location, path=None)


# --- commands ---------------------------------------------------------------------------------------------------------

# FILE is the broken file, COPY a copy of it that may be written to, BESIDE and OTHER sound ones. What a command may
# write is named out.*, or is the state.
_TWO: Final = "--truth gold --system a --system b"
QUESTIONS: Final = {
    "compare": "compare FILE --truth gold",
    "compare-two": f"compare FILE {_TWO} --format json",
    "compare-group": f"compare FILE {_TWO} --group g --format json",
    "compare-lists": "compare FILE --truth gold --separator ; --draws 400 --format json",
    "compare-results": "compare FILE --scores --system a --system b --format json",
    "compare-scores": f"compare FILE --scores {_TWO} --draws 400 --format json",
    "compare-id": "compare FILE OTHER --truth gold --id id",
    "compare-by-label": f"compare FILE {_TWO} --by label --format csv",
    "compare-written": f"compare FILE {_TWO} -o out.json --report out.html",
    "compare-counted": f"compare FILE {_TWO} --count g --missing drop --format markdown",
    "compare-long": "compare FILE --truth gold --item id --label g --draws 400 --format latex",
    "evaluate": "evaluate FILE --truth gold --format json",
    "evaluate-scores": f"evaluate FILE --scores {_TWO} --draws 400",
    "rank": "rank FILE --truth gold --draws 400 --format json",
    "rank-results": "rank FILE --scores --item id --draws 400",
    "test": f"test FILE {_TWO} --all --draws 200 --format json",
    "test-frequency": "test BESIDE --truth gold --by frequency --frequencies FILE",
    "plan": "plan --pilot FILE --truth gold --n 100 --sets 20 --jobs 1 --format json",
    "plan-pool": "plan --pool FILE --pilot BESIDE --truth gold",
    "update": "update out.state FILE --truth gold --format json",
    "update-it": "update COPY BESIDE --truth gold --system a --system b",
    "report": f"report FILE {_TWO} -o out.html",
    "plot": f"plot FILE {_TWO} -o out.svg",
}
# Of some kinds only, in whose words a question is about them.
OWN: Final = {
    "trec": {
        "trec-run": "compare --qrels QRELS --run ONE --run FILE --measure nDCG@10 --format json",
        "trec-qrels": "rank --qrels FILE --run ONE --run TWO --measure AP --format json",
        "trec-update": "update out.state --qrels QRELS --run ONE --run FILE --measure AP",
    },
    "state": {
        "state": "compare FILE --format json",
        "state-rank": "rank FILE",
        "state-test": "test FILE --format json",
        "state-plan": "plan --pilot FILE --n 100 --sets 20 --jobs 1",
        "state-added": "update out.state FILE",
        "resume": "plan --prevalence 0.3 --recall-a 0.8 --recall-b 0.7 --fpr-a 0.1 --fpr-b 0.1 --n 50 --sets 20 "
        "--jobs 1 --resume COPY",
    },
    "name": {
        "output": "compare BESIDE --truth gold --system a --system b -o FILE --format json",
        "state-there": "update FILE BESIDE --truth gold",
    },
}


def questions(kind: str) -> dict[str, str]:
    """Return the commands that a kind of file is put to."""
    if kind == "trec":  # a table it is not
        return {**OWN["trec"], **{key: QUESTIONS[key] for key in ("compare", "test", "rank-results", "update")}}
    return {**QUESTIONS, **OWN.get(kind, {})}


def arguments(question: str, broken: Broken, folder: Path, copy: Path) -> list[str]:
    """Return a command's arguments."""
    named = {
        "FILE": broken.location,
        "COPY": str(copy),
        "BESIDE": str(folder / "beside.csv"),
        "OTHER": str(folder / "other.csv"),
        "ONE": str(folder / "one.run"),
        "TWO": str(folder / "two.run"),
        "QRELS": str(folder / "beside.qrels"),
    }
    return [named.get(word, word) for word in question.split()]
