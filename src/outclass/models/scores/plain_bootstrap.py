"""The Bayesian bootstrap of classifier scores without pseudo-items (Rubin 1981): what the prior changes.

Near perfection its intervals are too narrow; it is here to compare with.
"""

from functools import partial
from typing import Final

from outclass.models.fit import FitModel
from outclass.models.results_fit import weighted_fit

MODEL: Final = FitModel(fit=partial(weighted_fit, key="scores.plain_bootstrap", pseudo=False))
