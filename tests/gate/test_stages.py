"""Looks at more and more items: limits that hold at any time, by bets and by influences."""

import math
from pathlib import Path

import numpy as np
import pytest
from gate_suites import gsm8k, labels

import gate as study
import outclass as oc
from outclass import measures
from outclass.ask.anytime_rows import anytime_row
from outclass.ask.gate_checks import CheckSpec, GateSpec, Margin
from outclass.errors import InputError
from outclass.measures import averages
from outclass.measures.scored import get
from outclass.planning import asymptotic, betting, influence
from outclass.planning.needed import needed_at_any_time


def test_capital_of_a_bettor() -> None:
    """The capital is a mixture of products, whatever the order; of a fair game it is 1 on average."""
    rng = np.random.default_rng(1)
    numbers = rng.choice([-1.0, 0.0, 0.5], 60, p=[0.1, 0.7, 0.2])
    by_hand = np.mean([np.prod(1 + share / (0.1 + 1) * (numbers - 0.1)) for share in betting.SHARES])
    games = [math.exp(betting.log_capital(rng.choice([-1.0, 1.0], 30), 0.0)) for _ in range(4_000)]

    assert math.exp(betting.log_capital(numbers, 0.1)) == pytest.approx(by_hand)
    assert betting.log_capital(numbers[::-1], 0.1) == pytest.approx(betting.log_capital(numbers, 0.1))
    assert np.mean(games) == pytest.approx(1.0, abs=4 * np.std(games) / math.sqrt(4_000))


def test_limits_are_where_the_evidence_reaches_the_bound() -> None:
    """The interval and the evidence are of the same process: the ends have evidence 1/alpha."""
    numbers = np.r_[np.ones(30), -np.ones(60), np.zeros(400)]

    one, two = betting.confidence_sequence(numbers, 0.05), betting.two_sided(numbers, 0.05)

    assert betting.log_capital(numbers, one.low) == pytest.approx(math.log(20), abs=1e-6)
    assert betting.log_capital(-numbers, -one.high) == pytest.approx(math.log(20), abs=1e-6)
    for end in two:
        assert betting.log_e_value(numbers, end) == pytest.approx(math.log(20), abs=1e-6)
    for end in asymptotic.two_sided(0.03, 0.5, 900):
        assert asymptotic.log_e_value(0.03, 0.5, 900, end) == pytest.approx(math.log(20))


def test_reach_of_the_asymptotic_sequence() -> None:
    """The formulas of the paper, computed apart: the two-sided mixture, and its one-sided bound."""
    items, alpha, rho = 400, 0.05, asymptotic.rho_squared(asymptotic.USUAL)
    by_hand = math.sqrt(2 * (items * rho + 1) / (items**2 * rho) * math.log(math.sqrt(items * rho + 1) / alpha))

    found = asymptotic.two_sided(0.0, 1.0, items)

    assert found.high == pytest.approx(by_hand)
    assert asymptotic.reach(items, 0.025) == pytest.approx(by_hand, rel=0.06)


def test_influences_against_the_bootstrap() -> None:
    """The spread of influences is that of the bootstrap: F1, macro-F1 and AUC; of accuracy it is exact."""
    rng = np.random.default_rng(2)
    items = 1_500
    truth = rng.choice(4, items, p=[0.4, 0.3, 0.2, 0.1])
    a, b = (np.where(rng.random(items) < 0.7, truth, rng.choice(4, items)) for _ in range(2))
    macro = averages.find("macro_f1")
    assert macro is not None
    codes = np.stack([truth, a, b], axis=1)
    cell = np.where(truth == 0, 0, 4) + np.where(a == 0, 0, 2) + np.where(b == 0, 0, 1)
    yes, scores = truth == 0, [np.where(truth == 0, 1.0, 0.0) + rng.normal(0, 1, items) for _ in range(2)]
    auc = get("auc")

    def table(picked: np.ndarray, name: str) -> influence.Estimate:
        counts = np.bincount(cell[picked], minlength=8).reshape(2, 4)
        return influence.of_table(measures.get(name), counts)

    every = np.arange(items)
    draws = [rng.integers(items, size=items) for _ in range(400)]
    cases = {
        "f1": (table(every, "f1"), [table(picked, "f1").difference for picked in draws]),
        "macro": (
            influence.of_average(macro, 4, codes),
            [influence.of_average(macro, 4, codes[picked]).difference for picked in draws],
        ),
    }
    weighings = [auc.prepare(yes, own) for own in scores]
    weights = np.array([np.bincount(picked, minlength=items) for picked in draws], dtype=float)
    cases["auc"] = (influence.of_scores(auc, yes, *scores), list(weighings[0](weights) - weighings[1](weights)))

    for name, (found, again) in cases.items():
        # 400 draws tell a std to within 3.5%; three of them.
        assert found.spread / math.sqrt(items) == pytest.approx(np.std(again), rel=0.11), name
    right = (a == truth).astype(float) - (b == truth)
    assert influence.of_average(averages.find("accuracy"), 4, codes).spread == pytest.approx(right.std(), rel=1e-4)  # type: ignore[arg-type]


def test_quick_study() -> None:
    """At the margin, and looked at 20 times, at most 5% fail; the gate of one look, asked so often, fails many."""
    # The standard error of a share of 5% of 300 streams is 1.3%.
    rng = np.random.default_rng(4)
    epochs = study.simulated_epochs(rng)
    own = study.mean_streams(epochs, epochs, 0.0, rng, 300)
    world = study.confusions(2, np.array([0.2, 0.8]), (0.85, 0.85), 0.6)
    labelled = study.label_streams(world, study.of_f1, 0.0, rng, 300)

    for rates in (own, labelled):
        assert rates.anytime <= 0.05 + 2 * 0.0126
        assert rates.every_look > 0.12
        assert rates.last_look == pytest.approx(0.05, abs=4 * 0.0126)


def test_stages_stop_at_the_first_that_decides() -> None:
    """Stages end when one decides; a hopeless candidate does not need all items, whatever the order of the rows."""
    table = labels(3_000, (0.9, 0.6))
    turned = {name: values[::-1] for name, values in table.items()}
    two = {"truth": "gold", "id": "id", "systems": ["old", "new"], "margin": 0.02}

    for measure in ("accuracy", "f1", "macro_f1", "mcc"):
        asked = two if measure == "macro_f1" else {**two, "positive": "yes"}
        found = oc.gate(table, measure=measure, stages=[100, 300, 1_000], **asked).only
        assert found.decision.value == "regressed"
        assert found.items < 3_000
        assert found.stages[-1].items == found.items
        assert [stage.decision.value for stage in found.stages[:-1]] == ["undecided"] * (len(found.stages) - 1)
        again = oc.gate(turned, measure=measure, stages="100,300,1000", **asked).only
        assert again.stages == found.stages


def test_anytime_is_wider_and_agrees() -> None:
    """Limits that hold at any time contain those of one look, for numbers and for scores."""
    rng = np.random.default_rng(6)
    truth = rng.random(400) < 0.4
    scores = {
        "id": list(range(400)),
        "gold": truth,
        "a": truth + rng.normal(size=400),
        "b": truth + rng.normal(size=400),
    }
    cases = [
        (gsm8k(), {"scores": True, "item": "id"}),
        (scores, {"scores": True, "truth": "gold", "id": "id", "systems": ["a", "b"], "measure": "auc"}),
        ({"a": rng.exponential(size=300), "b": rng.exponential(size=300)}, {"scores": True, "lower_is_better": True}),
    ]

    for table, asked in cases:
        one, always = (oc.gate(table, margin=0.02, anytime=each, **asked).only for each in (False, True))
        assert always.interval.low < one.interval.low < one.interval.high < always.interval.high
        assert always.difference == pytest.approx(one.difference, abs=1e-6)


def test_what_has_no_stages() -> None:
    """Groups, slices and data without items are told, with the reason."""
    table = {**labels(), "doc": [f"d{place // 10}" for place in range(600)], "half": ["a", "b"] * 300}
    two = {"truth": "gold", "systems": ["old", "new"], "margin": 0.1, "anytime": True, "positive": "yes"}

    with pytest.raises(InputError, match="one label or number per"):
        oc.gate(table, group="doc", **two)
    with pytest.raises(InputError, match="leave out"):
        oc.gate(table, by="half", **two)
    with pytest.raises(InputError, match="one label or number per"):
        oc.gate(wins=(30, 12), items=200, margin=0.02, anytime=True)


def test_page_of_the_study() -> None:
    """The page is what the study writes, and in none of its worlds more than 5% fail by limits for any time."""
    text = (Path(__file__).parents[2] / "docs" / "gate-calibration.md").read_text(encoding="utf-8")
    table = text.partition("## False failures")[2].partition("## False passes")[0]
    rates = [float(line.split("|")[3]) for line in table.splitlines() if line.startswith("| ") and "0." in line]

    assert len(rates) == 14
    assert max(rates) <= 0.05


def test_update_protects_the_measure_that_is_asked_for() -> None:
    """The evidence and the interval of an update are of the measure asked for, of one process, and agree."""
    table = labels(2_000, (0.85, 0.8))
    read = oc.read(table, truth="gold", systems=["old", "new"])
    rng = np.random.default_rng(8)
    numbers = oc.read({"a": rng.random(300), "b": rng.random(300) ** 1.5}, scores=True)
    truth = rng.random(300) < 0.4
    scores = {"gold": truth, "a": truth + rng.normal(size=300), "b": rng.normal(size=300)}
    cases = [
        *((read, {"measure": name, "positive": "yes"}) for name in ("f1", "accuracy", "recall", "mcc")),
        (read, {"measure": "macro_f1"}),
        (numbers, {}),
        (oc.read(scores, truth="gold", scores=True), {"measure": "auc", "draws": 2_000}),
    ]

    for data, asked in cases:
        row = oc.compare(data, **asked).only
        found = anytime_row(data, row)

        assert found is not None
        assert found.measure == row.measure.title
        assert found.interval.low < row.observed < found.interval.high
        assert found.refuses == (not found.interval.low <= 0 <= found.interval.high)
    rows = [oc.compare(read, measure=name, positive="yes").only for name in ("f1", "accuracy")]
    assert anytime_row(read, rows[0]) != anytime_row(read, rows[1])


def test_rare_labels_have_no_limits_yet() -> None:
    """An average over labels, and a measure of scores, has limits from 20 items of every label on, and says so."""
    rng = np.random.default_rng(9)
    items = 300
    gold = np.where(np.arange(items) % 15 == 0, "c", np.where(rng.random(items) < 0.5, "a", "b"))
    sides = {name: np.where(rng.random(items) < right, gold, "a") for name, right in (("old", 0.95), ("new", 0.3))}
    table = {"id": [f"q{place}" for place in range(items)], "gold": gold, **sides}
    truth = np.arange(items) % 16 == 0
    scores = {"id": table["id"], "gold": truth, "a": truth + 0.1 * rng.normal(size=items), "b": rng.normal(size=items)}
    how = {"truth": "gold", "id": "id", "margin": 0.05, "stages": [200]}

    macro = oc.gate(table, measure="macro_f1", systems=["old", "new"], **how).only
    auc = oc.gate(scores, scores=True, systems=["a", "b"], measure="auc", **how).only

    assert [(stage.items, stage.decision.value) for stage in macro.stages] == [(200, "undecided"), (300, "regressed")]
    assert math.isinf(macro.stages[0].interval.low)
    assert auc.decision.value == "undecided"
    assert auc.findings[0].code == "OC807"
    assert "the rarest label has 19 of these 300 items" in auc.findings[0].message
    few = {name: list(column[:250]) for name, column in table.items()}
    read = oc.read(few, truth="gold", id="id")
    assert anytime_row(read, oc.compare(read, measure="macro_f1").only) is None


def test_limits_of_an_average_hold_with_few_items_of_a_label() -> None:
    """Looked at from 10 items on, macro-F1 with a label of 5% rejected a sixth of what is so; now hardly anything."""
    rng = np.random.default_rng(4)
    world = study.confusions(4, np.array([0.55, 0.3, 0.1, 0.05]), (0.87, 0.83), 0.6)

    def estimate(counts: np.ndarray) -> influence.Estimate:
        return study.of_macro(counts, 4)

    margin = -study.true_difference(world, estimate)
    rates = study.label_streams(world, estimate, margin, rng, 150, step=10)
    without = study.label_streams(world, estimate, margin, rng, 150, step=10, fewest=0)

    # The standard error of a share of 5% of 150 streams is 1.8%.
    assert max(rates.anytime, rates.anytime_passed) <= 0.05
    assert min(without.anytime, without.anytime_passed) > 0.09


def test_what_would_decide_at_any_time() -> None:
    """So many items decide in four of five cases: by bets, and by influences."""
    rng = np.random.default_rng(1)
    people = np.repeat([0.0, 1.0, -1.0], [850, 100, 50])
    spread = float(people.std())
    bets = betting.items_to_refute(people, -0.05, 0.05)
    sums = needed_at_any_time(float(people.mean()), spread, 0.05, 0.05, sharpest=500)

    assert bets is not None
    assert sums.items_if_right is not None
    won = [betting.log_capital(rng.choice(people, bets), -0.05) >= math.log(20) for _ in range(400)]
    drawn = rng.choice(people, (400, sums.items_if_right))
    clear = drawn.mean(axis=1) - drawn.std(axis=1) * asymptotic.reach(sums.items_if_right, 0.05) > -0.05

    # The standard error of a share of 80% of 400 is 2%.
    assert np.mean(won) == pytest.approx(0.8, abs=0.06)
    assert np.mean(clear) == pytest.approx(0.8, abs=0.06)
    assert betting.items_to_refute(people, 0.2, 0.05) is None
    undecided = oc.gate(gsm8k(), scores=True, item="id", margin=0.02, anytime=True).only
    assert undecided.needed.items_if_equal > 4_205  # more than at one look


def test_the_anchor_shares_the_level_of_failing() -> None:
    """Checks against an anchor are of the family that fails with 5% in all."""
    check = CheckSpec(margin=Margin(0.1))
    floor = CheckSpec(floor=0.5)

    assert GateSpec(checks=(check, check, floor)).family == 3
    assert GateSpec(checks=(check, check, floor), anchor="release.oc").family == 5
