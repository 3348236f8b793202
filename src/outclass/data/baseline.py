"""A frozen baseline: what one system scored on every item of a suite, in a file that a repository can hold.

`.oc` is gzip of JSON lines: a head, then one line per item, sorted, so that the same content is the same bytes. A line
has the item, how many numbers there are of it, their sum and the sum of their squares, so that repeats survive; labels
only if they were kept. The head holds a digest of everything else, by which a file that was edited is told.
"""

import gzip
import hashlib
import io
import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.data.saved.plain import can_be_written, once
from outclass.errors import FileError, InputError, did_you_mean, quoted, shown

FORMAT: Final = "outclass baseline"
VERSION: Final = 1
SUFFIX: Final = ".oc"
MOST: Final = 1 << 30  # bytes of a baseline when unpacked


@dataclass(frozen=True, slots=True, kw_only=True)
class Blessed:
    """One item of a baseline.

    Parameters
    ----------
    many, total, squares
        How many numbers there are of it, their sum, and the sum of their squares.
    gold, said
        What is right and what was said, if labels were kept.
    target
        A digest of what is right, by which other items are told.
    """

    many: int
    total: float
    squares: float
    gold: str | None = None
    said: str | None = None
    target: str | None = None

    @property
    def mean(self) -> float:
        """The mean of its numbers."""
        return self.total / self.many

    @classmethod
    def of(cls, numbers: Sequence[float], **more: Any) -> "Blessed":
        """Return an item of its numbers."""
        return cls(many=len(numbers), total=math.fsum(numbers), squares=math.fsum(x * x for x in numbers), **more)


@dataclass(frozen=True, kw_only=True)
class Part:
    """What one system scored in one metric, item by item.

    Parameters
    ----------
    metric, lower_is_better
        What the numbers are, and their direction.
    items
        The items, by their names.
    of_labels
        Whether the numbers say only if a label was right (1) or wrong (0).
    facts
        What must be the same for others to be comparable.
    """

    metric: str
    items: Mapping[str, Blessed]
    lower_is_better: bool = False
    of_labels: bool = False
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def keeps_labels(self) -> bool:
        """Whether it holds what is right and what was said."""
        return bool(self.items) and all(each.gold is not None for each in self.items.values())

    def without_labels(self) -> "Part":
        """Return the same without labels: what is right is kept as a digest."""
        kept = {name: replace(each, gold=None, said=None, target=target_of(each)) for name, each in self.items.items()}
        return replace(self, items=kept)

    @property
    def digest(self) -> str:
        """A digest of the scores, which does not depend on who made them or why."""
        return _sha(_rows(self))


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """What one system scored on the items of a suite, in one metric or several."""

    system: str
    parts: tuple[Part, ...]
    reason: str = ""
    commit: str = ""
    created_by: str = ""

    def part(self, metric: str | None = None) -> Part:
        """Return one of its metrics: the one that is named, or the only one."""
        found = {each.metric: each for each in self.parts}
        if metric is None and len(found) > 1:
            raise InputError(f"the baseline has several metrics; name one (⟨metric⟩): {quoted(found)}.")
        if metric is not None and metric not in found:
            raise InputError(f"the baseline has no metric {quoted([metric])} (⟨metric⟩). {did_you_mean(metric, found)}")
        return found[metric] if metric is not None else self.parts[0]

    def without_labels(self) -> "Baseline":
        """Return the same without labels."""
        return replace(self, parts=tuple(each.without_labels() for each in self.parts))

    @property
    def digest(self) -> str:
        """A digest of the scores, which does not depend on who made them or why."""
        return _sha([each.digest for each in sorted(self.parts, key=lambda each: each.metric)])

    def to_bytes(self) -> bytes:
        """Return the file."""
        parts = sorted(self.parts, key=lambda each: each.metric)
        head = {
            "format": FORMAT,
            "version": VERSION,
            "system": self.system,
            "reason": self.reason,
            "commit": self.commit,
            "created_by": self.created_by,
            "metrics": [
                {
                    "metric": each.metric,
                    "lower_is_better": each.lower_is_better,
                    "of_labels": each.of_labels,
                    "items": len(each.items),
                    "facts": dict(sorted(each.facts.items())),
                }
                for each in parts
            ],
        }
        rows = [row for each in parts for row in _rows(each)]
        head["sha256"] = _sha([_line(head), *rows])
        text = "".join(f"{line}\n" for line in [_line(head), *rows])
        if not can_be_written(text):
            raise InputError("a name contains an unpaired surrogate, which cannot be written as UTF-8. Correct it.")
        packed = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0, compresslevel=9) as stream:
            stream.write(text.encode())
        return packed.getvalue()

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        write_whole(path, self.to_bytes())


def _rows(data: Part) -> list[str]:
    rows = []
    for name, each in sorted(data.items.items()):
        row: dict[str, Any] = {"item": name, "n": each.many, "sum": each.total, "squares": each.squares}
        more = {"gold": each.gold, "said": each.said, "target": each.target}
        rows.append(_line(row | {key: value for key, value in more.items() if value is not None}))
    return rows


def _target(gold: str | None) -> str | None:
    return None if gold is None else hashlib.sha256(gold.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def target_of(each: Blessed) -> str | None:
    """Return the digest of what is right for an item."""
    return each.target or _target(each.gold)


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _sha(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


# --- reading ----------------------------------------------------------------------------------------------------------


def is_baseline(path: Any) -> bool:
    """Return whether a path names a baseline file."""
    return isinstance(path, str | Path) and str(path).lower().endswith(SUFFIX)


def read_baseline(path: Path) -> Baseline:
    """Read a baseline; one that was edited or damaged is an error."""
    where = quoted([path.name])
    lines = list(_lines(path, where))
    if not lines:
        raise InputError(f"{where} is not a baseline written by outclass: it is empty.")
    head = _parsed(lines[0], where)
    if head.get("format") != FORMAT:
        raise InputError(f"{where} is not a baseline written by outclass. Make one: ⟨bless()⟩.")
    if head.get("version") != VERSION:
        raise InputError(
            f"{where} has version {shown(head.get('version'))}; this outclass reads {VERSION}. Bless it again."
        )
    claimed = head.pop("sha256", None)
    try:
        digest = _sha([_line(head), *lines[1:]])
    except ValueError:  # a number that JSON does not have
        digest = ""
    if claimed != digest:
        raise InputError(
            f"{where} was changed after it was written: its digest does not match its content. Restore it, or bless "
            "the baseline again."
        )
    try:
        parts, at = [], 1
        for told in head["metrics"]:
            own = [_parsed(line, where) for line in lines[at : at + told["items"]]]
            at += told["items"]
            parts.append(
                Part(
                    metric=str(told["metric"]),
                    lower_is_better=bool(told["lower_is_better"]),
                    of_labels=bool(told["of_labels"]),
                    facts={str(name): str(value) for name, value in told["facts"].items()},
                    items={row["item"]: _item(row) for row in own},
                )
            )
        texts = {name: str(head[name]) for name in ("system", "reason", "commit", "created_by")}
        whole = (
            at == len(lines)
            and parts
            and all(len(p.items) == t["items"] > 0 for p, t in zip(parts, head["metrics"], strict=True))
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InputError(f"{where} is damaged: it lacks a field. Bless the baseline again.") from None
    if not whole:
        raise InputError(f"{where} is damaged: it has no items, or one twice. Bless the baseline again.")
    return Baseline(parts=tuple(parts), **texts)


def _lines(path: Path, where: str) -> Iterator[str]:
    try:
        with gzip.open(path, "rb") as stream:
            content = stream.read(MOST + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise InputError(f"{where} is not a baseline written by outclass, or is cut short.") from None
    except OSError as error:
        raise FileError(f"cannot read {quoted([path])}: {error.strerror}.") from None
    if len(content) > MOST:
        raise InputError(f"{where} holds more than a gigabyte, which no baseline does.")
    try:
        # Names may hold any other character at which `splitlines` would break a line.
        yield from content.decode("utf-8").removesuffix("\n").split("\n") if content else ()
    except UnicodeDecodeError:
        raise InputError(f"{where} is not a baseline written by outclass: it is not UTF-8 text.") from None


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(line, object_pairs_hook=once)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{where} is not a baseline written by outclass: a line is no JSON object.")
    return found


def _item(row: Mapping[str, Any]) -> Blessed:
    many, total, squares = row["n"], float(row["sum"]), float(row["squares"])
    texts = [row.get(name) for name in ("gold", "said", "target")]
    sound = type(row["item"]) is str and type(many) is int and many > 0 and math.isfinite(total)
    if not (sound and math.isfinite(squares) and all(text is None or isinstance(text, str) for text in texts)):
        raise ValueError
    return Blessed(many=many, total=total, squares=squares, gold=texts[0], said=texts[1], target=texts[2])
