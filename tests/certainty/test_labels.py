"""No certainty out of ignorance: classes, labels, rankings, regions, and the findings that go with them."""

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import outclass as oc
from outclass import measures
from outclass.cli.main import app
from outclass.data.multilabel import from_lists
from outclass.errors import InputError
from outclass.models.prior import prior_of
from outclass.models.sticks import sticks
from outclass.verdict.rope import rope_of


def one_apart(items: int = 300) -> dict[str, list[int]]:
    """Both systems are right on all items but one, on which only A is."""
    truth = [1, 0] * (items // 2)
    return {"gold": truth, "A": list(truth), "B": [0, *truth[1:]]}


def labelled(labels: int, items: int, wrong: tuple[int, int], seed: int = 0) -> tuple[np.ndarray, ...]:
    """Return the truth and two systems that are wrong on so many items each, none of them the same."""
    rng = np.random.default_rng(seed)
    truth = np.arange(items) % labels
    places = rng.permutation(items)
    found = [truth]
    for start, many in ((0, wrong[0]), (wrong[0], wrong[1])):
        said = truth.copy()
        at = places[start : start + many]
        said[at] = (said[at] + rng.integers(1, labels, many)) % labels
        found.append(said)
    return tuple(found)


def above(answer: oc.Comparison, row: int = 0) -> float:
    """P(A > B)."""
    return answer.rows[row].difference.above


def codes(answer: "oc.Comparison | oc.Ranking | oc.Evaluation") -> set[str]:
    """The codes of all findings."""
    return {each.code for each in answer.findings}


# --- 1: rankings ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["f1", "accuracy", "recall", "mcc"])
def test_a_ranking_from_one_item_is_not_certain(measure: str) -> None:
    """One discordant item of 300: P(best) is what `compare` says, within four errors of 20,000 draws."""
    ranking = oc.rank(one_apart(), truth="gold", measure=measure)
    answer = oc.compare(one_apart(), truth="gold", measure=measure)
    (best,) = [each.best for each in ranking.systems if each.system.name == "A"]
    assert best == pytest.approx(above(answer), abs=4 * math.sqrt(0.25 / 20_000))
    assert best < 0.83
    assert {"OC104"} <= codes(ranking) & codes(answer)


def test_the_default_ranking_from_one_item() -> None:
    """The default measure, F1: P(best) is below .80."""
    assert max(each.best for each in oc.rank(one_apart(), truth="gold").systems) < 0.80


def test_exchangeable_systems_are_seldom_told_apart() -> None:
    """300 items, 1% discordant: P(best) >= .999 in no set of 100 (in 35% of them without a prior), >= .95 in few."""
    rng = np.random.default_rng(0)
    best = []
    for number in range(100):
        truth = rng.integers(0, 2, 300)
        kind = rng.random(300)
        a, b = np.where(kind < 0.005, 1 - truth, truth), np.where(kind > 0.995, 1 - truth, truth)
        ranking = oc.rank({"gold": truth, "A": a, "B": b}, truth="gold", measure="accuracy", rng=number, draws=2_000)
        best.append(max(each.best for each in ranking.systems))
    assert max(best) < 0.999
    assert np.mean(np.array(best) >= 0.975) <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 100)


def test_more_systems_leave_a_pair_as_it_is() -> None:
    """P(A > B) does not depend on how many others there are: nothing accumulates."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 200)
    table = {"gold": truth} | {
        name: np.where(rng.random(200) < 0.03, (truth + 1) % 3, truth) for name in ("A", "B", *"CDEFGHIJKLMNOP")
    }
    two = oc.rank(table, truth="gold", systems=["A", "B"], measure="accuracy")
    many = oc.rank(table, truth="gold", measure="accuracy")
    p = []
    for ranking in (two, many):
        laws = {each.system.name: each.system.posterior for each in ranking.systems}
        a, b = laws["A"].in_order.ravel(), laws["B"].in_order.ravel()  # type: ignore[union-attr]
        p.append(float((a > b).mean() + (a == b).mean() / 2))
    assert p[0] == pytest.approx(p[1], abs=4 * math.sqrt(2 * 0.25 / 20_000))


def test_pseudo_items_are_a_dirichlet() -> None:
    """Seen by two systems, the process has the moments of a Dirichlet of their four kinds: closed form, 4 errors."""
    rng = np.random.default_rng(0)
    draws, mass = 100_000, 8 / 3
    weights = sticks(mass, draws, rng)
    right = rng.random((2, *weights.shape)) < 0.5
    only_a = (weights * (right[0] & ~right[1])).sum(axis=0)
    # Gamma(mass / 4): mean and variance mass / 4; skewness 2 / sqrt(mass / 4).
    shape = mass / 4
    assert only_a.mean() == pytest.approx(shape, abs=4 * math.sqrt(shape / draws))
    assert only_a.var() == pytest.approx(shape, rel=0.05)
    assert ((only_a - shape) ** 3).mean() / shape**1.5 == pytest.approx(2 / math.sqrt(shape), rel=0.15)


def test_rank_intervals_hold_all_systems() -> None:
    """Equal systems share all ranks; one that is far better has the first alone."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 400)
    wrong = {"best": 0.02, "x": 0.25, "y": 0.25, "z": 0.25}
    table = {"gold": truth} | {name: np.where(rng.random(400) < p, 1 - truth, truth) for name, p in wrong.items()}
    ranking = oc.rank(table, truth="gold", measure="accuracy")
    ends = {each.system.name: tuple(each.rank_interval) for each in ranking.systems}
    assert ends["best"] == (1, 1)
    assert all(ends[name][1] - ends[name][0] >= 1 for name in "xyz")
    drawn = np.stack([each.system.posterior.in_order.ravel() for each in ranking.systems], axis=1)  # type: ignore[union-attr]
    ranks = (-drawn).argsort(axis=1).argsort(axis=1) + 1
    low, high = (np.array([ends[name][end] for name in ranking.names]) for end in (0, 1))
    assert ((ranks >= low) & (ranks <= high)).all(axis=1).mean() >= 0.95
    assert ranking.to_dict()["ranking"][0]["rank_interval"] == [1, 1]


# --- 2: many labels -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["macro_f1", "micro_f1"])
def test_no_jump_from_eight_labels_to_nine(measure: str) -> None:
    """The same errors on as many items: P(A > B) with 8 labels and with 9 within .01 (.940 and 1.000 before)."""
    p = []
    for labels in (8, 9):
        truth, a, b = labelled(labels, 360, (4, 9))
        p.append(above(oc.compare(truth, a, b, measure=measure, draws=200_000)))
    assert p[0] == pytest.approx(p[1], abs=0.01)
    assert 0.85 < p[0] < 0.97


def test_few_errors_of_many_labels_are_not_certainty() -> None:
    """Two errors of B, none of A, over 12 labels: not sure, told, and not decided in favour of A."""
    truth, a, b = labelled(12, 240, (0, 2))
    answer = oc.compare(truth, a, b, rope=0)
    assert all(0.7 < row.difference.above < 0.97 for row in answer.rows)
    assert {"OC104"} <= codes(answer)
    assert not any(row.verdict.is_decided for row in answer.rows)


def test_accuracy_of_many_labels_is_the_sign_model() -> None:
    """Who alone is right, Jeffreys' prior: the same law as the closed form of two counts, however many labels."""
    truth, a, b = labelled(9, 300, (3, 8))
    many = oc.compare(truth, a, b, measure="accuracy", draws=200_000).only.difference
    sign = oc.compare(wins=(8, 3), items=300).only.difference
    for name in ("mean", "std", "above"):
        allowed = 2 * (getattr(many.errors, name) + getattr(sign.errors, name))
        assert getattr(many, name) == pytest.approx(getattr(sign, name), abs=allowed), name


def test_four_documents_are_not_certainty() -> None:
    """Many labels per document: A names one label more on each of four documents; that is no 99.9%."""
    truth = [["x", "y"]] * 4
    data = from_lists(truth, {"A": truth, "B": [["x"], ["x", "y"], ["y"], ["x", "y"]]})
    answer = oc.compare(data)
    assert all(0.6 < row.difference.above < 0.99 for row in answer.rows)
    assert {"OC104", "OC107"} <= codes(answer)


def test_a_label_that_one_system_invents_is_not_certainty() -> None:
    """B says an unknown label once: macro-F1 is over the same labels for both, in `compare` as in `test`."""
    truth, a, b = labelled(3, 300, (10, 0))
    b = a.copy()
    b[int(np.flatnonzero(a == truth)[0])] = 3
    row = oc.compare(truth, a, b, measure="macro_f1").only
    (tested,) = [each for each in oc.test(truth, a, b, measure="macro_f1").rows if each.name == "permutation_exact"]
    assert row.observed == pytest.approx(tested.effect)
    assert 0.55 < row.difference.above < 0.95
    assert "OC110" in {each.code for each in row.findings}


def test_rank_intervals_of_equal_systems() -> None:
    """Ten nearly equal systems: the true ranks of all lie in their intervals in at least 95% of sets (60 sets: 57)."""
    rng = np.random.default_rng(0)
    held = 0
    for number in range(60):
        truth = rng.integers(0, 2, 300)
        said = {f"s{at}": np.where(rng.random(300) < 0.1 + 0.0005 * at, 1 - truth, truth) for at in range(10)}
        ranking = oc.rank({"gold": truth, **said}, truth="gold", measure="accuracy", draws=1_000, rng=number)
        places = {each.system.name: each.rank_interval for each in ranking.systems}
        held += all(places[f"s{at}"].low <= at + 1 <= places[f"s{at}"].high for at in range(10))
    assert held >= 57


@pytest.mark.parametrize("measure", ["macro_f1", "micro_f1", "mcc"])
def test_swapping_systems_mirrors_the_answer(measure: str) -> None:
    """Sampled intervals too: to the last digit."""
    truth, a, b = labelled(5, 200, (20, 26), seed=3)
    first, second = oc.compare(truth, a, b, measure=measure), oc.compare(truth, b, a, measure=measure)
    assert list(first.difference.hdi) == pytest.approx([-end for end in second.difference.hdi[::-1]], abs=1e-12)
    assert above(first) == pytest.approx(second.difference.below, abs=1e-12)


# --- 8: own intervals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prior", [None, "uniform", "jeffreys"])
@pytest.mark.parametrize("measure", ["f1", "recall", "accuracy", "mcc"])
def test_own_intervals_are_those_of_evaluate(measure: str, prior: str | None) -> None:
    """100 of 100 positives and 9,900 of 9,900 negatives right: the same interval in `compare` and in `evaluate`."""
    truth = [1] * 100 + [0] * 9_900
    other = [1] * 98 + [0] * 9_902
    answer = oc.compare(truth, truth, other, measure=measure, prior=prior)
    for system, labels in zip(answer.only.systems, (truth, other), strict=True):
        alone = oc.evaluate(truth, labels, measure=measure, prior=prior).only.system
        assert list(system.hdi) == pytest.approx(list(alone.hdi), abs=1e-9)
    assert {"OC109"} <= codes(answer) & codes(oc.evaluate(truth, truth, measure=measure))


# --- 10: the matched prior ------------------------------------------------------------------------------------------


def test_the_default_prior_is_matched() -> None:
    """Its pseudo-counts are the measure's; the papers' prior is one option away; Bayes factors keep it."""
    truth, a, b = labelled(2, 200, (10, 16))
    default, uniform = (oc.compare(truth, a, b, positive=1, prior=prior).only for prior in (None, "uniform"))
    assert (default.prior, default.factor_prior) == ("matched", "uniform")
    assert (uniform.prior, uniform.factor_prior) == ("uniform", "uniform")
    assert default.difference.hdi.width < uniform.difference.hdi.width
    for ours, theirs in zip(default.bayes_factors, uniform.bayes_factors, strict=True):
        assert ours.value == pytest.approx(theirs.value, rel=0.02, nan_ok=True), ours.name
    read = oc.Comparison.from_json(oc.compare(truth, a, b, positive=1).to_json())
    assert read.only.factor_prior == "uniform"


@pytest.mark.parametrize("name", ["f1", "accuracy", "recall", "precision", "balanced_accuracy", "mcc"])
def test_the_matched_prior_is_its_numbers(name: str) -> None:
    """`--prior matched` equals the pseudo-counts written out."""
    truth, a, b = labelled(2, 200, (10, 16))
    count = measures.get(name).pseudo_count
    written = {"mu": (4 * count, 4 * count), "positives": count, "negatives": count}
    matched, spelt = (
        oc.compare(truth, a, b, positive=1, measure=name, prior=prior).difference for prior in ("matched", written)
    )
    assert list(matched.hdi) == pytest.approx(list(spelt.hdi), abs=1e-12)


def test_accuracy_of_two_classes_is_the_sign_model() -> None:
    """The paired model and the sign model agree on accuracy under their default priors."""
    truth, a, b = labelled(2, 200, (4, 11))
    paired, sign = (
        oc.compare(truth, a, b, positive=1, measure="accuracy", model=m).difference for m in ("paired", "sign")
    )
    assert paired.above == pytest.approx(sign.above, abs=2e-3)
    assert list(paired.hdi) == pytest.approx(list(sign.hdi), abs=1e-3)


def test_strongly_agreeing_systems_have_power() -> None:
    """Nine discordant items, all won by A: the exact test sees it (p = .004), so does the default, uniform less."""
    truth, a, b = labelled(2, 500, (0, 9))
    answer = oc.compare(truth, a, b, positive=1)
    assert answer.only.difference.hdi.low > 0
    assert above(answer) > above(oc.compare(truth, a, b, positive=1, prior="uniform"))


def test_a_matched_prior_needs_no_base() -> None:
    """It is of measures, so that parts cannot be put on top of it; that is said."""
    with pytest.raises(InputError, match="base of a prior"):
        prior_of("base=matched;recall=0.6..0.9")


# --- 11 and 12: the ROPE --------------------------------------------------------------------------------------------


def test_a_default_rope_is_told() -> None:
    """One finding if nobody chose it, a stronger one where it is wide for these systems, none if somebody did."""
    truth, a, b = labelled(2, 400, (100, 120))
    assert "OC304" in codes(oc.compare(truth, a, b, positive=1))
    assert not {"OC304", "OC305"} & codes(oc.compare(truth, a, b, positive=1, rope=0.05))
    truth, a, b = labelled(2, 400, (8, 30))
    found = codes(oc.compare(truth, a, b, positive=1))
    assert "OC305" in found
    assert "OC304" not in found


def test_a_rope_wider_than_all_there_is() -> None:
    """At 1% prevalence a perfect and a constant system differ by .0099 in Brier score: "equivalent", with a warning."""
    rng = np.random.default_rng(0)
    truth = (np.arange(3_000) % 100 == 0).astype(int)
    perfect = np.where(truth == 1, 0.99, 0.01) + rng.uniform(-0.005, 0.005, 3_000)
    constant = 0.01 + rng.uniform(-0.001, 0.001, 3_000)
    data = oc.scores({"truth": truth, "A": perfect, "B": constant}, truth="truth")
    answer = oc.compare(data, measure="brier")
    (told,) = [each.message for each in answer.findings if each.code == "OC305"]
    assert "a constant system" in told
    assert "OC305" in codes(oc.rank(data, measure="brier"))


def test_a_relative_rope() -> None:
    """10% of the smaller error, for each measure its own; mirrored when the systems are swapped."""
    truth, a, b = labelled(2, 200, (10, 20))
    first, second = (oc.compare(truth, x, y, positive=1, measure="accuracy", rope="10%") for x, y in ((a, b), (b, a)))
    assert list(first.only.rope) == pytest.approx([-0.005, 0.005])
    assert first.only.rope == second.only.rope
    many = oc.compare(*labelled(4, 200, (10, 20)), measure="accuracy", rope="10%")
    assert list(many.only.rope) == pytest.approx([-0.005, 0.005])
    assert list(
        oc.rank({"gold": truth, "A": a, "B": b}, truth="gold", measure="error", rope="20%").rope
    ) == pytest.approx([-0.01, 0.01])
    with pytest.raises(InputError, match="makes none"):
        oc.compare(truth, truth, b, positive=1, rope="10%")
    with pytest.raises(InputError, match="not to plans"):
        oc.plan(prevalence=0.3, recalls=(0.8, 0.7), false_positive_rates=(0.1, 0.1), n=100, rope="10%", sets=10)


def test_a_region_open_to_one_side_is_non_inferiority() -> None:
    """A system that is better is not "practically equivalent": it is non-inferior, and better."""
    truth, a, b = labelled(2, 1_000, (20, 60))
    for rope in ("-0.02,1", "-0.02,inf", (-0.02, math.inf)):
        answer = oc.compare(truth, a, b, positive=1, measure="accuracy", rope=rope)
        assert answer.verdict.value == ">="
        assert "A is non-inferior to B in accuracy (margin 0.02), and better" in answer.words
        assert "equivalent" not in answer.words
        assert oc.Comparison.from_json(answer.to_json()).only.rope == answer.only.rope
    worse = oc.compare(truth, b, a, positive=1, measure="accuracy", rope="-0.02,1")
    assert worse.verdict.value == "<<"
    assert "A is inferior to B" in worse.words
    # Of an error, less is better: a margin above is A's.
    error = oc.compare(truth, a, b, positive=1, measure="error", rope="-1,0.02")
    assert error.verdict.value == "<="
    assert "A is non-inferior to B in error (margin 0.02), and better" in error.words
    undecided = oc.compare(truth[:60], a[:60], a[:60], positive=1, measure="accuracy", rope="-0.001,1")
    assert "undecided whether A is non-inferior" in undecided.words


# --- 13: looking while labels arrive --------------------------------------------------------------------------------


@pytest.mark.parametrize("counts", [(3, 19, 50), (19, 3, 50), (0, 12, 400), (5, 5, 20), (0, 0, 9), (40, 80, 300)])
def test_the_e_value_and_the_interval_agree(counts: tuple[int, int, int]) -> None:
    """Equality is rejected exactly where the confidence sequence excludes zero (it did not for 3, 19 of 50)."""
    seen = oc.anytime(*counts)
    assert seen.refuses == (not seen.interval.low <= 0 <= seen.interval.high)
    if counts == (3, 19, 50):
        assert seen.refuses


def test_update_takes_graded_data_of_one_class(tmp_path: Path) -> None:
    """Right and wrong as labels, all of them true: the sign model answers, also from a state."""
    rows = ["right,right,wrong"] * 8 + ["right,wrong,right"] * 2 + ["right,right,right"] * 20
    (tmp_path / "day.csv").write_text("gold,a,b\n" + "\n".join(rows) + "\n")
    asked = ["update", str(tmp_path / "s.json"), str(tmp_path / "day.csv"), "--truth", "gold", "--model", "sign"]
    result = CliRunner().invoke(app, [*asked, "--format", "json"])
    assert result.exit_code == 0, result.stderr
    answer = oc.Comparison.from_json(result.stdout)
    assert above(answer) == pytest.approx(above(oc.compare(wins=(8, 2), items=30)), abs=1e-3)
    # A system's own accuracy is known too: Beta(29, 3) and Beta(23, 9).
    assert [each.mean for each in answer.only.systems] == pytest.approx([29 / 32, 23 / 32])


# --- 14: findings on every path -------------------------------------------------------------------------------------


def test_thin_data_are_told_on_every_path(tmp_path: Path) -> None:
    """Identical systems, few discordant items and few items: two classes, many, documents, groups, scores; rankings."""
    same = labelled(2, 20, (0, 0))
    groups = {"gold": same[0], "A": same[1], "B": same[2], "doc": np.arange(20) // 2}
    numbers = np.linspace(0, 1, 20)
    names = [[str(label)] for label in same[0]]
    for data, asked in (
        ({"gold": same[0], "A": same[1], "B": same[2]}, {"truth": "gold"}),
        ({"gold": np.arange(20) % 4, "A": np.arange(20) % 4, "B": np.arange(20) % 4}, {"truth": "gold"}),
        (from_lists(names, {"A": names, "B": names}), {}),
        (groups, {"truth": "gold", "systems": ["A", "B"], "group": "doc"}),
        (oc.scores({"A": numbers, "B": numbers}), {}),
        (oc.scores({"A": same[1].astype(float), "B": same[2].astype(float)}), {}),
    ):
        for call in (oc.compare, oc.rank):
            found = codes(call(data, **asked))  # type: ignore[arg-type]
            assert {"OC105", "OC107"} <= found, (call.__name__, type(data).__name__, asked, found)


def test_a_default_comparison_is_not_crowded() -> None:
    """No finding that every default answer would have, but that of the ROPE (OC204, OC111, OC120 before)."""
    truth, a, b = labelled(2, 600, (90, 130))
    assert codes(oc.compare(truth, a, b, positive=1)) == {"OC304"}
    assert codes(oc.compare(counts=["tp=80,fp=30,fn=40", "tp=70,fp=25,fn=30"])) == {"OC304"}
    # The same positives are a sign of one test set, which counts do not tell.
    assert "OC120" in codes(oc.compare(counts=["tp=80,fp=30,fn=40", "tp=70,fp=25,fn=50"]))


def test_disagreements_are_counted_where_the_measure_looks() -> None:
    """Recall rests on the positives: forty disagreements on negatives are no evidence about it."""
    truth = np.array([1] * 100 + [0] * 300)
    a, b = truth.copy(), truth.copy()
    a[100:120], b[120:140], b[:3] = 1, 1, 0
    recall = oc.compare(truth, a, b, measure="recall")
    assert "3 of 100 positive items" in next(each.message for each in recall.findings if each.code == "OC104")
    assert "OC104" not in codes(oc.compare(truth, a, b, measure="specificity"))


def test_one_system_of_every_pair() -> None:
    """The exact engine and the weights agree on all pairs of three systems, in measures of two classes."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 150)
    table = {name: np.where(rng.random(150) < p, 1 - truth, truth) for name, p in (("A", 0.1), ("B", 0.13), ("C", 0.2))}
    ranking = oc.rank({"gold": truth, **table}, truth="gold", positive=1, draws=40_000)
    laws = {each.system.name: each.system.posterior.in_order.ravel() for each in ranking.systems}  # type: ignore[union-attr]
    for first, second in combinations(table, 2):
        exact = above(oc.compare(truth, table[first], table[second], positive=1))
        assert float((laws[first] > laws[second]).mean()) == pytest.approx(exact, abs=4 * math.sqrt(0.25 / 40_000))


def test_few_errors_are_told_over_many_labels() -> None:
    """A system without errors: OC109 in `compare` and `rank`, of two classes, many and documents."""
    truth, a, b = labelled(4, 200, (0, 20))
    names = [[str(label)] for label in truth]
    documents = from_lists(names, {"A": names, "B": [[str(label)] for label in b]})
    for data, asked in (({"gold": truth, "A": a, "B": b}, {"truth": "gold"}), (documents, {})):
        for call in (oc.compare, oc.rank):
            assert "A makes no errors" in str([each.message for each in call(data, **asked).findings])  # type: ignore[arg-type]


@pytest.mark.parametrize("rope", ["-10%,5", "-2%,0.05", "-0.05,10%"])
def test_percent_on_one_side_only_is_an_error(rope: str) -> None:
    """A region in percent is so on both sides, or open on one."""
    with pytest.raises(InputError, match="on both sides or on neither"):
        rope_of(rope)


def test_relative_non_inferiority() -> None:
    """A margin of 10% of the error, open above."""
    truth, a, b = labelled(2, 1_000, (20, 60))
    answer = oc.compare(truth, a, b, positive=1, measure="accuracy", rope="-10%,inf")
    assert list(answer.only.rope) == pytest.approx([-0.002, math.inf])
    assert "non-inferior" in answer.words
    assert oc.compare(truth, a, b, positive=1, measure="mcc", rope="-0.02,1").verdict.value == ">="
    (row,) = oc.test(truth, a, b, positive=1, tests="tost", measure="accuracy", rope=(-0.02, math.inf)).rows
    assert (row.alternative, row.mark) == ("non-inferiority", ">=")


def test_a_named_prior_is_not_ignored() -> None:
    """Where there is no prior, naming one is an error, the default's name too."""
    truth, a, b = labelled(3, 60, (5, 9))
    table = {"gold": truth, "A": a, "B": b}
    grouped = table | {"doc": np.arange(60) // 3}
    with pytest.raises(InputError, match=r"prior is not used"):
        oc.compare(table, truth="gold", prior="matched", model="bootstrap")
    with pytest.raises(InputError, match=r"prior is not used"):
        oc.compare(grouped, truth="gold", prior="matched", group="doc", systems=["A", "B"])


def test_evidence_of_wins_has_no_relative_rope() -> None:
    """Wins alone do not tell a system's error."""
    with pytest.raises(InputError, match="value of every system"):
        oc.compare(wins=(8, 3), items=100, rope="10%")
