"""The law of a smooth function of many independent gamma weights, by inverting its characteristic function.

To first order the function is linear in the weights, and the characteristic function of a linear form of gammas is a
product, however few of them decide (Imhof 1961; Gil-Pelaez 1951). How the function is curved is told by its cumulants
beyond those of the linear form, which are given to it by bending its scale (Cornish & Fisher 1937). An Edgeworth
correction of the product comes to the same, as far as the curvature is known. The law is not given where the correction
is large, or the two differ: near perfection, say, where a few weights decide.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.distribution import Interval
from outclass.inference.tabulated import Tabulated

MOST_CORRECTED: Final = 0.01  # in probability
MOST_UNCERTAIN: Final = 0.002  # in probability: how far two ways to correct may differ
MOST_SHIFTED: Final = 0.2  # of the mean, in stds
LOOKED_AT: Final = 5.0  # stds from the mean
LEAST_SLOPE: Final = 0.3
GONE: Final = 23.0  # minus the logarithm of the characteristic function where the sum over it ends
FURTHEST: Final = 300.0  # how far it may have to be followed
SMALL: Final = 0.3  # arguments of the logarithm whose series is as good
TERMS: Final = 9  # of that series
CELLS: Final = 4_000_000  # logarithms, and cosines, that are worth it
TAIL: Final = 1e-7  # in probability: what the sum cannot tell
KNOTS_WITHIN: Final = 1.2  # the reciprocal of the last argument


@dataclass(frozen=True)
class Curved:
    """What a function of independent gamma weights is near their means.

    Parameters
    ----------
    value, shift
        At the means of the weights, and by how much its own mean exceeds that.
    shapes, slopes
        Of the weights; and by how much the function changes with a weight, in units of that weight's scale.
    variance, third, fourth
        By how much its cumulants exceed those of the linear form.
    """

    value: float
    shift: float
    shapes: Floats
    slopes: Floats
    variance: float
    third: float
    fourth: float

    @property
    def std(self) -> float:
        """The standard deviation of the linear form."""
        return float(np.sqrt(self.shapes @ self.slopes**2))


class Inverted(Tabulated):
    """The law of a curved function; the error is what the curvature changes."""

    method = "inversion"


def inverted(function: Curved, support: Interval) -> Inverted:
    """Return the law of a function, or raise `RoughLawError` where its curvature matters too much."""
    std = function.std
    if not std > 0 or abs(function.shift) > MOST_SHIFTED * std:
        raise RoughLawError("the curvature moves the mean too far")
    line = _Line.of(function.shapes, function.slopes / std)
    bend = _Bend(function.variance / std**2, function.third / std**3, function.fourth / std**4)
    bend.check(line)
    # Knots closer than the narrowest part of the law, which is as wide as its characteristic function is short.
    reach = line.reach
    x = np.linspace(-reach, reach, 2 * int(np.ceil(reach * line.arguments[-1] * KNOTS_WITHIN)) + 1)
    below, density = line.at(x)
    seen = (below > TAIL) & (below < 1 - TAIL)
    x, below, density = x[seen], below[seen], density[seen]
    first = Inverted.on(function.value + std * x, below, density / std, support)
    moved = function.value + function.shift + std * (x + bend.added(x))
    return Inverted.on(moved, below, density / (std * bend.slope(x)), support, first)


@dataclass(frozen=True)
class _Bend:
    """What is added to the variance and the third and fourth cumulants of a variable of mean 0 and std 1."""

    variance: float
    third: float
    fourth: float

    def added(self, x: Floats) -> Floats:
        """Return by how much values are moved; far out, as much as at the ends of the range that was looked at."""
        x = np.clip(x, -LOOKED_AT, LOOKED_AT)
        found = self.variance * x / 2 + self.third * (x**2 - 1) / 6 + self.fourth * (x**3 - 3 * x) / 24
        return np.asarray(found - self.third**2 * (2 * x**3 - 5 * x) / 36)

    def slope(self, x: Floats) -> Floats:
        """Return the slope of the values that are moved."""
        more = self.variance / 2 + self.third * x / 3 + self.fourth * (x**2 - 1) / 8
        more -= self.third**2 * (6 * x**2 - 5) / 36
        return np.asarray(1 + np.where(np.abs(x) < LOOKED_AT, more, 0.0))

    def check(self, line: "_Line") -> None:
        """Raise an error where too much is added, or it depends on how."""
        x = np.linspace(-LOOKED_AT, LOOKED_AT, 101)
        changes = -line.at(x)[1] * self.added(x)
        turn = 1j * line.arguments
        skewed = self.third * turn**3 / 6
        more = self.variance * turn**2 / 2 + skewed + self.fourth * turn**4 / 24 + skewed**2 / 2
        otherwise = replace(line, values=line.values * more).at(x)[0] - 0.5
        if not (
            np.abs(changes).max() <= MOST_CORRECTED
            and np.abs(changes - otherwise).max() <= MOST_UNCERTAIN
            and self.slope(x).min() >= LEAST_SLOPE
        ):
            raise RoughLawError("the curvature matters too much")


@dataclass(frozen=True)
class _Line:
    """A characteristic function at evenly spaced arguments, of a variable of mean 0 and std 1 within a reach."""

    arguments: Floats
    values: np.ndarray
    reach: float

    @classmethod
    def of(cls, shapes: Floats, slopes: Floats) -> "_Line":
        """Of a linear form of gammas less their means."""
        end = 7.0
        while float(shapes @ np.log1p((end * slopes) ** 2)) < 2 * GONE:
            end *= 1.25
            if end > FURTHEST:
                raise RoughLawError("the law has a peak too narrow to follow")
        # The sum is that of a law that repeats; each copy must have run out where the next one starts.
        reach = 8.0 + 25 * float(np.abs(slopes).max())
        at = np.arange(0.5, end * reach / np.pi) * (np.pi / reach)
        large = np.abs(slopes) * end > SMALL
        if len(at) * max(int(large.sum()), int(2 * reach * end * KNOTS_WITHIN)) > CELLS:
            raise RoughLawError("the law would take too long to follow")
        turned = np.multiply.outer(at, slopes[large])
        own = shapes[large]
        found = -0.5 * (np.log1p(turned**2) @ own) + 1j * ((np.arctan(turned) - turned) @ own)
        power, rest = shapes[~large] * slopes[~large], slopes[~large]
        for order in range(2, TERMS + 1):
            power = power * rest
            found += (1j * at) ** order * (power.sum() / order)
        return cls(at, np.exp(found), reach)

    def at(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the cdf and the density."""
        angles = np.multiply.outer(x, self.arguments)
        cosines, sines = np.cos(angles), np.sin(angles)
        real, imaginary, step = self.values.real, self.values.imag, 2 * self.arguments[0] / np.pi
        below = 0.5 - step * (cosines @ (imaginary / self.arguments) - sines @ (real / self.arguments))
        return np.asarray(below), np.asarray(step * (cosines @ real + sines @ imaginary))
