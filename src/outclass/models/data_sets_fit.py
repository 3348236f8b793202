"""Many data sets: the decision is by which system wins on most of them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from outclass.arrays import Floats
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.grid import EVERYWHERE
from outclass.models import many_data_sets
from outclass.models.many_data_sets import RopeProbabilities
from outclass.models.means import mean_law
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, by_data_set, means_fit
from outclass.verdict.rope import Verdict


@dataclass(frozen=True, kw_only=True, eq=False)
class WinsFit(MeansFit):
    """Wins on data sets, with the mean difference beside them in the measure's own unit: weights, no prior."""

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the mean difference over data sets."""
        own = self._columns((a, b))
        return self._weighted(own[0] - own[1])

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's mean over data sets."""
        return self._weighted(self._columns((which,))[0])

    def _weighted(self, values: Floats) -> Distribution:
        means, settings = by_data_set(self.data, values), self.question.settings
        weights = np.random.default_rng(settings.seed).standard_exponential((settings.draws, len(means)))
        return Draws.iid(np.asarray(weights @ means / weights.sum(axis=1)), EVERYWHERE)

    def rope_probabilities(
        self, law: Distribution, a: int, b: int, measure: Any, rope: Interval
    ) -> RopeProbabilities | None:
        """Return how probable it is that A wins, neither does by more than the ROPE, and B wins, on the next one."""
        own = self._columns((a, b))
        differences = by_data_set(self.data, own[0] - own[1])
        if self.model == "data_sets.sign":
            return many_data_sets.sign(differences, rope)
        return many_data_sets.signed_rank(differences, rope, np.random.default_rng(self.question.settings.seed))

    def verdict(self, hdi: Interval, rope: Interval, beyond: RopeProbabilities | None) -> Verdict:
        """Decide by what is most probable on the next data set, if that is sure."""
        assert beyond is not None
        mass, (a, _, b) = self.question.hdi_mass, beyond
        if max(beyond) >= mass:
            return Verdict.MUCH_GREATER if a >= mass else Verdict.MUCH_LESS if b >= mass else Verdict.EQUIVALENT
        return Verdict.UNDECIDED if a == b else Verdict.GREATER if a > b else Verdict.LESS


def fit_by_wins(scores: Any, question: Question, *, key: str, title: str, prior: str) -> WinsFit:
    """Count wins over data sets."""
    found = means_fit(scores, question, f"data_sets.{key}", title, prior, law=mean_law, by_units=True)
    return WinsFit(**vars(found))
