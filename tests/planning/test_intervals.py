"""Intervals of many simulated sets: gamma variates, brute force, rounding, and the share of sets as a binomial."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from outclass import measures
from outclass.inference.distribution import Distribution, Interval
from outclass.inference.hdi import shortest_of_sorted
from outclass.inference.settings import Settings
from outclass.measures.measure import Measure, pair_difference
from outclass.models import model_of
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired
from outclass.planning import intervals as planned
from outclass.planning.intervals import Moments, Rule, intervals, shortest, verdicts
from outclass.planning.power import goal_of, probability
from outclass.planning.scenario import Scenario, of_rates

FEW_ALARMS = of_rates(0.05, 0.08, None, "negatives")
WORLDS = {
    "usual": (Scenario(0.3, of_rates(0.8, 0.7, None, "positives"), FEW_ALARMS), 500),
    "few items": (Scenario(0.4, of_rates(0.8, 0.6, None, "positives"), FEW_ALARMS), 25),
    "no errors": (Scenario(0.5, of_rates(0.99, 0.99, None, "positives"), (0.0, 0.0, 0.0, 1.0)), 200),
    "strong agreement": (Scenario(0.1, (0.78, 0.02, 0.01, 0.19), (0.03, 0.003, 0.003, 0.964)), 400),
    "a rare class": (Scenario(0.03, of_rates(0.8, 0.6, None, "positives"), (0.005, 0.005, 0.005, 0.985)), 400),
    "duplicates": (Scenario(0.5, (0.8, 0.0, 0.0, 0.2), (0.1, 0.0, 0.0, 0.9)), 60),
}
SETTINGS = Settings(tolerance=1e-3)


def rule_of(model: str, measure: str, prior: Any = None, rope: float = 0.05, mass: float = 0.95) -> Rule:
    own = measures.get(measure)
    priors = {model: prior_of(model_of(model).prior if prior is None else prior).of(own, model)}
    return Rule(measure=own, priors=priors, rope=Interval(-rope, rope), hdi_mass=mass)


def exactly(joints: np.ndarray, rule: Rule) -> list[Distribution]:
    """Return the exact engine's distributions of the sets' differences."""
    fits = (Paired.fit(Evidence.of_joint(each), rule.priors["paired"], SETTINGS) for each in joints)
    return [fit.difference(rule.measure) for fit in fits]


# --- variates ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [1e-3, 0.1, 1 / 3, 1.0, 4.5, 11.9])
def test_tabulated_variates_are_quantiles(shape: float) -> None:
    """A small shape's variates are SciPy's quantiles, both ways round."""
    rising, falling = planned._quantiles(shape, 512)
    scores = planned._scores(512)

    assert rising == pytest.approx(stats.gamma.ppf(stats.norm.cdf(scores), shape), rel=1e-9, abs=0)
    assert np.array_equal(rising, falling[::-1])
    assert scores.std() == pytest.approx(1)


@pytest.mark.parametrize("shape", [12.0, 20.0, 300.0, 1e6])
def test_cubes_are_quantiles(shape: float) -> None:
    """A large shape's are, within .0025 stds out to two stds and .015 out to three."""
    points = planned.Points(np.full((2, 3), shape), 512, np.random.default_rng(0))
    constant, slope, place = points.rows(slice(None))
    scores = np.linspace(-3, 3, 121)
    found = (constant[:1, :1] + np.abs(slope[:1, :1]) * scores) ** 3
    off = np.abs(found[0] - stats.gamma.ppf(stats.norm.cdf(scores), shape)) / math.sqrt(shape)

    assert np.all(place == -1)
    # Single precision is used up to a hundred thousand.
    assert off[np.abs(scores) <= 2].max() < 0.0025
    assert off.max() < 0.015


# --- brute force ------------------------------------------------------------------------------------------------------


def _dirichlet(rng: np.random.Generator, alphas: np.ndarray, draws: int) -> np.ndarray:
    return rng.dirichlet(alphas, draws)


def drawn_paired(joint: np.ndarray, measure: Measure, prior: Any, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the paired model as Zhang et al. write it: a Beta and two Dirichlets."""
    mu = rng.beta(prior.mu[0] + joint[0].sum(), prior.mu[1] + joint[1].sum(), draws)[:, None]
    parts = [_dirichlet(rng, joint[row] + np.array(prior.outcomes(part, 4)), draws) for row, part in enumerate(PARTS)]
    return np.asarray(pair_difference(measure, np.stack([mu * parts[0], (1 - mu) * parts[1]], axis=1)))


def drawn_unpaired(joint: np.ndarray, measure: Measure, prior: Any, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the unpaired model: three Betas for each system."""
    values = []
    for place in (1, 2):
        mu = rng.beta(prior.mu[0] + joint[0].sum(), prior.mu[1] + joint[1].sum(), draws)
        yes = joint[:, 0] + joint[:, place]
        recall, fallout = (
            rng.beta(a + yes[row], b + joint[row].sum() - yes[row], draws)
            for row, part in enumerate(PARTS)
            for a, b in [prior.outcomes(part, 2)]
        )
        values.append(measure(mu * recall, (1 - mu) * fallout, mu * (1 - recall), (1 - mu) * (1 - fallout)))
    return np.asarray(values[0] - values[1])


PARTS = ("positives", "negatives")
DRAWN: dict[str, Callable[..., np.ndarray]] = {"paired": drawn_paired, "unpaired": drawn_unpaired}


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize(
    ("model", "measure", "prior"),
    [
        ("paired", "f1", None),
        ("unpaired", "precision", None),
        pytest.param("paired", "mcc", "uniform", marks=pytest.mark.full),
        pytest.param("unpaired", "kappa", "jeffreys", marks=pytest.mark.full),
        pytest.param("paired", "balanced_accuracy", "mu=2,3;positives=4,1,2,3;negatives=0.5", marks=pytest.mark.full),
    ],
)
def test_ends_are_those_of_plain_draws(model: str, measure: str, prior: str | None, world: str) -> None:
    """Against 30,000 draws of each set, the shortest interval: on average .03 stds, each set .3; decisions alike."""
    scenario, items = WORLDS[world]
    rng = np.random.default_rng(7)
    rule = rule_of(model, measure, prior)
    joints = scenario.simulate(items, 40, rng)
    found = intervals(joints, model, rule, rng)
    expected = []
    for joint in joints:
        values = DRAWN[model](joint, rule.measure, rule.priors[model], 30_000, rng)
        expected.append(list(shortest_of_sorted(np.sort(values[np.isfinite(values)]), 0.95)))
    ends = np.array(expected)
    stds = (ends[:, 1] - ends[:, 0])[:, None] / 3.92
    off = (found - ends) / stds
    near = np.abs(ends[:, :, None] - np.array([-0.05, 0.05])).min(axis=(1, 2)) / stds[:, 0]

    # The shortest of raw draws is too short by about .03 stds, and its place is uncertain by about .1.
    assert np.abs(off.mean(axis=0)).max() < 0.06
    assert off.std(axis=0).max() < 0.13
    differs = verdicts(found, rule.rope) != verdicts(ends, rule.rope)
    assert not differs[near > 0.3].any()


@pytest.mark.parametrize(("mass", "within"), [(0.5, 0.08), (0.8, 0.05), (0.99, 0.12)])
def test_other_masses(mass: float, within: float) -> None:
    """Intervals of other masses are the exact engine's; the wider they are, the more tails matter."""
    scenario, items = WORLDS["usual"]
    rng = np.random.default_rng(3)
    rule = rule_of("paired", "f1", mass=mass)
    joints = scenario.simulate(items, 12, rng)
    found = intervals(joints, "paired", rule, rng)
    laws = exactly(joints, rule)
    off = (found - np.array([list(law.hdi(mass)) for law in laws])) / np.array([law.std for law in laws])[:, None]

    assert np.abs(off).max() < within


@pytest.mark.parametrize("items", [200, 2_000])
def test_decisions_are_those_of_the_exact_engine(items: int) -> None:
    """On 150 sets near the borders of the ROPE, decisions differ from the exact ones on borders alone (.03 stds)."""
    scenario = Scenario(0.5, (0.3, 0.25, 0.2, 0.25), (0.2, 0.2, 0.25, 0.35))
    rng = np.random.default_rng(items)
    rule = rule_of("paired", "f1")
    joints = scenario.simulate(items, 150, rng)
    found = verdicts(intervals(joints, "paired", rule, rng), rule.rope)
    laws = exactly(joints, rule)
    ends = np.array([list(law.hdi()) for law in laws])
    near = np.abs(ends[:, :, None] - np.array([-0.05, 0.05])).min(axis=(1, 2)) / np.array([law.std for law in laws])
    differs = found != verdicts(ends, rule.rope)

    assert not differs[near > 0.03].any()
    assert differs.mean() < 0.03


@pytest.mark.parametrize("measure", ["recall", "f1"])
def test_peaked_posteriors(measure: str) -> None:
    """Systems almost without errors: on 60 sets every end is within .2 stds of the exact one, by .06 on average."""
    scenario, items = WORLDS["no errors"]
    rng = np.random.default_rng(3)
    rule = rule_of("paired", measure)
    joints = scenario.simulate(items, 60, rng)
    ends = np.array([list(law.hdi()) for law in exactly(joints, rule)])
    off = (intervals(joints, "paired", rule, rng) - ends) / (ends[:, 1] - ends[:, 0])[:, None] * 3.92

    assert np.abs(off).max() < 0.2
    assert math.sqrt(np.mean(off**2)) < 0.06


def test_undefined_points_are_left_out() -> None:
    """Where a measure is undefined at some points, its interval is that of the others (of 50,000 draws, .15 stds)."""
    rule = rule_of("paired", "precision", "0.01")
    joints = np.array([[[0, 0, 0, 20], [0, 0, 0, 30]], [[4, 1, 2, 10], [1, 0, 0, 30]]])
    found = intervals(joints, "paired", rule, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    for ends, joint in zip(found, joints, strict=True):
        values = drawn_paired(joint, rule.measure, rule.priors["paired"], 50_000, rng)
        defined = np.sort(values[np.isfinite(values)])

        assert ends == pytest.approx(list(shortest_of_sorted(defined, 0.95)), abs=0.15 * defined.std())


# --- rounding, searching, sharing -------------------------------------------------------------------------------------


@pytest.mark.parametrize("world", WORLDS)
def test_single_precision_is_enough(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding moves an end by less than .003 stds, where it decides which of two wide intervals is the shorter .02."""
    scenario, items = WORLDS[world]
    for measure in ("f1", "accuracy"):
        rule = rule_of("paired", measure)
        joints = scenario.simulate(items, 80, np.random.default_rng(4))
        found = []
        for single in ((0.2, 1e5), (1.0, 0.0)):
            monkeypatch.setattr(planned, "SINGLE", single)
            found.append(intervals(joints, "paired", rule, np.random.default_rng(5)))
        off = np.abs(found[0] - found[1]) / ((found[1][:, 1] - found[1][:, 0]) / 3.92)[:, None]

        assert off.max() < 0.02
        assert np.quantile(off, 0.95) < 0.003


@pytest.mark.parametrize("shape", [3.0, 20.0])
@pytest.mark.parametrize("mass", [0.5, 0.9, 0.99])
def test_the_shortest_interval(shape: float, mass: float) -> None:
    """Of 8,192 draws of a gamma distribution: on average within .03 stds, each .1, as wide within a hundredth."""
    rows = np.random.default_rng(8).standard_gamma(shape, (200, 8_192))
    found = shortest(rows, mass)
    low = _least_gamma(shape, mass)
    high = float(stats.gamma.ppf(stats.gamma.cdf(low, shape) + mass, shape))

    assert found.mean(axis=0) == pytest.approx([low, high], abs=0.03 * math.sqrt(shape))
    assert found.std(axis=0).max() < 0.1 * math.sqrt(shape)
    assert np.diff(found).mean() == pytest.approx(high - low, rel=0.01)


@pytest.mark.parametrize("mass", [0.5, 0.9, 0.95, 0.99])
def test_the_interval_from_moments(mass: float) -> None:
    """Of a gamma distribution with skewness .3, known exactly: within .02 stds, where a normal's is up to .18 off."""
    shape = 4 / 0.3**2
    moments = Moments(*(np.array([each]) for each in (shape, math.sqrt(shape), 0.3, 6 / shape)))
    low = _least_gamma(shape, mass)
    high = float(stats.gamma.ppf(stats.gamma.cdf(low, shape) + mass, shape))

    assert not moments.odd[0]
    assert moments.interval(mass)[0] == pytest.approx([low, high], abs=0.02 * math.sqrt(shape))


def _least_gamma(shape: float, mass: float) -> float:
    """Return where the shortest interval of a gamma distribution begins: densities are equal at its ends."""
    below = np.linspace(1e-6, 1 - mass - 1e-6, 20_001)
    low, high = stats.gamma.ppf(below, shape), stats.gamma.ppf(below + mass, shape)
    return float(low[np.argmin(high - low)])


@pytest.mark.parametrize("falling", [True, False])
def test_the_shortest_interval_at_an_end(falling: bool) -> None:
    """A density that is highest at an end of its range has its interval there."""
    rows = np.random.default_rng(9).standard_exponential((50, 4_096)) * (1 if falling else -1)
    found = shortest(rows, 0.95)
    near = found[:, 0] if falling else found[:, 1]

    assert np.abs(near).max() < 0.05


def test_the_shortest_is_not_extrapolated() -> None:
    """A parabola through few widths that fall has its least beyond them, where intervals are wide: it is not taken."""
    widths = np.full((1, 61), 2.0)
    widths[0, 10:18] = 1.0 + 0.02 * (1 - np.arange(8) / 7 * 0.9)
    widths[0, 10:18] += 1e-4 * np.arange(8) ** 2

    assert 10 <= planned._vertex(widths, np.array([17]))[0] <= 17


def test_shortest_of_equal_numbers() -> None:
    """Numbers that are all equal, or nearly all undefined, have an interval without width."""
    equal, few = np.full((1, 100), 0.3), np.full((1, 100), np.nan)
    few[0, 3] = 0.4

    assert shortest(equal, 0.95).tolist() == [[0.3, 0.3]]
    assert shortest(few, 0.95).tolist() == [[0.4, 0.4]]


@pytest.mark.parametrize("model", ["paired", "unpaired"])
def test_shares_are_binomial(model: str) -> None:
    """Sets that share their points decide independently: over 400 plans the share varies as a binomial (4 errors)."""
    scenario = Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3))
    rule = rule_of(model, "f1", "uniform")
    shares = np.array([probability(scenario, 1_500, goal_of(">>"), model, rule, 100, [seed]) for seed in range(400)])
    expected = shares.mean() * (1 - shares.mean()) / 100

    assert shares.var(ddof=1) / expected == pytest.approx(1, abs=4 * math.sqrt(2 / 399))


@pytest.mark.parametrize(
    ("goal", "scenario", "v", "delta"),
    [
        (">>", Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)), 0.76877, 0.1),
        ("~=", Scenario(0.5, (0.3, 0.2, 0.2, 0.3), (0.3, 0.2, 0.2, 0.3)), 0.70711, 0.0),
    ],
)
@pytest.mark.parametrize("items", [1_500, 3_500])
def test_table_3_by_formula(goal: str, scenario: Scenario, v: float, delta: float, items: int) -> None:
    """With 20,000 sets, the power formula of method.md section 2 to within its normal approximation (.02)."""
    sd = v / math.sqrt(items)
    if goal == ">>":
        expected = stats.norm.cdf((delta - 0.05 - 1.96 * sd) / sd)
    else:
        expected = max(0.0, 2 * stats.norm.cdf((0.05 - 1.96 * sd) / sd) - 1)
    found = probability(scenario, items, goal_of(goal), "paired", rule_of("paired", "f1", "uniform"), 20_000, [items])

    assert found == pytest.approx(expected, abs=0.02)


def test_no_sets() -> None:
    """Of no sets there are no intervals."""
    none = np.empty((0, 2, 4), dtype=np.int64)

    assert intervals(none, "paired", rule_of("paired", "f1"), np.random.default_rng(0)).shape == (0, 2)
