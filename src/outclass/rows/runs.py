"""The part of a row that is about runs: read off the draws behind a fit of runs."""

import math
from typing import Any, Final

import numpy as np

from outclass.inference.distribution import Interval
from outclass.inference.summary import Summary
from outclass.models.fit import Fit
from outclass.models.runs_fit import RunsFit
from outclass.planning.region import overturning
from outclass.rows.run_parts import RunsPart, SystemRuns

MORE_ITEMS: Final = 1_000


def system_runs(fit: Fit, which: int, measure: Any) -> SystemRuns | None:
    """Return what is known of the runs of one system; None where each system is one run."""
    if not isinstance(fit, RunsFit):
        return None
    noise, name = fit.noise[measure.name], fit.systems[which]
    spread, interval = math.nan, Interval(math.nan, math.nan)
    if noise.estimated:
        draws = np.hypot(noise.spreads[:, which], noise.seeds)
        tail = (1 - fit.question.hdi_mass) / 2
        low, spread, high = (float(each) for each in np.quantile(draws, [tail, 0.5, 1 - tail]))
        interval = Interval(low, high)
    return SystemRuns(
        name=name,
        runs=tuple(fit.data.of[name]),
        values=tuple(float(value) for value in noise.observed[which]),
        spread=spread,
        spread_interval=interval,
    )


def runs_part(fit: Fit, a: int, b: int, measure: Any, difference: Summary, rope: Interval) -> RunsPart | None:
    """Return what runs and items do to a difference; None where each system is one run."""
    if not isinstance(fit, RunsFit):
        return None
    first, second = system_runs(fit, a, measure), system_runs(fit, b, measure)
    assert first is not None
    assert second is not None
    noise, pair = fit.noise[measure.name], [a, b]
    counts = noise.counts[pair]
    fixed = noise.averages[:, a] - noise.averages[:, b]
    of_items = float(np.nanvar(fixed))
    squares = (noise.spreads[:, pair] ** 2).mean(axis=0) * (not fit.fixed)
    both = min(float((noise.item_noise[pair] / counts).sum()), of_items)
    runs = float((squares / counts).sum())
    total = of_items + runs
    one_more = (of_items - both) + float(((noise.item_noise[pair] + squares) / (counts + 1)).sum())
    more_items = of_items * fit.items / (fit.items + MORE_ITEMS) + runs
    better = max if measure.higher_is_better else min
    once = noise.estimated and not fit.fixed
    return RunsPart(
        systems=(first, second),
        paired=fit.data.paired,
        from_items=_share(of_items - both, total),
        from_runs=_share(runs, total),
        rest=_share(both, total),
        narrower_by_run=1 - math.sqrt(_share(min(one_more, total), total)) if once else math.nan,
        narrower_by_items=1 - math.sqrt(_share(more_items, total)),
        more_items=MORE_ITEMS,
        new_run=_new_run(fit, a, b, measure) if once else math.nan,
        best=better(first.values) - better(second.values),
        wider=math.sqrt(total / of_items) if of_items > 0 else math.nan,
        overturning_spread=overturning(difference, rope, fit.question.hdi_mass)
        if len(first.runs) == len(second.runs) == 1
        else math.nan,
    )


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else math.nan


def _new_run(fit: RunsFit, a: int, b: int, measure: Any) -> float:
    """Return the probability that a new run of one system is better than a new run of another."""
    noise, values = fit.noise[measure.name], fit.values[measure.name]
    rng = np.random.default_rng([fit.question.settings.seed, 3])
    own = rng.standard_normal((len(values), 2))
    lead = values[:, a] - values[:, b] + noise.spreads[:, a] * own[:, 0] - noise.spreads[:, b] * own[:, 1]
    lead = lead[np.isfinite(lead)] * (1 if measure.higher_is_better else -1)
    return float((lead > 0).mean())
