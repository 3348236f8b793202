"""Measures that give both classes the same weight, however rare one of them is."""

from outclass.measures.measure import Cell, Cells, Line, Measure, Ratio

_UNDEFINED = "one of the two classes has no items"
_PSEUDO_COUNT = 3 / 8  # the rarer class weighs most


def _balanced_accuracy(positives: Cell, negatives: Cell) -> Ratio:
    return Ratio(Cells(0.5 / positives, 0, 0, 0.5 / negatives), Cells(1, 1, 1, 1))


def _informedness(positives: Cell, negatives: Cell) -> Ratio:
    return Ratio(Cells(1 / positives, -1 / negatives, 0, 0), Cells(1, 1, 1, 1))


def _gmean(tp: Cell, fp: Cell, fn: Cell, tn: Cell) -> Cell:
    return (tp / (tp + fn) * (tn / (tn + fp))) ** 0.5


_BALANCED_ACCURACY = Measure(
    name="balanced_accuracy",
    title="balanced accuracy",
    undefined=_UNDEFINED,
    pseudo_count=_PSEUDO_COUNT,
    ratio=_balanced_accuracy,
)

RANK = 3
MEASURES = (
    _BALANCED_ACCURACY,
    Measure(
        name="informedness",
        title="informedness",
        low=-1.0,
        undefined=_UNDEFINED,
        pseudo_count=_PSEUDO_COUNT,
        ratio=_informedness,
        line=Line(_BALANCED_ACCURACY, 2, -1),
    ),
    Measure(
        name="gmean",
        title="geometric mean of recall and specificity",
        undefined=_UNDEFINED,
        pseudo_count=_PSEUDO_COUNT,
        function=_gmean,
        rises=True,
    ),
)
