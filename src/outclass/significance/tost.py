"""Two one-sided tests: is the difference surely inside the region of practical equivalence?"""

import math

from scipy import special

from outclass.arrays import Counts
from outclass.findings import finding
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure
from outclass.significance.result import TestResult
from outclass.significance.wald import standard_error, wald

FEW = 10


def tost(measure: Measure, joint: Counts, rope: Interval) -> TestResult:
    """Return the equivalence test: a small p-value speaks for equivalence, within the region."""
    effect, interval = wald(measure, joint, level=0.90)
    error = standard_error(measure, joint)
    found = []
    if math.isnan(effect) or math.isnan(error):
        p_value = statistic = math.nan
    elif error == 0:
        # No spread is seen, so none can be estimated: identical systems prove nothing by themselves.
        p_value = statistic = math.nan
        found.append(finding("OC402", "no item tells the systems apart, so there is no spread to test with."))
    else:
        discordant = int(joint[:, 1:3].sum())
        if discordant < FEW:
            found.append(
                finding("OC402", f"{discordant} discordant items are too few for the normal approximation of tost.")
            )
        low, high = (effect - rope.low) / error, (effect - rope.high) / error
        p_value = max(float(special.ndtr(-low)), float(special.ndtr(high)))
        statistic = low if abs(low) < abs(high) else high
    return TestResult(
        name="tost",
        p_value=p_value,
        statistic=statistic,
        words=f"equivalence in {measure.title} within {rope.low:+g} to {rope.high:+g} (two one-sided tests): "
        "a small p-value speaks for equivalence",
        measure=measure.name,
        alternative="equivalence",
        effect=effect,
        effect_name=f"difference in {measure.title}, 90% interval",
        interval=interval,
        assumptions="items are independent of each other; the estimate is normal; equivalent means within "
        f"{rope.low:+g} to {rope.high:+g}",
        findings=tuple(found),
    )
