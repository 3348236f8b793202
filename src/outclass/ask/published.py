"""Published results: which model answers, and which measures it can be asked for."""

from dataclasses import replace
from typing import Final

from outclass.ask import cost
from outclass.ask.dispatch import Task, table_question
from outclass.ask.question import Wishes, is_by_label, listed
from outclass.ask.used import SETS
from outclass.data.published import PublishedCounts, SameItems
from outclass.errors import InputError
from outclass.models import models_of
from outclass.models.agreement import widest
from outclass.models.question import Question

KNOWN: Final = ("accuracy", "error")  # of right and wrong answers alone
SEARCH: Final = 0.3  # seconds of a search over all agreements, about


def question_of(source: PublishedCounts, wishes: Wishes, view: str = "table") -> Question:
    """Collect the question about published results: whether they are of the same items decides on the models."""
    paired = source.same_items and view == "table"  # systems are evaluated one by one
    models = ("paired", "sign") if paired else tuple(models_of(view))
    if not source.has_classes:
        models = ("sign",) if paired else ("goutte",)
        named = ["accuracy"] if wishes.measure is None else listed(wishes.measure)
        wishes = replace(wishes, measure=[name for each in named for name in (KNOWN if each == "all" else (each,))])
    elif not paired:
        models = ("goutte", *(model for model in models if model != "goutte"))
    question = table_question(wishes, models[0], view)
    for measure in () if source.has_classes else question.measures:
        if measure.name not in KNOWN:
            raise InputError(
                f"only accuracy and error are known of results given by accuracy and n, not {measure.title}. Give "
                "tp, fp and fn, or precision, recall and positives (⟨counts⟩)."
            )
    if question.model not in models:
        what = "results on the same items (⟨same_items⟩)" if paired else "right and wrong answers alone"
        raise InputError(f"⟨model={question.model}⟩ is not for {what}, but {' or '.join(models)}: leave out ⟨model⟩.")
    if paired and question.settings.method == "mcmc":
        raise InputError("⟨same_items⟩ looks at every possible agreement, which MCMC cannot: use a conjugate prior.")
    return question


def same_items(source: PublishedCounts, question: Question, wishes: Wishes) -> tuple[Task, ...]:
    """Return the comparisons of every pair, measure by measure: each at the least favourable agreement."""
    rows = cost.pairs_of(source) * len(question.measures)
    found = cost.cost_of_tables(source, rows, question)
    cost.announce(replace(found, seconds=found.seconds + rows * SEARCH))
    wishes.without("counts, which have no labels", *SETS)
    tasks: list[Task] = []
    for pair in source.pairs():
        assert isinstance(pair, SameItems)
        (label,) = pair.positives(wishes.positive, by_label=is_by_label(wishes.by, wishes.positive))
        tasks += [
            (widest(pair, measure, question), label, replace(question, measures=(measure,)))
            for measure in question.measures
        ]
    return tuple(tasks)
