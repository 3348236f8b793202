"""What may be said of a row whenever one looks: the evidence and the interval of the measure that is asked for.

Both are of one process: exact bets for accuracy and for means of numbers between 0 and 1, and asymptotic confidence
sequences of influences for every other measure, once there are enough items of every label for these.
"""

import math
from typing import Any

import numpy as np

from outclass import measures
from outclass.data.outcomes import Outcomes
from outclass.data.scores import Scores
from outclass.inference.distribution import Interval
from outclass.measures import averages, scored
from outclass.planning import asymptotic, betting, influence
from outclass.planning.anytime import ALPHA, Anytime, anytime_of
from outclass.rows.types import Contrast

MOST_SCORES = 20_000  # items whose influences on a measure of scores are found one by one


def anytime_row(evidence: Any, row: Contrast) -> Anytime | None:
    """Return it for one row; None of data and measures for which there is none."""
    a, b = (system.name for system in row.systems)
    if isinstance(evidence, Outcomes):
        if row.measure.name == "accuracy":
            return anytime_of(evidence, a, b)
        found = _of_labels(evidence, row, a, b)
        return None if found is None else _asymptotic(found, evidence.items, row)
    if type(evidence).__name__ != "Scores" or not isinstance(evidence, Scores) or not _is_independent(evidence):
        return None
    first, second = evidence.values[a], evidence.values[b]
    if evidence.truth is not None:
        positives = int(evidence.truth.sum())
        if len(evidence) > MOST_SCORES or min(positives, len(evidence) - positives) < asymptotic.FEWEST:
            return None
        own = influence.of_scores(scored.get(row.measure.name), evidence.truth, first, second)
        return _asymptotic(own, len(evidence), row)
    if row.measure.name == "median":
        return None
    change = first - second
    if min(first.min(), second.min()) >= 0 and max(first.max(), second.max()) <= 1:
        log = betting.log_e_value(change, 0.0)
        interval = betting.two_sided(change, ALPHA)
        return Anytime(_e_value(log), interval, ALPHA, row.measure.title)
    return _asymptotic(influence.of_numbers(change), len(evidence), row)


def _is_independent(evidence: Scores) -> bool:
    return evidence.group is None and evidence.data_set is None and evidence.fold_share is None


def _of_labels(evidence: Outcomes, row: Contrast, a: str, b: str) -> influence.Estimate | None:
    average = averages.find(row.measure.name) if row.label is None else None
    if average is not None and not average.matrix and average.label is None:
        columns = [0, evidence.column(a), evidence.column(b)]
        truth = evidence.patterns[:, 0]
        seen = np.unique(truth[truth >= 0])
        if influence.rarest(average, truth, seen, evidence.counts) < asymptotic.FEWEST:
            return None
        return influence.of_patterns(average, len(evidence.labels), evidence.patterns[:, columns], evidence.counts)
    if row.label is None or row.measure.name not in measures.MEASURES:
        return None
    return influence.of_table(measures.get(row.measure.name), evidence.joint(a, b, row.label))


def _asymptotic(found: influence.Estimate, items: int, row: Contrast) -> Anytime | None:
    if not (math.isfinite(found.difference) and found.spread > 0):
        return None
    interval = asymptotic.two_sided(found.difference, found.spread, items, ALPHA)
    log = asymptotic.log_e_value(found.difference, found.spread, items)
    return Anytime(_e_value(log), Interval(*interval), ALPHA, row.measure.title)


def _e_value(log: float) -> float:
    return math.exp(log) if log < 700 else math.inf
