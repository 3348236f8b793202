"""Sentences of the library in the words of the command line."""

import re
import shlex
from typing import Any, Final

from outclass.cli.option import Given
from outclass.cli.options import FLAGS
from outclass.dialects import ANY, ASKED, MARKED

# Arguments that are two options each.
RATES: Final = {"recalls": "--recall-a, --recall-b", "false_positive_rates": "--fpr-a, --fpr-b"}


def in_options(told: str, given: Given) -> str:
    """Return a sentence of the library in the words of the command line: arguments become the options that were typed.

    An error that names no option begins with the one whose value it shows, as in "--hdi-mass: ... got 7".
    """
    ranges = [FLAGS[name] for name in given if name.startswith("prior_")]

    def typed(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name == "prior" and ranges and "prior" not in given:
            return " and ".join(ranges)  # which are parts of it
        option = RATES.get(name) or FLAGS.get(name, name)
        return option if value in (None, "True", ANY) else f"{option} {value if value == 'A,B' else shlex.quote(value)}"

    def asked(found: re.Match[str]) -> str:
        options = MARKED.sub(typed, f" ⟨{found[2]}⟩") if found[2] else ""
        return f"`outclass {found[1]}{options}`"

    told = MARKED.sub(typed, ASKED.sub(asked, told))
    if "--" in told:
        return told
    shown_by = [name for name, value in given.items() if FLAGS[name].startswith("-") and _is_shown(value, told)]
    return f"{FLAGS[shown_by[0]]}: {told}" if len(shown_by) == 1 else told


def _is_shown(value: Any, told: str) -> bool:
    """Return whether a sentence shows a value, as it was typed or as the library read it."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str) and each and repr(each) in told:
            return True
        if isinstance(each, int | float) and re.search(rf"got '?{re.escape(f'{each:g}')}(\.0)?\b", told):
            return True
    return False
