"""Measures of scores: point values against scikit-learn, weights against the closed forms."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn import metrics

from outclass.errors import InputError
from outclass.measures import scored


def _world(seed: int, n: int = 300, ties: bool = False) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.3
    a = 1 / (1 + np.exp(-rng.normal(truth * 1.2)))
    b = 1 / (1 + np.exp(-(0.6 * rng.normal(truth * 1.0) + 0.4 * np.log(a / (1 - a)))))
    return (truth, np.round(a, 1), np.round(b, 1)) if ties else (truth, a, b)


def _partial(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> float:
    return float(metrics.roc_auc_score(truth, scores, sample_weight=weights, max_fpr=0.2))


def _recall(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> float:
    precision, recall, _ = metrics.precision_recall_curve(truth, scores, sample_weight=weights)
    # The last point is the corner that no threshold has.
    return float(recall[:-1][precision[:-1] >= 0.6].max(initial=0.0))


def _ece(truth: np.ndarray, scores: np.ndarray, weights: np.ndarray) -> float:
    found, edges = 0.0, np.linspace(0, 1, 16)
    for place, (low, high) in enumerate(pairwise(edges)):
        inside = (scores >= low) & ((scores < high) if place < 14 else (scores <= high))
        found += abs(float((weights * (truth - scores))[inside].sum()))
    return found / float(weights.sum())


REFERENCES = {
    "auc": lambda t, s, w: metrics.roc_auc_score(t, s, sample_weight=w),
    "average_precision": lambda t, s, w: metrics.average_precision_score(t, s, sample_weight=w),
    "log_loss": lambda t, s, w: metrics.log_loss(t, s, sample_weight=w),
    "brier": lambda t, s, w: metrics.brier_score_loss(t, s, sample_weight=w),
    "ece": _ece,
    "partial_auc:0.2": _partial,
    "recall_at_precision:0.6": _recall,
}


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("ties", [False, True])
def test_against_scikit_learn(name: str, ties: bool) -> None:
    """With equal weights and with any others, scores with ties and without."""
    rng = np.random.default_rng(1)
    for seed in range(5):
        truth, a, _ = _world(seed, ties=ties)
        a = np.clip(a, 0.01, 0.99)
        weights = np.vstack([np.ones(len(a)), rng.standard_exponential((3, len(a)))])
        found = scored.get(name).prepare(truth, a)(weights)

        for value, own in zip(found, weights, strict=True):
            assert value == pytest.approx(REFERENCES[name](truth, a, own), abs=1e-9)


def test_nothing_was_forgotten() -> None:
    """Every measure of the registry has a reference here."""
    assert {name.split(":")[0] for name in REFERENCES} == {name.split(":")[0] for name in scored.NAMES}


@pytest.mark.parametrize("name", ["f2", "auc:3", "partial_auc", "partial_auc:2", "recall_at_precision:x"])
def test_unknown(name: str) -> None:
    with pytest.raises(InputError):
        scored.get(name)


@pytest.mark.parametrize("ties", [False, True])
def test_moments_of_the_auc(ties: bool) -> None:
    """The closed form against 40,000 draws: mean within four errors, variance within 4%; and against the sum itself."""
    truth, a, b = _world(2, 120, ties=ties)
    rng = np.random.default_rng(5)
    weights = rng.standard_exponential((40_000, 120))
    measure = scored.MEASURES["auc"]
    draws = measure.prepare(truth, a)(weights) - measure.prepare(truth, b)(weights)
    mean, variance = scored.auc_moments(truth, a, b)

    assert abs(draws.mean() - mean) < 4 * draws.std() / 200
    assert draws.var() == pytest.approx(variance, rel=0.04)
    psi = [(s[truth][:, None] > s[~truth]) + 0.5 * (s[truth][:, None] == s[~truth]) for s in (a, b)]
    d = psi[0] - psi[1]
    m, n = d.shape
    sums = d.sum() ** 2 + (d.sum(1) ** 2).sum() + (d.sum(0) ** 2).sum() + (d**2).sum()
    assert variance == pytest.approx(sums / (m * (m + 1) * n * (n + 1)) - d.mean() ** 2)
    assert mean == pytest.approx(metrics.roc_auc_score(truth, a) - metrics.roc_auc_score(truth, b))


def test_moments_of_many_pairs() -> None:
    """With more pairs than are looked at one by one, a sample of them is as good to four digits of the variance."""
    truth, a, b = _world(3, 3_000)

    whole, some = scored.auc_moments(truth, a, b), scored.auc_moments(truth, a, b, most=10)
    assert some[0] == whole[0]
    assert some[1] == pytest.approx(whole[1], rel=1e-4)


def test_names_and_bounds() -> None:
    """Measures with a number carry it in their name and title; losses are better when lower."""
    partial = scored.get("partial_auc:0.10")

    assert (partial.name, partial.title) == ("partial_auc:0.1", "partial AUC, FPR up to 0.1")
    assert scored.get("recall_at_precision:1").title == "recall at precision 1"
    assert scored.get(partial) is partial
    assert {m.name for m in scored.MEASURES.values() if not m.higher_is_better} == {"log_loss", "brier", "ece"}
    assert {m.name for m in scored.MEASURES.values() if m.probabilities} == {"log_loss", "brier", "ece"}
    assert (partial.low, partial.high, partial.higher_is_better, partial.probabilities) == (0, 1, True, False)
    assert {m.name: m.high for m in scored.MEASURES.values() if m.high != 1}.keys() == {"log_loss"}
    # A probability of nothing for what happens costs the logarithm of the least number there is.
    assert scored.get("log_loss").high == pytest.approx(52 * np.log(2))
    worst = scored.get("log_loss").prepare(np.array([True, False]), np.array([0.0, 1.0]))(np.ones((1, 2)))
    assert worst == pytest.approx([52 * np.log(2)], rel=1e-9)


@pytest.mark.parametrize("name", ["partial_auc:0", "recall_at_precision:-0.5", "partial_auc:1.01", "partial_auc:nan"])
def test_numbers_out_of_range(name: str) -> None:
    """A share of nothing, or of more than all, is refused."""
    with pytest.raises(InputError, match=r"\(0, 1\]"):
        scored.get(name)


def test_curves_by_hand() -> None:
    """Five items, every number by hand: ranks + - + - -, from the highest score."""
    truth, scores = np.array([True, False, True, False, False]), np.array([0.9, 0.8, 0.7, 0.4, 0.1])
    ones = np.ones((1, 5))

    def value(name: str, order: np.ndarray) -> float:
        return float(scored.get(name).prepare(truth[order], scores[order])(ones)[0])

    for order in (np.arange(5), np.array([3, 0, 4, 2, 1])):  # as given, and shuffled
        assert value("auc", order) == pytest.approx(5 / 6)  # one of six pairs is wrong
        assert value("average_precision", order) == pytest.approx((1 + 2 / 3) / 2)
        # One false alarm of three gives 1/2 of the recall before it, 1 after: area 1/6 up to 1/3.
        area, least = 1 / 3 * 1 / 2, (1 / 3) ** 2 / 2
        assert value(f"partial_auc:{1 / 3}", order) == pytest.approx(
            0.5 * (1 + (area - least) / (1 / 3 - least)), rel=1e-5
        )
        assert value("partial_auc:1", order) == pytest.approx(5 / 6)
        assert value("recall_at_precision:1", order) == pytest.approx(1 / 2)
        assert value("recall_at_precision:0.6", order) == pytest.approx(1)


def test_ties_of_moments() -> None:
    """A tie counts for half: one positive tied with one of two negatives by A, above both by B."""
    truth = np.array([True, False, False])
    mean, variance = scored.auc_moments(truth, np.array([0.5, 0.5, 0.1]), np.array([0.9, 0.5, 0.1]))

    assert mean == pytest.approx(-0.25)
    # psi is -1/2 and 0: [(1/4) + (1/4) + (1/4 + 0) + 1/4] / (1 * 2 * 2 * 3) - 1/16
    assert variance == pytest.approx(1 / 12 - 1 / 16)


def test_moments_of_equal_systems() -> None:
    """Two systems that rank alike differ by nothing, with no variance."""
    truth, a, _ = _world(4, 60)

    assert scored.auc_moments(truth, a, 2 * a - 1) == (0, 0)


def test_ranks() -> None:
    """Order, ties and their ends, by hand; whether anything is tied, and whether the items came in order."""
    ranked = scored.Ranked.of(np.array([True, False, True, False]), np.array([0.2, 0.7, 0.7, 0.1]))

    assert ranked.order.tolist() == [1, 2, 0, 3]
    assert ranked.positive.tolist() == [False, True, True, False]
    assert ranked.first.tolist() == [0, 0, 2, 3]
    assert ranked.last.tolist() == [1, 1, 2, 3]
    assert ranked.tied
    assert not ranked.as_given
    assert ranked.sorted(np.array([1.0, 2.0, 3.0, 4.0])).tolist() == [2, 3, 1, 4]
    plain = scored.Ranked.of(np.array([True, False]), np.array([0.7, 0.2]))
    assert plain.as_given
    assert not plain.tied


def test_a_sample_of_few_pairs() -> None:
    """A million pairs drawn from six: every pair is among them, and the variance is that of the whole, within 1%."""
    truth = np.array([True, True, False, False, False])
    a, b = np.array([0.9, 0.3, 0.8, 0.2, 0.1]), np.array([0.15, 0.3, 0.1, 0.2, 0.8])

    assert scored.auc_moments(truth, a, b, most=1) == pytest.approx(scored.auc_moments(truth, a, b), rel=0.01)
    assert scored._pair_squares(truth, a, b, 1) == pytest.approx(scored._pair_squares(truth, a, b, 6), rel=0.01)
    # By hand: A's wins 1 1 1 / 0 1 1, B's 1 0 0 / 1 1 0.
    assert scored._pair_squares(truth, a, b, 6) == 2 + 2
