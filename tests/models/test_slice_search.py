"""Losses in thousands of slices: estimates against closed forms and the exact engine, pooling against integration."""

import math

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from outclass import measures
from outclass.inference.settings import Settings
from outclass.models import fitted
from outclass.models.evidence import Evidence
from outclass.models.pooling import SHARES, VARIANCES, discoveries, pooled
from outclass.models.prior import prior_of
from outclass.models.slice_estimates import estimates
from outclass.models.slice_search import losses, paired, single, within

TABLE = np.array([[255, 22, 24, 95], [62, 38, 35, 7001]])


def test_the_delta_method_by_hand() -> None:
    """The variance of method.md, section 4, for F1, with the matched prior's pseudo-counts added to every cell."""
    measure = measures.get("f1")
    cells = TABLE + measure.pseudo_count
    p, q = cells[0] / cells[0].sum(), cells[1] / cells[1].sum()
    mu = cells[0].sum() / cells.sum()
    k = (1 - mu) / mu
    recall, false = np.array([p[0] + p[1], p[0] + p[2]]), np.array([q[0] + q[1], q[0] + q[2]])
    g = 1 + k * false
    d = recall + g
    c, e = 2 * g / d**2, 2 * k * recall / d**2
    of_positives = np.array([c[0] - c[1], c[0], -c[1], 0])
    of_negatives = np.array([-(e[0] - e[1]), -e[0], e[1], 0])
    variance = (of_positives**2 @ p - (of_positives @ p) ** 2) / (cells[0].sum() + 1)
    variance += (of_negatives**2 @ q - (of_negatives @ q) ** 2) / (cells[1].sum() + 1)
    share = (2 * recall[1] * false[1] / d[1] ** 2 - 2 * recall[0] * false[0] / d[0] ** 2) / mu**2
    variance += share**2 * mu * (1 - mu) / (cells.sum() + 1)
    found = estimates(TABLE[None], measure)

    assert found.stds[0] == pytest.approx(math.sqrt(variance), rel=2e-3)
    assert found.means[0] == pytest.approx(2 * recall[0] / d[0] - 2 * recall[1] / d[1], abs=1e-12)


@pytest.mark.parametrize("name", ["f1", "accuracy", "precision", "recall", "mcc", "error", "specificity"])
def test_estimates_agree_with_the_exact_engine(name: str) -> None:
    """Mean and standard deviation of ordinary tables, within a few hundredths of a standard deviation."""
    measure = measures.get(name)
    tables = np.array([TABLE, [[60, 12, 5, 8], [9, 7, 3, 90]], [[300, 10, 30, 40], [20, 5, 25, 400]]])
    found = estimates(tables, measure)
    prior = prior_of("matched").of(measure, "paired")
    for place, table in enumerate(tables):
        law = fitted("paired", Evidence.of_joint(table), prior, Settings(seed=0)).difference(measure)

        assert found.means[place] == pytest.approx(law.mean, abs=0.06 * law.std)
        assert found.stds[place] == pytest.approx(law.std, rel=0.06)


def test_a_loss_is_worse_in_both_directions() -> None:
    """Of a measure whose lower values are better, a loss is the increase."""
    better, worse = losses(TABLE[None], measures.get("accuracy")), losses(TABLE[None], measures.get("error"))

    assert better.means == pytest.approx(worse.means)
    assert better.stds == pytest.approx(worse.stds)


def test_pooling_is_the_integral() -> None:
    """Of three slices: the posterior mean and tail against brute force over tau, mu and the scales."""
    d, s = np.array([0.1, 0.0, 0.02]), np.array([0.03, 0.02, 0.05])
    law = pooled(d, s)
    typical = math.sqrt(3 / (1 / s**2).sum())
    mu = np.linspace(-1.5, 1.5, 6001)
    total, mean, tail = 0.0, np.zeros(3), np.zeros(3)
    for u in (np.arange(48) + 0.5) / 48:
        prior = VARIANCES * (typical * u / (1 - u)) ** 2
        marginal = stats.norm.pdf(d[:, None, None], mu, np.sqrt(s[:, None, None] ** 2 + prior[:, None]))
        each = (SHARES[:, None] * marginal).sum(axis=1) + 1e-300
        weight = 4 * u**3 * each.prod(axis=0)
        kept = s[:, None] ** 2 / (s[:, None] ** 2 + prior)
        centres = (1 - kept)[..., None] * d[:, None, None] + kept[..., None] * mu
        inside = SHARES[:, None] * marginal / each[:, None]
        own = (inside * centres).sum(axis=1)
        above = (inside * stats.norm.sf((0.05 - centres) / np.sqrt(kept * prior)[..., None])).sum(axis=1)
        total += weight.sum()
        mean += (weight * own).sum(axis=1)
        tail += (weight * above).sum(axis=1)

    # The mean of all slices is taken to be normal given the spread, which it is not quite for three of them.
    assert law.mean == pytest.approx(mean / total, abs=0.15 * s.min())
    assert 1 - law.below(0.05) == pytest.approx(tail / total, abs=0.03)


def test_scales_make_a_t_distribution() -> None:
    """The mixture of normals has the quartiles and the tails of t with three degrees of freedom, roughly."""
    for point in (0.5, 1.0, 2.0, 4.0, 8.0):
        mixture = float(SHARES @ stats.norm.sf(point / np.sqrt(VARIANCES)))

        assert mixture == pytest.approx(stats.t(3).sf(point), rel=0.15)
    assert SHARES.sum() == pytest.approx(1)
    area, _ = quad(lambda x: float(SHARES @ stats.norm.pdf(x, scale=np.sqrt(VARIANCES))), -300, 300, limit=500)
    assert area == pytest.approx(1, abs=1e-6)


def test_what_pooling_keeps_and_gives() -> None:
    """A clear outlier keeps its size, equal slices are drawn together, one that tells nothing stays wide."""
    estimates_, errors = np.array([0.2, *[0.0] * 20, np.nan]), np.array([0.02] * 21 + [np.nan])
    law = pooled(estimates_, errors)
    (low, high), *_ = law.intervals(0.95)

    assert low < 0.2 < high
    assert law.mean[0] > 0.18
    assert law.std[1:21].max() < 0.015
    assert law.std[21] > law.std[1]
    assert law.of([0]).mean == pytest.approx(law.mean[:1])
    assert law.mirrored.below(-0.05) == pytest.approx(1 - law.below(0.05))
    assert law.any_below(-math.inf) == 0
    assert law.mirrored.any_below(-0.05) > 0.99


def test_expectations_that_are_unsure_leave_a_slice_unsure() -> None:
    """Where what was expected of a slice is uncertain, so is what remains of it after pooling."""
    d, s = np.zeros(50), np.full(50, 0.05)
    sure, unsure = pooled(d, s), pooled(d, s, np.full(50, 0.03**2))

    assert unsure.std[0] ** 2 > sure.std[0] ** 2 + 0.5 * 0.03**2


def test_the_list_is_as_long_as_its_promise_allows() -> None:
    """The mean of the probabilities of being false stays below 5%, and one more would exceed it."""
    probabilities = np.array([0.99, 0.7, 0.97, 0.95, 0.2])

    assert discoveries(probabilities) == [0, 2, 3]
    assert discoveries(np.array([0.9, 0.2])) == []


def test_certain_slices_make_no_room_for_unlikely_ones() -> None:
    """Among twenty that are certain, one that is as likely as not would keep the promise, and is not listed."""
    probabilities = np.array([0.5, 0.85, *[1.0] * 20])

    assert sorted(discoveries(probabilities)) == list(range(1, 22))
    assert sorted(discoveries(probabilities, least=0.0)) == list(range(22))


def _table(items: int, accuracy_a: float, accuracy_b: float) -> np.ndarray:
    """Return expected counts of two systems whose errors are independent, half of the items positive."""
    both, only_a = accuracy_a * accuracy_b, accuracy_a * (1 - accuracy_b)
    only_b = accuracy_b * (1 - accuracy_a)
    rights = np.array([both, only_a, only_b, 1 - both - only_a - only_b])
    return np.round(items / 2 * np.array([rights, rights[[3, 2, 1, 0]]])).astype(np.int64)


def test_a_pair_is_listed_for_what_its_columns_do_not_explain() -> None:
    """Two columns of three values: one slice lost, and with it all pairs in it; then one pair alone."""
    measure = measures.get("accuracy")
    parents = np.array([(one, 3 + other) for one in range(3) for other in range(3)])
    for lost, singles_listed, pairs_listed in (
        ({0: 0.78, 1: 0.78, 2: 0.78}, [0], []),  # the first slice of the first column
        ({4: 0.5}, [1, 4], [4]),  # the pair in the middle, which both of its columns show
    ):
        pairs = np.array([_table(600, 0.9, lost.get(place, 0.9)) for place in range(9)])
        singles = np.array([pairs[(parents == place).any(axis=1)].sum(axis=0) for place in range(6)])
        found = single(singles, measure, 0.05)
        beside = paired(pairs, parents, found, measure, 0.05)

        assert np.flatnonzero(found.listed).tolist() == singles_listed
        assert np.flatnonzero(beside.listed).tolist() == pairs_listed
        owed = within(found, beside, parents, (singles, pairs), measure, 0.05)
        assert np.flatnonzero(owed & found.listed).tolist() == (singles_listed if pairs_listed else [])


def test_a_loss_everywhere_is_no_loss_of_a_slice() -> None:
    """Where all items are lost, a slice is listed only if it lost more than they did by the ROPE again."""
    measure = measures.get("accuracy")
    tables = np.array([_table(2_000, 0.9, accuracy) for accuracy in (0.8, 0.8, 0.8, 0.8, 0.6)])

    assert single(tables, measure, 0.05).listed.all()
    assert single(tables, measure, 0.05, whole=0.14).listed.tolist() == [False] * 4 + [True]
