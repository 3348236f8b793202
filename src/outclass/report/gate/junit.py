"""A gate as JUnit XML, which GitLab, Jenkins and Azure read: one test suite, one test case for each check.

Jenkins' schema (junit-10) has properties of a suite alone, and no count of what was skipped in all suites.
"""

import math
from typing import Any
from xml.etree import ElementTree as Tree

from outclass.report.text import plain
from outclass.report.words import gate as words
from outclass.rows.gate import GateCheck
from outclass.verdict.gate import GateDecision

ERRORS = (GateDecision.NOT_COMPARABLE, GateDecision.NOT_JUDGED)


def write(gate: Any) -> str:
    """Return XML."""
    kinds = [_kind(row, gate) for row in gate.checks]
    counts = {
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "time": "0",
    }
    root = Tree.Element("testsuites", {"name": "outclass gate", **counts})
    skipped = {"skipped": str(kinds.count("skipped"))}
    suite = Tree.SubElement(root, "testsuite", {"name": _text(gate.name), **counts, **skipped})
    if numbers := [(row, name, value) for row in gate.checks for name, value in _numbers(row).items()]:
        properties = Tree.SubElement(suite, "properties")
        for row, name, value in numbers:
            own = name if len(gate.checks) == 1 else f"{_text(row.name)}: {name}"
            Tree.SubElement(properties, "property", {"name": own, "value": value})
    for row, kind in zip(gate.checks, kinds, strict=True):
        case = Tree.SubElement(
            suite,
            "testcase",
            {"name": _text(row.name), "classname": _text(row.task or gate.name), "time": "0"},
        )
        if kind:
            told = {"message": _text(words.sentence(row))}
            found = Tree.SubElement(case, kind, told if kind == "skipped" else {"type": row.decision.value, **told})
            if kind != "skipped":
                found.text = _text(f"{words.numbers(row)}\n{words.probabilities(row)}".strip())
        Tree.SubElement(case, "system-out").text = _text(
            " | ".join(part for part in (words.numbers(row), words.probabilities(row), words.flips(row)) if part)
        )
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode") + "\n"


def _kind(row: GateCheck, gate: Any) -> str:
    if row.decision in ERRORS:
        return "error"
    if row.decision is GateDecision.UNDECIDED:
        return {"fail": "failure", "warn": "skipped"}.get(gate.undecided, "")
    return "failure" if row.decision is GateDecision.REGRESSED else ""


def _numbers(row: GateCheck) -> dict[str, str]:
    own = {
        "decision": row.decision.value,
        "difference": row.difference,
        "low": row.interval.low,
        "high": row.interval.high,
        "margin": row.margin,
        "n": row.items,
    }
    kept = {name: value for name, value in own.items() if isinstance(value, str) or math.isfinite(value)}
    return {name: value if isinstance(value, str) else f"{value:.10g}" for name, value in kept.items()}


def _text(told: str) -> str:
    """Return text that XML can hold: what is no letter of it is written out."""
    return "\n".join(plain(line) for line in told.split("\n")).replace("\ufffe", "?").replace("\uffff", "?")
