"""What every distribution promises, asked of every class alike, against SciPy's laws and closed forms."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import integrate, stats

from outclass.errors import InputError
from outclass.inference.beta import logit_beta
from outclass.inference.bounded import BoundedStudent
from outclass.inference.closed import BetaLaw, LogOddsLaw, OddsLaw, _excess
from outclass.inference.curves import Fraction, Shifted
from outclass.inference.derived import NoLaw, Scaled, Truncated, truncated
from outclass.inference.distribution import Distribution, Interval, numerical_error
from outclass.inference.draws import Draws
from outclass.inference.grid import GridLaw, StudentLaw
from outclass.inference.mixture import Mixture
from outclass.inference.mode import mode_of
from outclass.inference.nodes import Nodes
from outclass.inference.normals import Normals
from outclass.inference.tabulated import Tabulated, independent_difference

LINE = Interval(-math.inf, math.inf)


class _Moved:
    """The law of an increasing function of a variate of SciPy's, by the change of variable."""

    def __init__(self, theirs: Any, forth: Any, back: Any, pace: Any) -> None:
        self._theirs, self._forth, self._back, self._pace = theirs, forth, back, pace

    def cdf(self, x: Any) -> Any:
        return self._theirs.cdf(self._back(x))

    def sf(self, x: Any) -> Any:
        return self._theirs.sf(self._back(x))

    def pdf(self, x: Any) -> Any:
        return self._theirs.pdf(self._back(x)) * self._pace(x)

    def ppf(self, p: Any) -> Any:
        return self._forth(self._theirs.ppf(p))


class _Cut:
    """A law of SciPy's, given that its value lies in a range."""

    def __init__(self, theirs: Any, low: float, high: float) -> None:
        self._theirs, self._low, self._high = theirs, low, high
        self._mass = theirs.cdf(high) - theirs.cdf(low)

    def cdf(self, x: Any) -> Any:
        return (self._theirs.cdf(np.clip(x, self._low, self._high)) - self._theirs.cdf(self._low)) / self._mass

    def sf(self, x: Any) -> Any:
        return (self._theirs.sf(np.clip(x, self._low, self._high)) - self._theirs.sf(self._high)) / self._mass

    def pdf(self, x: Any) -> Any:
        inside = (np.asarray(x) >= self._low) & (np.asarray(x) <= self._high)
        return np.where(inside, self._theirs.pdf(x) / self._mass, 0.0)

    def ppf(self, p: Any) -> Any:
        return self._theirs.ppf(self._theirs.cdf(self._low) + self._mass * np.asarray(p))


class _Mixed:
    """A mixture of normal laws, SciPy's."""

    def __init__(self, weights: Any, means: Any, stds: Any) -> None:
        self._weights, self._parts = weights, [stats.norm(*each) for each in zip(means, stds, strict=True)]

    def _sum(self, name: str, x: Any) -> Any:
        return sum(weight * getattr(part, name)(x) for weight, part in zip(self._weights, self._parts, strict=True))

    def cdf(self, x: Any) -> Any:
        return self._sum("cdf", x)

    def sf(self, x: Any) -> Any:
        return self._sum("sf", x)

    def pdf(self, x: Any) -> Any:
        return self._sum("pdf", x)


@dataclass(frozen=True)
class _Case:
    """A distribution, an independent one that it should equal, and how nearly it does (relative to itself)."""

    law: Distribution
    theirs: Any
    support: Interval
    method: str
    close: float = 1e-9
    deep: float = 1e-6  # of probabilities of 1e-12
    moments: float = 1e-7


def _odds(a: float, b: float, factor: float) -> _Moved:
    return _Moved(
        stats.beta(a, b),
        lambda y: factor * y / (factor * y + 1 - y),
        lambda x: x / (x + factor * (1 - x)),
        lambda x: factor / (x + factor * (1 - x)) ** 2,
    )


def _log_odds(a: float, b: float) -> _Moved:
    """ln(F a / b) of SciPy's F with 2a and 2b degrees of freedom."""
    return _Moved(
        stats.f(2 * a, 2 * b),
        lambda y: np.log(y * a / b),
        lambda x: np.exp(x) * b / a,
        lambda x: np.exp(x) * b / a,
    )


def _mixture(a: float, b: float, sign: int = 1, *, method: Any = "quadrature") -> Mixture:
    """R ~ Beta(a, b) itself, or 1 - r."""
    one = np.ones((1, 1))
    line = Fraction(0 * one, one, one, 0 * one)
    curve = line if sign == 1 else Shifted(line, -1, one)
    nodes = Nodes(np.zeros((1, 1, 1)), np.ones(1), method)
    return Mixture(curve, logit_beta(a, b), nodes, support=Interval(0, 1))


def _tabulated(theirs: Any, low: float, high: float) -> Tabulated:
    return Tabulated.of(theirs.cdf, theirs.pdf, Interval(low, high), theirs.mean(), theirs.std())


# sinh of t, half N(1, 1) and half N(-1, 1): its log density is -t**2 / 2 less a constant: exact in a spline.
SINH = _Moved(_Mixed([0.5, 0.5], [-1, 1], [1, 1]), np.sinh, np.arcsinh, lambda x: 1 / np.hypot(1, x))
UNIT, EXACTLY, SUMMED = Interval(0, 1), "closed form", "quadrature"
WEIGHTS, MEANS, STDS = np.array([0.7, 0.3]), np.array([0.0, 0.5]), np.array([0.1, 0.2])
# Made anew for each test: what a distribution remembers would hide which tests reach it.
CASES: dict[str, Callable[[], _Case]] = {
    "beta": lambda: _Case(BetaLaw(3, 7), stats.beta(3, 7), UNIT, EXACTLY),
    "beta, turned": lambda: _Case(
        BetaLaw(3, 7, -2, 1.5), stats.beta(7, 3, -0.5, 2), Interval(-0.5, 1.5), EXACTLY, deep=1e-3
    ),
    "beta, moved": lambda: _Case(
        BetaLaw(9, 4, 0.5, -3), stats.beta(9, 4, -3, 0.5), Interval(-3, -2.5), EXACTLY, deep=1e-3
    ),
    "beta, large": lambda: _Case(BetaLaw(2e4, 3e4), stats.beta(2e4, 3e4), UNIT, EXACTLY, 1e-8),
    "odds": lambda: _Case(OddsLaw(3, 7, 2.0), _odds(3, 7, 2.0), UNIT, EXACTLY),
    "odds, less": lambda: _Case(OddsLaw(9, 4, 0.3), _odds(9, 4, 0.3), UNIT, EXACTLY),
    "log odds": lambda: _Case(LogOddsLaw(3, 7), _log_odds(3, 7), LINE, EXACTLY),
    "log odds, skew": lambda: _Case(LogOddsLaw(9, 2), _log_odds(9, 2), LINE, EXACTLY),
    "student": lambda: _Case(StudentLaw(5, 0.3, 0.1), stats.t(5, 0.3, 0.1), LINE, EXACTLY),
    "grid": lambda: _Case(GridLaw(lambda x: 3 - 0.5 * np.arcsinh(x) ** 2, 0, 1), SINH, LINE, SUMMED, 1e-7, 1e-3, 1e-6),
    "cut": lambda: _Case(
        Truncated(BetaLaw(3, 7), Interval(0.1, 0.6)),
        _Cut(stats.beta(3, 7), 0.1, 0.6),
        Interval(0.1, 0.6),
        EXACTLY,
        deep=1e-3,
        moments=1e-5,
    ),
    "cut at the peak": lambda: _Case(
        Truncated(StudentLaw(5, 1.0, 2.0), Interval(1.0, 4.0)),
        _Cut(stats.t(5, 1, 2), 1, 4),
        Interval(1, 4),
        EXACTLY,
        deep=2e-3,
        moments=1e-5,
    ),
    "stretched": lambda: _Case(
        Scaled(BetaLaw(3, 7, 2, -0.5), 2.5), stats.beta(3, 7, -1.25, 5), Interval(-1.25, 3.75), EXACTLY, deep=1e-3
    ),
    "turned round": lambda: _Case(
        Scaled(BetaLaw(3, 7), -2, 1), stats.beta(7, 3, -1, 2), Interval(-1, 1), EXACTLY, deep=1e-3
    ),
    "shrunk": lambda: _Case(Scaled(StudentLaw(7, 4, 2), 0.25), stats.t(7, 1, 0.5), LINE, EXACTLY),
    "normals": lambda: _Case(Normals(WEIGHTS, MEANS, STDS), _Mixed(WEIGHTS, MEANS, STDS), LINE, SUMMED),
    "table": lambda: _Case(_tabulated(stats.beta(5, 3), 0, 1), stats.beta(5, 3), UNIT, SUMMED, 2e-6, 1e-4, 1e-6),
    "table, line": lambda: _Case(_tabulated(stats.norm(2, 3), *LINE), stats.norm(2, 3), LINE, SUMMED, 1e-7, 1e-6, 1e-7),
    "mixture": lambda: _Case(_mixture(9.0, 4.0), stats.beta(9, 4), UNIT, SUMMED, 2e-6, 1e-3, 1e-6),
    "mixture, falling": lambda: _Case(_mixture(9.0, 4.0, -1), stats.beta(4, 9), UNIT, SUMMED, 2e-6, 1e-3, 1e-6),
    "mixture, random": lambda: _Case(
        _mixture(30.0, 20.0, method="sobol"), stats.beta(30, 20), UNIT, "sobol", 2e-6, 1e-2, 2e-5
    ),
}
P = np.array([1e-6, 1e-3, 0.025, 0.2, 0.5, 0.9, 0.995, 1 - 1e-6])


def _where(case: _Case, p: Any) -> np.ndarray:
    """Where the other law reaches shares; by bisection where SciPy has no quantiles of it."""
    if not hasattr(case.theirs, "ppf") or isinstance(getattr(case.theirs, "_theirs", None), _Mixed):
        return np.asarray([_bisected(case.theirs.cdf, float(each)) for each in np.ravel(p)]).reshape(np.shape(p))
    return np.asarray(case.theirs.ppf(p))


def _bisected(cdf: Any, p: float, low: float = -1e4, high: float = 1e4) -> float:
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if cdf(middle) < p else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize("name", CASES)
def test_cdf(name: str) -> None:
    """P(value <= x) is the other law's, between the ends and beyond them."""
    case = CASES[name]()
    x = _where(case, P)

    assert case.law.cdf(x) == pytest.approx(case.theirs.cdf(x), rel=10 * case.close, abs=case.close)
    assert case.law.cdf([-math.inf, math.inf]) == pytest.approx([0, 1], abs=1e-14)
    assert np.all(np.diff(case.law.cdf(np.sort(x))) > 0)
    for beyond, share in ((case.support.low - 0.3, 0.0), (case.support.high + 0.3, 1.0)):
        if math.isfinite(beyond):
            assert float(case.law.cdf(beyond)) == pytest.approx(share, abs=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_pdf(name: str) -> None:
    """The density is the other law's and the slope of its own cdf; beyond the ends there is none."""
    case = CASES[name]()
    x = _where(case, P)
    inner, step = x[2:7], 1e-4 * case.law.std
    slopes = (case.law.cdf(inner + step) - case.law.cdf(inner - step)) / (2 * step)

    assert case.law.pdf(x) == pytest.approx(case.theirs.pdf(x), rel=1000 * case.close)
    assert case.law.pdf(inner) == pytest.approx(slopes, rel=1e-4)
    assert np.all(case.law.pdf([-math.inf, math.inf]) == 0)
    for beyond in (case.support.low - 0.3, case.support.high + 0.3):
        if math.isfinite(beyond):
            assert case.law.pdf(beyond) == 0


@pytest.mark.parametrize("name", CASES)
def test_quantile(name: str) -> None:
    """Quantiles are the other law's; a share of 0 or 1 leads to the ends; shares of 1e-12 lead back to themselves."""
    case = CASES[name]()
    x = case.law.quantile(P)
    scale = case.law.std

    assert x == pytest.approx(_where(case, P), rel=1e-6, abs=max(1e-9, 100 * case.close) * scale)
    deep = case.law.quantile(1e-12)
    assert float(case.law.cdf(deep)) == pytest.approx(1e-12, rel=max(case.deep, 1e-9), abs=0)
    if name not in ("grid",):  # whose last point stands for the end
        assert case.law.quantile([0.0, 1.0]).tolist() == pytest.approx(list(case.support))
    assert case.law.quantile(1 - 1e-12) > x[-1]


@pytest.mark.parametrize("name", CASES)
def test_shapes(name: str) -> None:
    """A number has no shape, a table of numbers its own, value by value; an empty one is empty."""
    law = CASES[name]().law
    p = np.array([[0.1, 0.7, 0.3], [0.5, 0.2, 0.9]])
    x = law.quantile(p)

    assert x.shape == law.cdf(x).shape == law.pdf(x).shape == (2, 3)
    assert np.shape(law.quantile(0.4)) == np.shape(law.cdf(0.4)) == np.shape(law.pdf(0.4)) == ()
    assert law.cdf([]).shape == law.pdf([]).shape == law.quantile([]).shape == (0,)
    assert x[1, 2] == pytest.approx(float(law.quantile(0.9)), rel=1e-12)
    assert law.cdf(x)[0, 2] == pytest.approx(float(law.cdf(x[0, 2])), rel=1e-12)
    assert law.pdf(x)[1, 1] == pytest.approx(float(law.pdf(x[1, 1])), rel=1e-12)
    assert law.cdf(x.tolist()) == pytest.approx(p, abs=2e-6)


@pytest.mark.parametrize("name", CASES)
def test_probability(name: str) -> None:
    """Of an interval: the other law's, on either side, with ends on the support, beyond it, and infinite."""
    case = CASES[name]()
    law, (low, high) = case.law, case.support
    x = _where(case, P)
    cdf = case.theirs.cdf

    for first, last in ((2, 5), (0, 3), (4, 6), (5, 6), (6, 7)):
        expected = cdf(x[last]) - cdf(x[first])
        assert law.probability(x[first], x[last]) == pytest.approx(expected, abs=10 * case.close)
    assert law.probability(low, x[3]) == pytest.approx(cdf(x[3]), abs=10 * case.close)
    assert law.probability(x[3], high) == pytest.approx(case.theirs.sf(x[3]), abs=10 * case.close)
    assert law.probability(-math.inf, x[5]) == pytest.approx(cdf(x[5]), abs=10 * case.close)
    assert law.probability(x[5], math.inf) == pytest.approx(case.theirs.sf(x[5]), abs=10 * case.close)
    assert law.probability(low, high) == pytest.approx(1, abs=1e-12)
    assert law.probability(-math.inf, math.inf) == pytest.approx(1, abs=1e-12)
    assert law.probability(x[4], x[4]) == 0
    if math.isfinite(low):
        assert law.probability(low - 2, low - 1) == law.probability(high + 1, high + 2) == 0
        assert law.probability(low - 2, x[4]) == pytest.approx(cdf(x[4]), abs=10 * case.close)
        assert law.probability(x[4], high + 2) == pytest.approx(case.theirs.sf(x[4]), abs=10 * case.close)
        assert law.probability(low - 1, low) == pytest.approx(0, abs=1e-14)
        assert law.probability(high, high + 1) == pytest.approx(0, abs=1e-14)


def _moments(case: _Case) -> tuple[float, float]:
    """The mean and std of the other law, by SciPy's quadrature over its quantile range."""
    ends = _where(case, np.array([1e-15, 0.01, 0.5, 0.99, 1 - 1e-15]))
    pieces = list(pairwise(ends))
    pdf = case.theirs.pdf

    def total(of: Any) -> float:
        return float(sum(integrate.fixed_quad(lambda x: of(x) * pdf(x), *piece, n=80)[0] for piece in pieces))

    mean = total(lambda x: x)
    return mean, math.sqrt(total(lambda x: (x - mean) ** 2))


@pytest.mark.parametrize("name", CASES)
def test_moments(name: str) -> None:
    """Mean and std are integrals of the other law's density; of Student's t by SciPy, whose tails are too long."""
    case = CASES[name]()
    if isinstance(case.law, StudentLaw) or name == "shrunk":
        mean, std = case.theirs.mean(), case.theirs.std()
    elif name == "grid":  # E sinh(t)**2 = (E cosh(2t) - 1) / 2
        mean, std = 0.0, math.sqrt((math.exp(2) * math.cosh(2) - 1) / 2)
    else:
        mean, std = _moments(case)

    assert case.law.mean == pytest.approx(mean, abs=case.moments * 10 * std)
    assert case.law.std == pytest.approx(std, rel=case.moments * 100)


@pytest.mark.parametrize("mass", [0.3, 0.95, 0.999])
@pytest.mark.parametrize("name", CASES)
def test_hdi(name: str, mass: float) -> None:
    """The interval holds its mass by the other law, lies within the support, and none of this mass is shorter."""
    case = CASES[name]()
    law = case.law
    low, high = law.hdi(mass)
    starts = (1 - mass) * np.linspace(0, 1, 41)
    others = law.quantile(np.minimum(starts + mass, 1.0)) - law.quantile(starts)
    at_low, at_high = case.theirs.pdf(low), case.theirs.pdf(high)

    assert case.theirs.cdf(high) - case.theirs.cdf(low) == pytest.approx(mass, abs=1e-5)
    assert case.support.low <= low < high <= case.support.high
    assert high - low <= others.min() * (1 + 1e-6)
    if name == "cut at the peak":
        assert low == pytest.approx(1, abs=1e-5)
    elif low > case.support.low + 1e-9:
        assert at_low == pytest.approx(at_high, abs=2e-3 * float(case.theirs.pdf(mode_of(law))))


@pytest.mark.parametrize("name", CASES)
def test_hdi_of_the_usual_mass(name: str) -> None:
    """95% is the default, and a mass that no interval holds is refused by every class."""
    law = CASES[name]().law

    assert law.hdi() == pytest.approx(law.hdi(0.95), rel=1e-12)
    for mass in (0.0, 1.0, -0.5, 2.0, math.nan):
        with pytest.raises(InputError, match=r"must lie in \(0, 1\)"):
            law.hdi(mass)


@pytest.mark.parametrize("name", CASES)
def test_sample(name: str) -> None:
    """Draws follow the other law (Kolmogorov-Smirnov, 1 in 10,000), are as many as asked for, and repeat by seed."""
    case = CASES[name]()
    draws = case.law.sample(1500, np.random.default_rng(3))

    assert draws.shape == (1500,)
    assert stats.kstest(draws, case.theirs.cdf).pvalue > 1e-4
    assert np.array_equal(draws, case.law.sample(1500, np.random.default_rng(3)))
    assert not np.array_equal(draws, case.law.sample(1500, np.random.default_rng(4)))
    assert np.all((draws >= case.support.low) & (draws <= case.support.high))


@pytest.mark.parametrize("name", CASES)
def test_names_ends_and_modes(name: str) -> None:
    """How it is computed, where it can lie, and where its density is highest."""
    case = CASES[name]()
    mode = mode_of(case.law)
    near = mode + case.law.std * np.array([-0.05, 0.05])

    assert case.law.method == case.method
    assert case.law.support == pytest.approx(case.support)
    assert isinstance(case.law.support, Interval)
    assert np.all(case.theirs.pdf(mode) >= case.theirs.pdf(near))


@pytest.mark.parametrize("name", CASES)
def test_errors_are_small_and_told(name: str) -> None:
    """The numerical error of what is exact, or nearly, is told: of each number one, above zero and below 1e-4."""
    law = CASES[name]().law
    if isinstance(law, Mixture):  # by a coarser one: here the same
        law = Mixture(law.curve, law.law, law.nodes, support=law.support, coarser=lambda: _mixture(9.0, 4.0))
        assert np.all(numerical_error(law, lambda part: [part.std]) == 5e-8 + abs(law.std - _mixture(9.0, 4.0).std))
        return
    x = float(law.quantile(0.3))
    found = numerical_error(law, lambda part: [part.mean, float(part.cdf(x)), part.probability(x, x + law.std)])

    assert found.shape == (3,)
    assert np.all((found > 0) & (found < 1e-4 * max(1.0, law.std)))
    assert all(type(part) is type(law) for part in law.replicates())
    assert [part.support for part in law.replicates()] == [law.support]


def test_grid_law_to_its_last_digits() -> None:
    """Where the spline is exact, the rule of integration alone is left, with its end correction good to 1e-9."""
    law = GridLaw(lambda x: -0.5 * np.arcsinh((x - 3) / 2) ** 2, 3, 2, points=61)
    x = np.array([-8.0, -3.0, 0.0, 1.5, 2.9, 3.3, 5.0, 12.0])

    assert law.cdf(x) == pytest.approx(SINH.cdf((x - 3) / 2), abs=2e-9)
    assert law.pdf(x) == pytest.approx(SINH.pdf((x - 3) / 2) / 2, rel=1e-8)
    assert law.probability(5.0, 12.0) == pytest.approx(SINH.cdf(4.5) - SINH.cdf(1.0), abs=2e-9)
    assert law.quantile(SINH.cdf((x - 3) / 2)) == pytest.approx(x, abs=1e-6)
    assert law.mean == pytest.approx(3, abs=1e-9)
    assert law.std == pytest.approx(2 * math.sqrt((math.exp(2) * math.cosh(2) - 1) / 2), rel=1e-6)


def test_grid_law_up_to_its_ends() -> None:
    """A flat density between -1 and 1, -inf elsewhere, is flat up to its last points, and nothing beyond."""
    law = GridLaw(lambda x: np.where(np.abs(x) <= 1, 0.0, -np.inf), 0.0, 1.0, points=1801)
    last = float(np.sinh(np.arcsinh(1.0) // 0.01 * 0.01))  # the last point of the grid within
    inside = np.array([-1, -0.999, -0.5, 0.0, 0.5, 0.999, 1]) * last

    assert law.pdf(inside * (1 - 1e-9)) == pytest.approx(np.full(7, 0.5 / last), rel=1e-6)
    assert law.cdf(inside) == pytest.approx((1 + inside / last) / 2, abs=1e-7)
    assert law.pdf([-last - 1e-6, last + 1e-6]).tolist() == [0, 0]
    assert law.quantile([0.0, 0.001, 0.25, 0.999, 1.0]) == pytest.approx(
        last * np.array([-1, -0.998, -0.5, 0.998, 1]), abs=1e-6
    )
    assert law.mean == pytest.approx(0, abs=1e-9)


def test_grid_law_drops_what_cannot_be_seen() -> None:
    """Of a density that falls by more than exp(700) the far points are left out, infinite ones too."""
    law = GridLaw(lambda x: np.where(x > 400, -np.inf, -0.5 * x * x), 0.0, 1.0, points=401)

    assert law._t[-1] < np.arcsinh(38)  # exp(-38**2 / 2) is exp(-722)
    assert law._t[0] > -np.arcsinh(38)
    assert law.cdf([-1.0, 0.0, 2.0]) == pytest.approx(stats.norm.cdf([-1, 0, 2]), abs=1e-6)
    assert law.std == pytest.approx(1, rel=1e-6)


# --- Student's t, held to a range -----------------------------------------------------------------------------


T, THEIRS = StudentLaw(5, 0.8, 0.2), stats.t(5, 0.8, 0.2)
HELD = BoundedStudent(T, Interval(0.0, 1.0))


def test_bounded_student_within() -> None:
    """Inside the range it is Student's t; below nothing, and from the upper end on all."""
    x = np.array([0.0, 0.3, 0.8, 0.999])

    assert HELD.cdf(x) == pytest.approx(THEIRS.cdf(x), abs=1e-12)
    assert HELD.cdf([-0.1, -math.inf]).tolist() == [0, 0]
    assert HELD.cdf([1.0, 1.1, math.inf]).tolist() == [1, 1, 1]
    assert HELD.pdf([0.0, 0.3, 1.0]) == pytest.approx(THEIRS.pdf([0.0, 0.3, 1.0]), rel=1e-12)
    assert HELD.pdf([-0.01, 1.01]).tolist() == [0, 0]
    assert HELD.method == "closed form"
    assert HELD.support == (0, 1)


def test_bounded_student_on_its_bounds() -> None:
    """What would lie outside lies on the bounds: quantiles, probabilities and draws."""
    p = np.array([0.0, 1e-9, 0.3, 0.7, 0.99, 1.0])
    draws = HELD.sample(4000, np.random.default_rng(2))

    assert HELD.quantile(p) == pytest.approx(np.clip(THEIRS.ppf(p), 0, 1), abs=1e-12)
    assert HELD.probability(1.0, 1.0) == pytest.approx(THEIRS.sf(1), rel=1e-9)
    assert HELD.probability(0.0, 0.0) == pytest.approx(THEIRS.cdf(0), rel=1e-9)
    assert HELD.probability(0.5, 2.0) == pytest.approx(THEIRS.sf(0.5), rel=1e-9)
    assert HELD.probability(0.5, 0.9) == pytest.approx(THEIRS.cdf(0.9) - THEIRS.cdf(0.5), rel=1e-9)
    assert HELD.probability(-3.0, 0.5) == pytest.approx(THEIRS.cdf(0.5), rel=1e-9)
    assert HELD.probability(0.0, 1.0) == 1
    assert HELD.probability(1.5, 2.0) == HELD.probability(-2.0, -0.5) == 0
    assert np.mean(draws == 1) == pytest.approx(THEIRS.sf(1), abs=4 * math.sqrt(0.18 * 0.82 / 4000))
    assert draws.min() >= 0


def test_bounded_student_moments_and_interval() -> None:
    """The interval is that of t, cut; the std that of clipped t, by quadrature; the mean its centre, in the range."""
    inner = integrate.quad(lambda x: x * THEIRS.pdf(x), 0, 1)[0] + THEIRS.sf(1)
    square = integrate.quad(lambda x: (x - inner) ** 2 * THEIRS.pdf(x), 0, 1)[0]
    square += (1 - inner) ** 2 * THEIRS.sf(1) + inner**2 * THEIRS.cdf(0)

    assert HELD.mean == 0.8
    assert BoundedStudent(StudentLaw(5, 1.3, 0.2), Interval(0, 1)).mean == 1
    assert BoundedStudent(StudentLaw(5, -0.3, 0.2), Interval(0, 1)).mean == 0
    assert HELD.std == pytest.approx(math.sqrt(square), rel=1e-3)
    assert HELD.hdi(0.5) == pytest.approx(THEIRS.interval(0.5), abs=1e-9)
    assert HELD.hdi() == pytest.approx((THEIRS.ppf(0.025), 1), abs=1e-9)
    assert HELD.replicates() == [HELD]
    assert HELD.error(np.zeros(3), np.zeros((1, 3))).tolist() == [1e-12] * 3
    for mass in (0.0, 1.0, math.nan):
        with pytest.raises(InputError, match=r"\(0, 1\)"):
            HELD.hdi(mass)


# --- made from another law ------------------------------------------------------------------------------------


def test_no_law_says_nothing() -> None:
    """Every number is nan, of the shape that was asked for; its range is kept, and a false mass is refused."""
    law = NoLaw(Interval(-1, 1))
    nothing = [law.cdf([[0.1, 0.2]]), law.pdf([[0.1, 0.2]]), law.quantile([[0.1, 0.2]])]

    assert all(found.shape == (1, 2) and np.isnan(found).all() for found in nothing)
    assert np.isnan(law.cdf(0.1)).shape == np.isnan(law.quantile(0.1)).shape == ()
    assert np.isnan([law.mean, law.std, law.probability(-1, 1), *law.hdi(), *law.hdi(0.5)]).all()
    assert isinstance(law.hdi(), Interval)
    draws = law.sample(7, np.random.default_rng(1))
    assert draws.shape == (7,)
    assert np.isnan(draws).all()
    assert law.method == "none"
    assert law.support == (-1, 1)
    assert law.replicates() == [law]
    errors = law.error(np.zeros(3), np.zeros((1, 3)))
    assert errors.shape == (3,)
    assert np.isnan(errors).all()
    for mass in (0.0, 1.0, math.nan):
        with pytest.raises(InputError, match=r"\(0, 1\)"):
            law.hdi(mass)


def test_truncated_only_where_something_is_outside() -> None:
    """A law within the range is itself, a point too; any other is cut, from above or from below."""
    within, point = BetaLaw(3, 7), StudentLaw(5, 3.0, 0.0)

    assert truncated(within, Interval(0, 1)) is within
    assert truncated(within, Interval(-1, 2)) is within
    assert truncated(point, Interval(0, 1)) is point
    for support in (Interval(0.1, 1), Interval(0, 0.6), Interval(0.1, 0.6)):
        found = truncated(within, support)
        assert isinstance(found, Truncated)
        assert found.law is within
        assert found.support == support
    assert truncated(StudentLaw(1e9, 0.5, 0.1), Interval(-0.5, 1.5)).method == "closed form"  # ten stds


def test_cut_draws() -> None:
    """Of draws, some on the bound itself: the share of those within, and nothing beyond the bound."""
    draws = Draws(np.array([[0.0, 0.1, 0.2, 0.2, 0.3], [0.4, 0.6, 0.6, 0.8, 0.9]]), Interval(0, 1))
    law = Truncated(draws, Interval(0.2, 0.6))

    assert law.probability(0.65, 0.9) == law.probability(0.0, 0.1) == 0
    assert law.method == "draws"
    assert float(law.cdf(0.6)) == 1
    (first, second) = law.replicates()
    assert isinstance(first, Truncated)
    assert first.support == second.support == (0.2, 0.6)
    assert first.law.mean == pytest.approx(0.16)  # type: ignore[attr-defined]
    numbers = np.array([[1.0, 5.0], [2.0, 5.5]])
    assert law.error(np.zeros(2), numbers) == pytest.approx(draws.error(np.zeros(2), numbers), rel=1e-12)


def test_stretched_draws() -> None:
    """Twice the draws are the draws of twice the value, and so are their replicates and errors."""
    rng = np.random.default_rng(9)
    values = rng.beta(3, 7, (4, 500)) - 0.5
    ours = Scaled(Draws(values, Interval(-0.5, 0.5)), 4.0)
    theirs = Draws(4 * values, Interval(-2, 2))

    assert ours.support == theirs.support
    assert ours.hdi(0.9) == pytest.approx(theirs.hdi(0.9), rel=1e-12)
    assert ours.probability(-1.0, 0.1) == theirs.probability(-1.0, 0.1)
    assert ours.quantile([0.1, 0.9]) == pytest.approx(theirs.quantile([0.1, 0.9]), rel=1e-12)
    assert ours.pdf([-1.0, 0.3]) == pytest.approx(theirs.pdf([-1.0, 0.3]), rel=1e-9)
    assert [part.mean for part in ours.replicates()] == pytest.approx([part.mean for part in theirs.replicates()])
    found, expected = (numerical_error(law, lambda part: [part.mean, part.std]) for law in (ours, theirs))
    assert found == pytest.approx(expected, rel=1e-9)
    assert np.array_equal(ours.sample(5, np.random.default_rng(1)), theirs.sample(5, np.random.default_rng(1)))


# --- far out ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b"), [(0.5, 2e4), (3.0, 2e4), (2e4, 0.7), (2e4, 3e4), (12.0, 5.0), (1e18, 1e15), (1e15, 1e18)]
)
def test_log_odds_density_is_mpmaths(a: float, b: float) -> None:
    """The density of log odds, whatever the counts and hundreds of units out, is mpmath's at 50 digits."""
    law = LogOddsLaw(a, b)
    x = [law.mean + law.std * each for each in (-5.0, -1.0, 0.0, 0.5, 4.0)]
    x += [-800.0] if a < 1 else [800.0] if b < 1 else []
    with mpmath.workdps(50):
        one, other = mpmath.mpf(a), mpmath.mpf(b)
        beta = mpmath.loggamma(one) + mpmath.loggamma(other) - mpmath.loggamma(one + other)
        logs = [
            -one * mpmath.log1p(mpmath.exp(-mpmath.mpf(t))) - other * mpmath.log1p(mpmath.exp(mpmath.mpf(t))) for t in x
        ]
        expected = [float(mpmath.exp(each - beta)) for each in logs]

    assert law.pdf(x) == pytest.approx(expected, rel=1e-9 if a + b < 1e9 else 1e-6, abs=0)
    assert law.pdf([-math.inf, math.inf]).tolist() == [0, 0]


@pytest.mark.parametrize("law", [LogOddsLaw(3, 7), StudentLaw(5, 0.3, 0.1), CASES["table, line"]().law])
def test_small_tails_keep_their_digits(law: Distribution) -> None:
    """Above the middle a probability is a difference of upper tails: a narrow interval's is its density's integral."""
    at = float(law.quantile(0.5)) + 8 * law.std
    width = 1e-3 * law.std
    expected = integrate.fixed_quad(law.pdf, at, at + width, n=5)[0]

    assert law.probability(at, at + width) == pytest.approx(expected, rel=1e-4, abs=0)


def test_student_far_out() -> None:
    """A share of 0 is reached at minus infinity, and infinitely far out there is no density."""
    law = StudentLaw(3, 1.0, 2.0)

    assert law.quantile([0.0, 0.5, 1.0]).tolist() == [-math.inf, 1.0, math.inf]
    assert law.pdf([-math.inf, math.inf]).tolist() == [0, 0]
    assert law.mode == 1.0
    assert mode_of(law) == 1.0
    assert law.method == "closed form"
    assert law.support == LINE


def test_differences_of_unlike_laws() -> None:
    """A difference with a law on the whole line has no ends; that of two normal laws is normal."""
    law = independent_difference(StudentLaw(1e9, 1.0, 0.3), StudentLaw(1e9, 0.6, 0.4))
    theirs = stats.norm(0.4, 0.5)
    x = theirs.ppf(P)

    assert law.support == LINE
    assert law.cdf(x) == pytest.approx(P, abs=1e-7)
    assert law.pdf(x) == pytest.approx(theirs.pdf(x), rel=1e-5)
    assert law.method == "quadrature"
    assert law.hdi(0.8) == pytest.approx(theirs.interval(0.8), abs=1e-5)


@pytest.mark.parametrize(
    ("a", "b", "factor", "x"), [(2.0, 0.5, 1e-18, 0.5), (0.5, 2.0, 1e18, 0.5), (2.0, 3.0, 1.5, 1e-20)]
)
def test_odds_densities_at_the_edge_are_mpmaths(a: float, b: float, factor: float, x: float) -> None:
    """Where the Beta variate, or what it lacks to one, is 1e-18, each is used to its own last digit."""
    with mpmath.workdps(60):
        at, times = mpmath.mpf(x), mpmath.mpf(factor)
        whole = at + times * (1 - at)
        logs = (a - 1) * mpmath.log(at / whole) + (b - 1) * mpmath.log(times * (1 - at) / whole)
        expected = mpmath.exp(logs) / mpmath.beta(a, b) * times / whole**2

    assert float(OddsLaw(a, b, factor).pdf(x)) == pytest.approx(float(expected), rel=1e-12, abs=0)


@pytest.mark.parametrize(("a", "b"), [(0.5, 2.0), (1.5, 5e4), (5e4, 1.5), (3.0, 2e4)])
def test_beta_densities_of_unlike_counts_are_mpmaths(a: float, b: float) -> None:
    """A small count beside a large one, and values of 1e-20."""
    law = BetaLaw(a, b)
    x = [*law.quantile([1e-4, 0.3, 0.9]).tolist(), 1e-20]
    with mpmath.workdps(60):
        expected = [mpmath.mpf(v) ** (a - 1) * (1 - mpmath.mpf(v)) ** (b - 1) / mpmath.beta(a, b) for v in x]

    assert law.pdf(x) == pytest.approx([float(each) for each in expected], rel=1e-9, abs=0)


def test_what_a_logarithm_lacks() -> None:
    """The difference t - log(1 + t) near zero, where the terms cancel, and further out: mpmath's."""
    t = np.array([-0.9, -0.3, -9.9e-4, -1e-4, -1e-9, 1e-30, 1e-7, 5e-4, 9.9e-4, 2.0, 1e3])
    with mpmath.workdps(60):
        expected = [float(mpmath.mpf(v) - mpmath.log1p(mpmath.mpf(v))) for v in t.tolist()]

    assert _excess(t) == pytest.approx(expected, rel=5e-15, abs=0)


@pytest.mark.parametrize("law", [OddsLaw(1, 1, 2.0), BetaLaw(2, 2), Truncated(BetaLaw(2, 2), Interval(0.25, 0.75))])
def test_densities_end_with_the_range(law: Distribution) -> None:
    """The ends belong to the range, a hair beyond them there is nothing."""
    low, high = law.support
    inside = {OddsLaw: [0.5, 2.0], BetaLaw: [0.0, 0.0], Truncated: [1.125 / 0.6875, 1.125 / 0.6875]}[type(law)]

    assert law.pdf([low, high]) == pytest.approx(inside, abs=1e-12)
    assert law.pdf([low - 1e-9, high + 1e-9, low - 0.5, high + 0.5]).tolist() == [0, 0, 0, 0]


def test_points_have_no_spread() -> None:
    """Student's t of scale zero is a point, however few its degrees of freedom, up to shares of 0 and 1."""
    law = StudentLaw(0.5, 0.3, 0.0)

    assert law.std == 0
    assert law.mean == 0.3
    assert law.quantile([0.0, 0.5, 1.0]).tolist() == [0.3, 0.3, 0.3]
    assert law.sample(3, np.random.default_rng(1)).tolist() == [0.3, 0.3, 0.3]


@pytest.mark.parametrize("height", [-2000.0, 0.0, 2000.0])
def test_grid_law_whatever_the_height(height: float) -> None:
    """A log density is known up to a constant, which may be large."""
    law = GridLaw(lambda x: height - 0.5 * np.arcsinh(x) ** 2, 0, 1)

    assert law.cdf([-3.0, 0.0, 1.0]) == pytest.approx(SINH.cdf(np.array([-3.0, 0.0, 1.0])), abs=1e-7)
    assert float(law.pdf(0.5)) == pytest.approx(SINH.pdf(0.5), rel=1e-6)


def test_grid_law_keeps_both_tails() -> None:
    """Probabilities of 1e-13, and of narrow intervals there, are right relative to themselves on either side."""
    law = GridLaw(lambda x: -0.5 * np.arcsinh(x) ** 2, 0, 1, reach=12.0, points=241)
    near, far = math.sinh(8.2), math.sinh(8.5)
    above, further = (float(SINH.sf(x)) for x in (near, far))

    assert law.probability(near, math.inf) == pytest.approx(above, rel=1e-4, abs=0)
    assert law.probability(near, far) == pytest.approx(above - further, rel=1e-4, abs=0)
    assert law.probability(-math.inf, -near) == pytest.approx(above, rel=1e-4, abs=0)
    assert law.probability(-far, -near) == pytest.approx(above - further, rel=1e-4, abs=0)


def test_grid_law_within_its_last_steps() -> None:
    """A density x + sqrt(x**2 + 1) cut at -1 and 1 rises by exp(t) up to the very ends of the grid."""
    law = GridLaw(lambda x: np.where(np.abs(x) <= 1, np.arcsinh(x), -np.inf), 0.0, 1.0, points=181)
    ends = np.array([-0.8, 0.8])  # in t: the last points within arcsinh(1) = 0.881
    hair = np.array([0.002, -0.002])
    density = law.pdf(np.sinh(np.array([*(ends + hair), 0.0])))

    assert density[:2] / density[2] == pytest.approx(np.exp(ends + hair), rel=1e-9)
    assert law.pdf(np.sinh(ends - hair)).tolist() == [0, 0]
