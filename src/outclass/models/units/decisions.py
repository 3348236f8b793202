"""The papers' way with many labels: all decisions pooled, each taken as an item of its own.

Micro averages only. Decisions on one item are not independent, so this is too sure; it is here to be compared with.
"""

from dataclasses import replace
from typing import Any, Final

from outclass import measures
from outclass.data.outcomes import Outcomes
from outclass.data.pair import Pair
from outclass.errors import InputError
from outclass.findings import finding
from outclass.models import table_fit
from outclass.models.fit import Fit, FitModel
from outclass.models.prior import prior_of
from outclass.models.question import Question

# Which measure of pooled decisions a micro average is.
POOLED: Final = {"micro_f1": "f1", "micro_precision": "precision", "micro_recall": "recall"}
LABELS: Final = [(truth, x, y) for truth in (1, 0) for x, y in ((1, 1), (1, 0), (0, 1), (0, 0))]
NOTE: Final = (
    "all decisions were pooled as if independent, as in the papers; decisions on the same item are not, so the "
    "result is overconfident. The paired model resamples whole items instead."
)


def fit(decisions: Any, question: Question) -> Fit:
    """Pool the decisions of two systems."""
    if len(decisions.systems) != 2:
        raise InputError("the decisions model compares pairs; name two systems.")
    a, b = decisions.systems
    places: Any = getattr(question.measures[0], "places", None)  # of all measures the same
    tables = decisions.joints(a, b)
    cells = (tables if places is None else tables[list(places)]).sum(axis=0)
    pooled = Outcomes.of_rows((a, b), LABELS, cells.ravel().tolist())
    renamed = []
    for measure in question.measures:
        own = measures.get(POOLED[measure.name.partition(" ")[0]])  # whichever labels are averaged over
        renamed.append(replace(own, name=measure.name, title=measure.title))
    own_question = replace(question, measures=tuple(renamed), model="paired", prior=prior_of("uniform"))
    found = table_fit.fit(Pair(pooled, a, pooled, b), 1, own_question)
    note = finding("OC401", NOTE)
    return replace(found, title="decisions", model="units.decisions", label=None, findings=(note, *found.findings))


MODEL: Final = FitModel(fit=fit, measures=tuple(POOLED), usual=tuple(POOLED), ranks=False, alone=False, draws=False)
