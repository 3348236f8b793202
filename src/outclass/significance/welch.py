"""Welch's t-test on two vectors of right and wrong, as Zhang et al. 2016 print it; it ignores the pairing."""

import math

from scipy import special

from outclass.significance.result import TestResult


def welch_t(right_a: int, items_a: int, right_b: int, items_b: int) -> TestResult:
    """Return the two-sided Welch test of two accuracies, from the counts alone."""
    words = "two-sided Welch t-test on accuracy, as in Zhang et al. 2016; takes the systems as independent"
    if min(items_a, items_b) < 2:
        return TestResult(name="welch_t", p_value=math.nan, statistic=math.nan, words=words)
    shares = (right_a / items_a, right_b / items_b)
    # The variance of a 0/1 vector with n - 1 in the divisor, over n
    squares = [share * (1 - share) / (n - 1) for share, n in zip(shares, (items_a, items_b), strict=True)]
    if sum(squares) == 0:
        # Nobody errs, or everybody does: equal vectors say nothing against equality, and unequal ones have no spread.
        p_value = 1.0 if shares[0] == shares[1] else math.nan
        return TestResult(name="welch_t", p_value=p_value, statistic=math.nan, words=words)
    statistic = (shares[0] - shares[1]) / math.sqrt(sum(squares))
    freedom = sum(squares) ** 2 / sum(
        square**2 / (n - 1) for square, n in zip(squares, (items_a, items_b), strict=True)
    )
    p_value = 2 * float(special.stdtr(freedom, -abs(statistic)))
    return TestResult(name="welch_t", p_value=p_value, statistic=statistic, words=words)
