"""Planning from a pilot of several runs of each system: what more items and more runs would make of its interval."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy import special

from outclass.arrays import Floats
from outclass.models.runs_fit import RunsFit
from outclass.planning.pilots import CLOSED, ItemPilot

FEWEST: Final = 1.0  # degrees of freedom


@dataclass(frozen=True, kw_only=True)
class RunsPilot(ItemPilot):
    """Runs crossed with items: new items for all runs, and `new` runs of each system, by the name of a rule.

    A world is a draw from the posterior of the spreads. What is not known yet of the difference moves its estimate, and
    what remains is the width: the parts of the variance that items, runs and both together make up shrink each at its
    own rate.

    Parameters
    ----------
    fit, name
        The fit of the pilot's two systems, and the measure.
    new
        How many runs each system gets on top of its own.
    """

    fit: RunsFit
    name: str
    new: Mapping[str, int]

    @property
    def about(self) -> Any:
        """The runs' values, and what is asked of them."""
        noise = self.fit.noise[self.name]
        return [type(self).__name__, [own.tolist() for own in noise.observed], noise.item_noise.tolist(), self.name]

    @property
    def without_back_end(self) -> str:
        """Nothing is drawn."""
        return CLOSED

    def intervals(self, items: int, model: str, sets: int, draws: int, rng: np.random.Generator) -> Floats:
        """Return t intervals by Satterthwaite, as the spreads will be estimated with these runs."""
        noise = self.fit.noise[self.name]
        fixed = noise.averages[:, 0] - noise.averages[:, 1]
        centre, of_items = float(np.nanmean(fixed)), float(np.nanvar(fixed))
        now = noise.counts
        then = now + self.new[model]
        fewer = self.fit.items / (self.fit.items + items)  # of the variance that items make up
        squares = noise.spreads[rng.integers(len(noise.spreads), size=sets)] ** 2
        both = noise.item_noise / now
        both *= min(1.0, of_items / max(float(both.sum()), 1e-300))
        of_both = both * now / then
        left = (of_items - both.sum() + of_both.sum()) * fewer
        before = of_items + (squares / now).sum(axis=1)
        after = left + (squares / then).sum(axis=1)
        middle = centre + np.sqrt(np.maximum(before - after, 0.0)) * rng.standard_normal(sets)
        freedom = np.maximum(then - 1, FEWEST)
        # Differences between runs hold the spread and what items add to them.
        seen = (squares + noise.item_noise * fewer) * rng.chisquare(freedom, (sets, len(then))) / freedom
        parts = np.maximum(seen - noise.item_noise * fewer, 0.0) / then
        found = left + parts.sum(axis=1)
        known = found**2 / np.maximum((parts**2 / freedom).sum(axis=1), 1e-300)
        share = (1 + self.hdi_mass) / 2
        reach = special.stdtrit(np.clip(known, FEWEST, 1e6), share)
        half = np.minimum(reach, _widest(share)) * np.sqrt(found)
        return np.stack([middle - half, middle + half], axis=1)


def _widest(share: float) -> float:
    """Return the quantile that the prior of the spread leaves of a t distribution with one degree of freedom."""
    return float(special.stdtrit(2.0, share)) if share < 1 else math.inf
