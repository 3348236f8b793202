"""Data sets that learn from each other, each with its folds (Benavoli et al. 2017)."""

from typing import Any, Final

from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, means_fit
from outclass.models.student import data_sets_law


def fit(scores: Any, question: Question) -> MeansFit:
    """Take the mean of the data sets' means."""
    return means_fit(
        scores,
        question,
        "data_sets.hierarchical",
        "hierarchical",
        "weak priors on the spreads",
        law=lambda values, extra: data_sets_law(values, scores.data_set, scores.fold_share or 0.0),
        by_units=True,
    )


MODEL: Final = FitModel(fit=fit, measures=("mean",), ranks=False, draws=False, shares=True)
