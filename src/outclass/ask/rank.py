"""`rank`: which of many systems is best, and which cannot be told apart."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from outclass import overall, scored
from outclass.answers.ranking import Ranking
from outclass.ask.labels import many_labels, overall_question
from outclass.ask.question import MeasureSpec, listed, outcomes_of
from outclass.ask.scores import asked_of, refuse_with_scores
from outclass.data.multilabel import (
    Classes,
    Decisions,
    MultiLabel,
)
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.measures.averages import Average


def rank(
    data: Any,
    *,
    measure: MeasureSpec | Average | Sequence[str] | None = None,
    positive: Any = None,
    rope: float | str | Sequence[float] | None = None,
    model: str | None = None,
    prior: Any = None,
    hdi_mass: float = 0.95,
    rng: int | np.random.Generator | None = None,
    truth: str | None = None,
    systems: Sequence[str] | None = None,
    count: str | None = None,
    id: str | None = None,
    missing: str = "error",
    item: str | None = None,
    label: str | None = None,
    separator: str | None = None,
    group: str | None = None,
    average: str | None = None,
    undefined: str = "drop",
    draws: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Ranking:
    """Rank systems: which is best, how sure is that, and which cannot be told apart?

    The parameters are those of `compare`; the measure is one: by default macro-F1, or F1 with two labels. All systems
    share one posterior, so they are compared on the same items, and any two of them as `compare` would compare them.
    """
    if isinstance(data, Scores):
        refuse_with_scores(positive=positive, prior=prior, model=None if model in ("bootstrap", "t") else model)
        refuse_with_scores(truth=truth, count=count, id=id, item=item, label=label, separator=separator, group=group)
        chosen = data if systems is None else data.selected(systems)
        # Weights on items rank what has no groups, whatever the model of two systems is.
        asked = asked_of(chosen, measure, model, rope, hdi_mass, draws, rng, average)
        return scored.rank(chosen, asked, progress)
    decisions: Decisions
    if isinstance(data, MultiLabel):
        decisions = data if systems is None else data.selected(systems)
    elif any(each is not None for each in (item, label, separator, group)):
        decisions = many_labels(
            data, truth=truth, systems=systems, item=item, label=label, separator=separator, group=group
        )
    else:
        decisions = Classes(outcomes_of(data, truth=truth, systems=systems, count=count, id=id, missing=missing))
    if isinstance(decisions, MultiLabel) and positive is not None:
        decisions = Classes(decisions.of_label(str(positive)))
    if len(decisions.systems) < 2:
        raise InputError("a ranking needs two systems at least.")
    if not isinstance(decisions, MultiLabel):
        decisions.outcomes.require_two_classes()
    if measure is None:
        binary = not isinstance(decisions, MultiLabel) and (len(decisions.labels) == 2 or positive is not None)
        measure = "f1" if binary else "macro_f1"
    if len(listed(measure)) != 1:
        raise InputError("systems are ranked by one measure; name one.")
    if draws is None:
        draws = max(2_000, min(20_000, int(4e8 / (len(decisions.systems) * max(len(decisions.units), 1)))))
    question = overall_question(
        decisions, measure, model, prior, positive, rope, hdi_mass, draws, rng, undefined, average=average
    )
    if question.model == "decisions":
        raise InputError("the decisions model is of pairs; ask for it with compare.")
    return overall.rank(decisions, question, progress)
