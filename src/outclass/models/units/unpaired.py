"""Weights on items, each system with its own weights: as if it had seen other items than the others."""

from typing import Any, Final

from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights, no_chains


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw every system by itself."""
    if question.mass == 0:
        no_chains(question, "the model without one")
    return fit_weights(decisions, question, mass=question.mass, alone=True)


MODEL: Final = FitModel(fit=fit, prior=True, chains=True)
