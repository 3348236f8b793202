"""Two classifiers taken as independent, each with its own mu (Zhang et al. 2016, section 3.1.1).

With enough of every kind of decision, each system's distribution is tabulated by quadrature and their difference is one
integral more. Otherwise distributions pile up at their ends and the difference has corners: then one rate of one system
is integrated exactly, the one that moves the difference most, and everything else by Sobol points.
"""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from outclass.errors import InputError, RoughLawError
from outclass.inference.adaptive import adaptive
from outclass.inference.beta import logit_beta
from outclass.inference.curves import Shifted
from outclass.inference.distribution import Distribution
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import sobol_points
from outclass.inference.settings import Settings
from outclass.inference.tabulated import independent_difference
from outclass.measures.measure import Cells, Measure
from outclass.models.evidence import Evidence
from outclass.models.forms import Side, cells_of, difference_support, fraction, support_of
from outclass.models.null_density import finite_at_zero_unpaired
from outclass.models.one.single import Single, unit
from outclass.models.prior import Prior
from outclass.models.table import TableModel

SIDES: Final[tuple[Side, Side]] = ("positives", "negatives")
EVEN: Final = 3.0


@dataclass(frozen=True)
class Unpaired:
    """The posteriors of two systems, tested on different items or treated as if they had been."""

    systems: tuple[Single, Single]
    settings: Settings

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Unpaired":
        """Add each system's counts to the prior's pseudo-counts."""
        if evidence.systems is None:
            raise InputError("the unpaired model needs each system's decisions, not wins; use the sign model.")
        a, b = (Single.fit(table, prior, settings) for table in evidence.systems)
        return cls(systems=(a, b), settings=settings)

    def system(self, which: int, measure: Measure) -> Distribution:
        """Return the posterior of one system's measure."""
        if self.settings.method == "draws":
            return Draws.iid(measure(*self._drawn_cells[which]), support_of(measure))
        if measure.ratio is None:
            return Draws(measure(*self._sobol_cells[which]), support_of(measure), "sobol draws")
        return self.systems[which].law(measure)

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's."""
        if self.settings.method == "draws":
            first, second = (measure(*cells) for cells in self._drawn_cells)
            return Draws.iid(first - second, difference_support(measure))
        if measure.ratio is None or not all(system.is_smooth for system in self.systems):
            first, second = (measure(*cells) for cells in self._sobol_cells)
            return Draws(first - second, difference_support(measure), "sobol draws")
        if self._is_even:
            with suppress(RoughLawError):
                return independent_difference(_table(self.system(0, measure)), _table(self.system(1, measure)))
        moved = [{side: system.influence(measure, side) for side in SIDES} for system in self.systems]
        which = 0 if max(moved[0].values()) >= max(moved[1].values()) else 1
        side = max(SIDES, key=lambda each: moved[which][each])
        return adaptive(lambda power: self._integrated(measure, which, side, power), self.settings.tolerance)

    @cached_property
    def _drawn_cells(self) -> tuple[Cells, Cells]:
        rng = np.random.default_rng(self.settings.seed)
        first, second = (system.cells(self.settings.draws, rng) for system in self.systems)
        return first, second

    @cached_property
    def _sobol_cells(self) -> tuple[Cells, Cells]:
        first, second = self.systems
        return first.sobol_cells(0), second.sobol_cells(3)

    @property
    def _is_even(self) -> bool:
        """Whether all rates' densities fall off smoothly at both ends, so that their difference has no corner."""
        return all(min(*system.recall, *system.fallout) >= EVEN for system in self.systems)

    def _integrated(self, measure: Measure, which: int, side: Side, power: int) -> Mixture:
        """Integrate one rate of one system exactly, and everything else by Sobol points."""
        assert measure.ratio is not None
        mine, other = self.systems[which], self.systems[1 - which]
        exact, held = (mine.recall, mine.fallout) if side == "positives" else (mine.fallout, mine.recall)
        nodes = sobol_points(power, 5, self.settings.seed)
        laws = (other.recall, other.fallout, held, mine.mu, other.mu)
        recall, fallout, rate, share, far_share = (
            unit(law, score) for law, score in zip(laws, nodes.scores, strict=True)
        )
        curve = fraction(measure.ratio(*share), share, rate, side)
        there = measure(*cells_of(far_share.value, recall.value, fallout.value))
        sign = 1 if which == 0 else -1
        return Mixture(
            Shifted(curve, sign, -sign * there), logit_beta(*exact), nodes, support=difference_support(measure)
        )

    def density_at_zero(self, measure: Measure) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite."""
        for system in self.systems:
            if not finite_at_zero_unpaired(measure, system.mu, (*system.recall, *system.fallout)):
                return float("nan")
        if self.settings.method == "draws" or measure.ratio is None or not all(each.is_smooth for each in self.systems):
            return float(self.difference(measure).pdf(0.0))
        # The chance that B falls where A is: A's density, averaged over B.
        there = measure(*self.systems[1].sobol_cells(0))
        with suppress(RoughLawError):
            return float(np.mean(_table(self.system(0, measure)).pdf(there)))
        return float(self.difference(measure).pdf(0.0))


def _table(law: Distribution) -> Distribution:
    """Return a distribution that is cheap to evaluate at many points."""
    return law.table if isinstance(law, Mixture) else law


MODEL: Final = TableModel(posterior=Unpaired, apart=True)
