"""The p-test of Yang & Liu 1999: two shares compared by the pooled normal test, as if the systems were independent."""

import math
from typing import Final

from scipy import special

from outclass.arrays import Counts
from outclass.findings import finding
from outclass.significance.intervals import newcombe
from outclass.significance.result import TestResult, p_of, side_of

ENOUGH: Final = 5  # successes and failures expected in each sample before the normal is trusted
MEASURES: Final = ("accuracy", "error", "recall", "precision")


def counts_of(table: Counts, measure: str) -> tuple[int, int]:
    """Return successes and trials of a share: of all decisions, of the true labels, or of the system's assignments."""
    (tp, fn), (fp, tn) = (tuple(map(int, row)) for row in table)
    return {
        "accuracy": (tp + tn, tp + tn + fp + fn),
        "error": (fp + fn, tp + tn + fp + fn),
        "recall": (tp, tp + fn),
        "precision": (tp, tp + fp),
    }[measure]


def proportion(a: tuple[float, float], b: tuple[float, float], measure: str, alternative: str) -> TestResult:
    """Return the p-test of two shares, each given as successes and trials."""
    (hits_a, n_a), (hits_b, n_b) = a, b
    words = f"comparison of two {measure} shares (p-test of Yang & Liu 1999)"
    assumptions = "decisions are independent, within and between systems; n is large"
    if min(n_a, n_b) == 0:
        return TestResult(
            name="proportion",
            p_value=math.nan,
            statistic=math.nan,
            words=f"{words}; undefined, because one denominator is zero",
            measure=measure,
            alternative=side_of(alternative, 0.0),
            assumptions=assumptions,
        )
    p, q = hits_a / n_a, hits_b / n_b
    pooled = (hits_a + hits_b) / (n_a + n_b)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    z = (p - q) / error if error > 0 else 0.0
    side = side_of(alternative, p - q)
    found = []
    if min(pooled, 1 - pooled) * min(n_a, n_b) < ENOUGH:
        found.append(
            finding("OC402", f"n is too small for the normal approximation of {measure}; use an exact test instead.")
        )
    return TestResult(
        name="proportion",
        p_value=p_of(side, float(special.ndtr(z)), float(special.ndtr(-z))) if p != q else 1.0,
        statistic=z,
        words=words,
        measure=measure,
        alternative=side,
        effect=p - q,
        effect_name=f"difference in {measure}",
        interval=newcombe(hits_a, n_a, hits_b, n_b),
        assumptions=assumptions,
        findings=tuple(found),
        lower_is_better=measure == "error",
    )
