"""Slices: the same question about all items, and about those with each value of a column."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from outclass.ask.columns import COUNTED, OF_ITEMS, OF_MANY, OF_NUMBERS
from outclass.ask.handed import named
from outclass.ask.question import Wishes
from outclass.ask.read import Data, files_of, given_columns, logs_in, read, wants_items
from outclass.data.count_tables import as_long
from outclass.data.in_memory import columns_of_any, stacked, tables_of
from outclass.data.label_tables import read_sliced_labels
from outclass.data.merging import merge_of, merged
from outclass.data.repeats import RepeatedScores
from outclass.data.scores import Scores
from outclass.data.slicing import Part, Sliced, binned, split_columns, wanted_columns
from outclass.errors import InputError, quoted, shown

BY_LABEL: Final = "label"
WITHOUT_COLUMNS: Final = (*COUNTED, "qrels", "runs")


def is_sliced(by: Any) -> bool:
    """Return whether slices are asked for, and not one row per label."""
    if by is None or (isinstance(by, str) and by == BY_LABEL):
        return False
    names = [by] if isinstance(by, str) else list(by) if isinstance(by, Mapping | Sequence) else None
    if names is None or not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"⟨by⟩ must be 'label', or name one or more columns, got {shown(by)}.")
    if BY_LABEL in names and len(names) == 1:
        return False
    if BY_LABEL in names:
        raise InputError("⟨by⟩ is 'label' or names columns, not both: compare the labels of one slice at a time.")
    return True


def read_sliced(data: Any, predictions: Sequence[Any], wishes: Wishes, columns: Mapping[str, Any]) -> Sliced:
    """Read data as a whole and by slices; what was read so before stays as it is."""
    given = given_columns(columns)
    if isinstance(data, Sliced):
        if wishes.by is not None or predictions or given:
            raise InputError("the data were read by slices before: leave out ⟨by⟩, columns and arrays.")
        return data
    if isinstance(data, Data):
        raise InputError("⟨by⟩ names columns of a table, and data that were read before have none: give the table.")
    if "merge" in given:
        merge = merge_of(given.pop("merge"))
        found: Sliced = merged(_read(data, predictions, wishes, given), merge)
        return found
    return _read(data, predictions, wishes, given)


def _read(data: Any, predictions: Sequence[Any], wishes: Wishes, given: dict[str, Any]) -> Sliced:
    for name in WITHOUT_COLUMNS:
        if name in given:
            raise InputError(f"⟨by⟩ needs a table with a column to slice by, and ⟨{name}⟩ has none.")
    if (own := logs_in(data, predictions, given)) is not None:
        return _of_logs(own, wishes, given)
    if files_of(data, predictions, given) is not None:
        raise InputError(
            "⟨by⟩ needs a table with a column to slice by, and tagged sequences have none: use ⟨by=label⟩ for types, "
            "or a table of counts per sentence (⟨tp⟩, ⟨fp⟩, ⟨fn⟩) with the column."
        )
    if predictions:
        data, given = _as_table(data, predictions, wishes.by, given)
    elif isinstance(wishes.by, Mapping):
        raise InputError("⟨by⟩ maps names to arrays only where the data are arrays; name columns instead.")
    by = list(wishes.by) if not isinstance(wishes.by, str) else [wishes.by]
    if said := [name for name in by if name in (given.get("systems") or ())]:
        raise InputError(f"{quoted(said[:1])} is a system and cannot make slices (⟨by⟩): name another column.")
    if isinstance(data, list | tuple) and len(data) == 1:
        (data,) = data
    labels = not any(name in given for name in ("group", "data_set", *OF_NUMBERS, *OF_MANY, *OF_ITEMS))
    if labels and not wants_items(data, wishes.measure, given):
        found = read_sliced_labels(data, by, **given)
        if found is not None:
            return found
    return _split(data, by, wishes, given)


def _of_logs(own: Any, wishes: Wishes, given: Mapping[str, Any]) -> Sliced:
    """Read evaluation logs by slices: tasks, or what the logs know of their samples."""
    from outclass.ask import logs  # loaded for paths alone

    by = [str(name) for name in ([wishes.by] if isinstance(wishes.by, str) else wishes.by or ())]
    (metric,) = logs.asked_metrics(own, wishes.measure, several=False)
    table = logs.table_of(own, metric, wishes.measure, group=given.get("group"), by=by)
    found = _split(dict(table.columns), by, wishes, dict(table.given))
    return replace(found, whole=logs.with_findings(found.whole, table.findings))


def _as_table(
    truth: Any, predictions: Sequence[Any], by: Any, given: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return arrays as a mapping of columns."""
    if not isinstance(by, Mapping):
        raise InputError("with arrays, ⟨by⟩ maps names to arrays with one value per item, as in by={'lang': langs}.")
    arrays = named(truth, predictions, given.get("names"))
    own = "truth"
    while own in arrays or own in by:
        own = f"the {own}"
    if both := [name for name in by if name in arrays]:
        raise InputError(f"{both[0]!r} names both a system and slices (⟨by⟩): rename one of them.")
    table = {own: truth, **arrays, **{binned(name)[0]: column for name, column in by.items()}}
    if len({len(column) for column in table.values()}) > 1:
        told = ", ".join(f"{name!r} {len(column):,}" for name, column in table.items())
        raise InputError(f"the arrays differ in length: {told}. Each must have one value per item.")
    kept = {name: value for name, value in given.items() if name != "names"}
    return table, kept | {"truth": own, "systems": list(arrays)}


def _split(data: Any, by: Sequence[str], wishes: Wishes, given: Mapping[str, Any]) -> Sliced:
    """Read item by item: the table as a whole, then the rows of each slice as a table of its own."""
    keys = [given[name] for name in ("id", "item") if name in given]
    tables = tables_of(data)
    if len(tables) > 1 and "system_column" not in given and all(name in given for name in OF_ITEMS):
        tables, given = as_long(tables, given)
    long = "system_column" in given
    names = list(dict.fromkeys(name for _, table in tables for name in table))
    wanted = wanted_columns(by, names)
    shared = [given[name] for name in ("truth", "group") if name in given]
    columns = (
        stacked(tables)
        if long or len(tables) == 1
        else columns_of_any(data, keys=keys, shared=[*dict.fromkeys([*shared, *wanted])])
    )
    slices = split_columns(columns, wanted)
    roles = {value for name, value in given.items() if isinstance(value, str)}
    kept = {name: column for name, column in columns.items() if name not in wanted or name in roles}
    asked: dict[str, Any] = {"positive": wishes.positive, "measure": wishes.measure}
    whole = read(kept, **asked, **given)
    fixed = {**given, "systems": list(whole.systems)}
    if isinstance(whole, Scores) and whole.truth is not None:
        asked["positive"] = whole.name.removeprefix("score of ")
    parts = []
    for column, rows_of in slices.items():
        for name, rows in rows_of.items():
            own = {each: [values[row] for row in rows] for each, values in kept.items()}
            try:
                found: Any = read(own, **asked, **fixed)
                parts.append(Part(column, name, found.items, found))
            except InputError as error:
                parts.append(Part(column, name, len(rows), None, str(error)))
    _check_items(whole, parts)
    return Sliced(whole, tuple(parts))


def _check_items(whole: Any, parts: Sequence[Part]) -> None:
    """Refuse slices that share items, as those of a column of repeats do: they are not independent."""
    if isinstance(whole, RepeatedScores):
        sizes: Counter[str] = Counter()
        for part in parts:
            sizes[part.column] += 0 if part.data is None else part.data.items
        if shared := [column for column, items in sizes.items() if items > whole.items]:
            raise InputError(f"column {quoted(shared[:1])} differs within items, and slices are of items (⟨by⟩).")
