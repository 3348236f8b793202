"""Models whose answers are joint draws of all systems' measures."""

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from outclass.arrays import Floats
from outclass.data.multilabel import Classes, Grouped, MultiLabel
from outclass.data.unit_counts import GroupedCounts, PerItem
from outclass.errors import InputError
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.draws import Draws
from outclass.inference.lazy import LazyDistribution
from outclass.models.clusters import Jackknife
from outclass.models.fit import Fit
from outclass.models.pseudo_items import places_of
from outclass.models.sent_draws import SentDraws
from outclass.models.traces import Trace


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawsFit(Fit):
    """Draws of every measure of every system, with what the data alone say.

    Parameters
    ----------
    values
        By measure: (draws, systems).
    seen
        By measure, what the data themselves say: (systems,).
    moved
        The same with the prior's items added.
    trace
        Of chains, whose draws come one chain after the other.
    naive
        The same data taken as independent items, to tell what groups change.
    prior_fit, judged
        Under the prior that Bayes factors compare with: without data, and with them.
    """

    values: dict[str, Floats]
    seen: dict[str, Floats]
    moved: dict[str, Floats] = field(default_factory=dict)
    trace: Trace | None = None
    paired: bool = True
    independent: bool = True  # each item is by itself
    naive: "DrawsFit | None" = None
    prior_fit: "DrawsFit | None" = None
    judged: "DrawsFit | None" = None

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of one system's measure minus another's."""
        values = self.values[measure.name]
        return self._law(values[:, a] - values[:, b], self.support(measure), measure)

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's measure."""
        return self._law(self.values[measure.name][:, which], Interval(measure.low, measure.high), measure)

    @cached_property
    def _sent(self) -> dict[str, SentDraws]:
        return {}

    def _kept(self, measure: Any) -> SentDraws:
        """Return the draws that all rows of a measure share, also where they are sent; some are drawn late."""
        return self._sent.setdefault(measure.name, SentDraws(self.values[measure.name]))

    def kept_difference(
        self, law: Distribution, a: int, b: int, measure: Any
    ) -> Distribution | LazyDistribution | None:
        """Return the recipe: rows of many pairs share the draws of their systems, rather than hold their own."""
        if not isinstance(law, Draws) or self.trace is not None:
            return law
        return LazyDistribution(None, partial(_difference, self._kept(measure), a, b, self.support(measure)))

    def kept_value(self, law: Distribution, which: int, measure: Any) -> Distribution | LazyDistribution | None:
        """Return the recipe, as of a difference."""
        if not isinstance(law, Draws) or self.trace is not None:
            return law
        support = Interval(measure.low, measure.high)
        return LazyDistribution(None, partial(_value, self._kept(measure), which, support))

    def _law(self, values: Floats, support: Interval, measure: Any) -> Draws:
        if not np.isfinite(values).any():
            raise InputError(
                f"{measure.title} is undefined for every draw: no label that it looks at is true of some item, or "
                "predicted by every system."
            )
        if self.trace is None:
            return Draws.iid(values, support)
        return self.trace.law(values.reshape(self.trace.chains, -1), support)

    def observed(self, which: int, measure: Any) -> float:
        """Return the measure of the data themselves."""
        return float(self.seen[measure.name][which])

    def joint_draws(self, measure: Any) -> Floats:
        """Return joint draws of all systems' measures, (draws, systems)."""
        return self.values[measure.name]

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Return the std of the difference, if the systems saw the same items and each item is by itself."""
        return std if self.paired else None

    @property
    def adds_by_items(self) -> bool:
        """Of groups it is groups that more is known by, not items."""
        return self.independent

    def constant(self, measure: Any) -> float:
        """Return the measure of a system that gives every item the commonest label."""
        return constant_of(self.data, measure)


def _difference(sent: SentDraws, a: int, b: int, support: Interval) -> Draws:
    return Draws.iid(sent.values[:, a] - sent.values[:, b], support)


def _value(sent: SentDraws, which: int, support: Interval) -> Draws:
    return Draws.iid(sent.values[:, which], support)


@dataclass(frozen=True, kw_only=True, eq=False)
class JackknifeFit(Fit):
    """Items in groups: t distributions by leaving out the groups one by one."""

    jackknives: dict[str, Jackknife]
    paired: bool = True

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of one system's measure minus another's."""
        return self.jackknives[measure.name].law(a, b, paired=self.paired)

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's measure."""
        return self.jackknives[measure.name].own(which)

    def observed(self, which: int, measure: Any) -> float:
        """Return the measure of the data themselves."""
        return float(self.jackknives[measure.name].values[which])

    def joint_draws(self, measure: Any) -> Floats:
        """Return joint draws of all systems' measures, (draws, systems)."""
        settings = self.question.settings
        places = places_of(self.systems, self.question.owners)
        return self.jackknives[measure.name].sample(settings.draws, settings.seed, places)

    @property
    def adds_by_items(self) -> bool:
        """Of groups it is groups that more is known by, not items."""
        return False

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Return the std of the difference, if labels of the same items are compared."""
        return std if self.paired and isinstance(self.data, Grouped | GroupedCounts) else None

    def constant(self, measure: Any) -> float:
        """Return the measure of a system that gives every item the commonest label."""
        return constant_of(self.data, measure)


def constant_of(data: Any, measure: Any) -> float:
    """Return the measure of a system that always gives the same answer; nan where there is none."""
    if isinstance(data, Classes | Grouped | MultiLabel):
        return _commonest(data, measure)
    if isinstance(data, PerItem):
        return float("nan")  # nothing can be found everywhere
    if data.truth is None or not hasattr(measure, "prepare"):
        return float("nan")
    same = np.full(len(data), float(data.truth.mean()))
    return float(measure.prepare(data.truth, same)(np.ones((1, len(data))))[0])


def _commonest(decisions: Classes | Grouped | MultiLabel, measure: Any) -> float:
    true = decisions.frequencies.astype(float)
    if measure.matrix:
        table = np.zeros((len(true), len(true)))
        table[:, int(np.argmax(true))] = true
        return float(measure.of_matrix(table[None])[0])
    said = np.zeros_like(true)
    among = range(len(true)) if measure.places is None else measure.places
    said[max(among, key=lambda place: true[place])] = decisions.items
    right = np.minimum(true, said)
    return float(measure(right, said - right, true - right, np.array(float(decisions.items))))
