"""Groups that learn from each other: a normal distribution of the groups' means."""

from typing import Any, Final

from outclass.models.fit import FitModel
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, means_fit
from outclass.models.student import grouped_law


def fit(scores: Any, question: Question) -> MeansFit:
    """Take the mean of the groups' means."""
    return means_fit(
        scores,
        question,
        "grouped_values.hierarchical",
        "hierarchical",
        "weak priors on the spreads",
        law=lambda values, extra: grouped_law(values, scores.group),
        by_units=True,
    )


MODEL: Final = FitModel(fit=fit, measures=("mean",), ranks=False, draws=False)
