"""Draws that are sent in less than two bytes each, and what is lost by it."""

import pickle

import numpy as np
import pytest

from outclass.inference.distribution import Interval
from outclass.inference.draws import Draws
from outclass.models.sent_draws import SentDraws, kept_draws

DRAWS = 20_000
WHOLE = Interval(-np.inf, np.inf)


def _sent(values: np.ndarray) -> tuple[np.ndarray, int]:
    data = pickle.dumps(SentDraws(values))
    return pickle.loads(data).values, len(data)


def _worlds() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(5)
    common = rng.normal(size=(DRAWS, 1))
    worlds = {
        "normal": 0.8 + 0.01 * (common + 0.5 * rng.normal(size=(DRAWS, 2))),
        "beta at the end": rng.beta(300, 0.7, size=(DRAWS, 2)),
        "one column": rng.gamma(3, size=(DRAWS, 1)),
        "three columns": rng.random((DRAWS, 3)),
        "with an atom": np.where(rng.random((DRAWS, 2)) < 0.3, 0.0, rng.random((DRAWS, 2)) - 0.5),
        "never differing": np.column_stack([rng.random(DRAWS), np.full(DRAWS, 0.25)]),
    }
    worlds["undefined here and there"] = np.where(rng.random((DRAWS, 2)) < 0.1, np.nan, worlds["normal"])
    return worlds


@pytest.mark.parametrize("world", _worlds())
def test_rounding_is_far_below_the_error_of_draws(world: str) -> None:
    """Every draw is within half a step; pairs stay pairs, batches batches; what is equal stays so; ends are exact."""
    values = _worlds()[world]
    found, size = _sent(values)
    steps = (np.nanmax(values, axis=0) - np.nanmin(values, axis=0)) / 65_534

    assert size < 2 * values.size + 2_000
    assert np.array_equal(np.isnan(found).sum(axis=0), np.isnan(values).sum(axis=0))
    assert np.array_equal(np.nanmax(found, axis=0), np.nanmax(values, axis=0))
    assert np.array_equal(np.nanmin(found, axis=0), np.nanmin(values, axis=0))
    for own, before in zip(
        found.reshape(10, -1, values.shape[1]), values.reshape(10, -1, values.shape[1]), strict=True
    ):
        for column in range(values.shape[1]):
            apart = np.sort(own[:, column]) - np.sort(before[:, column])
            assert np.nanmax(np.abs(apart)) <= 0.51 * steps[column] + 1e-15
        whole = ~np.isnan(before).any(axis=1)
        products = [np.nanmean(each[~np.isnan(each).any(axis=1)].prod(axis=1)) for each in (own, before)]
        assert whole.any()
        assert products[0] == pytest.approx(products[1], rel=1e-3, abs=1e-6)  # by which rows are told apart
    atoms = [np.unique(each[~np.isnan(each[:, -1]), -1], return_counts=True)[1].max() for each in (found, values)]
    assert atoms[0] >= atoms[1]


@pytest.mark.parametrize("values", [np.random.default_rng(1).standard_cauchy((DRAWS, 2)), np.full((20, 2), np.nan)])
def test_what_is_far_wider_than_its_bulk_is_whole(values: np.ndarray) -> None:
    """There a step would be coarse beside the bulk: the draws are sent to the last digit."""
    found, size = _sent(values)

    assert np.array_equal(found, values, equal_nan=True)
    assert size > 8 * values.size


def test_a_law_that_is_sent() -> None:
    """Its summaries move by far less than their Monte Carlo error, and its batches are as many."""
    rng = np.random.default_rng(2)
    law = Draws(rng.beta(20, 5, (8, 2_000)), Interval(0.0, 1.0), "data sets")
    found = pickle.loads(pickle.dumps(kept_draws(law)))()

    assert found.in_order.shape == law.in_order.shape
    assert (found.support, found.method) == (law.support, law.method)
    assert found.mean == pytest.approx(law.mean, abs=1e-6)
    assert found.std == pytest.approx(law.std, abs=1e-6)
    at = np.linspace(0.5, 0.99, 50)
    assert np.abs(found.cdf(at) - law.cdf(at)).max() <= 2e-4
    assert found.hdi(0.95) == pytest.approx(law.hdi(0.95), abs=1e-4)
    here = kept_draws(law)
    there = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(here))))
    assert np.array_equal(here().in_order, there().in_order)
