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
