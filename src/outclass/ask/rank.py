"""`rank`: which of many systems is best, and which are not credibly separated."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from outclass.answers.ranking import Ranking
from outclass.ask import cost
from outclass.ask.capabilities import check_can
from outclass.ask.dispatch import units_question, view_of
from outclass.ask.in_turn import check_one_label
from outclass.ask.question import Compute, MeasureSpec, Options, Wishes, listed, wishes_of
from outclass.ask.source import check_two, source_of
from outclass.data.annotated import Annotated
from outclass.data.multilabel import Classes, Decisions, Grouped, MultiLabel
from outclass.data.outcomes import Outcomes
from outclass.data.partly_labelled import PartlyLabelled
from outclass.data.partly_lists import PartlyLists
from outclass.data.runs import Runs
from outclass.data.unit_counts import GroupedCounts, PerItem
from outclass.errors import InputError
from outclass.measures.averages import Average
from outclass.models import model_of
from outclass.models.decisions import decisions_of
from outclass.models.fit import Fit
from outclass.models.prior import Prior
from outclass.models.question import Question
from outclass.models.sent_joint import Refit
from outclass.models.weights_fit import fit_weights
from outclass.rows.contrast import info
from outclass.rows.ranking import ranked
from outclass.verdict.rope import Rope


def rank(
    data: Any = None,
    *predictions: Any,
    measure: MeasureSpec | Average | Sequence[str] | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] | Rope | None = None,
    model: str | None = None,
    prior: str | float | Prior | None = None,
    hdi_mass: float = 0.95,
    undefined: str | None = None,
    average: str | None = None,
    compute: Compute | None = None,
    rng: int | np.random.Generator | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Unpack[Options],
) -> Ranking:
    """Rank systems: which is best, with what probability, and which are not credibly separated?

    Parameters are those of `compare`, except that any number of systems can be given and only one measure: by default
    macro-F1, F1 with two labels, AUC for scores, the mean for results. All systems share one posterior, so comparisons
    are paired, and any two systems compare as in `compare`.
    """
    wishes, columns = wishes_of(locals())
    source, wishes = source_of(data, predictions, wishes, columns)
    check_can("rank", source)
    check_two(source, "a ranking")
    made = _fit(source, wishes)
    fit = made()
    (asked,) = fit.question.measures
    chains = fit.question.settings.method == "mcmc"  # which would take minutes again
    found = ranked(fit, asked, None if chains else made)
    return Ranking(
        measure=info(asked),
        systems=found.systems,
        verdicts=found.verdicts,
        rope=found.rope,
        hdi_mass=wishes.hdi_mass,
        model=fit.title,
        prior=fit.prior,
        items=fit.items,
        draws=fit.question.settings.draws,
        seed=wishes.seed,
        findings=found.findings,
    )


def _fit(source: Any, wishes: Wishes) -> Refit:
    """Return how all systems are fitted jointly."""
    if wishes.measure is not None and len(listed(wishes.measure)) != 1:
        raise InputError("a ranking uses one measure; name one (⟨measure⟩).")
    if isinstance(source, PartlyLists):
        check_one_label(wishes)  # a ranking has no `by`, so that one label is named
        source = source.of_label(str(wishes.positive))
    if isinstance(source, Runs):
        from outclass.ask.run_questions import runs_planned  # loaded for runs alone

        ((of_runs, runs, asked),) = runs_planned(source, wishes, ranks=True)
        return Refit(of_runs.fit, runs, asked)
    if not isinstance(source, Annotated | Outcomes | MultiLabel | Grouped | PerItem | PartlyLabelled):
        from outclass.ask.numbers import numbers_question  # loaded for numbers alone

        known, scores, question = numbers_question(source, wishes, ranks=True)
        if not known.ranks:
            raise InputError(f"the {question.model} model compares pairs and gives no ranking; leave out ⟨model⟩.")
        cost.announce(cost.cost_of_ranking(source, question.settings.draws, question.measures[0]))
        return Refit(known.fit, scores, question)
    decisions: Decisions = decisions_of(source)
    if isinstance(source, MultiLabel) and wishes.positive is not None:
        decisions = Classes(source.of_label(str(wishes.positive)))
    if not isinstance(decisions, MultiLabel | PerItem):
        decisions.outcomes.require_two_classes()
    if wishes.measure is None:
        two = not isinstance(decisions, MultiLabel) and (len(decisions.labels) == 2 or wishes.positive is not None)
        # Of counts per item, f1 is that of all counts together.
        binary = (two or isinstance(decisions, PerItem)) and not wishes.some_labels
        wishes = replace(wishes, measure="f1" if binary else "macro_f1")
    in_groups = isinstance(decisions, Grouped | GroupedCounts)
    view = view_of(source)
    if wishes.model is not None and not model_of(wishes.model, [view]).ranks:
        raise InputError(f"the {wishes.model} model compares pairs; use it with compare.")
    known, question = units_question(decisions, wishes, one_measure=True, view=view)
    cost.announce(cost.cost_of_ranking(source, question.settings.draws))
    if not in_groups and question.model in ("paired", "unpaired"):
        # A ranking has no Bayes factors, and so no need for what they are made from.
        return Refit(_weighted, decisions, question)
    return Refit(known.fit, decisions, question)


def _weighted(decisions: Decisions, question: Question) -> Fit:
    alone = question.model == "unpaired"
    return fit_weights(decisions, question, mass=question.mass, alone=alone, factors=False)
