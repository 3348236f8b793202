"""A gate as annotations of GitHub Actions: a line for each check that fails or warns, then the text."""

from typing import Any

from outclass.report.gate import text
from outclass.report.text import plain
from outclass.report.words import gate as words
from outclass.verdict.gate import GateDecision

ERRORS = (GateDecision.REGRESSED, GateDecision.NOT_COMPARABLE, GateDecision.NOT_JUDGED)
MOST = 10  # annotations that GitHub shows of a step


def write(gate: Any) -> str:
    """Return lines that the runner takes as commands, and the text, in which it finds none."""
    lines = []
    for row in gate.checks:
        kind = "error" if row.decision in ERRORS else ""
        if row.decision is GateDecision.UNDECIDED:
            kind = {"fail": "error", "warn": "warning"}.get(gate.undecided, "notice")
        if row.decision is GateDecision.SLIGHTLY_WORSE:
            kind = "warning"
        if kind:
            lines.append(f"::{kind} title={_property(f'outclass {gate.name}')}::{_data(words.sentence(row))}")
    kept = [*lines[:MOST], *([f"::notice::and {len(lines) - MOST} more checks"] if len(lines) > MOST else [])]
    # The runner takes a line that begins with two colons, or holds ##[, for a command.
    told = text.write(gate).replace("::", ":\u200b:").replace("##[", "#\u200b#[")
    return "\n".join([*kept, told])


def _data(told: str) -> str:
    return told.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(told: str) -> str:
    return _data(plain(told)).replace(":", "%3A").replace(",", "%2C")


def outputs(gate: Any, report: str = "") -> str:
    """Return what a step hands on: lines for the file `GITHUB_OUTPUT`."""
    values = {"decision": gate.decision.value, "exit": str(gate.exit), "report": report.replace("\n", " ")}
    return "".join(f"{name}={value}\n" for name, value in values.items())
