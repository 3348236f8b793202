"""`sensitivity`: does the verdict depend on the prior?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from outclass.answers.comparison import Comparison
from outclass.ask.compare import APART, compare
from outclass.ask.question import outcomes_from
from outclass.errors import InputError
from outclass.findings import finding
from outclass.models.prior import MATCHED, prior_of
from outclass.rows.types import Contrast

# What a reasonable person might take; two systems on the same items may also be expected to agree.
PRIORS: Final[dict[str, Any]] = {
    MATCHED: MATCHED,
    "uniform": 1.0,
    "jeffreys": 0.5,
    "two each": 2.0,
    "alike": {"positives": (4.0, 1.0, 1.0, 4.0), "negatives": (4.0, 1.0, 1.0, 4.0)},
}
OF_COUNTS: Final = ("uniform", "jeffreys", "two each")  # those that are one number
OF_PAIRS: Final = ("alike",)  # those of two systems on the same items
OF_MANY: Final[dict[str, Any]] = {MATCHED: MATCHED, "none": 0.0, "uniform": 1.0, "jeffreys": 0.5}


def sensitivity(
    data: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    priors: Mapping[str, Any] | Sequence[Any] | None = None,
    prior: Any = None,
    progress: Callable[[int, int], None] | None = None,
    **question: Any,
) -> Comparison:
    """Compare under several priors, one row each, and find where the verdict flips.

    Parameters
    ----------
    data, a, b, question
        As in `compare`.
    priors
        Names and what `compare` takes as a prior. Default: matched, uniform, Jeffreys', two pseudo-counts for
        everything, and one that expects the systems to agree.
    prior
        Your own, which then stands first.
    """
    model = question.get("model")
    question = _read(data, a, b, question)
    first = compare(prior=prior, **question)
    many = first.rows[0].model not in ("paired", "unpaired", "goutte", "sign")
    if priors is None:
        priors = OF_MANY if many else _usual(first.rows[0].model)
    if not isinstance(priors, Mapping):
        priors = {str(spec): spec for spec in priors}
    if not priors:
        raise InputError("name one prior at least.")
    if many and model in ("bootstrap", "hierarchical", "decisions"):
        raise InputError(f"the {model} model has no prior to vary; use the paired one.")
    answers: dict[str, Comparison] = {} if prior is None else {first.rows[0].prior: first}
    for done, (name, spec) in enumerate(priors.items()):
        asked = spec if many else replace(prior_of(spec), name=name)
        found = compare(prior=asked, **question)
        answers[name] = Comparison(tuple(replace(row, prior=name) for row in found.rows))
        if progress is not None:
            progress(done + 1, len(priors))
    rows = [list(group) for group in zip(*(answer.rows for answer in answers.values()), strict=True)]
    return Comparison(tuple(row for group in rows for row in _flipped(group)))


def _usual(model: str) -> dict[str, Any]:
    if model in ("goutte", "sign"):
        return {name: PRIORS[name] for name in OF_COUNTS}
    return {name: spec for name, spec in PRIORS.items() if model == "paired" or name not in OF_PAIRS}


def _read(data: Any, a: Any, b: Any, question: dict[str, Any]) -> dict[str, Any]:
    """Read data once for all priors, where that is plain."""
    columns = ("truth", "systems", "count", "id")
    plain = all(question.get(name) is None for name in ("counts", "wins", "item", "label", "separator", "group"))
    if not plain or data is None or question.get("model") in APART:
        return {"data": data, "a": a, "b": b, **question}
    outcomes = outcomes_from(
        data,
        a,
        b,
        question.get("names", ("A", "B")),
        missing=question.get("missing", "error"),
        **{name: question.get(name) for name in columns},
    )
    return {"data": outcomes, **{name: value for name, value in question.items() if name not in (*columns, "names")}}


def _flipped(group: list[Contrast]) -> list[Contrast]:
    """Say in every row of a question if its verdict depends on the prior."""
    by_verdict: dict[str, list[str]] = {}
    for row in group:
        by_verdict.setdefault(row.verdict.sign, []).append(row.prior)
    if len(by_verdict) == 1:
        return group
    a, b = (system.name for system in group[0].systems)
    label = "" if group[0].label is None else f" for {group[0].label}"
    told = "; ".join(f"{sign} under {', '.join(names)}" for sign, names in by_verdict.items())
    note = finding("OC211", f"{a} against {b}, {group[0].measure.title}{label}: the decision is {told}.")
    return [replace(row, findings=(note, *row.findings)) for row in group]
