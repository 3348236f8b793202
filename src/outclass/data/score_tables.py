"""Scores and results from tables: a column for each system, a row for each item and system, or a file per system."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from outclass.arrays import Floats
from outclass.data.candidates import numeric
from outclass.data.coding import distinct_rows, numbered, placed
from outclass.data.columns import Whole
from outclass.data.counted import check_policy
from outclass.data.in_memory import joined, stacked, tables_of
from outclass.data.labels import find, is_missing, name_of, normalised, ordered, positive_of
from outclass.data.scores import Scores
from outclass.errors import InputError, did_you_mean, no_column, quoted
from outclass.findings import Finding, finding


def scores_of(
    truth: Sequence[Any], values: Mapping[str, Sequence[Any]], positive: Any = None, *, missing: str = "error"
) -> Scores:
    """Take the truth and the scores of some systems, item by item."""
    if check_policy(missing) == "wrong":
        raise InputError("a missing score cannot count as wrong: drop these items (⟨missing=drop⟩).")
    if missing == "drop":
        kept, notes = _complete({"the truth": truth, **values}, ["the truth", *values], missing)
        return replace(scores_of(kept.pop("the truth"), kept, positive), findings=notes)
    codes, distinct = placed(truth if isinstance(truth, list) else list(truth))
    if any(is_missing(label) for label in distinct):
        raise InputError("the truth has missing labels; scores need the truth of every item.")
    (labels,) = normalised([distinct], ["truth"])
    kinds = ordered(label for label in labels if label is not None)
    chosen = find(positive, kinds) if positive is not None else positive_of(kinds)
    if chosen is None:
        raise InputError(f"which label is positive? The labels are {quoted(kinds)}; name it with ⟨positive=LABEL⟩.")
    found = {}
    for name, column in values.items():
        if len(column) != len(codes):
            raise InputError(f"{quoted([name])} has {len(column):,} scores, the truth {len(codes):,} labels.")
        found[name] = numbers_of(column, name)
    # Scores of another positive label are not of the same thing, and do not add up with these.
    positives = np.array([label == chosen for label in labels])[codes]
    return Scores(truth=positives, values=found, name=f"score of {chosen}")


def read_table(
    data: Any,
    *,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    positive: Any = None,
    item: str | None = None,
    system: str | None = None,
    score: str | None = None,
    group: str | None = None,
    fold: str | None = None,
    repeat: str | None = None,
    data_set: str | None = None,
    test_share: float | None = None,
    name: str | None = None,
    lower_is_better: bool = False,
    missing: str = "error",
) -> Scores:
    """Read scores or results from a table: one column for each system, or (with `system` and `score`) one row each."""
    check_policy(missing)
    if missing == "wrong" and (lower_is_better or truth is not None):
        raise InputError("a missing number cannot count as 0, which is not the worst: use ⟨missing=drop⟩.")
    if systems is not None and len(set(systems)) < len(systems):
        raise InputError(f"a system is named twice: {quoted(systems)}.")
    if truth is not None and (lower_is_better or repeat is not None or test_share is not None):
        raise InputError("classifier scores are higher for likelier positives, and have no folds.")
    rows = [each for each in (item, fold, repeat, data_set) if each is not None]
    columns = _read(data, rows, [each for each in (truth, group) if each is not None], system, score, systems)
    others = (truth, item, group, fold, repeat, data_set)
    keys = list(dict.fromkeys(column for column in others if column is not None))
    _check_columns(columns, [*keys, *([] if system is None or score is None else [system, score])])
    if system is not None and score is not None:
        if not keys:
            raise InputError("a long table needs a column that names its rows: ⟨item=COL⟩ (or ⟨fold⟩, ⟨data_set⟩).")
        columns, notes = _widened(columns, keys, system, score, systems, missing)
        names = [column for column in columns if column not in keys]
    else:
        names = list(systems) if systems is not None else [column for column in columns if column not in keys]
        aside: tuple[Finding, ...] = ()
        if systems is None:
            kept, aside = numeric(columns, names)
            names = list(kept)
        _check_columns(columns, names)
        if both := [column for column in names if column in keys]:
            raise InputError(f"column {quoted(both[:1])} is named both as a system (⟨systems⟩) and in another role.")
        columns, notes = _complete(columns, [*names, *([truth] if truth is not None else [])], missing)
        notes = (*aside, *notes)
    base: dict[str, Any] = {"findings": notes, "ids": _ids(columns, item)}
    base |= _coded(columns, group, "group") | _coded(columns, data_set, "data_set")
    if truth is not None:
        if fold is not None or data_set is not None:
            raise InputError("folds and data sets apply to results, not to classifier scores (⟨truth⟩).")
        if group is None:
            base |= _together(columns, None, None, None, None, item, notes)
        return replace(scores_of(columns[truth], {name: columns[name] for name in names}, positive), **base)
    values = {each: numbers_of(columns[each], each) for each in names}
    runs_of = item if group is None and data_set is None else None
    base |= _together(columns, fold, repeat, data_set, test_share, runs_of, notes)
    title = name or (score if score is not None else "score")
    return Scores(values=values, name=title, higher_is_better=not lower_is_better, **base)


def _read(
    data: Any,
    keys: Sequence[str],
    shared: Sequence[str],
    system: str | None,
    score: str | None,
    systems: Sequence[str] | None,
) -> Whole:
    """Return the columns of one table; parts of a long one stand below each other, files of systems are joined."""
    text = [*keys, *shared, *([] if system is None else [system])]
    numbers = systems if score is None else [score]
    tables = tables_of(data, only=None if numbers is None else [*dict.fromkeys([*text, *numbers])], text=text)
    if score is not None and system is None and len(tables) > 1:
        for name, columns in tables:
            if score not in columns:
                raise InputError(f"{quoted([name])} has no column {quoted([score])} (⟨score⟩).")
        wanted = (*keys, *shared, score)
        tables = [(name, {each: own[each] for each in wanted if each in own}) for name, own in tables]
    elif (system is None) != (score is None):
        raise InputError(
            "a long table needs the columns of systems (⟨system_column⟩) and scores (⟨score⟩); a wide table, with "
            "one column per system, needs only ⟨scores=True⟩."
        )
    if system is not None or len(tables) == 1:
        return stacked(tables)
    return joined(tables, keys, shared)


def _check_columns(columns: Mapping[str, Sequence[Any]], wanted: Sequence[str]) -> None:
    for column in wanted:
        if column not in columns:
            raise no_column(column, columns)


def _together(
    columns: Mapping[str, Sequence[Any]],
    fold: str | None,
    repeat: str | None,
    data_set: str | None,
    test_share: float | None,
    item: str | None,
    notes: tuple[Finding, ...],
) -> dict[str, Any]:
    """Return how results are correlated: as folds, or as several runs of an item, which is said."""
    if fold is not None:
        return {"fold_share": _share(columns, fold, repeat, data_set, test_share)}
    if repeat is not None or test_share is not None:
        raise InputError("⟨repeat⟩ and ⟨test_share⟩ require the folds of a cross-validation (⟨fold⟩).")
    runs = _coded(columns, item, "group")
    if runs and len(runs["group_names"]) < len(runs["group"]):
        rows, items = len(runs["group"]), len(runs["group_names"])
        told = f"{rows:,} rows belong to {items:,} items: rows of the same item are treated as repeated runs (a group)."
        return runs | {"findings": (*notes, finding("OC114", told))}
    return {}


def _coded(columns: Mapping[str, Sequence[Any]], column: str | None, role: str) -> dict[str, Any]:
    """Return the codes of a column and what they stand for."""
    if column is None:
        return {}
    if any(is_missing(value) for value in columns[column]):
        raise InputError(f"column {quoted([column])} has empty cells; every row needs one.")
    names, codes = numbered(columns[column])
    return {role: codes, f"{role}_names": names}


def _ids(columns: Mapping[str, Sequence[Any]], item: str | None) -> tuple[str, ...] | None:
    """Return what items are called, if every row is an item of its own."""
    if item is None or any(map(is_missing, columns[item])):
        return None
    found = tuple(name_of(value) for value in columns[item])
    return found if len(set(found)) == len(found) else None


def _share(
    columns: Mapping[str, Sequence[Any]], fold: str, repeat: str | None, data_set: str | None, given: float | None
) -> float:
    """Return the share of the data that a fold tests: one over the folds of a repeat, unless the user knows better."""
    if given is not None:
        if not 0 < given < 1:
            raise InputError(f"the share of the data tested in a fold must lie in (0, 1), got {given:g}.")
        return given
    names = [each for each in (repeat, data_set) if each is not None]
    rows = list(zip(*(map(str, columns[each]) for each in (fold, *names)), strict=True))
    if len(set(rows)) < len(rows):
        raise InputError(
            "some folds occur twice: name the column of the repeats (⟨repeat⟩) or of the data sets (⟨data_set⟩)."
        )
    # Folds may be numbered through, so they are counted within each repeat of each data set.
    sizes = Counter(row[1:] for row in rows)
    if len(set(sizes.values())) > 1:
        raise InputError(
            f"repeats or data sets have different numbers of folds ({min(sizes.values())} to {max(sizes.values())}); "
            "give the share of the data tested in a fold (⟨test_share⟩)."
        )
    folds = next(iter(sizes.values()))
    if folds < 2:
        raise InputError("there is only one fold; give the share of the data it tests (⟨test_share⟩).")
    return 1 / folds


def _widened(
    columns: Mapping[str, Any],
    keys: Sequence[str],
    system: str,
    score: str,
    wanted: Sequence[str] | None,
    missing: str,
) -> tuple[Whole, tuple[Finding, ...]]:
    """Turn one row per item and system into one row per item, with a column for each system."""
    names = list(dict.fromkeys(str(value) for value in columns[system]))
    if wanted is not None:
        for name in wanted:
            if name not in names:
                raise InputError(
                    f"no system {quoted([name])} in column {quoted([system])}. {did_you_mean(name, names)}"
                )
        names = list(wanted)
    codes, found = placed(columns[system])
    place = {name: at for at, name in enumerate(names)}
    own = np.array([place.get(str(each), -1) for each in found])[codes]
    taken = np.flatnonzero(own >= 0)
    own = own[taken]
    item, first = distinct_rows([[str(columns[key][at]) for at in taken.tolist()] for key in keys])
    cells = item * len(names) + own
    once = np.unique(cells, return_index=True)[1]
    if len(once) < len(cells):
        again = int(np.setdiff1d(np.arange(len(cells)), once)[0])
        row = ", ".join(f"{key} {quoted([columns[key][taken[again]]])}" for key in keys)
        raise InputError(
            f"{row} has two scores of {quoted([names[own[again]]])}. Repeats of an item need the column that tells "
            "them apart (⟨repeat⟩)."
        )
    scores = columns[score]
    values = np.full(len(first) * len(names), np.nan, dtype=np.float64 if _are_numbers(scores) else np.object_)
    values[cells] = [scores[at] for at in taken.tolist()]
    table: Whole = {key: [columns[key][at] for at in taken[first].tolist()] for key in keys}
    table |= {name: values[at :: len(names)] for at, name in enumerate(names)}
    return _complete(table, names, missing)


def _complete(columns: Mapping[str, Any], names: Sequence[str], missing: str) -> tuple[Whole, tuple[Finding, ...]]:
    """Settle what to do with scores that are not there."""
    if len(lengths := {len(columns[name]) for name in names}) > 1:
        told = ", ".join(map(str, sorted(lengths)))
        raise InputError(f"the columns differ in length: {told}. Each must have one value per item.")
    gone = np.stack([_gaps(columns[name]) for name in names])
    if not gone.any():
        return dict(columns), ()
    kept, size = np.logical_not(gone.any(axis=0)), gone.shape[1]
    told = ", ".join(f"{name} {int(many)}" for name, many in zip(names, gone.sum(axis=1), strict=True) if many)
    if missing == "error":
        raise InputError(
            f"scores are missing ({told}). Drop these items (⟨missing=drop⟩), or count them as 0 (⟨missing=wrong⟩)."
        )
    if missing == "wrong":
        filled = {
            name: [0.0 if out else value for value, out in zip(columns[name], gone[row].tolist(), strict=True)]
            for row, name in enumerate(names)
        }
        return {**columns, **filled}, (finding("OC102", f"missing scores were counted as 0: {told}."),)
    if not kept.any():
        raise InputError("no item has a score from every system.")
    note = finding("OC101", f"{int((~kept).sum()):,} of {size:,} items have a missing score ({told}) and were dropped.")
    return {name: list(compress(column, kept.tolist())) for name, column in columns.items()}, (note,)


def _are_numbers(column: Any) -> bool:
    return isinstance(column, np.ndarray) and column.dtype.kind == "f"


def _gaps(column: Any) -> np.ndarray:
    """Return which values of a column are missing."""
    if _are_numbers(column):
        return np.asarray(np.isnan(column))
    return np.fromiter(map(is_missing, column), dtype=bool, count=len(column))


def numbers_of(values: Sequence[Any], column: str) -> Floats:
    """Return the values of a column as numbers, all of them finite."""
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError):
        found = np.full(1, np.nan)
    if found.ndim != 1 or not np.isfinite(found).all():
        # Look for the one to name.
        return np.array([_number(value, column) for value in values], dtype=float)
    return found


def _number(value: Any, column: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not np.isfinite(number):
        comma = isinstance(value, str) and value.replace(",", "", 1).strip().lstrip("+-").isdecimal()
        raise InputError(
            f"column {quoted([column])} holds {quoted([value])}, which is not a score; "
            + (
                "use a decimal point, not a comma."
                if comma
                else "scores must be numbers. If this column identifies the items, use ⟨item⟩."
            )
        )
    return number
