"""A gate on a terminal: six lines for one check, a line or two for each of several."""

import textwrap
from collections.abc import Iterator
from typing import Any, Final

from outclass.report.text import plain
from outclass.report.words import gate as words
from outclass.rows.gate import GateCheck

WIDTH: Final = 80
MOST: Final = 30  # checks that are shown
FINDINGS: Final = 3


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
    wide = min(28, max(len(plain(row.name)) for row in gate.checks))
    for row in gate.checks[:MOST]:
        name = plain(row.name)
        name = name if len(name) <= wide else f"{name[: wide - 1]}…"
        apart = plain(row.why)
        if not row.why and row.kind == "floor":
            apart = f"{words.number(row.candidate, row)} {words.interval(row.interval, row, signed=False)}, "
            apart += words.margin(row)
        elif not row.why:
            apart = f"{words.number(row.difference, row, signed=True)} {words.interval(row.interval, row)}, "
            apart += f"margin {words.margin(row)}"
        yield f"  {name:<{wide}}  {row.decision.value:<14}  {apart}"
    if len(gate.checks) > MOST:
        yield f"  and {len(gate.checks) - MOST} more (--format json)"


def _wrapped(line: str) -> str:
    indent = " " * (len(line) - len(line.lstrip()))
    if len(line) <= WIDTH or "!" in line[:60]:
        return line
    return textwrap.fill(line, WIDTH, subsequent_indent=f"{indent}  ", break_long_words=False, break_on_hyphens=False)
