"""A mixture of curves that are known by values alone: of any smooth quantity that is monotone in r.

At every node the quantity is tabulated at even normal scores of r. Between two of them its inverse is a cubic with the
slopes of the table; beyond the last ones nothing is left that double precision could show.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Final, Protocol

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.beside import Beside
from outclass.inference.distribution import Interval
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import Nodes
from outclass.inference.scores import REACH, ScoreSpline, normal_density

STEP: Final = 0.25
ROUNDING: Final = 1e-12
SCORES: Final = np.linspace(-REACH, REACH, round(2 * REACH / STEP) + 1)


class Known(Protocol):
    """A curve that has values, and no inverse."""

    @property
    def span(self) -> Floats:
        """How far the curve's own variable runs as r goes from 0 to 1."""

    def at(self, r: Floats, rest: Floats) -> Floats:
        """Return the values at r, with rest = 1 - r."""


class Tabled(Mixture):
    """The distribution of a quantity whose values at `SCORES` of r are given, shape (scores, replicates, points).

    `span` is how far the quantity's own variable runs at each node as r goes from 0 to 1.
    """

    def __init__(
        self,
        values: Floats,
        nodes: Nodes,
        *,
        span: Floats,
        support: Interval,
        coarser: Callable[[], Mixture] | None = None,
        beside: Beside | None = None,
    ) -> None:
        self._prepare(nodes, support, coarser, beside)
        self._span = span
        # 0/0 occurs only at nodes whose weight is below rounding.
        known = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
        self._sign = np.where(known[-1] < known[0], -1.0, 1.0)
        self._rows = np.maximum.accumulate(self._sign * known, axis=0)
        if np.any(self._rows - self._sign * known > ROUNDING * support.width):
            raise RoughLawError("not monotone in r")
        self._slopes = _slopes(self._rows)

    @classmethod
    def of_curve(
        cls,
        curve: Known,
        law: ScoreSpline,
        nodes: Nodes,
        *,
        support: Interval,
        coarser: Callable[[], Mixture] | None = None,
        beside: Beside | None = None,
    ) -> "Tabled":
        """Tabulate a curve, logit(r) having the distribution `law`."""
        t = law.value(SCORES)[:, None, None]
        values = curve.at(special.expit(t), special.expit(-t))
        return cls(values, nodes, span=curve.span, support=support, coarser=coarser, beside=beside)

    @property
    def span(self) -> Floats:
        return self._span

    def _at_nodes(self, value: "float | Floats") -> tuple[Floats, Floats]:
        """Return, at every node, the normal score of the probability below the value, and its pace in the value."""
        wanted = self._sign * value
        place = (self._rows <= wanted[..., None, :, :]).sum(axis=-3)
        piece = np.minimum(np.maximum(place - 1, 0), len(SCORES) - 2)
        low, high, start, end = (
            self._looked_up(piece + step, of) for of in (self._rows, self._slopes) for step in (0, 1)
        )
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            # In shares of the step and of the rise: the inverse of a slope is a slope of the inverse.
            rise = high - low
            u, start, end = (wanted - low) / rise, rise / (STEP * start), rise / (STEP * end)
            square, cube = 3 - 2 * start - end, start + end - 2
            z = SCORES[piece] + STEP * ((cube * u + square) * u + start) * u
            pace = ((3 * cube * u + 2 * square) * u + start) * STEP / rise
        inside = (place > 0) & (place < len(SCORES)) & (rise > 0)
        score = np.where(inside, z, np.where(place > 0, np.inf, -np.inf))
        return self._sign * score, np.where(inside, np.maximum(pace, 0.0), 0.0)

    def _looked_up(self, places: "np.ndarray", of: Floats) -> Floats:
        """Return what stands at places of the table, one for each node."""
        replicates, points = self._sign.shape
        return np.asarray(of[places, np.arange(replicates)[:, None], np.arange(points)])

    @cached_property
    def _values(self) -> tuple[Floats, Floats]:
        weights = normal_density(SCORES)
        return self._sign * self._rows, weights / weights.sum()

    def _at_scores(self, z: Floats) -> Floats:
        """Return the quantity at normal scores of r, at each node."""
        piece = np.clip(((z - SCORES[0]) / STEP).astype(int), 0, len(SCORES) - 2)
        u = ((z - SCORES[piece]) / STEP)[:, None, None]
        low, high, start, end = (of[piece + step] for of in (self._rows, STEP * self._slopes) for step in (0, 1))
        rise = high - low
        return np.asarray(
            self._sign * ((((start + end - 2 * rise) * u + 3 * rise - 2 * start - end) * u + start) * u + low)
        )


def _slopes(rows: Floats) -> Floats:
    """Return derivatives at even scores: of fourth order inside, of second at the ends, and never falling."""
    slopes = np.gradient(rows, STEP, axis=0, edge_order=2)
    slopes[2:-2] = (8 * (rows[3:-1] - rows[1:-3]) - (rows[4:] - rows[:-4])) / (12 * STEP)
    return np.maximum(slopes, 0.0)
