"""Whether a difference has a finite prior density at zero.

It has none if both systems' measures run together so fast at some edge of the parameter space that the prior cannot
make up for it: with a uniform share of positives mu, both F1 vanish as mu does, and the density of their difference is
infinite at zero. The Savage-Dickey ratio is then not a number, whatever a kernel estimate may say.
"""

from functools import lru_cache

import numpy as np

from outclass.arrays import Floats
from outclass.measures.measure import Measure
from outclass.models.forms import cells_of

_TINY, _TINIER = 1e-6, 1e-9


@lru_cache(maxsize=256)
def vanishing_power(measure: Measure, *, no_positives: bool) -> float:
    """Return p such that two systems' difference falls as mu**p towards no positives (or no negatives)."""

    def gap(share: float) -> float:
        if no_positives:
            values = measure(*cells_of(np.array(share), np.array([0.8, 0.5]), np.array([0.3, 0.2])))
        else:
            # cells_of with the classes' roles exchanged, so that 1 - share keeps its digits
            other = cells_of(np.array(share), np.array([0.3, 0.2]), np.array([0.8, 0.5]))
            values = measure(other.fp, other.tp, other.tn, other.fn)
        return abs(float(values[0] - values[1]))

    near, nearer = gap(_TINY), gap(_TINIER)
    if not (near > 0 and nearer > 0):
        return 0.0
    power = float(np.log(near / nearer) / np.log(_TINY / _TINIER))
    return power if power > 0.05 else 0.0


@lru_cache(maxsize=256)
def _pinned(measure: Measure, place: int, end: float) -> bool:
    """Return whether a measure has one value, whatever the rest, as the recall (1) or false-positive rate (2) ends."""
    values = set()
    for others in ((0.4, 0.7, 0.2), (0.6, 0.5, 0.35)):
        at = list(others)
        at[place] = end
        values.add(round(float(measure(*cells_of(*at))), 12))
    return len(values) == 1


@lru_cache(maxsize=256)
def sides_used(measure: Measure) -> tuple[bool, bool]:
    """Return whether a measure looks at the positives, and at the negatives."""
    base = cells_of(0.4, 0.7, 0.2)
    value = float(measure(*base))
    return float(measure(*cells_of(0.4, 0.6, 0.2))) != value, float(measure(*cells_of(0.4, 0.7, 0.3))) != value


def finite_at_zero(
    measure: Measure,
    mu: tuple[float, float],
    disagreements: tuple[float, float],
    agreements: tuple[tuple[float, float], tuple[float, float]],
    *,
    share_known: bool,
) -> bool:
    """Return whether the density at zero is finite.

    Parameters
    ----------
    measure
        The measure whose difference is meant.
    mu
        The Beta parameters of the share of positives.
    disagreements
        The Dirichlet mass on disagreement, given a positive and given a negative item. The chance s of disagreement
        scales the difference, so that E[1/s] must be finite, over the classes the measure looks at together.
    agreements
        The Dirichlet mass on both saying positive and on neither, for the two classes. Where a measure is pinned to one
        value as nobody (or everybody) says positive on a class, all other outcomes there must weigh more than 1.
    share_known
        Whether mu is held at its distribution after the test, which stays away from its ends.
    """
    mass = sum(part for part, used in zip(disagreements, sides_used(measure), strict=True) if used)
    if mass <= 1:
        return False
    for place, apart, (both, neither) in zip((1, 2), disagreements, agreements, strict=True):
        ends = ((0.0, both), (1.0, neither))
        if any(_pinned(measure, place, end) and apart + agreed <= 1 for end, agreed in ends):
            return False
    if share_known:
        return True
    return all(
        parameter > power or power == 0
        for parameter, power in (
            (mu[0], vanishing_power(measure, no_positives=True)),
            (mu[1], vanishing_power(measure, no_positives=False)),
        )
    )


def finite_at_zero_unpaired(measure: Measure, mu: tuple[float, float], rates: tuple[float, ...]) -> bool:
    """Return whether the difference of two independent systems has a finite density at zero: their densities' product.

    Parameters
    ----------
    measure
        The measure whose difference is meant.
    mu
        The Beta parameters of the share of positives.
    rates
        The Beta parameters of the recall and of the false-positive rate, four numbers.

    A density that behaves as x**(a - 1) at an end where the measure is pinned has an integrable square only if a > 1/2.
    """
    ends = ((1, 0.0, rates[0]), (1, 1.0, rates[1]), (2, 0.0, rates[2]), (2, 1.0, rates[3]))
    if any(_pinned(measure, place, end) and parameter <= 0.5 for place, end, parameter in ends):
        return False
    return all(
        parameter > vanishing_power(measure, no_positives=no_positives) / 2
        for parameter, no_positives in ((mu[0], True), (mu[1], False))
    )


def uniform_density(g_a: Floats, g_b: Floats, factor: float) -> Floats:
    """Return the density of no difference in `factor * R / (R + g)`, the two recalls R being uniform Dirichlet margins.

    The joint density of the recalls (x, y) is 6 (min(x, y) - max(0, x + y - 1)); integrated along the line
    R_A / R_B = g_A / g_B, on which the difference vanishes, it is rational in the two g.
    """
    small, large = np.minimum(g_a, g_b), np.maximum(g_a, g_b)
    t = large / small
    terms = (
        0.75 * small * (1 / t - 1 / (1 + t))
        + 0.5 * (1 / t**2 - 1 / (1 + t) ** 2)
        + (1 / t**3 - 1 / (1 + t) ** 3) / (8 * small)
    )
    return np.asarray(4 * t * terms / factor)
