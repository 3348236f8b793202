"""Bayes factors over many labels: the interval null, under the papers' prior."""

import sys
from pathlib import Path

import numpy as np
import pytest

import outclass as oc

sys.path.insert(0, str(Path(__file__).parents[1] / "golden"))

import cells


def test_two_labels_are_the_exact_factor() -> None:
    """Drawn over labels, the factor of accuracy is the integrated one of two classes with the same prior.

    Each of 8 seeds has a standard error of about 14%, their mean one of 5%: two and a half of these are allowed.
    """
    outcomes = cells.binary().selected(["old", "new"])
    same = {"mu": (4, 4), "positives": 1, "negatives": 1}  # eight pseudo-items, one in each cell
    exact = oc.compare(outcomes, measure="accuracy", rope=0.1, prior=same).bayes_factors["interval_null"].value

    drawn = [oc.compare(outcomes, measure="micro_f1", rope=0.1, rng=seed).only for seed in range(8)]

    assert {row.factor_prior for row in drawn} == {"uniform"}
    assert np.mean([row.bayes_factors[0].value for row in drawn]) == pytest.approx(exact, rel=0.12)


def test_evidence_for_equality_grows() -> None:
    """Of systems alike the factor for practical equivalence is above 1, and larger with ten times the items."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 4_000)
    said = [np.where(rng.random(4_000) < 0.2, rng.integers(0, 4, 4_000), truth) for _ in range(2)]

    few, many = (
        oc.compare(truth[:size], said[0][:size], said[1][:size], measure="macro_f1", rope=0.05).bayes_factors
        for size in (400, 4_000)
    )

    assert 1 < few["interval_null"].value < many["interval_null"].value


def test_models_without_a_prior_have_none() -> None:
    """There is nothing to compare with before the data."""
    for model in ("bootstrap", "hierarchical"):
        assert oc.compare(cells.classes().selected(["old", "new"]), measure="macro_f1", model=model).bayes_factors == {}


@pytest.mark.parametrize(("rope", "known"), [(1e-9, False), (0.05, True), (0.999, False)])
def test_odds_that_draws_do_not_tell(rope: float, known: bool) -> None:
    """A ROPE that hardly a draw of the prior lies in, or outside of, has no odds before the data, and no factor."""
    answer = oc.compare(cells.classes().selected(["old", "new"]), measure="macro_f1", rope=rope, draws=2_000)

    assert ("interval_null" in answer.bayes_factors) is known
    assert (answer.only.before is not None) is known
