"""Welch's t-test on two vectors of right and wrong, as Zhang et al. 2016 print it; it ignores the pairing."""

import math

from scipy import special

from outclass.inference.distribution import Interval
from outclass.significance.result import NOWHERE, TestResult, p_of, side_of


def welch_t(right_a: int, items_a: int, right_b: int, items_b: int, alternative: str = "two-sided") -> TestResult:
    """Return the Welch test of two accuracies, from the counts alone."""
    words = "Welch's t-test on accuracy, as in Zhang et al. 2016; treats the systems as independent"
    shares = (right_a / items_a if items_a else math.nan, right_b / items_b if items_b else math.nan)
    effect = shares[0] - shares[1]
    side = side_of(alternative, effect)

    def answer(p_value: float, statistic: float = math.nan, interval: Interval = NOWHERE) -> TestResult:
        return TestResult(
            name="welch_t",
            p_value=p_value,
            statistic=statistic,
            words=words,
            alternative=side,
            effect=effect,
            effect_name="difference in accuracy",
            interval=interval,
            assumptions="the two systems saw different items; the means are normal",
        )

    if min(items_a, items_b) < 2:
        return answer(math.nan)
    # The variance of a 0/1 vector with n - 1 in the divisor, over n
    squares = [share * (1 - share) / (n - 1) for share, n in zip(shares, (items_a, items_b), strict=True)]
    if sum(squares) == 0:
        # Nobody errs, or everybody does: equal vectors say nothing against equality, and unequal ones have no spread.
        return answer(1.0 if shares[0] == shares[1] else math.nan)
    error = math.sqrt(sum(squares))
    statistic = effect / error
    freedom = sum(squares) ** 2 / sum(
        square**2 / (n - 1) for square, n in zip(squares, (items_a, items_b), strict=True)
    )
    p_value = p_of(side, float(special.stdtr(freedom, statistic)), float(special.stdtr(freedom, -statistic)))
    reach = float(special.stdtrit(freedom, 0.975)) * error
    return answer(p_value, statistic, Interval(effect - reach, effect + reach))
