"""Evidence on disk, and what is added to it: nothing counted twice, nothing lost.

A state is one JSON file, written by kind of data (`saved`). Its bytes depend on the evidence alone, not on the batches
it came in or their order. Which files it holds is listed beside it (`ledger`). Whoever changes a state holds its lock
from reading to writing; readers need none.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from outclass.atomic import tidy, write_whole
from outclass.data import ledger, saved
from outclass.data.growth import file_digest
from outclass.data.ledger import Entry, list_of
from outclass.data.tally import MOST_ITEMS
from outclass.errors import BusyError, FileError, InputError, quoted
from outclass.findings import finding


def is_state(path: Path) -> bool:
    """Return whether a file looks like a saved state."""
    try:
        if not path.is_file():
            return False  # a pipe would wait for its writer
        with path.open("rb") as stream:
            return saved.is_saved(stream.read(200))
    except OSError:
        return False


def read_state(path: Path) -> Any:
    """Read a saved state: data of the kind that was saved, with what was found in the files they came from."""
    try:
        text, digest, entries = _pair(path)
    except InputError:  # a list that is damaged or of another state, which matters to `update` alone
        text, digest, entries = _read(path), "", ()
    known = tuple(entry for entry in entries if entry.digest)
    return State(path=path, data=_parsed(path, text), entries=known, opened=digest).evidence


def _parsed(path: Path, text: str) -> Any:
    try:
        return saved.from_json(text)
    except InputError as error:
        raise InputError(f"{quoted([path.name])} is not a valid state: {error}") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError(f"cannot read {quoted([path])}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise FileError(f"{quoted([path.name])} is not a state written by outclass: it is not UTF-8 text.") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Evidence that grows, with the list of files it holds."""

    path: Path
    data: Any  # of a kind that `saved` knows; None before the first batch
    entries: tuple[Entry, ...]
    opened: str  # the digest of the file when it was opened

    @classmethod
    def open(cls, path: Path, before: "State | None" = None) -> "State":
        """Take up a state, or begin one where there is no file; `before` is what it was a moment ago, if known."""
        if not path.parent.is_dir():
            raise FileError(f"cannot keep a state in {quoted([path.parent])}: there is no such folder.")
        if not path.exists():
            return cls(path=path, data=None, entries=(), opened="")
        if not path.is_file():
            raise FileError(f"{quoted([path])} is a folder, a pipe or a device; a state is a file.")
        text, digest, entries = _pair(path)
        if before is not None and before.opened == digest:
            return before
        return cls(path=path, data=_parsed(path, text), entries=entries, opened=digest)

    @property
    def items(self) -> int:
        """How many items it holds."""
        return 0 if self.data is None else int(self.data.items)

    def check_new(self, entries: Iterable[Entry], *, again: bool) -> None:
        """Refuse files that are in the state already, and the state itself."""
        known = {digest: entry.name for entry in self.entries for digest in entry.digests}
        for entry in entries:
            if not entry.digest:
                continue  # what it stands for is not known
            if entry.digest == self.opened:
                raise InputError(f"{quoted([entry.name])} is the state itself; it cannot be added to itself.")
            first = next((known[digest] for digest in entry.digests if digest in known), None)
            if first is not None and not again:
                same = "" if first == entry.name else f", with the content of {quoted([first])}"
                raise InputError(
                    f"{quoted([entry.name])} has already been counted{same}. Nothing was added; use ⟨again=True⟩ "
                    "to count it again."
                )
            known |= dict.fromkeys(entry.digests, entry.name)

    def plus(self, evidence: Any, entries: Iterable[Entry], *, again: bool, new_labels: bool) -> "State":
        """Add evidence and the files it comes from, unless it is there already or does not fit."""
        listed = tuple(entries)
        self.check_new(listed, again=again)
        data = saved.added(self.data, evidence, new_labels=new_labels)
        if data.items > MOST_ITEMS:
            raise InputError(f"the data add up to {data.items:.3g} items, which is implausibly many.")
        return replace(self, data=data, entries=(*self.entries, *listed))

    def write(self) -> "State":
        """Write the list of files, then the state: an interrupt between the two leaves the old state and its list.

        Hold the lock (`atomic.locked`) since the state was opened: what was written by others since would be lost.
        """
        if (_digest(_read(self.path)) if self.path.exists() else "") != self.opened:
            raise BusyError(f"{quoted([self.path])} was changed by another process. Nothing was written; try again.")
        text = saved.to_json(self.data)
        digest, place = _digest(text), list_of(self.path)
        for file in (self.path.resolve(), place):
            tidy(file)
        # A state that holds no files has an entry as well: a list without one would be that of another state.
        now = tuple(replace(entry, state=digest) for entry in self.entries or (Entry(name="", digest=""),))
        # The entries of the state that is still on disk stay until it is replaced.
        old = [entry for entry in ledger.stored(place) or () if entry.state == self.opened]
        write_whole(place, ledger.written([*old, *now]))
        write_whole(self.path, text)
        write_whole(place, ledger.written(now))
        return replace(self, entries=now, opened=digest)

    @property
    def evidence(self) -> Any:
        """The data, with what was found in the files they came from."""
        found = (*self.data.findings, *(each for entry in self.entries for each in entry.findings))
        return saved.with_findings(self.data, tuple(dict.fromkeys(found)))


def entries_of_state(file: Path) -> list[Entry]:
    """Return what another state holds: the files counted there, and itself."""
    return [*State.open(file).entries, Entry(name=file.name, digest=file_digest(file))]


def _pair(path: Path) -> tuple[str, str, tuple[Entry, ...]]:
    """Read a state, its digest and the entries that belong to it."""
    while True:
        text = _read(path)
        digest, place = _digest(text), list_of(path)
        listed = ledger.stored(place)
        if not listed:  # no list, or one that lost its entries: `write` always leaves one
            lost = "is not next to it" if listed is None else "is empty"
            told = (
                f"the files already in {path.name} are unknown, because {place.name} {lost}; a file may be counted "
                "twice."
            )
            return text, digest, (Entry(name="", digest="", state=digest, findings=(finding("OC113", told),)),)
        own = tuple(entry for entry in listed if entry.state == digest)
        if own:
            return text, digest, own
        if _digest(_read(path)) == digest:
            raise InputError(
                f"{quoted([place.name])} belongs to a different version of {quoted([path.name])}, which has been "
                "edited or replaced. Restore it, or remove the list to continue without a record of counted files."
            )
        # Between the two readings another process wrote both: read them again.


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
