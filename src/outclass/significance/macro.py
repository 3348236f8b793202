"""Tests on the categories' F1: Yang & Liu's T and T', and Wilcoxon's signed ranks."""

import math
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.significance.result import CATEGORIES, NOWHERE, Blocks, TestResult, p_of, side_of

MANY: Final = 40  # from here on Yang & Liu take the normal for Student's t
FEW: Final = 5
EXACT: Final = 50
MOST_WALSH: Final = 2_000


def macro_t(a: Floats, b: Floats, alternative: str = "observed") -> TestResult:
    """Return the T-test of Yang & Liu: a paired t-test on the categories' F1."""
    return _t(
        a - b,
        alternative,
        name="macro_t",
        words=f"paired t-test on the F1 of {len(a)} categories (T-test of Yang & Liu 1999)",
        effect_name="mean difference in F1 of the categories",
        assumptions="categories are an independent random sample; their differences are normal",
    )


def macro_t_ranks(a: Floats, b: Floats, alternative: str = "observed") -> TestResult:
    """Return the T'-test of Yang & Liu: the same on ranks, both systems' values pooled."""
    from scipy import stats  # loaded for tests alone

    ranks = stats.rankdata(np.concatenate([a, b]))
    return _t(
        ranks[: len(a)] - ranks[len(a) :],
        alternative,
        name="macro_t_ranks",
        words=f"paired t-test on the ranks of the F1 of {len(a)} categories (T'-test of Yang & Liu 1999)",
        effect_name="mean difference in rank of the categories' F1",
        assumptions="categories are an independent random sample; their rank differences are normal",
    )


def _t(
    differences: Floats, alternative: str, *, name: str, words: str, effect_name: str, assumptions: str
) -> TestResult:
    n = len(differences)
    mean = float(differences.mean()) if n else math.nan
    side = side_of(alternative, 0.0 if math.isnan(mean) else mean)
    error = float(differences.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    if n > 1 and not np.any(differences):
        statistic, p_value, interval = 0.0, 1.0, Interval(0.0, 0.0)
    elif n > 1 and error > 1e-12 * float(np.abs(differences).max()):
        statistic = mean / error
        if n < MANY:
            tails = (float(special.stdtr(n - 1, statistic)), float(special.stdtr(n - 1, -statistic)))
            reach = float(special.stdtrit(n - 1, 0.975)) * error
        else:
            tails = (float(special.ndtr(statistic)), float(special.ndtr(-statistic)))
            reach = float(special.ndtri(0.975)) * error
        p_value, interval = p_of(side, *tails), Interval(mean - reach, mean + reach)
    else:
        # One category, or differences without any spread, have no t.
        statistic, p_value, interval = math.nan, math.nan, NOWHERE
    return TestResult(
        name=name,
        p_value=p_value,
        statistic=statistic,
        words=words,
        measure="f1",
        alternative=side,
        effect=mean,
        effect_name=effect_name,
        interval=interval,
        assumptions=assumptions,
        findings=tuple(_few(n)),
    )


def wilcoxon(a: Floats, b: Floats, alternative: str = "two-sided", of: Blocks = CATEGORIES) -> TestResult:
    """Return Wilcoxon's signed-rank test on the categories' F1, with the Hodges-Lehmann difference."""
    from scipy import stats  # loaded for tests alone

    differences = a - b
    nonzero = differences[differences != 0]
    n, equal = len(nonzero), len(differences) - len(nonzero)
    # The test leaves out what does not differ, and so must the estimate: zeros would pull the interval to zero, which
    # the test rejects.
    kept = nonzero if n else differences
    walsh = Walsh(kept)
    effect = walsh.median if len(kept) else math.nan
    # With many ties the Hodges-Lehmann difference can be zero where the ranks are not: the test is of the ranks.
    direction = float(np.sign(nonzero) @ stats.rankdata(np.abs(nonzero)))
    side = side_of(alternative, direction)
    if n == 0:
        statistic, p_value = 0.0, 1.0 if len(a) else math.nan
    else:
        # Given how many differ, the signs of their ranks are as likely as ever: zeros take nothing from the exact law.
        tied = len(np.unique(np.abs(nonzero))) < n
        found = stats.wilcoxon(nonzero, alternative=side, method="approx" if tied or n > EXACT else "exact")
        statistic, p_value = float(found.statistic), float(found.pvalue)
    return TestResult(
        name="wilcoxon",
        p_value=p_value,
        statistic=statistic,
        words=f"Wilcoxon's signed-rank test on the {of.value} of {len(a)} {of.noun}, {n} of which differ",
        measure=of.value.lower(),
        alternative=side,
        effect=effect,
        effect_name=f"Hodges-Lehmann difference in {of.value} of the {of.noun}{' that differ' if equal else ''}",
        interval=_walsh_interval(walsh, n, exact=n <= EXACT),
        assumptions=f"{of.noun} are independent; their differences are symmetric",
        findings=tuple(_few(n, of)),
        direction=direction,
        ties=equal,
    )


class Walsh:
    """The averages of all pairs of numbers, each with itself included, in order.

    There are n (n + 1) / 2 of them. Where those are too many to hold, one is found by counting how many lie below.
    """

    def __init__(self, numbers: Floats) -> None:
        n = len(numbers)
        self.size = n * (n + 1) // 2
        self._sorted = np.sort(numbers)
        self._all: Floats | None = None
        if n <= MOST_WALSH:
            self._all = np.sort((numbers[:, None] + numbers[None, :])[np.triu_indices(n)] / 2)

    def __getitem__(self, place: int) -> float:
        if self._all is not None:
            return float(self._all[place])
        low, high = float(self._sorted[0]), float(self._sorted[-1])
        while low < (middle := low + (high - low) / 2) < high:
            low, high = (low, middle) if self._up_to(middle) > place else (middle, high)
        return high

    def _up_to(self, value: float) -> int:
        """Count the averages that are not above a value."""
        ordered = int(np.searchsorted(self._sorted, 2 * value - self._sorted, side="right").sum())
        return (ordered + int(np.searchsorted(self._sorted, value, side="right"))) // 2

    @property
    def median(self) -> float:
        """The Hodges-Lehmann estimate."""
        return (self[(self.size - 1) // 2] + self[self.size // 2]) / 2


def _walsh_interval(walsh: Walsh, n: int, *, exact: bool) -> Interval:
    """Return the differences that the signed-rank test does not refuse: by its exact law, or the normal one."""
    if n < FEW:
        return NOWHERE
    if exact:
        # How many of the 2^n signs give each sum of ranks.
        ways = np.ones(1)
        for rank in range(1, n + 1):
            ways = np.concatenate([ways, np.zeros(rank)]) + np.concatenate([np.zeros(rank), ways])
        below = np.cumsum(ways) / 2.0**n
        cut = int(np.searchsorted(below, 0.025, side="right"))
        return NOWHERE if cut == 0 else Interval(walsh[cut - 1], walsh[walsh.size - cut])
    pairs = n * (n + 1) / 2
    reach = float(special.ndtri(0.975)) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    low = int(np.clip(math.floor(pairs / 2 - reach), 0, walsh.size - 1))
    return Interval(walsh[low], walsh[walsh.size - 1 - low])


def _few(n: int, of: Blocks = CATEGORIES) -> list[Finding]:
    if n >= FEW:
        return []
    return [finding("OC402", f"{n} {of.noun} that differ are too few for this test to have much power.")]
