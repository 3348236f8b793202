"""Ranges as Betas, and whether a verdict depends on the prior."""

import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError
from outclass.models.prior import paired_of, prior_of

ROWS = [[1, 1, 1], [1, 1, 0], [1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [0, 0, 0]]


@given(
    st.floats(0.01, 0.9),
    st.floats(0.02, 0.5),
    st.sampled_from([0.5, 0.8, 0.95, 0.99]),
)
def test_a_range_is_met(low: float, width: float, mass: float) -> None:
    """The quantiles of the Beta, by SciPy, are the ends that were asked for."""
    high = min(low + width, 0.995)
    if high - low < 0.005:
        return
    law = stats.beta(*oc.beta_between(low, high, mass))
    assert law.ppf((1 - mass) / 2) == pytest.approx(low, abs=1e-6)
    assert law.ppf((1 + mass) / 2) == pytest.approx(high, abs=1e-6)


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.1), (0.9, 1.0), (0.0, 1.0), (0.0, 1e-4)])
def test_a_range_at_an_end(low: float, high: float) -> None:
    law = stats.beta(*oc.beta_between(low, high))
    expected = 1.0 if (low, high) == (0, 1) else 0.95
    assert law.cdf(high) - law.cdf(low) == pytest.approx(expected)


@pytest.mark.parametrize("ends", [(0.9, 0.6), (0.5, 0.5), (-0.1, 0.5), (0.5, 1.1), (float("nan"), 0.5)])
def test_no_range(ends: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="must be increasing"):
        oc.beta_between(*ends)


@given(st.floats(0.1, 500), st.floats(0.1, 500))
def test_two_systems_have_the_rate_each(yes: float, no: float) -> None:
    """The Dirichlet's margins are the Beta, and a priori the systems agree as often as chance has it."""
    cells = paired_of(yes, no)
    assert min(cells) > 0
    assert cells[0] + cells[1] == pytest.approx(yes)
    assert cells[0] + cells[2] == pytest.approx(yes)
    assert sum(cells) == pytest.approx(yes + no)
    total = sum(cells)
    assert cells[0] / total == pytest.approx((yes / total) ** 2)


def test_the_papers_prior_is_one_of_these() -> None:
    assert paired_of(2, 2) == (1, 1, 1, 1)
    told = oc.compare([1, 1, 0, 0] * 5, [1, 0, 0, 0] * 5, [1, 1, 0, 1] * 5, prior={"recall": (2, 2), "fpr": (2, 2)})
    plain = oc.compare([1, 1, 0, 0] * 5, [1, 0, 0, 0] * 5, [1, 1, 0, 1] * 5, prior="uniform")
    assert told.difference == plain.difference


def test_a_range_moves_the_posterior() -> None:
    """Recall of one system is conjugate: Beta(a + tp, b + fn), by hand."""
    a, b = oc.beta_between(0.6, 0.9)
    answer = oc.evaluate(
        counts={"tp": 12, "fp": 3, "fn": 4, "tn": 60}, model="single", measure="recall", prior="recall=0.6..0.9"
    )
    assert answer.only.system.mean == pytest.approx((a + 12) / (a + b + 16))
    assert "between 0.6 and 0.9" in answer.only.prior_words
    assert "between 0.6 and 0.9" in answer.to_text(verbose=True)
    assert "between 0.6 and 0.9" in answer.to_markdown()
    assert oc.Evaluation.from_json(answer.to_json()).to_json() == answer.to_json()


def test_parts_and_a_base() -> None:
    prior = prior_of("base=jeffreys;recall=0.6..0.9")
    assert prior.negatives == 0.5
    assert prior.mu == (0.5, 0.5)
    assert prior.name == "base=jeffreys;recall=0.6..0.9"


def _outcomes(cells: list[int]) -> oc.Outcomes:
    return oc.Outcomes.of_rows(("A", "B"), ROWS, cells)


def test_sensitivity() -> None:
    """Each row is `compare` with that prior; a flip is found where there is one, and only there."""
    outcomes = _outcomes([5, 9, 1, 5, 2, 1, 3, 14])
    answer = oc.sensitivity(outcomes, positive=1)
    assert [row.prior for row in answer.rows] == ["matched", "uniform", "jeffreys", "two each", "alike"]
    for row, spec in zip(answer.rows, ("matched", 1.0, 0.5), strict=False):
        assert row.difference == oc.compare(outcomes, positive=1, prior=spec).difference
    flips = len({row.verdict for row in answer.rows}) > 1
    assert flips == ("OC211" in {finding.code for finding in answer.findings})
    assert flips
    firm = oc.sensitivity(_outcomes([500, 90, 10, 50, 20, 10, 30, 900]), positive=1)
    assert "OC211" not in {finding.code for finding in firm.findings}
    assert "jeffreys" in str(answer)
    assert "several priors" in answer.to_text(verbose=True)


def test_sensitivity_to_ones_own() -> None:
    outcomes = _outcomes([5, 9, 1, 5, 2, 1, 3, 14])
    answer = oc.sensitivity(outcomes, positive=1, prior="recall=0.9..0.99", priors={"flat": "uniform", "strong": 50})
    assert [row.prior for row in answer.rows] == ["recall=0.9..0.99", "flat", "strong"]
    strong = answer.rows[2]
    assert abs(strong.difference.mean) < abs(answer.rows[1].difference.mean)


@pytest.mark.parametrize(
    "asked",
    [
        {"counts": [{"tp": 10, "fp": 3, "fn": 4}, {"tp": 8, "fp": 1, "fn": 6}]},
        {"wins": (14, 4), "items": 60},
        {"counts": [{"tp": 9, "fp": 3, "fn": 4, "tn": 30}, {"tp": 8, "fp": 1, "fn": 6, "tn": 31}], "model": "unpaired"},
    ],
)
def test_sensitivity_of_counts(asked: dict[str, object]) -> None:
    answer = oc.sensitivity(**asked)
    assert len(answer.rows) >= 3
    assert len({row.difference.mean for row in answer.rows}) == len(answer.rows)


def test_sensitivity_over_many_labels() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 60)
    said = [np.where(rng.random(60) < wrong, rng.integers(0, 3, 60), truth) for wrong in (0.2, 0.4)]
    outcomes = oc.Outcomes.of_rows(("A", "B"), np.stack([truth, *said], axis=1).tolist(), [1] * 60)
    answer = oc.sensitivity(outcomes, measure="macro_f1")
    assert [row.prior for row in answer.rows] == ["matched", "none", "uniform", "jeffreys"]
    with pytest.raises(InputError, match="applies to MCMC"):
        oc.compare(outcomes, measure="macro_f1", sampler="metropolis")
    with pytest.raises(InputError, match="no prior to vary"):
        oc.sensitivity(outcomes, model="hierarchical")


def test_the_command() -> None:
    counts = list(itertools.chain(*(("--counts", text) for text in ("tp=9,fp=3,fn=4,tn=30", "tp=8,fp=1,fn=6,tn=31"))))
    run = CliRunner()
    result = run.invoke(app, ["compare", *counts, "--model", "unpaired", "--sensitivity", "--format", "json"])
    assert result.exit_code == 0, result.output
    assert [row["prior"] for row in json.loads(result.stdout)["comparisons"]][:3] == ["matched", "uniform", "jeffreys"]
    result = run.invoke(app, ["compare", *counts, "--model", "unpaired", "--prior-recall", "0.7"])
    assert result.exit_code != 0
    assert "is a range" in str(result.exception)
    result = run.invoke(
        app,
        ["compare", *counts, "--model", "unpaired", "--prior", "jeffreys", "--prior-fpr", "0..0.2", "--format", "json"],
    )
    (row,) = json.loads(result.stdout)["comparisons"]
    assert row["prior"] == "base=jeffreys;fpr=0..0.2"
    assert "Beta(1, " in row["prior_words"]
