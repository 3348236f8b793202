"""Repeats of items: the item is the unit, whatever the repeats; on real logs, against an independent computation."""

import json
import math
import pickle
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

import outclass as oc
from outclass.data.repeats import RepeatedScores
from outclass.data.saved import from_json, to_json
from outclass.errors import InputError
from outclass.measures.repeated import all_of, at_least_one, most_of, plurality
from outclass.models.generation import noise_of
from outclass.models.means import extra_squares
from outclass.planning.numbers import extra_squares as planned_squares
from outclass.significance.run_effect import run_effect

LOGS = Path(__file__).parents[3] / "shared" / "logs"
GPQA = LOGS / "gpqa_epochs" / "gpqa_diamond_scores.csv"
COLUMNS: dict[str, Any] = {"score": "score", "system_column": "model_id", "item": "item_id", "repeat": "epoch"}
EXPECTED: dict[str, Any] = json.loads((LOGS / "expected.json").read_text(encoding="utf-8"))
LONG: dict[str, Any] = {"score": "score", "system_column": "system", "item": "item", "repeat": "run"}
Row = tuple[str, str, str, float]


def table(rows: list[Row]) -> dict[str, list[Any]]:
    """Return a long table of systems, items, runs and scores."""
    return dict(zip(("system", "item", "run", "score"), map(list, zip(*rows, strict=True)), strict=True))


def answers(
    items: int = 60, runs: Callable[[int], int] = lambda item: 5, seed: int = 3, sure: float = 1.0
) -> list[Row]:
    """Return right and wrong answers of two systems to questions of which some are hard."""
    rng = np.random.default_rng(seed)
    rows = []
    for item, ease in enumerate(rng.beta(sure, sure, items)):
        for system, gain in (("a", 0.0), ("b", 0.2)):
            right = rng.random(runs(item)) < ease + gain * (1 - ease)
            rows += [(system, f"q{item}", f"r{run}", float(each)) for run, each in enumerate(right)]
    return rows


@pytest.fixture(scope="module")
def gpqa() -> RepeatedScores:
    """198 questions, five answers of two models each."""
    found = oc.read(GPQA, **COLUMNS)
    assert isinstance(found, RepeatedScores)
    return found


def told(row: Any, code: str) -> list[str]:
    """Return what a row is told by a code."""
    return [each.message for each in row.findings if each.code == code]


# --- real logs --------------------------------------------------------------------------------------------------------


def test_questions_are_the_unit(gpqa: RepeatedScores) -> None:
    """Five answers to 198 questions: the SE is that of 198 differences, not of 990; a fifth of it is noise."""
    expected = EXPECTED["gpqa_epochs"]
    by_item = expected["by_item"]

    row = oc.compare(gpqa).only
    (t, _) = row.tests

    assert (len(gpqa), row.items, row.model_key) == (198, 198, "values.t")
    assert row.observed == pytest.approx(by_item["difference"], abs=1e-9)
    assert t.p_value == pytest.approx(by_item["p_paired_t"], abs=1e-9)
    assert t.interval is not None
    assert t.interval.width / 2 / stats.t.ppf(0.975, 197) == pytest.approx(by_item["se_paired"], abs=1e-9)
    assert row.difference.std == pytest.approx(by_item["se_paired"], rel=0.02)  # and not .0171
    assert told(row, "OC521") == [
        "5 repeats per item: 21.7% of the variance of the difference is generation noise. Its SE of .0278 would be "
        ".0246 with any number of repeats, .0196 with 396 items."
    ]


def test_generation_noise_and_its_remedies(gpqa: RepeatedScores) -> None:
    """The variance within items, over the repeats, is a part of the variance of the differences of items."""
    expected = EXPECTED["gpqa_epochs"]
    parts = [noise_of(own) for own in gpqa.repeats.systems.values()]
    within = [float(own.variances.mean()) for own in gpqa.repeats.systems.values()]
    differences = gpqa.difference(*gpqa.systems)
    noise = sum(part.variance for part in parts) * len(gpqa)

    assert within == pytest.approx([expected["within_variance_a"], expected["within_variance_b"]], abs=1e-9)
    assert noise == pytest.approx(expected["of_which_generation_noise"], abs=1e-9)
    assert noise / differences.var(ddof=1) == pytest.approx(0.2167, abs=1e-4)
    endless = math.sqrt((differences.var(ddof=1) - noise) / 198)
    assert endless == pytest.approx(expected["se_if_infinitely_many_epochs"], abs=1e-9)


def test_these_questions_alone(gpqa: RepeatedScores) -> None:
    """As a fixed suite, only the generation noise counts: SE .0129; tests, of items as a sample, are not run."""
    row = oc.compare(gpqa, population="these").only
    plain = [noise_of(own).variance for own in gpqa.repeats.systems.values()]

    assert row.observed == pytest.approx(EXPECTED["fixed_items"]["gpqa"]["difference"], abs=1e-9)
    assert math.sqrt(sum(plain)) == pytest.approx(EXPECTED["fixed_items"]["gpqa"]["se_fixed_items"], abs=1e-9)
    # The pseudo-items, one answer of one item, add little to 990 answers.
    assert row.difference.std == pytest.approx(EXPECTED["fixed_items"]["gpqa"]["se_fixed_items"], rel=0.01)
    assert (row.tests, row.additional_items, row.pairing) == ((), None, None)
    assert told(row, "OC522") == [
        "the interval is for these 198 items, answered again. For items like these, the SE is .0278 instead of .0129 "
        "(population='like-these')."
    ]


def test_a_run_in_which_all_items_move(gpqa: RepeatedScores) -> None:
    """One model is worse in its fifth epoch; the other's epochs differ by chance."""
    expected = {name.partition(" ")[2]: found for name, found in EXPECTED["run_effect"].items()}
    effects = {}
    for name, own in gpqa.repeats.systems.items():
        found = run_effect(own.by_run(), 1.0)
        assert found is not None
        effects[name.removeprefix("openai/").rsplit("-", 3)[0]] = found
    row = oc.compare(gpqa).only

    for name, found in effects.items():
        assert found.statistic == pytest.approx(expected[name]["Q"], abs=1e-8)
        assert found.p_value == pytest.approx(expected[name]["p"], abs=1e-9)
        assert list(found.totals) == expected[name]["by_epoch"]
    assert told(row, "OC512") == [
        "all items of openai/gpt-5.4-mini-2026-03-17 move together from one repeat to the next: right answers by "
        "repeat 126, 126, 120, 127, 112 (Cochran's Q = 10.24, p = .037). Did the model, prompt or server change? "
        "Intervals take repeats as alike."
    ]


@pytest.mark.parametrize("name", [f"pass{sign}{k}" for sign in "@^" for k in (1, 2, 3, 5)])
def test_measures_of_repeats_on_a_log(gpqa: RepeatedScores, name: str) -> None:
    """pass@k and pass^k agree with an independent computation, and so do their standard errors and p-values."""
    expected = EXPECTED["gpqa_epochs"][name]

    row = oc.compare(gpqa, measure=name).only
    (test,) = oc.test(gpqa, measure=name, tests="paired_t").rows

    assert (row.measure.name, row.measure.title) == (name, name)
    observed = [system.observed for system in row.systems]
    assert observed == pytest.approx([expected["mean_a"], expected["mean_b"]], abs=1e-9)
    assert row.observed == pytest.approx(expected["difference"], abs=1e-9)
    assert test.interval is not None
    assert test.interval.width / 2 / stats.t.ppf(0.975, 197) == pytest.approx(expected["se_paired"], abs=1e-9)
    if "p_paired_t" in expected:
        assert test.p_value == pytest.approx(expected["p_paired_t"], abs=1e-9)


def test_a_majority_on_a_log(gpqa: RepeatedScores) -> None:
    """maj@5 is a number per item, right or wrong: McNemar's test is one of items, and it is said how votes count."""
    expected = EXPECTED["gpqa_epochs"]["majority_of_5"]

    row = oc.compare(gpqa, measure="maj@5").only
    (test,) = oc.test(gpqa, measure="maj@5", tests="mcnemar_exact").rows

    assert [system.observed for system in row.systems] == pytest.approx([expected["mean_a"], expected["mean_b"]])
    assert test.p_value == pytest.approx(expected["mcnemar_exact_p"], abs=1e-9)
    assert told(row, "OC524") == [
        "maj@5 counts an item as right if more than half of 5 answers are right, and half of them as half: a vote over "
        "answers needs the labels (label, truth)."
    ]


def test_mcnemar_on_all_rows_is_not_offered(gpqa: RepeatedScores) -> None:
    """Tests are of items' means: 990 answers are not 990 items."""
    report = oc.test(gpqa, every=True)

    assert {row.name for row in report.rows} == {"paired_t", "wilcoxon"}
    with pytest.raises(InputError, match="mcnemar"):
        oc.test(gpqa, tests="mcnemar_exact")


def test_trials_of_an_agent() -> None:
    """tau-bench: 50 tasks, four trials each; pass^4 is the share of tasks that never fail."""
    expected = EXPECTED["tau_airline_gpt4o"]
    rows = json.loads((LOGS / "tau" / "gpt-4o-airline.json").read_text(encoding="utf-8"))
    log = {name: [row[name] for row in rows] for name in rows[0]}
    asked: dict[str, Any] = {"scores": True, "systems": ["reward"], "item": "task_id", "repeat": "trial"}

    names = [f"{kind}{k}" for kind in ("pass^", "pass@") for k in (1, 2, 3, 4)]
    found = oc.evaluate(log, measure=names, **asked).rows

    assert [row.measure.name for row in found] == names
    wanted = [*expected["pass_hat"].values(), *expected["pass_at"].values()]
    assert [row.system.observed for row in found] == pytest.approx(wanted, abs=1e-9)
    assert wanted[:4] == pytest.approx([0.42, 0.2733, 0.22, 0.20], abs=1e-4)


# --- measures of repeats ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "wrong"), [(3, (1, 1, 2)), (2, (2, 2)), (4, (3, 1)), (0, (2, 1)), (5, ()), (1, (3,))]
)
def test_measures_are_shares_of_subsets(right: int, wrong: tuple[int, ...]) -> None:
    """Every subset of k answers, counted by hand."""
    said = ["yes"] * right + [f"no {kind}" for kind, many in enumerate(wrong) for _ in range(many)]
    n = len(said)
    for k in range(1, n + 1):
        subsets = [[said[place] for place in places] for places in combinations(range(n), k)]
        wins = [each.count("yes") for each in subsets]
        votes = [{answer: each.count(answer) for answer in each} for each in subsets]
        most = [[answer for answer in each if each[answer] == max(each.values())] for each in votes]

        assert at_least_one(n, right, k) == pytest.approx(sum(won > 0 for won in wins) / len(subsets))
        assert all_of(n, right, k) == pytest.approx(sum(won == k for won in wins) / len(subsets))
        half = sum(Fraction(1, 2) if 2 * won == k else int(2 * won > k) for won in wins) / len(subsets)
        assert most_of(n, right, k) == pytest.approx(float(half))
        shared = sum(Fraction(1, len(each)) for each in most if "yes" in each) / len(subsets)
        assert plurality(right, tuple(sorted(wrong)), k) == pytest.approx(float(shared))


def test_measures_are_unbiased() -> None:
    """Over all outcomes of six answers, the mean of pass@3, pass^3 and maj@3 is that of three answers."""
    p, n, k = 0.3, 6, 3
    chance = stats.binom.pmf(np.arange(n + 1), n, p)

    assert chance @ [at_least_one(n, c, k) for c in range(n + 1)] == pytest.approx(1 - (1 - p) ** k)
    assert chance @ [all_of(n, c, k) for c in range(n + 1)] == pytest.approx(p**k)
    assert chance @ [most_of(n, c, k) for c in range(n + 1)] == pytest.approx(stats.binom.sf(1, k, p))


def test_votes_over_labels() -> None:
    """Three answers of which two agree on a wrong one lose the vote; split three ways they share it."""
    said = {"q1": ["B", "B", "A"], "q2": ["A", "B", "C"], "q3": ["A", "A", "D"]}
    rows = [(name, item, run, each, "A") for name in "xy" for item in said for run, each in enumerate(said[item])]
    names = ("system", "item", "run", "answer", "gold")
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    data = oc.read(log, system_column="system", item="item", repeat="run", label="answer", truth="gold")
    found = oc.evaluate(data, measure=["accuracy", "maj@3"]).rows

    assert isinstance(data, RepeatedScores)
    assert data.name == "accuracy"
    assert found[0].system.observed == pytest.approx((1 / 3 + 1 / 3 + 2 / 3) / 3)
    assert found[1].system.observed == pytest.approx((0 + 1 / 3 + 1) / 3)
    assert told(found[1], "OC524") == []


# --- copies and unequal repeats ---------------------------------------------------------------------------------------


def test_tests_of_pass_at_k_are_named_after_it(gpqa: RepeatedScores) -> None:
    """pass@5 of five repeats is right or wrong: the sign test is not one on accuracy."""
    rows = oc.test(gpqa, measure="pass@5").rows

    assert {row.measure for row in rows} == {"pass@5"}
    assert "on pass@5" in rows[0].words
    assert {row.effect_name for row in rows} == {"difference in pass@5"}


@pytest.mark.parametrize("asked", [{}, {"population": "these"}, {"model": "bootstrap"}, {"measure": "pass@2"}], ids=str)
def test_duplicating_every_repeat_changes_no_interval(gpqa: RepeatedScores, asked: dict[str, Any]) -> None:
    """Copies carry no information: they are counted once, which is said."""
    rows = answers(items=80)
    copied = [*rows, *((system, item, f"{run} again", score) for system, item, run, score in rows)]

    once = oc.compare(table(rows), **LONG, **asked).only
    twice = oc.compare(table(copied), **LONG, **asked).only

    assert twice.difference == once.difference
    assert told(twice, "OC521") == told(once, "OC521")
    assert told(once, "OC523") == []
    assert told(twice, "OC523")[0].startswith("5 repeats are copies of others and were counted once: 'r0 again'")


@pytest.mark.parametrize(("items", "level"), [(12, 0.6), (12, 0.95), (100, 0.95)])
def test_duplicates_of_repeats_that_hardly_differ(items: int, level: float) -> None:
    """Where few answers vary, chance may explain that repeats are alike, and still they are no more than once."""
    rng = np.random.default_rng(1)
    shares = rng.beta(4 * level, 4 * (1 - level), items)
    rows = [
        (system, f"q{at}", f"r{run}", int(rng.random() < share))
        for at, share in enumerate(shares)
        for system in "ab"
        for run in range(3)
    ]
    copied = [*rows, *((system, item, f"{run} again", score) for system, item, run, score in rows)]

    for population in ("these", "like-these"):
        once, twice = (oc.compare(table(each), population=population, **LONG).only for each in (rows, copied))
        assert twice.difference == once.difference
        assert [told(twice, code) for code in ("OC521", "OC522")] == [told(once, code) for code in ("OC521", "OC522")]
        assert told(twice, "OC523")
        assert told(once, "OC523") == []


def test_repeats_that_are_alike_by_chance_are_kept() -> None:
    """Ten answers to 40 questions of which few vary: some repeats are alike, as expected, and each of them counts."""
    rng = np.random.default_rng(3)
    rows = [
        (system, f"q{item}", f"r{run}", int(item >= 6 or rng.random() < 0.5))
        for item in range(40)
        for system in "ab"
        for run in range(10)
    ]
    data = oc.read(table(rows), **LONG)

    assert isinstance(data, RepeatedScores)
    assert any(len(own.kinds) < 10 for own in data.repeats.systems.values())
    assert data.fewest == 10
    assert data.findings == ()


def test_rows_that_occur_twice_are_one() -> None:
    """The same row again is no further repeat; with another score it is an error."""
    rows = answers()

    once, twice = (oc.compare(table(each), **LONG).only for each in (rows, [*rows, *rows[:7]]))

    assert twice.difference == once.difference
    assert told(twice, "OC523") == ["7 rows occur twice with the same answer and were counted once."]


def test_a_cache_is_no_evidence_about_noise() -> None:
    """A system whose repeats are all the same has no generation noise that could be seen."""
    rows = answers()
    first = {(system, item): score for system, item, run, score in rows if run == "r0"}
    cached = table(
        [(system, item, run, first[system, item] if system == "a" else score) for system, item, run, score in rows]
    )

    row = oc.compare(cached, **LONG).only

    assert told(row, "OC523")[0].startswith("all repeats of a are identical")
    with pytest.raises(InputError, match="all repeats of 'a' are identical"):
        oc.compare(cached, **LONG, population="these")


def test_unequal_repeats_use_all_of_them() -> None:
    """Two repeats of some items and ten of others: means of all, noise by how many each has."""
    rows = answers(items=90, runs=lambda item: 2 if item % 2 else 10)

    data = oc.read(table(rows), **LONG)
    row, fixed = (oc.compare(data, population=each).only for each in (None, "these"))

    assert isinstance(data, RepeatedScores)
    assert data.ids is not None
    noise = 0.0
    for system in "ab":
        own = {item: [row[3] for row in rows if row[:2] == (system, item)] for item in data.ids}
        assert {len(each) for each in own.values()} == {2, 10}
        assert data.values[system].tolist() == pytest.approx([np.mean(each) for each in own.values()])
        noise += sum(np.var(each, ddof=1) / len(each) for each in own.values()) / 90**2
    differences = data.difference("a", "b")
    assert row.difference.std == pytest.approx(differences.std(ddof=1) / math.sqrt(90), rel=0.03)
    assert fixed.difference.std == pytest.approx(math.sqrt(noise), rel=0.06)
    assert told(row, "OC521")[0].startswith("2 to 10 repeats per item: ")


def test_items_with_one_repeat_share_the_noise_of_the_others() -> None:
    """Noise is not seen in one repeat: such items have the average variance of the others."""
    data = oc.read(table(answers(items=60, runs=lambda item: 1 if item < 20 else 4)), **LONG)
    assert isinstance(data, RepeatedScores)
    own = data.repeats.systems["a"]
    seen = own.variances[own.sizes > 1]

    assert noise_of(own).variance == pytest.approx((seen.sum() / 4 + 20 * seen.mean()) / 60**2)


# --- run effects of numbers -------------------------------------------------------------------------------------------


def test_a_run_effect_of_numbers_is_an_f_test() -> None:
    """Two-way analysis of variance without interaction, as statsmodels has it."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    rng = np.random.default_rng(5)
    values = rng.normal(0, 1, (30, 4)) + rng.normal(0, 1, (30, 1)) + np.array([0, 0, 0.4, 0])
    frame = pd.DataFrame([(i, j, values[i, j]) for i in range(30) for j in range(4)], columns=["item", "run", "y"])
    wanted = anova_lm(ols("y ~ C(item) + C(run)", frame).fit()).loc["C(run)"]

    found = run_effect(values, None)

    assert found is not None
    assert (found.name, found.statistic, found.p_value) == (
        "F",
        pytest.approx(wanted["F"]),
        pytest.approx(wanted["PR(>F)"]),
    )


def test_a_run_effect_of_answers_is_cochrans_q() -> None:
    """As statsmodels has it, where repeats are unequal on the items that have them; of too few answers nothing."""
    rows = answers(items=40, runs=lambda item: 3 if item % 4 else 2)
    data = oc.read(table(rows), **LONG)
    assert isinstance(data, RepeatedScores)
    values = data.repeats.systems["a"].by_run()
    wanted = cochrans_q(values)

    found = run_effect(values, 1.0)

    assert values.shape == (30, 3)
    assert found is not None
    assert (found.statistic, found.p_value) == (pytest.approx(wanted.statistic), pytest.approx(wanted.pvalue))
    assert run_effect(values[:7], 1.0) is None


# --- every question ---------------------------------------------------------------------------------------------------


def test_a_table_per_system_and_a_wide_one_are_the_same() -> None:
    """Long, wide, and a table for each system: one kind of data."""
    rows = answers(items=30)
    long = oc.read(table(rows), **LONG)
    parts = {name: pd.DataFrame(table([row for row in rows if row[0] == name])) for name in "ab"}
    pair = oc.read(parts, score="score", item="item", repeat="run")
    keys = list(dict.fromkeys(row[1:3] for row in rows))
    known = {row[:3]: row[3] for row in rows}
    wide: dict[str, list[Any]] = {"item": [key[0] for key in keys], "run": [key[1] for key in keys]}
    wide |= {name: [known[name, *key] for key in keys] for name in "ab"}

    one = oc.read(wide, scores=True, item="item", repeat="run")

    assert (
        to_json(oc.read(wide, scores=True, item="item", repeat="run", title="score")) == to_json(long) == to_json(pair)
    )
    assert one.systems == ("a", "b")


def test_a_state_grows_by_items_and_by_repeats(tmp_path: Path) -> None:
    """Batches in any order make the same state; it reads back, and a repeat that is there is an error."""
    rows = answers(items=12)
    items = [[row for row in rows if row[1] in {f"q{item}" for item in half}] for half in (range(6), range(6, 12))]
    runs = [[row for row in rows if (row[2] in ("r0", "r1")) == first] for first in (True, False)]
    whole = to_json(oc.read(table(rows), **LONG))
    for order, batches in enumerate((items, runs, runs[::-1])):
        for batch in batches:
            oc.update(tmp_path / f"{order}.json", table(batch), **LONG)

        assert (tmp_path / f"{order}.json").read_text(encoding="utf-8") == whole

    read = from_json(whole)
    assert oc.compare(read).only.difference == oc.compare(table(rows), **LONG).only.difference
    assert pickle.loads(pickle.dumps(read)).values["a"].tolist() == read.values["a"].tolist()
    with pytest.raises(InputError, match="already has repeat"):
        oc.update(tmp_path / "0.json", table(rows[:10]), **LONG)


def test_votes_survive_a_state() -> None:
    """What was answered is saved with the answers."""
    names = ("system", "item", "run", "answer", "gold")
    rng = np.random.default_rng(1)
    rows = [
        (name, f"q{item}", run, str(rng.choice(list("AAB"))), "A")
        for name in "xy"
        for item in range(9)
        for run in range(4)
    ]
    log = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    data = oc.read(log, system_column="system", item="item", repeat="run", label="answer", truth="gold")

    again = from_json(to_json(data))

    one, other = (oc.evaluate(each, measure="maj@3").to_json() for each in (data, again))
    assert one == other
    assert to_json(again) == to_json(data)


def test_slices_of_items() -> None:
    """A slice holds the repeats of its items; a column that differs within items makes no slices."""
    rows = answers(items=60)
    log = table(rows) | {"topic": ["even" if int(row[1][1:]) % 2 == 0 else "odd" for row in rows]}

    by_topic = oc.compare(log, **LONG, by="topic").rows
    alone = oc.compare(table([row for row in rows if int(row[1][1:]) % 2]), **LONG).only

    with pytest.raises(InputError, match="column 'run' differs within items"):
        oc.compare(log, **LONG, by="run")
    odd = next(row for row in by_topic if row.slice is not None and row.slice.name == "odd")
    assert odd.items == 30
    assert odd.observed == pytest.approx(alone.observed)


def test_ranking_and_a_group_of_items() -> None:
    """A fixed suite ranks more surely than items like these; in groups, the group is the unit."""
    rows = answers(items=60)
    log = table(rows) | {"topic": [str(int(row[1][1:]) // 6) for row in rows]}

    like, these = (oc.rank(log, **LONG, systems=["a", "b"], population=each, rng=1) for each in ("like-these", "these"))
    grouped = oc.compare(log, **LONG, group="topic").only

    with pytest.raises(InputError, match="group has no effect on a fixed suite"):
        oc.compare(log, **LONG, group="topic", population="these")
    assert these.systems[0].system.std < like.systems[0].system.std
    assert grouped.model_key == "grouped_values.clusters"
    assert told(grouped, "OC521")[0].startswith("5 repeats per item: ")
    assert "10 groups" in told(grouped, "OC114")[0]


@pytest.mark.parametrize("asked", [{}, {"population": "these"}, {"measure": ["mean", "pass@2", "maj@3"]}], ids=str)
def test_answers_survive_json_and_say_what_they_are_about(asked: dict[str, Any]) -> None:
    """An answer reads back as it was; the paragraph for a paper says what the unit is."""
    answer = oc.compare(table(answers()), **LONG, **asked)

    again = oc.Comparison.from_json(answer.to_json())

    assert again.to_json() == answer.to_json()
    assert again.to_text() == answer.to_text()
    said = answer.methods()
    fixed = "The items were taken as fixed" in said
    assert fixed == ("population" in asked)
    assert ("the item is the unit of analysis" in said) != fixed


def test_two_means_are_not_right_and_wrong() -> None:
    """Means that happen to be just 0.9 and 1 are not results of two values: one more wrong answer makes another."""
    rows = [
        (name, f"q{item}", f"r{run}", float((item, run) != (0, 0)))
        for name in "ab"
        for item in range(20)
        for run in range(10)
    ]
    data = oc.read(table([*rows[:-10], *((*row[:3], float(row[2] != "r3")) for row in rows[-10:])]), **LONG)

    row = oc.compare(data).only

    assert {value for own in data.values.values() for value in own} == {0.9, 1.0}
    assert row.model_key == "values.t"
    assert row.difference.hdi.width > 0.1  # and not a tenth of what single answers would give
    with pytest.raises(InputError, match="the sign model requires binary results"):
        oc.compare(data, model="sign")
    with pytest.raises(InputError, match="mcnemar"):
        oc.test(data, tests="mcnemar_exact")


@pytest.mark.parametrize("share", [0.5, 0.9, 1.0])
@pytest.mark.parametrize("step", [None, 1.0])
def test_plans_judge_as_comparisons_do(share: float, step: float | None) -> None:
    """What ties add to the squares of a simulated set is what they add to those of a real one."""
    rng = np.random.default_rng(2)
    a, b = (rng.binomial(4, share, 40) / 4 for _ in range(2))

    (found,) = planned_squares(np.ones((1, 40), dtype=np.int64), a, b, step)

    assert found == pytest.approx(extra_squares([a, b], step).sum())


# --- bad input --------------------------------------------------------------------------------------------------------

GOOD = answers(items=6)
FAULTS: dict[str, tuple[list[Row], dict[str, Any], str]] = {
    "k above the repeats": (GOOD, {"measure": "pass@6"}, r"pass@6 needs 6 repeats of every item, and a has 5 of 'q0'"),
    "no k": (GOOD, {"measure": "pass@x"}, r"measures of repeats are 'pass@3'"),
    "k of nothing": (GOOD, {"measure": "maj@0"}, "at least one repeat"),
    "one repeat of a fixed suite": (
        [row for row in GOOD if row[2] == "r0"],
        {"population": "these"},
        r"population='these' needs at least two repeats of most items, and a has them of 0 of 6",
    ),
    "a measure of a fixed suite": (GOOD, {"population": "these", "measure": "pass@2"}, "applies to the mean"),
    "no such population": (GOOD, {"population": "those"}, "must be one of 'like-these', 'these'"),
    "one column in two roles": (GOOD, {"group": "item"}, "several roles"),
    "a measure of labels": (GOOD, {"measure": "f1"}, "Known: 'mean', 'median', 'pass@3', 'pass.3', 'maj@3'"),
    "no item": (GOOD, {"item": None}, r"repeat needs the column of the items that are repeated \(item='COL'\)"),
    "two answers in one repeat": (
        [*GOOD, ("a", "q0", "r0", 1.0 - GOOD[0][3])],
        {},
        "item 'q0' has two different answers of 'a' in repeat 'r0'",
    ),
    "a system that lacks an item": (
        [row for row in GOOD if row[:2] != ("b", "q3")],
        {},
        "1 item is without an answer of 'b': 'q3'",
    ),
    "a missing answer": ([*GOOD[:-1], (*GOOD[-1][:3], math.nan)], {}, r"answers are missing \(b 1\)"),
    "a score that is no number": (
        [*GOOD[:-1], (*GOOD[-1][:3], "x")],  # type: ignore[list-item]
        {},
        "'x', which is not a score",
    ),
    "numbers, not right or wrong": (
        [(*row[:3], row[3] + 0.5 * (row[2] == "r1")) for row in GOOD],
        {"measure": "pass@2"},
        "right .1. or wrong .0.",
    ),
    "classifier scores": (GOOD, {"truth": "score"}, "AUC of averages is that of an ensemble"),
    "an empty item": ([*GOOD, ("a", "", "r0", 1.0)], {}, "column 'item' has 1 empty cells"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_wrong_is_said_in_a_sentence(name: str) -> None:
    """Each fault is an error that names what is wrong, where, and what to do."""
    rows, asked, words = FAULTS[name]

    with pytest.raises(InputError, match=words):
        oc.compare(table(rows), **{**LONG, **asked})


def test_options_of_repeats_need_repeats() -> None:
    """Without repeats, neither a population nor pass@k means anything."""
    plain = {"item": list(range(9)), "a": np.linspace(0, 1, 9), "b": np.linspace(0, 1, 9) ** 2}

    for asked, words in (
        ({"population": "these"}, "population is about repeats"),
        ({"measure": "pass@2"}, "about repeats"),
    ):
        with pytest.raises(InputError, match=words):
            oc.compare(plain, item="item", scores=True, **asked)
    with pytest.raises(InputError, match="It applies to repeats of items"):
        oc.compare(["x", "y"] * 9, ["x"] * 18, ["y"] * 18, positive="x", population="these")


def test_items_that_lack_a_system_can_be_dropped() -> None:
    """With missing='drop' the comparison is of the items that all systems have, and says so."""
    row = oc.compare(table([row for row in GOOD if row[:2] != ("b", "q3")]), **LONG, missing="drop").only

    assert row.items == 5
    assert told(row, "OC101") == ["1 of 6 items have a missing score from some system and were dropped."]
