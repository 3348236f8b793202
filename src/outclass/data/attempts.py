"""The ledger of a gate: one line of JSON for each attempt, in the order in which they were made.

It is read, and written whole with one more line, under the lock that `atomic` gives: several gates at a time lose and
double nothing, and one that is killed leaves the ledger as it was.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from outclass.atomic import locked, tidy, write_whole
from outclass.data.saved.plain import once
from outclass.errors import FileError, InputError, quoted

SCHEMA: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TriedCheck:
    """One check of an attempt; `suite` is a digest of the items, `scores` one of the candidate's scores."""

    key: str
    suite: str
    baseline: str
    scores: str
    items: int
    difference: float
    error: float
    margin: float
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt: which gate, on which commit, with which decision on each check."""

    gate: str
    commit: str
    time: str
    decision: str
    checks: tuple[TriedCheck, ...]

    @property
    def scores(self) -> tuple[str, ...]:
        """What tells attempts apart: the candidate's scores in all checks."""
        return tuple(f"{check.key}\0{check.baseline}\0{check.scores}" for check in self.checks)


class Ledger:
    """The attempts so far, and one more."""

    def __init__(self, path: Path, attempts: Sequence[Attempt], lines: Sequence[str]) -> None:
        self.path = path
        self.attempts = tuple(attempts)
        self._lines = tuple(lines)

    def add(self, attempt: Attempt) -> None:
        """Write the ledger with one more attempt; hold its lock."""
        tidy(self.path)
        write_whole(self.path, "".join(f"{line}\n" for line in (*self._lines, _line(attempt))))


def check(path: Path) -> None:
    """Refuse a ledger that cannot be read."""
    if path.is_dir():
        raise FileError(f"cannot keep a ledger in {quoted([path])}: it is a folder. Name a file.")
    read(path)


@contextmanager
def opened(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[Ledger]:
    """Read a ledger and hold its lock."""
    check(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"cannot make the folder {quoted([path.parent])}: {error.strerror}.") from None
    with locked(path.resolve(), waiting):
        yield read(path.resolve())


def read(path: Path) -> Ledger:
    """Read a ledger; there may be none yet."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except UnicodeDecodeError:
        raise _damaged(path, 0) from None
    except OSError as error:
        raise FileError(f"cannot read the ledger {quoted([path])}: {error.strerror}.") from None
    lines = [line for line in text.split("\n") if line.strip()]
    return Ledger(path, [_parsed(path, number, line) for number, line in enumerate(lines, start=1)], lines)


def _damaged(path: Path, number: int) -> InputError:
    where = f"line {number} of the ledger" if number else "the ledger"
    return InputError(
        f"{where} {quoted([path.name])} is not an attempt written by outclass. Restore the file; or move it away to "
        "begin anew, without a record of earlier attempts."
    )


def _line(attempt: Attempt) -> str:
    checks = [
        {name: _number(getattr(check, name)) for name in TriedCheck.__dataclass_fields__} for check in attempt.checks
    ]
    told = {name: getattr(attempt, name) for name in ("gate", "commit", "time", "decision")}
    return json.dumps({"schema": SCHEMA, **told, "checks": checks}, allow_nan=False)


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _parsed(path: Path, number: int, line: str) -> Attempt:
    try:
        plain = json.loads(line, object_pairs_hook=once)
        if plain["schema"] != SCHEMA:
            raise ValueError
        checks = tuple(_check(each) for each in plain["checks"])
        texts = {name: plain[name] for name in ("gate", "commit", "time", "decision")}
        if not all(isinstance(text, str) for text in texts.values()):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        raise _damaged(path, number) from None
    return Attempt(checks=checks, **texts)


def _check(plain: Mapping[str, Any]) -> TriedCheck:
    texts = {name: plain[name] for name in ("key", "suite", "baseline", "scores", "decision")}
    numbers = {name: plain[name] for name in ("difference", "error", "margin")}
    if not all(isinstance(text, str) for text in texts.values()) or type(plain["items"]) is not int:
        raise ValueError
    told: dict[str, Any] = {name: math.nan if value is None else float(value) for name, value in numbers.items()}
    return TriedCheck(items=plain["items"], **texts, **told)
