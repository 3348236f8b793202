"""The sign test: on how many items is only A right, on how many only B."""

from scipy import special

from outclass.significance.result import TestResult


def sign_exact(only_a: int, only_b: int) -> TestResult:
    """Return the exact two-sided binomial test of the items on which exactly one system is right."""
    n = only_a + only_b
    tail = float(special.bdtr(min(only_a, only_b), n, 0.5)) if n else 1.0
    return TestResult(
        name="sign_exact",
        p_value=min(1.0, 2 * tail),
        statistic=float(only_a),
        words=f"exact two-sided sign test on accuracy: A alone right on {only_a:,}, B alone on {only_b:,}",
    )
