"""The Bayesian bootstrap of independent numbers: weights on items, with a few pseudo-items."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.results_fit import weighted_fit

MODEL: Final = FitModel(fit=partial(weighted_fit, key="values.bootstrap"))
