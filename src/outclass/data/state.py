"""Evidence on disk, and what is added to it: nothing counted twice, nothing lost.

A state is one JSON file, written by kind of data (`saved`). Its bytes depend on the evidence alone, not on the batches
it came in or their order. Which files it holds stands beside it, in `STATE.seen`. That file is written first, naming
the state it belongs to by its digest: if a run is interrupted between the two, the entry belongs to no state, and is
void.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from outclass.atomic import write_whole
from outclass.data import saved
from outclass.data.compressed import opened
from outclass.data.saved.plain import once
from outclass.data.tally import MOST_ITEMS
from outclass.errors import FileError, InputError, quoted
from outclass.findings import CODES, Finding, finding

fcntl: Any
try:
    fcntl = import_module("fcntl")
except ImportError:  # Windows
    fcntl = None

BLOCK: Final = 1 << 20


def is_state(path: Path) -> bool:
    """Return whether a file looks like a saved state."""
    try:
        with path.open("rb") as stream:
            return saved.is_saved(stream.read(200))
    except OSError:
        return False


def read_state(path: Path) -> Any:
    """Read a saved state: data of the kind that was saved."""
    return _parsed(path, _read(path))


def _parsed(path: Path, text: str) -> Any:
    try:
        return saved.from_json(text)
    except InputError as error:
        raise InputError(f"{quoted([path.name])} is not a state to go on from: {error}") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot read {quoted([path])}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise FileError(f"{quoted([path.name])} is not a state that outclass wrote: it is not UTF-8 text.") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One file that was counted: its name and digest, the digest of the state with it, and what was found in it."""

    name: str
    digest: str
    state: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Evidence that grows, with the list of files it holds."""

    path: Path
    data: Any  # of a kind that `saved` knows; None before the first batch
    entries: tuple[Entry, ...]
    opened: str  # the digest of the file when it was opened

    @classmethod
    def open(cls, path: Path) -> "State":
        """Take up a state, or begin one where there is no file."""
        if not path.parent.is_dir():
            raise FileError(f"cannot keep a state in {quoted([path.parent])}: there is no such folder.")
        if not path.exists():
            return cls(path=path, data=None, entries=(), opened="")
        text = _read(path)
        digest = _digest(text)
        data, seen = _parsed(path, text), _beside(path)
        entries = _entries(seen, digest)
        if not seen.exists():
            told = f"what files are in {path.name} is not known ({seen.name} is not beside it): one may count twice."
            entries = (Entry(name="", digest="", state=digest, findings=(finding("OC113", told),)),)
        elif not entries and _stored(seen):
            raise InputError(
                f"{quoted([seen.name])} lists the files of another state than {quoted([path.name])}, which has been "
                "edited or replaced. Restore it, or remove the list to go on without knowing what has been counted."
            )
        return cls(path=path, data=data, entries=entries, opened=digest)

    @property
    def items(self) -> int:
        """How many items it holds."""
        return 0 if self.data is None else int(self.data.items)

    def plus(self, evidence: Any, files: Sequence[Path], *, again: bool, new_labels: bool) -> "State":
        """Add evidence, unless it is there already or does not fit."""
        found = [source for file in files for source in self._sources(file, evidence.findings)]
        known = {entry.digest: entry.name for entry in self.entries}
        for source in found:
            if source.digest in known and not again:
                first = known[source.digest]
                same = "" if first == source.name else f", with the content of {quoted([first])}"
                raise InputError(
                    f"{quoted([source.name])} has been counted already{same}. Nothing was added; "
                    "say --again (again=True) to count it once more."
                )
            known[source.digest] = source.name
        data = saved.added(self.data, evidence, new_labels=new_labels)
        if data.items > MOST_ITEMS:
            raise InputError(f"the evidence adds up to {data.items:.3g} items, which is too many to be true.")
        state = _digest(saved.to_json(data))
        # All entries belong to the state as it is now.
        entries = tuple(replace(entry, state=state) for entry in (*self.entries, *found))
        return replace(self, data=data, entries=entries)

    def _sources(self, file: Path, findings: tuple[Finding, ...]) -> list[Entry]:
        """Return what a file holds: itself, or, if it is another state, the files counted there."""
        own = Entry(name=file.name, digest=file_digest(file), state="", findings=findings)
        if not is_state(file):
            return [own]
        if file.resolve() == self.path.resolve() or own.digest == self.opened:
            raise InputError(f"{quoted([file.name])} is the state itself; it cannot be added to itself.")
        return [*State.open(file).entries, own]

    def write(self) -> None:
        """Write the list of files, then the state: an interrupt between the two leaves the old state and its list."""
        with _locked(self.path.parent):
            self._write()

    def _write(self) -> None:
        if (_digest(_read(self.path)) if self.path.exists() else "") != self.opened:
            raise FileError(
                f"{quoted([self.path])} was changed by somebody else in the meantime. Nothing was written; try again."
            )
        # The entries of the state that is still on disk stay until it is replaced.
        before = _stored(_beside(self.path))
        now = [_plain(entry) for entry in sorted(self.entries, key=lambda entry: (entry.digest, entry.name))]
        old = [entry for entry in before if entry.get("state") == self.opened]
        seen = _beside(self.path)
        write_whole(seen, _lines(old + now))
        write_whole(self.path, saved.to_json(self.data))
        write_whole(seen, _lines(now))

    @property
    def evidence(self) -> Any:
        """The data, with what was found in the files they came from."""
        found = (*self.data.findings, *(each for entry in self.entries for each in entry.findings))
        return saved.with_findings(self.data, tuple(dict.fromkeys(found)))


def file_digest(path: Path) -> str:
    """Return the digest of a file's content, whatever its name, and whether it is compressed or not."""
    found = hashlib.sha256()
    with opened(path) as stream:
        while block := stream.read(BLOCK):
            found.update(block)
    return found.hexdigest()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one writer at a time into a folder, where the system can; the lock goes with the process that holds it."""
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _beside(path: Path) -> Path:
    path = path.resolve()  # a state reached through a link has its list where it is itself
    return path.with_name(path.name + ".seen")


def _plain(entry: Entry) -> dict[str, Any]:
    return {
        "file": entry.name,
        "sha256": entry.digest,
        "state": entry.state,
        "findings": [list(each) for each in entry.findings],
    }


def _lines(entries: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


def _stored(seen: Path) -> list[dict[str, Any]]:
    if not seen.exists():
        return []
    try:
        found = [json.loads(line, object_pairs_hook=once) for line in _read(seen).split("\n") if line.strip()]
    except (ValueError, RecursionError):
        found = [None]
    if not all(_is_entry(entry) for entry in found):
        raise InputError(
            f"{quoted([seen.name])}, the list of files already counted, is damaged. Mend or remove it; "
            "without it outclass cannot tell what has been counted."
        )
    return found


def _is_entry(entry: Any) -> bool:
    """Return whether a line is what `_plain` makes; of anything else nobody knows what was counted."""
    return (
        isinstance(entry, dict)
        and all(isinstance(entry.get(name), str) for name in ("file", "sha256", "state"))
        and set(entry) <= {"file", "sha256", "state", "findings"}
        and _findings(entry) is not None
    )


def _findings(entry: Mapping[str, Any]) -> tuple[Finding, ...] | None:
    """Return the findings of a stored entry; None if they are not such."""
    listed = entry.get("findings", [])
    sound = isinstance(listed, list) and all(
        isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each) for each in listed
    )
    return tuple(Finding(code, message) for code, message in listed if code in CODES) if sound else None


def _entries(seen: Path, state: str) -> tuple[Entry, ...]:
    """Return the entries that belong to a state."""
    found = []
    for entry in _stored(seen):
        if entry.get("state") != state:
            continue
        findings = _findings(entry) or ()
        found.append(Entry(name=entry["file"], digest=entry["sha256"], state=state, findings=findings))
    return tuple(found)
