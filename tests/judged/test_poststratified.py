"""The post-stratified posterior: against the paired model, closed forms, and simulations; judges; questions."""

from typing import Any

import numpy as np
import pytest
from labelled_table import table
from scipy import stats

import outclass as oc
from judged import WORLDS, World, data_of, labelled, measure_of, population, value
from outclass.data.partly_labelled import Judge, partly_labelled
from outclass.models.strata import Estimated, Strata
from outclass.models.weighed import units_of
from outclass.models.weights import Weighted
from outclass.planning.labels import design_of


def _sample(world: World, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    rows = population(world, world.items, rng)
    return rows, data_of(world, rows, labelled(world, rows, rng))


@pytest.mark.parametrize("measure", ["f1", "accuracy", "recall", "mcc"])
def test_all_labelled_is_the_paired_model(measure: str) -> None:
    """With a label for every item, mean, spread and interval are those of the usual model, within Monte Carlo error."""
    columns = table(2_000, labelled=2.0)
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "measure": measure}

    usual = oc.compare(columns, **asked).difference
    own = oc.compare(columns, judge="llm", **asked).difference

    assert own.mean == pytest.approx(usual.mean, abs=0.1 * usual.std)
    assert own.std == pytest.approx(usual.std, rel=0.05)


def test_one_stratum_is_a_beta() -> None:
    """Accuracy where both systems always agree on one stratum: the labelled items are a Beta posterior."""
    patterns = np.array([[0, 1, 1], [1, 1, 1], [-1, 1, 1]])
    data = partly_labelled(("a", "b"), (0, 1), [], patterns, np.array([7, 33, 100_000]))
    strata = Strata.of(data)

    drawn = strata.draw(np.random.default_rng(0), 40_000)
    share = drawn[1] / drawn.sum(axis=0)

    # Beta(33 + 1/2, 7 + 1/2)
    assert share.mean() == pytest.approx(33.5 / 41, abs=0.001)
    assert share.var() == pytest.approx(33.5 * 7.5 / (41**2 * 42), rel=0.03)


def test_slopes_give_the_variance_of_random_labels() -> None:
    """The first-order variance of one random label is that of simulated samples of labelled items alone."""
    world = World("", items=200_000, labels=200_000, measure="f1")
    rows, data = _sample(world, 4)
    whole = design_of(Estimated(data), measure_of(world)).whole
    rng = np.random.default_rng(1)

    found = [value(world, rows[rng.integers(0, len(rows), 500)]) for _ in range(3_000)]

    assert np.var(found) == pytest.approx(whole / 500, rel=0.1)  # four errors of a variance of 3,000


def test_predicted_widths_are_the_widths() -> None:
    """The design's variance at the labels that there are is that of the posterior."""
    world = World("", items=20_000, labels=1_000, first=0.5)
    _, data = _sample(world, 2)
    decisions, measure = Estimated(data), measure_of(world)

    drawn = Weighted(units_of(decisions, ("a", "b")), ("a", "b"), 8_000, 0, mass=None).values([measure])[measure.name]

    assert np.std(drawn[:, 0] - drawn[:, 1]) == pytest.approx(design_of(decisions, measure).variance() ** 0.5, rel=0.1)


def test_many_classes_tell_roles() -> None:
    """With three classes a unit is a stratum and a role; labels that nobody gives are spread over the rest."""
    patterns = np.array([[0, 0, 1], [1, 0, 1], [2, 0, 1], [-1, 0, 1], [-1, 2, 2]])
    data = partly_labelled(("a", "b"), ("x", "y", "z"), [], patterns, np.array([5, 3, 1, 91, 100]))
    decisions = Estimated(data)

    frequencies = decisions.frequencies

    assert frequencies.sum() == pytest.approx(200)
    assert frequencies[2] > 50  # what both say is mostly true, as far as anybody knows
    assert decisions.tables("a").sum(axis=(1, 2)) == pytest.approx([200] * 3)


def test_a_judge_that_copies_errors_is_told() -> None:
    """A judge that makes A's mistakes favours A if it is believed; a finding names it, the answer is unbiased."""
    world = World("", labels=1_000, copies=1.0)
    _, data = _sample(world, 3)

    answer = oc.compare(data)
    (judge,) = answer.only.labelling.judges

    assert "OC704" in [each.code for each in answer.findings]
    assert judge.shares_a.mean > judge.shares_b.mean + 0.3
    assert judge.alone == pytest.approx(0.251, abs=0.02)
    assert judge.bias.hdi.low > 0.1
    assert abs(answer.difference.mean - 0.05) < 3 * answer.difference.std
    assert "favours a" in answer.to_text(verbose=True)


def test_judges_rates_are_estimated() -> None:
    """The judge's recall and false-positive rate contain the true ones."""
    world = World("", labels=2_000)
    _, data = _sample(world, 5)

    (judge,) = oc.compare(data).only.labelling.judges

    assert judge.recall.hdi.low < 0.9 < judge.recall.hdi.high
    assert judge.false_positive_rate.hdi.low < 0.05 < judge.false_positive_rate.hdi.high
    assert judge.accuracy.hdi.low < 0.935 < judge.accuracy.hdi.high


def test_labels_save() -> None:
    """Labels on disagreements and a judge are worth several times as many random labels."""
    _, random = _sample(World("", judge=None), 6)
    _, chosen = _sample(World("", first=0.5), 6)

    plain, good = (oc.compare(each).only.labelling for each in (random, chosen))

    assert 200 <= plain.equivalent < 330
    assert good.equivalent > 1_000
    assert good.further == 100
    assert good.further_width < oc.compare(chosen).difference.hdi.width


def test_gold_in_one_stratum_says_so() -> None:
    """Where labels are in one stratum alone, a finding tells which items are unknown, and widths show it."""
    patterns = [[truth, a, b] for truth in (-1,) for a in (0, 1) for b in (0, 1)] + [[0, 0, 0], [1, 0, 0]]
    counts = np.array([1_000, 100, 100, 300, 60, 3])
    data = partly_labelled(("a", "b"), (0, 1), [], np.array(patterns), counts)

    answer = oc.compare(data)

    assert "OC703" in [each.code for each in answer.findings]
    assert answer.difference.hdi.width > 0.2


@pytest.mark.parametrize("question", ["compare", "evaluate", "rank"])
@pytest.mark.parametrize("measure", ["f1", "accuracy", "macro_f1", "mcc", "kappa"])
def test_every_measure(question: str, measure: str) -> None:
    """Any measure of the table, with several systems; nothing is lost in JSON."""
    columns = table()
    answer = getattr(oc, question)(
        columns, truth="gold", systems=["a", "b", "llm"], judge="conf:3", measure=measure, draws=2_000
    )

    assert type(answer).from_json(answer.to_json()).to_json() == answer.to_json()


def test_slices_and_labels() -> None:
    """One row per slice, and one per label."""
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "llm"}

    slices = oc.compare(table(), by="lang", **asked)
    labels = oc.compare(table(), by="label", **asked)

    assert [row.slice.name for row in slices.rows if row.slice][1:] == ["de", "en"]
    assert [(row.measure.title, row.label) for row in labels.rows] == [("F1", "no"), ("F1", "yes")]


def test_short_answer_fits() -> None:
    """Twelve lines at 80 columns, with a line or two about labels and judge."""
    answer = oc.compare(table(), truth="gold", systems=["a", "b"], judge="llm")

    lines = str(answer).splitlines()

    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    assert any("items labelled" in line for line in lines)
    assert "The judge llm" in answer.to_text(verbose=True)
    assert "The judge llm" in answer.to_markdown()
    assert "The judge llm" in answer.to_html()


def test_accuracy_agrees_with_prediction_powered_inference() -> None:
    """With many labels the difference in accuracy and its interval are those of prediction-powered inference."""
    from judged import powered

    world = World("", labels=2_000, measure="accuracy")
    rng = np.random.default_rng(8)
    rows = population(world, world.items, rng)
    chosen = labelled(world, rows, rng)
    other = powered(world, rows, chosen)

    own = oc.compare(data_of(world, rows, chosen), measure="accuracy", rng=1).difference

    assert own.mean == pytest.approx((other.low + other.high) / 2, abs=0.2 * other.width)
    assert own.hdi.width == pytest.approx(other.width, rel=0.15)


def test_judge_labels_are_matched_however_they_are_spelt() -> None:
    """A judge that says 1.0 for 1 is read as the same label."""
    columns = table()
    number = {"yes": 1, "no": 0, "": ""}
    changed = {name: [number[each] for each in columns[name]] for name in ("gold", "a", "b")}
    changed["llm"] = [float(number[each]) for each in columns["llm"]]

    answer = oc.compare(changed, truth="gold", systems=["a", "b"], judge="llm")

    assert answer.only.labelling.judges[0].recall is not None


def test_bins_of_a_judge_are_no_labels() -> None:
    data = partly_labelled(
        ("a", "b"),
        (0, 1),
        [Judge("conf", ("≤ 0.5", "> 0.5"), True)],
        np.array([[0, 0, 0, 0], [1, 1, 0, 1], [-1, 1, 1, 1]]),
        np.array([30, 40, 500]),
    )

    (judge,) = oc.compare(data).only.labelling.judges

    assert judge.accuracy is None


def test_worlds_have_names_of_their_own() -> None:
    assert len({world.name for world in WORLDS}) == len(WORLDS)


@pytest.mark.parametrize(("first", "judge"), [(0.5, (0.9, 0.05)), (0.5, None), (0.0, (0.9, 0.05))])
def test_wrong_labels_overturn_a_decision(first: float, judge: tuple[float, float] | None) -> None:
    """Decided answers say how many labels it would take; changed labels and a new fit need as many, within a fifth."""
    world = World("", items=4_000, recalls=(0.95, 0.6), labels=400, first=first, judge=judge)
    rng = np.random.default_rng(4)
    rows = population(world, world.items, rng)
    chosen = labelled(world, rows, rng)
    row = oc.compare(data_of(world, rows, chosen), measure="accuracy", rope=0.02).only
    point = row.tipping_point
    assert point is not None
    assert point.labels is not None
    open_ = np.flatnonzero(chosen & (rows[:, 1] != rows[:, 2]) & (rows[:, 0] != rows[:, 2]))

    verdicts = []
    for many in (round(0.8 * point.labels) - 1, round(1.2 * point.labels) + 1):
        wrong = rows.copy()
        wrong[open_[:many], 0] = rows[open_[:many], 2]
        verdicts.append(oc.compare(data_of(world, wrong, chosen), measure="accuracy", rope=0.02).only.verdict)

    assert (point.favours, point.of) == ("b", 400)
    assert [each == row.verdict for each in verdicts] == [True, False]


def test_many_classes_have_a_tipping_point() -> None:
    """It is said of any average, with labels that nobody gives."""
    world = World("", classes=5, items=4_000, recalls=(0.92, 0.6), labels=600, judge=(0.9, 0.0))
    _, data = _sample(world, 4)

    answer = oc.compare(data, measure="macro_f1")

    assert answer.only.tipping_point is not None
    assert "of 600 labels" in answer.to_text()


def test_items_as_likely_to_be_labelled_make_strata() -> None:
    """Where hard items are labelled rarely, 60 intervals cover (error .028): weights within strata alone do not."""
    rng = np.random.default_rng(0)
    covered = []
    for _ in range(60):
        hard, truth = rng.random(4_000) < 0.3, rng.random(4_000) < 0.4
        said = [
            np.where(rng.random(4_000) < np.where(hard, *rates), ~truth, truth).astype(int)
            for rates in ((0.4, 0.1), (0.3, 0.15), (0.3, 0.05))
        ]
        chance = np.where(hard, 0.01, 0.1)
        gold = np.where(rng.random(4_000) < chance, truth.astype(int), None)
        table = {"gold": gold.tolist(), "a": said[0], "b": said[1], "j": said[2], "p": chance}
        asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "j", "inclusion": "p"}
        hdi = oc.compare(table, measure="accuracy", draws=1_000, **asked).difference.hdi
        covered.append(hdi.low <= 0.7 * 0.05 - 0.3 * 0.1 <= hdi.high)

    assert np.mean(covered) >= 0.95 - 3 * 0.028


def test_the_prior_where_systems_differ_is_learnt() -> None:
    """Without a judge it is one or three items in all: little if one system is always right, more if neither is."""
    for gold in ([20, 0, 0, 20], [10, 10, 9, 11]):
        patterns = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1], [-1, 1, 0], [-1, 0, 1]])
        data = partly_labelled(("a", "b"), (0, 1), [], patterns, np.array([*np.maximum(gold, 0), 500, 500]))
        strata = Strata.of(data)
        likely = [
            stats.betabinom.pmf(gold[0], 20, m / 2, m / 2) * stats.betabinom.pmf(gold[2], 20, m / 2, m / 2)
            for m in (1, 3)
        ]
        first = sum(p * (gold[0] + m / 2) / (20 + m) for p, m in zip(likely, (1, 3), strict=True)) / sum(likely)

        stratum, label = strata.units
        at = np.flatnonzero((strata.said[stratum] == [1, 0]).all(axis=1) & (label == 1))
        drawn = strata.draw(np.random.default_rng(0), 20_000)
        share = drawn[at[0]] / drawn[np.flatnonzero(stratum == stratum[at[0]])].sum(axis=0)

        assert strata.means[at[0]] == pytest.approx(first, abs=1e-12)
        assert share.mean() == pytest.approx(first, abs=0.003)


def test_few_labels_where_systems_differ_are_told() -> None:
    """60 labels of which hardly any are where the systems differ."""
    _, data = _sample(World("", labels=60, items=4_000), 1)

    (told,) = [each for each in oc.compare(data).findings if each.code == "OC700"]

    assert "of the 60 labelled items" in told.message


def test_evaluate_and_rank_say_how_many_are_labelled() -> None:
    """As `compare` does in its own line."""
    asked: dict[str, Any] = {"truth": "gold", "systems": ["a", "b"], "judge": "llm"}
    labelled_items = sum(bool(each) for each in table()["gold"])

    for answer in (oc.evaluate(table(), **asked), oc.rank(table(), **asked)):
        assert f"{labelled_items} of 400 items are labelled" in answer.to_text()
    assert "OC708" not in [each.code for each in oc.compare(table(), **asked).findings]
