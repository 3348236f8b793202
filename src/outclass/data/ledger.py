"""The list of files that a state holds: `STATE.seen`, one line of JSON per file.

Each entry names the state it belongs to by its digest. The list is written before the state and again after it, so that
at any moment the list holds the entries of whatever state is on disk; entries of another state are void.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from outclass.data.saved.plain import once
from outclass.errors import FileError, InputError, quoted
from outclass.findings import CODES, Finding

TEXTS: Final = ("file", "sha256", "state", "text", "head", "first", "last")
NUMBERS: Final = ("bytes", "lines", "rows")
REQUIRED: Final = TEXTS[:3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One file that was counted.

    Parameters
    ----------
    name, digest
        Its name, and the digest of its content when unpacked.
    state
        The digest of the state that holds it; empty until that is written.
    findings
        What was found when it was read.
    text
        Of text read line by line: the digest of its plain text (`growth`), if that is not its content.
    size, lines
        Of text read line by line: the bytes of its plain text and its lines, 0 if unknown.
    head
        The digest of its first lines or rows, so many that two files hardly begin with the same by chance.
    rows, first, last
        Of other tables: how many rows, and the digests of the first and of the last hundred.
    """

    name: str
    digest: str
    state: str = ""
    findings: tuple[Finding, ...] = ()
    text: str = ""
    size: int = 0
    lines: int = 0
    head: str = ""
    rows: int = 0
    first: str = ""
    last: str = ""

    @property
    def digests(self) -> tuple[str, ...]:
        """By what it is known: the digests of its content and of its plain text."""
        return tuple(digest for digest in (self.digest, self.text) if digest)


def list_of(state: Path) -> Path:
    """Return where the list of a state is; that of a link is beside the file it points to."""
    state = state.resolve()
    return state.with_name(state.name + ".seen")


def written(entries: Iterable[Entry]) -> str:
    """Write entries, sorted, so that the bytes do not depend on their order."""
    ordered = sorted(entries, key=lambda entry: (entry.state, entry.digest, entry.name))
    return "".join(json.dumps(_plain(entry), ensure_ascii=False) + "\n" for entry in ordered)


def _plain(entry: Entry) -> dict[str, Any]:
    found = {"file": entry.name, "sha256": entry.digest, "state": entry.state}
    text = {"text": entry.text, "bytes": entry.size, "lines": entry.lines, "head": entry.head}
    more = text | {"rows": entry.rows, "first": entry.first, "last": entry.last}
    # As they were written: whoever reads the state next may be of Python or of the command line.
    findings = [[each.code, each.told] for each in entry.findings]
    return found | {name: value for name, value in more.items() if value} | {"findings": findings}


def stored(place: Path) -> tuple[Entry, ...] | None:
    """Read a list, with the entries of whatever state; None if there is none."""
    try:
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileError(f"cannot read {quoted([place])}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise _damaged(place) from None
    try:
        found = [json.loads(line, object_pairs_hook=once) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        raise _damaged(place) from None
    if not all(_is_entry(each) for each in found):
        raise _damaged(place)
    return tuple(map(_entry, found))


def _damaged(place: Path) -> InputError:
    return InputError(
        f"{quoted([place.name])}, the list of files already counted, is damaged. Repair or remove it; without it "
        "outclass cannot know which files have been counted."
    )


def _is_entry(plain: Any) -> bool:
    """Return whether a line is what `_plain` makes; of anything else nobody knows what was counted."""
    return (
        isinstance(plain, dict)
        and all(name in plain for name in REQUIRED)
        and all(isinstance(plain.get(name, ""), str) for name in TEXTS)
        and all(type(plain.get(name, 1)) is int and plain.get(name, 1) > 0 for name in NUMBERS)
        and set(plain) <= {*TEXTS, *NUMBERS, "findings"}
        and _are_findings(plain.get("findings", []))
    )


def _are_findings(listed: Any) -> bool:
    return isinstance(listed, list) and all(
        isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each) for each in listed
    )


def _entry(plain: Mapping[str, Any]) -> Entry:
    return Entry(
        name=plain["file"],
        digest=plain["sha256"],
        state=plain["state"],
        findings=tuple(Finding(code, told) for code, told in plain.get("findings", []) if code in CODES),
        text=plain.get("text", ""),
        size=plain.get("bytes", 0),
        lines=plain.get("lines", 0),
        head=plain.get("head", ""),
        rows=plain.get("rows", 0),
        first=plain.get("first", ""),
        last=plain.get("last", ""),
    )
