"""Survivors that were read and found to change nothing that a user, or a test, could see; each with its reason."""

from typing import Final

_SIGNS: Final = "it is +1 or -1, by which one multiplies or divides alike"
_EDGE: Final = "differs at one single point only, where both branches give the same"
_MANY: Final = "how many values are looked at before the search, which ends at the same place"

EQUIVALENT: Final[dict[str, str]] = {
    "measures/averages.py::_mcc: spread_true > least -> spread_true >= least": (
        "equal only where there are no items, and then the share below is 0/0 and filled as well"
    ),
    "measures/averages.py::module: 1.0 -> 2.0 (3)": "the beta of a precision or a recall, which have none",
    "measures/fscores.py::module: 1 -> 2": "the rank of a family: two families of rank 2 keep the order of their names",
    "inference/closed.py::_mode: a > b -> a >= b": "equal parameters were answered before",
    "inference/curves.py::Shifted.rising: self.sign * self.fraction.rising -> self.sign / self.fraction.rising": _SIGNS,
    "inference/curves.py::OddsDifference.solve: x > 0 -> x >= 0": _EDGE,
    "inference/curves.py::FractionDifference.solve: r > 1 -> r <= 1": (
        "a monotone curve takes a value once: where the first root is inside, the other is not"
    ),
    "inference/curves.py::_clipped: from_one >= 0 -> from_one > 0": _EDGE,
    "inference/curves.py::_clipped: from_zero <= 0 -> from_zero < 0 (2)": _EDGE,
    "inference/curves.py::_clipped: 1 -> 2": "what is clipped is above 1 by rounding alone",
    "inference/draws.py::Draws.iid: 1 -> 2": "NumPy takes any negative length for the one to be found",
    "inference/grid.py::GridLaw.__init__: heights > heights.max() - 700 -> heights >= heights.max() - 700": (
        "differs where a density is e**-700 of the highest to the last digit"
    ),
    "inference/grid.py::GridLaw.pdf: t >= self._t[0] -> t > self._t[0]": (
        "differs at the first point of the grid only, where the density is e**-700 of the highest"
    ),
    "inference/grid.py::GridLaw.quantile: 3 -> 4": "a further Newton step from where three have ended",
    "inference/grid.py::GridLaw.quantile: 0 -> 1 (2)": (
        "between the first two points of the fine grid lies a probability of e**-700"
    ),
    "inference/hdi.py::polished: float(law.pdf(law.mean)) >= float(law.pdf(found.interval.low)) -> "
    "float(law.pdf(law.mean)) > float(law.pdf(found.interval.low))": (
        "equal for a flat law only, of which no interval is found before"
    ),
    "inference/hdi.py::_search: np.abs(found).max() < best[0] -> np.abs(found).max() <= best[0]": (
        "of two intervals that lack exactly the same either will do"
    ),
    "inference/hdi.py::shortest_by_cdf: 201 -> 202": "how many starts are looked at before the search",
    "inference/hdi.py::shortest_by_cdf: ends[0] < 0 < ends[1] -> ends[0] < 0 <= ends[1]": (
        "a tilt of exactly 0 at the end is the answer itself, which the bounded search has found"
    ),
    "inference/hdi.py::shortest_by_cdf: widths_of[p] <= best_width * (1 + 1e-05) -> "
    "widths_of[p] < best_width * (1 + 1e-05)": "differs where a width is a certain number to the last digit",
    "inference/replicates.py::At.above: 1.0 -> 2.0": "what is cut off is above 1 by rounding alone",
    "inference/mixture.py::Mixture._guesses: 6 -> 7": _MANY,
    "inference/mixture.py::Mixture._guesses: 6 -> 7 (2)": _MANY,
    "inference/mixture.py::Mixture._guesses: 121 -> 122": _MANY,
    "inference/mixture.py::Mixture.polished: found is None and self.nodes.is_grid -> "
    "found is None or self.nodes.is_grid": "computes a rough interval that is not used where a fine one was found",
    "inference/mixture.py::Mixture.adaptive: wanted <= 1 -> wanted < 1": (
        "differs where an error is the tolerance to the last digit"
    ),
    "inference/mode.py::mode_of: 65 -> 66": _MANY,
    "inference/scores.py::_Cubic.with_slope: self._scales[0] if self._even else self._scales[piece] -> "
    "self._scales[0] if False else self._scales[piece]": "on even knots all scales are the same",
    "inference/scores.py::_Cubic.with_slope: 0 -> 1 (2)": "on even knots all scales are the same",
    "inference/scores.py::ScoreSpline._backward: -1 -> 1": (
        "even knots that end too early do not fit, and the uneven ones are taken; on a straight line they do fit"
    ),
    "inference/tabulated.py::module: 121 -> 122": "one knot more",
    "inference/tabulated.py::Tabulated.of: below > TAIL / 10 -> below >= TAIL / 10": (
        "differs where a probability is 1e-12 to the last digit"
    ),
    "verdict/bayes_factor.py::paper_recipe: True -> False": (
        "two ways to the same number, of which the other also bears a density that is infinite at zero"
    ),
    "inference/tabulated.py::Tabulated._grid: 8.0 -> 9.0": "beyond a normal score of 8 lies a probability of 6e-16",
    "verdict/rope.py::decide: hdi.middle < middle -> hdi.middle <= middle": ("equal middles were answered before"),
    "inference/tabulated.py::Tabulated.quantile: 40 -> 41 (2)": "beyond a normal score of 40 there is no number",
    "verdict/bayes_factor.py::_exp: log < 709 -> log <= 709": "differs at 709 to the last digit",
}
