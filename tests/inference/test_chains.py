"""What chains are worth: the limits, the stretches that tell the error, and ArviZ's numbers."""

import math

import numpy as np
import pytest

from outclass.inference.chains import Chains, Diagnostics, inference_data, with_variable
from outclass.inference.distribution import Interval


def _diagnostics(**changes: float) -> Diagnostics:
    good = {"ess_bulk": 400.0, "ess_tail": 400.0, "r_hat": 1.01, "mcse": 0.01, "divergences": 4}
    return Diagnostics(sampler="nuts", chains=4, draws=1000, tuned=500, **(good | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, []),
        ({"r_hat": 1.011}, ["R-hat is 1.011"]),
        ({"r_hat": math.nan}, ["R-hat is nan"]),
        ({"ess_bulk": 399.0}, ["effective sample size for the bulk is 399 of 4,000 draws"]),
        ({"ess_tail": 12.0}, ["effective sample size for the tails is 12"]),
        ({"divergences": 5}, ["5 divergent transitions"]),  # of 4,000, more than one in a thousand
        ({"r_hat": 2.0, "ess_bulk": 5.0, "ess_tail": 6.0}, ["R-hat is 2.000", "the bulk", "the tails"]),
    ],
)
def test_faults_of_chains(changes: dict[str, float], words: list[str]) -> None:
    """The limits that are usual: R-hat at most 1.01, worth 400 draws, one divergence in a thousand steps."""
    found = _diagnostics(**changes).faults

    assert len(found) == len(words)
    assert all(word in fault for word, fault in zip(words, found, strict=True))


@pytest.mark.parametrize(
    ("changes", "hopeless"),
    [
        ({}, False),
        ({"r_hat": 1.1, "ess_bulk": 50.0, "ess_tail": 50.0}, False),
        ({"r_hat": 1.101}, True),
        ({"r_hat": math.nan}, True),
        ({"ess_bulk": 49.0}, True),
        ({"ess_tail": 49.0}, True),
    ],
)
def test_hopeless_chains(changes: dict[str, float], hopeless: bool) -> None:
    """Beyond R-hat 1.1, or worth fewer than fifty draws, nothing is believed."""
    assert _diagnostics(**changes).hopeless is hopeless


@pytest.mark.parametrize(
    ("chains", "draws", "batches", "each"),
    [(4, 100, 8, 50), (1, 1005, 10, 100), (3, 10, 9, 3), (12, 7, 12, 7), (2, 3, 2, 3), (2, 5, 10, 1)],
)
def test_stretches_of_chains(chains: int, draws: int, batches: int, each: int) -> None:
    """Ten stretches or so of all chains together, each of one chain's neighbours; short chains stay whole."""
    values = np.arange(chains * draws, dtype=float).reshape(chains, draws)
    law = Chains(values, Interval(-1, 1e6), "nuts")

    assert law.in_order.shape == (batches, each)
    assert np.all(np.diff(law.in_order, axis=1) == 1)
    assert law.by_chain is values


def test_diagnostics_are_arvizs() -> None:
    """Independent draws are worth about as many as there are; chains that do not meet are found out."""
    rng = np.random.default_rng(8)
    values = rng.standard_normal((4, 500))
    good = Chains(values, Interval(-50, 50), "nuts", tuned=300, divergences=2, trace="kept").diagnostics
    apart = Chains(values + np.arange(4)[:, None], Interval(-50, 50), "nuts").diagnostics

    assert (good.sampler, good.chains, good.draws, good.tuned, good.divergences) == ("nuts", 4, 500, 300, 2)
    assert good.ess_bulk == pytest.approx(2000, rel=0.15)
    assert good.ess_tail == pytest.approx(2000, rel=0.2)
    assert good.r_hat == pytest.approx(1, abs=0.01)
    assert good.mcse == pytest.approx(1 / math.sqrt(2000), rel=0.1)
    assert good.ess_bulk != good.ess_tail
    assert apart.r_hat > 1.3
    assert (apart.tuned, apart.divergences) == (0, 0)


def test_one_chain_has_to_agree_with_itself() -> None:
    """A single chain that drifts has an R-hat far from 1: its halves are compared."""
    rng = np.random.default_rng(9)
    still, drift = rng.standard_normal((1, 401)), np.linspace(0, 8, 401)

    assert Chains(still, Interval(-50, 50), "metropolis").diagnostics.r_hat == pytest.approx(1, abs=0.02)
    assert Chains(still + drift, Interval(-50, 50), "metropolis").diagnostics.r_hat > 1.3


def test_the_fewest_draws() -> None:
    """Four draws of a chain are enough for diagnostics, bad as they are."""
    found = Chains(np.random.default_rng(2).standard_normal((4, 4)), Interval(-50, 50), "nuts").diagnostics

    assert math.isfinite(found.r_hat)
    assert math.isfinite(found.mcse)


@pytest.mark.parametrize("values", [np.full((2, 50), 0.5), np.zeros((4, 3)) + np.arange(3)])
def test_no_diagnostics_without_movement(values: np.ndarray) -> None:
    """Chains that never moved, or are too short, have no diagnostics, and are hopeless."""
    found = Chains(values, Interval(-1, 10), "nuts").diagnostics

    assert all(math.isnan(each) for each in (found.ess_bulk, found.ess_tail, found.r_hat, found.mcse))
    assert found.hopeless


def test_traces() -> None:
    """What was sampled goes to ArviZ's format with its names; a number of each draw can be added to a copy."""
    values = np.arange(12.0).reshape(2, 3, 2)
    trace = inference_data({"theta": values}, {"theta": ["system"]}, {"system": ["a", "b"]})
    more = with_variable(trace, "delta", values[..., 0] - values[..., 1])

    assert trace["posterior"]["theta"].dims == ("chain", "draw", "system")
    assert list(trace["posterior"]["system"].values) == ["a", "b"]
    assert np.array_equal(more["posterior"]["delta"].values, np.full((2, 3), -1.0))


def test_diagnostics_of_nothing_are_none() -> None:
    """Chains that are too short, stand still or are not numbers are worth nothing that could be told."""
    rng = np.random.default_rng(3)
    still = np.zeros((4, 100))
    broken = rng.standard_normal((4, 100))
    broken[2, 7] = np.nan
    for values in (still, broken, rng.standard_normal((4, 3))):
        found = Chains(values, Interval(-50, 50), "nuts").diagnostics
        assert all(math.isnan(each) for each in (found.ess_bulk, found.ess_tail, found.r_hat, found.mcse))
        assert found.hopeless
    short = Chains(rng.standard_normal((4, 4)), Interval(-50, 50), "nuts").diagnostics
    assert math.isfinite(short.r_hat)


def test_the_tails_are_those_of_arviz() -> None:
    """What the tails are worth is asked of the outer twentieths, not of ArviZ's default."""
    import arviz as az

    walk = np.random.default_rng(4).standard_normal((4, 400)).cumsum(axis=1) * 0.3
    walk -= walk.mean(axis=1, keepdims=True)
    found = Chains(walk, Interval(-500, 500), "nuts").diagnostics
    assert found.ess_tail == pytest.approx(float(np.asarray(az.ess(walk, method="tail", prob=(0.05, 0.95)))))
    assert found.ess_bulk == pytest.approx(float(np.asarray(az.ess(walk, method="bulk"))))


def test_one_undefined_draw_leaves_no_diagnostics() -> None:
    """Diagnostics are of all draws: with a single one undefined, in one chain, they are nan, and a fault."""
    values = np.random.default_rng(2).standard_normal((2, 200))
    values[1, 17] = np.nan
    found = Chains(values, Interval(-9, 9), "nuts").diagnostics

    assert np.isnan([found.ess_bulk, found.ess_tail, found.r_hat, found.mcse]).all()
    assert found.hopeless
