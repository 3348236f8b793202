"""Beside prob_conf_mat: measures of one system, and differences of two that are taken as independent.

Its model is a Dirichlet for the classes and one for what is said of each class: our unpaired model. Its own prior is 0,
which is no law where a cell is empty, and which we refuse; so both are given 1 ('ones', our uniform) or 1/2 ('half',
our Jeffreys). It draws, and so all is held to four standard errors of its draws.
"""

import math
import warnings
from functools import cache

import numpy as np
import pytest
from prob_conf_mat import Study
from prob_conf_mat.config import ConfigWarning

import outclass as oc
from outclass import measures
from outclass.data.multilabel import Classes
from outclass.errors import InputError
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.measures.averages import AVERAGES
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.question import Question
from outclass.models.table.unpaired import Unpaired
from outclass.models.weights_fit import fit_weights
from outclass.verdict.rope import rope_of

DRAWS = 100_000
PRIORS = {"ones": "uniform", "half": "jeffreys"}
# tp, fp, fn, tn of two systems: even, few, many, and with empty cells.
PAIRS = {
    "even": ((60, 14, 26, 200), (66, 20, 20, 194)),
    "few": ((8, 3, 2, 40), (5, 1, 5, 42)),
    "many": ((900, 40, 120, 5_000), (880, 30, 140, 5_010)),
    "empty cells": ((3, 0, 0, 9), (0, 1, 3, 8)),
}
NAMES = {
    "f1": "f1",
    "fbeta:2": "fbeta+beta=2.0",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "npv": "npv",
    "jaccard": "jaccard",
    "informedness": "informedness",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced_accuracy",
    "mcc": "mcc",
    "kappa": "kappa",
}
WHOLE = ("accuracy", "balanced_accuracy", "mcc", "kappa")  # theirs are of the whole table, without a class


@cache
def _study(pair: str, prior: str) -> Study:
    study = Study(seed=3, num_samples=DRAWS, ci_probability=0.95)
    for name, (tp, fp, fn, tn) in zip("ab", PAIRS[pair], strict=True):
        study.add_experiment(f"{name}/{name}", [[tn, fp], [fn, tp]], prevalence_prior=prior, confusion_prior=prior)
    for metric in NAMES.values():
        study.add_metric(metric)
    return study


def _unpaired(pair: str, prior: str) -> Unpaired:
    tables = [np.array([[tp, fn], [fp, tn]]) for tp, fp, fn, tn in PAIRS[pair]]
    return Unpaired.fit(Evidence(joint=None, systems=(tables[0], tables[1])), prior_of(PRIORS[prior]), Settings())


def _agree(law: Distribution, drawn: np.ndarray, own: float) -> None:
    """Hold mean, spread, quantiles and P(> 0) of a law to draws: four standard errors, and the law's own error."""
    n = len(drawn)
    assert abs(law.mean - drawn.mean()) < (4 / math.sqrt(n) + own) * law.std
    kurtosis = float(np.mean((drawn - drawn.mean()) ** 4) / drawn.var() ** 2)
    assert law.std == pytest.approx(drawn.std(), rel=4 * math.sqrt((kurtosis - 1) / (4 * n)) + own)
    for share in (0.025, 0.25, 0.5, 0.75, 0.975):
        error = 4 * math.sqrt(share * (1 - share) / n) + own
        assert float(law.cdf(np.quantile(drawn, share))) == pytest.approx(share, abs=error), share
    above = 1 - float(law.cdf(0.0))
    assert np.mean(drawn > 0) == pytest.approx(above, abs=4 * math.sqrt(max(above * (1 - above), 1e-4) / n) + own)


@pytest.mark.parametrize(
    ("pair", "prior"), [("even", "ones"), ("few", "half"), ("many", "ones"), ("empty cells", "half")]
)
@pytest.mark.parametrize("name", NAMES)
def test_one_and_two_systems(name: str, pair: str, prior: str) -> None:
    """Each system's law, that of the difference, and its HDI and region of practical equivalence as they tell them."""
    study, model, measure = _study(pair, prior), _unpaired(pair, prior), measures.get(name)
    label = None if name in WHOLE else 1
    for which, system in enumerate("ab"):
        found = study.get_metric_samples(NAMES[name], f"{system}/{system}", "posterior").values
        # With empty cells the law is known to four times the tolerance.
        _agree(model.system(which, measure), found[:, label or 0], 6e-4 if pair == "empty cells" else 3e-4)
    with warnings.catch_warnings():
        # Their Bayes factor and their observed values divide by zero.
        warnings.simplefilter("ignore", RuntimeWarning)
        told = study.get_pairwise_comparison(
            NAMES[name], label, experiment_a="a/a", experiment_b="b/b", min_sig_diff=0.05
        )
    law = model.difference(measure)
    _agree(law, told.diff_dist, 1e-3)
    for found, expected in (
        (float(law.cdf(-0.05)), told.p_sig_neg),
        (law.probability(-0.05, 0.05), told.p_rope),
        (1 - float(law.cdf(0.05)), told.p_sig_pos),
    ):
        assert found == pytest.approx(expected, abs=4 * math.sqrt(max(found * (1 - found), 1e-4) / DRAWS) + 1e-3)
    # The shortest interval of draws wanders where the density is flat at its ends; what it holds does not.
    low, high = told.diff_dist_summary.hdi
    ours = law.hdi(0.95)
    assert law.probability(low, high) == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / DRAWS) + 2e-3)
    assert ours.width == pytest.approx(high - low, rel=0.01)
    assert [ours.low, ours.high] == pytest.approx([low, high], abs=0.12 * law.std)


CONFUSIONS = np.array([[40, 6, 2, 1], [5, 30, 4, 0], [1, 3, 22, 2], [0, 2, 1, 9]])


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "mcc", "kappa", "macro_f1", "macro_recall"])
def test_four_classes(name: str) -> None:
    """Sixteen pseudo-items, half of them right: four of each class, two of them right, is the same prior there."""
    theirs = name.replace("macro_", "") + "@macro" * name.startswith("macro_")
    study = Study(seed=4, num_samples=DRAWS, ci_probability=0.95)
    study.add_experiment("a/a", CONFUSIONS, prevalence_prior=4.0, confusion_prior=np.where(np.eye(4) > 0, 2, 2 / 3))
    study.add_metric(theirs)
    drawn = study.get_metric_samples(theirs, "a/a", "posterior").values[:, 0]
    rows = [(truth, said, said) for truth in range(4) for said in range(4)]
    outcomes = oc.Outcomes.of_rows(("a", "copy"), rows, CONFUSIONS.ravel().tolist()).selected(("a",))
    asked = Question(
        measures=(AVERAGES[name],),
        model="paired",
        mass=16.0,
        rope=rope_of(0.05),
        hdi_mass=0.95,
        settings=Settings(draws=50_000, seed=1),
    )
    ours = fit_weights(Classes(outcomes), asked, mass=asked.mass).values[name][:, 0]
    error = drawn.std() * math.sqrt(1 / len(drawn) + 1 / len(ours))
    assert ours.mean() == pytest.approx(drawn.mean(), abs=4 * error)
    assert ours.std() == pytest.approx(drawn.std(), rel=0.02)
    for share in (0.025, 0.5, 0.975):
        assert np.mean(ours < np.quantile(drawn, share)) == pytest.approx(
            share, abs=4 * math.sqrt(share * (1 - share) * (1 / len(drawn) + 1 / len(ours)))
        )


def test_their_default_prior_makes_three_items_certain() -> None:
    """Of three positives all found, and nine negatives: with their prior of 0 F1 is 1 and nothing else is possible."""
    study = Study(seed=1, num_samples=10_000, ci_probability=0.95)
    with pytest.warns(ConfigWarning, match="Haldane"):
        study.add_experiment("a/a", [[9, 0], [0, 3]])
    study.add_metric("f1")
    drawn = study.get_metric_samples("f1", "a/a", "posterior").values[:, 1]
    assert drawn.min() == drawn.max() == 1.0
    assert _unpaired("empty cells", "ones").system(0, measures.get("f1")).hdi(0.95).low < 0.6
    with pytest.raises(InputError, match="positive"):
        prior_of(0.0)
