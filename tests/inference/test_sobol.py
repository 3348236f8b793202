"""Sobol points against SciPy's, and the scrambles' independence."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import kstest, qmc

from outclass.inference import sobol


@pytest.mark.parametrize("dimensions", [1, sobol.DIMENSIONS, sobol.MOST_DIMENSIONS])
def test_points_are_scipys(dimensions: int) -> None:
    """The unscrambled points are SciPy's, in another order."""
    ours = sobol.uniform(8, dimensions)
    theirs = qmc.Sobol(dimensions, scramble=False, bits=sobol.BITS).random(256)

    assert sorted(map(tuple, ours.T)) == sorted(map(tuple, theirs))


def test_orders_are_those_of_scrambled_points() -> None:
    """Each coordinate holds every number once; together they are a net: 16 boxes of two coordinates hold 16 points."""
    orders = sobol.orders(8, sobol.MOST_DIMENSIONS, 5)
    first = orders[:2] // 64

    assert np.array_equal(np.sort(orders, axis=1), np.broadcast_to(np.arange(256), orders.shape))
    assert np.array_equal(np.bincount(first[0] * 4 + first[1]), np.full(16, 16))
    assert not np.array_equal(orders, sobol.orders(8, sobol.MOST_DIMENSIONS, 6))


def test_scrambles_keep_the_net() -> None:
    """Every scramble puts exactly one of 256 points into each of 256 equal slices of each coordinate."""
    scores = sobol.normal_scores(8, 8, 3)
    from scipy.special import ndtr

    slices = np.sort((ndtr(scores) * 256).astype(int), axis=-1)

    assert np.array_equal(slices, np.broadcast_to(np.arange(256), slices.shape))


def test_scrambles_are_uniform_and_differ() -> None:
    """A point of the set is uniform over scrambles (Kolmogorov-Smirnov, 1 in 1,000), and seeds differ."""
    first = np.array([sobol.normal_scores(0, 8, seed)[2, :, 0] for seed in range(50)]).ravel()

    assert kstest(first, "norm").pvalue > 0.001
    assert not np.array_equal(sobol.normal_scores(4, 8, 1), sobol.normal_scores(4, 8, 2))


def test_same_seed_same_points() -> None:
    """The seed fixes everything."""
    sobol.normal_scores.cache_clear()
    sobol.scrambles.cache_clear()
    first = sobol.normal_scores(5, 8, 7).copy()
    sobol.normal_scores.cache_clear()
    sobol.scrambles.cache_clear()

    assert np.array_equal(first, sobol.normal_scores(5, 8, 7))


def test_scrambles_mix_the_digits() -> None:
    """A scramble keeps a direction number's first digit and draws every lower one, each set in half of the scrambles.

    The first direction number of the first coordinate is a single digit; of 64 scrambles with 29 lower digits each a
    share of one half has a standard error of 0.012.
    """
    tables = [table for table, _ in sobol.scrambles(64, 11)]
    digits = np.array([[int(table[0, 0]) >> bit & 1 for bit in range(sobol.BITS - 1, -1, -1)] for table in tables])

    assert np.all(digits[:, 0] == 1)
    assert abs(digits[:, 1:].mean() - 0.5) < 4 * 0.012
    assert np.all(digits[:, 1:].mean(axis=0) > 0.2)
    assert len({int(shift[0]) for _, shift in sobol.scrambles(64, 11)}) == 64


def test_scores_are_at_the_middles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A point stands for the middle of its slice: the first of all, unshifted, is half a slice above 0, and finite."""
    shift = np.zeros(sobol.DIMENSIONS, dtype=np.uint32)
    monkeypatch.setattr(sobol, "scrambles", lambda replicates, seed: ((sobol.directions(), shift),))
    sobol.normal_scores.cache_clear()
    scores = sobol.normal_scores(1, 1, 0)
    sobol.normal_scores.cache_clear()

    assert scores[0, 0] == pytest.approx([ndtri(0.5 / 2**30), ndtri(0.5 + 0.5 / 2**30)], abs=1e-12)
