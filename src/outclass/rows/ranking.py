"""The rows of a ranking: all systems by draws from the joint posterior, with the probability of every rank."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.errors import InputError
from outclass.findings import Finding, finding
from outclass.inference.distribution import Interval
from outclass.models.fit import Fit
from outclass.models.sent_joint import JointDraws, Refit, joint_laws, recipe_of
from outclass.rows.checks import Case, findings_of
from outclass.rows.checks.groups import of_ranking
from outclass.rows.checks.rope import usual_rope
from outclass.rows.pair_verdicts import verdicts_of
from outclass.rows.runs import system_runs
from outclass.rows.types import Ranked, SystemSummary

ENOUGH_DRAWS: Final = 4_000  # for a quantile of the largest difference
BLOCK: Final = 2_000_000  # numbers held at a time
MOST_DIFFERENCES: Final = 40_000_000  # of pairs of systems, over the draws that intervals of ranks are read off
MOST_SYSTEMS: Final = 7  # whose pairs are looked at for what is odd


class RankedSystems(NamedTuple):
    """Systems from the best to the worst, the verdicts on all pairs, the region they are by, and the findings."""

    systems: tuple[Ranked, ...]
    verdicts: tuple[tuple[str, ...], ...]
    rope: Interval
    findings: tuple[Finding, ...]


def ranked(fit: Fit, measure: Any, again: Refit | None = None) -> RankedSystems:
    """Rank all systems under one posterior; `again` is how the fit was made, if it may be sent with the rows."""
    asked, mass = fit.question.rope, fit.question.hdi_mass
    if asked.interval.low != -asked.interval.high:
        raise InputError("a ranking needs a symmetric rope, because its pairs have no order.")
    laws, share, defined = joint_laws(fit, measure)
    if not laws:
        raise InputError(f"{measure.title} is undefined for every draw.")
    observed = [fit.observed(place, measure) for place in range(len(fit.systems))]
    rope = asked.of(observed, measure.low, measure.high, higher_is_better=measure.higher_is_better)
    bounds = Interval(measure.low, measure.high)
    kept = JointDraws(laws, recipe_of(again, measure)).kept
    systems = [
        SystemSummary(name=name, observed=seen, mean=law.mean, std=law.std, hdi=law.hdi(mass), law=recipe)
        for name, seen, law, recipe in zip(fit.systems, observed, laws, kept, strict=True)
    ]
    notes = [*_notes(fit, measure), *usual_rope(fit, measure, rope, observed)]
    if share < 1:
        told = f"{measure.title} is undefined for {1 - share:.1%} of the draws, which were dropped."
        notes.append(finding("OC206", told))
    better = measure.higher_is_better
    found, verdicts = _ranked(defined, systems, bounds, rope, mass, higher_is_better=better)
    places = {name: place for place, name in enumerate(fit.systems)}
    found = tuple(replace(each, runs=system_runs(fit, places[each.system.name], measure)) for each in found)
    return RankedSystems(found, verdicts, rope, tuple(dict.fromkeys(notes)))


def _notes(fit: Fit, measure: Any) -> Iterator[Finding]:
    """Return what should be said of the first systems' pairs, what all have in common once."""
    pairs = list(combinations(range(min(len(fit.systems), MOST_SYSTEMS)), 2))
    for a, b in pairs:
        yield from (each for each in findings_of(Case(fit=fit, measure=measure, a=a, b=b)) if each.code != "OC206")
    yield from of_ranking(fit, measure, pairs)


@dataclass(frozen=True)
class Ranks:
    """Ranks of all systems in every draw; the best is 1, and ties share."""

    values: Floats  # (draws, systems), higher is better

    @cached_property
    def _order(self) -> Counts:
        """The systems of every draw, best first; those that tie in any order."""
        return np.argsort(-self.values, axis=1)

    @cached_property
    def _new(self) -> np.ndarray:
        """Whether the value at each place of the order is another than the one before."""
        sorted_values = np.take_along_axis(self.values, self._order, axis=1)
        new = np.ones(self.values.shape, dtype=bool)
        new[:, 1:] = sorted_values[:, 1:] != sorted_values[:, :-1]
        return new

    @cached_property
    def ranks(self) -> Floats:
        """Mid-ranks, shape (draws, systems)."""
        order, new = self._order, self._new
        draws, systems = self.values.shape
        ranks = np.empty((draws, systems))
        if new.all():
            np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1.0, systems + 1), (draws, systems)), axis=1)
            return ranks
        # The group of equal values that each place belongs to, and the mean of its places.
        group = np.cumsum(new, axis=1) - 1 + np.arange(draws)[:, None] * systems
        places = np.broadcast_to(np.arange(1.0, systems + 1), (draws, systems))
        size = np.bincount(group.ravel(), minlength=draws * systems)
        total = np.bincount(group.ravel(), weights=places.ravel(), minlength=draws * systems)
        np.put_along_axis(ranks, order, (total[group] / size[group]), axis=1)
        return ranks

    @property
    def expected(self) -> Floats:
        """The expected rank of each system."""
        return np.asarray(self.ranks.mean(axis=0))

    @property
    def best(self) -> Floats:
        """The probability that each is best; those that tie for it share it."""
        top = self.values == self.values.max(axis=1, keepdims=True)
        return np.asarray((top / top.sum(axis=1, keepdims=True)).mean(axis=0))

    def intervals(self, mass: float) -> list[Interval]:
        """Return between which ranks all systems lie at once, by simultaneous intervals of all pairs' differences.

        A system is below those that are credibly better than it, and above those that are credibly worse.
        """
        draws, systems = self.values.shape
        kept = self.values[: max(200, min(draws, ENOUGH_DRAWS, MOST_DIFFERENCES // systems**2))]
        centre, spread = self.values.mean(axis=0), np.cov(self.values.T)
        apart = np.maximum(np.add.outer(np.diag(spread), np.diag(spread)) - 2 * spread, 0.0)
        per_std = 1 / np.sqrt(np.where(apart > 0, apart, np.inf))
        step = max(1, BLOCK // systems**2)
        furthest = np.concatenate(
            [
                # A difference and its mirror image are as far: the largest is that of the largest.
                ((part[:, :, None] - part[:, None, :]) * per_std).max(axis=(1, 2))
                for part in np.split(kept - centre, range(step, len(kept), step))
            ]
        )
        lead = np.subtract.outer(centre, centre) * per_std
        better = (lead > float(np.quantile(furthest, mass))).sum(axis=1)
        worse = (lead < -float(np.quantile(furthest, mass))).sum(axis=1)
        return [Interval(float(1 + w), float(systems - b)) for b, w in zip(better, worse, strict=True)]

    @property
    def table(self) -> Floats:
        """P(rank = r), systems by ranks; a tie is spread over the ranks it takes."""
        draws, systems = self.values.shape
        order, new = self._order, self._new
        if new.all():
            cells = np.arange(systems) + order * systems
            return np.asarray(np.bincount(cells.ravel(), minlength=systems**2).reshape(systems, systems) / draws)
        # How many are above the first of those that tie, and how many tie.
        place = np.broadcast_to(np.arange(systems), (draws, systems))
        above = np.maximum.accumulate(np.where(new, place, 0), axis=1)
        group = np.cumsum(new.ravel()) - 1
        equal = np.bincount(group)[group].reshape(draws, systems)
        found = np.zeros((systems, systems))
        for size in np.unique(equal):
            rows = equal == size
            cells = np.bincount(order[rows] * systems + above[rows], minlength=systems**2)
            counted = cells.reshape(systems, systems).astype(float)
            for step in range(int(size)):
                found[:, step:] += counted[:, : systems - step] / size
        return np.asarray(found / draws)


def simultaneous(values: Floats, mass: float) -> list[Interval]:
    """Return intervals that hold all systems' values together with the mass."""
    centre, spread = values.mean(axis=0), values.std(axis=0)
    safe = np.where(spread > 0, spread, 1.0)
    reach = float(np.quantile(np.abs((values - centre) / safe).max(axis=1), mass))
    return [Interval(float(c - reach * s), float(c + reach * s)) for c, s in zip(centre, spread, strict=True)]


def tiers(order: Sequence[int], decided: Callable[[int, int], bool]) -> list[list[int]]:
    """Return the runs of neighbours, best first, of which no two are credibly separated; they may overlap."""
    runs: list[list[int]] = []
    # How far ahead of each stands the last that is separated from it: a run begins behind that place.
    before = [
        next((earlier for earlier in range(at - 1, -1, -1) if decided(order[earlier], place)), -1)
        for at, place in enumerate(order)
    ]
    ended = 0
    for start in range(len(order)):
        end = next((at for at in range(max(start + 1, ended), len(order)) if before[at] >= start), len(order))
        if end > ended:  # otherwise the run before holds this one
            runs.append(list(order[start:end]))
            ended = end
    return runs


def _ranked(
    values: Floats,
    systems: Sequence[SystemSummary],
    bounds: Interval,
    rope: Interval,
    mass: float,
    *,
    higher_is_better: bool,
) -> tuple[tuple[Ranked, ...], tuple[tuple[str, ...], ...]]:
    """Rank systems by draws of all of them, (draws, systems), that are from the joint posterior."""
    ranks = Ranks(values if higher_is_better else -values)
    expected, best, table = ranks.expected, ranks.best, ranks.table
    places = ranks.intervals(mass)
    together = [Interval(max(each.low, bounds.low), min(each.high, bounds.high)) for each in simultaneous(values, mass)]
    order = sorted(range(len(systems)), key=lambda place: (expected[place], systems[place].name))
    verdicts = verdicts_of(values, rope, mass)
    groups = tiers(order, lambda a, b: verdicts[a][b] in ("<<", ">>"))
    found = tuple(
        Ranked(
            system=systems[place],
            expected_rank=float(expected[place]),
            best=float(best[place]),
            ranks=tuple(table[place].tolist()),
            simultaneous=together[place],
            rank_interval=places[place],
            tiers=tuple(number for number, group in enumerate(groups) if place in group),
        )
        for place in order
    )
    return found, tuple(tuple(verdicts[a][b] for b in order) for a in order)
