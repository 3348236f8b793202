"""Measures: numbers computed from the four cells of a 2x2 table, with their properties."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np

# Cells and coefficients may be numbers or arrays of any shape; NumPy broadcasts them.
Cell = Any


class Cells(NamedTuple):
    """One value for each kind of decision: counts, probabilities, or a measure's coefficients."""

    tp: Cell
    fp: Cell
    fn: Cell
    tn: Cell


class Ratio(NamedTuple):
    """A measure as a ratio of two linear forms of the cells."""

    top: Cells
    bottom: Cells


class Line(NamedTuple):
    """factor * measure + shift: what is known of the measure is known of it."""

    measure: "Measure"
    factor: float
    shift: float


PSEUDO_COUNT: Final = 1 / 3


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure of classification performance.

    Set `ratio` if, for a fixed prevalence, the measure is a ratio of two linear forms of the cells (most are): then its
    posterior is computed without sampling. Otherwise set `function`.

    Parameters
    ----------
    name
        Key.
    title
        Name in reports.
    low, high
        Its bounds.
    higher_is_better
        Its direction.
    undefined
        Description of when it is undefined.
    ratio
        From the proportions of positives and negatives to the two linear forms (of cells that sum to one).
    function
        From (tp, fp, fn, tn) to the value, vectorised; nan where undefined.
    rises
        Of a `function`: whether it is smooth, and never falls as items move from a wrong cell to the right one of their
        class. Then its posterior is not sampled either.
    given
        'positives' or 'negatives' if it depends only on items of that class.
    pseudo_count
        Pseudo-count of the matched prior (docs/matched.md), for each of the eight cells of two systems on the same
        items: about one item in total on the disagreements that the measure depends on.
    errors
        The error cells it depends on; the matched prior of a single system has one pseudo-item on them.
    line
        Another measure of which it is a linear function, with the same prior.
    """

    name: str
    title: str
    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = True
    undefined: str
    ratio: Callable[[Cell, Cell], Ratio] | None = None
    function: Callable[[Cell, Cell, Cell, Cell], Cell] | None = None
    rises: bool = False
    given: Literal["positives", "negatives"] | None = None
    pseudo_count: float = PSEUDO_COUNT
    errors: tuple[Literal["fp", "fn"], ...] = ("fp", "fn")
    line: Line | None = None

    def __post_init__(self) -> None:
        if (self.ratio is None) == (self.function is None):
            raise TypeError(f"measure {self.name!r} needs a ratio or a function, and not both")

    def __call__(self, tp: Cell, fp: Cell, fn: Cell, tn: Cell) -> Any:
        """Return the measure of tables given by counts or shares; nan where it is undefined."""
        cells = Cells(*[np.asarray(cell, dtype=float) for cell in (tp, fp, fn, tn)])
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.function is not None:
                return self.function(*cells)
            assert self.ratio is not None
            if isinstance(self.ratio, _Constant):
                ratio = self.ratio.ratio  # of counts as of shares
            else:
                total = cells.tp + cells.fp + cells.fn + cells.tn
                cells = Cells(*[cell / total for cell in cells])
                ratio = self.ratio(cells.tp + cells.fn, cells.fp + cells.tn)
            top, bottom = _summed(ratio.top, cells), _summed(ratio.bottom, cells)
            # A bottom that is zero but for rounding is zero: 0/0 is undefined, never a number.
            return np.where(np.abs(bottom) > 1e-300, top / bottom, np.nan)[()]


def _summed(coefficients: Any, cells: Any) -> Any:
    """Return the sum of cells times coefficients. Most coefficients are 0 or 1, and an array saved is time saved."""
    total: Any = None
    for c, cell in zip(coefficients, cells, strict=True):
        plain = isinstance(c, int | float)
        if not plain or c != 0:
            term = cell if plain and c == 1 else c * cell
            total = term if total is None else total + term
    return 0.0 if total is None else total


def pair_difference(measure: Measure, joint: Any) -> Any:
    """Return A's measure minus B's from tables of both, the last axes (2, 4): both say yes, only A, only B, neither."""
    table = np.asarray(joint, dtype=float)
    (pp, np_), (pa, na), (pb, nb), (pn, nn) = ((table[..., 0, cell], table[..., 1, cell]) for cell in range(4))
    return measure(pp + pa, np_ + na, pb + pn, nb + nn) - measure(pp + pb, np_ + nb, pa + pn, na + nn)


@dataclass(frozen=True)
class _Constant:
    """Always the same ratio; not a lambda, so that a measure can be sent to another process."""

    ratio: Ratio

    def __call__(self, positives: Cell, negatives: Cell) -> Ratio:
        return self.ratio


def constant(top: Cells, bottom: Cells) -> Callable[[Cell, Cell], Ratio]:
    """Return the ratio whose coefficients do not depend on the share of positives."""
    return _Constant(Ratio(top, bottom))
