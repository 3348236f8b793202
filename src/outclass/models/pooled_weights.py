"""Measures of counts that are summed over all labels, or are of one label, for many systems at once.

Accuracy, micro averages and measures of one label look at three numbers of each system, however many labels there are:
what every unit adds to them is a row of a matrix, and the draws of all systems are one product with the units' weights.
Any labels' counts could be summed afterwards; that takes as many times as long as there are labels.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.classes import Classes, Parts
from outclass.data.outcomes import BINARY, WRONG
from outclass.data.unit_counts import PerItem
from outclass.measures.averages import Average
from outclass.models.sticks import sticks

HELD: Final = 1 << 23  # numbers of the matrix that are kept as floating point; more are made so again for every product
FEW_ROWS: Final = 12  # that are summed by a sparse product, which leaves the other cores to other draws
PART: Final = 1 << 21  # of which so many are made at a time
FEW_SYSTEMS: Final = 3  # of which all kinds of pseudo-items are listed
KINDS: Final = 3  # TP, FP, FN


class PooledPseudo(NamedTuple):
    """What pseudo-items add to the counts, (3, systems, rows), and their weight, (rows,)."""

    counts: Floats
    items: Floats


@dataclass(frozen=True)
class PooledUnits:
    """What units add to the counts of every system.

    Parameters
    ----------
    columns
        The different rows of numbers that there are, (rows, units); systems that are right on the same units have the
        same one, and so the same sums to the last digit.
    places
        Which of them is each system's TP, FP and FN, (3, systems); the one behind the last is nothing.
    """

    columns: np.ndarray
    places: Counts

    @cached_property
    def _matrices(self) -> list[tuple[slice, Any]]:
        """The rows in a form that multiplies quickly, in parts; of so many that they are made again, themselves."""
        rows, units = self.columns.shape
        if rows <= FEW_ROWS:
            from scipy import sparse  # loaded for many labels and systems alone

            return [(slice(0, rows), sparse.csr_matrix(self.columns, dtype=float))]
        if self.columns.size <= HELD:
            return [(slice(0, rows), self.columns.astype(float))]
        step = max(1, PART // units)
        parts = (slice(start, min(start + step, rows)) for start in range(0, rows, step))
        return [(part, self.columns[part]) for part in parts]

    def sums(self, weights: Floats) -> Floats:
        """Return what weights of shape (units, rows) add up to: (3, systems, rows)."""
        found = np.zeros((len(self.columns) + 1, weights.shape[1]))
        for part, own in self._matrices if len(weights) else ():
            found[part] = (own.astype(float) if own.dtype == bool else own) @ weights
        return np.asarray(found[self.places])


def pooled_units(
    decisions: Any, systems: Sequence[str], measures: Iterable[Average], true: Collection[int]
) -> dict[int | None, PooledUnits]:
    """Return what units add to the counts that measures look at, by label; None is all labels together."""
    found: dict[int | None, set[int]] = {}
    for measure in measures:
        if is_pooled(decisions, measure, true):
            found.setdefault(measure.label, set()).update(measure.looks_at)
    return {label: _of_label(decisions, systems, label, kinds) for label, kinds in found.items()}


def is_pooled(decisions: Any, measure: Average, true: Collection[int]) -> bool:
    """Return whether a measure is one of three counts of each system.

    Of counts per item, pseudo-items are of another kind. A label that is never true can be left out for all systems.
    """
    if measure.pooled is None or isinstance(decisions, PerItem):
        return False
    return measure.label is None or measure.label in true


def _of_label(decisions: Any, systems: Sequence[str], label: int | None, kinds: Collection[int]) -> PooledUnits:
    several = _of_patterns if type(decisions) is Classes else _of_contributions
    rows: dict[bytes, int] = {}
    columns: list[np.ndarray] = []
    places = np.full((KINDS, len(systems)), -1)
    for kind, matrix in enumerate(several(decisions, systems, label, kinds)):
        for place, row in enumerate(matrix if kind in kinds else ()):
            key = row.tobytes()
            if key not in rows:
                rows[key] = len(columns)
                columns.append(row)
            places[kind, place] = rows[key]
    places[places < 0] = len(columns)
    return PooledUnits(np.array(columns).reshape(len(columns), len(decisions.units)), places)


def _of_patterns(
    decisions: Classes, systems: Sequence[str], label: int | None, kinds: Collection[int]
) -> list[np.ndarray]:
    """Return whether each pattern adds to every system's TP, FP and FN: (systems, patterns) each."""
    patterns = decisions.outcomes.patterns.T
    truth, said = patterns[0], patterns[[decisions.outcomes.column(system) for system in systems]]
    if len(decisions.labels) == BINARY and (said == WRONG).any():
        said = np.where(said == WRONG, 1 - truth, said)  # of two labels a missing one is the other
    right = said == truth
    if label is None:
        return [right, ~right & (said >= 0), ~right]
    return [right & (truth == label), ~right & (said == label), ~right & (truth == label)]


def _of_contributions(
    decisions: Any, systems: Sequence[str], label: int | None, kinds: Collection[int]
) -> list[np.ndarray]:
    """Return how much each unit adds to every system's TP, FP and FN: (systems, units) each."""
    units = len(decisions.units)
    found = np.zeros((KINDS, len(systems), units))
    for place, system in enumerate(systems):
        unit, own, kind = decisions.contributions(system)
        amounts = decisions.amounts(system) if isinstance(decisions, Parts) else np.ones(len(unit))
        kept = np.full(len(unit), fill_value=True) if label is None else own == label
        cells = np.bincount((kind * units + unit)[kept], weights=amounts[kept], minlength=KINDS * units)
        found[:, place] = cells.reshape(KINDS, units)
    return list(found)


def pooled_pseudo(
    mass: float, systems: int, rows: int, rng: np.random.Generator, *, one: bool, total: Floats | None = None
) -> PooledPseudo:
    """Draw pseudo-items, on which every system is right or wrong by the toss of a coin.

    With `one`, the counts are of one label against the rest: every other pseudo-item has it.
    """
    counts = np.zeros((KINDS, systems, rows))
    if systems <= FEW_SYSTEMS and total is None:
        listed = np.array(list(product((0, 1), repeat=systems + one)), dtype=float)
        weights = rng.standard_gamma(mass / len(listed), (len(listed), rows))
        for own, (*rights, has) in zip(weights, listed if one else np.insert(listed, systems, 1, axis=1), strict=True):
            _add(counts, own[None, :], np.array(rights)[:, None], has, one=one)
        return PooledPseudo(counts, weights.sum(axis=0))
    weights = sticks(mass, rows, rng, total)
    for own in weights:
        # A byte holds eight tosses.
        tosses = np.frombuffer(rng.bytes(systems * (-(-rows // 8))), dtype=np.uint8).reshape(systems, -1)
        rights = np.unpackbits(tosses, axis=1, count=rows)
        _add(counts, own, rights, rng.integers(0, 2, rows) if one else 1, one=one)
    return PooledPseudo(counts, weights.sum(axis=0))


def _add(counts: Floats, own: Floats, rights: np.ndarray, has: Any, *, one: bool) -> None:
    """Add one pseudo-item in every row: it has the label or not, and each system is right about it or not."""
    right = own * has * rights
    wrong = own * (1 - rights)
    counts[0] += right
    counts[1] += wrong * (1 - has) if one else wrong
    counts[2] += wrong * has if one else wrong


def mean_pooled_pseudo(mass: float, systems: int, *, one: bool) -> PooledPseudo:
    """Return what pseudo-items add on average, as one row."""
    return PooledPseudo(np.full((KINDS, systems, 1), mass / (4 if one else 2)), np.array([mass]))
