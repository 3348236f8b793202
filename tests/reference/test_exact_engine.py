"""The exact engine over random tables, against an independent long run: its error, and what it says of it.

N from 20 to a million, prevalence from .001 to .999, fixed seeds.
"""

import numpy as np
import pytest
from long_run import long_run, random_table

from outclass import measures
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.inference.summary import summarise
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired

TABLES = 32
ROPE = Interval(-0.05, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, 1, *(pytest.param(each, marks=pytest.mark.full) for each in (2, 3))])
def test_error_is_small_and_honest(part: int, full: bool) -> None:
    """By default no probability and no interval end is off by more than 1e-4, and the reported error covers it."""
    errors, reported = [], []
    for number in range(part * TABLES // 4, (part + 1) * TABLES // 4, 1 if full else 4):
        table = random_table(number)
        law = Paired.fit(Evidence.of_joint(table), prior_of("uniform"), Settings()).difference(measures.get("f1"))
        found = summarise(law, ROPE, 0.95)
        truth = long_run(table, found.hdi, ROPE.high, 0.95, seed=number)
        errors.append(np.abs([found.above - truth.above, found.rope - truth.rope, *(found.hdi - np.array(truth[2:]))]))
        reported.append([found.errors.above, found.errors.rope, *found.errors.hdi])
    wrong, said = np.array(errors), np.array(reported)

    assert wrong.max() <= 1e-4
    # The long run has an error of its own, of about 2e-6.
    assert np.mean(wrong <= said + 2e-6) >= 0.95
    seen = wrong > 2e-6
    assert np.median(said[seen] / wrong[seen]) <= 20
