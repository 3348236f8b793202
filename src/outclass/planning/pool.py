"""What to label next: which items of an unlabelled pool tell two systems apart."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from outclass.data.labels import is_missing, word
from outclass.errors import InputError
from outclass.measures.measure import Measure, pair_difference
from outclass.planning.scenario import Scenario


class Wanted(NamedTuple):
    """An item worth labelling: its id, what the systems say, and how much its label is expected to move the measure."""

    id: Any
    a: Any
    b: Any
    worth: float


class Labelling(NamedTuple):
    """Items worth a label, best first, and what is saved by leaving out the rest."""

    items: list[Wanted]
    pool: int
    words: str


def next_items(
    ids: Sequence[Any], a: Sequence[Any], b: Sequence[Any], measure: Measure, positive: Any, scenario: Scenario | None
) -> Labelling:
    """Rank a pool: only items on which the systems disagree can tell them apart in accuracy; the rest by influence."""
    if not len(ids) == len(a) == len(b):
        raise InputError("the pool's columns differ in length.")
    differ = [
        place
        for place in range(len(ids))
        if not is_missing(a[place]) and not is_missing(b[place]) and word(a[place]) != word(b[place])
    ]
    share = len(differ) / max(len(ids), 1)
    worth = dict.fromkeys(differ, 1.0)
    told = (
        f"{len(differ):,} of {len(ids):,} items tell the systems apart; labelling only these saves "
        f"{1 - share:.0%} of the labels"
    )
    if measure.name in ("accuracy", "error"):
        told += (
            ": where both say the same, accuracy cannot differ. Then count how often only A and only B is right, and "
            f"compare these: --wins A,B --items {len(ids)}."
        )
    else:
        kinds = {place: word(a[place]) == word(positive) for place in differ}
        if scenario is not None:
            yes_a, yes_b = _influence(measure, scenario)
            worth = {place: yes_a if kinds[place] else yes_b for place in differ}
        told += (
            f". They matter most, but {measure.title} also depends on the items on which both say the same: label a "
            "random sample of these, too."
        )
    order = sorted(differ, key=lambda place: (-worth[place], place))
    return Labelling([Wanted(ids[place], a[place], b[place], worth[place]) for place in order], len(ids), told)


def _influence(measure: Measure, scenario: Scenario) -> tuple[float, float]:
    """Return how far, on average over its label, one more item that only A (only B) says yes to moves things."""
    shares = scenario.shares
    found = []
    for column in (1, 2):
        chances = shares[:, column] / max(shares[:, column].sum(), 1e-12)
        moves = []
        for row in (0, 1):
            unit = np.zeros((2, 4))
            unit[row, column] = 1
            moved = (1 - 1e-4) * shares + 1e-4 * unit
            moves.append(abs(float(pair_difference(measure, moved) - pair_difference(measure, shares))) / 1e-4)
        found.append(float(chances @ np.array(moves)))
    return found[0], found[1]
