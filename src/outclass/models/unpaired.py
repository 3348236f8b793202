"""Two classifiers taken as independent, each with its own mu (Zhang et al. 2016, section 3.1.1)."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from outclass.errors import RoughLawError
from outclass.inference.distribution import Distribution
from outclass.inference.draws import Draws
from outclass.inference.mixture import Mixture
from outclass.inference.settings import Settings
from outclass.inference.tabulated import independent_difference
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.forms import difference_support
from outclass.models.null_density import finite_at_zero_unpaired
from outclass.models.prior import Prior
from outclass.models.single import Single


@dataclass(frozen=True)
class Unpaired:
    """The posteriors of two systems, tested on different items or treated as if they had been."""

    systems: tuple[Single, Single]
    settings: Settings

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Unpaired":
        """Add each system's counts to the prior's pseudo-counts."""
        a, b = (Single.fit(table, prior, settings) for table in evidence.systems)
        return cls(systems=(a, b), settings=settings)

    def system(self, which: int, measure: Measure) -> Distribution:
        """Return the posterior of one system's measure."""
        return self.systems[which].law(measure)

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's measure minus B's."""
        if self.settings.method == "draws":
            rng = np.random.default_rng(self.settings.seed)
            a, b = (measure(*system.cells(self.settings.draws, rng)) for system in self.systems)
            return Draws.iid(a - b, difference_support(measure))
        if measure.ratio is not None and all(system.is_smooth for system in self.systems):
            with suppress(RoughLawError):
                return independent_difference(_table(self.system(0, measure)), _table(self.system(1, measure)))
        first, second = (measure(*system.sobol_cells(3 * which)) for which, system in enumerate(self.systems))
        return Draws(first - second, difference_support(measure), "sobol draws")

    def density_at_zero(self, measure: Measure) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite."""
        for system in self.systems:
            if not finite_at_zero_unpaired(measure, system.mu, (*system.recall, *system.fallout)):
                return float("nan")
        return float(self.difference(measure).pdf(0.0))


def _table(law: Distribution) -> Distribution:
    """Return a law that is cheap to evaluate at many points."""
    return law.table if isinstance(law, Mixture) else law
