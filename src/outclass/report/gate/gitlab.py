"""A gate as a Code Quality report of GitLab: an issue for each check that fails or warns."""

import hashlib
import json
from typing import Any

from outclass.report.words import gate as words
from outclass.verdict.gate import GateDecision

SEVERITY = {
    GateDecision.REGRESSED: "blocker",
    GateDecision.NOT_COMPARABLE: "critical",
    GateDecision.NOT_JUDGED: "critical",
    GateDecision.UNDECIDED: "major",
    GateDecision.SLIGHTLY_WORSE: "minor",
}


def write(gate: Any) -> str:
    """Return JSON: a list of issues."""
    issues = [
        {
            "description": words.sentence(row),
            "check_name": f"outclass/{row.decision.value.replace(' ', '-')}",
            "fingerprint": hashlib.sha256(
                f"{gate.name}\0{row.name}\0{row.measure}".encode("utf-8", "surrogatepass")
            ).hexdigest(),
            "severity": SEVERITY[row.decision],
            "location": {"path": gate.config or "outclass.toml", "lines": {"begin": 1}},
        }
        for row in gate.checks
        if row.decision in SEVERITY
    ]
    return json.dumps(issues, indent=2, ensure_ascii=True) + "\n"
