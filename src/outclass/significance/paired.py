"""The paired t-test on per-item results."""

import math

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.findings import finding
from outclass.inference.distribution import Interval
from outclass.significance.result import NOWHERE, TestResult, p_of, side_of

FEW = 10


def paired_t(differences: Floats, alternative: str = "two-sided", rho: float = 0.0) -> TestResult:
    """Return the paired t-test of a mean; with `rho` that of Nadeau & Bengio 2003, for folds that are correlated."""
    n = len(differences)
    mean = float(np.mean(differences))
    spread = float(np.std(differences, ddof=1)) if n > 1 else math.nan
    error = spread * math.sqrt(1 / n + rho / (1 - rho)) if n > 1 else math.nan
    side = side_of(alternative, mean)
    if error > 0:
        t = mean / error
        p_value = p_of(side, float(special.stdtr(n - 1, t)), float(special.stdtr(n - 1, -t)))
        reach = float(special.stdtrit(n - 1, 0.975)) * error
        interval = Interval(mean - reach, mean + reach)
    elif error == 0:
        t, p_value, interval = (0.0, 1.0, Interval(0.0, 0.0)) if mean == 0 else (math.nan, math.nan, NOWHERE)
    else:
        t, p_value, interval = math.nan, math.nan, NOWHERE
    found = (finding("OC402", f"{n} differences are few for a t-test, unless they are normal."),) if n < FEW else ()
    if math.isnan(p_value):
        found = (finding("OC402", "the differences do not vary, so the standard error is zero."),)
    return TestResult(
        name="paired_t" if rho == 0 else "corrected_t",
        p_value=p_value,
        statistic=t,
        words="paired t-test of the mean difference" + ("" if rho == 0 else f", corrected for folds (rho {rho:.3g})"),
        measure="mean",
        alternative=side,
        effect=mean,
        effect_name="mean difference",
        interval=interval,
        assumptions="differences are normal, or many; "
        + ("items are independent" if rho == 0 else "the correlation of folds equals their test share"),
        findings=found,
    )
