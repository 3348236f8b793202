"""Distributions told by their normal scores: a smooth monotone curve between a value t and z, where cdf(t) = Phi(z).

Most distributions met here are close to normal in a suitable scale, so z is nearly linear in t and a cubic through a
few dozen knots with exact slopes is accurate to better than 1e-9, in the tails too, where a table of the cdf itself
would not be.
"""

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from outclass.arrays import Floats

REACH: Final = 8.0  # Phi(-8) = 6e-16: nothing beyond it can be seen in double precision
EVEN_KNOTS: Final = ((257, 2e-8), (1025, 1e-7))  # tried in turn, with how far off they may be
ROOT_TWO_PI: Final = float(np.sqrt(2 * np.pi))


def normal_density(z: Floats) -> Floats:
    """Return the standard normal density."""
    return np.asarray(np.exp(-0.5 * z * z) / ROOT_TWO_PI)


class _Cubic:
    """A piecewise cubic with given values and slopes at its knots, and straight lines beyond them."""

    def __init__(self, knots: Floats, values: Floats, slopes: Floats) -> None:
        self._knots, self._slopes = knots, slopes
        width, rise = np.diff(knots), np.diff(values)
        start, end = slopes[:-1] * width, slopes[1:] * width
        self._coefficients = (values[:-1], start, 3 * rise - 2 * start - end, start + end - 2 * rise)
        self._scales = 1 / width
        self._even = bool(np.ptp(width) < 1e-9 * width[0])

    def _locate(self, inside: Floats) -> tuple[NDArray[np.intp], Floats]:
        """Return the piece each point lies in, and how far along."""
        if self._even:
            position = (inside - self._knots[0]) * self._scales[0]
            piece = np.minimum(position.astype(np.intp), len(self._scales) - 1)
            return piece, position - piece
        piece = np.searchsorted(self._knots[1:-1], inside, side="right")
        return piece, (inside - self._knots[piece]) * self._scales[piece]

    def _pieces(self, piece: NDArray[np.intp]) -> list[Floats]:
        # Four lookups in short tables stay in the cache; "clip" spares the check that the pieces exist.
        return [table.take(piece, mode="clip") for table in self._coefficients]

    def __call__(self, at: Floats) -> Floats:
        inside = np.minimum(np.maximum(at, self._knots[0]), self._knots[-1])
        piece, part = self._locate(inside)
        c0, c1, c2, c3 = self._pieces(piece)
        value = ((c3 * part + c2) * part + c1) * part + c0
        beyond = at - inside
        if np.any(beyond):
            value = value + beyond * np.where(beyond < 0, self._slopes[0], self._slopes[-1])
        return np.asarray(value)

    def with_slope(self, at: Floats) -> tuple[Floats, Floats]:
        """Return the values and the slopes."""
        inside = np.minimum(np.maximum(at, self._knots[0]), self._knots[-1])
        piece, part = self._locate(inside)
        c0, c1, c2, c3 = self._pieces(piece)
        scale = self._scales[0] if self._even else self._scales[piece]
        first = c3 * part
        second = first + c2
        third = second * part
        value = (third + c1) * part
        value += c0
        # The derivative shares the terms of Horner's scheme.
        first += second
        first += second
        first *= part
        first += c1
        first *= scale
        inside -= at
        if inside.any():
            value -= inside * first
        return value, first


class EvenCubics:
    """Several piecewise cubics on the same even knots, one for each place of the first axis; straight lines beyond."""

    def __init__(self, first: float, width: float, values: Floats, slopes: Floats) -> None:
        self._first, self._last = first, first + width * (values.shape[1] - 1)
        self._pieces, self._scale = values.shape[1] - 1, 1 / width
        self._ends = slopes[:, 0], slopes[:, -1]
        rise, start, end = np.diff(values, axis=1), width * slopes[:, :-1], width * slopes[:, 1:]
        cubics = values[:, :-1], start, 3 * rise - 2 * start - end, start + end - 2 * rise
        self._coefficients = [each.ravel() for each in cubics]
        self._starts = self._pieces * np.arange(len(values))

    def __call__(self, at: Floats) -> Floats:
        across = (slice(None), *[None] * (at.ndim - 1))
        inside = np.minimum(np.maximum(at, self._first), self._last)
        part = (inside - self._first) * self._scale
        piece = np.minimum(part.astype(np.intp), self._pieces - 1)
        part -= piece
        piece += self._starts[across]
        c0, c1, c2, c3 = (each.take(piece, mode="clip") for each in self._coefficients)
        value = ((c3 * part + c2) * part + c1) * part + c0
        beyond = at - inside
        if beyond.any():
            low, high = self._ends
            value += beyond * np.where(beyond < 0, low[across], high[across])
        return np.asarray(value)


class ScoreSpline:
    """The distribution of t, as a curve through knots (z, t) with the slopes dt/dz."""

    def __init__(self, z: Floats, t: Floats, slope: Floats) -> None:
        # Knots where t stands still (it underflowed, or ran into the end of its range) carry nothing: drop them.
        with np.errstate(invalid="ignore"):  # between two that are infinite
            keep = np.concatenate([[True], np.diff(t) > 0]) & (slope > 0) & np.isfinite(t)
        self._z, self._t, self._slope = z[keep], t[keep], slope[keep]

    @cached_property
    def _forward(self) -> _Cubic:
        return _Cubic(self._z, self._t, self._slope)

    @cached_property
    def _backward(self) -> _Cubic:
        uneven = _Cubic(self._t, self._z, 1 / self._slope)
        # Even knots are found by a division instead of a search, which is what most of the time goes to.
        between = (self._t[1:] + self._t[:-1]) / 2
        there = uneven(between)
        for knots, near in EVEN_KNOTS:
            t = np.linspace(self._t[0], self._t[-1], knots)
            even = _Cubic(t, *uneven.with_slope(t))
            if np.abs(even(between) - there).max() < near:
                return even
        # A distribution with one tail a thousand times longer than the other does not fit on even knots.
        return uneven

    def value(self, z: Floats) -> Floats:
        """Return t at normal score z."""
        return self._forward(z)

    def score(self, t: Floats) -> Floats:
        """Return the normal score of t."""
        return self._backward(t)

    def score_and_slope(self, t: Floats) -> tuple[Floats, Floats]:
        """Return the normal score of t and its derivative."""
        return self._backward.with_slope(t)

    def cdf(self, t: Floats) -> Floats:
        """Return the probability below t."""
        return np.asarray(special.ndtr(self._backward(t)))

    def pdf(self, t: Floats) -> Floats:
        """Return the density at t."""
        z, slope = self._backward.with_slope(t)
        return np.asarray(normal_density(z) * slope)
