"""`update`: evidence added to a saved state."""

import glob
from pathlib import Path
from typing import Any, Unpack

from outclass.ask.capabilities import check_can
from outclass.ask.read import OF_NUMBERS, Columns, read
from outclass.ask.used import unused
from outclass.data.databases import is_database
from outclass.data.scores import Scores
from outclass.data.state import State, is_state, read_state
from outclass.errors import InputError


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
    """Add evidence to a saved state and return the whole, ready for `compare`; begins a state where there is none.

    Several files are several batches, unless `id` joins them. The state equals that of one run on the union, whatever
    the order. A file that is in the state already is refused unless `again`; so are labels the state does not know,
    unless `new_labels`. The state is written whole or not at all. A dataframe has no name to remember: it can be added
    twice, unless its items have ids.

    Parameters
    ----------
    state
        The file to keep the evidence in.
    data
        New evidence, as for `compare`: one label per item, many labels per item, labels in groups, scores or results.
        All batches of a state are of one kind. Documents and items add up; groups of the same name are one group; of
        numbers an item's id may occur once.
    again, new_labels
        Count a file again; accept labels that the state does not know.
    positive, measure
        Of scores beside a truth, the positive label; of TREC runs, what to measure.
    columns
        Where everything is in the data, see `outclass.ask.read.Columns`.
    """
    what = {"positive": positive, "measure": measure}
    book = grown(State.open(Path(state)), data, again=again, new_labels=new_labels, **what, **columns)
    book.write()
    return book.evidence


def grown(
    book: State,
    data: Any,
    *,
    again: bool,
    new_labels: bool,
    positive: Any = None,
    measure: Any = None,
    **columns: Unpack[Columns],
) -> State:
    """Add evidence to a state in memory."""
    given = {"positive": positive, "measure": measure, **columns}
    how: dict[str, Any] = {name: value for name, value in given.items() if value is not None and value is not False}
    listed = how.get("runs", []) if data is None else [data] if isinstance(data, str | Path) else data
    if not (isinstance(listed, list | tuple) and all(isinstance(each, str | Path) for each in listed)):
        return book.plus(_evidence(data, how, new_labels), [], again=again, new_labels=new_labels)
    if any(map(is_database, listed)) and not again:
        raise InputError(
            "a table in a database cannot be told from one that was counted before: say --again (again=True) if it is "
            "new, or write it to a file, which is counted once."
        )
    if data is None or ("id" in how and not any(how.get(name) for name in ("scores", *OF_NUMBERS))):
        paths = [path for each in listed for path in _paths(each)]
        return book.plus(_evidence(data, how, new_labels), paths, again=again, new_labels=new_labels)
    for each in listed:
        book = book.plus(_evidence(each, how, new_labels), _paths(each), again=again, new_labels=new_labels)
    return book


def _evidence(data: Any, how: dict[str, Any], new_labels: bool) -> Any:
    """Read one batch; columns say nothing of another state, but for its systems."""
    if isinstance(data, str | Path) and is_state(Path(data)):
        found = read_state(Path(data))
        return found.selected(how["systems"]) if "systems" in how else found
    found = read(data, **how)
    check_can("update", found)
    if new_labels and isinstance(found, Scores):
        raise unused(["new_labels"], "scores and results, which have no labels")
    if "measure" in how and "qrels" not in how:
        raise InputError("a state keeps evidence, not questions: name the measure when you compare (--measure).")
    if "positive" in how and getattr(found, "truth", None) is None:
        raise InputError(
            "a state keeps all labels, whichever is the positive one (--positive): leave it out, and name it when you "
            "compare. Only scores beside a truth are kept with it."
        )
    return found


def _paths(spec: str | Path) -> list[Path]:
    """Return the files that a path or a glob names."""
    path = Path(spec)
    return [path] if path.exists() else [Path(found) for found in sorted(glob.glob(str(spec), recursive=True))]
