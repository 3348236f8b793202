"""Planning from scores and results: a number per item and system, judged by the default model of such numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy import special

from outclass.arrays import Counts, Floats
from outclass.data.saved import to_json
from outclass.data.scores import Scores
from outclass.measures import get
from outclass.measures.scored import ScoreMeasure
from outclass.models.clusters import of_numbers, of_scores
from outclass.models.means import ROUNDING, within_unit
from outclass.models.prior import prior_of
from outclass.models.pseudo_items import Weighable, with_pseudo_items
from outclass.models.right_wrong import kinds_of
from outclass.planning.backends import backend_of
from outclass.planning.intervals import DRAWS as LEAST_DRAWS
from outclass.planning.intervals import Rule, intervals
from outclass.planning.pilots import CLOSED, DRAWN_BY, JACKKNIFE, MOST_LISTED, ItemPilot, whole_groups
from outclass.planning.score_pairs import ScoresNear, evenly_paired, has_form
from outclass.planning.smooth import ends_of, moments_of

BLOCK = 2_000_000  # counts of items held at a time


@dataclass(frozen=True, kw_only=True)
class NumberPilot(ItemPilot):
    """A number per item and system: a world weights the pilot's items and the pseudo-items of `models.pseudo_items`."""

    scores: Scores

    @property
    def about(self) -> Any:
        """The numbers."""
        return [type(self).__name__, to_json(self.scores)]

    @property
    def columns(self) -> tuple[Floats, Floats]:
        """Both systems' numbers."""
        a, b = self.scores.values.values()
        return a, b

    @cached_property
    def _weighable(self) -> Weighable:
        return with_pseudo_items(self.scores, np.random.default_rng(0))  # of results no numbers are drawn

    def counts(self, items: int, sets: int, world: Weighable, rng: np.random.Generator) -> Counts:
        """Draw a world for each set and its new items: how often each item and pseudo-item occurs, (sets, items)."""
        weights = world.weights(sets, rng)
        new = rng.multinomial(items, weights / weights.sum(axis=1, keepdims=True))
        new[:, : len(self.scores)] += 1
        return new

    def blocks(self, items: int, sets: int, rng: np.random.Generator) -> Iterator[Counts]:
        """Draw sets, as many at a time as are easily held."""
        rows = max(1, BLOCK // len(self._weighable.shapes))
        for start in range(0, sets, rows):
            yield self.counts(items, min(rows, sets - start), self._weighable, rng)


@dataclass(frozen=True, kw_only=True)
class MeanPilot(NumberPilot):
    """Results, judged by the t model of their mean difference: its interval in closed form, from counts of items."""

    @property
    def without_back_end(self) -> str:
        """Nothing is drawn."""
        return CLOSED

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Return t intervals, held to where a difference can lie."""
        a, b = self._weighable.values
        found = [self._of_counts(counts, a, b) for counts in self.blocks(items, sets, rng)]
        reach = 1.0 if within_unit(self.columns) else np.inf
        return np.clip(np.concatenate(found), -reach, reach)

    def _of_counts(self, counts: Counts, a: Floats, b: Floats) -> Floats:
        size = counts.sum(axis=1)
        centre, squares = _moments(counts, a - b)
        added = extra_squares(counts, a, b, self.scores.step)
        scale = np.sqrt((squares + added) / (size * (size - 1)))
        half = special.stdtrit(size - 1, (1 + self.hdi_mass) / 2) * scale
        return np.stack([centre - half, centre + half], axis=1)


def _moments(counts: Counts, values: Floats) -> tuple[Floats, Floats]:
    """Return the mean and the sum of squares around it of counted values, row by row."""
    middle = float(values.mean())
    size = counts.sum(axis=1)
    mean = counts @ (values - middle) / size
    squares = counts @ (values - middle) ** 2 - size * mean**2
    least = (1e-12 * float(np.abs(values).max())) ** 2 * size  # as `models.student.spread_of`: the rest is rounding
    return middle + mean, np.where(squares > least, squares, 0.0)


def extra_squares(counts: Counts, a: Floats, b: Floats, step: float | None = None) -> Floats:
    """Return `models.means.extra_squares` of two systems on counted items, summed, row by row."""
    size = counts.sum(axis=1)
    gaps = a - b
    apart = np.abs(gaps) > ROUNDING * max(float(np.abs(a).max()), float(np.abs(b).max()))
    commonest = _commonest(counts, gaps)
    differing = counts[:, apart].sum(axis=1)
    (mean_a, of_a), (mean_b, of_b) = (_moments(counts, own) for own in (a, b))
    pooled = (of_a + of_b) / (2 * size) + ((mean_a - mean_b) / 2) ** 2
    largest = max(float(np.abs(each).max()) for each in (a, b))
    plain = 1.0 if within_unit((a, b)) else largest**2
    typical = np.where(pooled > (ROUNDING * largest) ** 2, pooled, plain)
    own = (of_a + of_b) / size
    alike = np.where(own > 0, own, typical)
    apart_by = np.where(differing > 0, counts[:, apart] @ gaps[apart] ** 2 / np.maximum(differing, 1), alike)
    shared = np.where(differing > 0, (commonest - 1) / size, 1.0) * apart_by / 2
    parts = [np.maximum(np.where(each > 0, 0.0, typical), shared) for each in (of_a, of_b)]
    if step is not None:
        pair = np.where(differing > 0, (commonest - 1) / size, 1.0) * step**2 / 2
        own = [(_commonest(counts, each) - 1) / size * step**2 / 2 for each in (a, b)]
        alone = [np.where(each > 0, 0.0, typical) for each in (of_a, of_b)]
        parts = [np.maximum(np.maximum(one, pair), other) for one, other in zip(alone, own, strict=True)]
    return np.asarray(sum(parts))


def _commonest(counts: Counts, values: Floats) -> Counts:
    """Return how often the commonest value occurs, row by row."""
    kind = np.round(values / (float(np.abs(values).max()) or 1.0), 10)
    order = np.argsort(kind, kind="stable")
    starts = np.flatnonzero(np.diff(kind[order], prepend=np.nan) != 0)
    return np.asarray(np.add.reduceat(counts[:, order], starts, axis=1).max(axis=1))


@dataclass(frozen=True, kw_only=True)
class RightPilot(NumberPilot):
    """Results that are just two numbers, as right and wrong: judged by the sign model, in their unit."""

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Count who alone is right, and draw as the plans of labels do."""
        kinds = kinds_of(self.columns, self.scores.step)
        assert kinds is not None
        right = [own == kinds.high for own in self._weighable.values]
        cells = np.stack([x & y for x in (right[0], ~right[0]) for y in (right[1], ~right[1])], axis=1)
        both = np.concatenate([counts @ cells.astype(np.int64) for counts in self.blocks(items, sets, rng)])
        joints = np.stack([both, np.zeros_like(both)], axis=1)
        rule = Rule(
            measure=get("accuracy"),
            priors={"sign": prior_of("jeffreys")},
            rope=self.rope,
            hdi_mass=self.hdi_mass,
            backend=self.backend,
            device=self.device,
        )
        return intervals(joints, "sign", rule, rng, max(draws, LEAST_DRAWS)) * kinds.width


@dataclass(frozen=True, kw_only=True)
class ScorePilot(NumberPilot):
    """classifier scores: AUC and similar measures, judged by draws of weights on items and pseudo-items.

    Copies of an item share one gamma weight, whose shape is their number: the distribution is that of a weight each.
    """

    measure: ScoreMeasure
    most: ClassVar[int] = MOST_LISTED

    @property
    def about(self) -> Any:
        """The scores and the measure."""
        return [to_json(self.scores), self.measure.name, self.measure.title]

    @property
    def without_back_end(self) -> str:
        """Of shares of pairs and of mean losses cumulants are known; other measures are drawn."""
        return "" if has_form(self.measure) else DRAWN_BY.format(self.measure.title)

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Draw worlds and new items; judge them by cumulants, and where these are not enough by draws of weights."""
        pilot = len(self.scores)
        world, judged = (evenly_paired(with_pseudo_items(self.scores, rng), pilot, rng) for _ in range(2))
        smooth = ScoresNear.of(self.measure, world, judged, pilot, rng)
        rows = max(1, BLOCK // len(world.shapes))
        blocks = (min(rows, sets - start) for start in range(0, sets, rows))
        counted = (self.counts(items, many, world, rng) for many in blocks)
        return np.concatenate([self._judged(world, smooth, counts, draws, rng) for counts in counted])

    def _judged(
        self, world: Weighable, near: ScoresNear | None, counts: Counts, draws: int, rng: np.random.Generator
    ) -> Floats:
        seeds = rng.integers(1 << 30, size=len(counts))

        def drawn(row: int) -> Floats:
            return self._by_draws(world, counts[row], draws, np.random.default_rng(seeds[row]))

        if near is None:
            return np.array([drawn(row) for row in range(len(counts))])
        runner = backend_of(self.backend, self.device)
        return ends_of(*moments_of(near.question, near.rows(counts.astype(float)), runner), self.hdi_mass, drawn)

    def _by_draws(self, world: Weighable, counts: Counts, draws: int, rng: np.random.Generator) -> Floats:
        judged = self._grown(world, counts, rng)
        assert judged.truth is not None
        weighings = [self.measure.prepare(judged.truth, own) for own in judged.values]

        def differences(size: int) -> Floats:
            weights = judged.weights(size, rng)
            a, b = (weigh(weights) for weigh in weighings)
            return np.asarray(a - b)

        return self.drawn_interval(differences, draws)

    def _grown(self, world: Weighable, counts: Counts, rng: np.random.Generator) -> Weighable:
        """Return what is weighted to judge a set: every distinct item once, and the set's own pseudo-items."""
        place = np.repeat(np.arange(len(counts)), counts)
        assert world.truth is not None
        values = dict(zip(self.scores.systems, (own[place] for own in world.values), strict=True))
        grown = replace(self.scores, values=values, truth=world.truth[place], ids=None)
        listed = with_pseudo_items(grown, rng)
        assert listed.truth is not None
        assert listed.scales is not None
        first = np.concatenate([np.flatnonzero(np.diff(place, prepend=-1)), np.arange(len(place), len(listed.shapes))])
        shapes = listed.shapes[first]
        shapes[: len(first) - (len(listed.shapes) - len(place))] *= counts[counts > 0]
        own = tuple(each[first] for each in listed.values)
        order = np.argsort(-own[0], kind="stable")  # so that the first system's scores come sorted
        return Weighable(own, listed.truth[first], shapes, listed.scales[first]).sorted(order)


@dataclass(frozen=True, kw_only=True)
class NumberGroupPilot(ItemPilot):
    """Scores or results in groups: whole groups are drawn, and judged by the cluster jackknife."""

    scores: Scores
    measure: ScoreMeasure | None  # None: the mean
    most: ClassVar[int] = MOST_LISTED

    @property
    def about(self) -> Any:
        """The numbers in their groups, and the measure."""
        return [to_json(self.scores), None if self.measure is None else self.measure.name]

    @property
    def without_back_end(self) -> str:
        """Nothing is drawn."""
        return JACKKNIFE

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Draw a world and whole groups from it; the jackknife's interval takes no draws."""
        assert self.scores.group is not None
        found = []
        for _ in range(sets):
            rows, group = whole_groups(self.scores.group, items, rng)
            columns = [own[rows] for own in self.scores.values.values()]
            if self.measure is None:
                judged = of_numbers(columns, group, step=self.scores.step)
            else:
                assert self.scores.truth is not None
                judged = of_scores(columns, self.scores.truth[rows], group, self.measure)
            found.append(judged.law(0, 1).hdi(self.hdi_mass))
        return np.array(found)
