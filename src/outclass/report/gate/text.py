"""A gate on a terminal: six lines for one check, a line or two for each of several."""

import textwrap
from collections.abc import Iterator
from typing import Any, Final

from outclass.report.text import plain, shortened
from outclass.report.words import gate as words
from outclass.rows.gate import GateCheck

WIDTH: Final = 80
MOST: Final = 30  # checks that are shown
FINDINGS: Final = 3
INDENT: Final = 2 + 2 + 14 + 2  # before, beside and after the decision
NARROWEST, WIDEST = 12, 40  # letters of a name


def write(gate: Any) -> str:
    """Return lines."""
    lines = [words.headline(gate)]
    if len(gate.checks) == 1:
        lines += _one(gate.checks[0])
    else:
        lines += _several(gate)
    found = gate.all_findings
    lines += [f"{each.code}: {each.message}" for each in found[:FINDINGS]]
    if len(found) > FINDINGS:
        lines.append(f"and {len(found) - FINDINGS} more findings (--format json)")
    return "\n".join(_wrapped(line) for line in lines if line) + "\n"


def _one(row: GateCheck) -> Iterator[str]:
    yield f"  {plain(row.name)}: {words.numbers(row)}"
    if row.why:
        return
    yield f"  {words.drawn(row)}" if words.drawn(row) else ""
    yield f"  {words.probabilities(row)}"
    yield f"  {words.flips(row)}" if words.flips(row) else ""
    yield f"  {words.to_decide(row)}" if words.to_decide(row) else ""


def _several(gate: Any) -> Iterator[str]:
    rows = gate.checks[:MOST]
    told = [_told(row) for row in rows]
    room = WIDTH - INDENT - max((len(each) for row, each in zip(rows, told, strict=True) if not row.why), default=0)
    wide = min(max(room, NARROWEST), WIDEST, max(len(plain(row.name)) for row in rows))
    names = shortened([plain(row.name) for row in rows], wide)
    for row, apart in zip(rows, told, strict=True):
        yield f"  {names[plain(row.name)]:<{wide}}  {row.decision.value:<14}  {apart}"
        yield f"    {words.to_decide(row)}" if words.to_decide(row) else ""
    if len(gate.checks) > MOST:
        yield f"  and {len(gate.checks) - MOST} more (--format json)"


def _told(row: GateCheck) -> str:
    if row.why:
        return plain(row.why)
    if row.kind == "floor":
        own = f"{words.number(row.candidate, row)} {words.interval(row.interval, row, signed=False)}"
        return f"{own}, {words.margin(row)}"
    return (
        f"{words.number(row.difference, row, signed=True)} {words.interval(row.interval, row)}, "
        f"margin {words.margin(row)}"
    )


def _wrapped(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()))
    if len(line) <= WIDTH or "!" in line[:60]:
        return line
    return textwrap.fill(line, WIDTH, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False)
