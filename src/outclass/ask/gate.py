"""`gate`: read a baseline and a candidate → compare → decide on every check → a Gate, which is a report for a build."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from outclass.answers.gate import Gate
from outclass.ask.gate_checks import GateOptions, GateSpec, spec_of
from outclass.ask.gate_history import commit_of, recorded
from outclass.ask.gate_rows import rows_of
from outclass.ask.gate_suite import Suite
from outclass.ask.question import Options
from outclass.ask.used import unknown_arguments
from outclass.data import attempts
from outclass.errors import InputError


class GateArguments(Options, GateOptions, total=False):
    """Everything a gate takes beside its checks."""


def gate(
    *data: Any,
    margin: float | str | None = None,
    measure: Any = None,
    positive: Any = None,
    by: str | Sequence[str] | None = None,
    model: str | None = None,
    prior: Any = None,
    undefined: str | None = None,
    average: str | None = None,
    config: str | Path | Mapping[str, Any] | None = None,
    rng: int | None = None,
    **options: Unpack[GateArguments],
) -> Gate:
    """Decide whether a candidate may replace a baseline: is it worse by more than a margin, or surely not?

    Parameters
    ----------
    data
        The baseline and the candidate, in this order: a path of each, evaluation logs, a saved baseline (`.oc`) and a
        path, one table with a column of each, or arrays (the true labels, then both predictions).
    margin
        The largest drop that is accepted, in the unit of the measure, or as a percentage of the baseline's value.
    measure, positive, by, model, prior, undefined, average
        As of `compare`. With `by`, every slice is a check.
    config
        A file `outclass.toml`, or a mapping as there would be in it, with several checks.
    rng
        The seed.
    options
        Columns, as of `compare`; and settings of the gate, see `GateOptions`.
    """
    settings = {name: options.get(name) for name in GateOptions.__annotations__}
    rest = {name: value for name, value in options.items() if name not in settings}
    known = (*Options.__annotations__, *_annotations())
    if strange := [name for name in rest if name not in known]:
        raise unknown_arguments(strange, (*known, *GateOptions.__annotations__, "margin", "measure", "config"))
    question = {"measure": measure, "positive": positive, "by": by, "model": model, "prior": prior}
    question |= {"undefined": undefined, "average": average, "rng": rng}
    spec = spec_of({**question, **rest}, settings, margin, config)
    return answer_of(data, spec)


def _annotations() -> tuple[str, ...]:
    from outclass.ask.columns import Columns, LabelSets, Population
    from outclass.ask.question import Computation

    parts = (Columns, LabelSets, Population, Computation)
    return tuple(name for part in parts for name in part.__annotations__)


def check_places(anchored: Suite | None, spec: GateSpec) -> None:
    """Refuse an anchor or a ledger that cannot be read, before any work is done."""
    if anchored is not None:
        _ = anchored.blessed
    if spec.ledger is not None:
        attempts.check(spec.ledger)


def answer_of(data: Sequence[Any], spec: GateSpec) -> Gate:
    """Judge every check, then all of them together."""
    suite = Suite(data, spec.baseline)
    anchored = None if spec.anchor is None else Suite(data, spec.anchor, anchor=True)
    check_places(anchored, spec)
    found = [row for check in spec.checks for row in rows_of(suite, check, spec)]
    if anchored is not None:
        for check in spec.checks:
            if check.margin is None:
                continue  # a floor does not depend on what it is compared with
            own = replace(check, margin=spec.anchor_margin or check.margin)
            if anchored.blessed is not None and suite.both_in_one is not None:
                own = replace(own, asked={**own.asked, "systems": [suite.both_in_one]})
            found += rows_of(anchored, own, spec, anchor=True)
    if not found:
        raise InputError("there is nothing to check.")
    rows, history, notes = recorded(found, spec)
    return Gate(
        checks=tuple(each.row for each in rows),
        name=spec.name,
        confidence=spec.confidence,
        undecided=spec.undecided,
        baseline=suite.side("baseline", rows[0].pairs),
        candidate=replace(suite.side("candidate", rows[0].pairs), commit=commit_of(spec)),
        history=history,
        findings=notes,
    )
