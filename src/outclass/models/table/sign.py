"""The paired test of Goutte & Gaussier 2005, section 3: who alone is right, how often.

Three outcomes, only A right, only B right, the same, with Dirichlet shares pi. P(pi_A > pi_B) is a Beta probability,
which the paper samples; pi_A - pi_B is the difference in accuracy; ln(pi_A / pi_B) is the logit of a Beta.
"""

from dataclasses import dataclass
from typing import Final

from outclass.errors import InputError
from outclass.inference.closed import LogOddsLaw
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.measures import get
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.prior import Prior
from outclass.models.table import TableModel
from outclass.models.table.paired import Paired


@dataclass(frozen=True)
class Sign:
    """The posterior of three shares: only A right, only B right, the same."""

    alphas: tuple[float, float, float]
    settings: Settings

    @classmethod
    def fit(cls, evidence: Evidence, prior: Prior, settings: Settings) -> "Sign":
        """Add the counts to the prior's pseudo-counts."""
        if evidence.wins is None:
            raise InputError(
                "the sign model needs two systems on the same items, or the number of wins of each (⟨wins=A,B⟩)."
            )
        a, b, same = (n + alpha for n, alpha in zip(evidence.wins, prior.outcomes("wins", 3), strict=True))
        return cls(alphas=(a, b, same), settings=settings)

    def system(self, which: int, measure: Measure) -> Distribution | None:
        """Return nothing: the model knows differences only."""
        return None

    def difference(self, measure: Measure) -> Distribution:
        """Return the posterior of A's accuracy minus B's (or of error)."""
        return self._shares(measure).difference(get("recall"))

    def density_at_zero(self, measure: Measure) -> float:
        """Return the density of no difference, for a prior; nan where it is infinite."""
        return self._shares(measure).density_at_zero(get("recall"))

    def log_odds(self) -> LogOddsLaw:
        """Return the posterior of ln(pi_A / pi_B)."""
        return LogOddsLaw(*self.alphas[:2])

    def _shares(self, measure: Measure) -> Paired:
        """Return the model of recalls whose difference has the same law: both are a difference of Dirichlet shares."""
        if measure.name not in ("accuracy", "error"):
            raise InputError(
                f"the sign model compares accuracy, not {measure.title}. Use ⟨measure=accuracy⟩, or ⟨model=paired⟩."
            )
        a, b, same = self.alphas
        a, b = (a, b) if measure.name == "accuracy" else (b, a)
        ones = (1.0, 1.0, 1.0, 1.0)
        return Paired(mu=(1.0, 1.0), positives=(same / 2, a, b, same / 2), negatives=ones, settings=self.settings)


MODEL: Final = TableModel(
    posterior=Sign,
    prior="jeffreys",
    parts=("wins",),
    measure="accuracy",
    measures=("accuracy", "error"),
    chains=False,
    integrates=False,
)
