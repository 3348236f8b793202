"""Kruschke's t: where most differences are, outliers set aside (Kruschke 2013)."""

from typing import Any, Final

from outclass.models.fit import FitModel
from outclass.models.means import mean_law
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, means_fit
from outclass.models.student import student_law


def fit(scores: Any, question: Question) -> MeansFit:
    """Take the centre of the differences; each system's own is a mean."""
    return means_fit(
        scores,
        question,
        "values.student",
        "student (robust centre)",
        "Kruschke's priors",
        law=lambda values, extra: student_law(values),
        own_law=mean_law,
    )


MODEL: Final = FitModel(fit=fit, measures=("mean",), ranks=False, alone=False, draws=False)
