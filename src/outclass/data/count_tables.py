"""Tables of counts per item: wide (columns for each system), long (a row for each item and system), or one per system.

Three columns hold true positives, false positives and false negatives. In a wide table they are named by patterns,
`*_tp`, whose star is the system's name.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts
from outclass.data.coding import numbered, placed
from outclass.data.columns import Whole
from outclass.data.counted import check_policy
from outclass.data.in_memory import check_columns, stacked, tables_of
from outclass.data.labels import is_missing
from outclass.data.names import selection
from outclass.data.tally import whole_counts
from outclass.data.unit_counts import ALL, FN, TP, PerItem, by_item, unit_counts
from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding, finding

STAR: Final = "*"
MOST: Final = 10**12  # of one count
ROLES: Final = ("tp", "fp", "fn")
NAMELESS: Final = "A"  # the one system of a table that is no file
SHOWN: Final = 3


class _Long(NamedTuple):
    """One row for each item, label and system: their places, the counts, and which of these are missing."""

    item: Counts
    label: Counts
    system: Counts
    cells: Counts
    gone: np.ndarray


def read_counts(
    data: Any,
    *,
    tp: str,
    fp: str,
    fn: str,
    systems: Sequence[str] | None = None,
    system_column: str | None = None,
    item: str | None = None,
    id: str | None = None,
    label: str | None = None,
    group: str | None = None,
    count: str | None = None,
    missing: str = "error",
) -> PerItem:
    """Read counts per item from a table, or from one table per system."""
    check_policy(missing)
    if item is not None and id is not None:
        raise InputError("⟨item⟩ and ⟨id⟩ both name the items: give only one.")
    item = item or id
    named = dict(zip(ROLES, (tp, fp, fn), strict=True))
    _check_patterns(named, system_column)
    tables = tables_of(data)
    columns = stacked(tables) if system_column is not None or len(tables) == 1 else {}
    if not columns:
        columns, system_column = _of_files(tables, named, item)
    roles = {"item": item, "label": label, "group": group, "count": count, "system_column": system_column}
    check_columns(columns, {f"⟨{role}⟩": name for role, name in roles.items()})
    if (label is not None or system_column is not None) and item is None:
        raise InputError("a table with several rows per item needs the column of items: ⟨item=COL⟩.")
    if count is not None and (item is not None or group is not None):
        raise InputError("⟨count⟩ is for a table with one row per kind of item: leave out ⟨item⟩, ⟨id⟩ and ⟨group⟩.")
    for role, name in roles.items():
        if name is not None and any(map(is_missing, columns[name])):
            raise InputError(f"column {quoted([name])} (⟨{role}⟩) has empty cells; every row needs one.")
    size = len(next(iter(columns.values())))
    items, place = numbered(columns[item]) if item is not None else ((), np.arange(size))
    labels, kind = numbered(columns[label]) if label is not None else ((ALL,), np.zeros(size, dtype=np.int64))
    names, rows = _rows(columns, _wide(columns, named, tables[0][0]), systems, system_column, place, kind)
    _check_once(rows, items, labels, names, typed=label is not None)
    return _counted(
        rows,
        names,
        labels,
        len(items) if item is not None else size,
        items=items,
        missing=missing,
        times=None if count is None else np.array(whole_counts(zip(columns[count]), count), dtype=np.int64),
        group=None if group is None else _groups(columns[group], place, group),
    )


# --- columns ---------------------------------------------------------------------------------------------------------


def _check_patterns(named: Mapping[str, str], system_column: str | None) -> None:
    stars = [name.count(STAR) for name in named.values()]
    if len(set(named.values())) < len(named):
        raise InputError(f"⟨tp⟩, ⟨fp⟩ and ⟨fn⟩ name three different columns, got {quoted(named.values())}.")
    if max(stars) > 1 or len(set(stars)) > 1:
        raise InputError(
            "⟨tp⟩, ⟨fp⟩ and ⟨fn⟩ are three columns, or three patterns with one * each, which stands for the system's "
            f"name, as in '*_tp'; got {quoted(named.values())}."
        )
    if stars[0] and system_column is not None:
        raise InputError(
            "patterns (⟨tp=*_tp⟩) are for a wide table, ⟨system_column⟩ for a long one: give one of the two."
        )


def _of_files(tables: Sequence[tuple[str, Whole]], named: Mapping[str, str], item: str | None) -> tuple[Whole, str]:
    """Return one table per system below each other, with a column that names the system."""
    if STAR in "".join(named.values()) or item is None:
        raise InputError(
            f"{len(tables)} tables were given, one per system: name their columns themselves (⟨tp=tp⟩, not a pattern) "
            "and the column of items that they share (⟨id=COL⟩)."
        )
    own = "system"
    for name, columns in tables:
        check_columns(columns, _marked(named), quoted([name]))
        while own in columns:
            own = f"the {own}"
    shared = [each for each in tables[0][1] if all(each in columns for _, columns in tables)]
    marked = [
        (name, {**{each: columns[each] for each in shared}, own: [name] * len(columns[named["tp"]])})
        for name, columns in tables
    ]
    return stacked(marked), own


def _marked(roles: Mapping[str, str]) -> dict[str, str | None]:
    """Return columns by their roles, as an error names these."""
    return {f"⟨{role}⟩": name for role, name in roles.items()}


def as_long(
    tables: Sequence[tuple[str, Whole]], given: Mapping[str, Any]
) -> tuple[list[tuple[str, Whole]], dict[str, Any]]:
    """Return one table per system as one long table, and the options that say so."""
    item = given.get("id", given.get("item"))
    columns, system = _of_files(tables, {role: given[role] for role in ROLES if role in given}, item)
    kept = {name: value for name, value in given.items() if name != "id"}
    return [("the tables", columns)], kept | {"item": item, "system_column": system}


def _wide(columns: Whole, named: Mapping[str, str], table: str) -> dict[str, list[str]]:
    """Return the three columns of each system: as patterns say; or of the one that a table is about."""
    if STAR in named["tp"]:
        return _by_pattern(columns, named)
    check_columns(columns, _marked(named))
    return {NAMELESS if table.startswith("the ") else table: list(named.values())}


def _rows(
    columns: Whole,
    found: Mapping[str, list[str]],
    systems: Sequence[str] | None,
    system_column: str | None,
    place: Counts,
    kind: Counts,
) -> tuple[tuple[str, ...], _Long]:
    """Return the systems, and every row of every one of them."""
    if system_column is None:
        chosen = tuple(found) if systems is None else selection(systems, found)
        parts = [_numbers(columns, found[name]) for name in chosen]
        cells, gone = (np.concatenate(each) for each in zip(*parts, strict=True))
        many = len(chosen)
        system = np.repeat(np.arange(many), len(place))
        return chosen, _Long(np.tile(place, many), np.tile(kind, many), system, cells, gone)
    every, own = numbered(columns[system_column])
    order = tuple(dict.fromkeys(every[code] for code in own.tolist()))
    chosen = order if systems is None else selection(systems, order)
    to = np.array([chosen.index(name) if name in chosen else -1 for name in every])[own]
    kept = to >= 0
    (names,) = found.values()
    cells, gone = _numbers(columns, names)
    return chosen, _Long(place[kept], kind[kept], to[kept], cells[kept], gone[kept])


def _by_pattern(columns: Whole, named: Mapping[str, str]) -> dict[str, list[str]]:
    """Find the systems of a wide table by the patterns of their columns."""
    found: dict[str, dict[str, str]] = {}
    for role, pattern in named.items():
        start, _, end = pattern.partition(STAR)
        like = re.compile(f"{re.escape(start)}(.+){re.escape(end)}", re.DOTALL)
        for column in columns:
            if (match := like.fullmatch(column)) is not None:
                found.setdefault(match[1], {})[role] = column
    if not found:
        raise InputError(f"no column is like {quoted(named.values())} (⟨tp⟩, ⟨fp⟩, ⟨fn⟩); there are {quoted(columns)}.")
    for system, own in found.items():
        if lacking := [named[role].replace(STAR, system) for role in ROLES if role not in own]:
            raise InputError(
                f"system {quoted([system])} has the column {quoted(own.values())}, but no column {quoted(lacking)} "
                "(⟨tp⟩, ⟨fp⟩, ⟨fn⟩)."
            )
    return {system: [own[role] for role in ROLES] for system, own in found.items()}


def _numbers(columns: Whole, names: Sequence[str]) -> tuple[Counts, np.ndarray]:
    """Return counts, (rows, 3), and which rows lack one."""
    cells, gone = [], []
    for name in names:
        codes, distinct = placed(columns[name])
        known = [is_missing(value) for value in distinct]
        cells.append(np.array([0 if out else _count(value, name) for value, out in zip(distinct, known, strict=True)]))
        gone.append(np.array(known, dtype=bool)[codes])
        cells[-1] = cells[-1].astype(np.int64)[codes]
    return np.stack(cells, axis=1), np.any(gone, axis=0)


def _count(value: Any, column: str) -> int:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not (0 <= number <= MOST and number == int(number)) or isinstance(value, bool):
        raise InputError(
            f"column {quoted([column])} must contain counts (⟨tp⟩, ⟨fp⟩, ⟨fn⟩), whole numbers from 0 on; got "
            f"{shown(value)}."
        )
    return int(number)


def _groups(values: Sequence[Any], place: Counts, column: str) -> tuple[tuple[str, ...], Counts]:
    """Return the names of the groups, and the group of every item."""
    names, codes = numbered(values)
    found = np.full(int(place.max()) + 1, -1, dtype=np.int64)
    found[place] = codes
    if (found[place] != codes).any():
        raise InputError(f"an item is in two groups; column {quoted([column])} (⟨group⟩) must name one for each item.")
    return names, found


# --- items -----------------------------------------------------------------------------------------------------------


def _check_once(rows: _Long, items: Sequence[str], labels: Sequence[str], names: Sequence[str], *, typed: bool) -> None:
    """Refuse an item that a system has counts of twice."""
    keys = (rows.item * len(labels) + rows.label) * len(names) + rows.system
    first = np.unique(keys, return_index=True)[1]
    if len(first) == len(keys):
        return
    again = int(np.setdiff1d(np.arange(len(keys)), first)[0])
    about = f" and label {quoted([labels[rows.label[again]]])}" if typed else ""
    hint = " (⟨item⟩, ⟨label⟩)." if typed else ". If rows are of different labels, name their column (⟨label=COL⟩)."
    raise InputError(
        f"item {quoted([items[rows.item[again]]])}{about} has counts of {quoted([names[rows.system[again]]])} "
        f"twice{hint}"
    )


def _counted(
    rows: _Long,
    names: Sequence[str],
    labels: Sequence[str],
    units: int,
    *,
    items: Sequence[str],
    missing: str,
    times: Counts | None,
    group: tuple[tuple[str, ...], Counts] | None,
) -> PerItem:
    """Put the systems' rows side by side, after settling what is missing."""
    present = np.zeros((units, len(names)), dtype=bool)
    present[rows.item, rows.system] = True
    present[rows.item[rows.gone], rows.system[rows.gone]] = False
    findings = _settled(present, names, items, missing)
    kept = np.asarray(present.all(axis=1)) if missing == "drop" else np.ones(units, dtype=bool)
    keys, row = np.unique(rows.item * len(labels) + rows.label, return_inverse=True)
    item, label = np.divmod(keys, len(labels))
    cells = np.zeros((len(keys), len(names), 3), dtype=np.int64)
    cells[row.ravel(), rows.system] = rows.cells
    if missing == "wrong":
        # Nothing was found of what the others say that there is.
        gold = (cells[:, :, TP] + cells[:, :, FN]).max(axis=1)
        out = ~present[item]
        cells[out] = 0
        cells[:, :, FN] = np.where(out, gold[:, None], cells[:, :, FN])
    order = np.cumsum(kept) - 1
    whole = kept[item]
    if group is not None:
        used, codes = np.unique(group[1][kept], return_inverse=True)
        group = (tuple(group[0][place] for place in used.tolist()), codes)
    found = unit_counts(
        *(names, labels, int(kept.sum())),
        order[item[whole]],
        label[whole],
        cells[whole],
        times=None if times is None else times[kept],
        group=group,
        findings=(*findings, *_gold(cells[whole], item[whole], names, items)),
    )
    counts = by_item(found)
    if not counts.items:
        raise InputError("no items are left: every row has a count of 0 (⟨count⟩).")
    if not len(counts.cells):
        raise InputError("all counts (⟨tp⟩, ⟨fp⟩, ⟨fn⟩) are 0: there is nothing to find, and nothing is found.")
    return found


def _settled(present: np.ndarray, names: Sequence[str], items: Sequence[str], missing: str) -> tuple[Finding, ...]:
    """Settle what to do with items of which a system has no counts."""
    if present.all():
        return ()
    lacking = np.flatnonzero(~present.all(axis=1))
    per = ", ".join(f"{name} {int(many)}" for name, many in zip(names, (~present).sum(axis=0), strict=True) if many)
    first = quoted([_named(items, int(place)) for place in lacking], most=3)
    if missing == "error":
        raise InputError(
            f"{len(lacking):,} of {len(present):,} items have no counts of some system ({per}): {first}. Drop these "
            "items (⟨missing=drop⟩), or count all that was to be found as missed (⟨missing=wrong⟩)."
        )
    if missing == "drop":
        if len(lacking) == len(present):
            raise InputError("no items are left: every item lacks the counts of some system (⟨missing⟩).")
        return (finding("OC101", f"{len(lacking):,} of {len(present):,} items lack counts ({per}) and were dropped."),)
    nobody = np.flatnonzero(~present.any(axis=1))
    if len(nobody):
        raise InputError(
            f"{len(nobody):,} items have no counts of any system, so that nobody knows what there was to find "
            "(⟨missing=wrong⟩). Drop them (⟨missing=drop⟩)."
        )
    return (finding("OC102", f"items without counts ({per}): all that was to be found was counted as missed."),)


def _named(items: Sequence[str], place: int) -> str:
    return items[place] if items else f"row {place + 1}"


def _gold(cells: Counts, item: Counts, names: Sequence[str], items: Sequence[str]) -> tuple[Finding, ...]:
    """Say if systems disagree about how much there is to find, which is the truth and no matter of theirs."""
    gold = cells[:, :, TP] + cells[:, :, FN]
    differ = np.flatnonzero((gold != gold[:, :1]).any(axis=1))
    if not len(differ):
        return ()
    at = int(differ[0])
    told = ", ".join(f"{many} in {name}" for many, name in list(zip(gold[at], names, strict=True))[:SHOWN])
    return (
        finding(
            "OC621",
            f"tp + fn, what there is to find, differs between systems on {len(np.unique(item[differ])):,} items "
            f"(first: {quoted([_named(items, int(item[at]))])}, {told}). If an item has one truth, these counts are "
            "wrong or not of the same items; if each system has its own (the best of several answers), recall compares "
            "different ones.",
        ),
    )
