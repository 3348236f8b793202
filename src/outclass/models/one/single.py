"""One classifier (Zhang et al. 2016, section 3.1): mu, recall and false-positive rate are independent Betas.

A measure that is a linear fraction of either rate has its distribution by integrating that rate exactly and the other
two unknowns on a grid; or at Sobol points, where a grid is too coarse for it. Recall and specificity are Betas
themselves.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats, frozen
from outclass.errors import RoughLawError
from outclass.inference import sobol
from outclass.inference.adaptive import adaptive
from outclass.inference.aligned import Direction, aligned_grid
from outclass.inference.beta import LogitBetas, logit_beta
from outclass.inference.closed import BetaLaw
from outclass.inference.curves import Fraction
from outclass.inference.distribution import Distribution
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import REPLICATES, Nodes, grid, sobol_points
from outclass.inference.settings import Settings
from outclass.inference.tabled import Tabled
from outclass.measures.measure import Cells, Measure
from outclass.models.forms import FunctionOfRate, Side, Unit, cells_of, fraction, support_of
from outclass.models.prior import Prior
from outclass.models.table import TableModel

BetaPair = tuple[float, float]
STEP: Final = 0.5
PROBES: Final = special.ndtr(np.linspace(-2.4, 2.4, 13))  # probabilities, at whose quantiles two grids are compared
BELL: Final = 12.0  # items of a kind, with their pseudo-count, from which on a Beta has no corner to be seen
WIDER: Final = 1.5  # times the std of what is integrated: then steps of half a std are smoothed to 1e-4
SLACK: Final = 4.0  # times the tolerance: a quarter of it would take four times as long, for tables of a few items
ROUGH: Final = 0.2  # below it a Beta piles up at its ends, and a difference has peaks between which nothing lies
SOBOL_POWER: Final = 14
MOST_LOGIT: Final = 700.0  # exp(700) is a number
FEW_POINTS: Final = 12  # of two: half a megabyte each


@dataclass(frozen=True)
class Single:
    """The posterior of one system: mu ~ Beta, recall ~ Beta, false-positive rate ~ Beta."""

    mu: BetaPair
    recall: BetaPair
    fallout: BetaPair
    settings: Settings

    @classmethod
    def fit(cls, table: Counts, prior: Prior, settings: Settings) -> "Single":
        """Add the counts of a (2, 2) table to the prior's pseudo-counts."""
        positives, negatives = (tuple(map(float, row)) for row in table)
        return cls(
            mu=_sum(prior.mu, (sum(positives), sum(negatives))),
            recall=_sum(prior.outcomes("positives", 2), positives),
            fallout=_sum(prior.outcomes("negatives", 2), negatives),
            settings=settings,
        )

    def law(self, measure: Measure) -> Distribution:
        """Return the posterior of a measure."""
        if self.settings.method == "draws":
            rng = np.random.default_rng(self.settings.seed)
            return Draws.iid(measure(*self.cells(self.settings.draws, rng)), support_of(measure))
        if not self.is_smooth or (measure.ratio is None and not measure.rises):
            return Draws(measure(*self.sobol_cells(0)), support_of(measure), "sobol draws")
        if measure.given == "positives":
            return BetaLaw(*self.recall)
        if measure.given == "negatives":
            return BetaLaw(*self.fallout[::-1])
        effects, bends = self._effects(measure)
        # What is integrated exactly costs no error: the rate that moves the measure more.
        exact, other = (1, 2) if abs(effects[1]) >= abs(effects[2]) else (2, 1)
        side: Side = "positives" if exact == 1 else "negatives"
        # Where every density is bell-shaped, and the rate smooths the steps of the share, a grid is accurate enough.
        bells = min(*self.mu, *self.recall, *self.fallout) >= BELL
        plain = bells and abs(effects[0]) <= WIDER * abs(effects[exact])
        if plain:
            direction = Direction.by(*([each[0], each[other], each[exact]] for each in (effects, bends)))
            if direction.suits(self.settings.tolerance):
                coarser = lru_cache(lambda: self._mixture(measure, side, aligned_grid(direction, coarser=True)))
                with suppress(RoughLawError):  # of a measure that is not monotone after all
                    return self._mixture(measure, side, aligned_grid(direction), coarser)
        if measure.ratio is None:
            return Draws(measure(*self.sobol_cells(0)), support_of(measure), "sobol draws")
        coarse = lru_cache(lambda: self._mixture(measure, side, grid(1.5 * STEP, 1.5 * STEP)))
        fine = self._mixture(measure, side, grid(STEP, STEP), coarser=coarse)
        seed, allowed = self.settings.seed, min(0.05, SLACK * self.settings.tolerance)
        if plain or _apart(fine, coarse()) <= allowed:
            return fine
        # The rate that is integrated is too narrow beside the steps of the grid, or has corners, as few items give.
        return adaptive(lambda power: self._mixture(measure, side, sobol_points(power, 2, seed)), allowed)

    def cells(self, n: int, rng: np.random.Generator) -> Cells:
        """Draw tables of cell probabilities."""
        return cells_of(rng.beta(*self.mu, n), rng.beta(*self.recall, n), rng.beta(*self.fallout, n))

    @property
    def is_smooth(self) -> bool:
        """Whether no parameter is so small that the distribution piles up at its ends."""
        return min(*self.mu, *self.recall, *self.fallout) >= ROUGH

    def sobol_cells(self, first: int) -> Cells:
        """Return tables of cell probabilities at Sobol points, from the `first` coordinate on."""
        laws, seed = (self.mu, self.recall, self.fallout), self.settings.seed
        return cells_of(*(sobol_unit(law, first + place, SOBOL_POWER, seed).value for place, law in enumerate(laws)))

    def influence(self, measure: Measure, side: Side) -> float:
        """Return how far one std of the rate on one class moves the measure, at the mean of everything else."""
        return abs(self._effects(measure)[0][1 if side == "positives" else 2])

    def _effects(self, measure: Measure) -> tuple[list[float], list[float]]:
        """Return how far one std of the share, the recall and the false-positive rate moves and bends the measure."""
        laws = (self.mu, self.recall, self.fallout)
        centre = np.array([[law[0] / sum(law) for law in laws]])
        steps = np.diag([BetaLaw(*law).std for law in laws]) / 2
        at = np.minimum(np.maximum(np.concatenate([centre + steps, centre - steps, centre]), 0), 1)
        values = measure(*cells_of(*at.T))
        up, down = values[:3], values[3:6]
        moved, bent = np.nan_to_num([up - down, 4 * (up + down - 2 * values[6])], posinf=0.0, neginf=0.0).tolist()
        return moved, bent

    def _mixture(
        self, measure: Measure, side: Side, nodes: Nodes, coarser: Callable[[], Mixture] | None = None
    ) -> Mixture:
        rates = (self.recall, self.fallout) if side == "positives" else (self.fallout, self.recall)
        laws, support = LogitBetas([self.mu, rates[1]], rates[0]), support_of(measure)
        curve = self._curve(measure, side, *units(laws, nodes.scores))
        if isinstance(curve, Fraction):
            return Mixture(curve, laws.exact, nodes, support=support, coarser=coarser)
        return Tabled.of_curve(curve, laws.exact, nodes, support=support, coarser=coarser)

    def _curve(self, measure: Measure, side: Side, share: Unit, other: Unit) -> Fraction | FunctionOfRate:
        """Return the measure as a curve over the rate that is integrated exactly, given the share and the other."""
        if measure.ratio is None:
            return FunctionOfRate(measure, side, share, other)
        return fraction(measure.ratio(*share), share, other, side)


def _apart(fine: Mixture, coarse: Mixture) -> float:
    """Return how far two versions of a distribution differ in probability."""
    at = coarse.roughly(PROBES)
    return float(np.abs(fine.cdf(at) - coarse.cdf(at)).max())


def unit(law: BetaPair, scores: Floats) -> Unit:
    """Return Beta variates at normal scores."""
    return _of_logits(logit_beta(*law).value(scores))


def units(laws: LogitBetas, scores: Floats) -> list[Unit]:
    """Return Beta variates at normal scores, one law for each place of the first axis."""
    return [Unit(*both) for both in zip(*_of_logits(laws.value(scores)), strict=True)]


def _of_logits(t: Floats) -> Unit:
    if t.min(initial=0.0) < -MOST_LOGIT or t.max(initial=0.0) > MOST_LOGIT:
        return Unit(special.expit(t), special.expit(-t))
    # The same to the last digit or two, in a fraction of the time.
    odds_against = np.exp(-t)
    value = 1 / (1 + odds_against)
    return Unit(value, np.multiply(odds_against, value, out=odds_against))


def sobol_unit(law: BetaPair, place: int, power: int, seed: int) -> Unit:
    """Return Beta variates at one coordinate of the Sobol points; few are remembered: every measure asks for them."""
    return (_remembered if power <= FEW_POINTS else _sobol_unit)(law, place, power, seed)


def _sobol_unit(law: BetaPair, place: int, power: int, seed: int) -> Unit:
    return Unit(*map(frozen, unit(law, sobol.normal_scores(power, REPLICATES, seed)[place])))


_remembered = lru_cache(maxsize=48)(_sobol_unit)


def _sum(prior: tuple[float, ...], counts: tuple[float, ...]) -> BetaPair:
    return prior[0] + counts[0], prior[1] + counts[1]


MODEL: Final = TableModel(posterior=Single)
