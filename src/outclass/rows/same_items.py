"""Published results on one test set: the verdict under every possible agreement between the systems."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.data.published import SameItems
from outclass.inference.distribution import Interval
from outclass.models.agreement import MAPPED, PRINTED, Both, corners, difference_at, independent, roughly
from outclass.models.table_fit import TableFit
from outclass.rows.label_parts import AgreementCase, UnknownAgreement
from outclass.verdict.rope import decide

FEW: Final = 120  # pairings that are looked at one by one
COLUMNS: Final = 5  # of more: numbers on one class, for each of which the edge on the other is searched
FINEST: Final = 10_001  # numbers on one class over which the share is taken


class _Axis(NamedTuple):
    """What both systems may get right on one class, from the widest posterior to the narrowest."""

    start: int
    sign: int
    steps: int

    def at(self, step: int) -> int:
        return self.start + self.sign * step


def unknown_agreement(fit: TableFit, measure: Any, rope: Interval, hdi: Interval) -> UnknownAgreement | None:
    """Look at all pairings of two results on the same items; None for other data. `hdi` is that of the widest."""
    pair = fit.data
    if not isinstance(pair, SameItems) or pair.both is None:
        return None
    axes = [_axis(ends, start) for ends, start in zip(corners(pair, measure), pair.both, strict=True)]

    def case(both: Both, *, rough: bool = False) -> AgreementCase:
        question = roughly(fit.question, MAPPED if rough else PRINTED)
        own = hdi if both == pair.both else difference_at(pair, both, measure, question).hdi(question.hdi_mass)
        return AgreementCase(agreement=agreement(pair, both, measure), hdi=own, verdict=decide(own, rope))

    def both_at(steps: Both) -> Both:
        return axes[0].at(steps[0]), axes[1].at(steps[1])

    last = (axes[0].steps, axes[1].steps)
    first, narrowest = case(pair.both), case(both_at(last))
    middle = [
        mid if len(ends) > 1 else ends[0] for mid, ends in zip(independent(pair), corners(pair, measure), strict=True)
    ]
    decided, undecided = _searched(lambda steps: case(both_at(steps), rough=True).verdict.is_decided, last)
    if not narrowest.verdict.is_decided:
        decided, undecided = 0.0, [last]  # what a rough interval decides at the very edge is not decided
    most = max((agreement(pair, both_at(steps), measure) for steps in undecided), default=-math.inf)
    # Two items fewer on which exactly one system is right: the next agreement there is.
    needed = max(most + 2 / _counted(pair, measure), first.agreement)
    return UnknownAgreement(
        pairings=(last[0] + 1) * (last[1] + 1),
        decided=decided,
        verdict=narrowest.verdict if decided else None,
        needed=needed if decided and most < narrowest.agreement else math.nan,
        of=f"{measure.given[:-1]} items" if measure.given else "items",
        widest=first,
        independent=case((middle[0], middle[1])),
        narrowest=narrowest,
    )


def agreement(pair: SameItems, both: Both, measure: Any) -> float:
    """Return the share of items on which both systems are right or both wrong; of the class that the measure is of."""
    rows = replace(pair, both=both).rights
    if measure.given is not None:
        rows = rows[0 if measure.given == "positives" else 1][None]
    return float(rows[:, [0, 3]].sum()) / max(float(rows.sum()), 1.0)


def _counted(pair: SameItems, measure: Any) -> int:
    return max(1, int(pair.sizes.sum() if measure.given is None else pair.sizes[int(measure.given == "negatives")]))


def _axis(ends: tuple[int, ...], start: int) -> _Axis:
    far = ends[-1] if start == ends[0] else ends[0]
    return _Axis(start, 1 if far >= start else -1, abs(far - start))


def _searched(is_decided: Callable[[Both], bool], last: Both) -> tuple[float, list[Both]]:
    """Return the share of pairings that decide, and the narrowest of those that do not.

    The more steps away from the widest posterior, the narrower: once decided, decided from there on.
    """
    if (last[0] + 1) * (last[1] + 1) <= FEW:
        every = [(i, j) for i in range(last[0] + 1) for j in range(last[1] + 1)]
        undecided = [steps for steps in every if not is_decided(steps)]
        return 1 - len(undecided) / len(every), undecided
    turned = last[0] > last[1]  # the edge is searched along the longer range
    short, long = sorted(last)

    def looked_at(column: int, row: int) -> bool:
        return is_decided((row, column) if turned else (column, row))

    columns = np.unique(np.linspace(0, short, COLUMNS).round().astype(int)).tolist()
    edges: list[int] = []
    for column in columns:
        # The edge never moves up from one column to the next.
        edges.append(_first(lambda row, at=column: looked_at(at, row), edges[-1] if edges else long + 1))  # type: ignore[misc]
    undecided = [
        (edge - 1, column) if turned else (column, edge - 1)
        for column, edge in zip(columns, edges, strict=True)
        if edge
    ]
    return _share(columns, edges, short, long), undecided


def _first(is_decided: Callable[[int], bool], end: int) -> int:
    """Return the first step that is decided, or `end` if none before it is."""
    low, high = 0, end
    while low < high:
        middle = (low + high) // 2
        if is_decided(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _share(columns: list[int], edges: list[int], short: int, long: int) -> float:
    at: Floats = np.linspace(0, short, min(short + 1, FINEST))
    left = np.interp(at, columns, edges)
    return float(np.mean((long + 1 - left) / (long + 1)))
