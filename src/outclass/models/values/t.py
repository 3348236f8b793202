"""Student's t for the mean of independent numbers, with what ties leave unsaid added to their squares."""

from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.models.fit import FitModel
from outclass.models.means import mean_draws, mean_law
from outclass.models.pseudo_items import places_of
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, canonical, in_order, means_fit


def fit(scores: Any, question: Question) -> MeansFit:
    """Take the mean of every difference."""
    ordered = canonical(scores)

    def draws(measure: Any) -> Floats:
        rng = np.random.default_rng(question.settings.seed)
        places = places_of(ordered.systems, question.owners)
        together = mean_draws(tuple(ordered.values.values()), question.settings.draws, rng, scores.step, places)
        return in_order(together, scores, ordered)

    return means_fit(scores, question, "values.t", "t", "flat priors", law=mean_law, draws=draws)


MODEL: Final = FitModel(fit=fit, measures=("mean",), draws=False)
