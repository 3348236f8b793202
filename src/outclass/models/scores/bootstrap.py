"""The Bayesian bootstrap of classifier scores: weights on items, with pseudo-items in each class."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.results_fit import weighted_fit

MODEL: Final = FitModel(fit=partial(weighted_fit, key="scores.bootstrap"))
