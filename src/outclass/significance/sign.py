"""Sign tests: on how many items is only A right, on how many only B. McNemar's test is one of them."""

import math
from dataclasses import replace
from typing import Final

from scipy import special

from outclass.arrays import Counts
from outclass.inference.distribution import Interval
from outclass.significance.binomial import APPROXIMATION, EXACT, at_most, probability
from outclass.significance.intervals import clopper_pearson, newcombe_paired
from outclass.significance.result import NOWHERE, TestResult, p_of, side_of

SMALL: Final = 12  # up to here Yang & Liu take the binomial itself
INDEPENDENT: Final = "items are independent; only items that exactly one system gets right count"


def sign_exact(only_a: int, only_b: int, alternative: str = "two-sided") -> TestResult:
    """Return the exact binomial test of the items on which exactly one system is right."""
    return TestResult(
        name="sign_exact",
        p_value=_binomial(only_a, only_b, alternative),
        statistic=float(only_a),
        words=f"exact sign test on accuracy: A alone right on {only_a:,}, B alone on {only_b:,}{_how(only_a + only_b)}",
        alternative=side_of(alternative, only_a - only_b),
        assumptions=INDEPENDENT,
    )


def mcnemar_exact(right: Counts, alternative: str = "two-sided") -> TestResult:
    """Return McNemar's exact test of the table of who is right: the sign test under its other name."""
    only_a, only_b = int(right[0, 1]), int(right[1, 0])
    return _with_difference(
        TestResult(
            name="mcnemar_exact",
            p_value=_binomial(only_a, only_b, alternative),
            statistic=float(min(only_a, only_b)),
            words=f"McNemar's exact test: {only_a:,} against {only_b:,} discordant items{_how(only_a + only_b)}",
            alternative=side_of(alternative, only_a - only_b),
            assumptions=INDEPENDENT,
        ),
        right,
    )


def mcnemar_midp(right: Counts, alternative: str = "two-sided") -> TestResult:
    """Return McNemar's mid-p test: half the probability of the observed table; less timid than the exact test."""
    only_a, only_b = int(right[0, 1]), int(right[1, 0])
    n = only_a + only_b
    side = side_of(alternative, only_a - only_b)
    if n == 0:
        p_value = 1.0
    else:
        here = float(probability(only_a, n))
        below, above = (float(at_most(k, n)) - here / 2 for k in (only_a, only_b))
        p_value = p_of(side, below, above)
    return _with_difference(
        TestResult(
            name="mcnemar_midp",
            p_value=p_value,
            statistic=float(min(only_a, only_b)),
            words=f"McNemar's mid-p test: {only_a:,} against {only_b:,} discordant items{_how(only_a + only_b)}",
            alternative=side,
            assumptions=INDEPENDENT,
        ),
        right,
    )


def signed(right: Counts, alternative: str = "two-sided") -> TestResult:
    """Return the exact sign test with the difference in accuracy beside it."""
    return _with_difference(sign_exact(int(right[0, 1]), int(right[1, 0]), alternative), right)


def micro_sign(right: Counts, alternative: str = "observed") -> TestResult:
    """Return the s-test of Yang & Liu: a sign test on all binary decisions, pooled over items and categories."""
    only_a, only_b = int(right[0, 1]), int(right[1, 0])
    statistic, p_value = _papers(only_a, only_b, alternative)
    return _with_difference(
        TestResult(
            name="micro_sign",
            p_value=p_value,
            statistic=statistic,
            words=f"micro sign test (s-test of Yang & Liu 1999): A alone right {only_a:,} times, B {only_b:,} times",
            alternative=side_of(alternative, only_a - only_b),
            assumptions="all decisions are independent, even those on the same item",
        ),
        right,
    )


def macro_sign(better_a: int, better_b: int, alternative: str = "observed") -> TestResult:
    """Return the S-test of Yang & Liu: a sign test on the categories' F1."""
    n = better_a + better_b
    statistic, p_value = _papers(better_a, better_b, alternative)
    share = better_a / n if n else 0.5
    return TestResult(
        name="macro_sign",
        p_value=p_value,
        statistic=statistic,
        words=f"macro sign test (S-test of Yang & Liu 1999): A better on {better_a:,} categories, B on {better_b:,}",
        measure="f1",
        alternative=side_of(alternative, better_a - better_b),
        effect=share - 0.5,
        effect_name="share of the differing categories won by A, above one half",
        interval=Interval(*(end - 0.5 for end in clopper_pearson(better_a, n))) if n else NOWHERE,
        assumptions="categories are an independent random sample; the sizes of differences are ignored",
    )


def _papers(k: int, other: int, alternative: str) -> tuple[float, float]:
    """Return the statistic and p-value as the paper has them: binomial up to 12, then normal, uncorrected."""
    n = k + other
    if n == 0:
        return 0.0, 1.0
    z = (k - n / 2) / (math.sqrt(n) / 2)
    side = side_of(alternative, k - other)
    if n <= SMALL:
        return float(k), _binomial(k, other, side)
    return z, p_of(side, float(special.ndtr(z)), float(special.ndtr(-z)))


def _binomial(k: int, other: int, alternative: str) -> float:
    n = k + other
    if n == 0:
        return 1.0
    below, above = (float(at_most(count, n)) for count in (k, other))
    return min(1.0, p_of(side_of(alternative, k - other), below, above))


def _how(n: int) -> str:
    """Say what the p-value of so many discordant items is, where it is not exact."""
    return f" ({APPROXIMATION})" if n > EXACT else ""


def _with_difference(result: TestResult, right: Counts) -> TestResult:
    """Add the difference in accuracy, with Newcombe's interval for the same items."""
    (both, only_a), (only_b, neither) = (tuple(map(int, row)) for row in right)
    n = both + only_a + only_b + neither
    return replace(
        result,
        effect=(only_a - only_b) / n if n else math.nan,
        effect_name="difference in accuracy",
        interval=newcombe_paired(both, only_a, only_b, neither),
    )
