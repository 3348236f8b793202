"""The checks of a gate: a comparison each, read as probabilities against its margin, then all decided together."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from outclass.ask.compare import compare
from outclass.ask.evaluate import evaluate
from outclass.ask.gate_checks import CheckSpec, GateSpec
from outclass.ask.gate_items import ItemPairs
from outclass.ask.gate_stages import looks_of
from outclass.ask.gate_suite import Read, Suite, reading_names
from outclass.ask.repeats import THESE
from outclass.data.outcomes import Outcomes
from outclass.data.repeats import RepeatedScores
from outclass.dialects import spoken
from outclass.errors import InputError, NotComparable, OutclassError
from outclass.inference.distribution import Distribution, Interval
from outclass.planning.needed import needed, smallest_margin
from outclass.rows.gate import GateCheck, ItemFlips
from outclass.rows.types import Appraisal, Contrast
from outclass.significance.adjust import holm
from outclass.verdict.gate import (
    ROUNDING,
    Chances,
    GateDecision,
    chances,
    decide,
    decide_floor,
    limits,
)

# Findings of a comparison that are about its ROPE, its prior's Bayes factors or a test beside it, which a gate has not.
ASIDE: Final = ("OC301", "OC303", "OC304", "OC604", "OC402", "OC403", "OC406", "OC611")


@dataclass(frozen=True, kw_only=True)
class Found:
    """A check with what decides it, before all are decided together.

    Parameters
    ----------
    row
        The check.
    below
        The probability that it fails, by itself; nan if it is not decided by that.
    pairs
        The items.
    law, sign
        The posterior that decides, and its direction: -1 if lower is better.
    """

    row: GateCheck
    below: float = math.nan
    pairs: ItemPairs | None = None
    law: Distribution | None = None
    sign: int = 1


def rows_of(suite: Suite, check: CheckSpec, spec: GateSpec, *, anchor: bool = False) -> list[Found]:
    """Judge one check; one of several that cannot be judged is a row that says why."""
    alone = len(spec.checks) == 1 and spec.anchor is None
    try:
        found = _rows(suite, check, spec)
    except OutclassError as error:
        if alone:
            raise
        decision = GateDecision.NOT_COMPARABLE if isinstance(error, NotComparable) else GateDecision.NOT_JUDGED
        kind = "difference" if check.floor is None else "floor"
        told: dict[str, Any] = {"name": check.name or check.task or "check", "task": check.task, "kind": kind}
        error.wording = spoken  # who reads the row reads the dialect of whoever asked
        found = [Found(row=GateCheck(decision=decision, why=str(error), **told))]
    if not anchor:
        return found
    return [replace(each, row=replace(each.row, anchor=True, name=f"{each.row.name} (anchor)")) for each in found]


def _rows(suite: Suite, check: CheckSpec, spec: GateSpec) -> list[Found]:
    read = suite.read(check)
    if read.errors > spec.max_errors:
        raise InputError(
            f"{read.errors:.1%} of the samples failed, more than {spec.max_errors:.1%} (⟨max_errors⟩), so that the "
            "candidate cannot be judged. Run the failed samples again."
        )
    if check.floor is not None:
        alone = _asked_alone(read, check)
        return [_floor(read, check, spec, row, several=_several(alone)) for row in alone]
    rows = _asked(read, check)
    if check.margin is None:
        raise _without_margin(rows, read, spec)
    if spec.stages or spec.anytime:
        if check.asked.get("population") == THESE:
            raise InputError("⟨anytime⟩ and ⟨stages⟩ look at more and more items; leave out ⟨population=these⟩.")
        if len(rows) > 1:
            raise InputError("⟨stages⟩ and ⟨anytime⟩ judge one measure of all items: leave out ⟨by⟩, name a ⟨measure⟩.")
        return [_at_any_time(read, check, spec, rows[0])]
    return [_difference(read, check, spec, row, several=_several(rows)) for row in rows]


def _several(rows: Sequence[Contrast | Appraisal]) -> bool:
    return len({row.measure.name for row in rows}) > 1


def _question(read: Read, check: CheckSpec) -> dict[str, Any]:
    """Return what is left to ask of data that were read."""
    own = {name: value for name, value in check.asked.items() if name not in reading_names() and value is not None}
    if read.measured or getattr(read.data[0] if read.data else None, "truth", None) is not None:
        own.pop("positive", None)
    if read.measured:
        own.pop("measure", None)
    if not read.sliced and own.get("by") != "label" and own.get("by") != ["label"]:
        own.pop("by", None)
    return own


def _asked(read: Read, check: CheckSpec) -> list[Contrast]:
    """Compare: baseline and candidate, in one row or several."""
    own = _question(read, check)
    if check.margin is not None and not check.margin.relative and check.margin.value > 0:
        own["rope"] = check.margin.value
    own |= read.given
    try:
        return list(compare(*read.data, **own).rows)
    except InputError as error:
        if "contains every possible difference" in str(error) and check.margin is not None:
            raise InputError(
                f"the margin {check.margin.told} is larger than any possible difference: no candidate could fail. Use "
                "the largest drop that is accepted."
            ) from None
        raise


def _asked_alone(read: Read, check: CheckSpec) -> list[Appraisal]:
    own = _question(read, check)
    source: Any = read.data[0]
    if read.sliced:
        own |= {**read.given, "systems": [read.cand]}
        return list(evaluate(*read.data, **own).rows)
    return list(evaluate(source.selected([read.cand]), **own).rows)


def _name(check: CheckSpec, row: Contrast | Appraisal, *, several: bool) -> str:
    """Return what one row of a check is called: by its slice or label, and by its measure if there are several."""
    own = check.name or check.task or row.measure.title
    parts = [] if row.slice is None or not row.slice.column else [str(row.part)]
    if check.asked.get("by") in ("label", ["label"]) and row.label is not None:
        parts = [str(row.label)]
    if several and own != row.measure.title:
        parts.append(row.measure.title)
    return " ".join([own, *(f"[{part}]" for part in parts)])


def _difference(read: Read, check: CheckSpec, spec: GateSpec, row: Contrast, *, several: bool = False) -> Found:
    """Read one row against its margin."""
    assert check.margin is not None
    sides = [system.name for system in row.systems]
    turned = sides[0] != read.cand
    base, cand = (row.systems[0], row.systems[1]) if turned else (row.systems[1], row.systems[0])
    better = row.measure.higher_is_better
    law = row.posterior
    if row.slice is not None and law is None:
        why = " ".join(each.message for each in row.findings) or "it cannot be computed."
        name = _name(check, row, several=several)
        return Found(row=GateCheck(name=name, decision=GateDecision.NOT_JUDGED, why=why, items=row.items))
    if law is None or not math.isfinite(row.difference.mean):
        raise InputError(
            f"{row.measure.title} has no interval, so that a margin cannot be judged. Use another measure (⟨measure⟩)."
        )
    margin = check.margin.of(base.observed)
    sign = (1 if better else -1) * (-1 if turned else 1)
    chance = chances(law, margin, sign=sign)
    difference = row.observed * sign
    noise, repeats = _generation(read, row)
    whole = row.slice is None or not row.slice.column
    pairs = read.pairs if whole else None
    told = GateCheck(
        name=_name(check, row, several=several),
        decision=GateDecision.UNDECIDED,
        measure=row.measure.title,
        task=check.task,
        margin=margin,
        margin_told=check.margin.told,
        baseline=base.observed,
        candidate=cand.observed,
        difference=difference,
        interval=limits(law, spec.confidence, sign=sign),
        error=row.difference.std,
        items=row.items,
        higher_is_better=better,
        in_points=row.measure.in_points,
        chances=chance,
        flips=_flips(read, row) if whole else None,
        needed=needed(
            difference,
            row.difference.std,
            row.items,
            margin,
            spec.confidence,
            noise=min(noise, row.difference.std**2),
            repeats=repeats,
            fixed=check.asked.get("population") == THESE,
        ),
        model=row.model,
        findings=tuple(each for each in row.findings if each.code not in ASIDE),
    )
    return Found(row=told, below=chance.below_margin, pairs=pairs, law=law, sign=sign)


def _flips(read: Read, row: Contrast) -> ItemFlips | None:
    if read.pairs is not None:
        return read.pairs.flips
    source = read.data[0] if len(read.data) == 1 else None
    if isinstance(source, Outcomes):
        right = source.rights(read.base, read.cand)
        return ItemFlips(worse=int(right[0, 1]), better=int(right[1, 0]))
    return None


def _generation(read: Read, row: Contrast) -> tuple[float, float]:
    """Return the part of the squared error that is generation noise, and how many repeats it is of."""
    source = read.data[0] if len(read.data) == 1 else None
    if not isinstance(source, RepeatedScores):
        return 0.0, 1.0
    own = [source.repeats.distinct.systems[name] for name in (read.base, read.cand)]
    if any(int(each.sizes.min()) < 2 for each in own):
        return 0.0, 1.0
    noise = sum(float(np.mean(each.variances / each.sizes)) for each in own) / row.items
    return noise, float(np.mean([each.sizes.mean() for each in own]))


def _floor(read: Read, check: CheckSpec, spec: GateSpec, row: Appraisal, *, several: bool = False) -> Found:
    """Read the candidate's own value against a floor, or against a ceiling."""
    law = row.posterior
    if law is None:
        raise InputError(f"{row.measure.title} has no interval, so that a floor cannot be judged.")
    assert check.floor is not None
    below = float(law.cdf(check.floor))
    below = 1 - below if check.ceiling else below
    low, high = (float(x) for x in law.quantile([1 - spec.confidence, spec.confidence]))
    told = GateCheck(
        name=_name(check, row, several=several) + (" ceiling" if check.ceiling else " floor"),
        decision=decide_floor(below, spec.confidence),
        kind="floor",
        measure=row.measure.title,
        task=check.task,
        margin=check.floor,
        margin_told=f"{'at most' if check.ceiling else 'at least'} {check.floor:g}",
        candidate=row.system.observed,
        interval=Interval(low, high),
        error=row.system.std,
        items=row.items,
        higher_is_better=not check.ceiling,
        in_points=row.measure.in_points,
        chances=Chances(below_margin=below, worse=below, better=1 - below, within=0.0),
        model=row.model,
        findings=tuple(each for each in row.findings if each.code not in ASIDE),
    )
    return Found(row=told, below=below, law=law, sign=-1 if check.ceiling else 1)


def _at_any_time(read: Read, check: CheckSpec, spec: GateSpec, row: Contrast) -> Found:
    """Decide by intervals that hold at any time, at the first stage that suffices."""
    own = _difference(read, check, spec, row)
    looks = looks_of(read, row, own.row, spec, spec.family, check.asked.get("undefined") or "drop")
    last = looks.stages[-1]
    told = replace(
        own.row,
        decision=last.decision,
        difference=last.difference,
        interval=last.interval,
        items=last.items,
        chances=None,
        stages=tuple(looks.stages),
        needed=looks.needed,
        model="anytime-valid",
        findings=(*looks.findings, *own.row.findings),
    )
    return Found(row=told, pairs=own.pairs)


def _without_margin(rows: Sequence[Contrast], read: Read, spec: GateSpec) -> InputError:
    """Show the suite's own noise, and suggest a margin."""
    row = max(rows, key=lambda each: each.difference.std if math.isfinite(each.difference.std) else 0.0)
    error = row.difference.std
    honest = smallest_margin(error, spec.confidence)
    told = f"the standard error of a difference in {row.measure.title} is {error:.2g} on these {row.items:,} items"
    return InputError(
        f"name the largest drop that is accepted (⟨margin⟩), which depends on what a drop costs. Of what can be seen: "
        f"{told}, so that a candidate as good as the baseline passes four times in five with a margin of "
        f"{_up(honest):g} (⟨margin={_up(honest):g}⟩) or more."
    )


def _up(number: float) -> float:
    """Return a number rounded up to two digits."""
    if not (math.isfinite(number) and number > 0):
        return 0.01
    scale = 10.0 ** (math.floor(math.log10(number)) - 1)
    return float(f"{math.ceil(number / scale - 1e-9) * scale:.3g}")


# --- all together -----------------------------------------------------------------------------------------------------


def judged(found: Sequence[Found], spec: GateSpec) -> list[Found]:
    """Decide on all checks: failing by Holm over them, passing each by itself."""
    # What could not be judged is in the family, with nothing against it.
    values = [1.0 if math.isnan(each.below) else 1 - each.below for each in found]
    fails = [p <= 1 - spec.confidence + ROUNDING for p in holm(values)]
    return [_decided(each, spec, fails=failed) for each, failed in zip(found, fails, strict=True)]


def _decided(each: Found, spec: GateSpec, *, fails: bool) -> Found:
    row = each.row
    if row.chances is None or math.isnan(each.below):
        return each
    if row.kind == "floor":
        decision = decide_floor(each.below, spec.confidence, fails=fails)
    else:
        decision = decide(row.chances, spec.confidence, fails=fails)
    return replace(each, row=replace(row, decision=decision))
