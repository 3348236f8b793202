"""`update`: add data to a saved state."""

import glob
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Unpack

from outclass.ask.capabilities import check_can
from outclass.ask.columns import OF_NUMBERS, Columns
from outclass.ask.dispatch import planned
from outclass.ask.question import wishes_of
from outclass.ask.read import read
from outclass.ask.used import unused
from outclass.atomic import locked
from outclass.data.databases import is_database
from outclass.data.growth import Beginning, check_name, counted, of_same_name, rest_of
from outclass.data.ledger import Entry
from outclass.data.logs.places import are_logs
from outclass.data.merging import merge_of, merged
from outclass.data.readers import source_of
from outclass.data.scores import Scores
from outclass.data.state import State, entries_of_state, is_state, read_state
from outclass.errors import BusyError, InputError, quoted


class Batch(NamedTuple):
    """Evidence that was read, and the files it came from."""

    evidence: Any
    files: tuple[Path, ...]
    entries: tuple[Entry, ...]
    skipped: tuple[Beginning, ...] = ()


class Saved(NamedTuple):
    """A state before and after some evidence was added, and the parts of files that it held already."""

    before: State
    after: State
    skipped: tuple[Beginning, ...]


def update(
    state: str | Path,
    data: Any = None,
    *,
    again: bool = False,
    new_labels: bool = False,
    positive: Any = None,
    measure: Any = None,
    **columns: Unpack[Columns],
) -> Any:
    """Add data to a saved state and return all data so far, ready for `compare`. Creates the state if needed.

    Several files are separate batches, unless `id` joins them. The result does not depend on batches or their order. A
    file that was already added raises an error unless `again` is set, and so does a different file of the same name; if
    a text file has grown since, only its new rows are added. Labels that are not in the state raise an error unless
    `new_labels` is set. Writing is atomic, and several processes may update one state concurrently.

    Dataframes are not checked for duplicates, with one exception: scores and results whose items have ids (`id`). Of
    labels a state stores counts, without ids, so the same dataframe of labels can be added twice.

    Parameters
    ----------
    state
        File that stores the state.
    data
        New data, as for `compare`: labels, many labels per item, labels in groups, counts per item, scores or results.
        All batches of a state must be of the same kind. Documents and items accumulate; groups with the same name are
        merged; the ids of numeric items must be unique.
    again, new_labels
        Whether to count a file in full, whatever the state holds; whether to accept labels that are not in the state.
    positive, measure
        The positive label of classifier scores; the measure of TREC runs.
    columns
        Names of columns, see `outclass.ask.columns.Columns`.
    """
    given = {"positive": positive, "measure": measure, **columns}
    return save(Path(state), data, given, again=again, new_labels=new_labels).after.evidence


def save(
    path: Path,
    data: Any,
    columns: dict[str, Any],
    *,
    again: bool,
    new_labels: bool,
    check: Callable[[Any], None] | None = None,
    waiting: Callable[[], None] | None = None,
) -> Saved:
    """Add evidence to a state on disk.

    The evidence is read first, which may take long. Only adding it and writing the state happen under its lock.

    Parameters
    ----------
    check
        Called with the evidence as it will be, before anything is written; may raise.
    waiting
        Called once if another process holds the lock for more than a second.
    """
    how = {name: value for name, value in columns.items() if value is not None and value is not False}
    while True:
        before = State.open(path)
        batches = list(_batches(before, data, how, again=again))
        if check is not None:
            check(_grown(before, batches, again=again, new_labels=new_labels).evidence)
        with locked(path, waiting):
            now = State.open(path, before)
            if not again and _is_overtaken(batches, now, before):
                continue  # another process has counted a part of these files: read what is left
            after = _grown(now, batches, again=again, new_labels=new_labels).write()
        return Saved(now, after, tuple(each for batch in batches for each in batch.skipped))


def check_question(evidence: Any, asked: Mapping[str, Any]) -> None:
    """Raise the error that `compare` would raise before it computes anything."""
    wishes, _ = wishes_of({"compute": None, "hdi_mass": 0.95, "rng": None, **asked, "options": asked})
    if len(evidence.systems) > 1:
        planned(evidence.selected(evidence.systems[:2]), wishes)  # any pair will do


def _grown(book: State, batches: Sequence[Batch], *, again: bool, new_labels: bool) -> State:
    for batch in batches:
        if new_labels and isinstance(batch.evidence, Scores):
            raise unused(["new_labels"], "scores and results, which have no labels")
        book = book.plus(batch.evidence, batch.entries, again=again, new_labels=new_labels)
    return book


def _is_overtaken(batches: Sequence[Batch], now: State, before: State) -> bool:
    """Return whether another process has added a part of these files, or a longer version, since they were read."""
    old = {entry.digest for entry in before.entries}
    new = {entry.digest: entry for entry in now.entries if entry.digest not in old}
    own = {entry.digest for batch in batches for entry in batch.entries}
    for file in {file for batch in batches for file in batch.files} if new else ():
        entry, beginning = counted(file, new.values())  # as it is now
        if entry.digest in new and entry.digest not in own:
            return True
        if beginning is not None or of_same_name(entry, new.values()):
            return True
    return False


def _batches(book: State, data: Any, how: dict[str, Any], *, again: bool) -> Iterator[Batch]:
    """Read the evidence, batch by batch."""
    listed = how.get("runs", []) if data is None else [data] if isinstance(data, str | Path) else data
    if not (isinstance(listed, list | tuple) and all(isinstance(each, str | Path) for each in listed)):
        yield Batch(_evidence(data, how), (), ())
        return
    if are_logs(listed, how.get("source")):
        raise InputError(
            "a state accumulates tables of one kind, and logs are whole runs: compare the runs, or write their samples "
            "as a table first (outclass logs PATH -o items.csv)."
        )
    if data is not None and are_logs(listed, how.get("source")):
        raise InputError(
            "a state accumulates tables, and logs are whole runs: compare the runs, or write their samples as a table "
            "first (outclass logs PATH -o items.csv)."
        )
    if any(map(is_database, listed)) and not again:
        raise InputError(
            "database tables cannot be checked for duplicates: use ⟨again=True⟩ if the table is new, or "
            "export it to a file, which is counted only once."
        )
    joined = "id" in how and not any(how.get(name) for name in ("scores", *OF_NUMBERS))
    if data is None or joined or _is_tagged(listed, how):
        yield _batch(book, data, listed, how, again=again)
        return
    for each in listed:
        batch = _batch(book, each, [each], how, again=again)
        yield batch
        # The next file may begin with this one.
        book = replace(book, entries=(*book.entries, *batch.entries))


def _batch(book: State, data: Any, listed: Sequence[str | Path], how: dict[str, Any], *, again: bool) -> Batch:
    """Read one batch, leaving out what the state holds of its files; they must not change meanwhile."""
    files = [file for each in listed for file in _paths(each) if file.is_file()]
    stamps = [_stamp(file) for file in files]
    states = [entry for file in files if is_state(file) for entry in _of_state(book, file, again=again)]
    entries: list[Entry] = []
    whole: list[Entry] = []
    skipped: list[Beginning] = []
    parts: dict[Path, Path] = {}
    with TemporaryDirectory(prefix="outclass-", ignore_cleanup_errors=True) as folder:
        for file in files:
            if is_state(file):
                continue
            entry, beginning = counted(file, () if again or data is None else book.entries)
            book.check_new([entry], again=again)
            entries.append(entry)
            if beginning is None:
                whole.append(entry)
            else:
                if obstacle := beginning.obstacle or _obstacle(file, listed, how):
                    raise beginning.error(obstacle)
                own = Path(folder) / str(len(parts))
                own.mkdir()
                parts[file] = rest_of(file, beginning, entry.size, own)
                skipped.append(beginning)
        new = [parts.get(Path(each), each) for each in listed]
        evidence = _evidence(data if not parts else new if isinstance(data, list | tuple) else new[0], how)
    # Items with ids are compared one by one when they are added.
    if not again and getattr(evidence, "ids", None) is None:
        for entry in whole:
            # Entries without a state are of this call, whose files the user told apart.
            check_name(entry, (each for each in book.entries if each.state))
    changed = [file.name for file, stamp in zip(files, stamps, strict=True) if _stamp(file) != stamp]
    if changed:
        raise BusyError(f"{quoted(changed)} changed while being read. Nothing was added; try again.")
    own_entries = (replace(entry, findings=evidence.findings) for entry in entries)
    return Batch(evidence, tuple(files), (*states, *own_entries), tuple(skipped))


def _stamp(file: Path) -> tuple[int, int, int]:
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _of_state(book: State, file: Path, *, again: bool) -> list[Entry]:
    """Return the files that another state holds, and itself."""
    if file.resolve() == book.path.resolve():
        raise InputError(f"{quoted([file.name])} is the state itself; it cannot be added to itself.")
    found = entries_of_state(file)
    book.check_new(found, again=again)
    heads = {entry.head: entry.name for entry in book.entries if entry.head}
    both = {heads[entry.head]: entry.name for entry in found if entry.head in heads}
    if both and not again:
        raise InputError(
            f"{quoted([file.name])} holds {quoted(both.values())}, which begins like {quoted(both)} in "
            f"{quoted([book.path.name])}: the same rows may be in both. Nothing was added; use ⟨again=True⟩ "
            "if they are different."
        )
    return found


def _obstacle(file: Path, listed: Sequence[str | Path], how: dict[str, Any]) -> str:
    """Return why the new rows of a file cannot be counted by themselves; empty if they can."""
    if file not in map(Path, listed):
        return "and files matched by a glob are read as one table: pass it on its own"
    if _is_tagged(listed, how):
        return "and the files of all systems must grow together: start a new state"
    if how.keys() & {"label", "system_column"}:
        return "and the rows of one item may be in both parts"
    return ""


def _is_tagged(listed: Sequence[str | Path], how: Mapping[str, Any]) -> bool:
    """Return whether files are read together, the gold standard and one per system, and are no tables."""
    return "source" in how or source_of([Path(each) for each in listed]) is not None


def _evidence(data: Any, how: dict[str, Any]) -> Any:
    """Read one batch; columns say nothing of another state, but for its systems."""
    if isinstance(data, str | Path) and is_state(Path(data)):
        found = read_state(Path(data))
        return found.selected(how["systems"]) if "systems" in how else found
    merge = how.get("merge")
    found = read(data, **{name: value for name, value in how.items() if name != "merge"})
    if merge is not None:
        found = merged(found, merge_of(merge), some=True)
    check_can("update", found)
    if "measure" in how and "qrels" not in how:
        raise InputError("a state stores data only: choose the measure (⟨measure⟩) when you compare.")
    if "positive" in how and getattr(found, "truth", None) is None:
        raise InputError(
            "a state stores all labels: leave out ⟨positive⟩ and choose it when you compare. It is stored "
            "only with classifier scores."
        )
    return found


def _paths(spec: str | Path) -> list[Path]:
    """Return the files that a path or a glob names."""
    path = Path(spec)
    return [path] if path.exists() else [Path(found) for found in sorted(glob.glob(str(spec), recursive=True))]
