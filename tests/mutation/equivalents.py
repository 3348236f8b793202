"""Survivors that were read and found to change nothing that a user, or a test, could see; each with its reason."""

from typing import Final

_SIGNS: Final = "the factor is +1 or -1, so multiplying and dividing give the same"
_EDGE: Final = "differs only at a single point, where both branches give the same value"
_MANY: Final = "the number of values examined before the search, which ends at the same place"

EQUIVALENT: Final[dict[str, str]] = {
    "measures/averages.py::_mcc: spread_true > least -> spread_true >= least": (
        "equal only if there are no items, and then the proportion below is 0/0 and filled as well"
    ),
    "measures/averages.py::module: 1.0 -> 2.0 (3)": "beta is not used for precision and recall",
    "measures/fscores.py::module: 1 -> 2": "the rank of a family: two families of rank 2 are ordered by name",
    "inference/closed.py::_mode: a > b -> a >= b": "equal parameters were handled before",
    "inference/curves.py::Shifted.rising: self.sign * self.fraction.rising -> self.sign / self.fraction.rising": _SIGNS,
    "inference/curves.py::OddsDifference.solve: x > 0 -> x >= 0": _EDGE,
    "inference/curves.py::_clipped: from_one >= 0 -> from_one > 0": _EDGE,
    "inference/curves.py::_clipped: from_zero <= 0 -> from_zero < 0": _EDGE,
    "inference/curves.py::_clipped: 1 -> 2": "clipped values exceed 1 only by rounding errors",
    "inference/draws.py::Draws.iid: 1 -> 2": "NumPy infers the length for any negative value",
    "inference/grid.py::GridLaw.__init__: heights > heights.max() - 700 -> heights >= heights.max() - 700": (
        "differs only if a density is exactly e**-700 of the maximum"
    ),
    "inference/grid.py::GridLaw.pdf: t >= self._t[0] -> t > self._t[0]": (
        "differs only at the first grid point, where the density is e**-700 of the maximum"
    ),
    "inference/grid.py::GridLaw.quantile: 3 -> 4": "one more Newton step after three, which have converged",
    "inference/grid.py::GridLaw.quantile: 0 -> 1 (2)": (
        "the probability between the first two points of the fine grid is e**-700"
    ),
    "inference/hdi.py::polished: float(law.pdf(within)) >= float(law.pdf(low)) -> "
    "float(law.pdf(within)) > float(law.pdf(low))": (
        "equal only for a flat distribution, for which no interval was found before"
    ),
    "inference/hdi.py::_search: np.abs(found).max() < best[0] -> np.abs(found).max() <= best[0]": (
        "two intervals with exactly the same error are equally good"
    ),
    "inference/hdi.py::shortest_by_cdf: 201 -> 202": "the number of starting points examined before the search",
    "inference/hdi.py::shortest_by_cdf: ends[0] < 0 < ends[1] -> ends[0] < 0 <= ends[1]": (
        "a tilt of exactly 0 at the end is the answer itself, which the bounded search has found"
    ),
    "inference/hdi.py::shortest_by_cdf: widths_of[p] <= best_width * (1 + 1e-05) -> "
    "widths_of[p] < best_width * (1 + 1e-05)": "differs only if a width equals the bound exactly",
    "inference/replicates.py::Look.above: 1.0 -> 2.0": "clipped values exceed 1 only by rounding errors",
    "inference/mixture.py::Mixture._guesses: 6 -> 7": _MANY,
    "inference/mixture.py::Mixture._guesses: 6 -> 7 (2)": _MANY,
    "inference/mixture.py::Mixture._guesses: 121 -> 122": _MANY,
    "inference/mixture.py::Mixture.polished: found is None and self.nodes.is_grid -> "
    "found is None or self.nodes.is_grid": "computes a rough interval that is not used where a fine one was found",
    "inference/adaptive.py::adaptive: wanted <= 1 -> wanted < 1": (
        "differs only if an error equals the tolerance exactly"
    ),
    "inference/mode.py::mode_of: 65 -> 66": _MANY,
    "inference/scores.py::_Cubic.with_slope: self._scales[0] if self._even else self._scales[piece] -> "
    "self._scales[0] if False else self._scales[piece]": "all scales are the same if knots are evenly spaced",
    "inference/scores.py::_Cubic.with_slope: 0 -> 1 (2)": "all scales are the same if knots are evenly spaced",
    "inference/scores.py::ScoreSpline._backward: -1 -> 1": (
        "evenly spaced knots that end too early do not fit, so uneven ones are used; on a straight line they do fit"
    ),
    "inference/tabulated.py::module: 121 -> 122": "one more knot",
    "verdict/bayes_factor.py::paper_recipe: True -> False": (
        "both branches compute the same number; the other one also supports a density that is infinite at zero"
    ),
    "inference/tabulated.py::Tabulated._grid: 8.0 -> 9.0": "the probability beyond a normal score of 8 is 6e-16",
    "verdict/rope.py::decide: hdi.middle < middle -> hdi.middle <= middle": ("equal midpoints were handled before"),
    "inference/tabulated.py::Tabulated.quantile: 40 -> 41 (2)": "no double-precision number lies beyond a "
    "normal score of 40",
    "verdict/bayes_factor.py::_exp: log < 709 -> log <= 709": "differs only at exactly 709",
}
