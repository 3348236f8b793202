"""One label of partly labelled items at a time: what can be asked so, and what the rows are called."""

from dataclasses import replace
from typing import Any

from outclass.ask.question import Wishes, is_average_only, is_by_label, listed
from outclass.data.labels import Label
from outclass.errors import InputError
from outclass.models.question import Question


def in_turn(fit: tuple[Any, Any, Question], label: Label) -> tuple[Any, Any, Question]:
    """Let the row name its label, instead of the measure, where there is a row for every label."""
    known, decisions, asked = fit
    own: Any = asked.measures
    plain = tuple(replace(each, title=each.title.removesuffix(f" for {label}")) for each in own)
    return known, decisions, replace(asked, measures=plain, label=label)


def check_one_label(wishes: Wishes) -> None:
    """Refuse averages over the labels of partly labelled lists: each label has strata, and weights, of its own."""
    is_by_label(wishes.by, wishes.positive)
    averaged = any(is_average_only(each) for each in ([] if wishes.measure is None else listed(wishes.measure)))
    if averaged or wishes.some_labels or (wishes.by is None and wishes.positive is None):
        raise InputError(
            "averages over labels (macro, micro) are not available for partly labelled lists: name one label "
            "(⟨positive=LABEL⟩), or use ⟨by=label⟩ for a row per label. For averages over the labelled items alone, if "
            "they are a random sample, use ⟨unlabelled=drop⟩."
        )
