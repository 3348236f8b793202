"""The Rao-Blackwellised distribution: one coordinate integrated exactly, the others at nodes.

A quantity that is monotone in one Beta variate r, everything else given, has  cdf(d) = E[ I(r*(d)) ]  and
pdf(d) = E[ betapdf(r*(d)) dr*/dd ], where r*(d) solves quantity = d and the expectation is over the nodes of everything
else: scrambled Sobol points in many dimensions, a product grid in few. Both are smooth in d: there is no kernel.
"""

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.alike import ByQuantiles
from outclass.inference.beside import PROBE, Beside
from outclass.inference.curves import Curve
from outclass.inference.distribution import Interval
from outclass.inference.hdi import ROUGH_PRECISION, WINDOW, Polished, check_mass, polished, shortest_by_cdf
from outclass.inference.nodes import REACH, Nodes, grid_error, grid_scores
from outclass.inference.replicates import At, Look, Part
from outclass.inference.scores import ScoreSpline, normal_density
from outclass.inference.tabulated import FINE, ROUGH, Detail, Tabulated

TOGETHER: Final = 1 << 14  # nodes times values that are looked at together
MOST_RANKED: Final = 400_000  # values that are sorted
GRID_STEP, GRID_REACH = 0.4, 7.2  # of the score of r, where the nodes are a grid
FINEST: Final = 0.1  # steps of the score of r, among them
FEW: Final = 8  # quantiles of a rough distribution that are solved for; more are read off its values at the nodes
USUAL: Final = 0.95  # mass of an interval
GAUSS_SCORES: Final = np.array([-2.8569700138728056, -1.3556261799742659, 0.0, 1.3556261799742659, 2.8569700138728056])
GAUSS_WEIGHTS: Final = np.array(
    [0.0112574113277207, 0.2220759220056126, 8 / 15, 0.2220759220056126, 0.0112574113277207]
)


class Mixture(ByQuantiles):
    """The distribution of a curve's value, r being Beta in the logit scale, over the nodes of everything else.

    Parameters
    ----------
    curve
        One monotone curve a node; its arrays have shape (replicates, nodes).
    law
        The distribution of logit(r).
    nodes
        Where the curves are, and what they weigh.
    support
        Where the quantity can lie.
    coarser
        Makes the same on fewer nodes, to tell the error of a grid.
    beside
        Other nodes, for what is far out and for what replicates share.
    """

    def __init__(
        self,
        curve: Curve,
        law: ScoreSpline,
        nodes: Nodes,
        *,
        support: Interval,
        coarser: "Callable[[], Mixture] | None" = None,
        beside: Beside | None = None,
    ) -> None:
        self.curve, self.law = curve, law
        self._prepare(nodes, support, coarser, beside)

    def _prepare(
        self, nodes: Nodes, support: Interval, coarser: "Callable[[], Mixture] | None", beside: Beside | None
    ) -> None:
        """Set what all mixtures have, and nothing that is remembered yet."""
        self.nodes, self.support, self._coarser, self._beside = nodes, support, coarser, beside
        self._seen: dict[float, At] = {}
        self._intervals: dict[float, Polished] = {}
        self._moved: dict[float, list[Interval]] = {}
        self._tables: dict[Detail, Tabulated | None] = {}

    @property
    def method(self) -> str:
        return self.nodes.method

    @property
    def span(self) -> Floats:
        """How far the curves' own variable runs as r goes from 0 to 1."""
        return self.curve.span

    # --- the law at one value ---------------------------------------------------------------------------------

    def at(self, value: float) -> At:
        """Return the distribution at one value, by replicate; remembered, since the same values are asked for again."""
        if self._beside is not None and self._beside.is_far(self, value):
            return self._beside.far(value, self.near(value))
        return self.near(value)

    def near(self, value: float) -> At:
        """Return the same without the nodes for tails, whose digits are not asked for."""
        if value not in self._seen:
            z, pace = self._at_nodes(value)
            self._seen[value] = At(Look(z[None], pace[None], self.nodes), 0)
        return self._seen[value]

    def look(self, values: Sequence[float]) -> None:
        """Look at several values at once, which costs less than one by one: as many as stay in the cache together."""
        new = [value for value in dict.fromkeys(values) if value not in self._seen and not math.isnan(value)]
        together = TOGETHER // self.nodes.size
        if together < 2:
            return
        for start in range(0, len(new) - 1, together):
            part = new[start : start + together]
            look = Look(*self._at_nodes(np.array(part)[:, None, None]), self.nodes)
            for place, value in enumerate(part):
                self._seen[value] = At(look, place)

    def _at_nodes(self, value: "float | Floats") -> tuple[Floats, Floats]:
        """Return, at every node, the normal score of the probability below the value, and its pace in the value."""
        r, rest, speed = self.curve.solve(value)
        out = np.nonzero(~((r > 0) & (rest > 0)))
        ends = r[out]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            r[out] = rest[out] = 0.5
            z, pace = self.law.score_and_slope(np.log(r / rest))
            pace *= speed
            pace /= r * rest
        z[out], pace[out] = np.where(ends > 0, np.inf, -np.inf), 0.0
        # Where the curve falls, the values below are those of r above the root.
        z *= self.curve.rising
        return z, pace

    def cdf(self, x: ArrayLike) -> Floats:
        return self._each(x, lambda at: at.below)

    def pdf(self, x: ArrayLike) -> Floats:
        return self._each(x, lambda at: at.density)

    def _each(self, x: ArrayLike, pick: Callable[[At], Floats]) -> Floats:
        values = np.asarray(x, dtype=float)
        self.look(values.ravel().tolist())
        unknown = np.full(self.nodes.replicates, np.nan)
        found = [unknown if math.isnan(value) else pick(self.at(value)) for value in values.ravel().tolist()]
        return np.asarray(np.array(found).reshape(*values.shape, self.nodes.replicates).mean(axis=-1))

    def probability(self, low: float, high: float) -> float:
        return float(self.inside(low, high).mean())

    def inside(self, low: float, high: float) -> Floats:
        """Return each replicate's probability of an interval."""
        # From the nearer tail, so that a probability of 1e-12 keeps its digits.
        if low <= self.support.low:
            return self.at(high).below
        if high >= self.support.high:
            return self.at(low).above
        if low < self.mean < high:
            # What is left out is told by the middle of the distribution, not by the digits of its tails.
            self.look([low, high])
            return np.maximum(self.near(high).below - self.near(low).below, 0.0)
        self.look([low, high])
        at_low, at_high = self.at(low), self.at(high)
        upper = at_low.below.mean() > 0.5
        found = at_low.above - at_high.above if upper else at_high.below - at_low.below
        return np.maximum(found, 0.0)

    def scaled_density(self, value: float) -> float:
        """Return E[span x density]: what is left of a density when its factor 1/span is taken out."""
        z, pace = self._at_nodes(value)
        return float(self.nodes.average(normal_density(z) * pace * self.span).mean())

    # --- moments ----------------------------------------------------------------------------------------------

    @cached_property
    def _values(self) -> tuple[Floats, Floats]:
        """The quantity over a grid of r at each node, shape (grid, replicates, nodes); and the grid's weights."""
        low, left, middle, right, high = self.law.value(np.array([-2.0, -1.0, 0.0, 1.0, 2.0]))
        skewed, bent = low + high - 2 * middle, high - low - 2 * (right - left)
        # How close r is to normal in the logit.
        close = abs(skewed) < 0.1 * (high - low) and abs(bent) < 0.03 * (high - low)
        if self.nodes.is_grid:
            # There is no noise at the nodes to hide the error of a coarse rule.
            z, weights = grid_scores(0.8 if close else GRID_STEP, GRID_REACH)
        elif close:
            # Five Gauss-Hermite nodes are as good as fifteen even ones.
            z, weights = GAUSS_SCORES, GAUSS_WEIGHTS
        else:
            # A U-shaped r, as Jeffreys' prior has, needs finer steps: its std would be off by a thousandth.
            z, weights = grid_scores(0.8 if abs(bent) < 0.15 * (high - low) else 0.4)
        return self._at_scores(z), weights

    def _at_scores(self, z: Floats) -> Floats:
        """Return the quantity at normal scores of r, at each node."""
        t = self.law.value(z)[:, None, None]
        # Rounding may carry a value beyond what is possible, by a last digit or, of 0/0, by far.
        return np.clip(self.curve.at(special.expit(t), special.expit(-t)), self.support.low, self.support.high)

    @cached_property
    def means(self) -> Floats:
        """Each replicate's mean."""
        values, weights = self._values
        return np.asarray(weights @ self.nodes.average(values))

    @cached_property
    def mean(self) -> float:
        return float(self.means.mean())

    @cached_property
    def variances(self) -> Floats:
        """Each replicate's variance around the mean of the whole."""
        values, weights = self._values
        return np.asarray(weights @ self.nodes.average((values - self.mean) ** 2))

    @cached_property
    def std(self) -> float:
        return float(np.sqrt(self.variances.mean()))

    # --- quantiles and the interval ---------------------------------------------------------------------------

    @property
    def table(self) -> Tabulated:
        """The same distribution on a table, for quantiles, draws and pictures."""
        return self._tabulated(FINE)

    @property
    def sketch(self) -> Tabulated:
        """The same on a coarser table, still finer than what a page shows."""
        return self._tabulated(ROUGH)

    def _tabulated(self, detail: Detail) -> Tabulated:
        """Return a table, or fail where it failed before: to try takes as long."""
        if detail not in self._tables:
            try:
                self._tables[detail] = Tabulated.of(
                    self.cdf, self.pdf, self.support, self.mean, self.std, detail=detail
                )
            except RoughLawError:
                self._tables[detail] = None
        found = self._tables[detail]
        if found is None:
            raise RoughLawError("too rough to tabulate")
        return found

    @cached_property
    def _ranked(self) -> tuple[Floats, Floats]:
        """The values at the nodes in order, and the probability up to the middle of each."""
        values, weights = self._values
        # The rule for moments is a rough law where r matters more than the nodes: as many points as can be sorted.
        step = GRID_STEP if self.nodes.is_grid else 2 * REACH * values[0].size / MOST_RANKED
        if step <= GRID_STEP:
            z, weights = grid_scores(max(step, FINEST), GRID_REACH if self.nodes.is_grid else REACH)
            values = self._at_scores(z)
        weight = np.broadcast_to(weights[:, None, None] * self.nodes.weights, values.shape).ravel()
        order = np.argsort(values, axis=None)
        weight = weight[order] / weight.sum()
        return values.ravel()[order], np.cumsum(weight) - weight / 2

    def roughly(self, p: ArrayLike) -> Floats:
        """Return about where the quantiles are, by the values at the nodes."""
        ranked, below = self._ranked
        return np.asarray(np.interp(np.asarray(p, dtype=float), below, ranked))

    @property
    def _guesses(self) -> Floats:
        """Values about where the quantiles are, dense in the tails too."""
        return np.concatenate(
            [self.roughly(special.ndtr(np.linspace(-6, 6, 121))), self.mean + self.std * np.linspace(-6, 6, 61)]
        )

    @cached_property
    def _steps(self) -> tuple[Floats, Floats]:
        """The cdf at many values, for distributions too rough for a table of normal scores."""
        at = np.unique(np.clip(self._guesses, self.support.low, self.support.high))
        at = np.concatenate([[self.support.low], at, [self.support.high]])
        return at, np.maximum.accumulate(np.clip(self.cdf(at), 0, 1))

    def quantile(self, p: ArrayLike) -> Floats:
        try:
            return self.table.quantile(p)
        except RoughLawError:
            wanted = np.asarray(p, dtype=float)
            if self.nodes.is_grid:
                at, below = self._steps
                return np.asarray(np.interp(wanted, below, at))
            found = self.roughly(wanted)
            if wanted.size <= FEW:
                found = np.array([self._quantile(*each) for each in zip(wanted.flat, found.flat, strict=True)])
            return found.reshape(wanted.shape)

    def _quantile(self, p: float, near: float) -> float:
        """Return a quantile of the distribution itself, from one of its values at the nodes."""
        from scipy import optimize  # loaded for odd distributions alone

        low = high = near
        reach = 0.01 * self.std
        for _ in range(20):
            if float(self.cdf(low)) <= p <= float(self.cdf(high)) or not reach > 0:
                break
            low, high = max(low - reach, self.support.low), min(high + reach, self.support.high)
            reach *= 2
        else:
            return near
        if not low < high:
            return near
        return float(optimize.brentq(lambda x: float(self.cdf(x)) - p, low, high, xtol=1e-7 * self.std))

    def _start(self, mass: float) -> Interval:
        scores = float(special.ndtri((1 + mass) / 2))
        # Two stds from the middle the distribution has been looked at already.
        reach, edge = (PROBE if abs(scores - PROBE) < 0.2 else scores) * self.std, 1e-3 * self.std
        return Interval(
            max(self.mean - reach, self.support.low + edge), min(self.mean + reach, self.support.high - edge)
        )

    def _rough_interval(self, mass: float) -> Interval:
        """Return the shortest interval of the values at the nodes, weighted."""
        ranked, below = self._ranked
        last = np.searchsorted(below, below + mass)
        first = np.flatnonzero(last < len(ranked))
        if not first.size:  # more than the nodes can tell apart
            return Interval(float(ranked[0]), float(ranked[-1]))
        best = first[np.argmin(ranked[last[first]] - ranked[first])]
        if self.nodes.is_grid:
            return Interval(float(ranked[best]), float(ranked[last[best]]))
        return Interval(
            self._quantile(below[best], ranked[best]), self._quantile(below[best] + mass, ranked[last[best]])
        )

    def polished(self, mass: float) -> Polished:
        """Return the interval with the derivatives at its ends, remembered for the replicates."""
        if mass not in self._intervals:
            precision = 1e-7 if self.nodes.is_grid else ROUGH_PRECISION
            smooth = self.nodes.method != "sobol"
            found = polished(self, self._start(mass), mass, precision, smooth=smooth)
            if found is None:
                roughly = self._rough_interval(mass)
                found = polished(self, roughly, mass, precision, smooth=smooth)
                if found is None and self.nodes.is_grid:
                    roughly = shortest_by_cdf(self, self._guesses, mass)
            # Where there is no such interval, its derivatives are none either.
            self._intervals[mass] = found or Polished(roughly, np.full((2, 2), np.nan), roughly)
        return self._intervals[mass]

    def moved(self, mass: float) -> list[Interval]:
        """Return each replicate's interval, one Newton step from the whole's: near enough to tell the spread."""
        if mass in self._moved:
            return self._moved[mass]
        interval, jacobian, near = self.polished(mass)
        low, high = (self.at(end) for end in near)
        miss = np.stack([high.below - low.below, (high.density - low.density) * self.std])
        miss -= miss.mean(axis=1, keepdims=True)
        (a, b), (c, d) = jacobian.tolist()
        if math.isfinite(turn := a * d - b * c) and abs(turn) > 1e-12:
            steps = np.stack([b * miss[1] - d * miss[0], c * miss[0] - a * miss[1]]) / turn
        else:
            # A peak at the end of the range: that end is fixed, the other moves with the mass alone.
            density = np.maximum([low.density.mean(), high.density.mean()], 1e-300)
            steps = np.stack([miss[0], -miss[0]]) / density[:, None]
        self._moved[mass] = [Interval(interval.low + float(a), interval.high + float(b)) for a, b in steps.T]
        return self._moved[mass]

    def hdi(self, mass: float = 0.95) -> Interval:
        check_mass(mass)
        return self.polished(mass).interval

    # --- numerical error --------------------------------------------------------------------------------------

    def worst_error(self) -> float:
        """Return the error of the cdf at the middle and at two stds either side, or of a quantile there if larger."""
        values = self.mean - PROBE * self.std, self.mean, self.mean + PROBE * self.std
        self.look([*values, *self._asked_next])
        probes = [self.at(value) for value in values]
        error = self.nodes.spread(np.stack([at.below for at in probes], axis=1)) + self.shared
        density = np.array([at.density for at in probes]).mean(axis=1)
        return float(np.max(error / np.where(density > 0, np.minimum(density, 1.0), 1.0)))

    @cached_property
    def shared(self) -> float:
        """How far off, in probability, all replicates are together: the distance of another rule at the probes."""
        return 0.0 if self._beside is None else self._beside.distance(self)

    @property
    def _asked_next(self) -> list[float]:
        """What a summary asks about: zero, and the places around the ends of the usual interval."""
        if self.nodes.method == "sobol":
            return [0.0]  # whose intervals are found in another way
        width = WINDOW * self.std
        return [0.0, *(end + side * width for end in self._start(USUAL) for side in (-1, 1))]

    def replicates(self) -> Sequence["Mixture | Part"]:
        if self._coarser is not None:
            return [self._coarser()]
        return [Part(self, which) for which in range(self.nodes.replicates)]

    def error(self, numbers: Floats, of_replicates: Floats) -> Floats:
        if self._coarser is not None:
            return grid_error(numbers, of_replicates)
        return self.nodes.spread(of_replicates) + self.shared
