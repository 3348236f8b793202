"""Findings in words: which of them come first, and the one line that each gets in a short answer."""

import re
from collections.abc import Sequence
from typing import Any, Final

from outclass.dialects import spoken
from outclass.findings import CODES
from outclass.report.words.short_forms import short_forms
from outclass.rows.types import Contrast
from outclass.verdict.rope import Verdict

# By how much a finding should change a reader's mind: what makes numbers wrong or beside the question, what makes them
# weak, and what only informs. A code that is not named here stands between the last two.
WRONG: Final = (
    *("OC210", "OC201", "OC215", "OC206", "OC302", "OC211", "OC632", "OC631", "OC603", "OC610"),
    *("OC508", "OC506", "OC503", "OC502", "OC511", "OC501", "OC514", "OC515", "OC516", "OC517"),
    *("OC406", "OC403", "OC120", "OC118", "OC119", "OC112", "OC652"),
    *("OC113", "OC117", "OC110", "OC106", "OC101", "OC102"),
)
WEAK: Final = (
    *("OC105", "OC107", "OC104", "OC108", "OC121", "OC208", "OC212", "OC214", "OC202", "OC207", "OC301", "OC122"),
    *("OC622", "OC642", "OC109", "OC651", "OC650", "OC656", "OC653"),
)
REMARKS: Final = (
    *("OC114", "OC115", "OC116", "OC203", "OC205", "OC209", "OC213", "OC100", "OC303", "OC304"),
    *("OC513", "OC509", "OC510", "OC504", "OC655", "OC654", "OC720"),
)
TOO_WIDE: Final = "OC305"
LEFT_OUT: Final = "OC100"
MIDDLE: Final = len(WRONG) + len(WEAK)
_ENDS: Final = re.compile(r"[.;:](?= )|,(?= (?:so|which|and|but|because) )")
_ALSO: Final = re.compile(r" \((?:Also for|And \d+ similar).*\)$")


def importance(rows: Sequence[Any], *, equivalent: bool = False) -> dict[str, int]:
    """Return the place of codes, the lowest first; a ROPE that is too wide leads where it made systems equivalent."""
    places = {code: place - MIDDLE for place, code in enumerate((*WRONG, *WEAK))}
    places |= {code: place for place, code in enumerate(REMARKS, start=1)}
    contrasts = [row for row in rows if isinstance(row, Contrast) and row.verdict is Verdict.EQUIVALENT]
    if equivalent or any(each.code == TOO_WIDE for row in contrasts for each in row.findings):
        places[TOO_WIDE] = -MIDDLE - 1
    return places


def in_a_line(code: str, message: str, many: int, width: int) -> str:
    """Write a finding in one line: all of it, or its short form or first clauses, or what its code is about."""
    also = _ALSO.search(message)
    tail = also[0] if also else f" (In {many} rows.)" if many > 1 else ""
    told = message[: also.start()] if also else message
    cuts = sorted((found.start() for found in _ENDS.finditer(told)), reverse=True)
    forms = [told, *(short_forms(code, told) or [told[:cut] for cut in cuts])]
    lines = [f"{code} {form.rstrip('.')}.{rest}" for form in forms for rest in dict.fromkeys((tail, ""))]
    if code == LEFT_OUT and len(lines[-1]) < width < len(lines[0]):
        # The names are what it says: as many as there is room for.
        return f"{code} {told[: width - len(code) - 3].rpartition(',')[0]}, …"
    about = CODES.get(code, "")
    last = f"{code} {about}."
    last = last if len(last) <= width else f"{last[: width - 1].rpartition(' ')[0]} …"
    return next((line for line in lines if len(line) <= width), last)


def more(hidden: int) -> str:
    """Say how many findings are not shown."""
    return spoken(f"({hidden} more with ⟨verbose⟩.)")


def remarks(hidden: int) -> str:
    """Say how many there are, where none is shown."""
    return spoken(f"({hidden} remark{'' if hidden == 1 else 's'} with ⟨verbose⟩.)")


def with_more(line: str, more: str) -> str:
    """Add how many more findings there are to a line, in the parenthesis that ends it if there is one."""
    if ending := re.search(r"\. \((?:Also for|And \d+ similar|In \d+ rows).*\.\)$", line):
        return f"{line[: ending.end() - 2]}; {more.removeprefix('(')}"
    return f"{line} {more}"


def similar(names: Sequence[str], most: int = 3) -> str:
    """Say for which other rows a finding holds in much the same words."""
    listed = list(dict.fromkeys(names))
    more = f" and {len(listed) - most} more" if len(listed) > most else ""
    return f"(Also for {', '.join(listed[:most])}{more}.)"
