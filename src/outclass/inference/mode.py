"""Where a density is highest."""

import math

import numpy as np

from outclass.inference.distribution import Distribution

ROUNDS = 3


def mode_of(law: Distribution) -> float:
    """Return the mode: the distribution's own where it has one in closed form, or else by search over its quantiles."""
    own = getattr(law, "mode", None)
    if own is not None:
        return float(own)
    at = law.quantile(np.linspace(0.002, 0.998, 65))
    if math.isclose(at[0], at[-1], rel_tol=1e-15):
        return float(at[0])  # all of it is one number, where the density is infinite
    for _ in range(ROUNDS):
        height = law.pdf(at)
        if not np.any(np.isfinite(height)):
            return math.nan
        best = int(np.nanargmax(height))
        if best in (0, len(at) - 1):
            # Still rising at the end of what was looked at: the peak is the end of the range, if it has one.
            end = law.support.low if best == 0 else law.support.high
            return end if math.isfinite(end) else float(at[best])
        at = np.linspace(at[best - 1], at[best + 1], 17)
    return float(at[int(np.nanargmax(law.pdf(at)))])
