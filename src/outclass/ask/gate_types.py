"""What kind of value each key of a gate's configuration takes, so that a wrong one is told before anything is read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from outclass.ask.columns import Columns, LabelSets, Population
from outclass.ask.question import Computation
from outclass.errors import InputError, quoted, shown

Test = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0 and all(map(_text, value))


def _one_or_more(value: Any) -> bool:
    return _text(value) or _texts(value)


def _systems(value: Any) -> bool:
    if isinstance(value, Mapping):
        return len(value) > 0 and all(map(_one_or_more, value.values()))
    return _one_or_more(value)


TEXT: Final = (_text, "a text")
FLAG: Final = (_flag, "true or false")
TEXTS: Final = (_one_or_more, "a text, or a list of texts")
PLAIN: Final[Mapping[type, tuple[Test, str]]] = {
    bool: FLAG,
    str: TEXT,
    int: (_whole, "a whole number"),
    float: (_number, "a number"),
}
# Keys that take more than one kind, and those that are no columns.
OWN: Final[Mapping[str, tuple[Test, str]]] = {
    **dict.fromkeys(("truth", "names", "judge", "by", "runs", "qrels"), TEXTS),
    "systems": (_systems, "a text, a list of texts, or a table of them"),
    **dict.fromkeys(("model", "undefined", "average", "name", "task", "commit", "undecided", "control"), TEXT),
    "anytime": FLAG,
    "rng": PLAIN[int],
    "measure": (lambda value: not isinstance(value, bool | int | float), "a text, or a list of texts"),
    "merge": (lambda value: isinstance(value, str | list | tuple | Mapping), "a text, a list, or a table"),
    "ledger": (lambda value: _text(value) or isinstance(value, Path), "a path"),
}
# What only a file must have as a path: Python gives what was read as well.
OF_FILES: Final[Mapping[str, tuple[Test, str]]] = dict.fromkeys(("baseline", "anchor"), (_text, "a path"))


def _kinds() -> dict[str, tuple[Test, str]]:
    found = {}
    for part in (Columns, LabelSets, Population, Computation):
        for name, annotation in part.__annotations__.items():
            kinds = [kind for kind in get_args(annotation) if kind in PLAIN]
            if len(kinds) == 1:
                found[name] = PLAIN[kinds[0]]
    return {**found, **OWN}


def check_types(table: Mapping[str, Any], where: str, read_by_python: bool = True) -> None:
    """Refuse a value of a kind that its key does not take."""
    known = {**_kinds(), **({} if read_by_python else OF_FILES)}
    for name, value in table.items():
        if value is None or name not in known:
            continue
        test, kind = known[name]
        if not test(value):
            raise InputError(f"{quoted([name])} in {where} must be {kind}, got {shown(value)}.")
