"""The paired bootstrap of any measure: items or documents drawn again with replacement; BCa intervals."""

import math
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.measures.measure import Measure, pair_difference
from outclass.parallel import side_by_side
from outclass.significance.result import NOWHERE, TestResult, as_extreme, side_of

DRAWS: Final = 10_000
DRAWS_OF_UNITS: Final = 2_000
FEW: Final = 20
FEW_DISCORDANT: Final = 10
FEW_OF_A_CATEGORY: Final = 5


def bootstrap(
    measure: Measure, joint: Counts, alternative: str, rng: np.random.Generator, draws: int = DRAWS
) -> TestResult:
    """Return the paired bootstrap of a measure from its (2, 4) table, which is drawn again."""
    counts = joint.ravel()
    n = int(counts.sum())

    def difference(tables: Floats) -> Floats:
        """Return A's measure minus B's of flat tables, one a row."""
        return np.asarray(pair_difference(measure, tables.reshape(-1, 2, 4)))

    observed = float(difference(counts[None, :].astype(float))[0])
    drawn = difference(rng.multinomial(n, counts / n, size=draws).astype(float)) if n else np.empty(0)
    # Leaving out one item gives one of at most eight tables, each as often as its cell counts.
    there = np.flatnonzero(counts)
    left_out = counts[None, :] - np.eye(8, dtype=np.int64)[there]
    jackknife = difference(left_out.astype(float)) if n > 1 else np.empty(0)
    return answer(
        observed,
        drawn,
        jackknife,
        counts[there].astype(float) if n > 1 else np.empty(0),
        alternative,
        measure=measure.name,
        title=measure.title,
        units=f"{n:,} items",
        size=n,
        discordant=int(joint[:, 1:3].sum()),
        lower_is_better=not measure.higher_is_better,
    )


def of_units(
    statistic: Callable[[Floats], Floats],
    counts: Counts,
    alternative: str,
    rng: np.random.Generator,
    *,
    measure: str,
    title: str,
    draws: int = DRAWS_OF_UNITS,
    rare: int = 0,
) -> TestResult:
    """Return the bootstrap of a statistic of weights on units, each of which occurs so often; one row per draw."""
    n, units = int(counts.sum()), len(counts)
    observed = float(statistic(counts[None, :].astype(float))[0])
    block = max(1, 4_000_000 // max(units, 1))
    sizes = [min(block, draws - start) for start in range(0, draws, block)]

    def part(size: int, own: np.random.Generator) -> Floats:
        return statistic(own.multinomial(n, counts / n, size=size).astype(float))

    drawn = list(side_by_side(part, zip(sizes, rng.spawn(len(sizes)), strict=True), threads=True))
    # The jackknife leaves out items one by one; of documents in up to 500 groups, where there are more.
    groups = min(units, 500) if n == units else units
    group = np.arange(units) % groups
    left = []
    for start in range(0, groups, block):
        out = group[None, :] == np.arange(start, min(start + block, groups))[:, None]
        left.append(statistic(counts - out.astype(float)))
    jackknife = np.concatenate(left)
    return answer(
        observed,
        np.concatenate(drawn),
        jackknife,
        np.ones(groups) if n == units else counts.astype(float),
        alternative,
        measure=measure,
        title=title,
        units=f"{n:,} items",
        size=n,
        rare=rare,
    )


def answer(
    observed: float,
    drawn: Floats,
    jackknife: Floats,
    weights: Floats,
    alternative: str,
    *,
    measure: str,
    title: str,
    units: str,
    size: int,
    discordant: int | None = None,
    rare: int = 0,
    lower_is_better: bool = False,
) -> TestResult:
    """Return the p-value, with the null at the observed difference's distance, and the BCa interval."""
    side = side_of(alternative, 0.0 if math.isnan(observed) else observed)
    kept = drawn[np.isfinite(drawn)]
    found = []
    if len(kept) < len(drawn):
        found.append(
            finding(
                "OC206",
                f"{title} is undefined for {1 - len(kept) / len(drawn):.1%} of the resamples, which were dropped.",
            )
        )
    found += _too_few(title, units, size, discordant, rare)
    if math.isnan(observed) or not len(kept):
        p_value, interval = math.nan, NOWHERE
    elif np.ptp(kept) == 0:
        # The draws are all alike: they say nothing, or that nothing differs.
        p_value, interval = (1.0, Interval(0.0, 0.0)) if observed == 0 else (math.nan, NOWHERE)
        if observed:
            found.append(
                finding("OC206", f"Every resample has the same difference in {title}: the bootstrap has no p-value.")
            )
    else:
        p_value, interval = _p_value(observed, kept, side), bca(observed, kept, jackknife, weights)
    return TestResult(
        name="bootstrap",
        p_value=p_value,
        statistic=observed,
        words=f"paired bootstrap of {title} over {units}, {len(drawn):,} draws; BCa interval",
        measure=measure,
        alternative=side,
        effect=observed,
        effect_name=f"difference in {title}",
        interval=interval,
        assumptions=f"{units.partition(' ')[2]} are independent, and numerous enough to represent their population",
        findings=tuple(found),
        lower_is_better=lower_is_better,
    )


def _too_few(title: str, units: str, size: int, discordant: int | None, rare: int) -> Iterator[Finding]:
    """Say where a bootstrap has too little to draw from."""
    if size < FEW:
        yield finding("OC402", f"{units} are too few for a reliable bootstrap.")
    elif discordant is not None and 0 < discordant < FEW_DISCORDANT:
        yield finding("OC402", f"{discordant} discordant items are too few for a reliable bootstrap.")
    if rare:
        yield finding(
            "OC402",
            f"{rare} categories have fewer than {FEW_OF_A_CATEGORY} items; the bootstrap of {title} is then "
            "overconfident (docs/calibration.md).",
        )


def _p_value(observed: float, drawn: Floats, side: str) -> float:
    """Return how often draws are as far out: under the null they lie around zero as around the observed difference."""
    extreme = float(as_extreme(drawn - observed, observed, side, 1e-12).sum())
    return min(1.0, (1 + extreme) / (1 + len(drawn)))


def bca(observed: float, drawn: Floats, jackknife: Floats, weights: Floats, level: float = 0.95) -> Interval:
    """Return the bias-corrected and accelerated interval."""
    below = (np.sum(drawn < observed) + 0.5 * np.sum(drawn == observed)) / len(drawn)
    if not 0 < below < 1 or np.ptp(drawn) == 0:
        return Interval(float(drawn.min()), float(drawn.max()))
    bias = float(special.ndtri(below))
    known = np.isfinite(jackknife)
    values, weights = jackknife[known], weights[known]
    centred = float(np.average(values, weights=weights)) - values if len(values) else np.zeros(1)
    weights = weights if len(values) else np.ones(1)
    spread = float(weights @ centred**2)
    acceleration = float(weights @ centred**3) / (6 * spread**1.5) if spread > 0 else 0.0
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + float(special.ndtri(tail))
        ends.append(float(special.ndtr(bias + z / (1 - acceleration * z))))
    low, high = np.quantile(drawn, ends)
    return Interval(float(low), float(high))
