"""What to label next: the items of an unlabelled pool that best separate two systems."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from outclass.data.labels import is_missing, word
from outclass.dialects import spoken
from outclass.errors import InputError
from outclass.measures.measure import Measure, pair_difference
from outclass.planning.scenario import Scenario


class Wanted(NamedTuple):
    """An item worth labelling: its id, both predictions, and the expected effect of its label on the measure."""

    id: Any
    a: Any
    b: Any
    worth: float


class Labelling(NamedTuple):
    """Items worth labelling, best first, and the savings from skipping the rest."""

    items: list[Wanted]
    pool: int
    words: str


def next_items(
    ids: Sequence[Any], a: Sequence[Any], b: Sequence[Any], measure: Measure, positive: Any, scenario: Scenario | None
) -> Labelling:
    """Rank a pool: only items on which the systems disagree can tell them apart in accuracy; the rest by influence."""
    if not len(ids) == len(a) == len(b):
        raise InputError("the pool's columns differ in length.")
    whole = [place for place in range(len(ids)) if not (is_missing(a[place]) or is_missing(b[place]))]
    if not whole:
        raise InputError("the pool has no items with predictions from both systems.")
    about_right = measure.name in ("accuracy", "error")
    differ = [place for place in whole if word(a[place]) != word(b[place])]
    if not about_right:
        if positive is None:
            raise InputError(f"{measure.title} needs a positive label; name it (⟨positive=LABEL⟩), or use accuracy.")
        # Two different labels neither of which is the positive one are the same answer here.
        differ = [place for place in differ if word(positive) in (word(a[place]), word(b[place]))]
    if not differ:
        told = f"The systems agree on all {len(whole):,} items: labelling this pool cannot separate them."
        return Labelling([], len(whole), told)
    worth = dict.fromkeys(differ, 1.0)
    told = (
        f"{len(differ):,} of {len(whole):,} items have different predictions; labelling only these saves "
        f"{1 - len(differ) / len(whole):.0%} of the labels"
    )
    if about_right:
        told += (
            ": where the systems agree, accuracy cannot differ. Then count the items that only A, and only B, gets "
            f"right, and compare with ⟨wins=A,B⟩ and ⟨items={len(whole)}⟩."
        )
    else:
        if scenario is not None:
            yes_a, yes_b = _influence(measure, scenario)
            worth = {place: yes_a if word(a[place]) == word(positive) else yes_b for place in differ}
        told += (
            f" that say most of who is ahead. But {measure.title} itself also depends on the items on which both say "
            "the same, and a set that holds the disagreements more often than chance would show another "
            f"{measure.title} than the pool's: compare accuracy from them (⟨wins⟩), or label a random sample of the "
            f"pool for {measure.title}."
        )
    if len(whole) < len(ids):
        told += f" {len(ids) - len(whole):,} items without both predictions were dropped."
    told = spoken(told)
    order = sorted(differ, key=lambda place: (-worth[place], place))
    return Labelling([Wanted(ids[place], a[place], b[place], worth[place]) for place in order], len(whole), told)


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
