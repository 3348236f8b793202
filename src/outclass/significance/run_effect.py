"""Whether all items move together in one run: Cochran's Q of right and wrong answers, otherwise an F test."""

from typing import Final, NamedTuple

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.significance.many import cochran_q

FEWEST: Final = 24  # answers to items whose answers vary, for the chi-square approximation


class RunEffect(NamedTuple):
    """A test of runs (columns) against the noise between answers to one item (rows)."""

    name: str
    statistic: float
    p_value: float
    totals: tuple[float, ...]  # right answers in each run, or means


def run_effect(values: Floats, right: float | None) -> RunEffect | None:
    """Test if runs differ by more than chance; `right` is the number of a right answer, None if there are others.

    None where too little varies for the test.
    """
    items, runs = values.shape
    if runs < 2 or items < 2:
        return None
    varying = int((np.ptp(values, axis=1) > 0).sum())
    if varying * runs < FEWEST:
        return None
    if right is not None:
        wins = (values == right).astype(np.int64)
        found = cochran_q(wins, np.ones(items, dtype=np.int64), ())
        return RunEffect("Cochran's Q", found.statistic, found.p_value, tuple(wins.sum(axis=0).tolist()))
    means = values.mean(axis=0)
    rest = values - values.mean(axis=1, keepdims=True) - means + values.mean()
    free = (items - 1) * (runs - 1)
    between = items * float(((means - means.mean()) ** 2).sum()) / (runs - 1)
    within = float((rest**2).sum()) / free
    statistic = between / within if within > 0 else np.inf
    p_value = float(special.fdtrc(runs - 1, free, statistic))
    return RunEffect("F", statistic, p_value, tuple(means.tolist()))
