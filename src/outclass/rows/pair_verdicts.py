"""The verdicts on all pairs of many systems, from joint draws: a block of pairs at a time, on all cores.

A verdict asks only on which side of the ROPE's ends the interval lies. Most pairs of a long ranking are far enough
apart, or alike enough, that the extremes of the differences settle it; only the others have their tails sorted.
"""

from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.inference.distribution import Interval
from outclass.parallel import cores, side_by_side
from outclass.verdict.rope import EVEN, Verdict, decided

MIRROR: Final = {"<<": ">>", "<": ">", ">": "<", ">>": "<<"}
BLOCK: Final = 1 << 18  # differences that are looked at together, so that they stay in the cache
OPEN: Final = -1
SIGNS: Final = tuple(each.value for each in Verdict)
PLACE: Final = {sign: place for place, sign in enumerate(SIGNS)}


def verdicts_of(values: Floats, rope: Interval, mass: float) -> list[list[str]]:
    """Decide every pair of systems, row against column, from draws of shape (draws, systems)."""
    draws, systems = values.shape
    inside = min(max(int(np.ceil(mass * draws)), 1), draws)
    own = np.ascontiguousarray(values.T)  # a system's draws lie together
    found = np.full((systems, systems), PLACE[Verdict.UNDECIDED], dtype=np.int8)

    # Early rows are long and late ones short, so that they are dealt out in turn.
    hands = min(cores(), max(1, systems - 1))
    dealt = [range(first, systems - 1, hands) for first in range(hands)]
    tasks = [(own, rows, rope, inside) for rows in dealt]
    for rows, signs_of in zip(dealt, side_by_side(_some, tasks, threads=True), strict=True):
        for a, each in zip(rows, signs_of, strict=True):
            found[a, a + 1 :] = each
    mirrored = np.array([PLACE[MIRROR.get(sign, sign)] for sign in SIGNS], dtype=np.int8)
    upper = np.triu_indices(systems, 1)
    found.T[upper] = mirrored[found[upper]]
    signs = [[SIGNS[place] for place in row] for row in found.tolist()]
    for place, row in enumerate(signs):
        row[place] = ""
    return signs


def _some(own: Floats, rows: range, rope: Interval, inside: int) -> list[np.ndarray]:
    """Decide some systems against all that come after each of them."""
    return [_against(own[a], own[a + 1 :], rope, inside) for a in rows]


def _against(one: Floats, others: Floats, rope: Interval, inside: int) -> np.ndarray:
    """Decide one system against some others, shape (systems, draws): by the shortest interval of so many draws."""
    found = np.empty(len(others), dtype=np.int8)
    low, high = np.empty((2, len(others)))
    step = max(1, BLOCK // others.shape[1])
    for start in range(0, len(others), step):
        part = slice(start, start + step)
        differences = one - others[part]
        found[part] = _plain(differences, rope, inside)
        left = np.flatnonzero(found[part] == OPEN)
        low[start + left], high[start + left] = shortest(differences[left], inside)
    left = np.flatnonzero(found == OPEN)
    found[left] = [PLACE[sign] for sign in decided(low[left], high[left], rope)]
    return found


def _plain(differences: Floats, rope: Interval, inside: int) -> np.ndarray:
    """Return the verdicts that follow whichever interval is the shortest; OPEN where it matters."""
    found = np.full(len(differences), OPEN, dtype=np.int8)
    if rope.low != -rope.high:
        return found
    low, high = differences.min(axis=1), differences.max(axis=1)
    found[low > rope.high] = PLACE[Verdict.MUCH_GREATER]
    found[high < rope.low] = PLACE[Verdict.MUCH_LESS]
    found[(low >= rope.low) & (high <= rope.high)] = PLACE[Verdict.EQUIVALENT]
    outside = differences.shape[1] - inside
    # An interval that leaves out fewer differences than there are on either side of an end reaches across it. Its
    # middle is on that side of zero, if no difference is as far on the other side.
    for sign, end, least, most, side in ((1, rope.high, low, high, ">"), (-1, -rope.low, -high, -low, "<")):
        at = np.flatnonzero((found == OPEN) & (least + end > 2 * EVEN * (most - least)) & (most > end))
        own = differences[at]
        above, below = (np.count_nonzero(compare(own, sign * end), axis=1) for compare in (np.greater, np.less))
        found[at[(above > outside) & (below > outside)]] = PLACE[side]
    return found


def shortest(rows: Floats, inside: int) -> tuple[Floats, Floats]:
    """Return the ends of the shortest interval that holds so many of each row's numbers; the rows are reordered."""
    tail = rows.shape[1] - inside
    if tail < inside - 1:
        # An interval begins in the lower tail and ends in the upper one: what lies between need not be sorted. One
        # place at a time, which NumPy does many times as fast as two.
        rows.partition(tail, axis=1)
        rows[:, tail + 1 :].partition(inside - 2 - tail, axis=1)
    else:
        rows.sort(axis=1)
    low, high = np.sort(rows[:, : tail + 1], axis=1), np.sort(rows[:, inside - 1 :], axis=1)
    start = np.argmin(high - low, axis=1)[:, None]
    return np.take_along_axis(low, start, axis=1)[:, 0], np.take_along_axis(high, start, axis=1)[:, 0]
