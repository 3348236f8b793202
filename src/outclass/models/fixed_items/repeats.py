"""Means over these very items: a t distribution of generation noise, from the variance within items."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import InputError, quoted
from outclass.inference.derived import truncated
from outclass.inference.distribution import Distribution, Interval
from outclass.models.fit import FitModel
from outclass.models.generation import fixed_law, is_known
from outclass.models.question import Question
from outclass.models.results_fit import NumbersFit, of_data


@dataclass(frozen=True, kw_only=True, eq=False)
class FixedItemsFit(NumbersFit):
    """Means of repeated items that are not a sample of others."""

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the mean difference."""
        return truncated(fixed_law(self.data, [self.systems[a], self.systems[b]]), self.support(measure))

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's mean."""
        return truncated(fixed_law(self.data, [self.systems[which]]), Interval(measure.low, measure.high))

    def observed(self, which: int, measure: Any) -> float:
        """Return the mean of the items' means."""
        return float(np.mean(self.data.values[self.systems[which]]))

    def joint_draws(self, measure: Any) -> Floats:
        """Return draws of all systems, which are repeated independently, (draws, systems)."""
        settings = self.question.settings
        seeds = np.random.SeedSequence(settings.seed).spawn(len(self.systems))
        laws = [self.value(which, measure) for which in range(len(self.systems))]
        pairs = zip(laws, seeds, strict=True)
        return np.stack([law.sample(settings.draws, np.random.default_rng(seed)) for law, seed in pairs], axis=1)

    @property
    def adds_by_items(self) -> bool:
        """More items are not asked about."""
        return False

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Pairing plays no part: items do not vary."""
        return None


def fit(scores: Any, question: Question) -> FixedItemsFit:
    """Take the means over these items."""
    if scores.group is not None:
        raise InputError(
            "⟨group⟩ has no effect on a fixed suite (⟨population=these⟩), whose items are no sample: leave it out."
        )
    for name, own in scores.repeats.distinct.systems.items():
        if not is_known(own):
            raise InputError(
                f"⟨population=these⟩ needs at least two repeats of most items, and {name} has them of "
                f"{int((own.sizes > 1).sum()):,} of {len(own.sizes):,}. Use ⟨population=like-these⟩."
            )
        if own.identical:
            raise InputError(
                f"all repeats of {quoted([name])} are identical, so that its generation noise is unknown "
                "(⟨population=these⟩): they came from a cache, or the system has no randomness. Use "
                "⟨population=like-these⟩."
            )
    told = of_data(scores, question, "fixed_items.repeats", "repeats (fixed items)", "flat priors")
    return FixedItemsFit(**told)


MODEL: Final = FitModel(fit=fit, measures=("mean",), draws=False)
