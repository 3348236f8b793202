"""`sensitivity`: does the verdict depend on the prior?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from outclass.answers.comparison import Comparison
from outclass.ask.capabilities import check_can
from outclass.ask.compare import APART, compare
from outclass.ask.handed import is_several
from outclass.ask.question import Computation, Wishes
from outclass.ask.source import source_of
from outclass.ask.used import SETS
from outclass.data.outcomes import Outcomes
from outclass.data.slicing import Sliced
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
# Where there is no prior to name, the models that the data allow are varied instead.
MODELS: Final = {
    "groups": ("paired", "bootstrap"),
    "values": ("t", "student", "bootstrap"),
    "grouped_values": ("clusters", "hierarchical", "bootstrap"),
    "data_sets": ("signed_rank", "sign", "hierarchical", "bootstrap"),
    "scores": ("bootstrap", "plain_bootstrap"),
    "grouped_scores": ("clusters", "bootstrap"),
}


def sensitivity(
    data: Any = None,
    a: Any = None,
    b: Any = None,
    *,
    priors: Mapping[str, Any] | Sequence[Any] | None = None,
    prior: Any = None,
    progress: Any = None,
    **question: Any,
) -> Comparison:
    """Compare under several priors, one row each, and report whether the verdict changes.

    Parameters
    ----------
    data, a, b, question
        As in `compare`.
    priors
        Mapping from names to priors, as in `compare`. Default: matched, uniform, Jeffreys, two pseudo-counts per cell,
        and one that expects the systems to agree. If the models for the data have no prior (groups, results, scores),
        the model is varied instead.
    prior
        An additional prior, shown first.
    """
    question = _read(data, a, b, question)
    first = compare(prior=prior, **question)
    view, _, key = first.rows[0].model_key.partition(".")
    if view in MODELS:
        if priors is not None:
            raise InputError(
                "the models for these data have no prior: leave out priors, and the model is varied instead."
            )
        found: dict[str, dict[str, Any]] = {name: {"model": name} for name in _models(view, key, question)}
    elif view == "units" and key in ("bootstrap", "hierarchical", "decisions"):
        raise InputError(f"the {key} model has no prior to vary; use the paired model.")
    else:
        named = _priors(priors, view, key)
        found = {
            name: {"prior": replace(prior_of(spec), name=name) if view == "table" else spec}
            for name, spec in named.items()
        }
    own = Comparison(tuple(row.pooled for row in first.rows))
    answers: dict[str, Comparison] = {} if prior is None else {first.rows[0].prior: own}
    for done, (name, changed) in enumerate(found.items()):
        rows = compare(**{**question, **changed}).rows
        answers[name] = Comparison(tuple(replace(row.pooled, prior=name) for row in rows))
        if progress is not None:
            progress(done + 1, len(found))
    groups = [list(group) for group in zip(*(answer.rows for answer in answers.values()), strict=True)]
    return Comparison(tuple(row for group in groups for row in _flipped(group)))


def _models(view: str, key: str, question: Mapping[str, Any]) -> tuple[str, ...]:
    if question.get("model") is not None:
        raise InputError("the models for these data have no prior, so the model itself is varied: leave out ⟨model⟩.")
    if question.get("measure") not in (None, "mean"):
        raise InputError("models can be varied only for the mean or the default measure: leave out ⟨measure⟩.")
    return MODELS[view] if key in MODELS[view] else (key, *MODELS[view])


def _priors(priors: Mapping[str, Any] | Sequence[Any] | None, view: str, key: str) -> Mapping[str, Any]:
    if priors is None:
        if view == "units":
            return OF_MANY
        if key in ("goutte", "sign"):
            return {name: PRIORS[name] for name in OF_COUNTS}
        return {name: spec for name, spec in PRIORS.items() if key == "paired" or name not in OF_PAIRS}
    if not isinstance(priors, Mapping):
        priors = {str(spec): spec for spec in priors}
    if not priors:
        raise InputError("name at least one prior.")
    return priors


def _read(data: Any, a: Any, b: Any, question: dict[str, Any]) -> dict[str, Any]:
    """Read data once for all priors."""
    asked = {
        "measure",
        "positive",
        "by",
        "rope",
        "model",
        "hdi_mass",
        "undefined",
        "average",
        "compute",
        "rng",
        "population",
        *SETS,
    }
    kept = {name: value for name, value in question.items() if name in asked | set(Computation.__annotations__)}
    columns = {name: value for name, value in question.items() if name not in kept}
    if (a is None) != (b is None) and not (isinstance(a, Outcomes) or is_several(a)):
        raise InputError("two systems are needed: (y_true, a, b).")
    wishes = Wishes(measure=kept.get("measure"), positive=kept.get("positive"), by=kept.get("by"))
    given = [each for each in (a, b) if each is not None]
    source, left = source_of(data, given, wishes, columns, apart=kept.get("model") in APART)
    check_can("sensitivity", source.whole if isinstance(source, Sliced) else source)
    return {**kept, "measure": left.measure, "positive": left.positive, "by": left.by, "data": source}


def _flipped(group: list[Contrast]) -> list[Contrast]:
    """Say in every row of a question if its verdict depends on the prior."""
    by_verdict: dict[str, list[str]] = {}
    for row in group:
        by_verdict.setdefault(row.verdict.sign, []).append(row.prior)
    if len(by_verdict) == 1:
        return group
    a, b = (system.name for system in group[0].systems)
    label = "" if group[0].part is None else f" for {group[0].part}"
    told = "; ".join(f"{sign} under {', '.join(names)}" for sign, names in by_verdict.items())
    note = finding("OC211", f"{a} against {b}, {group[0].measure.title}{label}: the decision varies: {told}.")
    return [replace(row, findings=(note, *row.findings)) for row in group]
