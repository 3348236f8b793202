"""The permutation test at the level of items, documents or groups, of any statistic.

Under the null hypothesis the two systems can be swapped on every unit. Units that are alike are counted: of n of them
Binomial(n, 1/2) are swapped. Where the arrangements are few all are summed, which is exact; otherwise random swaps give
the p-value with a Monte Carlo error, which the result states.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.significance.result import NOWHERE, TestResult, as_extreme, p_of, side_of

MOST: Final = 200_000  # arrangements that are summed
DRAWS: Final = 10_000
CELLS: Final = 4_000_000  # numbers held at a time
CLOSE: Final = 1e-12  # differences that are equal but for rounding are equal
FEW: Final = 6


@dataclass(frozen=True)
class Swaps:
    """What is swapped: how many units of each kind there are, how many of them are not swapped in the data.

    `statistic` gives the difference for numbers of units that are not swapped, one row each: shape (rows, kinds).
    """

    counts: Counts
    seen: Counts
    statistic: Callable[[Floats], Floats]

    @property
    def arrangements(self) -> float:
        """How many different outcomes there are."""
        return math.exp(min(float(np.log(self.counts + 1.0).sum()), 700.0))


def permutation(
    swaps: Swaps,
    alternative: str,
    rng: np.random.Generator,
    *,
    measure: str,
    title: str,
    units: str,
    draws: int | None = None,
    lower_is_better: bool = False,
) -> TestResult:
    """Return the permutation test: exact where the arrangements can be summed, else by random swaps."""
    observed = float(swaps.statistic(swaps.seen[None, :].astype(float))[0])
    side = side_of(alternative, 0.0 if math.isnan(observed) else observed)
    n = int(swaps.counts.sum())
    found: list[Finding] = []
    exact, p_value, error = True, 1.0, 0.0
    if math.isnan(observed):
        p_value = math.nan
        found.append(finding("OC201", f"{title} is undefined for one of the systems, so it cannot be tested."))
    elif n > 0 and round(swaps.arrangements) <= MOST:
        p_value = _summed(swaps, observed, side)
    elif n > 0:
        exact, draws = False, draws or DRAWS
        p_value = _drawn(swaps, observed, side, rng, draws)
        error = math.sqrt(p_value * (1 - p_value) / draws)
    if 0 < n < FEW and not math.isnan(observed):
        least = 2.0**-n * (2 if side == "two-sided" else 1)
        found.append(finding("OC402", f"with {n} {units} to swap no p-value below {least:.2g} is possible."))
    how = "exact" if exact else f"{draws:,} random swaps, Monte Carlo error of p {error:.2g}"
    return TestResult(
        name="permutation_exact" if exact else "permutation",
        p_value=p_value,
        statistic=observed,
        words=f"paired permutation test of {title}, {how}: the systems' answers on {n:,} {units} swapped at random",
        measure=measure,
        alternative=side,
        effect=observed,
        effect_name=f"difference in {title}",
        assumptions=f"{units} are independent; under the null hypothesis the systems are exchangeable on each of them",
        findings=tuple(found),
        lower_is_better=lower_is_better,
        p_error=error,
    )


def _extreme(differences: Floats, observed: float, side: str) -> np.ndarray:
    """Return which differences are as extreme as the observed one; undefined ones are, to be on the safe side."""
    close = CLOSE * max(1.0, abs(observed))
    return np.asarray(as_extreme(differences, observed, side, close) | np.isnan(differences))


def _blocks(total: int, kinds: int) -> Iterator[range]:
    rows = max(1, CELLS // max(kinds, 1))
    for start in range(0, total, rows):
        yield range(start, min(start + rows, total))


def _summed(swaps: Swaps, observed: float, side: str) -> float:
    """Sum the probability of every arrangement that is as extreme."""
    shape = tuple(int(count) + 1 for count in swaps.counts)
    total = 0.0
    for block in _blocks(math.prod(shape), len(shape)):
        places = np.stack(np.unravel_index(np.arange(block.start, block.stop), shape), axis=1).astype(float)
        n = swaps.counts.astype(float)
        ways = special.gammaln(n + 1) - special.gammaln(places + 1) - special.gammaln(n - places + 1)
        weight = np.exp(ways.sum(axis=1) - n.sum() * math.log(2))
        total += float(weight @ _extreme(swaps.statistic(places), observed, side))
    return min(1.0, total)


def _drawn(swaps: Swaps, observed: float, side: str, rng: np.random.Generator, draws: int) -> float:
    """Return the share of random arrangements that are as extreme, the data themselves being one of them."""
    single = swaps.counts == 1
    reached = 0
    for block in _blocks(draws, len(swaps.counts)):
        places = np.empty((len(block), len(swaps.counts)))
        places[:, single] = rng.integers(0, 2, (len(block), int(single.sum())), dtype=np.int8)
        places[:, ~single] = rng.binomial(swaps.counts[~single], 0.5, (len(block), int((~single).sum())))
        reached += int(_extreme(swaps.statistic(places), observed, side).sum())
    return (1 + reached) / (1 + draws)


def cluster_t(
    effect: float,
    variance: float,
    freedom: float,
    alternative: str,
    *,
    measure: str,
    title: str,
    groups: int,
    lower_is_better: bool = False,
) -> TestResult:
    """Return the t-test of a difference with its cluster-robust variance and effective degrees of freedom."""
    side = side_of(alternative, effect)
    error = math.sqrt(variance)
    if error > 0:
        statistic = effect / error
        p_value = p_of(side, float(special.stdtr(freedom, statistic)), float(special.stdtr(freedom, -statistic)))
        reach = float(special.stdtrit(freedom, 0.975)) * error
        interval = Interval(effect - reach, effect + reach)
    else:
        statistic, p_value, interval = (0.0, 1.0, Interval(0.0, 0.0)) if effect == 0 else (math.nan, math.nan, NOWHERE)
    return TestResult(
        name="cluster_t",
        p_value=p_value,
        statistic=statistic,
        words=f"t-test of {title} over {groups:,} groups: cluster jackknife, {freedom:.1f} degrees of freedom",
        measure=measure,
        alternative=side,
        effect=effect,
        effect_name=f"difference in {title}",
        interval=interval,
        assumptions="groups are independent, and numerous enough for the difference to be normal",
        lower_is_better=lower_is_better,
    )
