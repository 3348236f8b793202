"""The correlated t of folds, which share their training data (Nadeau & Bengio 2003; Corani & Benavoli 2015)."""

from typing import Any, Final

from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, means_fit
from outclass.models.student import t_law


def fit(scores: Any, question: Question) -> MeansFit:
    """Take the mean difference over folds."""
    return means_fit(
        scores,
        question,
        "folds.correlated",
        "correlated",
        "flat priors",
        law=lambda values, extra: t_law(values, scores.fold_share or 0.0),
    )


MODEL: Final = FitModel(fit=fit, measures=("mean",), ranks=False, draws=False, shares=True)
