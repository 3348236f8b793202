"""Numbers of two values, right or wrong: who alone is right, with Jeffreys' prior."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from outclass.inference.distribution import Distribution, Interval
from outclass.inference.lazy import LazyDistribution
from outclass.inference.settings import Settings
from outclass.models import right_wrong
from outclass.models.fit import FitModel
from outclass.models.means import mean_law
from outclass.models.question import Question
from outclass.models.results_fit import MeansFit, means_fit


@dataclass(frozen=True, kw_only=True, eq=False)
class RightWrongFit(MeansFit):
    """Differences of shares of three outcomes; each system's own is a Beta."""

    kinds: Interval

    def difference(self, a: int, b: int, measure: Any) -> Distribution:
        """Return the posterior of the difference of shares."""
        return self._recipe(a, b)()

    def kept_difference(self, law: Distribution, a: int, b: int, measure: Any) -> LazyDistribution:
        """Return how the posterior is made: the counts alone."""
        return LazyDistribution(law, self._recipe(a, b))

    def _recipe(self, a: int, b: int) -> Callable[[], Distribution]:
        one, other = self._columns((a, b))
        table = right_wrong.table_of(one, other, self.kinds)
        return partial(right_wrong.difference_law, table, self.kinds.width, Settings(seed=self.question.settings.seed))

    def value(self, which: int, measure: Any, beside: int | None = None) -> Distribution:
        """Return the posterior of one system's share."""
        return right_wrong.own_law(self._columns((which,))[0], self.kinds)

    def unpaired_std(self, a: int, b: int, measure: Any, std: float, apart: float) -> float | None:
        """Return the std of the difference."""
        return super(MeansFit, self).unpaired_std(a, b, measure, std, apart)


def fit(scores: Any, question: Question) -> RightWrongFit:
    """Take the shares of who alone is right."""
    kinds = right_wrong.kinds_of(tuple(scores.values.values()), scores.step)
    assert kinds is not None
    found = means_fit(scores, question, "values.sign", "sign", "Jeffreys' prior", law=mean_law)
    return RightWrongFit(**vars(found), kinds=kinds)


MODEL: Final = FitModel(fit=fit, measures=("mean",), ranks=False, draws=False)
