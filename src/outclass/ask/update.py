"""`update`: evidence added to a saved state."""

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outclass.ask.question import outcomes_of
from outclass.data.databases import is_database
from outclass.data.outcomes import Outcomes
from outclass.data.state import State
from outclass.errors import InputError


def update(
    state: str | Path,
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
    again: bool = False,
    new_labels: bool = False,
) -> Outcomes:
    """Add evidence to a saved state and return the whole, ready for `compare`; begins a state where there is none.

    Several files are several batches, unless `id` joins them. The state equals that of one run on the union, whatever
    the order. A file that is in the state already is refused unless `again`; so are labels the state does not know,
    unless `new_labels`. The state is written whole or not at all. A dataframe has no name to remember: it can be added
    twice.
    """
    book = grown(
        State.open(Path(state)),
        data,
        again=again,
        new_labels=new_labels,
        truth=truth,
        systems=systems,
        count=count,
        id=id,
        missing=missing,
    )
    book.write()
    return book.evidence


def grown(book: State, data: Any, *, again: bool, new_labels: bool, id: str | None, **columns: Any) -> State:
    """Add evidence to a state in memory."""
    listed = [data] if isinstance(data, str | Path) else data
    if not (isinstance(listed, list | tuple) and all(isinstance(each, str | Path) for each in listed)):
        return book.plus(outcomes_of(data, id=id, **columns), [], again=again, new_labels=new_labels)
    if any(map(is_database, listed)) and not again:
        raise InputError(
            "a table in a database cannot be told from one that was counted before: say --again (again=True) if it is "
            "new, or write it to a file, which is counted once."
        )
    if id is not None:
        paths = [path for each in listed for path in _paths(each)]
        return book.plus(outcomes_of(data, id=id, **columns), paths, again=again, new_labels=new_labels)
    for each in listed:
        book = book.plus(outcomes_of(each, **columns), _paths(each), again=again, new_labels=new_labels)
    return book


def _paths(spec: str | Path) -> list[Path]:
    """Return the files that a path or a glob names."""
    path = Path(spec)
    return [path] if path.exists() else [Path(found) for found in sorted(glob.glob(str(spec), recursive=True))]
