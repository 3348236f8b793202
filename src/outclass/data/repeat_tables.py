"""Repeats of items from tables: long (a row per answer), wide (a column per system), or a table per system.

What is read are numbers, or labels beside their truth, of which an answer is right or wrong.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from outclass.data.candidates import numeric
from outclass.data.coding import numbered, placed
from outclass.data.columns import Whole
from outclass.data.counted import check_policy
from outclass.data.in_memory import check_columns, joined, stacked, tables_of
from outclass.data.labels import is_missing, label_of, name_of
from outclass.data.names import selection
from outclass.data.repeats import OneSystem, RepeatedScores, repeated_scores
from outclass.data.score_tables import numbers_of
from outclass.errors import InputError, quoted
from outclass.findings import Finding, finding

SHOWN: Final = 3  # items that a message names


def read_repeats(
    data: Any,
    *,
    item: str | None = None,
    repeat: str,
    systems: Sequence[str] | None = None,
    system: str | None = None,
    score: str | None = None,
    label: str | None = None,
    truth: str | None = None,
    group: str | None = None,
    name: str | None = None,
    lower_is_better: bool = False,
    missing: str = "error",
) -> RepeatedScores:
    """Read numbers, or labels and their truth, of items that were repeated."""
    _check(item, system, score, label, truth, lower_is_better=lower_is_better, missing=missing)
    assert item is not None
    value = label if label is not None else score
    keys = [each for each in (item, repeat, truth, group) if each is not None]
    if len(set(keys)) < len(keys):
        raise InputError(f"one column was given several roles: {quoted(keys)}.")
    columns, notes = _long(data, keys, system, value, systems, of_labels=truth is not None)
    for column in (item, repeat, *([] if group is None else [group])):
        if gone := sum(map(is_missing, columns[column])):
            raise InputError(f"column {quoted([column])} has {gone:,} empty cells; every row needs one.")
    if truth is not None:
        _check_truth(columns[item], columns[truth], truth)
    rows, dropped = _answers(columns, item, repeat, truth, missing)
    ids, kept = _items(columns[item], rows, missing)
    found, repeats, said = _coded(rows, kept, truth)
    told: dict[str, Any] = {"findings": (*notes, *dropped, *_told_items(ids, kept))}
    if group is not None:
        told |= _grouped(columns[item], columns[group], kept, group)
    title = name or (score if score is not None else "score" if truth is None else "accuracy")
    whole = repeated_scores(
        repeats, found, said=said, ids=tuple(kept), name=title, higher_is_better=not lower_is_better, **told
    )
    return whole if systems is None else whole.selected([name_of(each) for each in systems])


def _check(
    item: str | None,
    system: str | None,
    score: str | None,
    label: str | None,
    truth: str | None,
    *,
    lower_is_better: bool,
    missing: str,
) -> None:
    """Refuse options that do not go together."""
    check_policy(missing)
    if item is None:
        raise InputError("⟨repeat⟩ needs the column of the items that are repeated (⟨item=COL⟩), or ⟨fold⟩.")
    if label is not None and (system is None or truth is None):
        raise InputError("⟨label⟩ names the answers of a long table, with ⟨system_column⟩ and ⟨truth⟩.")
    if system is not None and score is None and label is None:
        raise InputError("a long table needs the column of the numbers (⟨score⟩), or of the labels (⟨label⟩, ⟨truth⟩).")
    if lower_is_better and (truth is not None or missing == "wrong"):
        told = "right answers are better than wrong ones" if truth is not None else "0 is not the worst number"
        raise InputError(f"{told}: leave out ⟨lower_is_better⟩ or change ⟨missing⟩.")


def _long(
    data: Any,
    keys: Sequence[str],
    system: str | None,
    value: str | None,
    systems: Sequence[str] | None,
    *,
    of_labels: bool,
) -> tuple[Whole, tuple[Finding, ...]]:
    """Return a table with a row per answer, whose systems and answers are the columns None and ''."""
    tables = tables_of(data)
    notes: tuple[Finding, ...] = ()
    if value is not None and system is None:
        # A table per system, each with its own repeats.
        parts = []
        for place, columns in tables:
            check_columns(columns, {"values": value, **{key: key for key in keys}}, quoted([place]))
            parts.append(
                {**{key: columns[key] for key in keys}, "": columns[value], _SYSTEM: [place] * len(columns[value])}
            )
        whole = stacked([(place, part) for (place, _), part in zip(tables, parts, strict=True)])
    elif system is not None:
        columns = stacked(tables)
        check_columns(columns, {"systems": system, "values": value, **{key: key for key in keys}})
        if gone := sum(map(is_missing, columns[system])):
            raise InputError(f"column {quoted([system])} has {gone:,} empty cells; every row needs one.")
        whole = {**{key: columns[key] for key in keys}, "": columns[value or ""], _SYSTEM: _named(columns[system])}
    else:
        columns = tables[0][1] if len(tables) == 1 else joined(tables, keys[:2], keys[2:])
        check_columns(columns, {key: key for key in keys})
        if systems is None and of_labels:
            raise InputError("which columns are systems? Beside labels, name them with ⟨systems=COL⟩.")
        names = list(systems) if systems is not None else [each for each in columns if each not in keys]
        if systems is None:
            known, notes = numeric(columns, names)
            names = list(known)
        check_columns(columns, {each: each for each in names})
        if both := [each for each in names if each in keys]:
            raise InputError(f"column {quoted(both[:1])} is named both as a system (⟨systems⟩) and in another role.")
        many = len(columns[keys[0]])
        whole = {key: [each for _ in names for each in columns[key]] for key in keys}
        whole |= {
            "": [each for own in names for each in columns[own]],
            _SYSTEM: [own for own in names for _ in range(many)],
        }
    if systems is not None:
        chosen = set(selection([name_of(each) for each in systems], dict.fromkeys(whole[_SYSTEM])))
        kept = [at for at, own in enumerate(whole[_SYSTEM]) if own in chosen]
        whole = {key: [column[at] for at in kept] for key, column in whole.items()}
    return whole, notes


_SYSTEM: Final = " "  # no column that a file has is called so


def _check_truth(items: Sequence[Any], truths: Sequence[Any], column: str) -> None:
    """Refuse an item without a truth, or with two."""
    known: dict[str, Any] = {}
    for own, true in zip(_named(items), truths, strict=True):
        if is_missing(true):
            raise InputError(f"item {quoted([own])} has no truth in column {quoted([column])} (⟨truth⟩).")
        said = label_of(true)
        if known.setdefault(own, said) != said:
            raise InputError(f"item {quoted([own])} has different truths (⟨truth⟩): {quoted([known[own], said])}.")


def _named(column: Sequence[Any]) -> list[str]:
    """Return what the values of a column are called; each distinct one is looked at once."""
    codes, distinct = placed(column if isinstance(column, list) else list(column))
    words = [name_of(value) for value in distinct]
    return [words[code] for code in codes.tolist()]


Answer = tuple[str, str, str, Any, Any]  # the system, the item, the repeat, what was answered, the truth


def _answers(
    columns: Mapping[str, Any], item: str, repeat: str, truth: str | None, missing: str
) -> tuple[list[Answer], tuple[Finding, ...]]:
    """Return the answers that are there, each once."""
    items, repeats = _named(columns[item]), _named(columns[repeat])
    truths = [None] * len(items) if truth is None else columns[truth]
    seen: dict[tuple[str, str, str], Any] = {}
    found: list[Answer] = []
    gone: Counter[str] = Counter()
    twice = 0
    for own, which, who, said, true in zip(items, repeats, columns[_SYSTEM], columns[""], truths, strict=True):
        if is_missing(said):
            gone[who] += 1
            if missing != "wrong":
                continue
        value = None if is_missing(said) else said
        key = (who, own, which)
        if key in seen:
            if not _same(seen[key], value, labels=truth is not None):
                raise InputError(
                    f"item {quoted([own])} has two different answers of {quoted([who])} in repeat {quoted([which])}: "
                    f"{quoted([seen[key], value])}. Column {quoted([repeat])} must tell repeats apart (⟨repeat⟩)."
                )
            twice += 1
            continue
        seen[key] = value
        found.append((who, own, which, value, true))
    told = ", ".join(f"{who} {many:,}" for who, many in gone.items())
    if gone and missing == "error":
        raise InputError(
            f"answers are missing ({told}). Leave out these repeats (⟨missing=drop⟩), or count them as "
            f"{'0' if truth is None else 'wrong'} (⟨missing=wrong⟩)."
        )
    notes = []
    if gone:
        done = "were left out" if missing == "drop" else f"were counted as {'0' if truth is None else 'wrong'}"
        notes.append(finding("OC101" if missing == "drop" else "OC102", f"missing answers {done}: {told}."))
    if twice:
        notes.append(finding("OC523", f"{twice:,} rows occur twice with the same answer and were counted once."))
    return found, tuple(notes)


def _same(one: Any, other: Any, *, labels: bool) -> bool:
    if one is None or other is None:
        return one is other
    return label_of(one) == label_of(other) if labels else str(one) == str(other) or one == other


def _items(items: Sequence[Any], rows: Sequence[Answer], missing: str) -> tuple[list[str], list[str]]:
    """Return all items, and those of which every system has a repeat; an error where one lacks some."""
    ids = list(dict.fromkeys(_named(items)))
    names = list(dict.fromkeys(row[0] for row in rows))
    has = {name: {row[1] for row in rows if row[0] == name} for name in names}
    kept = [each for each in ids if all(each in has[name] for name in names)]
    if not names or not kept:
        raise InputError("no item has an answer from every system.")
    if len(kept) < len(ids) and missing != "drop":
        name, lacking = next(
            (name, [each for each in ids if each not in has[name]]) for name in names if len(has[name]) < len(ids)
        )
        are = "1 item is" if len(lacking) == 1 else f"{len(lacking):,} items are"
        raise InputError(
            f"{are} without an answer of {quoted([name])}: {quoted(lacking, most=SHOWN)}. A paired comparison needs "
            "the same items of every system: drop them with ⟨missing=drop⟩."
        )
    return ids, kept


def _told_items(ids: Sequence[str], kept: Sequence[str]) -> tuple[Finding, ...]:
    gone = len(ids) - len(kept)
    if not gone:
        return ()
    return (
        finding("OC101", f"{gone:,} of {len(ids):,} items have a missing score from some system and were dropped."),
    )


def _coded(
    rows: Sequence[Answer], kept: Sequence[str], truth: str | None
) -> tuple[dict[str, OneSystem], tuple[str, ...], tuple[str, ...]]:
    """Return every system's answers as arrays, with the names of the repeats and of what was answered."""
    place = {each: at for at, each in enumerate(kept)}
    rows = [row for row in rows if row[1] in place]
    names, which = numbered([row[2] for row in rows])
    items = np.array([place[row[1]] for row in rows], dtype=np.int64)
    who, systems = placed([row[0] for row in rows])
    if truth is None:
        numbers = numbers_of([0.0 if row[3] is None else row[3] for row in rows], "the numbers")
        words: tuple[str, ...] = ()
        answers = None
    else:
        codes_of, distinct = placed([row[3] for row in rows])
        labels = [label_of(each) for each in distinct]
        texts = ["" if each is None else str(each) for each in labels]
        words = tuple(sorted(set(texts) - {""}))
        codes_in = {word: at for at, word in enumerate(words)}
        answers = np.array([codes_in.get(text, -1) for text in texts], dtype=np.int64)[codes_of]
        true = [label_of(row[4]) for row in rows]
        numbers = np.array([labels[at] == one for at, one in zip(codes_of.tolist(), true, strict=True)], dtype=float)
    found = {}
    for code, system in enumerate(systems):
        own = who == code
        codes = None if answers is None else answers[own]
        found[system] = OneSystem(item=items[own], which=which[own], values=numbers[own], answers=codes)
    return found, names, words


def _grouped(items: Sequence[Any], groups: Sequence[Any], kept: Sequence[str], column: str) -> dict[str, Any]:
    """Return the group of each item, which must be the same in all of its rows."""
    known: dict[str, str] = {}
    for own, value in zip(_named(items), _named(groups), strict=True):
        if known.setdefault(own, value) != value:
            raise InputError(
                f"item {quoted([own])} is in several groups of {quoted([column])} (⟨group⟩): "
                f"{quoted([known[own], value])}."
            )
    names, codes = numbered([known[each] for each in kept])
    return {"group": codes, "group_names": names}
