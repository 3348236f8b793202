"""The Bayesian bootstrap: weights on items without a prior (Rubin 1981)."""

from typing import Any, Final

from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw all systems jointly."""
    return fit_weights(decisions, question, mass=0.0)


MODEL: Final = FitModel(fit=fit)
