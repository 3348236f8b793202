"""DeLong, DeLong & Clarke-Pearson 1988: two areas under the ROC curve on the same items."""

import math
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.significance.result import NOWHERE, TestResult, p_of, side_of

FEW = 10
Placed = tuple[Floats, Floats]  # of the positives, and of the negatives
# A row asks for them twice: for the test, and for what is to be said of the scores.
_KNOWN: Final[WeakKeyDictionary[Scores, dict[str, Placed]]] = WeakKeyDictionary()


def placements(truth: np.ndarray, scores: Floats) -> Placed:
    """Return, for each positive, the share of negatives below it, and for each negative that of positives above it.

    By ranks (Sun & Xu 2014), so in n log n steps; ties count for half.
    """
    from scipy import stats  # loaded for tests alone

    positives, negatives = scores[truth], scores[~truth]
    m, n = len(positives), len(negatives)
    ranks = stats.rankdata(np.concatenate([positives, negatives]))
    own_p, own_n = stats.rankdata(positives), stats.rankdata(negatives)
    return (ranks[:m] - own_p) / n, 1 - (ranks[m:] - own_n) / m


def placements_of(scores: Scores, name: str) -> Placed:
    """Return the placements of one system's scores, remembered as long as the scores are there."""
    assert scores.truth is not None
    known = _KNOWN.setdefault(scores, {})
    if name not in known:
        known[name] = placements(scores.truth, scores.values[name])
    return known[name]


def delong(truth: np.ndarray, a: Floats, b: Floats, alternative: str = "two-sided") -> TestResult:
    """Return the test of two areas under the ROC curve."""
    _check(truth)
    return _compared(placements(truth, a), placements(truth, b), alternative)


def delong_of(scores: Scores, a: str, b: str) -> TestResult:
    """Return the test of two systems' areas."""
    assert scores.truth is not None
    _check(scores.truth)
    return _compared(placements_of(scores, a), placements_of(scores, b), "two-sided")


def _check(truth: np.ndarray) -> None:
    m, n = int(truth.sum()), int((~truth).sum())
    if min(m, n) < 2:
        raise InputError(f"the AUC test needs at least two positives and two negatives, got {m} and {n}.")


def _compared(a: Placed, b: Placed, alternative: str) -> TestResult:
    (p_a, n_a), (p_b, n_b) = a, b
    m, n = len(p_a), len(n_a)
    effect = float(p_a.mean() - p_b.mean())
    variance = float(np.var(p_a - p_b, ddof=1) / m + np.var(n_a - n_b, ddof=1) / n)
    side = side_of(alternative, effect)
    error = math.sqrt(variance)
    if error > 0:
        z = effect / error
        p_value = p_of(side, float(special.ndtr(z)), float(special.ndtr(-z)))
        reach = float(special.ndtri(0.975)) * error
        interval = Interval(effect - reach, effect + reach)
    else:
        z, p_value, interval = (0.0, 1.0, Interval(0.0, 0.0)) if effect == 0 else (math.nan, math.nan, NOWHERE)
    found: tuple[Finding, ...] = ()
    if error == 0 and effect != 0:
        found = (finding("OC402", "the scores do not vary within the classes, so the standard error is zero."),)
    elif min(m, n) < FEW:
        found = (finding("OC402", f"{m} positives and {n} negatives are few for the normal approximation."),)
    return TestResult(
        name="delong",
        p_value=p_value,
        statistic=z,
        words=f"DeLong's test of two areas under the ROC curve: {p_a.mean():.4f} and {p_b.mean():.4f}",
        measure="auc",
        alternative=side,
        effect=effect,
        effect_name="difference in AUC",
        interval=interval,
        assumptions="items are independent; both classes are large",
        findings=found,
    )
