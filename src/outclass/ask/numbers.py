"""Scores and results: the choice of the model, and the question."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.ask.question import Wishes, listed
from outclass.ask.repeats import THESE, settled_repeats
from outclass.ask.used import check_used
from outclass.data.repeats import RepeatedScores
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted, unknown
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.inference.grid import EVERYWHERE
from outclass.measures.repeated import EXAMPLES, repeat_measure
from outclass.measures.results import OF_RESULTS, ResultMeasure
from outclass.measures.scored import get
from outclass.models import model_for, model_of, models_of, right_wrong
from outclass.models.clusters import average_of
from outclass.models.means import within_unit
from outclass.models.question import Question
from outclass.verdict.rope import USUAL, Rope, rope_of

USUAL_DRAWS, MOST_WEIGHTS = 20_000, 4e9
FEWEST: Final = 3


def view_of(scores: Scores, population: str | None = None) -> str:
    """Return what these numbers are."""
    if scores.truth is not None:
        return "scores" if scores.group is None else "grouped_scores"
    if population == THESE:
        return "fixed_items"
    if scores.data_set is not None:
        return "data_sets"
    if scores.fold_share is not None:
        return "folds"
    return "values" if scores.group is None else "grouped_values"


def planned_numbers(scores: Scores, wishes: Wishes) -> Iterator[tuple[Any, Scores, Question]]:
    """Choose the model of every measure; a median has one of its own, which must not become that of the mean.

    A measure of repeats, such as pass@k, has numbers per item of its own.
    """
    wanted = [None] if wishes.measure is None else listed(wishes.measure)
    if not wanted:
        raise InputError("no measure was named.")
    own_model = "median" in wanted and wishes.model is None
    if len(wanted) > 1 and (own_model or any(repeat_measure(each) is not None for each in wanted)):
        for each in dict.fromkeys(wanted):
            yield numbers_question(scores, replace(wishes, measure=each))
        return
    yield numbers_question(scores, wishes)


def numbers_question(scores: Scores, wishes: Wishes, *, ranks: bool = False) -> tuple[Any, Scores, Question]:
    """Collect the question about numbers."""
    settled = settled_repeats(scores, wishes)
    scores, wishes = settled.scores, settled.wishes
    view = view_of(scores, wishes.population)
    key = wishes.model or usual_model(scores, wishes.measure, view, ranks=ranks)
    known = model_for(key, view)
    check_used(wishes.given, view, key, known, wishes.compute.method, ranks=ranks)
    measures = measures_of(scores, wishes.measure, key)
    if settled.name is not None and key != "student":
        measures = (replace(measures[0], name=settled.name),)
    for measure in measures:
        kind = measure.kind if isinstance(measure, ResultMeasure) else measure.name
        if known.measures is not None and kind not in known.measures:
            raise InputError(f"the {key} model estimates the mean; for a median, use the bootstrap model.")
    _check(scores, view, key)
    check_probabilities(scores, measures)
    rope, notes = usual_rope(scores) if wishes.rope is None else (rope_of(wishes.rope), ())
    draws = wishes.compute.draws
    usual = int(np.clip(MOST_WEIGHTS / (len(scores) * len(scores.systems)), 4_000, USUAL_DRAWS))
    if draws is not None and not 100 <= draws <= 10_000_000:
        raise InputError(f"⟨draws⟩ must lie between 100 and 10,000,000, got {draws}.")
    question = Question(
        measures=measures,
        model=key,
        rope=rope,
        hdi_mass=wishes.hdi_mass,
        # A number of draws is no use to laws that need none.
        settings=wishes.compute.settings(wishes.seed, usual_draws=usual, method=None if draws is None else "draws"),
        average=average_of(wishes.average),
        notes=(*settled.notes, *notes),
        progress=wishes.progress,
    )
    return known, scores, question


def usual_model(scores: Scores, measure: Any, view: str, *, ranks: bool) -> str:
    """Return the model that fits what the numbers are."""
    if measure in ("median", ["median"]):
        return "bootstrap"
    usual = models_of(view)[0]
    if view == "data_sets":
        each_once = scores.data_set is not None and len(np.unique(scores.data_set)) == len(scores)
        usual = usual if each_once else "hierarchical"
    if view == "values" and right_wrong.kinds_of(tuple(scores.values.values()), scores.step) is not None:
        usual = "sign"
    return usual if not ranks or model_of(usual, [view]).ranks else "bootstrap"


def measures_of(scores: Scores, measure: Any, model: str) -> tuple[Any, ...]:
    """Find the measures of classifier scores, or of results."""
    if scores.truth is not None:
        return tuple(dict.fromkeys(get(each) for each in (["auc"] if measure is None else listed(measure))))
    low, high = Interval(0.0, 1.0) if within_unit(tuple(scores.values.values())) else EVERYWHERE
    found = []
    repeated = isinstance(scores, RepeatedScores)
    for each in ["mean"] if measure is None else dict.fromkeys(str(each) for each in listed(measure)):
        if each not in OF_RESULTS:
            raise unknown("measure of results", each, (*OF_RESULTS, *(EXAMPLES if repeated else ())))
        name, title = each, scores.name if each == "mean" else f"median {scores.name}"
        if model == "student":
            # Kruschke's t says where most differences are, which is not their mean.
            name, title = "robust_centre", f"{scores.name} (robust centre)"
        found.append(
            ResultMeasure(
                name=name, title=title, kind=each, low=low, high=high, higher_is_better=scores.higher_is_better
            )
        )
    return tuple(found)


def _typical_spread(values: Floats) -> float:
    """Return the spread of most numbers: a few outliers must not widen what is too small to matter."""
    low, high = np.quantile(values, [0.25, 0.75])
    return min(float(high - low) / 1.349, float(np.std(values))) if high > low else float(np.std(values))


def usual_rope(scores: Scores) -> tuple[Rope, tuple[Finding, ...]]:
    """Return the region for who names none: 0.05 of what lies in [0, 1], a tenth of the spread of anything else."""
    spread = float(f"{np.mean([_typical_spread(each) for each in scores.values.values()]) / 10:.2g}")
    bounded = within_unit(tuple(scores.values.values()))
    # Numbers of items between 0 and 1 that fill little of that are no shares, but times or the like; means of folds and
    # of data sets lie close to each other by nature.
    means = scores.fold_share is not None or scores.data_set is not None
    level = max(float(np.abs(each).max()) for each in scores.values.values())
    if scores.truth is not None or (bounded and (means or spread > USUAL / 10)) or spread <= 1e-12 * level:
        return rope_of(None), ()
    note = finding(
        "OC303",
        f"no ROPE was set, so a tenth of the spread of {scores.name} (±{spread:g}) was used: of the interquartile "
        "range / 1.349 or the standard deviation, whichever is less. Change it with ⟨rope=…⟩, in "
        "the unit of the numbers.",
    )
    return Rope(interval=Interval(-spread, spread)), (note,)


def _check(scores: Scores, view: str, key: str) -> None:
    """Refuse too few numbers, and a model that they do not fit."""
    if scores.truth is not None:
        if scores.truth.all() or not scores.truth.any():
            raise InputError("the truth has only one class; scores need positives and negatives.")
        return
    if view == "values" and key == "sign" and right_wrong.kinds_of(tuple(scores.values.values()), scores.step) is None:
        raise InputError(
            "the sign model requires binary results (right or wrong) or many data sets: name the column of data sets "
            "(⟨data_set⟩)."
        )
    if view == "data_sets":
        assert scores.data_set is not None
        sets = len(np.unique(scores.data_set))
        if key in ("student", "t") and sets < len(scores):
            raise InputError(
                f"the {key} model treats results as independent; for many data sets use the hierarchical model "
                "(⟨model=hierarchical⟩)."
            )
        if sets < FEWEST:
            raise InputError(f"at least {FEWEST} data sets are needed; for a single one, compare its folds or items.")
    if view == "grouped_values" and key == "hierarchical" and _number_of_groups(scores) < FEWEST:
        raise InputError(f"the hierarchical model needs at least {FEWEST} groups.")
    if len(scores) < FEWEST:
        given = f"{len(scores)} {'result was' if len(scores) == 1 else 'results were'}"
        raise InputError(f"only {given} given; a comparison needs at least {FEWEST}.")


def _number_of_groups(scores: Scores) -> int:
    assert scores.group is not None
    return len(np.unique(scores.group))


def check_probabilities(scores: Scores, measures: Any) -> None:
    """Refuse scores that are no probabilities where these are needed."""
    for measure in measures:
        if getattr(measure, "probabilities", False):
            wrong = [name for name, own in scores.values.items() if own.min() < 0 or own.max() > 1]
            if wrong:
                raise InputError(
                    f"{measure.title} needs probabilities, and the scores of {quoted(wrong)} are not between 0 and 1."
                )
