"""The one door: whatever a user has, read as data. An option that the data at hand do not use is an error."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypedDict, Unpack

from outclass.data.arrays import from_arrays
from outclass.data.columns import columns_in, roles_of
from outclass.data.databases import is_database, opened
from outclass.data.multilabel import Grouped, MultiLabel, read_grouped, read_multilabel
from outclass.data.outcomes import Outcomes
from outclass.data.pair import TwoSets
from outclass.data.published import PublishedCounts, WinCounts, counts_of, wins_of
from outclass.data.state import is_state, read_state
from outclass.errors import InputError, quoted


class Columns(TypedDict, total=False):
    """Where everything is: which columns of a table are what, or what is given in a table's place.

    Parameters
    ----------
    truth, systems
        The column of the true labels, and those of the systems; by default every other column is one.
    names
        What to call systems given as arrays, counts or wins.
    count, id
        Columns: how many items a row stands for; item ids, on which one file per system is joined.
    missing
        'error', 'drop' the items, or count missing predictions as 'wrong'.
    item, label, separator
        Many labels per item: columns of a long table of decisions, or what separates the labels in a cell.
    group
        A column of groups (documents, topics) whose items are not independent.
    scores
        The systems' columns hold numbers: beside a truth scores of a classifier, without one results.
    score, system_column
        Of a long table of numbers, one row per item and system: the columns of the numbers and of the systems.
    lower_is_better, title
        Of results: which way is better, and what they are ('latency').
    fold, repeat, test_share, data_set
        Of results: columns of folds, of repeats of them and of data sets; the share of the data that a fold tests.
    qrels, runs
        Instead of data: TREC judgements and run files.
    counts, wins, items
        Instead of data: published counts, `dict(tp=10, fp=10, fn=4)`; or how often only A and only B was right, and on
        how many items.
    """

    truth: str | None
    systems: Sequence[str] | None
    names: Sequence[str] | None
    count: str | None
    id: str | None
    missing: str | None
    item: str | None
    label: str | None
    separator: str | None
    group: str | None
    scores: bool | None
    score: str | None
    system_column: str | None
    lower_is_better: bool | None
    title: str | None
    fold: str | None
    repeat: str | None
    test_share: float | None
    data_set: str | None
    qrels: str | Path | None
    runs: Sequence[str | Path] | None
    counts: Any
    wins: Any
    items: int | None


Data = Any  # Outcomes, MultiLabel, Grouped, Scores, TwoSets, PublishedCounts or WinCounts
OF_NUMBERS: Final = ("score", "system_column", "lower_is_better", "title", "fold", "repeat", "test_share", "data_set")
OF_MANY: Final = ("item", "label", "separator")
COUNTED: Final = ("counts", "wins", "items")
# What command-line options are called, where it is not the argument's own name.
SPELT: Final = {"systems": "--system", "names": "--name", "runs": "--run"}


def read(
    data: Any = None,
    *predictions: Any,
    positive: Any = None,
    measure: Any = None,
    apart: bool = False,
    **columns: Unpack[Columns],
) -> Data:
    """Read data of any kind; what is not used is an error.

    Parameters
    ----------
    data
        The true labels, with `predictions` of the systems; or a path, a glob, a list of paths, a table in a database,
        a saved state, a dataframe, a mapping of columns, or what was read before.
    positive
        Of scores beside a truth: the positive label.
    measure
        Of TREC runs: what to measure, 'nDCG@10' by default.
    apart
        Whether two sources without an id are two test sets, rather than two systems on one.
    columns
        See `Columns`.
    """
    given: dict[str, Any] = {name: value for name, value in columns.items() if value is not None and value is not False}
    unknown = sorted(set(given) - set(Columns.__annotations__))
    if unknown:
        raise TypeError(f"unknown arguments: {', '.join(unknown)}")
    if any(name in given for name in COUNTED):
        return _counted(data, predictions, given)
    if "qrels" in given or "runs" in given:
        return _trec(data, predictions, measure, given)
    if data is None:
        raise InputError("nothing to read: give arrays, a path or a dataframe, or counts (--counts, --wins).")
    if (known := _known(data, predictions, given, apart=apart)) is not None:
        return known
    if given.get("scores") or any(name in given for name in OF_NUMBERS):
        return _numbers(data, predictions, positive, given)
    if predictions:
        _only(given, ("names", "missing"), "arrays")
        return from_arrays(data, _named(given, predictions), missing=given.get("missing", "error"))
    if "names" in given:
        raise InputError("names (--name) are for arrays, counts and wins; the columns of a table have their own.")
    if "group" in given:
        _only(given, ("truth", "systems", "group"), "items in groups")
        return read_grouped(data, given["group"], truth=given.get("truth"), systems=given.get("systems"))
    if any(name in given for name in OF_MANY):
        _only(given, ("truth", "systems", *OF_MANY), "items with many labels")
        return read_multilabel(data, **{name: given.get(name) for name in ("truth", "systems", *OF_MANY)})
    _only(given, ("truth", "systems", "count", "id", "missing"), "labels")
    if apart and isinstance(data, list | tuple) and len(data) == 2 and "id" not in given:
        return TwoSets.of_files(*((each, labels_of(each, given)) for each in data))
    return labels_of(data, given)


def _only(given: Mapping[str, Any], used: Iterable[str], what: str) -> None:
    """Refuse what is not used, rather than ignore it."""
    left = [name for name in given if name not in (*used, "scores")]
    if left:
        told = ", ".join(f"{name} ({SPELT.get(name, '--' + name.replace('_', '-'))})" for name in left)
        raise InputError(f"{told} {'is' if len(left) == 1 else 'are'} not used with {what}: leave out.")


def _named(given: Mapping[str, Any], predictions: Sequence[Any]) -> dict[str, Any]:
    """Give every array its name."""
    names = given.get("names") or [chr(ord("A") + place) for place in range(len(predictions))]
    called = [names] if isinstance(names, str) else [str(name) for name in names]
    if len(called) != len(predictions) or len(set(called)) != len(called):
        raise InputError(f"names must be {len(predictions)} different names, got {quoted(called)}.")
    return dict(zip(called, predictions, strict=True))


def _counted(data: Any, predictions: Sequence[Any], given: Mapping[str, Any]) -> PublishedCounts | WinCounts:
    """Read what was counted by others."""
    if data is not None or predictions or ("counts" in given and "wins" in given):
        raise InputError("give one of data (files), counts (--counts) and wins (--wins), not several.")
    if "wins" in given:
        _only(given, ("wins", "items", "names"), "wins")
        return wins_of(given["wins"], given.get("items"), given.get("names") or ("A", "B"))
    if "counts" not in given:
        raise InputError("the number of items (--items) goes with wins (--wins); data are counted.")
    _only(given, ("counts", "names"), "counts")
    return counts_of(given["counts"], given.get("names"))


def _trec(data: Any, predictions: Sequence[Any], measure: Any, given: Mapping[str, Any]) -> Any:
    if data is not None or predictions:
        raise InputError("qrels (--qrels) and runs (--run) stand for themselves: leave out files and arrays.")
    if "qrels" not in given or not given.get("runs"):
        raise InputError("runs need judgements and judgements runs: --qrels FILE --run FILE --run FILE.")
    _only(given, ("qrels", "runs", "systems", "missing"), "TREC runs")
    wanted = [] if measure is None else [measure] if isinstance(measure, str) else list(measure)
    if len(wanted) > 1:
        raise InputError("runs are compared in one measure at a time.")
    from outclass.data.trec import read_trec  # loaded for runs alone

    return read_trec(
        given["qrels"],
        given["runs"],
        wanted[0] if wanted else "nDCG@10",
        missing=given.get("missing", "error"),
        names=given.get("systems"),
    )


def _known(data: Any, predictions: Sequence[Any], given: Mapping[str, Any], *, apart: bool) -> Data | None:
    """Return what was read before, with the systems that are wanted; None of anything else."""
    if isinstance(data, Outcomes) and len(predictions) == 1 and isinstance(predictions[0], Outcomes):
        if not apart:
            raise InputError("two test sets can only be compared with the unpaired or the goutte model.")
        _only(given, (), "two test sets that were read before")
        return TwoSets(data, predictions[0])
    scores = sys.modules.get("outclass.data.scores")  # who has some, has loaded it
    kinds = (Outcomes, MultiLabel, Grouped, TwoSets, PublishedCounts, WinCounts)
    if not isinstance(data, kinds) and not (scores is not None and isinstance(data, scores.Scores)):
        return None
    if predictions:
        raise InputError("the data were read before: leave out arrays of predictions.")
    _only(given, ("systems",), "data that were read before")
    if "systems" in given and not hasattr(data, "selected"):
        raise InputError("systems (--system) are columns of a table: leave them out with counts and two test sets.")
    return data.selected(given["systems"]) if "systems" in given else data  # type: ignore[union-attr]


def _numbers(data: Any, predictions: Sequence[Any], positive: Any, given: Mapping[str, Any]) -> Any:
    """Read scores beside a truth, or results."""
    from outclass.data.scores import read_table, scores_of  # loaded for numbers alone

    if predictions:
        _only(given, ("names",), "arrays of scores")
        return scores_of(data, _named(given, predictions), positive)
    used = ("truth", "systems", "item", "id", "group", "missing", *OF_NUMBERS)
    _only(given, used, "scores")
    if "item" in given and "id" in given:
        raise InputError("item (--item) and id (--id) both name the items: give one of them.")
    own = {name: given[name] for name in ("truth", "systems", "group", "missing", *OF_NUMBERS) if name in given}
    own["item"] = given.get("item", given.get("id"))
    own["system"], own["name"] = own.pop("system_column", None), own.pop("title", None)
    files = data if isinstance(data, list | tuple) else [data]
    if len(files) != 1:
        raise InputError(f"scores are read from one table, got {len(files)} files.")
    return read_table(files[0], positive=positive, **own)


def labels_of(data: Any, given: Mapping[str, Any]) -> Any:
    """Read one label per item from paths, a table, a mapping or dataframes; or a saved state of any kind."""
    names = ("truth", "systems", "count", "id")
    columns: dict[str, Any] = {name: given.get(name) for name in names} | {"missing": given.get("missing", "error")}
    paths = [data] if isinstance(data, str | Path) else data
    if isinstance(paths, list | tuple) and any(map(is_database, paths)):
        with opened(paths) as tables:
            return labels_of(tables, given)
    if isinstance(paths, list | tuple) and len(paths) == 1 and isinstance(paths[0], str | Path):
        path = Path(paths[0])
        if is_state(path):
            _only(given, ("systems",), "a saved state")
            return read_state(path) if columns["systems"] is None else read_state(path).selected(columns["systems"])
    if isinstance(paths, list | tuple) and paths and all(isinstance(path, str | Path) for path in paths):
        from outclass.data.files import from_files  # DuckDB is loaded for files only

        return from_files(paths, **columns)
    from outclass.data.frame_joining import frames_in, joined_frames  # Narwhals is loaded for frames only
    from outclass.data.frames import from_frame, is_frame

    if is_frame(data):
        return from_frame(data, **columns)
    if (frames := frames_in(data)) is not None:
        return joined_frames(frames, **columns)
    if isinstance(data, Mapping) and not data:
        raise InputError("the mapping is empty: give columns, or dataframes, by name.")
    if (mapped := columns_in(data)) is not None:
        _only(given, ("truth", "systems", "missing"), "a mapping of columns")
        truth = None if columns["truth"] is None else str(columns["truth"])
        roles = roles_of(list(mapped), truth=truth, systems=columns["systems"], count=None, place="the mapping")
        predictions = {name: mapped[name] for name in roles.systems}
        return from_arrays(mapped[roles.truth], predictions, missing=columns["missing"])
    raise InputError(
        f"cannot read outcomes from {type(data).__name__}. Give arrays (y_true, a, b), a dataframe, or a path."
    )
