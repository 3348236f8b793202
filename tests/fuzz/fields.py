"""Logs that are sound JSON with odd fields, made of minimal ones as the bytes of an input say.

Bytes that break a file mostly break its JSON, and what reads fields is then never reached. Here the first byte of an
input picks a log, and every four more change one field of it: which one (two bytes), how, and to what. Inputs that
differ little thus make logs that differ little, as the mutator needs it.
"""

import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet

Node = tuple[Any, Any]  # what holds a field, and its name or place
MOST: Final = 400  # letters of a field's name
ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1.5, 1e308, -1e308, float("nan"), float("inf"), 2**63, 10**400),
    *("", " ", "C", "N", "I", "1", "nan", "true", "x" * 300, "\ud800", "\x1b[31m", "\0", "../../x", "a=b", "[invalid]"),
    *("default", "test", "none", "error", "success", "é", "e\u0301", "2026-01-02T03-04-05.678"),
    *([], {}, [[]], [None], [1, 2], [True, False], ["a", "a"], {"a": {}}, {"": 1}, [{"id": "1"}], [[0, 1], [1, 0]]),
)


def bases(names: Sequence[str], seeds: Sequence[bytes], split: bytes) -> list[tuple[str, list[Any]]]:
    """Return those of some inputs that are logs of a known name in sound JSON: the name, and the parts."""
    found = []
    for data in seeds:
        first, _, content = data.partition(b"\n")
        parts = [_parsed(part) for part in content.split(split)]
        if first.decode("latin-1") in names and None not in parts:
            found.append((first.decode("latin-1"), parts))
    return found


def _parsed(part: bytes) -> Any:
    """Return one JSON value, or several on lines as a tuple; None if it is neither."""
    try:
        return [json.loads(part)]
    except ValueError:
        pass
    try:
        return ["lines", [json.loads(line) for line in part.splitlines()]]
    except ValueError:
        return None


def changed(parts: list[Any], program: bytes) -> list[Any]:
    """Return parts of which fields are changed, a field for every four bytes."""
    own = copy.deepcopy(parts)
    for start in range(0, min(len(program), 40) - 3, 4):
        nodes = list(_nodes(own))
        if not nodes:
            break
        high, low, way, what = program[start : start + 4]
        holder, key = nodes[(high * 256 + low) % len(nodes)]
        _WAYS[way % len(_WAYS)](holder, key, what, nodes)
    return own


def _nodes(parts: Any) -> Iterator[Node]:
    """Return every field below the parts."""
    left = [part[at] for part in parts for at in range(len(part)) if isinstance(part[at], dict | list)]
    while left:
        own = left.pop()
        for key in list(own) if isinstance(own, dict) else range(len(own)):
            yield own, key
            if isinstance(own[key], dict | list):
                left.append(own[key])


def _odd(holder: Any, key: Any, what: int, nodes: Sequence[Node]) -> None:
    holder[key] = copy.deepcopy(ODD[what % len(ODD)])


def _gone(holder: Any, key: Any, what: int, nodes: Sequence[Node]) -> None:
    del holder[key]


def _moved(holder: Any, key: Any, what: int, nodes: Sequence[Node]) -> None:
    other, name = nodes[what % len(nodes)]
    holder[key] = copy.deepcopy(other[name])


def _wrapped(holder: Any, key: Any, what: int, nodes: Sequence[Node]) -> None:
    holder[key] = [holder[key]] if what % 2 else {"value": holder[key]}


def _again(holder: Any, key: Any, what: int, nodes: Sequence[Node]) -> None:
    """Repeat an entry; a field is repeated under an odd name."""
    if isinstance(holder, list):
        holder[key:key] = [copy.deepcopy(holder[key]) for _ in range(what % 5)]
    else:
        holder[str(ODD[what % len(ODD)])[:MOST]] = copy.deepcopy(holder[key])


def _renamed(holder: Any, key: Any, what: int, nodes: Sequence[Node]) -> None:
    if isinstance(holder, dict):
        names = [name for _, name in nodes if isinstance(name, str)]
        holder[names[what % len(names)]] = holder.pop(key)
    else:
        holder.reverse()


_WAYS: Final[tuple[Callable[[Any, Any, int, Sequence[Node]], None], ...]] = (
    *(_odd, _odd, _odd, _gone, _moved, _wrapped, _again, _renamed),
)


def written(parts: Sequence[Any], split: bytes) -> bytes:
    """Return the parts as the content of an input."""
    return split.join(
        b"\n".join(json.dumps(each).encode() for each in (part[1] if part[0] == "lines" else part)) for part in parts
    )


def archive(log: Any) -> bytes:
    """Return a log of Inspect as an archive: a header, and the samples as summaries."""
    own = dict(log) if isinstance(log, dict) else {"eval": log}
    samples = own.pop("samples", [])
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as packed:
        packed.writestr("header.json", json.dumps(own))
        packed.writestr("summaries.json", json.dumps(samples))
    return target.getvalue()


def parquet(rows: Any) -> bytes | None:
    """Return rows as a file of Parquet; None if no table can hold them."""
    target = io.BytesIO()
    try:
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), target)
    except (pa.ArrowException, TypeError, ValueError, AttributeError, OverflowError, KeyError, UnicodeError):
        return None
    return target.getvalue()
