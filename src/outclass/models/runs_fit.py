"""Runs crossed with items: what a fresh run of each system does on fresh items."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Floats
from outclass.data.runs import Runs
from outclass.inference.distribution import Interval
from outclass.models.draws_fit import DrawsFit
from outclass.models.fit import Fit
from outclass.models.many_data_sets import RopeProbabilities
from outclass.models.question import AnyMeasure, Question
from outclass.models.results_fit import beyond
from outclass.models.run_spread import WIDEST, SpreadGrid, Squares, of_pairs, within

UNBOUNDED: Final = 10.0  # times what is seen, beyond which a spread is not looked for where a measure has no range


@dataclass(frozen=True, kw_only=True, eq=False)
class RunNoise:
    """What is behind the draws of one measure.

    Parameters
    ----------
    observed
        What the data say of each run, by system.
    averages
        Draws of the average of each system's runs, of which items alone are a sample: (draws, systems).
    item_noise
        What items add to the differences between runs of each system, as a variance.
    spreads
        Draws of the spread between runs of each system, (draws, systems); of paired runs without their seeds' share.
    seeds
        Draws of the spread between the seeds of paired runs, which all systems share; 0 if runs are not paired.
    estimated
        Whether the spread could be estimated at all: some system has two runs.
    """

    observed: tuple[Floats, ...]
    averages: Floats
    item_noise: Floats
    spreads: Floats
    seeds: Floats
    estimated: bool

    @property
    def counts(self) -> Floats:
        """How many runs each system has."""
        return np.array([len(own) for own in self.observed], dtype=float)


@dataclass(frozen=True, kw_only=True, eq=False)
class RunsFit(DrawsFit):
    """Posteriors of systems of which several runs were seen.

    Parameters
    ----------
    base
        The fit of the runs, as if each were a system.
    noise
        By measure, what is behind its draws.
    fixed
        Whether these runs are all that is asked about.
    """

    base: Fit
    noise: dict[str, RunNoise] = field(default_factory=dict)
    fixed: bool = False

    @property
    def adds_by_items(self) -> bool:
        """More items do not make up for few runs."""
        return False

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """What pairing saves is not told of runs."""
        return None

    def constant(self, measure: Any) -> float:
        """Return the measure of a system that always gives the same answer."""
        return self.base.constant(measure)

    def support(self, measure: AnyMeasure) -> Interval:
        """Return where a difference can lie."""
        return self.base.support(measure)

    def rope_probabilities(self, law: Any, a: int, b: int, measure: Any, rope: Interval) -> RopeProbabilities | None:
        """Return how probable a difference beyond the ROPE is, where the fit of the runs says it."""
        told = self.base.rope_probabilities(law, 0, 1, measure, rope) if len(self.base.systems) > 1 else None
        return None if told is None else beyond(law, rope)


class RunsToFit(NamedTuple):
    """Runs, and the model of their items, for which each run is a system."""

    runs: Runs
    base: Callable[[Any, Question], Fit]


def fit_runs(data: RunsToFit, question: Question, *, fixed: bool = False) -> RunsFit:
    """Fit the runs as if each were a system, and add the spread between runs of one system."""
    runs = data.runs
    owners = {run: name for name, own in runs.of.items() for run in own}
    found = data.base(runs.base, replace(question, owners=owners))
    measures: Any = question.measures
    noise = {each.name: _noise(runs, found, each, question.settings.seed) for each in measures}
    fixed = fixed or not next(iter(noise.values())).estimated
    values = {
        each.name: _values(noise[each.name], runs, each, question.settings.seed, fixed=fixed) for each in measures
    }
    kind = "these runs" if fixed else "runs crossed with items"
    return RunsFit(
        data=runs,
        question=question,
        model=f"runs.{'fixed' if question.model == 'fixed' else 'crossed'}",
        title=f"{found.title}, {kind}",
        prior=found.prior,
        prior_words=found.prior_words,
        systems=runs.systems,
        items=runs.items,
        label=found.label,
        findings=(*found.findings, *runs.copies),
        values=values,
        seen={each.name: np.array([own.mean() for own in noise[each.name].observed]) for each in measures},
        independent=getattr(found, "independent", False),
        base=found,
        noise=noise,
        fixed=fixed,
    )


def _noise(runs: Runs, base: Fit, measure: Any, seed: int) -> RunNoise:
    """Find what items and runs do to one measure."""
    draws = base.joint_draws(measure)
    place = {name: at for at, name in enumerate(base.systems)}
    columns = [[place[run] for run in own] for own in runs.of.values()]
    middle = np.nanmean(draws, axis=0)
    seen = np.array([base.observed(at, measure) for at in range(len(base.systems))])
    seen = np.where(np.isfinite(seen), seen, middle)
    whole = draws[np.isfinite(draws).all(axis=1)]
    covariance = np.atleast_2d(np.cov(whole.T)) if len(whole) > 1 else np.zeros((len(middle), len(middle)))
    squares = [within(seen[own], covariance[np.ix_(own, own)]) for own in columns]
    averages = np.column_stack([draws[:, own].mean(axis=1) for own in columns])
    spreads, seeds = _spreads(runs, seen, covariance, columns, squares, measure, draws=len(draws), seed=seed)
    return RunNoise(
        observed=tuple(seen[own] for own in columns),
        averages=averages,
        item_noise=np.array([each.noise for each in squares]),
        spreads=spreads,
        seeds=seeds,
        estimated=any(each.freedom > 0 for each in squares),
    )


def _spreads(
    runs: Runs,
    seen: Floats,
    covariance: Floats,
    columns: list[list[int]],
    squares: list[Squares],
    measure: Any,
    *,
    draws: int,
    seed: int,
) -> tuple[Floats, Floats]:
    """Draw the spread between runs of each system; of paired ones, what is left beside their seeds, and theirs."""
    none = np.zeros(draws)
    if not any(each.freedom > 0 for each in squares):
        return np.zeros((draws, len(columns))), none
    rng = np.random.default_rng([seed, 1])
    reach = measure.high - measure.low
    if math.isfinite(reach):
        widest = WIDEST * reach
    else:
        known = [each.total / each.freedom + each.noise for each in squares if each.freedom > 0]
        widest = UNBOUNDED * math.sqrt(max(known)) or 1.0
    if runs.paired and len(columns) > 1:
        order = [at for own in columns for at in own]
        rest, of_seeds = of_pairs(seen[order].reshape(len(columns), -1), covariance[np.ix_(order, order)])
        found = SpreadGrid.of([rest], widest).drawn([rest], draws, rng)
        # What runs add to seeds is as good as known beside what seeds themselves do.
        own = replace(of_seeds, noise=of_seeds.noise + float(np.median(found**2)))
        root = math.sqrt(len(columns))
        seeds = SpreadGrid.of([own], widest * root).drawn([own], draws, rng)[:, 0] / root
        return np.repeat(found, len(columns), axis=1), seeds
    # In an order that is the systems' own: to swap two of them mirrors the draws.
    by = sorted(range(len(columns)), key=lambda at: (seen[columns[at]].tobytes(), runs.systems[at]))
    found = np.empty((draws, len(columns)))
    found[:, by] = SpreadGrid.of(squares, widest).drawn([squares[at] for at in by], draws, rng)
    return found, none


def _values(noise: RunNoise, runs: Runs, measure: Any, seed: int, *, fixed: bool) -> Floats:
    """Draw what each system comes to: the average of its runs, and what other runs would add to it."""
    if fixed:
        return noise.averages
    rng = np.random.default_rng([seed, 2])
    by = sorted(range(len(noise.observed)), key=lambda at: (noise.observed[at].tobytes(), runs.systems[at]))
    found = noise.averages.copy()
    if noise.seeds.any():
        shared = noise.seeds / math.sqrt(len(noise.observed[0])) * rng.standard_normal(len(found))
        found += shared[:, None]
    for at in by:
        found[:, at] += noise.spreads[:, at] / math.sqrt(len(noise.observed[at])) * rng.standard_normal(len(found))
    return _within(found, measure.low, measure.high)


def _within(values: Floats, low: float, high: float) -> Floats:
    """Reflect what lies beyond the range of a measure."""
    if math.isfinite(high):
        values = np.where(values > high, 2 * high - values, values)
    if math.isfinite(low):
        values = np.where(values < low, 2 * low - values, values)
    return values
