"""Runs of systems: the question about the runs themselves, and the model that goes from runs to systems."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from outclass.ask import cost
from outclass.ask.dispatch import units_question
from outclass.ask.label_sets import rows_asked
from outclass.ask.question import Wishes, is_by_label, listed
from outclass.ask.used import check_used
from outclass.data.labels import Label
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.runs import Base, Runs, runs_of
from outclass.data.scores import Scores
from outclass.data.unit_counts import GroupedCounts, PerItem, UnitCounts
from outclass.errors import InputError
from outclass.measures.repeated import repeat_measure
from outclass.models import model_for, models_of
from outclass.models.fit import Fit
from outclass.models.question import Question
from outclass.models.runs_fit import RunsToFit
from outclass.models.weights_fit import fit_weights

VIEW = "runs"


def runs_planned(source: Runs, wishes: Wishes, *, ranks: bool = False) -> list[tuple[Any, RunsToFit, Question]]:
    """Choose the model of runs, and that of the items; a question by label is one for each label."""
    key = wishes.model or models_of(VIEW)[0]
    known = model_for(key, VIEW)
    check_used(wishes.given, VIEW, key, known, wishes.compute.method)
    found = []
    for own, asked in _turns(source, replace(wishes, model=None)):
        base, fit, question = _of_items(own.base, asked, ranks=ranks)
        if base is not own.base:
            own = replace(own, base=base)  # noqa: PLW2901  # a measure of repeats has numbers of its own
        # What takes time is drawing what every run comes to.
        cost.announce(cost.cost_of_draws(own.base, len(own.systems), question, alone=True))
        found.append((known, RunsToFit(own, fit), replace(question, model=key)))
    return found


def _turns(source: Runs, wishes: Wishes) -> Iterator[tuple[Runs, Wishes]]:
    """Return what is asked, once or for each label in turn."""
    base = source.base
    if isinstance(base, MultiLabel) and wishes.positive is not None:
        own = _of_label(source, base, wishes.positive)
        yield own, replace(wishes, positive=own.base.labels[1])
        return
    named = [] if wishes.measure is None else listed(wishes.measure)
    if len(named) > 1 and any(repeat_measure(each) is not None for each in named):
        yield from ((source, replace(wishes, measure=each)) for each in dict.fromkeys(named))
        return
    if isinstance(base, Scores) or not is_by_label(wishes.by, wishes.positive):
        yield source, wishes
        return
    each = replace(wishes, by=None, labels=None, exclude_labels=None, measure=wishes.measure or "f1")
    true = [label for label, many in zip(base.labels, _frequencies(base), strict=True) if many]
    for label in rows_asked(true, wishes, base.labels, by_label=True):
        if isinstance(base, MultiLabel):
            own = _of_label(source, base, label)
            yield own, replace(each, positive=own.base.labels[1])
        else:
            yield source, replace(each, positive=label)


def _frequencies(base: Outcomes | MultiLabel | Grouped | PerItem) -> Any:
    return Classes(base).frequencies if isinstance(base, Outcomes) else base.frequencies


def _of_label(source: Runs, base: MultiLabel, label: Label) -> Any:
    """Return one label against the rest, which comes first."""
    return runs_of(base.of_label(str(label)), source.of, paired=source.paired)


def _of_items(base: Base, wishes: Wishes, *, ranks: bool) -> tuple[Base, Callable[[Any, Question], Fit], Question]:
    """Choose the model of the items, for which each run is a system, and what it is fitted to."""
    if isinstance(base, Scores):
        from outclass.ask.numbers import numbers_question  # loaded for numbers alone

        named = [] if wishes.measure is None else listed(wishes.measure)
        if base.truth is None and "median" in named:
            wishes = replace(wishes, model="bootstrap")  # which knows the mean as well
        known, base, question = numbers_question(base, wishes, ranks=True)
        for each in question.measures:
            if not getattr(each, "interval", True):
                raise InputError(
                    f"runs cannot be compared by {each.title}: its sampling error cannot be estimated. Use the Brier "
                    "score instead (⟨measure=brier⟩)."
                )
        return base, known.fit, question
    decisions: Any = Classes(base) if isinstance(base, Outcomes) else base
    if isinstance(base, Outcomes | Grouped):
        decisions.outcomes.require_two_classes()
    view = "groups" if isinstance(base, Grouped | GroupedCounts) else "units"
    view = "unit_counts" if isinstance(base, UnitCounts) else view
    if wishes.measure is None and isinstance(base, Outcomes):
        # As of systems with one run each: F1 of two labels, averages of more.
        two = (len(base.labels) == 2 or wishes.positive is not None) and not wishes.some_labels
        measure: Any = "f1" if two else ("macro_f1" if ranks else None)
        wishes = replace(wishes, measure=measure)
    elif wishes.measure is None and ranks:
        wishes = replace(wishes, measure="f1" if isinstance(base, PerItem) and not wishes.some_labels else "macro_f1")
    if view == "groups":
        # The jackknife draws nothing by itself, but runs do.
        draws = wishes.compute.draws
        wishes = replace(wishes, compute=replace(wishes.compute, draws=None))
        known, question = units_question(decisions, wishes, view=view, one_measure=ranks)
        own = question.settings if draws is None else replace(question.settings, draws=draws)
        return base, known.fit, replace(question, settings=own)
    known, question = units_question(decisions, wishes, view=view, one_measure=ranks)
    return base, partial(_weighted, decisions), question


def _weighted(decisions: Any, runs: Base, question: Question) -> Fit:
    """Draw weights on items; runs have no Bayes factors, and so no need for what they are made from."""
    return fit_weights(decisions, question, mass=question.mass, factors=False)
