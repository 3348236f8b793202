"""The distribution of a mixture replicate by replicate: at one value, and one replicate by itself."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats
from outclass.inference.distribution import Interval, spread
from outclass.inference.nodes import Nodes
from outclass.inference.scores import normal_density

if TYPE_CHECKING:
    from outclass.inference.mixture import Mixture

MANY_NODES: Final = 1 << 16


class Look:
    """The distribution at several values, (values, replicates), each kind of number computed when it is asked for."""

    def __init__(self, z: Floats, pace: Floats, nodes: Nodes) -> None:
        self._nodes: tuple[Floats, Floats, Nodes] | None = (z, pace, nodes)
        self._above: dict[int, Floats] = {}
        if z.size > MANY_NODES:
            # The numbers are remembered for every value asked about; the nodes' arrays would fill the memory.
            _ = self.below, self.density, [self.above(place) for place in range(len(z))]
            self._nodes = None

    @cached_property
    def below(self) -> Floats:
        """The probability below each value."""
        assert self._nodes is not None
        z, _, nodes = self._nodes
        return np.asarray(np.minimum(nodes.average(special.ndtr(z)), 1.0))

    def above(self, place: int) -> Floats:
        """The probability above one of the values, to its own last digit; most are never asked for."""
        if place not in self._above:
            assert self._nodes is not None
            z, _, nodes = self._nodes
            self._above[place] = np.minimum(nodes.average(special.ndtr(-z[place])), 1.0)
        return self._above[place]

    @cached_property
    def density(self) -> Floats:
        """The density at each value."""
        assert self._nodes is not None
        z, pace, nodes = self._nodes
        return nodes.average(normal_density(z) * pace)


class At(NamedTuple):
    """The distribution at one of the values that were looked at together, one number per replicate."""

    look: Look
    place: int

    shape: "At | None" = None

    def like(self, other: "At") -> "At":
        """Return the same for each replicate of another law, with the spread that they have there."""
        return At(self.look, self.place, other)

    @property
    def below(self) -> Floats:
        """The probability below the value."""
        return self._each(self.look.below[self.place], lambda at: at.below)

    @property
    def above(self) -> Floats:
        """The probability above the value, to its own last digit."""
        return self._each(self.look.above(self.place), lambda at: at.above)

    @property
    def density(self) -> Floats:
        """The density at the value."""
        return self._each(self.look.density[self.place], lambda at: at.density)

    def _each(self, numbers: Floats, pick: Callable[["At"], Floats]) -> Floats:
        if self.shape is None:
            return numbers
        others = pick(self.shape)
        middle = float(others.mean())
        return np.asarray(numbers.mean() * (others / middle if middle > 0 else np.ones(len(others))))


class Part:
    """One replicate of a mixture, seen through what the whole has computed already."""

    def __init__(self, whole: "Mixture", which: int) -> None:
        self._whole, self._which = whole, which
        self.method, self.support = whole.method, whole.support

    @property
    def mean(self) -> float:
        return float(self._whole.means[self._which])

    @property
    def std(self) -> float:
        return float(np.sqrt(self._whole.variances[self._which]))

    def cdf(self, x: ArrayLike) -> Floats:
        return np.array([self._whole.at(float(v)).below[self._which] for v in np.ravel(x)]).reshape(np.shape(x))

    def pdf(self, x: ArrayLike) -> Floats:
        return np.array([self._whole.at(float(v)).density[self._which] for v in np.ravel(x)]).reshape(np.shape(x))

    def probability(self, low: float, high: float) -> float:
        return float(self._whole.inside(low, high)[self._which])

    def hdi(self, mass: float = 0.95) -> Interval:
        return self._whole.moved(mass)[self._which]

    def quantile(self, p: ArrayLike) -> Floats:
        return self._whole.quantile(p)

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        return self._whole.sample(n, rng)

    def replicates(self) -> Sequence["Part"]:
        return []

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        return spread(of_replicates)
