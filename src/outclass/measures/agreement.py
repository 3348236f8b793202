"""Agreement of prediction and truth beyond chance."""

from outclass.measures.measure import Cell, Cells, Measure, Ratio


def _kappa(positives: Cell, negatives: Cell) -> Ratio:
    return Ratio(Cells(negatives, -positives, -negatives, positives), Cells(negatives, negatives, positives, positives))


def _mcc(tp: Cell, fp: Cell, fn: Cell, tn: Cell) -> Cell:
    # Root by root: the product of the four margins overflows at counts of 1e80 and loses digits long before.
    roots = (tp + fp) ** 0.5 * (tp + fn) ** 0.5 * (tn + fp) ** 0.5 * (tn + fn) ** 0.5
    return (tp * tn - fp * fn) / roots


RANK = 4
MEASURES = (
    Measure(
        name="mcc",
        title="Matthews correlation",
        low=-1.0,
        undefined="the truth or the predictions contain only one class",
        function=_mcc,
        rises=True,
    ),
    Measure(
        name="kappa",
        title="Cohen's kappa",
        low=-1.0,
        undefined="the truth and the predictions contain only one class, the same",
        ratio=_kappa,
    ),
)
