"""Planning: Table 3, the exact engine, brute force, and rules that may be watched."""

import csv
import json
import math
from pathlib import Path

import joblib
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import special, stats

import outclass as oc
from outclass import measures
from outclass.cli.main import app
from outclass.errors import FileError, InputError
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.models import model_of
from outclass.models.evidence import Evidence
from outclass.models.prior import prior_of
from outclass.models.table.paired import Paired
from outclass.planning.additional_items import additional_items, decided
from outclass.planning.anytime import _log_e_of_all, _log_greatest, confidence_sequence, e_value, log_e_process
from outclass.planning.power import Rule, goal_of, intervals, probability, reached, smallest, verdicts
from outclass.planning.scenario import Scenario, of_rates

# Zhang et al. 2016, section 4.1.
SCENARIOS = {
    "a": Scenario(0.5, (0.3, 0.3, 0.2, 0.2), (0.2, 0.2, 0.3, 0.3)),
    "b": Scenario(0.5, (0.3, 0.2, 0.2, 0.3), (0.3, 0.2, 0.2, 0.3)),
}
ROPE = Interval(-0.05, 0.05)
RULE = Rule(
    measure=measures.get("f1"),
    priors=dict.fromkeys(("paired", "unpaired"), prior_of("uniform")),
    rope=ROPE,
    hdi_mass=0.95,
)
WORDS = {"prevalence": 0.3, "recalls": (0.8, 0.6), "false_positive_rates": (0.05, 0.1)}


def test_table_3(shared: Path) -> None:
    """All 28 cells, 200 sets each: within three joint standard errors, the paper's being of about 100 sets."""
    with (shared / "oracles" / "zhang2016_table3.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 14
    for row in rows:
        n, goal = int(row["n"]), goal_of(row["goal"])
        for model in ("unpaired", "paired"):
            printed = float(row[f"power_{model}"])
            found = probability(SCENARIOS[row["scenario"]], n, goal, model, RULE, 200, [3, n])
            # A printed 0 or 1 of a hundred sets may be anything up to a few percent.
            spread = max(printed * (1 - printed), 0.01) / 100 + max(found * (1 - found), 0.005) / 200
            assert abs(found - printed) <= 3 * math.sqrt(spread), (row, model, found)


@pytest.mark.parametrize(("scenario", "v", "delta"), [("a", 0.76877, 0.1), ("b", 0.70711, 0.0)])
def test_the_formula(scenario: str, v: float, delta: float) -> None:
    """The normal formula of method.md section 2, the paired model: within .04 and three simulation errors."""
    for n in (1000, 2500):
        sd = v / math.sqrt(n)
        if scenario == "a":
            expected = stats.norm.cdf((delta - 0.05 - 1.96 * sd) / sd)
        else:
            expected = max(0.0, 2 * stats.norm.cdf((0.05 - 1.96 * sd) / sd) - 1)
        assert float(decided(delta, sd, ROPE, 1.959964)) == pytest.approx(expected, abs=2e-3)
        found = probability(
            SCENARIOS[scenario], n, goal_of(">>" if scenario == "a" else "~="), "paired", RULE, 600, [n]
        )
        assert found == pytest.approx(expected, abs=0.04 + 3 * math.sqrt(0.25 / 600))


def test_boundaries() -> None:
    """Systems without false alarms: over ROPEs at which few to most sets are equivalent, as many as exactly."""
    world = Scenario(0.5, of_rates(0.99, 0.99, None, "positives"), (0.0, 0.0, 0.0, 1.0))
    rule = Rule(
        measure=measures.get("precision"),
        priors={"paired": prior_of("uniform")},
        rope=ROPE,
        hdi_mass=0.95,
    )
    rng = np.random.default_rng(0)
    joints = world.simulate(200, 40, rng)
    found = intervals(joints, "paired", rule, rng)
    exact = [
        Paired.fit(Evidence.of_joint(j), prior_of("uniform"), Settings(tolerance=1e-3)).difference(rule.measure).hdi()
        for j in joints
    ]
    expected = np.array([list(each) for each in exact])
    off = []
    for rope in (0.028, 0.0285, 0.029, 0.03, 0.031):
        share = [np.mean(verdicts(ends, Interval(-rope, rope)) == "~=") for ends in (found, expected)]
        off.append(share[0] - share[1])
        assert 0.2 < share[1] < 1
    assert np.abs(np.mean(off)) <= 0.08
    assert np.max(np.abs(off)) <= 0.15


def test_widths() -> None:
    """The share of intervals narrower than a width: that of 20,000 draws of the same sets, where half of them are."""
    joints = SCENARIOS["a"].simulate(3000, 60, np.random.default_rng(2))
    wide = intervals(joints, "paired", RULE, np.random.default_rng(3), 20_000)
    widths = wide[:, 1] - wide[:, 0]
    for part in (0.3, 0.5, 0.8):
        goal = goal_of(f"width:{np.quantile(widths, part)}")
        found = reached(joints, goal, "paired", RULE, np.random.default_rng(4)).mean()
        assert found == pytest.approx(part, abs=0.12)


@pytest.mark.parametrize("items", [60, 400, 2000])
def test_intervals_are_those_of_the_exact_engine(items: int) -> None:
    """On average within .02 stds, each within a tenth: what 512 points and three moments give."""
    rng = np.random.default_rng(items)
    joints = SCENARIOS["a"].simulate(items, 40, rng)
    found = intervals(joints, "paired", RULE, rng)
    exact = np.array(
        [
            list(
                Paired.fit(Evidence.of_joint(j), prior_of("uniform"), Settings(tolerance=1e-3))
                .difference(RULE.measure)
                .hdi()
            )
            for j in joints
        ]
    )
    off = (found - exact) / ((exact[:, 1] - exact[:, 0]) / 3.92)[:, None]
    assert np.abs(off.mean(axis=0)).max() < 0.02
    assert off.std(axis=0).max() < 0.04


@pytest.mark.parametrize(
    ("model", "measure"), [("goutte", "f1"), ("goutte", "recall"), ("sign", "accuracy"), ("sign", "error")]
)
def test_the_other_models(model: str, measure: str) -> None:
    """Intervals on simulated sets against the exact engine of `compare`, as for the paired model."""
    rng = np.random.default_rng(5)
    rule = Rule(
        measure=measures.get(measure), priors={model: prior_of(model_of(model).prior)}, rope=ROPE, hdi_mass=0.95
    )
    joints = SCENARIOS["a"].simulate(300, 30, rng)
    found = intervals(joints, model, rule, rng)
    laws = [model_of(model).posterior.fit(Evidence.of_joint(j), rule.priors[model], Settings()) for j in joints]
    exact = np.array([list(law.difference(rule.measure).hdi()) for law in laws])
    off = (found - exact) / ((exact[:, 1] - exact[:, 0]) / 3.92)[:, None]
    assert np.abs(off.mean(axis=0)).max() < 0.02
    assert off.std(axis=0).max() < 0.04


def test_models_refuse_measures_they_do_not_know() -> None:
    with pytest.raises(InputError, match="only TP, FP and FN"):
        oc.plan(**WORDS, n=100, model="goutte", measure="accuracy")
    with pytest.raises(InputError, match="compares accuracy"):
        oc.plan(**WORDS, n=100, model="sign", measure="f1")
    assert oc.plan(**WORDS, n=100, model="sign", sets=50).measure == "accuracy"


def test_other_processes_and_progress() -> None:
    """A back end of other processes gives the same numbers as threads; the search tells how far it is."""
    told: list[tuple[int, int]] = []
    question = {"goal": ">>", "probability": 0.8, "n": [200], "sets": 300, "rng": 4}
    here = oc.plan(**WORDS, **question, progress=lambda done, total: told.append((done, total)))
    with joblib.parallel_config("loky", n_jobs=2):
        there = oc.plan(**WORDS, **question)
    assert there == here
    assert len(told) > 8
    assert all(done <= total for done, total in told)


def test_search_agrees_with_brute_force() -> None:
    """At the smallest N the probability is the goal, within its error; at a fifth fewer items it is surely below."""
    answer = oc.plan(**WORDS, goal=">>", probability=0.8, sets=600, rng=1)
    (found,) = answer.smallest
    assert found.n is not None
    world = Scenario(0.3, of_rates(0.8, 0.6, None, "positives"), of_rates(0.05, 0.1, None, "negatives"))
    error = math.sqrt(0.8 * 0.2 / 1000)
    assert probability(world, found.n, goal_of(">>"), "paired", RULE, 1000, [9]) >= 0.8 - 0.02 - 3 * error
    below = probability(world, round(found.n / 1.25), goal_of(">>"), "paired", RULE, 1000, [8])
    assert below < 0.8 - 3 * error


def test_search_gives_up() -> None:
    assert smallest(lambda n, again: 0.5, 0.9, 100, most=10_000) == (
        None,
        None,
        {100: 0.5, 200: 0.5, 400: 0.5, 800: 0.5, 1600: 0.5, 3200: 0.5, 6400: 0.5},
    )
    assert smallest(lambda n, again: 1.0, 0.9, 100)[:2] == (1, 1.0)


# --- watching -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "shares",
    [
        (0.1, 0.1, 0.8),
        pytest.param((0.5, 0.5, 0.0), marks=pytest.mark.full),
        pytest.param((0.02, 0.01, 0.97), marks=pytest.mark.full),
        (0.3, 0.1, 0.6),
    ],
)
def test_peeking_is_safe(shares: tuple[float, float, float]) -> None:
    """Looking after every item up to 1,000: false alarms of the e-value, misses of the sequence, at most 5% each."""
    rng = np.random.default_rng(0)
    sets, items = 200, 1_000
    steps = rng.choice([1, -1, 0], p=shares, size=(sets, items))
    a, b = np.cumsum(steps == 1, axis=1), np.cumsum(steps == -1, axis=1)
    alarms = misses = 0
    for row in range(sets):
        counts = list(zip(a[row].tolist(), b[row].tolist(), range(1, items + 1), strict=True))
        misses += any(log_e_process(*each, shares[0] - shares[1]) >= math.log(20) for each in counts)
        if shares[0] == shares[1]:
            alarms += any(e_value(*each) >= 20 for each in counts)
    error = math.sqrt(0.05 * 0.95 / sets)
    assert alarms / sets <= 0.05 + 3 * error
    assert misses / sets <= 0.05 + 3 * error


@pytest.mark.parametrize("counts", [(12, 2, 20), (0, 0, 50), (30, 30, 60), (3, 9, 400), (0, 5, 5)])
def test_the_greatest_likelihood(counts: tuple[int, int, int]) -> None:
    """Against a fine grid over the share that is left free, and the interval's ends lie on the bound."""
    a, b, n = counts
    for difference in (-0.5, -0.1, 0.0, 0.07, 0.6):
        x = np.linspace(max(0.0, difference), (1 + difference) / 2, 400_001)[1:-1]
        grid = special.xlogy(a, x) + special.xlogy(b, x - difference) + special.xlogy(n - a - b, 1 + difference - 2 * x)
        numerator = _log_e_of_all(a, b, n, difference) + _log_greatest(a, b, n - a - b, difference)
        assert _log_greatest(a, b, n - a - b, difference) == pytest.approx(grid.max(), abs=1e-5 * n)
        alphas = np.array([a, b, n - a - b]) + 0.5
        marginal = (
            special.gammaln(alphas).sum() - special.gammaln(n + 1.5) - 3 * special.gammaln(0.5) + special.gammaln(1.5)
        )
        assert numerator == pytest.approx(marginal)
    low, high = confidence_sequence(*counts)
    assert low < (a - b) / n < high or (low, high) == (-1, 1) or n == a + b
    for end in (low, high):
        # Equality alone may be excluded, with differences as near to it as numbers are.
        if 1e-9 < abs(end) < 1:
            assert log_e_process(*counts, end) == pytest.approx(math.log(20), abs=1e-4)


def test_the_sequence_knows_how_often_they_differ() -> None:
    """Where systems hardly ever differ it is far narrower than one that knows nothing but the bounds (.1 here)."""
    low, high = confidence_sequence(20, 20, 2000)
    assert high - low < 0.05


def test_e_value() -> None:
    """Half from all items; half from those apart, the inverse of method.md's factor: 15 against 9 gives 1.948333."""
    of_all = math.exp(_log_e_of_all(15, 9, 24, 0.0))
    assert e_value(15, 9, 24) == pytest.approx((of_all + 1 / 1.948333) / 2, rel=1e-6)


def test_what_now() -> None:
    """The number of further items reaches the probability it promises, by the formula it is made of."""
    found = additional_items(0.09, 0.03, 500, ROPE, 0.95)
    assert found.if_right is not None
    assert found.on_average is not None
    # Simulated: the items at hand stay, new ones come on top; the world is as estimated, or drawn from the posterior.
    rng = np.random.default_rng(0)
    each = 0.03 * math.sqrt(500)
    for new, worlds in ((found.if_right, np.full(20_000, 0.09)), (found.on_average, rng.normal(0.09, 0.03, 20_000))):
        total = 500 + new
        estimates = (500 * 0.09 + new * rng.normal(worlds, each / math.sqrt(new))) / total
        half = 1.959964 * each / math.sqrt(total)
        open_ = (estimates - half < 0.05) & (estimates + half > 0.05) | (estimates - half < -0.05) & (
            estimates + half > -0.05
        )
        assert 1 - open_.mean() == pytest.approx(0.8, abs=0.012)
    # On the very edge of the region half of all worlds stay undecided, however many items there are.
    assert additional_items(0.05, 0.03, 500, ROPE, 0.95).if_right is None
    # Where the items at hand are enough already, none is needed.
    assert additional_items(0.00021, 0.000164, 10**6, ROPE, 0.95)[:2] == (0, 0)
    answer = oc.compare([1, 0] * 40, [1, 0] * 35 + [0, 0] * 5, [1, 0] * 40)
    assert answer.verdict.value == "<"
    assert "more items would decide" in " ".join(str(answer).split())
    assert "Next step" in answer.to_text(verbose=True)
    assert oc.Comparison.from_json(answer.to_json()).only.additional_items == answer.only.additional_items


# --- scenarios ------------------------------------------------------------------------------------------------------


def test_rates_in_words() -> None:
    both, a, b, neither = of_rates(0.8, 0.6, 0.7, "positives")
    assert [both + a, both + b, both + neither, both + a + b + neither] == pytest.approx([0.8, 0.6, 0.7, 1.0])
    with pytest.raises(InputError, match="agreement must lie between"):
        of_rates(0.9, 0.2, 0.9, "positives")


def test_a_pilot_of_many_classes() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 120)
    said = [np.where(rng.random(120) < wrong, rng.integers(0, 4, 120), truth) for wrong in (0.1, 0.5)]
    outcomes = oc.Outcomes.of_rows(("A", "B"), np.stack([truth, *said], axis=1).tolist(), [1] * 120)
    answer = oc.plan(pilot=outcomes, measure="macro_f1", n=[50, 800], goal="decided", sets=40)
    assert answer.powers[1].probability >= answer.powers[0].probability
    assert answer.measure == "macro_f1"


def test_a_small_perfect_pilot_is_not_certain() -> None:
    """Twelve items on which both are right leave worlds in which they are not: drawn with the prior of the judging."""
    outcomes = oc.Outcomes.of_rows(("A", "B"), [[label, label, label] for label in range(3)], [4, 4, 4])
    (cell,) = oc.plan(pilot=outcomes, measure="accuracy", n=500, goal="~=", rope=0.02, sets=300).powers
    # Brute force: who alone is right is Dirichlet with half a pseudo-item each, of two in all.
    rng = np.random.default_rng(1)
    prior, hits = np.array([0.5, 0.5, 1.0]), 0
    for _ in range(400):
        counts = rng.multinomial(500, rng.dirichlet(prior + [0, 0, 12])) + [0, 0, 12]
        drawn = rng.dirichlet(prior + counts, 4_000)
        hits += bool(np.mean(np.abs(drawn[:, 0] - drawn[:, 1]) <= 0.02) >= 0.95)
    assert cell.probability == pytest.approx(hits / 400, abs=0.12)
    assert 0.2 < cell.probability < 0.9


@pytest.mark.parametrize("prior", ["mu=1,200", "jeffreys", "positives=8,2"])
def test_a_pilot_keeps_its_prior(prior: str) -> None:
    """The worlds are the same whichever models judge; in the unpaired form too."""
    rows = [[1, 1, 1], [1, 0, 1], [0, 0, 0], [0, 1, 0]]
    outcomes = oc.Outcomes.of_rows(("A", "B"), rows, [5, 3, 9, 3])
    asked = {"pilot": outcomes, "positive": 1, "n": 200, "goal": "decided", "sets": 200, "rng": 2}
    alone = oc.plan(**asked, prior=prior, model="unpaired").powers[0]
    assert alone.probability != oc.plan(**asked, model="unpaired").powers[0].probability
    if "," not in prior.partition("positives")[2]:
        both = oc.plan(**asked, prior=prior, model=["paired", "unpaired"]).powers[1]
        assert both.probability == pytest.approx(alone.probability, abs=4 * math.hypot(both.error, alone.error))


def test_resuming(tmp_path: Path) -> None:
    """Cells that are in the file are not simulated again; another question does not take them for its own."""
    path = tmp_path / "plan.jsonl"
    first = oc.plan(**WORDS, n=[100, 200], sets=20, resume=path)
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    path.write_text(
        "\n".join(line.replace('"probability": ', '"probability": 0.123, "was": ') for line in lines) + "\n"
    )
    again = oc.plan(**WORDS, n=[100, 200], sets=20, resume=path)
    assert [each.probability for each in again.powers] == [0.123, 0.123]
    other = oc.plan(**WORDS, n=[100, 200], sets=30, resume=path)
    assert all(each.probability != 0.123 for each in other.powers)
    assert first.powers[0].sets == 20
    searched = [oc.plan(**WORDS, goal=">>", probability=0.5, sets=20, resume=tmp_path / "s.jsonl") for _ in range(2)]
    assert searched[0].smallest == searched[1].smallest
    path.write_text("nonsense")
    with pytest.raises(FileError, match="not a saved plan"):
        oc.plan(**WORDS, n=[100], sets=50, resume=path)


def test_how_a_rule_behaves() -> None:
    """Shares add up; a difference far outside is decided rightly, one at the edge hardly ever."""
    answer = oc.plan(**WORDS, n=[1500], sets=200, characteristics=True)
    for each in answer.characteristics:
        assert each.right + each.wrong + each.undecided == pytest.approx(1)
        if abs(each.difference) > 0.2:
            assert each.right > 0.95


def test_a_rule_away_from_zero() -> None:
    """With a ROPE of .05 to .08, no difference at all is a difference too small: '<<' is right there."""
    cells = {"prevalence": 0.5, "cells_positive": (0.5, 0.2, 0.2, 0.1), "cells_negative": (0.1, 0.1, 0.1, 0.7)}
    answer = oc.plan(**cells, n=4000, sets=100, characteristics=True, rope=(0.05, 0.08), measure="accuracy")
    (same,) = [each for each in answer.characteristics if abs(each.difference) < 1e-9]
    assert same.right > 0.9
    assert same.wrong < 0.05


def test_what_to_label_next(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_text("id,a,b\nx,1,0\ny,1,1\nz,0,1\n=1+1,0,0\n")
    found = oc.label_next(tmp_path / "pool.csv", id="id", measure="accuracy")
    assert [each.id for each in found.items] == ["x", "z"]
    assert "50%" in found.words
    assert "wins=(A, B)" in found.words
    (tmp_path / "pilot.csv").write_text("gold,a,b\n" + "1,1,0\n" * 30 + "0,1,0\n" * 2 + "0,0,1\n" * 20 + "1,1,1\n" * 20)
    ranked = oc.label_next(
        tmp_path / "pool.csv", id="id", measure="f1", positive=1, pilot=tmp_path / "pilot.csv", truth="gold"
    )
    assert {each.id for each in ranked.items} == {"x", "z"}
    assert ranked.items[0].worth != ranked.items[1].worth


def test_regions() -> None:
    assert oc.rope_from_costs(2, 1, 0.02) == pytest.approx(0.01)
    rng = np.random.default_rng(1)
    # Of five reruns: two further ones differ by more one time in twenty (4,000 tries, three errors).
    over = np.mean([abs(np.diff(rng.normal(size=2)))[0] > oc.rope_from_reruns(rng.normal(size=5)) for _ in range(4000)])
    assert over == pytest.approx(0.05, abs=0.0105)
    reruns = np.random.default_rng(0).normal(0.8, 0.01, 4000)
    assert oc.rope_from_reruns(reruns) == pytest.approx(0.0277, rel=0.05)
    with pytest.raises(InputError):
        oc.rope_from_reruns([0.5])


def test_the_command() -> None:
    """The command of the issue, and its JSON."""
    result = CliRunner().invoke(
        app,
        [
            "plan",
            "--prevalence",
            "0.3",
            "--cells-positive",
            "0.6,0.15,0.1,0.15",
            "--cells-negative",
            "0.05,0.05,0.03,0.87",
            "--n",
            "400,800",
            "--goal",
            ">>",
            "--goal",
            "width:0.2",
            "--measure",
            "f1",
            "--rope",
            "0.05",
            "--model",
            "paired",
            "--model",
            "unpaired",
            "--sets",
            "100",
            "--format",
            "json",
        ],
    )
    assert result.exit_code == 0, result.output
    plain = json.loads(result.stdout)
    assert len(plain["plan"]) == 8
    assert {"n", "model", "goal", "probability", "error", "sets"} <= set(plain["plan"][0])
    assert "smallest_n" in plain


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"prevalence": 1.5},
        {"n": "10,x"},
        {"goal": ">>>"},
        {"goal": "width:-1"},
        {"model": "hierarchical"},
        {"probability": 2},
        {"sets": 1},
        {"recalls": (0.5, None)},
        {"measure": "macro_f1"},
        {"goal": "significant", "model": ["paired", "unpaired"]},
        {"rope": 3},
        {"n": 10.5},
        {"sets": 50.5},
        {"agreement": 0.1},
        {"truth": "gold"},
        {"pilot": "pilot.csv"},
        {"cells_positive": "0.3,0.3,0.2,0.2"},
    ],
)
def test_what_cannot_be_planned(wrong: dict[str, object]) -> None:
    asked: dict[str, object] = {**WORDS, "n": 100, "sets": 50, **wrong} if wrong else {**WORDS}
    with pytest.raises(InputError):
        oc.plan(**asked)


def test_verdicts() -> None:
    ends = np.array([[0.06, 0.1], [-0.2, -0.05], [-0.05, 0.05], [0.0, 0.1]])
    assert verdicts(ends, ROPE).tolist() == [">>", "<<", "~=", ""]


def test_watching_is_in_the_json(tmp_path: Path) -> None:
    """`outclass update` gives the rule that may be watched, in words and as numbers; it reads back."""
    rows = "".join(["yes,yes,no\n"] * 9 + ["no,no,yes\n"] * 3 + ["yes,no,yes\n"] * 2 + ["no,no,no\n"] * 6)
    (tmp_path / "day.csv").write_text("gold,a,b\n" + rows)
    asked = ["update", str(tmp_path / "s.json"), str(tmp_path / "day.csv"), "--truth", "gold", "--positive", "yes"]
    result = CliRunner().invoke(app, [*asked, "--measure", "accuracy", "--format", "json"])
    assert result.exit_code == 0, result.stderr
    (row,) = json.loads(result.stdout)["comparisons"]
    # 12 wins and 2 losses, from these alone: 2^14 B(13, 3) = 16384 / 1365 by hand.
    of_all = math.exp(_log_e_of_all(12, 2, 20, 0.0))
    assert row["anytime"]["e_value"] == pytest.approx((of_all + 16384 / 1365) / 2)
    assert row["anytime"]["refuses_equality"] is False
    assert f"e-value {row['anytime']['e_value']:.3g}" in result.stderr
    answer = oc.Comparison.from_json(result.stdout)
    assert answer.only.anytime == oc.anytime(12, 2, 20)
    assert answer.to_json() == result.stdout
