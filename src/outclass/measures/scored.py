"""Measures of scores: how well a system ranks items, or how good its probabilities are.

Each is a function of weights: one sort, then every draw of weights costs a pass or two. With equal weights it is the
measure of the data itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, quoted, shown
from outclass.measures import local
from outclass.measures.names import spelt, unknown_measure
from outclass.measures.ranked import Ranked

Weighing = Callable[[Floats], Floats]  # weights (draws, items) -> values (draws,)
Losses = Callable[[np.ndarray, Floats], Floats]  # truth and scores of items -> the loss of each
BINS: Final = 15
IN_CACHE: Final = 40_000  # weights that are passed over together
TINY: Final = float(np.finfo(float).eps)


@dataclass(frozen=True, kw_only=True)
class ScoreMeasure:
    """A measure of truth and scores under weights on the items."""

    name: str
    title: str
    prepare: Callable[[np.ndarray, Floats], Weighing]
    higher_is_better: bool = True
    low: float = 0.0
    high: float = 1.0
    probabilities: bool = False  # needs scores that are probabilities
    ranks: bool = False  # only the order of the scores counts
    pairs: bool = False  # the share of pairs of a positive and a negative that are in the right order
    losses: Losses | None = None  # of a mean: that of each item
    derive: local.Derive | None = None  # how it changes with the weight of each item, if it does so smoothly
    interval: bool = True  # its sampling error can be estimated

    @property
    def in_blocks(self) -> bool:
        """Whether many items need no weights of their own (`models/score_laws.py`, `models/score_blocks.py`)."""
        return self.derive is not None


def _auc(truth: np.ndarray, scores: Floats) -> Weighing:
    ranked = Ranked.of(truth, scores)
    negative = (~ranked.positive).astype(float)
    places = np.flatnonzero(ranked.positive)
    last, first = ranked.last[places], ranked.first[places]

    def weigh(weights: Floats) -> Floats:
        found = np.empty(len(weights))
        rows = max(1, IN_CACHE // len(negative))
        for start in range(0, len(weights), rows):
            own = ranked.sorted(weights[start : start + rows])
            against = own * negative
            above = np.cumsum(against, axis=1)
            positives = own[:, places]
            # Negatives of the same score count for half: those up to the end of the tie, and up to its start.
            between = (above[:, last] + above[:, first] - against[:, first]) / 2 if ranked.tied else above[:, places]
            share = np.einsum("ij,ij->i", between, positives)
            found[start : start + rows] = 1 - share / (above[:, -1] * positives.sum(axis=1))
        return found

    return weigh


Prepare = Callable[[np.ndarray, Floats], Weighing]


def _along(read: Callable[[Floats, Floats], float]) -> Prepare:
    """Make a measure of what it reads off hits and false alarms, summed down the ranking to the end of each tie."""

    def prepare(truth: np.ndarray, scores: Floats) -> Weighing:
        ranked = Ranked.of(truth, scores)
        ends = np.unique(ranked.last)
        positive = ranked.positive.astype(float)

        def weigh(weights: Floats) -> Floats:
            found = np.empty(len(weights))
            for row, each in enumerate(weights):
                own = ranked.sorted(each)
                hits = own * positive
                found[row] = read(np.cumsum(hits)[ends], np.cumsum(own - hits)[ends])
            return found

        return weigh

    return prepare


def _precision(hits: Floats, alarms: Floats) -> Floats:
    """Return the precision down the ranking; 0 above the first item with weight, as where a group is left out."""
    seen = hits + alarms
    return np.asarray(np.divide(hits, seen, out=np.zeros_like(seen), where=seen > 0))


def _average_precision(hits: Floats, alarms: Floats) -> float:
    return float(np.diff(hits, prepend=0.0) @ _precision(hits, alarms) / hits[-1])


def _mean_of(losses: Losses, truth: np.ndarray, scores: Floats) -> Weighing:
    found = losses(truth, scores)
    return lambda weights: np.asarray(weights @ found / weights.sum(axis=1))


def _log_losses(truth: np.ndarray, scores: Floats) -> Floats:
    sure = np.clip(scores, TINY, 1 - TINY)
    return -np.where(truth, np.log(sure), np.log1p(-sure))


def _squares(truth: np.ndarray, scores: Floats) -> Floats:
    return np.asarray((scores - truth) ** 2)


def _mean(name: str, title: str, losses: Losses, high: float) -> ScoreMeasure:
    """Make a measure of probabilities that is the mean of a loss."""
    return ScoreMeasure(
        name=name,
        title=title,
        prepare=partial(_mean_of, losses),
        higher_is_better=False,
        high=high,
        probabilities=True,
        losses=losses,
        derive=local.mean_of(losses),
    )


def _ece(truth: np.ndarray, scores: Floats) -> Weighing:
    """Expected calibration error over fifteen bins of the same width."""
    bins = np.minimum((scores * BINS).astype(int), BINS - 1)
    gaps = np.zeros((len(scores), BINS))
    gaps[np.arange(len(scores)), bins] = truth - scores
    return lambda weights: np.asarray(np.abs(weights @ gaps).sum(axis=1) / weights.sum(axis=1))


def _partial_auc(most: float) -> Prepare:
    def read(hits: Floats, alarms: Floats) -> float:
        x, y = np.append(0.0, alarms / alarms[-1]), np.append(0.0, hits / hits[-1])
        inside = int(np.searchsorted(x, most, side="right"))
        area = np.trapezoid(np.append(y[:inside], np.interp(most, x, y)), np.append(x[:inside], most))
        # McClish 1989: 1/2 is chance, 1 is perfect.
        least = most**2 / 2
        return float(0.5 * (1 + (area - least) / (most - least)))

    return _along(read)


def _recall_at_precision(wanted: float) -> Prepare:
    def read(hits: Floats, alarms: Floats) -> float:
        good = hits >= wanted * (hits + alarms) * (1 - 1e-12)
        return float(hits[good].max(initial=0.0) / hits[-1])

    return _along(read)


MEASURES: Final = {
    measure.name: measure
    for measure in (
        ScoreMeasure(name="auc", title="AUC", prepare=_auc, ranks=True, pairs=True, derive=local.auc),
        ScoreMeasure(
            name="average_precision",
            title="average precision",
            prepare=_along(_average_precision),
            ranks=True,
            derive=local.average_precision,
        ),
        _mean("log_loss", "log-loss", _log_losses, float(-np.log(TINY))),
        _mean("brier", "Brier score", _squares, 1.0),
        ScoreMeasure(name="ece", title="ECE", prepare=_ece, higher_is_better=False, probabilities=True, interval=False),
    )
}
_WITH_NUMBER: Final[dict[str, tuple[str, Callable[[float], Prepare]]]] = {
    "partial_auc": ("partial AUC, FPR up to {}", _partial_auc),
    "recall_at_precision": ("recall at precision {}", _recall_at_precision),
}
NAMES: Final = (*MEASURES, *(f"{name}:…" for name in _WITH_NUMBER))


def is_of_scores(spec: Any) -> bool:
    """Return whether a measure is one of scores, by its name."""
    if isinstance(spec, ScoreMeasure):
        return True
    name = spelt(spec).partition(":")[0] if isinstance(spec, str) else ""
    return name in MEASURES or name in _WITH_NUMBER


def get(spec: Any) -> ScoreMeasure:
    """Find a measure by its name; 'partial_auc:0.1' and 'recall_at_precision:0.9' have a number."""
    if isinstance(spec, ScoreMeasure):
        return spec
    name, _, number = spelt(str(spec)).partition(":")
    if name in MEASURES and not number:
        return MEASURES[name]
    if name not in _WITH_NUMBER:
        from outclass.measures import MEASURES as OF_LABELS  # which imports this module

        if name in OF_LABELS:
            raise InputError(
                f"{quoted([spec])} is a measure of labels, and these are scores. Turn them into labels with a "
                "threshold first, or name a measure of scores, such as auc."
            )
        raise unknown_measure("measure of scores", str(spec), NAMES)
    try:
        value = float(number)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise InputError(f"{name} needs a number in (0, 1], as in {name}:0.9; got {shown(spec)}.")
    title, prepare = _WITH_NUMBER[name]
    return ScoreMeasure(name=f"{name}:{value:g}", title=title.format(f"{value:g}"), prepare=prepare(value), ranks=True)


def auc_moments(truth: np.ndarray, a: Floats, b: Floats, *, most: int = 50_000_000) -> tuple[float, float]:
    """Return the mean and the variance of the difference in AUC under the Bayesian bootstrap, in closed form.

    With psi of a pair (positive, negative) the win of A less that of B, m positives and n negatives:
    [(sum psi)^2 + sum_i (sum_j psi)^2 + sum_j (sum_i psi)^2 + sum psi^2] / (m (m+1) n (n+1)) - mean^2.
    With more than `most` pairs the last sum, which then hardly counts, is taken from as many of them at random.
    """
    m, n = int(truth.sum()), int((~truth).sum())
    rows, columns = [], []
    for scores in (a, b):
        positives, negatives = scores[truth], scores[~truth]
        low, high = np.sort(negatives), np.sort(positives)
        rows.append((np.searchsorted(low, positives, "left") + np.searchsorted(low, positives, "right")) / 2)
        columns.append(m - (np.searchsorted(high, negatives, "left") + np.searchsorted(high, negatives, "right")) / 2)
    by_row, by_column = rows[0] - rows[1], columns[0] - columns[1]
    total = float(by_row.sum())
    squares = _pair_squares(truth, a, b, most)
    mean = total / (m * n)
    second = total**2 + float((by_row**2).sum()) + float((by_column**2).sum()) + squares
    return mean, max(second / (m * (m + 1) * n * (n + 1)) - mean**2, 0.0)


def _pair_squares(truth: np.ndarray, a: Floats, b: Floats, most: int) -> float:
    m, n = int(truth.sum()), int((~truth).sum())
    wins = []
    if m * n <= most:
        total = 0.0
        step = max(1, 2_000_000 // max(n, 1))
        for start in range(0, m, step):
            part = slice(start, start + step)
            wins = [np.sign(s[truth][part][:, None] - s[~truth][None, :]) for s in (a, b)]
            total += float(((wins[0] - wins[1]) ** 2).sum()) / 4
        return total
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, m, 1_000_000), rng.integers(0, n, 1_000_000)
    wins = [np.sign(s[truth][i] - s[~truth][j]) for s in (a, b)]
    return float(((wins[0] - wins[1]) ** 2).mean()) / 4 * m * n
