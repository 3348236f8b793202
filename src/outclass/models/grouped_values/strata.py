"""Groups as fixed strata: these tasks and no others, each with items of its own, as where a suite averages its tasks.

The mean of every stratum has the t distribution of its items; their weighted sum has the degrees of freedom of
Satterthwaite. Groups as a sample of groups are another question (`clusters`): there the groups vary as well.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from outclass.arrays import Counts, Floats
from outclass.data.scores import Scores
from outclass.errors import InputError, quoted
from outclass.inference.derived import truncated
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.grid import StudentLaw
from outclass.models.fit import FitModel
from outclass.models.means import extra_squares
from outclass.models.pseudo_items import places_of
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, of_data

ROWS: Final = 2_000_000  # normal numbers at a time
FEWEST: Final = 2  # items of a stratum, of which one says nothing about how they vary


@dataclass(frozen=True, kw_only=True, eq=False)
class StrataFit(MeansFit):
    """Means over fixed strata, each of which counts by its items or like every other."""

    @cached_property
    def _places(self) -> list[Counts]:
        group = self.data.group
        return np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])

    @cached_property
    def _weights(self) -> Floats:
        sizes = np.array([len(own) for own in self._places], dtype=float)
        return np.full(len(sizes), 1 / len(sizes)) if self.by_units else sizes / sizes.sum()

    def _extra(self, columns: Sequence[Floats]) -> Floats:
        """Return what ties add to the squares of each system, (strata, systems)."""
        return np.array([extra_squares([each[own] for each in columns], self.data.step) for own in self._places])

    def _law(self, values: Floats, extra: Floats) -> StudentLaw:
        mean, variances = 0.0, np.empty(len(self._places))
        for at, (own, weight) in enumerate(zip(self._places, self._weights, strict=True)):
            squares = float(((values[own] - values[own].mean()) ** 2).sum()) + float(extra[at])
            mean += weight * float(values[own].mean())
            variances[at] = weight**2 * squares / (len(own) * (len(own) - 1))
        return StudentLaw(self._freedom(variances), mean, math.sqrt(float(variances.sum())))

    def _freedom(self, variances: Floats) -> float:
        """Return the degrees of freedom of a sum of means, by Satterthwaite."""
        each = np.array([len(own) - 1 for own in self._places], dtype=float)
        whole = float(variances.sum())
        return float(each.sum()) if whole == 0 else whole**2 / float((variances**2 / each).sum())

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the mean difference."""
        own = self._columns((a, b))
        return truncated(self._law(own[0] - own[1], self._extra(own).sum(axis=1)), self.support(measure))

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's own mean; what is added for ties is by those it is compared with."""
        places = [which, *(range(len(self.systems)) if beside is None else [beside])]
        own = self._columns(list(dict.fromkeys(places)))
        return truncated(self._law(own[0], self._extra(own)[:, 0]), Interval(measure.low, measure.high))

    def observed(self, which: int, measure: Any) -> float:
        """Return the weighted mean of the data themselves."""
        own = self.data.values[self.systems[which]]
        return float(sum(weight * own[at].mean() for at, weight in zip(self._places, self._weights, strict=True)))

    def joint_draws(self, measure: Any) -> Floats:
        """Return joint draws of all systems' means, a multivariate t: normal weights on the items' deviations."""
        columns = self._columns(range(len(self.systems)))
        values, extra = np.column_stack(columns), self._extra(columns)
        moves, added = np.empty_like(values), np.zeros(values.shape[1])
        variances = np.empty(len(self._places))
        for at, (own, weight) in enumerate(zip(self._places, self._weights, strict=True)):
            scale = weight / math.sqrt(len(own) * (len(own) - 1))
            moves[own] = (values[own] - values[own].mean(axis=0)) * scale
            added += extra[at] * scale**2
            variances[at] = float((moves[own] ** 2).sum() + (extra[at] * scale**2).sum())
        settings, freedom = self.question.settings, self._freedom(variances)
        places = places_of(self.systems, self.question.owners)  # runs share what is added to their system
        rng = np.random.default_rng(settings.seed)
        rows = max(1, min(settings.draws, ROWS // len(values)))
        parts = []
        for start in range(0, settings.draws, rows):
            size = min(rows, settings.draws - start)
            moved = rng.standard_normal((size, len(values))) @ moves
            moved += rng.standard_normal((size, max(places) + 1))[:, places] * np.sqrt(added)
            parts.append(moved * np.sqrt(freedom / rng.chisquare(freedom, (size, 1))))
        return np.vstack(parts) + [self.observed(which, measure) for which in range(len(self.systems))]


def fit(scores: Scores, question: Question) -> StrataFit:
    """Take the mean of every difference within the strata."""
    assert scores.group is not None
    sizes = np.bincount(scores.group)
    if few := np.flatnonzero(sizes < FEWEST).tolist():
        names = scores.group_names
        lone = quoted([names[each] for each in few] if names is not None else few, most=3)
        raise InputError(
            f"the strata model needs at least {FEWEST} items per group; {lone} has one. Leave such groups out, or "
            "treat groups as a sample (⟨model=clusters⟩)."
        )
    told = of_data(scores, question, "grouped_values.strata", "t (groups as fixed strata)", "flat priors")
    return StrataFit(**told, law=_unused, by_units=question.average == "groups", independent=False)


def _unused(values: Floats, extra: float) -> Distribution:
    raise AssertionError("a mean over strata is made from all of them")


MODEL: Final = FitModel(fit=fit, measures=("mean",), averages=True, draws=False)
