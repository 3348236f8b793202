"""The memory of a gate: attempts of one commit count together, and one that was seen before is no new evidence."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from outclass.ask.gate_checks import GateSpec
from outclass.ask.gate_rows import Found, judged
from outclass.data.attempts import Attempt, TriedCheck, opened
from outclass.errors import quoted
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.planning.discoveries import is_alarm
from outclass.rows.gate import GateHistory
from outclass.verdict.gate import GateDecision, decide_interval, shifted, worst

COMMITS: Final = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILD_SOURCEVERSION", "BITBUCKET_COMMIT")
WORN: Final = 100  # decisions, above which a test set may have been fitted
PASSED: Final = ("improved", "equivalent", "non-inferior", "slightly worse")


def commit_of(spec: GateSpec) -> str:
    """Return the candidate's commit: the one that was named, or that of the build."""
    return spec.commit or commit_of_build()


def commit_of_build() -> str:
    """Return the commit that a build says it is of; empty outside of one."""
    return next((os.environ[name] for name in COMMITS if os.environ.get(name)), "")


def recorded(found: Sequence[Found], spec: GateSpec) -> tuple[list[Found], GateHistory, tuple[Finding, ...]]:
    """Decide with what the ledger knows, and add this attempt to it."""
    if spec.ledger is None:
        return judged(found, spec), GateHistory(), ()
    commit = commit_of(spec)
    with opened(spec.ledger) as ledger:
        mine = [each for each in ledger.attempts if each.gate == spec.name]
        before = [each for each in mine if commit and each.commit == commit]
        tried = tuple(_tried(each) for each in found)
        now = Attempt(gate=spec.name, commit=commit, time=_time(), decision="", checks=tried)
        cached = any(set(now.scores) == set(each.scores) for each in before)
        pooled = [_pooled(each, check, before) for each, check in zip(found, tried, strict=True)]
        uncontrolled = judged(pooled, spec)
        rows = _controlled(uncontrolled, mine, spec)
        decision = worst([each.row.decision for each in rows])
        checks = tuple(
            replace(check, decision=each.row.decision.value) for check, each in zip(tried, rows, strict=True)
        )
        if not cached:
            ledger.add(replace(now, decision=decision.value, checks=checks))
    suite = tried[0].suite if tried else ""
    decisions = sum(any(check.suite == suite for check in each.checks) for each in mine) + (not cached)
    attempts = max((each.row.attempts for each in rows), default=1)
    history = GateHistory(attempts=attempts, cached=cached, decisions=decisions, recorded=not cached)
    notes = _notes(history, rows, mine, checks)
    held = [old.row.name for old, new in zip(uncontrolled, rows, strict=True) if old.row.decision != new.row.decision]
    return rows, history, (*_of_the_ledger(commit, held), *notes)


def _of_the_ledger(commit: str, held: Sequence[str]) -> list[Finding]:
    """Say what the ledger could not do, and what it did."""
    notes = []
    if not commit:
        notes.append(
            finding(
                "OC805",
                "the candidate's commit is unknown (⟨commit⟩), so repeated attempts cannot be recognised and pooled.",
            )
        )
    if held:
        notes.append(
            finding(
                "OC806",
                f"{quoted(held)} regressed at the usual level, but not at the stricter one that controls false "
                "discoveries over the ledger (⟨control⟩).",
            )
        )
    return notes


def _time() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _tried(each: Found) -> TriedCheck:
    row, pairs = each.row, each.pairs
    if pairs is not None:
        suite, baseline, scores = _sha("\n".join(sorted(pairs.ids))), pairs.baseline_digest, pairs.digest
    else:
        suite = _sha(f"{row.items}")
        baseline = _sha(repr((row.baseline, row.items)))
        scores = _sha(repr((row.candidate, row.difference, row.error, row.items)))
    return TriedCheck(
        key=f"{row.name}: {row.measure}",
        suite=suite,
        baseline=baseline,
        scores=scores,
        items=row.items,
        difference=row.difference if row.kind == "difference" else row.candidate,
        error=row.error,
        margin=row.margin,
        decision=row.decision.value,
    )


def _sha(content: str | bytes) -> str:
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


def _pooled(each: Found, now: TriedCheck, before: Sequence[Attempt]) -> Found:
    """Take the mean of all attempts of this commit; its spread is taken to be that of one, which is never too small."""
    known = {
        check.scores: check.difference
        for attempt in before
        for check in attempt.checks
        if check.key == now.key and check.baseline == now.baseline and check.difference == check.difference
    }
    known[now.scores] = now.difference
    row = each.row
    if len(known) < 2 or (row.chances is None and not row.stages):
        return each
    move = sum(known.values()) / len(known) - now.difference
    told: dict[str, Any] = {"attempts": len(known)}
    told["interval"] = Interval(row.interval.low + move, row.interval.high + move)
    if row.kind == "difference":
        told["difference"] = row.difference + move
    else:
        told["candidate"] = row.candidate + move
    if row.chances is None or each.law is None:
        own = replace(row, **told)
        return replace(each, row=replace(own, decision=decide_interval(own.interval, row.margin)))
    chances = shifted(each.law, row.margin, move, sign=each.sign, floor=row.kind == "floor")
    return replace(each, row=replace(row, chances=chances, **told), below=chances.below_margin)


def _controlled(rows: list[Found], mine: Sequence[Attempt], spec: GateSpec) -> list[Found]:
    """Raise an alarm only where the share of false alarms allows it, if that is asked for."""
    if spec.control == "none":
        return rows
    turn, alarms = 1 + len(mine), sum(each.decision == GateDecision.REGRESSED.value for each in mine)
    found = []
    for each in rows:
        row = each.row
        if row.decision is GateDecision.REGRESSED and row.chances is not None:
            p = (1 - each.below) * len(rows)
            if not is_alarm(p, 1 - spec.confidence, turn, alarms):
                row = replace(row, decision=GateDecision.UNDECIDED)
        found.append(replace(each, row=row))
    return found


def _notes(
    history: GateHistory, rows: Sequence[Found], mine: Sequence[Attempt], checks: Sequence[TriedCheck]
) -> list[Finding]:
    notes = []
    if history.cached:
        notes.append(
            finding("OC802", "these scores were seen before for this commit (a cache?): they are no new evidence.")
        )
    if history.attempts > 1:
        notes.append(
            finding(
                "OC801",
                f"this commit was tried {history.attempts} times; the differences are means over the attempts, so that "
                "trying again until it passes gains nothing.",
            )
        )
    if history.decisions > WORN:
        notes.append(
            finding(
                "OC803",
                f"these items have made {history.decisions:,} decisions: by now they may have been fitted. Renew the "
                "test set.",
            )
        )
    notes += [note for each, check in zip(rows, checks, strict=True) if (note := _drift(each, check, mine)) is not None]
    return notes


def _drift(each: Found, check: TriedCheck, mine: Sequence[Attempt]) -> Finding | None:
    """Warn where the changes that were accepted, each against its own baseline, add up to a drop beyond the margin."""
    if each.row.kind != "difference" or check.decision not in PASSED:
        return None
    accepted = {
        old.baseline: old.difference
        for attempt in mine
        for old in attempt.checks
        if old.key == check.key and old.suite == check.suite and old.decision in PASSED
    }
    accepted[check.baseline] = each.row.difference
    total = sum(accepted.values())
    if len(accepted) < 2 or not total < -each.row.margin:
        return None
    return finding(
        "OC804",
        f"{check.key.partition(':')[0]}: {len(accepted)} accepted changes add up to {total:+.3f}, beyond the margin of "
        f"{each.row.margin:g}: compare with a fixed release (⟨anchor⟩).",
    )
