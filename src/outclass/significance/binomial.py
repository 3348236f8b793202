"""The Binomial(n, 1/2) at any n, accurate where SciPy's own functions lose digits or overflow.

`special.bdtr` is wrong near the middle from ten million trials on (by half of the value at 10^9) and nan beyond 2^31;
a probability by `gammaln` has no correct digit at 10^15.
"""

import math
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Floats

EXACT: Final = 10**12  # trials; beyond, the normal approximation has a relative error below 1e-6 down to p = 1e-300
BY_GAMMA: Final = 10**5
APPROXIMATION: Final = "normal approximation beyond 10^12, relative error of p below 1e-6"


def at_most(k: Floats | float, n: int) -> Floats:
    """Return the probability of at most k successes, for k from -1 to n."""
    k = np.asarray(k, dtype=float)
    if n > EXACT:
        return np.asarray(special.ndtr((k + 0.5 - n / 2) / (math.sqrt(n) / 2)))
    inside = np.clip(k, 0, max(n - 1, 0))
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, special.betainc(n - inside, inside + 1, 0.5)))


def probability(k: Floats | float, n: int) -> Floats:
    """Return the probability of k successes."""
    k = np.asarray(k, dtype=float)
    if n <= BY_GAMMA:
        log = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1) - n * math.log(2)
        return np.asarray(np.exp(log))
    # Loader's saddle-point expansion: Stirling's formula with the cancellation done by hand.
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (2 * k - n) / n
        deviance = n / 2 * (special.xlog1py(1 + share, share) + special.xlog1py(1 - share, -share))
        rest = 1 - share**2
        log = 0.5 * np.log(2 / (math.pi * n * rest)) - deviance + 1 / (12 * n) - 1 / (3 * n * rest)
        return np.where(rest > 0, np.exp(log), 0.0)
