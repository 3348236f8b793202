"""Measures that are a share of some of the items."""

from outclass.measures.measure import Cells, Line, Measure, constant

_ALL = Cells(1, 1, 1, 1)
_OF_ALL = 1 / 4  # four kinds of disagreement count alike
_OF_ONE = 1 / 2  # two kinds of disagreement count, or count most

_ACCURACY = Measure(
    name="accuracy",
    title="accuracy",
    undefined="there are no items",
    ratio=constant(Cells(1, 0, 0, 1), _ALL),
    pseudo_count=_OF_ALL,
)

RANK = 2
MEASURES = (
    _ACCURACY,
    Measure(
        name="error",
        title="error",
        higher_is_better=False,
        undefined="there are no items",
        ratio=constant(Cells(0, 1, 1, 0), _ALL),
        pseudo_count=_OF_ALL,
        line=Line(_ACCURACY, -1, 1),
    ),
    Measure(
        name="precision",
        title="precision",
        undefined="nothing is predicted positive",
        ratio=constant(Cells(1, 0, 0, 0), Cells(1, 1, 0, 0)),
        pseudo_count=_OF_ONE,
        errors=("fp",),
    ),
    Measure(
        name="recall",
        title="recall",
        undefined="no item is positive",
        ratio=constant(Cells(1, 0, 0, 0), Cells(1, 0, 1, 0)),
        pseudo_count=_OF_ONE,
        errors=("fn",),
        given="positives",
    ),
    Measure(
        name="specificity",
        title="specificity",
        undefined="no item is negative",
        ratio=constant(Cells(0, 0, 0, 1), Cells(0, 1, 0, 1)),
        pseudo_count=_OF_ONE,
        errors=("fp",),
        given="negatives",
    ),
    Measure(
        name="npv",
        title="negative predictive value",
        undefined="nothing is predicted negative",
        ratio=constant(Cells(0, 0, 0, 1), Cells(0, 0, 1, 1)),
        pseudo_count=_OF_ONE,
        errors=("fn",),
    ),
)
