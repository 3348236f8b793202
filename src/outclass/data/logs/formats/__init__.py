"""Takes a file of a harness, gives typed runs: a file per format, discovered automatically; none imports its harness.

A file has `NAME` (what ⟨source⟩ calls it), `TITLE`, `claims(head)`, which looks at the name and the first record, and
`read(head, asked)`, which yields the runs of a file; `OPTIONS` are those of `Asked` that it uses, if it does.
`completed(runs)`, if it has it, is given all runs of a format, where one log is whole only together with others.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from outclass.data.logs.files import Head
from outclass.errors import InputError, quoted, unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a reader may be asked: options that change what is read out of a log."""

    unfinished: bool = False
    duplicates: str | None = None
    board: str | None = None


@cache
def formats() -> dict[str, Any]:
    """Return all formats by their names."""
    found = [import_module(f"{__name__}.{each.name}") for each in iter_modules(__path__)]
    return {each.NAME: each for each in found}


def format_named(name: Any) -> Any:
    """Find a format by its name."""
    wanted = str(name).strip().lower().replace("_", "-")
    if wanted not in formats():
        raise unknown("format to read from", str(name), ["conll", *formats()])
    return formats()[wanted]


def check_options(asked: Asked, found: Iterable[Any]) -> None:
    """Refuse an option that none of some formats uses."""
    used = {name for each in found for name in getattr(each, "OPTIONS", ())}
    for each in fields(asked):
        if getattr(asked, each.name) and each.name not in used:
            of = quoted([name for name, own in formats().items() if each.name in getattr(own, "OPTIONS", ())])
            raise InputError(f"⟨{each.name}⟩ is not used with these logs, only with those of {of}: leave it out.")


def is_format(name: Any) -> bool:
    """Return whether a name is that of a format of logs."""
    return str(name).strip().lower().replace("_", "-") in formats()


def format_of(head: Head) -> Any | None:
    """Return the format that claims a file; None if it is no log."""
    claimed = [each for each in formats().values() if each.claims(head)]
    if len(claimed) > 1:
        raise InputError(
            f"{quoted([head.path.name])} looks like {' and like '.join(each.TITLE for each in claimed)}: name "
            "its format "
            f"(⟨source={claimed[0].NAME}⟩)."
        )
    return claimed[0] if claimed else None
