"""Bayes factors for equality: closed forms, hand computation, and what is said where there is no number."""

import math

import numpy as np
import pytest
from scipy import special, stats

from outclass.inference.closed import BetaLaw
from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.inference.grid import StudentLaw
from outclass.verdict import bayes_factor

ROPE = Interval(-0.05, 0.05)
LAW = BetaLaw(4, 3, 2, -1)
THEIRS = stats.beta(4, 3, loc=-1, scale=2)


def test_odds_of_a_region() -> None:
    """Inside against outside, by SciPy; a point has no odds; nothing outside is beyond all odds."""
    inside = THEIRS.cdf(0.05) - THEIRS.cdf(-0.05)

    assert bayes_factor.odds(LAW, ROPE) == pytest.approx(inside / (1 - inside), rel=1e-9)
    assert bayes_factor.odds(LAW, Interval(0.1, 0.1)) == 0
    assert bayes_factor.odds(LAW, Interval(-1, 1)) == math.inf


def test_odds_of_draws() -> None:
    """No draw among ten beyond the region weighs a tenth at most, and none within it, too."""
    law = Draws(np.linspace(0.1, 0.4, 10).reshape(2, 5), Interval(-1, 1))

    assert bayes_factor.odds(law, Interval(-0.5, 0.5)) == pytest.approx(1 / 0.1)
    assert bayes_factor.odds(law, ROPE) == pytest.approx(0.1 / 1)
    assert bayes_factor.odds(law, Interval(-0.05, 0.21)) == pytest.approx(0.4 / 0.6)
    # A point has no odds, be there draws at it or not.
    assert bayes_factor.odds(Draws(np.zeros((2, 5)), Interval(-1, 1)), Interval(0, 0)) == 0


def test_odds_that_are_none() -> None:
    """A law without probabilities has no odds."""

    class Nothing(StudentLaw):
        def probability(self, low: float, high: float) -> float:
            return math.nan if (low, high) in self.without else 0.5  # type: ignore[attr-defined]

    for ends in (ROPE, (-math.inf, -0.05)):
        law = Nothing(3, 0, 1)
        object.__setattr__(law, "without", [tuple(ends)])
        assert math.isnan(bayes_factor.odds(law, ROPE))


def test_interval_null() -> None:
    """The odds after the test against those before it."""
    found = bayes_factor.interval_null(LAW, 0.25, ROPE)
    narrow = bayes_factor.interval_null(
        LAW, 0.25, Interval(-1e-4, 1e-4)
    )  # fine, unless the prior is said to be infinite

    assert narrow.value == pytest.approx(bayes_factor.odds(LAW, Interval(-1e-4, 1e-4)) / 0.25)
    assert found.name == "interval_null"
    assert found.value == pytest.approx(bayes_factor.odds(LAW, ROPE) / 0.25)
    assert found.words == "posterior over prior odds that the difference lies in the ROPE"


@pytest.mark.parametrize(
    ("rope", "infinite", "prior_odds", "narrow"),
    [
        ((0.1, 0.1), False, 0.5, True),  # a point
        ((-4e-4, 4e-4), True, 0.5, True),  # a point in all but name, where the prior is infinite
        ((0.0, 9e-4), True, 0.5, True),
        ((-9e-4, 0.0), True, 0.5, True),
        ((-4e-4, 4e-4), False, 0.5, False),  # where it is not
        ((-5e-4, 5e-4), True, 0.5, False),  # as wide as it must be
        ((0.01, 0.0105), True, 0.5, False),  # not where it is infinite
        ((-0.0105, -0.01), True, 0.5, False),
    ],
)
def test_narrow_ropes(rope: tuple[float, float], infinite: bool, prior_odds: float, narrow: bool) -> None:
    """A ROPE that is a point has no odds, nor one narrower than a thousandth about an infinite prior density."""
    found = bayes_factor.interval_null(LAW, prior_odds, Interval(*rope), prior_is_infinite=infinite)

    assert math.isnan(found.value) is narrow
    assert ("too narrow" in found.words) is narrow


def test_no_odds_before() -> None:
    """Prior odds of nothing, or none at all, give no factor."""
    assert math.isnan(bayes_factor.interval_null(LAW, 0.0, ROPE).value)
    assert math.isnan(bayes_factor.interval_null(LAW, math.nan, ROPE).value)


@pytest.mark.parametrize(
    ("inside", "words"), [(0, "at most"), (4, "at most"), (5, ""), (95, ""), (96, "at least"), (100, "at least")]
)
def test_few_draws_on_one_side(inside: int, words: str) -> None:
    """With fewer than five of a hundred draws on one side the factor is a bound, and says which."""
    values = np.concatenate([np.zeros(inside), np.full(100 - inside, 0.5)]).reshape(10, 10)
    found = bayes_factor.interval_null(Draws(values, Interval(-1, 1)), 1.0, ROPE)

    assert ("hardly any draws" in found.words) is bool(words)
    assert words in found.words
    point = bayes_factor.interval_null(Draws(values, Interval(-1, 1)), 1.0, Interval(0.2, 0.2))
    assert "hardly any draws" not in point.words


@pytest.mark.parametrize(
    ("conditional", "name", "words"),
    [
        (
            True,
            "savage_dickey_conditional",
            "posterior over prior density of the difference at zero, given the number of positives",
        ),
        (False, "savage_dickey", "posterior over prior density of the difference at zero"),
    ],
)
def test_savage_dickey(conditional: bool, name: str, words: str) -> None:
    """The ratio of two densities; none before means no number."""
    found = bayes_factor.savage_dickey(3.0, 1.5, conditional=conditional)

    assert (found.name, found.value) == (name, 2.0)
    assert found.words.endswith(words)
    assert math.isnan(bayes_factor.savage_dickey(3.0, 0.0, conditional=conditional).value)
    assert "infinite" not in bayes_factor.savage_dickey(3.0, 0.0, conditional=conditional).words


@pytest.mark.parametrize("smooth", [True, False])
def test_kernel_density_of_a_normal_law(smooth: bool) -> None:
    """A normal law smeared by a normal kernel is normal: of std sqrt(std^2 + width^2), width = std * 50,000^(-1/5)."""
    law = StudentLaw(1e9, 0.03, 0.1)
    smeared = 0.1 * math.sqrt(1 + 50_000 ** (-2 / 5))

    assert bayes_factor.kernel_density(law, smooth=smooth) == pytest.approx(stats.norm.pdf(0.03, 0, smeared), rel=1e-6)


def test_kernel_density_of_draws_and_points() -> None:
    """Draws have their own kernel; a point has none."""
    draws = Draws(np.random.default_rng(1).normal(0, 0.2, (10, 40)), Interval(-5, 5))

    assert bayes_factor.kernel_density(draws, smooth=False) == float(draws.pdf(0.0))
    assert math.isnan(bayes_factor.kernel_density(StudentLaw(5, 0, 0), smooth=True))


def test_the_papers_recipe() -> None:
    """The density after the test, by the kernel, against the prior's."""
    found = bayes_factor.paper_recipe(LAW, 0.5)

    assert found.name == "paper_kde"
    assert found.value == pytest.approx(bayes_factor.kernel_density(LAW, smooth=True) / 0.5)
    assert math.isnan(bayes_factor.paper_recipe(LAW, 0.0).value)
    assert math.isnan(bayes_factor.paper_recipe(LAW, math.nan).value)


@pytest.mark.parametrize(("only_a", "only_b", "prior"), [(3, 1, (1.0, 1.0)), (0, 0, (1.0, 1.0)), (2, 5, (0.5, 2.0))])
def test_same_accuracy(only_a: int, only_b: int, prior: tuple[float, float]) -> None:
    """2^-(a+b) against the beta-binomial's, as Beta functions written with gamma functions."""

    def beta(a: float, b: float) -> float:
        return math.gamma(a) * math.gamma(b) / math.gamma(a + b)

    a, b = prior
    found = bayes_factor.same_accuracy(only_a, only_b, prior)

    assert found.name == "same_accuracy"
    assert found.value == pytest.approx(0.5 ** (only_a + only_b) * beta(a, b) / beta(a + only_a, b + only_b))
    if prior == (1.0, 1.0):
        assert bayes_factor.same_accuracy(only_a, only_b).value == found.value


def test_factors_beyond_all_numbers() -> None:
    """A factor above the largest number, e**709.78, is infinite, not an error; e**708 is still a number."""
    assert bayes_factor._exp(708.0) == math.exp(708.0)
    assert bayes_factor._exp(709.9) == math.inf
    assert bayes_factor._exp(1e6) == math.inf


def test_barbers_factors_by_integration() -> None:
    """One error rate or two, by the Beta-binomial: B(1 + a + b) / (B(1 + a) B(1 + b)) with uniform priors."""
    a, b = (7, 3), (5, 5)
    shared = special.beta(1 + 12, 1 + 8)
    found = bayes_factor.same_or_independent(a, b)

    assert found.value == pytest.approx(shared / (special.beta(8, 4) * special.beta(6, 6)))
    assert found.name == "barber_same_vs_independent"


def test_barbers_factors_of_a_table() -> None:
    """The margins' rates apart, alike, or one joint law of four cells (3! = 6 its uniform density)."""
    table = np.array([[6, 2], [1, 4]])
    joint = 6 * math.prod(math.factorial(k) for k in (6, 2, 1, 4)) / math.factorial(13 + 3)
    apart = special.beta(9, 6) * special.beta(8, 7)
    alike = special.beta(1 + 8 + 7, 1 + 5 + 6)

    assert bayes_factor.independent_or_dependent(table).value == pytest.approx(apart / joint)
    assert bayes_factor.same_or_dependent(table).value == pytest.approx(alike / joint)


def test_recipes() -> None:
    """Equal accuracy is a question of accuracy alone."""
    points = ("savage_dickey_conditional", "savage_dickey", "paper_kde")

    assert bayes_factor.equality_recipes("f1") == points
    assert bayes_factor.equality_recipes("accuracy") == (*points, "same_accuracy")
    assert bayes_factor.equality_recipes("error") == (*points, "same_accuracy")
