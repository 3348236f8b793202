"""Weights on the items that both systems saw, with a prior of pseudo-items."""

from typing import Any, Final

from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights, no_chains


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw all systems jointly."""
    if question.mass == 0:
        no_chains(question, "the model without one")
    return fit_weights(decisions, question, mass=question.mass)


MODEL: Final = FitModel(fit=fit, prior=True, chains=True)
