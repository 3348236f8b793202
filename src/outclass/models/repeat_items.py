"""What is compared of items with repeats: their means, or a measure of k repeats such as pass@k, item by item."""

from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.repeats import OneSystem, RepeatedScores
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted
from outclass.measures.repeated import RepeatMeasure, all_of, at_least_one, most_of, plurality

SHARES: Final = {"pass@": at_least_one, "pass^": all_of, "maj@": most_of}


def as_items(scores: RepeatedScores, measure: RepeatMeasure) -> Scores:
    """Return results that are a measure of each item's repeats."""
    told = ("name", "ids", "group", "group_names", "step", "findings")
    return Scores(
        values=of_items(scores, measure), **{name: getattr(scores, name) for name in told} | {"name": measure.name}
    )


def of_items(scores: RepeatedScores, measure: RepeatMeasure) -> dict[str, Floats]:
    """Return the measure of each item, for every system."""
    kinds = scores.repeats.right_wrong
    if kinds != (0.0, 1.0) or not scores.higher_is_better:
        raise InputError(f"{measure.name} needs answers that are right (1) or wrong (0), or labels and their truth.")
    found = {}
    for name, own in scores.repeats.distinct.systems.items():
        fewest = int(np.argmin(own.sizes))
        if own.sizes[fewest] < measure.k:
            which = "" if scores.ids is None else f" of {quoted([scores.ids[fewest]])}"
            raise InputError(
                f"{measure.name} needs {measure.k} repeats of every item, and {name} has "
                f"{int(own.sizes[fewest])}{which}: use a smaller number."
            )
        found[name] = _of_system(own, measure)
    return found


def _of_system(own: OneSystem, measure: RepeatMeasure) -> Floats:
    right = np.bincount(own.item, weights=own.values).round().astype(int).tolist()
    sizes = own.sizes.tolist()
    if measure.kind == "maj@" and own.answers is not None:
        return _voted(own, own.answers, measure.k)
    share = SHARES[measure.kind]
    return np.array([share(size, many, measure.k) for size, many in zip(sizes, right, strict=True)])


def _voted(own: OneSystem, answers: Counts, k: int) -> Floats:
    """Return, of each item, the share of subsets of k answers in which the right one has most votes."""
    starts = np.flatnonzero(np.diff(own.item, prepend=-1))
    found = []
    for said, right in zip(np.split(answers, starts[1:]), np.split(own.values, starts[1:]), strict=True):
        wrong = np.unique(said[right < 1], return_counts=True)[1]
        found.append(plurality(int((right == 1).sum()), tuple(sorted(wrong.tolist())), k))
    return np.array(found)
