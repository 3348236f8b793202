"""The answer of `gate`: a decision on a candidate, check by check, as whatever a build reads."""

from dataclasses import dataclass
from typing import Any, Final

from outclass.errors import InputError, shown
from outclass.findings import Finding
from outclass.report import gate as outputs
from outclass.report.words import gate as words
from outclass.rows.gate import GateCheck, GateHistory, GateSide
from outclass.rows.plain import from_plain, loads, to_plain
from outclass.verdict.gate import CONFIDENCE, GateDecision, exit_of, worst

BASELINE: Final = GateSide(name="baseline")
CANDIDATE: Final = GateSide(name="candidate")
NO_HISTORY: Final = GateHistory()
SCHEMA: Final = 1  # of the JSON; a release that adds keys keeps it, one that moves or removes some raises it


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The decision of a gate.

    Parameters
    ----------
    checks
        The checks, one row each.
    name, confidence, undecided
        What it is called, the level of its decisions, and what undecided comes to.
    baseline, candidate
        What was compared.
    history
        What the ledger knows.
    findings
        What a reader should know of the whole gate.
    command, config
        How it was called, and by which configuration.
    """

    checks: tuple[GateCheck, ...]
    name: str = "gate"
    confidence: float = CONFIDENCE
    undecided: str = "fail"
    baseline: GateSide = BASELINE
    candidate: GateSide = CANDIDATE
    history: GateHistory = NO_HISTORY
    findings: tuple[Finding, ...] = ()
    command: str = ""
    config: str = ""

    @property
    def decision(self) -> GateDecision:
        """The decision on all checks: the worst."""
        return worst([row.decision for row in self.checks])

    @property
    def exit(self) -> int:
        """The exit status: 0, 1 regressed, 2 not judged, 3 undecided, 4 not comparable."""
        return exit_of(self.decision, self.undecided)

    @property
    def passed(self) -> bool:
        """Whether a build goes on."""
        return self.exit == 0

    @property
    def only(self) -> GateCheck:
        """The only check."""
        if len(self.checks) != 1:
            raise InputError(f"this gate has {len(self.checks)} checks; select one, as in gate.checks[0].")
        return self.checks[0]

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """The findings of the gate and of its checks."""
        return tuple(dict.fromkeys((*self.findings, *(each for row in self.checks for each in row.findings))))

    @property
    def version(self) -> str:
        """The version of outclass that writes this."""
        from outclass.report.full import versions

        return versions()["outclass"]

    @property
    def words(self) -> str:
        """The decision in words."""
        return words.headline(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, with the structure of the JSON."""
        plain: dict[str, Any] = to_plain(self)
        plain["ledger"] = plain.pop("history")
        for row, own in zip(self.checks, plain["checks"], strict=True):
            own["probability"] = to_plain(row.probability)
            own["words"] = words.sentence(row)
        head = {"schema": SCHEMA, "decision": self.decision.value, "exit": self.exit}
        return {**head, **plain}

    @classmethod
    def from_json(cls, text: str | bytes) -> "Gate":
        """Load a gate from JSON."""
        plain = loads(text)
        if not isinstance(plain, dict) or not plain.get("checks"):
            raise InputError("this JSON has no 'checks': it was not written by outclass.")
        version = plain.get("schema")
        if type(version) is not int or version < 1:
            raise InputError(f"this JSON has the schema {shown(version)}, which is not a version that outclass writes.")
        if version > SCHEMA:
            raise InputError(
                f"this JSON has schema version {version}, but this release of outclass reads up to {SCHEMA}. Upgrade "
                "outclass, or write the answer again with this release."
            )
        return from_plain(cls, {**plain, "history": plain.get("ledger", {})}, "a gate")

    def to_text(self) -> str:
        """Return what a terminal shows."""
        return outputs.written(self, "text")

    def to_json(self) -> str:
        """Return JSON."""
        return outputs.written(self, "json")

    def to_markdown(self) -> str:
        """Return Markdown, for the comment of a pull request."""
        return outputs.written(self, "markdown")

    def to_junit(self) -> str:
        """Return JUnit XML."""
        return outputs.written(self, "junit")

    def written(self, name: str) -> str:
        """Return any output by its name: 'text', 'json', 'markdown', 'junit', 'github', 'gitlab', 'sarif'."""
        return outputs.written(self, name)

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<Gate: {self.words}>"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()
