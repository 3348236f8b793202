"""Planning: Table 3, the exact engine, brute force, and rules that may be watched."""

import csv
import json
import math
from pathlib import Path

import joblib
import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import outclass as oc
from outclass import measures
from outclass.cli.main import app
from outclass.errors import FileError, InputError
from outclass.inference.distribution import Interval
from outclass.inference.settings import Settings
from outclass.models import DEFAULT_PRIORS, model_of
from outclass.models.evidence import Evidence
from outclass.models.paired import Paired
from outclass.models.prior import prior_of
from outclass.planning.now import decided, further_items
from outclass.planning.power import Rule, goal_of, intervals, probability, smallest, verdicts
from outclass.planning.scenario import Scenario, of_rates
from outclass.planning.watching import confidence_sequence, e_value

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
    """All 28 cells, 400 sets each: within three joint standard errors, the paper's being of about 100 sets."""
    with (shared / "oracles" / "zhang2016_table3.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 14
    for row in rows:
        n, goal = int(row["n"]), goal_of(row["goal"])
        for model in ("unpaired", "paired"):
            printed = float(row[f"power_{model}"])
            found = probability(SCENARIOS[row["scenario"]], n, goal, model, RULE, 400, [3, n])
            # A printed 0 or 1 of a hundred sets may be anything up to a few percent.
            spread = max(printed * (1 - printed), 0.01) / 100 + max(found * (1 - found), 0.005) / 400
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
    """Systems without false alarms: the share of equivalences is that of the exact engine on the same sets."""
    world = Scenario(0.5, of_rates(0.99, 0.99, None, "positives"), (0.0, 0.0, 0.0, 1.0))
    rule = Rule(
        measure=measures.get("precision"),
        priors=dict.fromkeys(("paired", "unpaired"), prior_of("uniform")),
        rope=Interval(-0.034, 0.034),
        hdi_mass=0.95,
    )
    rng = np.random.default_rng(0)
    joints = world.simulate(200, 40, rng)
    found = verdicts(intervals(joints, "paired", rule, rng), rule.rope) == "~="
    exact = [
        Paired.fit(Evidence.of_joint(j), prior_of("uniform"), Settings(tolerance=1e-3)).difference(rule.measure).hdi()
        for j in joints
    ]
    expected = verdicts(np.array([list(each) for each in exact]), rule.rope) == "~="
    assert abs(found.mean() - expected.mean()) <= 0.15


@pytest.mark.parametrize("items", [60, 400, 2000])
def test_intervals_are_those_of_the_exact_engine(items: int) -> None:
    """On average within .02 stds, each within a tenth but for chance: what a thousand draws give."""
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
    assert np.abs(off.mean(axis=0)).max() < 0.06
    assert off.std(axis=0).max() < 0.12


@pytest.mark.parametrize(
    ("model", "measure"), [("goutte", "f1"), ("goutte", "recall"), ("sign", "accuracy"), ("sign", "error")]
)
def test_the_other_models(model: str, measure: str) -> None:
    """Intervals on simulated sets against the exact engine of `compare`, as for the paired model."""
    rng = np.random.default_rng(5)
    rule = Rule(
        measure=measures.get(measure), priors={model: prior_of(DEFAULT_PRIORS[model])}, rope=ROPE, hdi_mass=0.95
    )
    joints = SCENARIOS["a"].simulate(300, 30, rng)
    found = intervals(joints, model, rule, rng)
    laws = [model_of(model).fit(Evidence.of_joint(j), rule.priors[model], Settings()) for j in joints]
    exact = np.array([list(law.difference(rule.measure).hdi()) for law in laws])
    off = (found - exact) / ((exact[:, 1] - exact[:, 0]) / 3.92)[:, None]
    assert np.abs(off.mean(axis=0)).max() < 0.06
    assert off.std(axis=0).max() < 0.12


def test_models_refuse_measures_they_do_not_know() -> None:
    with pytest.raises(InputError, match="TP, FP and FN only"):
        oc.plan(**WORDS, n=100, model="goutte", measure="accuracy")
    with pytest.raises(InputError, match="who is right"):
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
    """The smallest N against a fine sweep; and never one whose probability is below the goal by more than its error."""
    answer = oc.plan(**WORDS, goal=">>", probability=0.8, sets=600, rng=1)
    (found,) = answer.smallest
    assert found.n is not None
    world = Scenario(0.3, of_rates(0.8, 0.6, None, "positives"), of_rates(0.05, 0.1, None, "negatives"))
    error = math.sqrt(0.8 * 0.2 / 3000)
    assert probability(world, found.n, goal_of(">>"), "paired", RULE, 3000, [9]) >= 0.8 - 0.02 - 3 * error
    sweep = [n for n in range(40, 1200, 20) if probability(world, n, goal_of(">>"), "paired", RULE, 600, [n]) >= 0.8]
    assert found.n == pytest.approx(sweep[0], rel=0.2)


def test_search_gives_up() -> None:
    assert smallest(lambda n: 0.5, 0.9, 100, most=10_000) == (
        None,
        {100: 0.5, 200: 0.5, 400: 0.5, 800: 0.5, 1600: 0.5, 3200: 0.5, 6400: 0.5},
    )
    assert smallest(lambda n: 1.0, 0.9, 100)[0] == 1


# --- watching -------------------------------------------------------------------------------------------------------


def test_peeking_is_safe() -> None:
    """Looking after every item up to 2,000: false alarms of the e-value, misses of the sequence, at most 5% each."""
    rng = np.random.default_rng(0)
    sets, items = 1_000, 2_000
    steps = rng.choice([1, -1, 0], p=[0.1, 0.1, 0.8], size=(sets, items))
    a, b = np.cumsum(steps == 1, axis=1), np.cumsum(steps == -1, axis=1)
    alarms = misses = 0
    looks = np.unique(np.geomspace(1, items, 200).astype(int)) - 1
    for row in range(sets):
        alarms += any(e_value(int(a[row, at]), int(b[row, at])) >= 20 for at in looks)
        ends = [confidence_sequence(int(a[row, at]), int(b[row, at]), int(at) + 1) for at in looks]
        misses += any(not each.low <= 0 <= each.high for each in ends)
    error = math.sqrt(0.05 * 0.95 / sets)
    assert alarms / sets <= 0.05 + 3 * error
    assert misses / sets <= 0.05 + 3 * error


def test_e_value() -> None:
    """The inverse of method.md's same-accuracy factor: 15 against 9 gives 1.948333."""
    assert e_value(15, 9) == pytest.approx(1 / 1.948333, rel=1e-6)


def test_what_now() -> None:
    """The number of further items reaches the probability it promises, by the formula it is made of."""
    found = further_items(0.09, 0.03, 500, ROPE, 0.95)
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
    assert further_items(0.05, 0.03, 500, ROPE, 0.95).if_right is None
    answer = oc.compare([1, 0] * 40, [1, 0] * 35 + [0, 0] * 5, [1, 0] * 40)
    assert answer.verdict.value == "<"
    assert "What now" in str(answer)
    assert oc.Comparison.from_json(answer.to_json()).only.further == answer.only.further


# --- scenarios ------------------------------------------------------------------------------------------------------


def test_rates_in_words() -> None:
    both, a, b, neither = of_rates(0.8, 0.6, 0.7, "positives")
    assert [both + a, both + b, both + neither, both + a + b + neither] == pytest.approx([0.8, 0.6, 0.7, 1.0])
    with pytest.raises(InputError, match="agree on between"):
        of_rates(0.9, 0.2, 0.9, "positives")


def test_a_pilot_of_many_classes() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 120)
    said = [np.where(rng.random(120) < wrong, rng.integers(0, 4, 120), truth) for wrong in (0.1, 0.5)]
    outcomes = oc.Outcomes.of_rows(("A", "B"), np.stack([truth, *said], axis=1).tolist(), [1] * 120)
    answer = oc.plan(pilot=outcomes, measure="macro_f1", n=[50, 800], goal="decided", sets=40)
    assert answer.powers[1].probability >= answer.powers[0].probability
    assert answer.measure == "macro_f1"


def test_resuming(tmp_path: Path) -> None:
    """Cells that are in the file are not simulated again; another question does not take them for its own."""
    path = tmp_path / "plan.jsonl"
    first = oc.plan(**WORDS, n=[100, 200], sets=50, resume=path)
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    path.write_text(
        "\n".join(line.replace('"probability": ', '"probability": 0.123, "was": ') for line in lines) + "\n"
    )
    again = oc.plan(**WORDS, n=[100, 200], sets=50, resume=path)
    assert [each.probability for each in again.powers] == [0.123, 0.123]
    other = oc.plan(**WORDS, n=[100, 200], sets=60, resume=path)
    assert all(each.probability != 0.123 for each in other.powers)
    assert first.powers[0].sets == 50
    searched = [oc.plan(**WORDS, goal=">>", probability=0.5, sets=50, resume=tmp_path / "s.jsonl") for _ in range(2)]
    assert searched[0].smallest == searched[1].smallest
    path.write_text("nonsense")
    with pytest.raises(FileError, match="not a plan"):
        oc.plan(**WORDS, n=[100], sets=50, resume=path)


def test_how_a_rule_behaves() -> None:
    """Shares add up; a difference far outside is decided rightly, one at the edge hardly ever."""
    answer = oc.plan(**WORDS, n=[1500], sets=200, characteristics=True)
    for each in answer.characteristics:
        assert each.right + each.wrong + each.undecided == pytest.approx(1)
        if abs(each.difference) > 0.2:
            assert each.right > 0.95


def test_what_to_label_next(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_text("id,a,b\nx,1,0\ny,1,1\nz,0,1\n=1+1,0,0\n")
    found = oc.label_next(tmp_path / "pool.csv", id="id", measure="accuracy")
    assert [each.id for each in found.items] == ["x", "z"]
    assert "50%" in found.words
    assert "--wins" in found.words
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
    result = CliRunner().invoke(app, [*asked, "--format", "json"])
    assert result.exit_code == 0, result.stderr
    (row,) = json.loads(result.stdout)["comparisons"]
    # 12 wins and 2 losses: 2^14 B(13, 3) = 16384 / 1365 by hand.
    assert row["watched"]["e_value"] == pytest.approx(16384 / 1365)
    assert row["watched"]["refuses_equality"] is False
    assert "e-value 12" in result.stderr
    answer = oc.Comparison.from_json(result.stdout)
    assert answer.only.watched == oc.watched(12, 2, 20)
    assert answer.to_json() == result.stdout
