"""Goutte & Gaussier 2005: precision, recall and F-scores from TP, FP and FN alone, in closed form.

Their section 2 draws X, Y, Z from Gamma distributions of shape TP + l, FP + l, FN + l; precision is X / (X + Y), recall
X / (X + Z). Then J = X / (X + Y + Z) is Beta(TP + l, FP + FN + 2 l) and independent of w = Z / (Y + Z), which is
Beta(FN + l, FP + l); and the odds of F-beta are those of J times (1 + beta^2) / (1 + (beta^2 - 1) w). So F1 needs no
sampling at all, and F-beta one integral.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.errors import InputError
from outclass.inference.beta import logit_beta
from outclass.inference.closed import BetaLaw, OddsLaw
from outclass.inference.curves import OddsDifference
from outclass.inference.distribution import Distribution
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import Nodes, grid
from outclass.inference.settings import Settings
from outclass.measures.measure import Cells, Measure
from outclass.models.evidence import Evidence
from outclass.models.forms import Unit, difference_support, support_of
from outclass.models.one.single import BetaPair, unit
from outclass.models.prior import Prior
from outclass.models.table import TableModel

FINE, COARSE = 0.005, 0.8  # steps of the grids over a system's own variate, and over the split of its errors
COARSER: Final = 1.5
HALF: Final = np.array(0.5)


class _Shape(NamedTuple):
    """A measure of three cells, along x ~ Beta; where its errors weigh differently, their split is a Beta too."""

    x: BetaPair
    true: float  # the weight of a true positive in the measure, false alarms and misses weighing:
    alarm: float
    miss: float
    split: BetaPair

    @property
    def is_even(self) -> bool:
        """Whether false alarms and misses weigh the same, or only one of them counts."""
        return self.alarm == self.miss

    def factor(self, w: Unit) -> Floats:
        """Return what the odds of x are multiplied by to be those of the measure."""
        return np.asarray(self.true / (self.alarm * w.rest + self.miss * w.value))

    def curve(self, w: Unit) -> OddsDifference:
        """Return the measure as a curve over x."""
        factor = self.factor(w)
        return OddsDifference(factor, np.zeros_like(factor), np.ones_like(factor), 1)


@dataclass(frozen=True)
class GoutteOne:
    """The posterior of one system's true positives, false positives and false negatives: the shapes of three Gammas.

    Without classes there are two: of right answers (`tp`) and of wrong ones (`fn`).
    """

    tp: float
    fp: float
    fn: float
    settings: Settings
    has_classes: bool = True

    @classmethod
    def fit(cls, table: Counts, prior: Prior, settings: Settings) -> "GoutteOne":
        """Add the counts of a (2, 2) table to the prior's pseudo-counts; true negatives play no part."""
        (tp, fn), *others = (tuple(map(float, row)) for row in table)
        if not others:
            own = (tp + prior.cells, 0.0, fn + prior.cells)
            return cls(*own, settings=settings, has_classes=False)
        ((fp, _),) = others
        return cls(tp=tp + prior.cells, fp=fp + prior.cells, fn=fn + prior.cells, settings=settings)

    def shape(self, measure: Measure) -> _Shape:
        """Return a measure's shape, or raise an error for one that needs true negatives."""
        if not self.has_classes:
            right = {"accuracy": (self.tp, self.fn), "error": (self.fn, self.tp)}
            return _Shape(right[measure.name], 1.0, 1.0, 1.0, (1.0, 1.0))
        ratio = None if measure.ratio is None else measure.ratio(HALF, HALF)
        if ratio is None or not _three_cells(ratio.top, ratio.bottom):
            raise InputError(
                f"the goutte model uses only TP, FP and FN, and {measure.title} needs more. Use f1, fbeta:B, "
                "precision, recall or jaccard, or another model."
            )
        bottom = ratio.bottom
        top, alarm, miss = float(ratio.top.tp), float(bottom.fp), float(bottom.fn)
        if alarm == 0:
            return _Shape((self.tp, self.fn), top, miss, miss, (1.0, 1.0))
        if miss == 0:
            return _Shape((self.tp, self.fp), top, alarm, alarm, (1.0, 1.0))
        return _Shape((self.tp, self.fp + self.fn), top, alarm, miss, (self.fn, self.fp))

    def law(self, measure: Measure) -> Distribution:
        """Return the posterior of a measure."""
        shape = self.shape(measure)
        if self.settings.method == "draws":
            return Draws.iid(self.draw(measure, np.random.default_rng(self.settings.seed)), support_of(measure))
        if shape.is_even:
            factor = shape.true / shape.alarm
            return BetaLaw(*shape.x) if factor == 1 else OddsLaw(*shape.x, factor)

        def on(step: float, coarser: Callable[[], Mixture] | None) -> Mixture:
            nodes = grid(step)
            curve = shape.curve(unit(shape.split, nodes.scores[0]))
            return Mixture(curve, logit_beta(*shape.x), nodes, support=support_of(measure), coarser=coarser)

        return on(FINE * 20, lambda: on(COARSER * FINE * 20, None))

    def draw(self, measure: Measure, rng: np.random.Generator) -> Floats:
        """Draw the measure as the paper does: three Gamma variates."""
        tp, fp, fn = (rng.standard_gamma(shape, self.settings.draws) for shape in (self.tp, self.fp, self.fn))
        return np.asarray(measure(tp, fp, fn, np.zeros_like(tp)))


@dataclass(frozen=True)
class Goutte:
    """Two systems, each with its own three counts, taken as independent."""

    systems: tuple[GoutteOne, GoutteOne]
    settings: Settings

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Goutte":
        """Add each system's counts to the prior's pseudo-counts."""
        if evidence.systems is None:
            raise InputError("the goutte model needs each system's TP, FP and FN (⟨counts⟩), not wins (⟨model=sign⟩).")
        a, b = (GoutteOne.fit(table, prior, settings) for table in evidence.systems)
        return cls(systems=(a, b), settings=settings)

    def system(self, which: int, measure: Measure) -> Distribution:
        """Return the posterior of one system's measure."""
        return self.systems[which].law(measure)

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's: one variate integrated exactly, the others on a grid."""
        if self.settings.method == "draws":
            rng = np.random.default_rng(self.settings.seed)
            a, b = (system.draw(measure, rng) for system in self.systems)
            return Draws.iid(a - b, difference_support(measure))
        # The wider distribution is the one integrated exactly: seen from it, the grid over the other is fine.
        which = 0 if self.system(0, measure).std >= self.system(1, measure).std else 1
        mine, other = (self.systems[place].shape(measure) for place in (which, 1 - which))
        sign = 1 if which == 0 else -1

        def on(scale: float, coarser: Callable[[], Mixture] | None) -> Mixture:
            nodes = _nodes(mine.is_even, scale)
            there = unit(other.x, nodes.scores[0])
            factor = other.factor(_split(other, nodes, 1))
            whole = factor * there.value + there.rest
            curve = OddsDifference(
                mine.factor(_split(mine, nodes, 2)), factor * there.value / whole, there.rest / whole, sign
            )
            return Mixture(curve, logit_beta(*mine.x), nodes, support=difference_support(measure), coarser=coarser)

        return on(1.0, lambda: on(COARSER, None))

    def density_at_zero(self, measure: Measure) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite."""
        ends = [end for system in self.systems for end in system.shape(measure).x]
        # Two densities x^(p - 1) meet at an end: their product must be integrable there.
        if min(ends) <= 0.5:
            return float("nan")
        return float(self.difference(measure).pdf(0.0))


def _nodes(is_even: bool, scale: float) -> Nodes:
    if is_even:
        return grid(FINE * scale)
    return grid(20 * FINE * scale, COARSE * scale, COARSE * scale)


def _split(shape: _Shape, nodes: Nodes, place: int) -> Unit:
    """Return the split of one system's errors at the nodes, where it matters."""
    if shape.is_even:
        half = np.full(nodes.scores.shape[1:], 0.5)
        return Unit(half, half)
    return unit(shape.split, nodes.scores[place])


def _three_cells(top: Cells, bottom: Cells) -> bool:
    """Return whether a ratio is true positives over themselves and some errors."""
    return not (
        any(np.any(each) for each in (top.fp, top.fn, top.tn, bottom.tn))
        or float(top.tp) != float(bottom.tp)
        or float(top.tp) <= 0
        or (not np.any(bottom.fp) and not np.any(bottom.fn))
    )


MODEL: Final = TableModel(
    posterior=Goutte,
    prior="jeffreys",  # as in the paper, which for these cells is the matched one
    parts=("cells",),
    measures=("f1", "precision", "recall", "jaccard"),
    apart=True,
    chains=False,
    integrates=False,
)
