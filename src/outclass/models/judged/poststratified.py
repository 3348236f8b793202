"""Post-stratification: sizes of strata from all items, the truth within them from the labelled ones."""

from dataclasses import fields
from typing import Any, Final

from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import FitModel
from outclass.models.judged_fit import JudgedFit
from outclass.models.question import Question
from outclass.models.weights_fit import fit_weights


def fit(decisions: Any, question: Question) -> DrawsFit:
    """Draw all systems jointly."""
    found = fit_weights(decisions, question, mass=question.mass)
    own = {each.name: getattr(found, each.name) for each in fields(found)}
    title = "post-stratified (labels within strata)"
    return JudgedFit(**{**own, "model": "judged.poststratified", "title": title})


MODEL: Final = FitModel(fit=fit, prior=True)
