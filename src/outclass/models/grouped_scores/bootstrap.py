"""The Bayesian bootstrap of groups of classifier scores: weights on whole groups."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.results_fit import weighted_fit

MODEL: Final = FitModel(fit=partial(weighted_fit, key="grouped_scores.bootstrap"))
