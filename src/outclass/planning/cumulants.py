"""Cumulants of a difference between two systems under gamma weights on items, of many simulated sets at once.

A measure of items is a smooth function of their weights, and the weights are independent gamma variates whose shapes
say how often each item occurs. From its first two derivatives, and the third along one direction, its cumulants follow
without a draw (McCullagh 1987, section 3.6; `models.score_laws` has the same of one set). Written in operators, so that
it runs on any library's arrays (`planning.backends`).

With slopes g, curvatures H, third derivatives C and the weights' variances V, third and fourth cumulants K3 and K4: the
mean gains tr(HV)/2; the variance is g'Vg + tr(HVHV)/2 + sum g K3 H_ii + what tr(HV) changes by along Vg; the third
cumulant is sum K3 g^3 + 3 g'VHVg; the fourth is sum K4 g^4 + 12 (g g K3)'HVg + 12 g'VHVHVg + 4 C[Vg]^3.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from outclass.planning.backends import Library

# Numbers of each set and item, (sets, items); apart for weights of different kinds, of items and of the prior.
Parts = Sequence[Any]


class Turned(NamedTuple):
    """What changes along a direction: the slopes, the trace of the curvatures, and the third derivative of the sum."""

    slopes: Parts
    trace: Any
    third: Any


class Near(ABC):
    """A difference near the means of the weights: its value, its slopes and its curvatures by themselves."""

    value: Any
    variances: Parts
    scales: Parts  # of the weights, which are a gamma variate times its scale
    slopes: Parts
    bends: Parts
    trace: Any

    @abstractmethod
    def along(self, direction: Parts) -> Turned:
        """Return what changes along a direction in the space of weights."""


@dataclass(frozen=True)
class OfRatios:
    """What makes ratios of cells: the top, the bottom, their product, the bottom's square; and if there are scales."""

    top: tuple[float, ...]
    bottom: tuple[float, ...]
    crossed: tuple[float, ...]
    squared: tuple[float, ...]
    scaled: bool = False


@dataclass(frozen=True)
class OfPairs:
    """What is asked of shares of pairs: whether each system's scores have ties."""

    tied: tuple[bool, bool]


def of_ratios(library: Library, asked: OfRatios, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
    """Return the cumulants of sums of ratios: see `Ratios`."""
    return _cumulants(Ratios(asked, rows, shared), shared[-1])


def of_pairs(library: Library, asked: OfPairs, rows: Sequence[Any], shared: Sequence[Any]) -> tuple[Any, ...]:
    """Return the cumulants of a difference in AUC: see `Pairs`."""
    return _cumulants(Pairs(library, asked, rows, shared), shared[-1])


def _cumulants(near: Near, probes: Any) -> tuple[Any, ...]:
    """Return the mean, and what curvature adds to it; the linear form's variance, and what curvature changes of it.

    The latter adds up the sizes of its parts. Then the second to fourth cumulants.

    Each probe is +1 or -1 for every weight, by which the trace of a square is estimated (Hutchinson 1990).
    """
    slopes, variances = near.slopes, near.variances
    pulled = [v * g for v, g in zip(variances, slopes, strict=True)]
    linear = _dot(pulled, slopes)
    third_of_weights = [2.0 * v * s for v, s in zip(variances, near.scales, strict=True)]
    skewed = [k * g * g for k, g in zip(third_of_weights, slopes, strict=True)]
    turned = near.along(pulled)
    squares: Any = 0.0
    starts = [0]
    for each in variances:
        starts.append(starts[-1] + each.shape[1])
    spread = [v**0.5 for v in variances]
    for place in range(probes.shape[0]):
        probe = [
            own * probes[place, start:end] for own, start, end in zip(spread, starts[:-1], starts[1:], strict=True)
        ]
        found = near.along(probe).slopes
        squares = squares + _dot([v * h for v, h in zip(variances, found, strict=True)], found)
    added = [
        0.5 / probes.shape[0] * squares,
        turned.trace,
        _dot([k * b for k, b in zip(third_of_weights, near.bends, strict=True)], slopes),
    ]
    curved = _total([abs(each) for each in added])
    variance = linear + _total(added)
    third = _dot(skewed, slopes) + 3.0 * _dot(pulled, turned.slopes)
    fourth = 12.0 * _dot(skewed, turned.slopes) + 4.0 * turned.third
    fourth = fourth + 12.0 * _dot([v * h for v, h in zip(variances, turned.slopes, strict=True)], turned.slopes)
    fourth = fourth + _dot([3.0 * k * s * g for k, s, g in zip(skewed, near.scales, slopes, strict=True)], slopes)
    return near.value + 0.5 * near.trace, 0.5 * near.trace, linear, curved, variance, third, fourth


def _dot(one: Parts, other: Parts) -> Any:
    """Return the sum of products, of each set."""
    return _total([(a * b).sum(1) for a, b in zip(one, other, strict=True)])


class Ratios(Near):
    """A sum of ratios of linear forms of the weights, each with a coefficient.

    Each ratio is of a few cells, as a label's TP, FP and FN are: every item adds to them, and both the top and the
    bottom are linear in them. What an item adds to the top times what it adds to the bottom, and the square of the
    latter, are linear in other cells; or in the same, where an item adds one to a single cell of a ratio.

    Parameters
    ----------
    asked
        What makes these of the cells.
    rows
        Of each set: the mean weights of items, (sets, items); the coefficients of the ratios, (sets, ratios); which
        cells the prior's items count in, 0 or 1, (sets, cells, ratios); and the scales, (sets, items), if there are.
    shared
        What each item adds to the cells, (cells, ratios, items), and each of the prior's; the same of the cells of
        products; and the shapes of the prior's items.
    """

    def __init__(self, asked: OfRatios, rows: Sequence[Any], shared: Sequence[Any]) -> None:
        means, self._coefficients, self._mask = rows[:3]
        self._cells, products, thin = shared[:2], shared[2:4], shared[4]
        self._places = list(zip(asked.top, asked.bottom, strict=True))
        scale = rows[3] if asked.scaled else 1.0
        self.scales = [scale, 1.0]
        self.variances = [means * scale, thin + 0.0 * means[:, :1]]
        top, bottom = _made(self._places, self._forms([means, self.variances[1]], self._cells))
        self._bottom = bottom + (bottom <= 0) * 1.0  # of what is nothing, the coefficient is nothing
        self._ratio = ratio = top / self._bottom
        self.value = (self._coefficients * ratio).sum(1)
        self._per = self._coefficients / self._bottom
        self._slopes = [self._per * (u - ratio * v) for u, v in self._places]
        self.slopes = self._items(self._slopes, self._cells)
        self._twice = -2.0 * self._per / self._bottom
        crossed = list(zip(asked.crossed, asked.squared, strict=True))
        self.bends = self._items([self._twice * (u - ratio * v) for u, v in crossed], products)
        both, self._squares = _made(crossed, self._forms(self.variances, products))
        self._gap = both - ratio * self._squares
        self.trace = (self._twice * self._gap).sum(1)

    def _forms(self, weights: Parts, cells: Parts) -> list[Any]:
        """Return the cells at weights of items and of the prior's: (sets, ratios) each."""
        (own, prior), (seen, added) = weights, cells
        return [own @ seen[at].T + (prior @ added[at].T) * self._mask[:, at] for at in range(seen.shape[0])]

    def _items(self, changes: Sequence[Any], cells: Parts) -> Parts:
        """Return what each item's weight changes, from what each cell does."""
        seen, added = cells
        found = [(each @ seen[at], (each * self._mask[:, at]) @ added[at]) for at, each in enumerate(changes)]
        return [_total(part) for part in zip(*found, strict=True)]

    def along(self, direction: Parts) -> Turned:
        """Differentiate ratios of lines."""
        top, bottom = _made(self._places, self._forms(direction, self._cells))
        wider = bottom / self._bottom
        changed = top / self._bottom - self._ratio * wider
        per = self._per * changed
        moved = [-per * v - own * wider for own, (_, v) in zip(self._slopes, self._places, strict=True)]
        trace = -self._twice * (changed * self._squares + 2.0 * self._gap * wider)
        third = 6.0 * self._coefficients * changed * wider * wider
        return Turned(self._items(moved, self._cells), trace.sum(1), third.sum(1))


def _made(places: Sequence[tuple[float, float]], cells: Sequence[Any]) -> tuple[Any, Any]:
    """Return two linear forms of cells, of which a coefficient is often 0 or 1."""
    top, bottom = ([own * each for own, each in zip(by, cells, strict=True) if own] for by in zip(*places, strict=True))
    return _total(top), _total(bottom)


def _total(parts: Sequence[Any]) -> Any:
    first, *rest = parts
    for each in rest:
        first = first + each
    return first


class Pairs(Near):
    """The share of pairs of a positive and a negative that the one system has in the right order, less the other's.

    Parameters
    ----------
    library, asked
        What sums down a ranking, and whether there are ties.
    rows
        Of each set: the mean weights, and the scale of each, (sets, items).
    shared
        Which items are positive, 0 or 1; then of each system the order of the items, and where in it the first and the
        last lie that are tied with each item.
    """

    def __init__(self, library: Library, asked: OfPairs, rows: Sequence[Any], shared: Sequence[Any]) -> None:
        means, scale = rows
        self._library, self._asked = library, asked
        self._positive, self._rankings = shared[0], (shared[1:4], shared[4:7])
        self.scales, self.variances = [scale], [means * scale]
        self._own, self._other = own, _ = self._totals(means)
        self._share = self._placed(means) / self._other
        positives = means * self._positive
        centre = (positives * self._share).sum(1)[:, None] / positives.sum(1)[:, None]
        self.value = centre[:, 0]
        self.slopes = [(self._share - centre) / own]
        self.bends = [-2.0 * self.slopes[0] / own]
        self.trace = _dot(self.variances, self.bends)

    def _totals(self, weights: Any) -> tuple[Any, Any]:
        """Return, for each item, the weight of its class and of the other."""
        positive = (weights * self._positive).sum(1)[:, None]
        negative = weights.sum(1)[:, None] - positive
        rest = 1.0 - self._positive
        return positive * self._positive + negative * rest, positive * rest + negative * self._positive

    def _placed(self, weights: Any) -> Any:
        """Return the weight of the pairs that each item is in and is right about, of one system less the other."""
        one, other = (self._above(weights, at) for at in (0, 1))
        return one - other

    def _above(self, weights: Any, at: int) -> Any:
        """Return the weight of the other class above each item, ties for half: of positives taken off."""
        (order, first, last), tied = self._rankings[at], self._asked.tied[at]
        positive = self._positive[order]
        ranked = weights[:, order]
        found: list[Any] = []
        for each in (ranked * (1.0 - positive), ranked * positive):
            above = self._library.cumsum(each)
            whole = above[:, last]
            found.append(0.5 * (whole + (above - each)[:, first]) if tied else whole)
        alarms, hits = found
        return hits * (1.0 - self._positive) - alarms * self._positive

    def along(self, direction: Parts) -> Turned:
        """Differentiate a bilinear form over the product of two sums."""
        (step,) = direction
        own, other = self._totals(step)
        slopes = self.slopes[0]
        changed = _dot(self.slopes, direction)[:, None]
        moved = (self._placed(step) - self._share * other) / self._other
        moved = (moved - changed - slopes * own) / self._own
        bends = -2.0 * (moved - slopes * own / self._own) / self._own
        # Of both totals' product, its first derivative is (wider + narrower), its second 2 wider narrower.
        wider, narrower = own[:, :1] / self._own[:, :1], other[:, :1] / self._other[:, :1]
        second = _dot([moved], direction)[:, None]
        third = -3.0 * (second * (wider + narrower) + 2.0 * changed * wider * narrower)
        return Turned([moved], _dot(self.variances, [bends]), third[:, 0])
