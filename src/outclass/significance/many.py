"""Tests of many systems at once: Cochran's Q on who is right, Friedman's and Nemenyi's on categories."""

import math
from itertools import combinations

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.findings import finding
from outclass.inference.distribution import Interval
from outclass.significance.result import CATEGORIES, Blocks, TestResult

FEW_BLOCKS = 10


def cochran_q(right: Counts, counts: Counts, systems: tuple[str, ...]) -> TestResult:
    """Return Cochran's Q: are all systems right equally often? Rows are patterns of right (1) and wrong (0)."""
    k = right.shape[1]
    wins = [int(won) for won in counts @ right]  # as Python's integers, which do not overflow
    per_item = right.sum(axis=1)
    total = sum(wins)
    below = float(counts @ (per_item * (k - per_item)).astype(float))
    discordant = int(counts[(per_item > 0) & (per_item < k)].sum())
    statistic = (k - 1) * (sum((k * won - total) ** 2 for won in wins) / k) / below if below else 0.0
    found = []
    if discordant * k < 24:
        found.append(
            finding(
                "OC402", f"{discordant} items on which the systems differ are too few for the chi-square approximation."
            )
        )
    return TestResult(
        name="cochran_q",
        p_value=float(special.chdtrc(k - 1, statistic)) if below else 1.0,
        statistic=statistic,
        words=f"Cochran's Q: are all {k} systems right equally often?",
        systems=systems,
        alternative="any",
        assumptions="items are independent; the systems differ on many of them",
        findings=tuple(found),
    )


def friedman(values: Floats, systems: tuple[str, ...], of: Blocks = CATEGORIES) -> TestResult:
    """Return Friedman's test on categories (rows) by systems (columns), corrected for ties, with Kendall's W."""
    from scipy import stats  # loaded for tests alone

    n, k = values.shape
    ranks = stats.rankdata(values, axis=1) if n else np.empty((0, k))
    sums = ranks.sum(axis=0)
    # What ties take away: for each row, the sum of t^3 - t over its tied groups.
    ties = sum(float((sizes**3 - sizes).sum()) for row in ranks for sizes in [np.unique(row, return_counts=True)[1]])
    room = n * k * (k * k - 1) - ties
    spread = float(((sums - n * (k + 1) / 2) ** 2).sum())
    statistic = 12 * (k - 1) * spread / room if room else 0.0
    found = []
    if n < FEW_BLOCKS:
        found.append(finding("OC402", f"{n} {of.noun} are too few for the chi-square approximation."))
    return TestResult(
        name="friedman",
        p_value=float(special.chdtrc(k - 1, statistic)) if room else (1.0 if n else math.nan),
        statistic=statistic,
        words=f"Friedman's test of {k} systems on the {of.value} of {n} {of.noun}",
        systems=systems,
        measure=of.value.lower(),
        alternative="any",
        effect=statistic / (n * (k - 1)) if n else math.nan,
        effect_name="Kendall's W",
        assumptions=f"{of.noun} are independent",
        findings=tuple(found),
    )


def nemenyi(values: Floats, systems: tuple[str, ...], of: Blocks = CATEGORIES) -> list[TestResult]:
    """Return Nemenyi's comparison of every pair after Friedman's test: mean ranks by the studentised range."""
    from scipy import stats  # loaded for tests alone

    n, k = values.shape
    if n == 0:
        return []
    # The best has the highest value and, as is the custom, the lowest rank.
    means = stats.rankdata(-values, axis=1).mean(axis=0)
    error = math.sqrt(k * (k + 1) / (6 * n))
    critical = float(stats.studentized_range.ppf(0.95, k, np.inf)) / math.sqrt(2) * error
    found = (finding("OC402", f"{n} {of.noun} are too few for this test."),) if n < FEW_BLOCKS else ()
    answers = []
    for a, b in combinations(range(k), 2):
        lead = float(means[b] - means[a])
        q = abs(lead) / error * math.sqrt(2)
        answers.append(
            TestResult(
                name="nemenyi",
                p_value=min(1.0, float(stats.studentized_range.sf(q, k, np.inf))),
                statistic=q,
                words=f"Nemenyi's comparison of mean ranks over {n} {of.noun}, all {k} systems at once",
                systems=(systems[a], systems[b]),
                measure=of.value.lower(),
                effect=lead,
                effect_name="lead in mean rank",
                interval=Interval(lead - critical, lead + critical),
                assumptions=f"{of.noun} are independent; p-values are already adjusted for all pairs",
                findings=found,
            )
        )
    return answers
