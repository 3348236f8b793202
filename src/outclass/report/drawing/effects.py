"""Which of the tests have an effect and an interval that a chart can show."""

import math
from collections.abc import Sequence

from outclass.report.test_choice import shown
from outclass.significance.result import TestResult

OTHER_SCALES = ("equivalence", "non-inferiority")  # whose intervals hold another share


def intervals_of(rows: Sequence[TestResult], asked: Sequence[str] = ()) -> list[TestResult]:
    """Return tests with intervals: of one pair all that are shown, of more the first of each pair."""
    if not rows:
        return []
    found = [
        row
        for row in shown(rows, asked)
        if len(row.systems) == 2
        and row.alternative not in OTHER_SCALES
        and all(map(math.isfinite, (row.effect, *row.interval)))
    ]
    if len({row.systems for row in found}) <= 1:
        return found
    return list({row.systems: row for row in reversed(found)}.values())[::-1]
