"""Right or wrong, classifier scores: what was not seen is not impossible."""

import math

import numpy as np
import pytest
from scipy import stats

import outclass as oc
from outclass.errors import InputError
from outclass.models import right_wrong
from outclass.models.pseudo_items import ATOMS, CLASS_MASS, signs, with_pseudo_items


def _right_or_wrong(low: float = 0.0, high: float = 1.0) -> dict[str, np.ndarray]:
    """Twenty items, three of which only A gets right."""
    b = np.where(np.arange(20) < 12, high, low)
    return {"A": np.where(np.arange(20) < 15, high, low), "B": b}


def test_three_of_twenty_are_no_certainty() -> None:
    """Three discordant items, all one way (exact p = .25): Jeffreys' sign model, and the exact test beside it."""
    row = oc.compare(oc.scores(_right_or_wrong()), rope=0.05).only

    assert row.model == "sign"
    assert row.verdict.value == ">"
    assert row.difference.below == pytest.approx(stats.beta(3.5, 0.5).cdf(0.5), abs=1e-4)
    tests = {test.name: test.p_value for test in row.tests}
    assert tests["sign_exact"] == pytest.approx(0.25)
    assert tests["mcnemar_midp"] == pytest.approx(0.125)
    assert "OC104" in {note.code for note in row.findings}


def test_right_and_wrong_in_any_unit() -> None:
    """Ratings of 1 and 5 are the same data: four times the difference, and Beta intervals moved to [1, 5]."""
    unit = oc.compare(oc.scores(_right_or_wrong()), rope=0.05).only
    moved = oc.compare(oc.scores(_right_or_wrong(1.0, 5.0)), rope=0.2).only

    assert moved.difference.hdi == pytest.approx(tuple(4 * end for end in unit.difference.hdi), abs=1e-3)
    assert moved.systems[0].mean == pytest.approx(1 + 4 * stats.beta(16, 6).mean())
    assert unit.systems[0].std == pytest.approx(stats.beta(16, 6).std())


def test_what_counts_as_two_values() -> None:
    """Two numbers for all systems; one number only if it is 0 or 1; two different constants do not count."""
    ones, zeros = np.ones(5), np.zeros(5)
    mixed = np.array([2.0, 7.0, 2.0])

    assert right_wrong.two_values([ones, ones]) == (0, 1)
    assert right_wrong.two_values([ones, zeros]) == (0, 1)
    assert right_wrong.two_values([mixed, np.full(3, 2.0)]) == (2, 7)
    assert right_wrong.two_values([np.full(3, 2.0), np.full(3, 7.0)]) is None
    assert right_wrong.two_values([mixed, np.full(3, 3.0)]) is None


def test_pseudo_items_treat_every_pair_alike() -> None:
    """Of any two systems each of the four combinations is as frequent, for few systems and for a hundred."""
    for systems in (2, 5, 100):
        flips = signs(systems)
        products = flips.T @ flips / len(flips)
        assert np.array_equal(products, np.eye(systems))
        assert np.array_equal(flips.sum(axis=0), np.zeros(systems))


def _perfect(inverted: int = 0) -> oc.Scores:
    rng = np.random.default_rng(1)
    truth = np.arange(40) < 20
    a = truth + rng.uniform(-0.4, 0.4, 40)
    b = truth + rng.uniform(-0.4, 0.4, 40)
    for place in range(inverted):
        b[place], b[20 + place] = b[20 + place], b[place]
    return oc.scores({"t": truth.astype(int), "A": a, "B": b}, truth="t", positive=1)


def test_two_perfect_systems_are_no_certainty() -> None:
    """20 + 20 items without an error: an interval of some width below 1 for each, around 0 for the difference."""
    row = oc.compare(_perfect(), rope=0.01).only

    assert row.systems[0].observed == row.systems[1].observed == 1
    assert row.systems[0].hdi.low < 0.99
    assert row.difference.hdi.low < -0.01 < 0.01 < row.difference.hdi.high
    assert row.verdict.value not in ("~=", "<<", ">>")
    assert {"OC105", "OC212"} <= {note.code for note in row.findings}


def test_one_inverted_pair_is_no_certainty() -> None:
    """A perfect, B with one pair inverted: P(A > B) is far from 1, and DeLong's p is not small."""
    row = oc.compare(_perfect(1), rope=0.01).only

    assert 0.5 < row.difference.above < 0.99
    assert row.tests[0].p_value > 0.1
    assert "OC104" in {note.code for note in row.findings}


@pytest.mark.parametrize("measure", ["auc", "average_precision", "partial_auc:0.2", "recall_at_precision:0.9"])
def test_near_perfect_rankings_are_told(measure: str) -> None:
    """AUC .995 with 50 + 50 items: in nine of ten sets a finding says that the interval depends on the prior."""
    rng = np.random.default_rng(2)
    truth = np.arange(100) < 50
    told = []
    for number in range(20):
        a, b = (3.64 * truth + rng.normal(size=100) for _ in range(2))
        data = oc.scores({"t": truth.astype(int), "A": a, "B": b}, truth="t", positive=1)
        codes = {note.code for note in oc.compare(data, measure=measure, draws=200, rng=number).findings}
        told.append(bool(codes & {"OC104", "OC105", "OC212"}))
    assert np.mean(told) >= 0.9


def test_many_misranked_items_are_not_told() -> None:
    """Two ordinary systems on 400 items come without these findings, in compare and in rank."""
    rng = np.random.default_rng(3)
    truth = np.arange(400) < 150
    a, b = (truth + rng.normal(size=400) for _ in range(2))
    data = oc.scores({"t": truth.astype(int), "A": a, "B": b}, truth="t", positive=1)

    for answer in (oc.compare(data, draws=500), oc.rank(data, draws=500)):
        assert not {"OC104", "OC105", "OC107", "OC212"} & {note.code for note in answer.findings}


def test_pseudo_items_of_classes() -> None:
    """Each class gets pseudo-items of its mass, with scores that the system itself gave."""
    data = _perfect()
    items = with_pseudo_items(data, np.random.default_rng(0))

    assert items.truth is not None
    assert items.truth[40:].sum() == ATOMS
    assert items.shapes[40:].sum() == pytest.approx(2 * CLASS_MASS)
    for given, own in zip(data.values.values(), items.values, strict=True):
        assert set(own[40:].tolist()) <= set(given.tolist())


def test_swapping_mirrors_the_draws_of_auc() -> None:
    """B against A is exactly A against B, turned."""
    data = _perfect(3)
    first, second = (oc.compare(data, systems=names, draws=2_000).difference for names in (["A", "B"], ["B", "A"]))

    assert first.hdi.low == pytest.approx(-second.hdi.high, abs=1e-12)
    assert first.above == pytest.approx(second.below, abs=1e-12)


def test_ece_has_no_interval_and_says_so() -> None:
    """The calibration error is shown without an interval, and the Brier score is named instead; JSON and pages work."""
    rng = np.random.default_rng(4)
    p = rng.random(200)
    table = {"t": (rng.random(200) < p).astype(int), "A": p, "B": np.clip(p + 0.1, 0, 1)}
    data = oc.scores(table, truth="t", positive=1)
    answer = oc.compare(data, measure="ece")

    assert math.isnan(answer.difference.hdi.low)
    assert answer.only.verdict.value == "?"
    assert math.isfinite(answer.only.systems[0].observed)
    assert "Brier" in next(note.message for note in answer.findings if note.code == "OC215")
    assert "no interval" in answer.words
    assert answer.to_html()
    assert "null" in answer.to_json()
    with pytest.raises(InputError, match="Brier"):
        oc.rank(data, measure="ece")


def test_findings_of_rank_are_those_of_compare() -> None:
    """Few items, few differing items, none: rank says it as compare does."""
    rng = np.random.default_rng(5)
    base = rng.random(25)
    for better, code in ((base + (np.arange(25) < 2) / 10, "OC104"), (base, "OC105")):
        data = oc.scores({"A": better, "B": base})
        for answer in (oc.compare(data), oc.rank(data)):
            assert {code, "OC107"} <= {note.code for note in answer.findings}


def test_a_rare_class_keeps_its_share() -> None:
    """Brier score of a constant forecast is the share of positives but for a constant: the interval holds it."""
    truth = np.zeros(500, dtype=int)
    truth[:5] = 1
    rng = np.random.default_rng(0)
    data = oc.scores(
        {"truth": truth, "A": np.where(truth == 1, 0.3, 0.02) + rng.uniform(0, 0.01, 500), "B": np.full(500, 0.01)},
        truth="truth",
    )
    constant = oc.compare(data, measure="brier", rope=0.001).only.systems[1]
    assert constant.mean == pytest.approx(constant.observed, rel=0.15)
    # Clopper and Pearson's interval of 5 of 500 is .0033 to .0232.
    assert constant.hdi.low < 0.0045
    assert 0.019 < constant.hdi.high < 0.028
