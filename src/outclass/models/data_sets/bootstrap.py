"""The Bayesian bootstrap of means on many data sets: weights on data sets."""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.results_fit import weighted_fit

MODEL: Final = FitModel(fit=partial(weighted_fit, key="data_sets.bootstrap"))
