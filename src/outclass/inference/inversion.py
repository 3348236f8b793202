"""The law of a smooth function of many independent gamma weights, by inverting its characteristic function.

To first order the function is linear in the weights, and the characteristic function of a linear form of gammas is a
product, however few of them decide (Imhof 1961; Gil-Pelaez 1951). What the function is curved by enters as an Edgeworth
correction of that product: the cumulants that the linear form does not have. Where the correction is not small the law
is not given, since what is left out is of the order of its square.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from outclass.arrays import Floats
from outclass.errors import RoughLawError
from outclass.inference.distribution import Interval
from outclass.inference.tabulated import KNOTS, Tabulated

MOST_CORRECTED: Final = 0.01  # in probability
MOST_SHIFTED: Final = 0.2  # of the mean, in stds
GONE: Final = 23.0  # minus the logarithm of the characteristic function where the sum over it ends
FURTHEST: Final = 300.0  # how far it may have to be followed
SMALL: Final = 0.3  # arguments of the logarithm whose series is as good
TERMS: Final = 9  # of that series
CELLS: Final = 4_000_000  # logarithms, and cosines, that are worth it
TAIL: Final = 1e-7  # in probability: what the sum cannot tell
FINER: Final = 8  # times as many knots, where there are long tails


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
    curved = line.corrected(function.variance / std**2, function.third / std**3, function.fourth / std**4)
    there = np.linspace(-5.0, 5.0, 101)
    if not np.abs(curved.at(there)[0] - line.at(there)[0]).max() <= MOST_CORRECTED:
        raise RoughLawError("the curvature matters too much")
    first = line.law(function.value, std, support)
    return curved.law(function.value + function.shift, std, support, first)


@dataclass(frozen=True)
class _Line:
    """A characteristic function at evenly spaced arguments, of a variable of mean 0 and std about 1."""

    arguments: Floats
    values: np.ndarray

    @classmethod
    def of(cls, shapes: Floats, slopes: Floats) -> "_Line":
        """Of a linear form of gammas less their means."""
        end = 7.0
        while float(shapes @ np.log1p((end * slopes) ** 2)) < 2 * GONE:
            end *= 1.25
            if end > FURTHEST:
                raise RoughLawError("the law has a peak too narrow to follow")
        # The sum is that of a law that repeats; each copy must have run out where the next one starts.
        step = np.pi / (8.0 + 25 * float(np.abs(slopes).max()))
        at = np.arange(0.5, end / step) * step
        large = np.abs(slopes) * end > SMALL
        if len(at) * max(int(large.sum()), KNOTS) > CELLS:
            raise RoughLawError("the law would take too long to follow")
        turned = np.multiply.outer(at, slopes[large])
        own = shapes[large]
        found = -0.5 * (np.log1p(turned**2) @ own) + 1j * ((np.arctan(turned) - turned) @ own)
        power, rest = shapes[~large] * slopes[~large], slopes[~large]
        for order in range(2, TERMS + 1):
            power = power * rest
            found += (1j * at) ** order * (power.sum() / order)
        return cls(at, np.exp(found))

    def corrected(self, variance: float, third: float, fourth: float) -> "_Line":
        """Add to the cumulants."""
        turn = 1j * self.arguments
        more = third * turn**3 / 6
        return _Line(
            self.arguments, self.values * (1 + variance * turn**2 / 2 + more + fourth * turn**4 / 24 + more**2 / 2)
        )

    def at(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the cdf and the density."""
        angles = np.multiply.outer(x, self.arguments)
        cosines, sines = np.cos(angles), np.sin(angles)
        real, imaginary, step = self.values.real, self.values.imag, 2 * self.arguments[0] / np.pi
        below = 0.5 - step * (cosines @ (imaginary / self.arguments) - sines @ (real / self.arguments))
        return np.asarray(below), np.asarray(step * (cosines @ real + sines @ imaginary))

    def law(self, centre: float, std: float, support: Interval, coarser: Tabulated | None = None) -> Inverted:
        """Return the law of `centre` and `std` times the variable."""

        def cdf(x: Floats) -> Floats:
            return self.at((x - centre) / std)[0]

        def pdf(x: Floats) -> Floats:
            return self.at((x - centre) / std)[1] / std

        for knots in (KNOTS, FINER * KNOTS):
            try:
                return Inverted.of(cdf, pdf, support, centre, std, coarser, knots, tail=TAIL)
            except RoughLawError:
                if knots > KNOTS:
                    raise
        raise AssertionError
