"""Repeats of items, saved item by item: its id and group, and every system's answers by the name of the repeat.

Items and their repeats add up: a batch may bring new items, or further repeats of items that are there.
"""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from outclass.data.coding import numbered
from outclass.data.labels import name_of
from outclass.data.repeats import OneSystem, RepeatedScores, repeated_scores
from outclass.data.saved import KINDS
from outclass.data.saved.plain import are_names, can_be_written, damaged, parsed, written
from outclass.errors import InputError, quoted
from outclass.findings import Finding

MARK: Final = KINDS["RepeatedScores"].mark
FIELDS: Final = ("systems", "grouped", "answers", "name", "higher_is_better", "items")
Answer = list[Any]  # the repeat, the number and, if it is known, what was answered
Item = list[Any]  # the id, the group ("" without), and the answers of every system


def to_json(data: RepeatedScores) -> str:
    """Write one item per line, sorted."""
    head = {
        "systems": list(data.systems),
        "grouped": data.group is not None,
        "answers": _with_answers(data),
        "name": data.name,
        "higher_is_better": data.higher_is_better,
    }
    return written(MARK, head, "items", sorted(_rows(data)))


def from_json(text: str) -> RepeatedScores:
    """Read them back."""
    plain = parsed(text, MARK, FIELDS)
    systems, grouped, answers, name, better, rows = (plain.get(field) for field in FIELDS)
    if not (are_names(systems) and systems):
        raise damaged("systems are not a list of names")
    if not (isinstance(name, str) and can_be_written(name)):
        raise damaged("name is no text")
    if not all(isinstance(each, bool) for each in (grouped, answers, better)):
        raise damaged("grouped, answers or higher_is_better is neither true nor false")
    assert isinstance(answers, bool)
    if not isinstance(rows, list) or not rows or not all(_is_item(row, len(systems), answers) for row in rows):
        raise damaged("items are not rows of an id, a group and every system's answers")
    if len({row[0] for row in rows}) < len(rows):
        raise damaged("items have an id twice")
    told = {"name": name, "higher_is_better": better}
    return _of_rows(tuple(systems), rows, grouped=bool(grouped), answers=answers, told=told)


def _is_item(row: Any, systems: int, answers: bool) -> bool:
    if not isinstance(row, list) or len(row) != 2 + systems or not all(_is_text(each) for each in row[:2]):
        return False
    size = 3 if answers else 2
    return all(_are_answers(own, size) for own in row[2:])


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and can_be_written(value)


def _are_answers(own: Any, size: int) -> bool:
    if not isinstance(own, list) or not own:
        return False
    for each in own:
        sound = isinstance(each, list) and len(each) == size and _is_text(each[0])
        if not sound or type(each[1]) is not float or not math.isfinite(each[1]):
            return False
        if size > 2 and not (each[2] is None or _is_text(each[2])):
            return False
    return len({each[0] for each in own}) == len(own)


def added(state: RepeatedScores | None, evidence: RepeatedScores, *, new_labels: bool) -> RepeatedScores:
    """Add items, and further repeats of items that are there; groups of one name are one."""
    if new_labels:
        raise InputError("scores have no labels: leave out ⟨new_labels=True⟩.")
    new = _rows(evidence)
    if state is None:
        return _again(evidence, new)
    _check_same(state, evidence)
    there = {name_of(row[0]): row for row in _rows(state)}
    for row in new:
        old = there.setdefault(name_of(row[0]), row)
        if old is not row:
            there[name_of(row[0])] = _merged(old, row, state.systems)
    # What is said of the repeats themselves is said anew of all of them.
    again = {*state.repeats.findings(), *evidence.repeats.findings()}
    findings = tuple(each for each in dict.fromkeys((*state.findings, *evidence.findings)) if each not in again)
    return _again(state, list(there.values()), findings)


def _check_same(state: RepeatedScores, evidence: RepeatedScores) -> None:
    """Refuse numbers of something else."""
    for what, one, other in (
        ("the numbers", _named(state), _named(evidence)),
        ("groups", state.group is not None, evidence.group is not None),
        ("answers", _with_answers(state), _with_answers(evidence)),
    ):
        if one != other:
            raise InputError(
                f"the state and the new evidence differ in {what}: {one} and {other}. Read every batch with the same "
                "options."
            )


def _named(data: RepeatedScores) -> str:
    return f"{quoted([data.name])} ({'higher' if data.higher_is_better else 'lower'} is better)"


def _merged(old: Item, new: Item, systems: Sequence[str]) -> Item:
    """Return an item with the repeats of both; a repeat that both have must not be counted twice."""
    if old[1] != new[1]:
        raise InputError(f"item {quoted([new[0]])} is in the groups {quoted([old[1], new[1]])}; it can be in one.")
    found: Item = old[:2]
    for system, before, after in zip(systems, old[2:], new[2:], strict=True):
        if again := sorted({each[0] for each in before} & {each[0] for each in after}):
            raise InputError(
                f"the state already has repeat {quoted(again, most=3)} of item {quoted([new[0]])}, {quoted([system])}. "
                "Remove the rows, or give further repeats names of their own (⟨repeat⟩)."
            )
        found.append(sorted([*before, *after], key=lambda each: each[0]))
    return found


def _with_answers(data: RepeatedScores) -> bool:
    return all(own.answers is not None for own in data.repeats.systems.values())


def _again(data: RepeatedScores, rows: Sequence[Item], findings: tuple[Finding, ...] | None = None) -> RepeatedScores:
    told = {"name": data.name, "higher_is_better": data.higher_is_better}
    told |= {"findings": data.findings if findings is None else findings}
    grouped = data.group is not None
    return _of_rows(data.systems, rows, grouped=grouped, answers=_with_answers(data), told=told)


def _rows(data: RepeatedScores) -> list[Item]:
    """Return the items."""
    assert data.ids is not None
    groups = [""] * len(data)
    if data.group is not None and data.group_names is not None:
        groups = [data.group_names[code] for code in data.group.tolist()]
    rows: list[Item] = [[own, group, *([] for _ in data.systems)] for own, group in zip(data.ids, groups, strict=True)]
    answers = _with_answers(data)
    for place, own in enumerate(data.repeats.systems.values(), start=2):
        said = own.answers if answers else None
        for at, (item, which) in enumerate(zip(own.item.tolist(), own.which.tolist(), strict=True)):
            answer: Answer = [data.repeats.names[which], float(own.values[at]) + 0.0]
            if said is not None:
                answer.append(None if said[at] < 0 else data.repeats.said[said[at]])
            rows[item][place].append(answer)
    for row in rows:
        for own_answers in row[2:]:
            own_answers.sort(key=lambda each: each[0])
    return rows


def _of_rows(
    systems: Sequence[str], rows: Sequence[Item], *, grouped: bool, answers: bool, told: dict[str, Any]
) -> RepeatedScores:
    """Return items in their order in the file, whatever order they come in."""
    rows = sorted(rows)
    names, _ = numbered([each[0] for row in rows for own in row[2:] for each in own])
    place = {name: at for at, name in enumerate(names)}
    said = (
        sorted({each[2] for row in rows for own in row[2:] for each in own if each[2] is not None}) if answers else []
    )
    code = {answer: at for at, answer in enumerate(said)}
    found = {}
    for at, system in enumerate(systems, start=2):
        listed = [(item, each) for item, row in enumerate(rows) for each in row[at]]
        found[system] = OneSystem(
            item=np.array([item for item, _ in listed], dtype=np.int64),
            which=np.array([place[each[0]] for _, each in listed], dtype=np.int64),
            values=np.array([each[1] for _, each in listed], dtype=float),
            answers=np.array([code.get(each[2], -1) for _, each in listed], dtype=np.int64) if answers else None,
        )
    if grouped:
        told["group_names"], told["group"] = numbered([row[1] for row in rows])
    return repeated_scores(names, found, ids=tuple(row[0] for row in rows), said=said, **told)
