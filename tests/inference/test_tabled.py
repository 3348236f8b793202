"""Curves known by values alone: held against the inverse of the same curves, and against what is not monotone."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from outclass import measures
from outclass.errors import RoughLawError
from outclass.inference.beta import logit_beta
from outclass.inference.curves import OddsDifference
from outclass.inference.distribution import Interval
from outclass.inference.mixture import Mixture
from outclass.inference.nodes import sobol_points
from outclass.inference.settings import Settings
from outclass.inference.tabled import SCORES, Tabled
from outclass.measures.measure import Measure
from outclass.models.evidence import Evidence
from outclass.models.one.single import Single
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired

JOINT = np.array([[255, 22, 24, 95], [62, 38, 35, 7001]])
F1 = measures.get("f1")


def _f1(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> np.ndarray:
    return 2 * tp / (2 * tp + fp + fn)


AS_FUNCTION = replace(F1, ratio=None, function=_f1, rises=True)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_inverse_of_a_table_is_that_of_its_curve(sign: int) -> None:
    """At every node the score of a value and its pace are those of the closed inverse; beyond the ends, infinite."""
    law, nodes = logit_beta(30.0, 20.0), sobol_points(4, 1, 1)
    t = logit_beta(6.0, 7.0).value(nodes.scores[0])
    curve = OddsDifference(np.ones_like(t), special.expit(t), special.expit(-t), sign)
    known = Mixture(curve, law, nodes, support=Interval(-1, 1))
    tabled = Tabled.of_curve(curve, law, nodes, support=Interval(-1, 1))
    values = np.array([-0.2, 0.05, 0.3])[:, None, None]

    for ours, theirs in zip(tabled._at_nodes(values), known._at_nodes(values), strict=True):
        near = np.isfinite(theirs) & (np.abs(known._at_nodes(values)[0]) < 7)
        assert near.any()
        assert ours[near] == pytest.approx(theirs[near], rel=2e-4, abs=2e-4)
    assert np.all(np.isinf(tabled._at_nodes(0.999)[0]))
    assert tabled.mean == pytest.approx(known.mean, abs=1e-6)
    assert tabled.std == pytest.approx(known.std, rel=1e-4)
    assert tabled._at_scores(np.array([-1.3, 0.1])) == pytest.approx(known._at_scores(np.array([-1.3, 0.1])), abs=1e-6)


def test_f1_by_its_values_is_f1() -> None:
    """A measure given as a function has the distribution of the same measure given as a ratio; the oracles of F1."""
    posterior = Paired.fit(Evidence.of_joint(JOINT), prior_of("uniform"), Settings())
    ratio, function = posterior.difference(F1), posterior.difference(AS_FUNCTION)
    at = ratio.mean + ratio.std * np.array([-3, -1, 0, 1, 3])

    assert isinstance(function, Tabled)
    assert function.cdf(at) == pytest.approx(ratio.cdf(at), abs=1e-6)
    assert function.pdf(at) == pytest.approx(ratio.pdf(at), rel=1e-5)
    assert function.probability(0, 1) == pytest.approx(0.3308597, abs=5e-5)
    assert float(function.pdf(0.0)) == pytest.approx(26.22683, rel=2e-4)
    assert function.hdi() == pytest.approx((-0.03339, 0.02125), abs=2e-5)


def test_one_system_by_its_values() -> None:
    """So has one system, with an error that is told."""
    posterior = Single.fit(np.array([[277, 119], [100, 7036]]), prior_of("uniform"), Settings())
    ratio, function = posterior.law(F1), posterior.law(AS_FUNCTION)

    assert isinstance(function, Tabled)
    assert function.hdi() == pytest.approx(ratio.hdi(), abs=1e-6)
    assert function.mean == pytest.approx(ratio.mean, abs=1e-8)
    assert len(function.replicates()) == 1


@pytest.mark.parametrize("name", ["mcc", "gmean"])
def test_measures_without_a_ratio_against_draws(name: str) -> None:
    """The two measures that are no ratio, against 400,000 plain draws of the cells (error of a probability: .0008)."""
    measure = measures.get(name)
    posterior = Paired.fit(Evidence.of_joint(JOINT), prior_of("uniform"), Settings())
    law = posterior.difference(measure)
    drawn = Paired.fit(Evidence.of_joint(JOINT), prior_of("uniform"), Settings(method="draws", draws=400_000, seed=5))
    draws = drawn.difference(measure).values.ravel()  # type: ignore[attr-defined]
    at = law.mean + law.std * np.array([-2, -1, 0, 1, 2])

    assert law.method == "cubature"
    assert law.cdf(at) == pytest.approx([np.mean(draws <= each) for each in at], abs=4 * 0.0008)
    assert law.mean == pytest.approx(draws.mean(), abs=4 * draws.std() / 632)
    assert law.std == pytest.approx(draws.std(), rel=4 / np.sqrt(800_000) + 0.001)


def test_what_is_not_monotone_is_not_tabled() -> None:
    """A function that falls again raises an error; a measure that does not promise to rise, or breaks it, is drawn."""
    nodes = sobol_points(2, 1, 0)
    values = np.sin(SCORES)[:, None, None] + np.zeros((1, *nodes.scores.shape[1:]))
    unknown = Measure(name="own", title="own", undefined="never", function=_f1)

    with pytest.raises(RoughLawError):
        Tabled(values, nodes, span=np.ones(nodes.scores.shape[1:]), support=Interval(-1, 1))
    promised = replace(unknown, rises=True, function=lambda tp, fp, fn, tn: np.sin(40 * _f1(tp, fp, fn, tn)))
    posterior = Paired.fit(Evidence.of_joint(JOINT), prior_of("uniform"), Settings())
    assert posterior.difference(promised).method == "sobol draws"
    assert posterior.system(0, promised).method == "sobol draws"
    assert posterior.difference(unknown).method == "sobol draws"
    assert posterior.system(0, unknown).method == "sobol draws"
