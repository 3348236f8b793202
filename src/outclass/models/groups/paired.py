"""The cluster jackknife: t distributions from leaving out the groups one by one."""

from typing import Any, Final

from outclass.data.unit_counts import label_of
from outclass.models.draws_fit import JackknifeFit
from outclass.models.fit import FitModel
from outclass.models.label_clusters import of_labels
from outclass.models.question import Question


def fit(decisions: Any, question: Question, *, paired: bool = True) -> JackknifeFit:
    """Leave out the groups one by one; draws of all systems together are for ranks alone."""
    measures: Any = question.measures
    found = {
        measure.name: of_labels(decisions, decisions.systems, measure, question.undefined, question.average)
        for measure in measures
    }
    return JackknifeFit(
        data=decisions,
        question=question,
        model="groups.paired" if paired else "groups.unpaired",
        title="paired (cluster jackknife)" if paired else "unpaired",
        prior="no prior",
        systems=tuple(decisions.systems),
        items=decisions.items,
        label=label_of(decisions, measures[0].label),
        findings=tuple(decisions.findings),
        jackknives=found,
        paired=paired,
    )


MODEL: Final = FitModel(fit=fit, averages=True, draws=False)
