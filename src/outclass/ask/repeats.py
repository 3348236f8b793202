"""Repeats of items: what is asked of them, settled before the model is chosen."""

from dataclasses import replace
from typing import Any, Final, NamedTuple

from outclass.ask.question import Wishes, listed
from outclass.data.repeats import RepeatedScores
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted, shown
from outclass.findings import Finding, finding
from outclass.measures.repeated import RepeatMeasure, repeat_measure
from outclass.models.repeat_items import as_items

LIKE_THESE, THESE = "like-these", "these"
POPULATIONS: Final = (LIKE_THESE, THESE)


class Settled(NamedTuple):
    """The numbers per item that are asked about, what is left to ask, what to say of them, and their measure's name."""

    scores: Scores
    wishes: Wishes
    notes: tuple[Finding, ...] = ()
    name: str | None = None


def settled_repeats(scores: Scores, wishes: Wishes) -> Settled:
    """Settle what is asked of repeats; of other results there is nothing to settle."""
    population = wishes.population
    if population is not None and population not in POPULATIONS:
        raise InputError(f"⟨population⟩ must be one of {quoted(POPULATIONS)}, got {shown(population)}.")
    if population is not None and not isinstance(scores, RepeatedScores):
        raise InputError(
            "⟨population⟩ is about repeats of items, and these data have one number per item: name the column of "
            "repeats (⟨item⟩, ⟨repeat⟩), or leave it out."
        )
    wanted = [] if wishes.measure is None else listed(wishes.measure)
    found = measure_of_repeats(scores, wanted[0]) if len(wanted) == 1 else None
    if found is None:
        if len(wanted) == 1 and isinstance(scores, RepeatedScores) and wanted[0] == scores.name == "accuracy":
            wishes = replace(wishes, measure="mean")
        return Settled(scores, wishes)
    if population == THESE:
        raise InputError(
            f"⟨population=these⟩ applies to the mean; the noise of {found.name} within an item is unknown. Leave it "
            "out."
        )
    assert isinstance(scores, RepeatedScores)
    return Settled(as_items(scores, found), replace(wishes, measure=None), tuple(_how(scores, found)), found.name)


def measure_of_repeats(scores: Scores, spec: Any) -> RepeatMeasure | None:
    """Find a measure of repeats by its name; an error if there are no repeats, None of other measures."""
    found = repeat_measure(spec)
    if found is not None and not isinstance(scores, RepeatedScores):
        raise InputError(
            f"{found.name} is about repeats of items, and these data have none: name their column (⟨item⟩, ⟨repeat⟩)."
        )
    return found


def tested_repeats(source: Any, measure: Any) -> tuple[Any, Any]:
    """Return the numbers per item that are tested, and the measure that is left to ask for."""
    wanted = [] if measure is None else listed(measure)
    named = [each for each in wanted if repeat_measure(each) is not None]
    if not named or not isinstance(source, Scores) or source.truth is not None:
        return source, measure
    if len(wanted) > 1:
        raise InputError(f"{quoted(named[:1])} is tested by itself: name one measure (⟨measure⟩).")
    found = measure_of_repeats(source, named[0])
    assert isinstance(source, RepeatedScores)
    assert found is not None
    return as_items(source, found), None


def _how(scores: RepeatedScores, measure: RepeatMeasure) -> list[Finding]:
    """Say how a majority is found where nobody knows what was answered."""
    answers = all(own.answers is not None for own in scores.repeats.systems.values())
    if measure.kind != "maj@" or answers:
        return []
    told = f"{measure.name} counts an item as right if more than half of {measure.k} answers are right, and half of "
    return [finding("OC524", f"{told}them as half: a vote over answers needs the labels (⟨label⟩, ⟨truth⟩).")]
