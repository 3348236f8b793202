"""The robust t model of one result per data set."""

from dataclasses import replace
from typing import Any, Final

from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit
from outclass.models.values import student as of_values


def fit(scores: Any, question: Question) -> MeansFit:
    """Take the data sets as independent items."""
    return replace(of_values.fit(scores, question), model="data_sets.student", by_units=True, draws=None)


MODEL: Final = FitModel(fit=fit, measures=("mean",), ranks=False, alone=False, draws=False)
