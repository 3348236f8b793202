"""Published results on one test set: all possible pairings, against every joint table that has the published counts."""

import math
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass import measures
from outclass.ask.published import question_of
from outclass.ask.question import Wishes
from outclass.data.given_counts import counts_of
from outclass.data.published import SameItems
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.models import fitted
from outclass.models.agreement import difference_at, widest
from outclass.models.evidence import Evidence
from outclass.rows import same_items
from outclass.verdict.rope import decide

SMALL = ["tp=30,fp=4,fn=8,tn=58", "tp=22,fp=7,fn=16,tn=55"]
LARGE = ["tp=850,fp=94,fn=150,tn=8906", "tp=880,fp=77,fn=120,tn=8923"]


def joints(specs: list[str]) -> list[np.ndarray]:
    """Return every joint table with the published counts, by trying all disagreements on each class."""
    a, b = (each.table for each in counts_of(specs).results)
    found = []
    for row in (0, 1):
        size, yes_a, yes_b = int(a[row].sum()), int(a[row, 0]), int(b[row, 0])
        own = [(both, yes_a - both, yes_b - both, size - yes_a - yes_b + both) for both in range(size + 1)]
        found.append([cells for cells in own if min(cells) >= 0])
    return [np.array(rows) for rows in product(*found)]


def pair_of(specs: list[str]) -> SameItems:
    """Return two results on one test set."""
    (pair,) = counts_of(specs, same_items=True).pairs()
    assert isinstance(pair, SameItems)
    return pair


def hdis(specs: list[str], measure: str, rope: float) -> list[tuple[float, Interval, bool]]:
    """Return agreement, interval and whether it decides, of every joint table."""
    question = question_of(counts_of(specs, same_items=True), Wishes(measure=measure))
    own = measures.get(measure)
    prior = question.prior.of(own, "paired")
    settings = replace(question.settings, tolerance=2e-3)
    found = []
    for joint in joints(specs):
        hdi = fitted("paired", Evidence.of_joint(joint), prior, settings).difference(own).hdi(0.95)
        rows = joint if own.given is None else joint[[0 if own.given == "positives" else 1]]
        decided = decide(hdi, Interval(-rope, rope)).is_decided
        found.append((float(rows[:, [0, 3]].sum() / rows.sum()), hdi, decided))
    return found


def test_pairings_are_all_joint_tables() -> None:
    """The ranges give every joint table with the published counts, and no other."""
    pair = pair_of(SMALL)
    ranges = [range(low, high + 1) for low, high in pair.ranges]
    made = [replace(pair, both=both).joint for both in product(*ranges)]

    assert sorted(each.tolist() for each in made) == sorted(each.tolist() for each in joints(SMALL))


@pytest.mark.parametrize(("measure", "rope"), [("f1", 0.05), ("f1", 0.3), ("accuracy", 0.05), ("precision", 0.02)])
@pytest.mark.parametrize("one_by_one", [True, False])
def test_every_pairing_is_looked_at(
    measure: str, rope: float, one_by_one: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The share that decides, the agreement needed and the extremes are those of all tables, however they are found."""
    if not one_by_one:
        monkeypatch.setattr(same_items, "FEW", 0)
        monkeypatch.setattr(same_items, "COLUMNS", 9)
    every = hdis(SMALL, measure, rope)

    row = oc.compare(counts=SMALL, same_items=True, measure=measure, rope=rope).only
    known = row.unknown_agreement

    assert known is not None
    assert known.pairings == len(every)
    share = np.mean([decided for _, _, decided in every])
    assert known.decided == pytest.approx(share, abs=1e-9 if one_by_one else 0.05)
    undecided = [agreement for agreement, _, decided in every if not decided]
    if 0 < share < 1:
        assert known.needed == pytest.approx(max(undecided) + 2 / 100)
    assert known.widest.hdi.width == pytest.approx(max(hdi.width for _, hdi, _ in every), rel=0.01)
    assert known.narrowest.hdi.width == pytest.approx(min(hdi.width for _, hdi, _ in every), rel=0.02)
    assert row.difference.hdi == known.widest.hdi
    assert row.verdict == known.widest.verdict


def test_no_verdict_is_more_certain_than_the_least_favourable_one() -> None:
    """If the row is decided, every pairing is, in the same way."""
    for rope in (0.05, 0.2, 0.35, 0.4):
        row = oc.compare(counts=SMALL, same_items=True, rope=rope).only
        verdicts = {decide(hdi, row.rope) for _, hdi, _ in hdis(SMALL, "f1", rope)}

        assert not row.verdict.is_decided or verdicts == {row.verdict}


@pytest.mark.parametrize("measure", ["f1", "precision", "recall", "accuracy", "mcc", "kappa", "balanced_accuracy"])
def test_agreement_moves_the_width_alone(measure: str) -> None:
    """The mean of the difference is the same under every agreement, and the spread falls as agreement grows."""
    pair = pair_of(LARGE)
    own = measures.get(measure)
    question = question_of(counts_of(LARGE, same_items=True), Wishes(measure=measure))
    (low, high), (least, most) = pair.ranges
    path = [(low + step * (high - low) // 6, least + step * (most - least) // 6) for step in range(7)]

    laws = [difference_at(pair, both, own, question) for both in path]

    assert np.ptp([law.mean for law in laws]) < 2e-4
    assert all(np.diff([law.std for law in laws]) < 1e-6)
    assert widest(pair, own, question).both in (path[0], (low, least))


def test_variance_is_linear_in_the_agreement() -> None:
    """What the search over few columns rests on: the variance falls evenly, as by the delta method."""
    pair = pair_of(LARGE)
    question = question_of(counts_of(LARGE, same_items=True), Wishes(measure="f1"))
    (low, high), (least, most) = pair.ranges
    own = measures.get("f1")

    def variance(step: int, other: int) -> float:
        both = (low + step * (high - low) // 4, least + other * (most - least) // 4)
        return difference_at(pair, both, own, question).std ** 2

    corner, along, up = variance(0, 0), variance(4, 0), variance(0, 4)
    for step, other in product(range(5), repeat=2):
        expected = corner + step / 4 * (along - corner) + other / 4 * (up - corner)
        assert variance(step, other) == pytest.approx(expected, rel=0.03)


def test_least_agreement_is_the_comparison_of_such_items() -> None:
    """Items on which the systems never err together give the row that the published counts give."""
    positives = [("y", "y", "y")] * 14 + [("y", "y", "n")] * 16 + [("y", "n", "y")] * 8
    negatives = [("n", "n", "n")] * 51 + [("n", "y", "n")] * 4 + [("n", "n", "y")] * 7
    truth, a, b = zip(*positives, *negatives, strict=True)

    items = oc.compare(list(truth), list(a), list(b), positive="y").only
    published = oc.compare(counts=SMALL, same_items=True).only

    assert published.difference.hdi.low == pytest.approx(items.difference.hdi.low, abs=1e-3)
    assert published.difference.hdi.high == pytest.approx(items.difference.hdi.high, abs=1e-3)
    assert published.systems[0].mean == pytest.approx(items.systems[0].mean, abs=1e-4)
    assert published.items == items.items == 100
    assert published.pairing is None


def test_accuracy_alone() -> None:
    """Of right and wrong answers alone: exact Betas apart, and the sign model on the same items."""
    specs = ["accuracy=.910,n=200", "accuracy=.935,n=200"]
    apart = oc.compare(counts=specs, prior="jeffreys").only
    paired = oc.compare(counts=specs, same_items=True).only
    alone = oc.evaluate(counts=specs[0], measure=["accuracy", "error"])

    assert apart.systems[0].mean == pytest.approx(182.5 / 201)
    assert apart.difference.mean == pytest.approx(182.5 / 201 - 187.5 / 201, abs=1e-6)
    variance = sum((k + 0.5) * (200 - k + 0.5) / 201**2 / 202 for k in (182, 187))
    assert apart.difference.std == pytest.approx(math.sqrt(variance), rel=1e-3)
    wins = oc.compare(wins=(13, 18), items=200).only  # 182 + 187 - 200 are right together at least
    assert paired.difference.hdi == wins.difference.hdi
    assert paired.unknown_agreement is not None
    assert paired.unknown_agreement.widest.agreement == pytest.approx(1 - 31 / 200)
    assert paired.unknown_agreement.narrowest.agreement == pytest.approx(1 - 5 / 200)
    assert [row.system.mean for row in alone.rows] == pytest.approx([182.5 / 201, 18.5 / 201])


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"measure": "f1"}, "only accuracy and error are known"),
        ({"model": "unpaired"}, "right and wrong answers alone"),
        ({"model": "goutte", "same_items": True}, "same_items"),
        ({"positive": "x"}, "no labels"),
    ],
)
def test_accuracy_alone_has_no_classes(how: dict[str, Any], told: str) -> None:
    """Whatever needs classes is an error that says so."""
    with pytest.raises(InputError, match=told):
        oc.compare(counts=["accuracy=.91,n=200", "accuracy=.93,n=200"], **how)


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"model": "goutte"}, "paired or sign"),
        ({"model": "unpaired"}, "paired or sign"),
        ({"method": "mcmc"}, "MCMC cannot"),
        ({"by": "label"}, "no labels"),
    ],
)
def test_models_that_ignore_the_pairing(how: dict[str, Any], told: str) -> None:
    """What does not go with results on the same items is an error that says so."""
    with pytest.raises(InputError, match=told):
        oc.compare(counts=SMALL, same_items=True, **how)
    with pytest.raises(InputError, match="each is evaluated by itself"):
        oc.evaluate(counts=SMALL, same_items=True)


def test_a_measure_of_one_class_looks_at_that_class() -> None:
    """Recall depends on the positives alone, and so does the agreement that is needed."""
    known = oc.compare(counts=SMALL, same_items=True, measure="recall").only.unknown_agreement

    assert known is not None
    assert known.of == "positive items"
    assert known.pairings == 22 - (30 + 22 - 38) + 1
    assert known.widest.agreement == pytest.approx((14 + 0) / 38)


def test_pairs_of_several_results() -> None:
    """Every two of three results are a row, measure by measure, in the order of the pairs."""
    answer = oc.compare(counts=[*LARGE, "tp=900,fp=99,fn=100,tn=8901"], same_items=True, measure=["f1", "recall"])

    assert [(*(s.name for s in row.systems), row.measure.name) for row in answer.rows] == [
        ("A", "B", "f1"),
        ("A", "B", "recall"),
        ("A", "C", "f1"),
        ("A", "C", "recall"),
        ("B", "C", "f1"),
        ("B", "C", "recall"),
    ]
    assert all(row.unknown_agreement is not None for row in answer.rows)


def test_everything_is_written_and_read_back() -> None:
    """JSON holds the whole of it, CSV and tables the essentials, and every rendering says it in words."""
    answer = oc.compare(counts=LARGE, names=["old", "a<b>&,\"'"], same_items=True, rope=0.01)

    assert oc.Comparison.from_json(answer.to_json()).only.unknown_agreement == answer.only.unknown_agreement
    heads, lines = answer.records
    known = answer.only.unknown_agreement
    assert known is not None
    assert dict(zip(heads, lines[0], strict=True))["pairings_decided"] == known.decided
    assert "of the possible pairings decide" in answer.to_text().replace("\n", " ")
    assert all("agree on is unknown" in told for told in (answer.to_markdown(), answer.to_latex()))
    assert "OC632" in [each.code for each in answer.findings]
    assert "the widest interval over all possible agreements" in answer.methods()
    assert max(map(len, answer.to_text().splitlines())) <= 80


def test_rounding_can_change_the_decision() -> None:
    """Counts that are printed alike are compared at their extremes, and it is said what that does to the verdict."""
    rates = ["precision=.90,recall=.85,positives=1000,n=10000", "precision=.92,recall=.88,positives=1000,n=10000"]

    for how in ({}, {"same_items": True}):
        found = {each.code: each.message for each in oc.compare(counts=rates, **how).findings}
        assert "116 different counts give" in found["OC630"] or "114 different counts" in found["OC630"]
        assert "the decision varies: A ≈ B, A < B" in found["OC631"]
    exact = oc.compare(counts=LARGE, same_items=True)
    assert not {"OC630", "OC631"} & {each.code for each in exact.findings}


def test_tests_take_the_least_agreement() -> None:
    """p-values are those of the least agreement, and a finding names McNemar's at both ends."""
    report = oc.test(counts=SMALL, same_items=True, tests="mcnemar_exact")
    alone = oc.test(counts=["accuracy=.88,n=100", "accuracy=.77,n=100"], same_items=True, tests="sign_exact")

    assert report.rows[0].p_value == pytest.approx(
        oc.test(wins=(23, 12), items=100, tests="sign_exact").rows[0].p_value
    )
    assert alone.rows[0].p_value == pytest.approx(report.rows[0].p_value)
    assert all("McNemar's exact p lies between" in str(each.findings) for each in (report, alone))
