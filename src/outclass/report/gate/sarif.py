"""A gate as SARIF 2.1.0: a result for each check, with its numbers as properties."""

import json
import math
from typing import Any
from urllib.parse import quote

from outclass.report.words import gate as words
from outclass.rows.gate import GateCheck
from outclass.verdict.gate import GateDecision

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {
    GateDecision.REGRESSED: "error",
    GateDecision.NOT_COMPARABLE: "error",
    GateDecision.NOT_JUDGED: "error",
    GateDecision.SLIGHTLY_WORSE: "warning",
}
KINDS = {"error": "fail", "warning": "fail", "none": "pass"}


def write(gate: Any) -> str:
    """Return JSON."""
    rules = [
        {
            "id": f"outclass/{decision.value.replace(' ', '-')}",
            "shortDescription": {"text": f"The candidate is {decision.value}: {decision.words}."},
        }
        for decision in GateDecision
    ]
    run = {
        "tool": {"driver": {"name": "outclass", "version": gate.version, "rules": rules}},
        "results": [_result(row, gate) for row in gate.checks],
        "columnKind": "utf16CodeUnits",
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=True) + "\n"


def _result(row: GateCheck, gate: Any) -> dict[str, Any]:
    level = LEVELS.get(row.decision, "none")
    if row.decision is GateDecision.UNDECIDED:
        level = {"fail": "error", "warn": "warning"}.get(gate.undecided, "none")
    numbers = {
        "difference": row.difference,
        "low": row.interval.low,
        "high": row.interval.high,
        "margin": row.margin,
        "items": row.items,
    }
    return {
        "ruleId": f"outclass/{row.decision.value.replace(' ', '-')}",
        "level": level,
        "kind": KINDS[level],
        "message": {"text": words.sentence(row)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(gate.config or "outclass.toml")},
                    "region": {"startLine": 1},
                },
                "logicalLocations": [{"name": row.name or "check", "kind": "module"}],
            }
        ],
        "properties": {
            "decision": row.decision.value,
            **{name: value for name, value in numbers.items() if math.isfinite(value)},
        },
    }


def _uri(path: str) -> str:
    """Return a path as a relative reference, in which a blank would end it."""
    return quote(path.replace("\\", "/").encode("utf-8", "surrogatepass"), safe="/")
