"""Beside credible: rates and F1 of one system, and who is better of two.

Its rates are Beta(k + lambda, l + lambda); its F1 is Goutte & Gaussier's, of Gamma variates with lambda for each of TP,
FP and FN. Ours with the same priors: lambda for each of the four cells (twice that for either class) in the unpaired
model, and `cells=lambda` in the goutte model. Its intervals have equal tails; where it draws, four standard errors.
"""

import math

import numpy as np
import pytest
from credible.bayesian import metrics as theirs
from credible.bayesian import utils
from hypothesis import given, settings
from hypothesis import strategies as st

from outclass import measures
from outclass.inference.distribution import Distribution
from outclass.inference.settings import Settings
from outclass.models.evidence import Evidence, Wins
from outclass.models.one.single import Single
from outclass.models.prior import prior_of
from outclass.models.table.goutte import Goutte, GoutteOne
from outclass.models.table.sign import Sign
from outclass.models.table.unpaired import Unpaired

DRAWS = 200_000
ENDS = (0.025, 0.975)
LAMBDAS = st.sampled_from([0.5, 1.0])
CELLS = st.lists(st.integers(0, 400), min_size=4, max_size=4).filter(any)


def _table(cells: list[int]) -> np.ndarray:
    tp, fp, fn, tn = cells
    return np.array([[tp, fn], [fp, tn]])


def _arrays(cells: list[int]) -> tuple[np.ndarray, np.ndarray]:
    tp, fp, fn, tn = cells
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


def _cells_prior(each: float) -> dict[str, object]:
    """Give each of the four cells as many pseudo-counts."""
    return {"mu": (2 * each, 2 * each), "positives": each, "negatives": each}


def _law(name: str, cells: list[int], each: float) -> Distribution:
    return Single.fit(_table(cells), prior_of(_cells_prior(each)), Settings()).law(measures.get(name))


@settings(max_examples=25)
@given(CELLS, LAMBDAS)
def test_rates_of_one_system(cells: list[int], each: float) -> None:
    """Precision, recall, specificity, accuracy: what lies in their interval, closed there and integrated here.

    To 1e-4 where every cell has three items; 6e-4 with (nearly) empty cells, which are integrated at Sobol points.
    """
    truth, said = _arrays(cells)
    allowed = 1e-4 if min(cells) >= 3 else 6e-4
    for name, ask, prior in (
        ("precision", theirs.precision_score, each),
        ("recall", theirs.recall_score, each),
        ("specificity", theirs.specificity_score, each),
        # Right and wrong are two cells each, so that lambda for a cell is two of them for accuracy.
        ("accuracy", theirs.accuracy_score, 2 * each),
    ):
        expected = ask(truth, said, lambda_=prior, labels=[0, 1])[2:]
        assert _law(name, cells, each).cdf(expected) == pytest.approx(ENDS, abs=allowed), name


@settings(max_examples=25)
@given(CELLS, LAMBDAS)
def test_goutte_of_one_system(cells: list[int], each: float) -> None:
    """Precision and recall in closed form on both sides: interval and mean to 1e-9. F1 by its draws: four errors."""
    model = GoutteOne.fit(_table(cells), prior_of({"cells": each}), Settings())
    tp, fp, fn, _ = cells
    for name, wrong in (("precision", fp), ("recall", fn)):
        law = model.law(measures.get(name))
        mean, _, low, high = utils.beta(tp, wrong, each, 0.95)
        assert [law.mean, *law.quantile(ENDS)] == pytest.approx([mean, low, high], abs=1e-9)
    law = model.law(measures.get("f1"))
    drawn = utils.f1_posterior(tp, fp, fn, each, DRAWS, np.random.default_rng(sum(cells)))
    assert abs(drawn.mean() - law.mean) < 4 * law.std / math.sqrt(DRAWS)
    assert drawn.std() == pytest.approx(law.std, rel=0.02)
    _, _, low, high = utils.evaluate_statistics(drawn, 0.95, "auto")
    # A quantile of draws errs by sqrt(p (1 - p) / n) in probability.
    assert law.cdf([low, high]) == pytest.approx(ENDS, abs=4 * math.sqrt(0.025 * 0.975 / DRAWS))


# The last pair has empty cells.
PAIRS = [
    ([60, 14, 26, 200], [66, 20, 20, 194]),
    ([8, 3, 2, 40], [5, 1, 5, 42]),
    ([900, 40, 120, 5_000], [880, 30, 140, 5_010]),
    ([3, 0, 0, 9], [0, 1, 3, 8]),
]


def _within(found: float, drawn: float) -> bool:
    return abs(found - drawn) < 4 * math.sqrt(max(found * (1 - found), 1e-4) / DRAWS)


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize("each", [0.5, 1.0])
def test_better_of_two(a: list[int], b: list[int], each: float) -> None:
    """P(A > B): F1 of the goutte model; rates of the unpaired model with the prior on cells."""
    rng = np.random.default_rng(11)
    evidence = Evidence(joint=None, systems=(_table(a), _table(b)))
    law = Goutte.fit(evidence, prior_of({"cells": each}), Settings()).difference(measures.get("f1"))
    assert _within(1 - float(law.cdf(0.0)), utils.compare_f1_scores(*a[:3], *b[:3], each, DRAWS, rng))
    model = Unpaired.fit(evidence, prior_of(_cells_prior(each)), Settings())
    for name, prior, parts in (
        ("precision", each, lambda tp, fp, fn, tn: (tp, fp)),
        ("recall", each, lambda tp, fp, fn, tn: (tp, fn)),
        ("specificity", each, lambda tp, fp, fn, tn: (tn, fp)),
        ("accuracy", 2 * each, lambda tp, fp, fn, tn: (tp + tn, fp + fn)),
    ):
        found = 1 - float(model.difference(measures.get(name)).cdf(0.0))
        assert _within(found, utils.compare_beta_posteriors(*parts(*a), *parts(*b), prior, DRAWS, rng)), name


@pytest.mark.parametrize("wins", [(17, 4, 3_278), (3, 3, 40), (0, 2, 9), (240, 205, 10_000), (1, 0, 0)])
@pytest.mark.parametrize("each", [0.5, 1.0])
def test_who_alone_is_right(wins: tuple[int, int, int], each: float) -> None:
    """compare_systems is our sign model: P(pi_A > pi_B), drawn there and a Beta's probability here."""
    drawn = utils.compare_systems(wins, (each,) * 3, DRAWS, np.random.default_rng(5))
    model = Sign.fit(Evidence(joint=None, systems=None, wins=Wins(*wins)), prior_of({"wins": each}), Settings())
    assert _within(1 - float(model.log_odds().cdf(0.0)), drawn)
    assert _within(1 - float(model.difference(measures.get("accuracy")).cdf(0.0)), drawn)


def test_their_jaccard_is_not_that_of_their_f1() -> None:
    """J = F1 / (2 - F1) item by item, so an interval of one gives the other's: ours does, credible's does not.

    Its F1 gives lambda to FP and to FN, its Jaccard index lambda to both together.
    """
    cells = [8, 3, 2, 40]
    model = GoutteOne.fit(_table(cells), prior_of({"cells": 1.0}), Settings())
    f1, jaccard = (model.law(measures.get(name)).quantile(ENDS) for name in ("f1", "jaccard"))
    assert jaccard == pytest.approx(f1 / (2 - f1), abs=1e-9)
    their_f1 = np.array(theirs.f1_score(*_arrays(cells), rng=np.random.default_rng(1), nb_samples=DRAWS)[2:])
    their_jaccard = np.array(theirs.jaccard_score(*_arrays(cells))[2:])
    assert their_f1 / (2 - their_f1) == pytest.approx(jaccard, abs=3e-3)
    assert np.all(their_jaccard - their_f1 / (2 - their_f1) > 0.02)
