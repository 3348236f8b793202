"""The Bayesian bootstrap of groups: weights on whole groups, without a prior."""

from dataclasses import replace
from typing import Any, Final

from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights, naive_fit


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw all systems jointly."""
    return replace(fit_weights(decisions, question, mass=0.0), naive=naive_fit(decisions, question))


MODEL: Final = FitModel(fit=fit)
