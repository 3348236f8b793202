"""`evaluate`: how good is each system?"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Unpack

import numpy as np

from outclass.answers.evaluation import Evaluation
from outclass.ask import cost, published
from outclass.ask.capabilities import check_can
from outclass.ask.dispatch import groups_planned, is_apart, one_by_one, table_question, units_question
from outclass.ask.label_sets import rows_asked
from outclass.ask.question import (
    Compute,
    MeasureSpec,
    Options,
    Wishes,
    is_average_only,
    is_by_label,
    listed,
    wishes_of,
)
from outclass.ask.source import log_parts, source_of
from outclass.ask.used import SETS
from outclass.data.annotated import Annotated
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.pair import TwoSets
from outclass.data.partly_labelled import PartlyLabelled
from outclass.data.partly_lists import PartlyLists
from outclass.data.published import PublishedCounts
from outclass.data.runs import Runs
from outclass.data.slicing import Sliced
from outclass.data.unit_counts import PerItem
from outclass.errors import InputError
from outclass.measures import averages
from outclass.models import models_of
from outclass.models.fit import Fit
from outclass.models.prior import Prior
from outclass.models.question import Question
from outclass.models.table_fit import OneTableFit, fit_one
from outclass.models.weights_fit import fit_weights
from outclass.parallel import side_by_side
from outclass.rows import slices
from outclass.rows.checks import warn_of_chains
from outclass.rows.contrast import KEPT, appraise
from outclass.rows.metrics import rows_of_metric
from outclass.rows.types import Appraisal

BATCH, TOGETHER = 200, 25  # rows that are worth other processes, and fits that are sent there together
USUAL_DRAWS: Final = 20_000


def evaluate(
    data: Any = None,
    *predictions: Any,
    measure: MeasureSpec | Sequence[MeasureSpec] | None = None,
    positive: Any = None,
    by: str | Sequence[str] | Mapping[str, Any] | None = None,
    model: str | None = None,
    prior: str | float | dict[str, Any] | Prior | None = None,
    hdi_mass: float = 0.95,
    undefined: str | None = None,
    average: str | None = None,
    compute: Compute | None = None,
    rng: int | np.random.Generator | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[Options],
) -> Evaluation:
    """Evaluate systems one by one: the posterior and interval of each system's score.

    Parameters are those of `compare`, except that any number of systems can be given and that, for one label against
    the rest, `model` is 'single' (Zhang et al., the default) or 'goutte' (Goutte & Gaussier, the default for counts).
    Otherwise the models are those of `compare`.
    """
    wishes, columns = wishes_of(locals())
    if columns.get("same_items"):
        raise InputError("⟨same_items⟩ is about two systems, and each is evaluated by itself: leave it out.")
    if (parts := log_parts(data, predictions, wishes, columns)) is not None:
        rows: list[Appraisal] = []
        for part in parts:
            own = _evaluated(part.source, part.wishes)
            rows += rows_of_metric(own, part.metric) if len(parts) > 1 else own
    else:
        rows = list(_evaluated(*source_of(data, predictions, wishes, columns, apart=True)))
    answer = Evaluation(tuple(rows))
    warn_of_chains(answer.findings)
    return answer


def _evaluated(source: Any, wishes: Wishes) -> Iterable[Appraisal]:
    return _by_slices(source, wishes) if isinstance(source, Sliced) else _rows(list(_fits(source, wishes)), wishes)


def _by_slices(source: Sliced, wishes: Wishes) -> Iterator[Appraisal]:
    """Evaluate every system on all items, then on every slice."""
    whole = list(_rows(list(_fits(source.whole, wishes)), wishes))
    for row in whole:
        yield slices.of_all(row, source.items)
    for part in source.parts:
        try:
            if part.data is None:
                raise InputError(part.why)
            own = list(_rows(list(_fits(part.data, wishes)), wishes))
        except InputError as error:
            yield from (slices.without_value(row, part, source.items, str(error)) for row in whole)
        else:
            yield from (slices.of_part(row, part, source.items) for row in own)


def _rows(fits: Sequence[Fit], wishes: Wishes) -> Iterator[Appraisal]:
    """Evaluate every system; many tables run in parallel, without keeping their posteriors."""
    many = sum(len(fit.systems) * len(fit.question.measures) for fit in fits)
    tables = all(isinstance(fit, OneTableFit) for fit in fits)
    if many < BATCH or not tables or wishes.compute.method == "mcmc":
        yield from _judged(fits, keep=many <= KEPT)
        return
    done = 0
    for rows in side_by_side(_judged, [(fits[at : at + TOGETHER],) for at in range(0, len(fits), TOGETHER)]):
        yield from rows
        done += len(rows)
        if wishes.progress is not None:
            wishes.progress(done, many)


def _judged(fits: Sequence[Fit], *, keep: bool = False) -> list[Appraisal]:
    rows = []
    for fit in fits:
        for which in range(len(fit.systems)):
            for each in fit.question.measures:
                row = appraise(fit, which, each)
                if not keep:
                    row.forget()
                rows.append(row)
    return rows


def _fits(source: Any, wishes: Wishes) -> Iterator[Fit]:
    check_can("evaluate", source)
    if isinstance(source, PublishedCounts):
        yield from _of_counts(source, wishes)
    elif isinstance(source, TwoSets):
        for each in (source.first, source.second):
            yield from _of_labels(each, wishes)
    elif isinstance(source, Outcomes | MultiLabel):
        yield from _of_labels(source, wishes)
    elif isinstance(source, Runs):
        from outclass.ask.run_questions import runs_planned  # loaded for runs alone

        for known, runs, question in runs_planned(source, wishes):
            yield known.fit(runs, question)
    elif isinstance(source, Annotated | Grouped | PerItem | PartlyLabelled | PartlyLists):
        fits = groups_planned(source, wishes)
        _announce(source, [question for _, _, question in fits])
        for known, grouped, question in fits:
            yield known.fit(grouped, question)
    else:
        from outclass.ask.numbers import planned_numbers  # loaded for numbers alone

        numbers = list(planned_numbers(source, wishes))
        _announce(source, [question for _, _, question in numbers])
        for known, scores, question in numbers:
            yield _alone(known, question).fit(scores, question)


def _announce(source: Any, questions: Sequence[Question]) -> None:
    """Announce the cost of numbers or groups if it is high."""
    cost.announce(cost.cost_of_others(source, questions, alone=True))


def _alone(known: Any, question: Question) -> Any:
    """Raise an error for a model that only estimates differences."""
    if not known.alone:
        raise InputError(f"the {question.model} model needs two systems; to evaluate one, leave out ⟨model⟩.")
    return known


def _of_counts(source: PublishedCounts, wishes: Wishes) -> Iterator[Fit]:
    wishes.without("counts, which have no labels", "positive", "by", *SETS)
    question = published.question_of(source, wishes, "one")
    for each in source.results:
        if each.tn is None and question.model != "goutte":
            raise InputError(
                f"the {question.model} model needs the true negatives too: add tn=N, or use the goutte model."
            )
        yield fit_one(each, each.name, each.table, None, question)


def _of_labels(source: Outcomes | MultiLabel, wishes: Wishes) -> Iterator[Fit]:
    """One label against the rest, or every one in turn; or averages over all of them."""
    named = [] if wishes.measure is None else listed(wishes.measure)
    several = isinstance(source, MultiLabel) or len(source.labels) > 2
    one = wishes.positive is not None or wishes.by is not None
    # Of many labels all together, unless one is asked about: averages, and what is an average as well.
    together = any(is_average_only(each) for each in named) or wishes.some_labels
    together = together or (
        several
        and not one
        and wishes.model not in models_of("one")
        and all(averages.find(each) is not None for each in named)
    )
    if together:
        if one:
            raise InputError("an average includes all labels: leave out ⟨positive⟩ and ⟨by⟩.")
        decisions = Classes(source) if isinstance(source, Outcomes) else source
        # All systems jointly, as in `rank` and `compare`, so that their own intervals are the same.
        known, question = units_question(decisions, wishes)
        apart, rows = is_apart(decisions, question), len(source.systems) * len(question.measures)
        cost.announce(cost.cost_of_draws(source, rows, question, alone=True, apart=apart))
        if apart:
            # One system has few patterns, so that draws need not be spared.
            question = replace(question, settings=replace(question.settings, draws=wishes.compute.draws or USUAL_DRAWS))
            yield fit_weights(decisions, question, mass=question.mass, factors=False, apart=True)
            return
        yield _alone(known, question).fit(decisions, question)
        return
    question = table_question(wishes, "single", "one")
    by_label = is_by_label(wishes.by, wishes.positive)
    if isinstance(source, MultiLabel):
        if not one:
            raise InputError("which label? Name it with ⟨positive=LABEL⟩, or use ⟨by=label⟩ for all of them.")
        tables = one_by_one(source, wishes)
    else:
        turns = source.true_labels if by_label else [source.positive(wishes.positive)]
        tables = dict.fromkeys(rows_asked(turns, wishes, source.labels, by_label=by_label), source)
    rows = len(source.systems) * len(tables) * len(question.measures)
    cost.announce(cost.cost_of_tables(source, rows, question, alone=True))
    for system in source.systems:
        # A system is counted by itself: rows of many systems are all different, those of one are few.
        alone = source.selected((system,)) if isinstance(source, Outcomes) and len(source.systems) > 1 else None
        for label, outcomes in tables.items():
            own, positive = alone or outcomes, label if isinstance(source, Outcomes) else outcomes.labels[1]
            yield fit_one(own, system, own.table(system, positive), label, question)
