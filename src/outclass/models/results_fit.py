"""Numbers per item, fold or data set: what a row can be made of."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats, means_by
from outclass.data.scores import Scores
from outclass.errors import InputError
from outclass.inference.bounded import BoundedStudent
from outclass.inference.derived import NoLaw, truncated
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.grid import EVERYWHERE, StudentLaw
from outclass.inference.lazy import LazyDistribution
from outclass.measures.results import ResultMeasure
from outclass.measures.scored import ScoreMeasure
from outclass.models.clusters import of_numbers, of_scores
from outclass.models.draws_fit import DrawsFit, JackknifeFit
from outclass.models.fit import Fit
from outclass.models.many_data_sets import RopeProbabilities
from outclass.models.means import extra_squares, own_squares
from outclass.models.pseudo_items import Weighable, with_pseudo_items
from outclass.models.question import Question
from outclass.models.score_blocks import ITEMS, drawn_in_blocks
from outclass.models.score_laws import ScoreLaws
from outclass.models.sent_draws import kept_draws
from outclass.models.student import t_law
from outclass.models.weighing import weighing
from outclass.parallel import side_by_side

CELLS: Final = 2_000_000  # weights drawn at a time
FEW_SYSTEMS: Final = 5  # whose pairs are worth a law each, rather than draws that all of them share
Law = Callable[[Floats, float], Distribution]  # of the mean of numbers, with what is added to their squares


def units_of(scores: Scores) -> Counts | None:
    """Return what is weighted together: groups, or data sets; None if each item is by itself."""
    return scores.group if scores.group is not None else scores.data_set


def by_data_set(scores: Scores, values: Floats) -> Floats:
    """Return the mean of each data set."""
    assert scores.data_set is not None
    return means_by(scores.data_set, values)


def canonical(scores: Scores) -> Scores:
    """Return the systems in an order that is theirs, so that draws do not depend on who is named first."""
    return scores.selected(sorted(scores.systems, key=lambda name: (scores.values[name].tobytes(), name)))


def in_order(draws: Floats, given: Scores, drawn: Scores) -> Floats:
    """Return the columns of draws in the order in which the systems were given."""
    return draws[:, [drawn.systems.index(name) for name in given.systems]]


def collapsed(scores: Scores) -> Scores:
    """Return results on many data sets as one of each: its mean."""
    if scores.data_set is None:
        return scores
    values = {name: by_data_set(scores, own) for name, own in scores.values.items()}
    return replace(scores, values=values, data_set=np.arange(len(next(iter(values.values())))), fold_share=None)


def of_data(scores: Scores, question: Question, key: str, title: str, prior: str) -> dict[str, Any]:
    """Return what every fit says of itself."""
    return {
        "data": scores,
        "question": question,
        "model": key,
        "title": title,
        "prior": prior,
        "systems": tuple(scores.systems),
        "items": len(scores),
        "findings": tuple(scores.findings),
    }


def beyond(law: Distribution, rope: Interval) -> RopeProbabilities:
    """Return how probable a difference beyond the ROPE is, to either side."""
    below = 0.0 if math.isinf(rope.low) else float(law.cdf(rope.low))
    above = 0.0 if math.isinf(rope.high) else 1 - float(law.cdf(rope.high))
    return RopeProbabilities(above, max(0.0, 1 - above - below), below)


def _kept(law: Distribution) -> Distribution | LazyDistribution | None:
    """Return a posterior as rows keep it; chains tell more than their draws."""
    if isinstance(law, NoLaw):
        return None
    return kept_draws(law) if type(law) is Draws else law


class NumbersFit(Fit):
    """What fits of numbers have in common, however their posteriors are made."""

    def support(self, measure: Any) -> Interval:
        """Return where a difference can lie."""
        return EVERYWHERE if math.isinf(measure.high) else super().support(measure)

    def rope_probabilities(
        self, law: Distribution, a: int, b: int, measure: Any, rope: Interval
    ) -> RopeProbabilities | None:
        """Return how probable a difference beyond the ROPE is, to either side."""
        return beyond(law, rope) if measure.interval else None

    def kept_difference(
        self, law: Distribution, a: int, b: int, measure: Any
    ) -> Distribution | LazyDistribution | None:
        """Return the posterior, if there is one."""
        return _kept(law)

    def kept_value(self, law: Distribution, which: int, measure: Any) -> Distribution | LazyDistribution | None:
        """Return the posterior, if there is one."""
        return _kept(law)

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Return the std of the difference, where each item is by itself and it is neither nothing nor everything."""
        usable = self.adds_by_items and 1e-6 * apart < std < math.inf and 0 < apart < math.inf
        return std if usable else None


@dataclass(frozen=True, kw_only=True, eq=False)
class MeansFit(NumbersFit):
    """Means of numbers, each with a posterior in closed form or on a grid.

    Parameters
    ----------
    law
        The posterior of a mean.
    own_law
        That of one system's own mean, where it is another.
    by_units
        Whether the data's own value is the mean of the groups' or data sets' means.
    """

    law: Law
    own_law: Law | None = None
    by_units: bool = False
    independent: bool = True
    draws: Callable[[Any], Floats] | None = None

    def _columns(self, places: Sequence[int]) -> list[Floats]:
        return [self.data.values[self.systems[place]] for place in places]

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the mean difference."""
        own = self._columns((a, b))
        return truncated(
            self.law(own[0] - own[1], float(extra_squares(own, self.data.step).sum())), self.support(measure)
        )

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's own mean; what is added for ties is by those it is compared with."""
        places = [which, *(range(len(self.systems)) if beside is None else [beside])]
        columns = self._columns(list(dict.fromkeys(places)))
        alone = len(columns) == 1
        extra = 0.0 if alone else float(extra_squares(columns, self.data.step)[0])
        if self.data.step is not None:
            extra = max(extra, own_squares(columns[0], self.data.step))
        law, bounds = (self.own_law or self.law)(columns[0], extra), Interval(measure.low, measure.high)
        if self.data.step is not None and isinstance(law, StudentLaw) and not math.isinf(bounds.high):
            # Given that it lies below 1, a mean close to 1 would be known too well (docs/repeats-coverage.md).
            return BoundedStudent(law, bounds)
        return truncated(law, bounds)

    def observed(self, which: int, measure: Any) -> float:
        """Return the mean of the data themselves: of items, or of the means of groups or data sets."""
        own, units = self.data.values[self.systems[which]], units_of(self.data)
        return float(np.mean(own if units is None or not self.by_units else means_by(units, own)))

    def joint_draws(self, measure: Any) -> Floats:
        """Return joint draws of all systems' means, (draws, systems)."""
        return super().joint_draws(measure) if self.draws is None else self.draws(measure)

    @property
    def adds_by_items(self) -> bool:
        """Whether each number is of an item by itself."""
        return self.independent

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """What pairing is worth is told with the same model for all three: the t model narrows by itself."""
        own = self._columns((a, b))
        return super().unpaired_std(a, b, measure, t_law(own[0] - own[1]).std, apart)


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedNumbersFit(DrawsFit, NumbersFit):
    """Measures of numbers under weights on items, groups or data sets.

    Parameters
    ----------
    draw
        Draws a measure, which is done when draws are first asked for.
    laws
        By measure: the laws that need no draws, of the systems in the order of `ordered`.
    """

    draw: Callable[[Any], Floats]
    laws: dict[str, ScoreLaws] = field(default_factory=dict)
    ordered: tuple[str, ...] = ()

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the difference, if the measure has an interval."""
        if not measure.interval:
            return NoLaw(self.support(measure))
        law = self._law_of(measure, {a: 1.0, b: -1.0}, self.support(measure))
        if law is None:
            self.joint_draws(measure)
            return super().difference(a, b, measure)
        return law

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's measure, if the measure has an interval."""
        if not measure.interval:
            return NoLaw(Interval(measure.low, measure.high))
        law = self._law_of(measure, {which: 1.0}, Interval(measure.low, measure.high))
        if law is None:
            self.joint_draws(measure)
            return super().value(which, measure, beside)
        return law

    def _law_of(self, measure: Any, signs: dict[int, float], support: Interval) -> Distribution | None:
        if measure.name not in self.laws or (len(signs) > 1 and len(self.systems) > FEW_SYSTEMS):
            return None
        named = {self.systems[place]: sign for place, sign in signs.items()}
        return self.laws[measure.name].law([named.get(name, 0.0) for name in self.ordered], support)

    def joint_draws(self, measure: Any) -> Floats:
        """Return joint draws of all systems' measures, (draws, systems)."""
        if not measure.interval:
            raise InputError(
                f"systems cannot be ranked by {measure.title}: its sampling error cannot be estimated. Rank by the "
                "Brier score instead (⟨measure=brier⟩)."
            )
        if measure.name not in self.values:
            self.values[measure.name] = self.draw(measure)
        return self.values[measure.name]

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """As of all numbers."""
        return NumbersFit.unpaired_std(self, a, b, measure, std, apart)


def weighted_fit(scores: Scores, question: Question, key: str, *, pseudo: bool = True) -> WeightedNumbersFit:
    """Draw weights on items, groups or data sets; of items with pseudo-items, unless told otherwise."""
    scores = collapsed(scores)
    measures: Sequence[Any] = question.measures
    units, ordered = units_of(scores), canonical(scores)
    on = "items" if units is None else "data sets" if scores.data_set is not None else "groups"
    prior = "a prior of a few pseudo-items" if units is None and pseudo else "no prior"
    laws = {
        each.name: _laws(ordered, each, question, pseudo=pseudo) for each in measures if _lawful(scores, each, question)
    }
    return WeightedNumbersFit(
        **of_data(scores, question, key, f"bootstrap (weights on {on})", prior),
        draw=partial(drawn, scores, question=question, pseudo=pseudo),
        laws=laws,
        ordered=tuple(ordered.systems),
        values={},
        seen={each.name: _all_seen(scores, each, ordered, laws.get(each.name)) for each in measures},
        independent=units is None,
    )


def _all_seen(scores: Scores, measure: Any, ordered: Scores, laws: ScoreLaws | None) -> Floats:
    """Return a measure of the data themselves, of each system; where its laws are at hand, so are the sorted scores."""
    if laws is None:
        return np.array([seen(scores, measure, name) for name in scores.systems])
    (found,) = in_order(laws.seen(len(scores))[None], scores, ordered)
    return np.asarray(found)


def seen(scores: Scores, measure: Any, name: str) -> float:
    """Return a measure of the data themselves, every item alike; over data sets, the mean of their means."""
    own = scores.values[name]
    if isinstance(measure, ResultMeasure):
        if measure.kind == "median":
            return float(np.median(own))
        return float(np.mean(own if scores.data_set is None else by_data_set(scores, own)))
    return float(weighing(scores.truth, own, measure)(np.ones((1, len(scores))))[0])


@dataclass(frozen=True, kw_only=True, eq=False)
class GroupedNumbersFit(JackknifeFit, NumbersFit):
    """Measures of numbers whose items come in groups, by the cluster jackknife."""

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the difference, if the measure has an interval."""
        return super().difference(a, b, measure) if measure.interval else NoLaw(self.support(measure))

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's measure, if the measure has an interval."""
        return super().value(which, measure, beside) if measure.interval else NoLaw(Interval(measure.low, measure.high))

    def observed(self, which: int, measure: Any) -> float:
        """Return the measure of the data themselves."""
        return super().observed(which, measure) if measure.interval else seen(self.data, measure, self.systems[which])

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Pairing is not told of groups."""
        return None


def clustered_fit(scores: Scores, question: Question, key: str) -> GroupedNumbersFit:
    """Leave out the groups one by one."""
    assert scores.group is not None
    columns = [scores.values[name] for name in scores.systems]
    found = {}
    measures: Sequence[Any] = question.measures
    for measure in measures:
        if isinstance(measure, ScoreMeasure):
            assert scores.truth is not None
            if measure.interval:
                found[measure.name] = of_scores(columns, scores.truth, scores.group, measure, question.average)
        else:
            found[measure.name] = of_numbers(columns, scores.group, question.average, scores.step)
    return GroupedNumbersFit(
        **of_data(scores, question, key, "paired (cluster jackknife)", "no prior"), jackknives=found
    )


def means_fit(scores: Scores, question: Question, key: str, title: str, prior: str, **how: Any) -> MeansFit:
    """Take means of numbers, with the posterior that `law` makes."""
    return MeansFit(
        **of_data(scores, question, key, title, prior),
        **({"independent": units_of(scores) is None and scores.fold_share is None} | how),
    )


# --- weights ---------------------------------------------------------------------------------------------------------


def _weighable(ordered: Scores, question: Question, root: np.random.SeedSequence, *, pseudo: bool) -> Weighable:
    if pseudo:
        return with_pseudo_items(ordered, np.random.default_rng(root.spawn(1)[0]), question.owners)
    return Weighable(tuple(ordered.values.values()), ordered.truth, np.ones(len(ordered)))


def _lawful(scores: Scores, measure: Any, question: Question) -> bool:
    """Return whether laws are looked for; who names a number of draws gets draws."""
    smooth = isinstance(measure, ScoreMeasure) and measure.in_blocks
    return smooth and len(scores) > ITEMS and units_of(scores) is None and question.settings.method != "draws"


def _laws(ordered: Scores, measure: Any, question: Question, *, pseudo: bool) -> ScoreLaws:
    root = np.random.SeedSequence(question.settings.seed)
    items = _weighable(ordered, question, root, pseudo=pseudo)
    return ScoreLaws(items, measure, np.random.default_rng(root.spawn(1)[0]))


def drawn(scores: Scores, measure: Any, question: Question, *, pseudo: bool = True) -> Floats:
    """Return draws of every system's measure, (draws, systems), all of the same worlds: weights on items, or groups."""
    draws = question.settings.draws
    ordered = canonical(scores)
    units = units_of(ordered)
    root = np.random.SeedSequence(question.settings.seed)
    items = _weighable(ordered, question, root, pseudo=pseudo and units is None)
    if isinstance(measure, ScoreMeasure) and measure.in_blocks and units is None and len(items.shapes) > ITEMS:
        return in_order(
            drawn_in_blocks(items, measure, draws, np.random.default_rng(root.spawn(1)[0])), scores, ordered
        )
    order = np.argsort(-items.values[0], kind="stable")  # so that the first system's scores come sorted
    items = items.sorted(order)
    weighings = [weighing(items.truth, own, measure) for own in items.values]
    rows = int(np.clip(CELLS // len(items.shapes), 1, draws))
    starts = range(0, draws, rows)
    seeds = root.spawn(len(starts))
    many = 0 if units is None else int(units.max()) + 1

    def block(place: int) -> Floats:
        rng = np.random.default_rng(seeds[place])
        count = min(rows, draws - starts[place])
        if units is None:
            weights = items.weights(count, rng)
        else:
            weights = rng.standard_exponential((count, many))[:, units[order]]
        return np.column_stack([weigh(weights) for weigh in weighings])

    found: list[Floats] = []
    for part in side_by_side(block, [(place,) for place in range(len(starts))], threads=True):
        found.append(part)
        if question.progress is not None:
            question.progress(len(found), len(starts))
    return in_order(np.vstack(found), scores, ordered)
