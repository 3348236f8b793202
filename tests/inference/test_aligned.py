"""Nodes along the direction that matters most: the rules' moments, the rotation, and the error that copies show."""

import math
import pickle
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy import special, stats

from outclass import measures
from outclass.inference.adaptive import enough, excess
from outclass.inference.aligned import COPIES, Direction, aligned, aligned_grid, cross, icosahedron
from outclass.inference.beta import logit_beta
from outclass.inference.curves import OddsDifference
from outclass.inference.distribution import Interval
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import Nodes, grid
from outclass.inference.settings import Settings
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import FEW, Paired


def _moment(powers: tuple[int, ...]) -> float:
    """Return the expectation of a product of powers of independent standard normal variates."""
    return math.prod(0.0 if power % 2 else float(special.factorial2(power - 1)) if power else 1.0 for power in powers)


def _monomials(dimensions: int, degree: int) -> list[tuple[int, ...]]:
    found = combinations_with_replacement(range(dimensions), degree)
    return [tuple(each.count(place) for place in range(dimensions)) for each in found]


def _moment_by(points: np.ndarray, weights: np.ndarray, powers: tuple[int, ...]) -> float:
    """Return a moment by a rule whose middle has the weight that is left."""
    middle = (1 - weights.sum()) * float(not any(powers))
    return middle + float(weights @ np.prod(points ** np.array(powers), axis=1))


def test_an_icosahedron_is_exact_up_to_degree_five() -> None:
    """All monomials of three scores up to the fifth degree have the moments of the normal law."""
    points, weights = icosahedron()

    assert len(np.unique(points.round(9), axis=0)) == 12
    for degree in range(6):
        for powers in _monomials(3, degree):
            assert _moment_by(points, weights, powers) == pytest.approx(_moment(powers), abs=1e-10)
    assert _moment_by(points, weights, (6, 0, 0)) != pytest.approx(15)


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_a_cross_has_the_fourth_moment_of_the_radius(dimensions: int) -> None:
    """Up to the third degree it is exact; of the fourth it knows the radius, not the direction."""
    points, weights = cross(dimensions)

    for degree in range(4):
        for powers in _monomials(dimensions, degree):
            assert _moment_by(points, weights, powers) == pytest.approx(_moment(powers), abs=1e-10)
    assert float(weights @ (points**2).sum(axis=1) ** 2) == pytest.approx(dimensions * (dimensions + 2))


def _frame(along: np.ndarray) -> np.ndarray:
    """Return some orthogonal directions across one."""
    return np.linalg.qr(np.column_stack([along, np.eye(len(along))]))[0][:, 1:]


def test_nodes_lie_along_the_direction() -> None:
    """Rotated scores keep the normal moments; along the direction they are even, and shifted from copy to copy."""
    along = np.array([0.1, -0.7, 0.3, 0.5, -0.2, 0.34])
    along = along / np.linalg.norm(along)
    direction = Direction(along, 0.8, 0.0, 0.0, _frame(along))
    nodes = aligned(direction, 3)

    assert nodes.method == "cubature"
    assert nodes.replicates == COPIES
    assert nodes.average(np.ones(nodes.scores.shape[1:])) == pytest.approx(np.ones(COPIES))
    for one in range(6):
        for other in range(6):
            expected = np.full(COPIES, float(one == other))
            assert nodes.average(nodes.scores[one] * nodes.scores[other]) == pytest.approx(expected, abs=1e-6)
    place = np.tensordot(along, nodes.scores, 1)
    even = [np.unique(np.round(each, 9)) for each in place]
    assert all(np.diff(each) == pytest.approx(0.8) for each in even)
    assert len({round(float(each[0]), 6) for each in even}) == COPIES
    assert min(-place.min(), place.max()) > 6
    assert np.array_equal(nodes.scores, aligned(direction, 3).scores)
    assert not np.array_equal(nodes.scores, aligned(direction, 4).scores)


def test_where_a_curve_bends_most_the_rule_is_of_degree_five() -> None:
    """Across the direction, what bends alone and what bends with r come first; polynomials of them are exact."""

    class Bent:
        def __init__(self, scores: np.ndarray) -> None:
            self.start, self.tilt = scores[0] + 0.3 * scores[3] ** 2, 0.05 * scores[5]

        def at(self, r: np.ndarray, rest: np.ndarray) -> np.ndarray:
            return self.start + (1 + self.tilt) * np.log(r / rest) * 700

    law = logit_beta(1e6, 1e6)  # whose logit is normal, with a std of .0014: 700 times it is about one
    found = Direction.of(Bent, 6, law)

    assert found.along == pytest.approx([1, 0, 0, 0, 0, 0])
    assert np.abs(found.across[:, :2].T) == pytest.approx(np.eye(6)[[3, 5]], abs=1e-6)
    assert found.across.T @ found.across == pytest.approx(np.eye(5), abs=1e-9)
    assert found.along @ found.across == pytest.approx(np.zeros(5), abs=1e-9)
    assert found.crossed > found.bend > 0.3
    nodes = aligned(found._replace(step=0.8), 0)
    assert nodes.average(nodes.scores[3] ** 4) == pytest.approx(np.full(COPIES, 3), abs=1e-6)
    assert nodes.average(nodes.scores[3] ** 2 * nodes.scores[5] ** 2) == pytest.approx(np.ones(COPIES), abs=1e-6)


def test_direction_of_a_linear_quantity() -> None:
    """The effects of a quantity that is linear in its scores are its slopes, and it does not bend."""

    class Line:
        def __init__(self, scores: np.ndarray) -> None:
            self.start = 3 * scores[0] - 4 * scores[1]

        def at(self, r: np.ndarray, rest: np.ndarray) -> np.ndarray:
            return self.start + np.log(r / rest)

    law = logit_beta(1e6, 1e6)  # whose logit is normal, with a std of .0014
    found = Direction.of(Line, 2, law)

    assert found.along == pytest.approx([0.6, -0.8])
    assert found.bend == pytest.approx(0, abs=1e-6)
    assert found.crossed == pytest.approx(0, abs=1e-6)
    assert not found.suits(1e-4)  # what is integrated exactly is so narrow that the steps would be small
    assert Direction.by([3.0, 4.0, 6.0], [0.0, 0.0, 0.0]).step == pytest.approx(0.8)  # 6 is more than 5
    assert Direction.by([3.0, 4.0, 3.0], [0.0, 0.0, 0.0]).step == pytest.approx(0.45)  # .8 times 3/5, in 20ths


@pytest.mark.parametrize(
    ("bend", "crossed", "beyond", "tolerance", "rules"),
    [
        (0.05, 0.05, 0.0, 1e-4, [(6, 0), (4, 3)]),
        (0.05, 0.15, 0.0, 1e-4, [(4, 3)]),
        (0.05, 0.15, 0.0, 4e-4, [(6, 0), (4, 3)]),
        (0.3, 0.15, 0.0, 1e-4, []),
        (0.05, 0.3, 0.0, 1e-4, []),
        (0.05, 0.05, 0.02, 1e-4, []),
        (0.05, 0.05, 0.01, 1e-4, [(4, 3)]),
    ],
)
def test_rules_go_with_what_bends(
    bend: float, crossed: float, beyond: float, tolerance: float, rules: list[tuple[int, int]]
) -> None:
    """A wider tolerance allows more; skewed scores need a rule of degree five; draws are put off by more copies."""
    along = np.array([1.0, 0, 0, 0, 0, 0])
    direction = Direction(along, 0.8, bend, crossed, _frame(along), np.array([0, beyond, 0, 0, 0, 0.0]))
    rare = [False, beyond > 0, False, False, False, False]

    assert list(direction.rules(tolerance, rare, more=False)) == rules
    assert list(direction.rules(tolerance, rare, more=True)) == [*rules, *([(12, 3)] if rules else [])]
    assert list(direction._replace(step=0.2).rules(tolerance, rare, more=False)) == []


def test_a_grid_along_the_direction_is_exact() -> None:
    """Few nodes agree with draws, and with a fine product grid within the distance to the coarser ones."""
    x, y, other = (60.0, 40.0), (45.0, 50.0), (400.0, 300.0)

    def curve_of(scores: np.ndarray) -> OddsDifference:
        t, far = (logit_beta(*law).value(each) for law, each in zip((y, other), scores, strict=True))
        return OddsDifference(np.exp(0.2 * far), special.expit(t), special.expit(-t), 1)

    law = logit_beta(*x)
    direction = Direction.of(curve_of, 2, law)

    def on(nodes: Nodes) -> Mixture:
        return Mixture(curve_of(nodes.scores), law, nodes, support=Interval(-1, 1))

    few, coarser = on(aligned_grid(direction)), on(aligned_grid(direction, coarser=True))
    rng = np.random.default_rng(0)
    r, second, third = (stats.beta(*each).rvs(400_000, random_state=rng) for each in (x, y, other))
    factor = np.exp(0.2 * special.logit(third))
    values = factor * r / (factor * r + 1 - r) - second
    at = few.mean + few.std * np.array([-2, -1, 0, 1, 2])

    assert few.nodes.size < 300
    assert few.cdf(at) == pytest.approx([np.mean(values <= each) for each in at], abs=4 * 0.5 / math.sqrt(400_000))
    wrong = np.abs(few.cdf(at) - on(grid(0.15, 0.15)).cdf(at))
    assert np.all(wrong <= np.abs(few.cdf(at) - coarser.cdf(at)) + 5e-8)
    assert wrong.max() < 1e-6
    assert few.mean == pytest.approx(values.mean(), abs=4 * values.std() / math.sqrt(400_000))


def _worlds(count: int) -> list[tuple[Paired, measures.Measure]]:
    """Return posteriors of test sets of all sizes: rare and frequent classes, weak and strong agreement."""
    rng = np.random.default_rng(17)
    found = []
    while len(found) < count:
        items, prevalence = int(rng.choice([300, 1_000, 7_532, 100_000])), float(rng.choice([0.02, 0.05, 0.3, 0.6]))
        strength, hits = float(rng.choice([3, 10, 30])), float(rng.choice([0.4, 0.6, 0.75]))
        positives = int(rng.binomial(items, prevalence))
        shares = [
            rng.dirichlet(strength * np.array(each))
            for each in ([hits, 0.08, 0.08, 0.84 - hits], [0.05, 0.05, 0.05, 0.85])
        ]
        joint = np.array([rng.multinomial(positives, shares[0]), rng.multinomial(items - positives, shares[1])])
        measure = measures.get(str(rng.choice(["f1", "precision", "accuracy", "fbeta:2", "kappa"])))
        prior = prior_of("matched").of(measure, "paired") if rng.random() < 0.6 else prior_of("uniform")
        posterior = Paired.fit(Evidence.of_joint(joint), prior, Settings())
        if min(posterior.mu) >= FEW and not posterior._samples(measure):
            found.append((posterior, measure))
    return found


def test_the_error_of_few_nodes_is_honest() -> None:
    """What is accepted is near the same on 131,072 Sobol points, nearly always within the error that is reported."""
    beyond, accepted = 0, 0
    for posterior, measure in _worlds(60):
        candidates = posterior._candidates()
        side, pair = candidates[int(np.argmax(posterior._influences(measure, candidates)))]
        few = enough(posterior._aligned(measure, side, pair), 1e-4)
        if few is None:
            continue
        accepted += 1
        many = posterior._integrated(measure, side, pair, 14)
        at = many.mean + many.std * np.array([-2.5, -2, -1, -0.3, 0.2, 1, 2, 2.5])
        wrong = np.abs(few.cdf(at) - many.cdf(at))
        told = [
            few.shared + few.nodes.spread(few.at(value).below) + many.nodes.spread(many.at(value).below) for value in at
        ]
        beyond += bool(np.any(wrong > told))
        assert wrong.max() < 1.2e-4  # of 52 posteriors at most 1.9e-5 beside the points' own error
        assert excess(few, 1e-4) <= 1
    assert accepted >= 25
    assert beyond <= 4  # of 52 posteriors 2, at .5% of all values: 5 or more of 30 in one of a hundred runs


def test_far_tails_keep_their_digits() -> None:
    """Four and five stds out the density is that of a million Sobol points; without nodes for tails it is not."""
    counts = np.array([[271, 15, 9, 56], [42, 12, 35, 7092]])
    posterior = Paired.fit(Evidence.of_joint(counts), prior_of("uniform"), Settings())
    f1 = measures.get("f1")
    law = posterior.difference(f1)
    assert isinstance(law, Mixture)
    assert law.method == "cubature"
    at = law.mean + law.std * np.array([-5, -4, 4, 5])
    runs = []
    for seed in (1, 2, 3, 4):
        other = replace(posterior, settings=replace(posterior.settings, seed=seed))
        runs.append(other._integrated(f1, "positives", (1, 2), 15).pdf(at))
    expected, error = np.mean(runs, axis=0), np.std(runs, axis=0, ddof=1) / 2

    # Three standard errors, and the 2% that the rule itself is off at most.
    assert np.all(np.abs(law.pdf(at) - expected) < 3 * error + 0.02 * expected)
    assert np.all(error < 0.05 * expected)
    law._beside = None
    assert abs(float(law.pdf(at[0])) / float(expected[0]) - 1) > 0.1  # without the nodes for tails


def test_another_prior_needs_no_other_direction() -> None:
    """The posterior under another prior, on nodes along the same direction, is the same far out too."""
    counts = np.array([[271, 15, 9, 56], [42, 12, 35, 7092]])
    f1 = measures.get("f1")
    matched = Paired.fit(Evidence.of_joint(counts), prior_of("matched").of(f1, "paired"), Settings())
    uniform = Paired.fit(Evidence.of_joint(counts), prior_of("uniform"), Settings(tolerance=5e-4))
    matched.difference(f1)
    again, many = matched.difference_under(uniform, f1), uniform._integrated(f1, "positives", (1, 2), 14)
    at = many.mean + many.std * np.array([-2.5, -1, 0, 1, 2.5])

    assert isinstance(again, Mixture)
    assert again.nodes.replicates == 1
    assert again.cdf(at) == pytest.approx(many.cdf(at), abs=1e-4)
    assert again.pdf(at) == pytest.approx(many.pdf(at), rel=5e-3)
    assert len(pickle.dumps(matched)) < 2_000  # what was found is found again

    few = Paired.fit(Evidence.of_joint(np.array([[5, 1, 0, 3], [2, 1, 0, 9]])), prior_of("uniform"), Settings())
    few.difference(f1)
    assert few.difference_under(uniform, f1).method == uniform.difference(f1).method  # nothing to go by


def _pair(joint: list[list[int]], measure: str, prior: float) -> tuple[Paired, measures.Measure]:
    positives, negatives = (tuple(count + prior for count in row) for row in joint)
    mu = (4 * prior + sum(joint[0]), 4 * prior + sum(joint[1]))
    return Paired(mu, positives, negatives, Settings()), measures.get(measure)


@pytest.mark.parametrize(
    ("joint", "measure", "prior"),
    [
        ([[58, 33, 0, 21], [7, 8, 40, 233]], "jaccard", 3.0),
        ([[24, 21, 14, 48], [13, 6, 142, 532]], "fbeta:0.5", 6.0),
        ([[37, 44, 15, 9], [12, 12, 62, 609]], "fbeta:0.5", 0.7),
        ([[115, 17, 21, 176], [8, 60, 5, 398]], "precision", 1.0),
        ([[20, 8, 20, 22], [10, 58, 54, 208]], "kappa", 0.5),
    ],
)
def test_what_copies_share_is_told_by_another_rule(joint: list[list[int]], measure: str, prior: float) -> None:
    """Where all copies were off together by several times their spread, the error that is reported covers it."""
    posterior, asked = _pair(joint, measure, prior)
    candidates = posterior._candidates()
    side, pair = candidates[int(np.argmax(posterior._influences(asked, candidates)))]
    law, many = posterior.difference(asked), posterior._integrated(asked, side, pair, 14)
    assert isinstance(law, Mixture)
    at = many.mean + many.std * np.array([-2.5, -1, 0, 1, 2])
    told = law.error(law.cdf(at), np.array([part.cdf(at) for part in law.replicates()]))
    error = many.error(many.cdf(at), np.array([part.cdf(at) for part in many.replicates()]))

    assert np.all(np.abs(law.cdf(at) - many.cdf(at)) <= told + error)
    assert told.max() < 1.5e-4


def test_a_bias_is_no_reason_for_more_copies() -> None:
    """Twelve copies of a rule that is off do not make it right: what another rule tells sends this table to draws."""
    posterior, mcc = _pair([[321, 0, 35, 2], [1, 5, 16, 320]], "mcc", measures.get("mcc").pseudo_count)

    law = posterior.difference(mcc)

    # 16 million draws of the Dirichlet's cells: -.0654898, within 1.4e-5.
    assert law.mean == pytest.approx(-0.0654898, abs=2e-5)


def test_the_cdf_does_not_fall_where_tails_begin() -> None:
    """With few items the nodes for tails are worse than the others and are not used: the cdf rises on either side."""
    posterior, asked = _pair([[15, 12, 22, 18], [165, 52, 295, 921]], "fbeta:0.5", 0.3)
    candidates = posterior._candidates()
    side, pair = candidates[int(np.argmax(posterior._influences(asked, candidates)))]
    law = next(posterior._aligned(asked, side, pair))
    around = law.mean + law.std * np.array([[-3.52, -3.501, -3.499, -3.48], [3.48, 3.499, 3.501, 3.52]])

    assert law._beside is not None
    assert not law._beside.has_tails(law)
    assert np.all(np.diff(law.cdf(around), axis=1) > 0)
