"""The paired permutation test of any measure of labels: a sum over a table, exact up to 10^7 discordant items and more.

Swapping A's and B's labels of an item changes nothing unless they differ. So under the null the discordant positives
that fall to A are Binomial(n, 1/2), and so are the discordant negatives, independently: the p-value is a sum over a
table, not a simulation. Where the difference goes one way in the positives, one of the two sums is a binomial tail.
The other has as many terms as the square root of the discordant negatives; beyond `MOST_TERMS` it is taken over bins.
"""

import math
from collections.abc import Callable
from functools import cached_property
from typing import Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.findings import finding
from outclass.measures import MEASURES
from outclass.measures.measure import Measure
from outclass.significance.binomial import APPROXIMATION, EXACT, at_most, probability
from outclass.significance.result import TestResult, as_extreme, side_of
from outclass.significance.wald import wald

CLOSE: Final = 1e-12  # differences that are equal but for rounding are equal
MOST_CELLS: Final = 20_000_000
MOST_TERMS: Final = 100_000
AT_ONCE: Final = 20_000  # differences that are all computed, rather than searched
REACH: Final = 13.0  # stds of a binomial, beyond which its probability is below 1e-37
SWAPS: Final = 100_000
EXACTLY: Final = "exact"


class _Table:
    """The difference as a function of how many discordant positives and negatives fall to A."""

    def __init__(self, measure: Measure, joint: Counts) -> None:
        (self._both_p, pa, pb, self._none_p), (self._both_n, na, nb, self._none_n) = (tuple(map(int, r)) for r in joint)
        self.measure, self.positives, self.negatives = measure, pa + pb, na + nb
        self.seen = (pa, na)

    def __call__(self, x: Floats, y: Floats) -> Floats:
        """Return A's measure minus B's; not a number where either is undefined."""
        x, y = np.broadcast_arrays(x, y)
        p, n = self.positives, self.negatives
        a = self.measure(self._both_p + x, self._both_n + y, self._none_p + p - x, self._none_n + n - y)
        b = self.measure(self._both_p + p - x, self._both_n + n - y, self._none_p + x, self._none_n + y)
        return np.asarray(a - b)

    @cached_property
    def _look(self) -> Floats:
        """The differences on a coarse grid."""
        x = np.unique(np.linspace(0, self.positives, 33).astype(int)).astype(float)
        y = np.unique(np.linspace(0, self.negatives, 33).astype(int)).astype(float)
        return self(x[:, None], y[None, :])

    @cached_property
    def close(self) -> float:
        """Differences of differences that are rounding; never as much as a millionth of their standard deviation."""
        known = np.abs(self._look[np.isfinite(self._look)])
        share = min(CLOSE, 1e-6 / math.sqrt(max(1, self.positives + self.negatives)))
        return share * (float(known.max()) if known.size else 1.0)

    def is_monotone(self) -> bool:
        """Return whether the difference goes one way in the positives that fall to A, as far as a coarse look tells.

        Of the measures that are known it does or does not; of a user's own function a look is not enough.
        """
        if self.measure.name not in MEASURES and self.measure.ratio is None:
            return False
        steps = np.diff(self._look, axis=0)
        sure = bool(np.all(np.isfinite(self._look)))
        return sure and (bool(np.all(steps >= -self.close)) or bool(np.all(steps <= self.close)))


def permutation_exact(
    measure: Measure,
    joint: Counts,
    alternative: str = "two-sided",
    rng: np.random.Generator | None = None,
    most_cells: int = MOST_CELLS,
    swaps: int = SWAPS,
) -> TestResult:
    """Return the exact permutation test of a measure from the (2, 4) table of two systems.

    Where the sum cannot be shortened and has more than `most_cells` terms, random `swaps` stand in for it.
    """
    table = _Table(measure, joint)
    observed = float(table(np.array(float(table.seen[0])), np.array(float(table.seen[1]))))
    side = side_of(alternative, 0.0 if math.isnan(observed) else observed)
    n = table.positives + table.negatives
    how, found, error = EXACTLY, [], 0.0
    if math.isnan(observed):
        p_value = math.nan
        found.append(finding("OC201", f"{measure.title} is undefined for one of the systems, so it cannot be tested."))
    elif n == 0:
        p_value = 1.0
    elif table.is_monotone():
        p_value, how = _by_tails(table, observed, side)
    elif (table.positives + 1) * (table.negatives + 1) <= most_cells:
        p_value = _by_cells(table, observed, side)
    else:
        p_value = _by_swaps(table, observed, side, rng or np.random.default_rng(0), swaps)
        error = math.sqrt(p_value * (1 - p_value) / swaps)
        how = f"{swaps:,} random swaps, Monte Carlo error of p {error:.2g}"
    if 0 < n < 6 and not math.isnan(observed):
        least = 2.0**-n * (2 if side == "two-sided" else 1)
        found.append(
            finding(
                "OC402", f"with {n} discordant item{'' if n == 1 else 's'} no p-value below {least:.2g} is possible."
            )
        )
    effect, interval = wald(measure, joint)
    return TestResult(
        name="permutation_exact" if how == EXACTLY else "permutation",
        p_value=p_value,
        statistic=observed,
        words=f"paired permutation test on {measure.title}, {how}: {n:,} discordant items swapped at random",
        measure=measure.name,
        alternative=side,
        effect=effect,
        effect_name=f"difference in {measure.title}",
        interval=interval,
        assumptions="items are independent; under the null hypothesis the systems are exchangeable on every item",
        findings=tuple(found),
        lower_is_better=not measure.higher_is_better,
        p_error=error,
    )


def _terms(n: int) -> tuple[Floats, Floats]:
    """Return the counts that a Binomial(n, 1/2) can show in practice, or the middles of bins of them, and how likely.

    Bins are so much narrower than the curve that a middle's probability times the width is the bin's to all digits.
    """
    reach = REACH * math.sqrt(n) / 2
    low, high = max(0, math.floor(n / 2 - reach)), min(n, math.ceil(n / 2 + reach))
    many = min(high - low + 1, MOST_TERMS)
    width = (high - low + 1) / many
    at = np.asarray(low - 0.5 + (np.arange(many) + 0.5) * width, dtype=np.float64)
    return at, probability(at, n) * width


def _by_tails(table: _Table, observed: float, side: str) -> tuple[float, str]:
    """Sum over the discordant negatives; what the positives add is a tail. Return the p-value, and how it was found."""
    y, weights = _terms(table.negatives)
    n = table.positives
    close = table.close
    bound = abs(observed) if side == "two-sided" else observed
    # To give every item to the other system turns the difference round and is as likely: the other tail is the same,
    # and so is the tail below what was seen and the one above its negative.
    both = side == "two-sided"
    if both and bound <= close:
        return 1.0, EXACTLY
    bound = -bound if side == "less" else bound
    # For each y, the least number of positives, counted from the side where the difference is low, at which it reaches
    # the bound.
    if (n + 1) * len(y) <= AT_ONCE:
        high = n + 1.0 - np.count_nonzero(table(np.arange(n + 1.0)[:, None], y) >= bound - close, axis=0)
    else:
        rising = bool(np.all(table(np.zeros_like(y), y) <= table(np.full_like(y, n), y) + close))
        high = _least(lambda x: table(x if rising else n - x, y) >= bound - close, n, len(y))
    parts = (2 if both else 1) * weights * at_most(n - high, n)  # the probability of at least so many of n
    p_value = min(1.0, float(parts.sum()))
    if len(y) == MOST_TERMS:
        # Bins know no whole numbers, which moves the edge of the tail by up to one half. Every second bin alone tells
        # what their width costs.
        half = abs(float(parts @ (y - table.negatives / 2))) * 2 / table.negatives
        error = half + abs(float(parts[::2].sum() - parts[1::2].sum())) + 1e-9 * p_value
        return p_value, f"summed over {MOST_TERMS:,} bins, error of p below {error:.1g}"
    return p_value, EXACTLY if n <= EXACT else APPROXIMATION


def _least(reached: Callable[[Floats], np.ndarray], n: int, size: int) -> Floats:
    """Return, place by place, the least number up to n at which something is reached; n + 1 where it never is."""
    low, high = np.full(size, -1.0), np.full(size, n + 1.0)
    for _ in range(int(n + 2).bit_length() + 1):
        middle = np.floor((low + high) / 2)
        here = reached(np.clip(middle, 0, n)) & (middle > low)
        high = np.where(here, middle, high)
        low = np.where(here | (middle <= low), low, middle)
    return high


def _reached(table: _Table, differences: Floats, observed: float, side: str) -> np.ndarray:
    """Return which differences are as extreme as the observed one; undefined ones are, to be on the safe side."""
    return np.asarray(as_extreme(differences, observed, side, table.close) | np.isnan(differences))


def _by_cells(table: _Table, observed: float, side: str) -> float:
    """Sum over all tables."""
    x, y = (np.arange(n + 1, dtype=float) for n in (table.positives, table.negatives))
    total = 0.0
    weights = probability(y, table.negatives)
    for start in range(0, len(x), max(1, 1_000_000 // len(y))):
        part = x[start : start + max(1, 1_000_000 // len(y))]
        differences = table(part[:, None], y[None, :])
        total += float(probability(part, table.positives) @ (_reached(table, differences, observed, side) @ weights))
    return min(1.0, total)


def _by_swaps(table: _Table, observed: float, side: str, rng: np.random.Generator, swaps: int) -> float:
    x, y = (rng.binomial(n, 0.5, swaps).astype(float) for n in (table.positives, table.negatives))
    return (1 + float(_reached(table, table(x, y), observed, side).sum())) / (1 + swaps)
