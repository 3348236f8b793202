"""Comparisons and rankings of scores: the same verdicts, JSON and pages as for labels."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats
from sklearn import metrics

import outclass as oc
from outclass.cli.main import app
from outclass.errors import InputError


@pytest.fixture(scope="module")
def queries() -> pd.DataFrame:
    """Sixty queries, three systems."""
    rng = np.random.default_rng(3)
    base = rng.beta(2, 2, 60)
    return pd.DataFrame(
        {
            "query": [f"q{place}" for place in range(60)],
            "topic": np.repeat(np.arange(12), 5),
            "bm25": base,
            "dense": np.clip(base + rng.normal(0.04, 0.05, 60), 0, 1),
            "both": np.clip(base + rng.normal(0.05, 0.05, 60), 0, 1),
        }
    )


@pytest.fixture(scope="module")
def probabilities() -> pd.DataFrame:
    """Four hundred items, two systems' probabilities."""
    rng = np.random.default_rng(4)
    truth = rng.random(400) < 0.3
    common = rng.normal(size=400)
    old, new = (1 / (1 + np.exp(-(common + move * truth - 0.5 + rng.normal(size=400) * 0.5))) for move in (0.8, 1.4))
    return pd.DataFrame({"gold": np.where(truth, "yes", "no"), "old": old, "new": new})


@pytest.mark.parametrize("model", ["student", "t", "bootstrap"])
def test_results(queries: pd.DataFrame, model: str) -> None:
    """Means are SciPy's; all models agree about as well as they should; the table is whole."""
    data = oc.scores(queries, item="query", systems=["bm25", "dense"], name="nDCG")
    row = oc.compare(data, model=model, rope=0.02).only
    difference = queries["bm25"] - queries["dense"]

    assert row.measure.title == ("nDCG (robust centre)" if model == "student" else "nDCG")
    assert row.observed == pytest.approx(difference.mean())
    assert row.difference.mean == pytest.approx(difference.mean(), abs=0.002)
    assert row.difference.std == pytest.approx(stats.sem(difference), rel=0.1)
    tests = {test.name: test.p_value for test in row.tests}
    assert tests["paired_t"] == pytest.approx(stats.ttest_rel(queries["bm25"], queries["dense"]).pvalue)
    assert row.verdict.value == "<<"
    assert sum(row.rope_probabilities) == pytest.approx(1)
    assert "nDCG" in oc.compare(data, model=model, rope=0.02).words


def test_bootstrap_identities(queries: pd.DataFrame) -> None:
    """Method notes, section 7: Var(mean) = sum (x - mean)^2 / (n (n + 1)); 20,000 draws give it within 4%."""
    data = oc.scores(queries, item="query", systems=["bm25", "dense"])
    row = oc.compare(data, model="bootstrap").only
    x = (queries["bm25"] - queries["dense"]).to_numpy()

    assert row.difference.std**2 == pytest.approx(((x - x.mean()) ** 2).sum() / (60 * 61), rel=0.04)
    assert row.difference.mean == pytest.approx(x.mean(), abs=4 * row.difference.std / 141)


def test_median(queries: pd.DataFrame) -> None:
    row = oc.compare(oc.scores(queries, item="query", systems=["bm25", "dense"]), measure="median").only
    assert row.systems[0].observed == pytest.approx(queries["bm25"].median())
    assert row.systems[0].hdi.low < queries["bm25"].median() < row.systems[0].hdi.high
    with pytest.raises(InputError, match="bootstrap"):
        oc.compare(oc.scores(queries, item="query"), measure="median", model="student")


def test_topics(queries: pd.DataFrame) -> None:
    """Items of one topic hang together: the cluster jackknife by default, other models if asked for."""
    data = oc.scores(queries, item="query", group="topic", systems=["bm25", "dense"])
    assert oc.compare(data).only.model == "paired (cluster jackknife)"
    assert oc.compare(data, model="hierarchical").only.model == "hierarchical"
    assert oc.compare(data, model="bootstrap").only.model == "bootstrap (weights on groups)"


@pytest.mark.parametrize("name", ["auc", "average_precision", "log_loss", "brier", "ece"])
def test_scores_of_a_classifier(probabilities: pd.DataFrame, name: str) -> None:
    """Points are scikit-learn's; DeLong stands beside the AUC; a loss is better when lower."""
    data = oc.scores(probabilities, truth="gold", positive="yes")
    row = oc.compare(data, measure=name, draws=4_000).only
    truth = probabilities["gold"] == "yes"
    theirs = {
        "auc": metrics.roc_auc_score,
        "average_precision": metrics.average_precision_score,
        "log_loss": metrics.log_loss,
        "brier": metrics.brier_score_loss,
    }

    if name in theirs:
        assert row.systems[0].observed == pytest.approx(theirs[name](truth, probabilities["old"]))
        assert (row.verdict.value in ("<<", "<")) == row.measure.higher_is_better
    assert [test.name for test in row.tests] == (["delong"] if name == "auc" else [])


def test_the_auc_law_is_its_closed_form(probabilities: pd.DataFrame) -> None:
    """Mean within four errors of 20,000 draws, std within 5% (the pseudo-items widen it); DeLong's error is close."""
    from outclass.measures.scored import auc_moments

    data = oc.scores(probabilities, truth="gold", positive="yes")
    row = oc.compare(data).only
    assert data.truth is not None
    mean, variance = auc_moments(data.truth, data.values["old"], data.values["new"])

    assert row.difference.mean == pytest.approx(mean, abs=4 * variance**0.5 / 141)
    assert variance**0.5 < row.difference.std == pytest.approx(variance**0.5, rel=0.05)
    interval = row.tests[0].interval
    assert interval.width / 3.92 == pytest.approx(variance**0.5, rel=0.05)


def test_swapping_mirrors(probabilities: pd.DataFrame, queries: pd.DataFrame) -> None:
    """A against B is B against A, turned."""
    for data, model in (
        (oc.scores(probabilities, truth="gold", positive="yes"), None),
        (oc.scores(queries, item="query", systems=["bm25", "dense"]), "student"),
    ):
        first, second = (oc.compare(data, systems=names, model=model) for names in (data.systems, data.systems[::-1]))
        assert first.only.difference.mean == pytest.approx(-second.only.difference.mean, abs=1e-7)
        assert first.only.difference.hdi.low == pytest.approx(-second.only.difference.hdi.high, abs=1e-6)


def test_a_system_twice_ties(probabilities: pd.DataFrame) -> None:
    """The same scores twice: practically equivalent on 400 items, around zero, but not for certain."""
    twice = oc.scores(probabilities.assign(new=probabilities["old"]), truth="gold", positive="yes")
    row = oc.compare(twice).only
    assert row.difference.hdi.low < 0 < row.difference.hdi.high
    assert row.difference.hdi.width < 0.03
    assert row.verdict.value == "~="


def test_folds_and_data_sets() -> None:
    """Correlated t of folds; signed ranks, signs and the hierarchical model over data sets."""
    rng = np.random.default_rng(5)
    folds = pd.DataFrame({"fold": np.tile(np.arange(10), 10), "rep": np.repeat(np.arange(10), 10)})
    folds["a"] = 0.8 + rng.normal(0, 0.02, 100)
    folds["b"] = folds["a"] - 0.02 + rng.normal(0, 0.01, 100)
    row = oc.compare(oc.scores(folds, fold="fold", repeat="rep"), rope=0.005).only
    assert (row.model, row.verdict.value, row.additional_items) == ("correlated", ">>", None)
    assert [test.name for test in row.tests] == ["corrected_t"]

    sets = pd.DataFrame({"set": np.arange(30), "a": rng.uniform(0.5, 0.9, 30)})
    sets["b"] = sets["a"] - rng.normal(0.03, 0.02, 30)
    data = oc.scores(sets, data_set="set")
    for model in (None, "sign", "signed_rank"):
        row = oc.compare(data, rope=0.01, model=model).only
        assert row.verdict.value == ">>"
        assert row.rope_probabilities.a > 0.95
    many = folds.assign(set=0)
    several = pd.concat(
        [many.assign(set=place, b=many["b"] - shift) for place, shift in enumerate((0, 0.01, -0.01, 0.02))]
    )
    row = oc.compare(oc.scores(several, fold="fold", repeat="rep", data_set="set"), rope=0.005).only
    assert row.model == "hierarchical"
    assert row.difference.hdi.low < several["a"].mean() - several["b"].mean() < row.difference.hdi.high


def test_default_rope() -> None:
    """0.05 of what lies in [0, 1]; of anything else a tenth of its spread, and it is told."""
    rng = np.random.default_rng(6)
    times = pd.DataFrame({"request": range(40), "v1": rng.lognormal(4, 0.5, 40)})
    times["v2"] = times["v1"] * rng.normal(0.8, 0.05, 40)
    answer = oc.compare(oc.scores(times, item="request", name="latency", lower_is_better=True))

    assert answer.only.rope.high == pytest.approx(times[["v1", "v2"]].std(ddof=0).mean() / 10, rel=0.05)
    assert "OC303" in {note.code for note in answer.findings}
    assert answer.words.startswith("v2 is better than v1 in latency")
    shares = oc.scores(pd.DataFrame({"q": range(20), "a": rng.random(20), "b": rng.random(20)}), item="q")
    assert tuple(oc.compare(shares).only.rope) == (-0.05, 0.05)


def test_what_is_thin_is_told() -> None:
    """Few of a class, many ties, few items."""
    rng = np.random.default_rng(7)
    few = pd.DataFrame({"t": [1] * 5 + [0] * 95, "a": rng.random(100), "b": rng.random(100)})
    assert "OC212" in {note.code for note in oc.compare(oc.scores(few, truth="t", positive=1)).findings}
    tied = pd.DataFrame({"q": range(50), "a": rng.random(50)})
    tied["b"] = np.where(np.arange(50) < 30, tied["a"], tied["a"] + 0.1)
    data = oc.scores(tied, item="q")
    assert oc.compare(data).only.model == "t"
    assert "OC213" in {note.code for note in oc.compare(data, model="student").findings}
    same = oc.scores(tied.assign(b=tied["a"]), item="q")
    assert "OC105" in {note.code for note in oc.compare(same).findings}


@pytest.mark.parametrize(
    ("columns", "asked", "told"),
    [
        ({"truth": "gold", "positive": "yes"}, {"model": "student"}, "whose models are 'bootstrap'"),
        ({"truth": "gold", "positive": "yes"}, {"measure": "f1"}, "measure of scores"),
        ({"truth": "gold", "positive": "yes"}, {"positive": "yes"}, "positive applies to labels"),
        ({"truth": "gold", "positive": "yes"}, {"truth": "gold", "group": "x"}, "truth, group are not used"),
        ({"truth": "gold", "positive": "yes"}, {"method": "mcmc"}, "method is not used"),
        ({"systems": ["old", "new"]}, {"measure": "f1"}, "measure of results"),
        ({"systems": ["old", "new"]}, {"model": "correlated"}, r"\(fold\)"),
        ({"systems": ["old", "new"]}, {"model": "sign"}, r"\(data_set\)"),
        ({"systems": ["old", "new"]}, {"model": "hierarchical"}, "scores=True, group"),
        ({"systems": ["old", "new"]}, {"model": "paired"}, "model=.paired. requires"),
        ({"systems": ["old", "new"]}, {"draws": 3}, "draws"),
    ],
)
def test_refused(probabilities: pd.DataFrame, columns: dict[str, str], asked: dict[str, str], told: str) -> None:
    frame = probabilities if "truth" in columns else probabilities[["old", "new"]]
    with pytest.raises(InputError, match=told):
        oc.compare(oc.scores(frame, **columns), **asked)


def test_no_probabilities(probabilities: pd.DataFrame) -> None:
    data = oc.scores(probabilities.assign(new=5.0), truth="gold", positive="yes")
    with pytest.raises(InputError, match="needs probabilities"):
        oc.compare(data, measure="brier")
    with pytest.raises(InputError, match="one class"):
        oc.compare(oc.scores(probabilities[probabilities["gold"] == "yes"].assign(gold=1), truth="gold", positive=1))


def test_significance_tests_of_results(queries: pd.DataFrame) -> None:
    """What a user of autorank or SciPy asks for, with their p-values."""
    found = oc.test(oc.scores(queries.drop(columns="topic"), item="query", name="nDCG"))
    rows = {(row.name, *row.systems): row for row in found}
    columns = [queries[name] for name in ("bm25", "dense", "both")]

    assert rows["paired_t", "bm25", "dense"].p_value == pytest.approx(stats.ttest_rel(*columns[:2]).pvalue)
    assert rows["wilcoxon", "bm25", "dense"].p_value == pytest.approx(
        stats.wilcoxon(*columns[:2], method="approx").pvalue, rel=0.05
    )
    assert rows["friedman", "bm25", "dense", "both"].p_value == pytest.approx(stats.friedmanchisquare(*columns).pvalue)
    assert {row.name for row in found} == {"paired_t", "wilcoxon", "friedman", "nemenyi"}
    assert "nDCG of 60 items" in rows["wilcoxon", "bm25", "dense"].words
    topics = oc.test(oc.scores(queries, item="query", group="topic"))
    assert "12 groups" in topics.named("wilcoxon")[0].words
    losses = oc.test(oc.scores(queries, item="query", systems=["bm25", "dense"], lower_is_better=True))
    assert losses.named("paired_t")[0].mark == ">>"
    folds = oc.scores(queries.assign(fold=range(60)), fold="fold", systems=["bm25", "dense"], test_share=0.1)
    assert [row.name for row in oc.test(folds)] == ["paired_t"]
    assert oc.test(folds)[0].p_value > rows["paired_t", "bm25", "dense"].p_value


def test_ranking(queries: pd.DataFrame) -> None:
    """Three systems under one posterior; two, as a comparison would have them."""
    data = oc.scores(queries, item="query", group="topic")
    found = oc.rank(data, rope=0.01)
    assert found.names[-1] == "bm25"
    assert sum(each.best for each in found.systems) == pytest.approx(1)
    assert found.model == "paired (cluster jackknife)"
    with pytest.raises(InputError, match="not independent samples"):
        oc.rank(oc.scores(queries.assign(fold=range(60)), fold="fold", systems=["bm25", "dense"]))


def test_json_is_the_identity_and_pages_are_made(queries: pd.DataFrame, tmp_path: Path) -> None:
    """The same shape as for labels; charts and the page work, and the page's verdicts follow the ROPE."""
    answer = oc.compare(oc.scores(queries, item="query", group="topic"))
    again = oc.Comparison.from_json(answer.to_json())
    assert again == answer
    assert set(json.loads(answer.to_json())["comparisons"][0]) >= {
        "difference",
        "verdict",
        "systems",
        "rope_probabilities",
    }
    for kind in ("posterior", "systems"):
        assert answer[0].plot(kind).to_dict()
    page = answer.to_html(tmp_path / "page.html")
    assert "bm25" in page
    one = oc.compare(oc.scores(queries, item="query", systems=["bm25", "dense"]))
    assert "Kruschke" in one.to_html()
    for text in (one.to_markdown(), one.to_latex(), one.to_csv(), str(one)):
        assert "bm25" in text


def test_command_line(queries: pd.DataFrame, probabilities: pd.DataFrame, tmp_path: Path) -> None:
    """Long, wide, scores, runs; compare and rank; JSON."""
    queries.to_csv(tmp_path / "wide.csv", index=False)
    queries.drop(columns="topic").melt("query", var_name="sys", value_name="ndcg").to_csv(
        tmp_path / "long.csv", index=False
    )
    probabilities.to_csv(tmp_path / "auc.csv", index=False)
    (tmp_path / "q").write_text("".join(f"{t} 0 d 1\n" for t in range(30)))
    for name, document in (("a.run", "d"), ("b.run", "e")):
        (tmp_path / name).write_text("".join(f"{t} Q0 {document if t % 3 else 'd'} 1 1 x\n" for t in range(30)))
    long = ["--item", "query", "--system-column", "sys", "--score", "ndcg"]
    asked = [
        ["compare", "long.csv", *long, "--model", "student", "--rope", "0.02"],
        ["compare", "wide.csv", "--scores", "--item", "query", "--group", "topic"],
        ["compare", "auc.csv", "--scores", "--truth", "gold", "--positive", "yes", "--measure", "auc"],
        ["compare", "--qrels", "q", "--run", "a.run", "--run", "b.run", "--measure", "nDCG@10"],
        ["rank", "long.csv", *long],
        ["rank", "--qrels", "q", "--run", "a.run", "--run", "b.run", "--measure", "AP"],
    ]
    for arguments in asked:
        here = [str(tmp_path / each) if (tmp_path / each).is_file() else each for each in arguments]
        result = CliRunner().invoke(app, [*here, "--format", "json"])
        assert result.exit_code == 0, result.output
        plain = json.loads(result.output)
        assert plain.get("comparisons") or plain.get("ranking")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--scores"], "nothing to read"),
        (["--qrels", "q"], "--run"),
        (["--run", "a", "--run", "b"], "--qrels"),
        (["--scores", "x.csv", "y.csv"], "no file"),
        (["--scores", "x.csv", "--count", "n"], "--count is not used with results"),
        (["--qrels", "q", "--run", "a", "x.csv"], "stand for themselves"),
    ],
)
def test_wrong_options(given: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "y.csv" not in given:
        Path("x.csv").touch()  # an option that goes with nothing is told of files that are there
    result = CliRunner().invoke(app, ["compare", *given])
    assert result.exit_code != 0
    assert told in str(result.exception)


def _sets(differences: list[float]) -> oc.Scores:
    base = np.linspace(0.5, 0.8, len(differences))
    frame = pd.DataFrame({"set": range(len(differences)), "a": base + differences, "b": base})
    return oc.scores(frame, data_set="set")


@pytest.mark.parametrize("model", ["sign", "signed_rank"])
def test_words_of_data_sets_follow_the_decision(model: str) -> None:
    """A wins on most data sets though its mean is lower: so it is told, in words, table, CSV and legend."""
    data = _sets([0.06] * 11 + [-0.9])
    answer = oc.compare(data, model=model, rope=0.01)
    row = answer.only

    assert row.verdict.value == ">>"
    assert row.rope_probabilities.a > 0.95
    assert answer.words.startswith("a is better than b in score on most data sets, but not on average")
    assert "wholly" not in answer.words
    assert "OC301" not in {note.code for note in row.findings}
    assert "P(A most)" in oc.compare(data, model=model, rope=0.01).to_markdown()
    assert "practical_a" in answer.to_csv()
    assert "HDI lies outside" not in answer.to_markdown()
    assert answer.to_html()


def test_data_sets_that_are_the_same() -> None:
    """Identical systems and no region: even, not one of them."""
    for model in ("sign", "signed_rank"):
        row = oc.compare(_sets([0.0] * 12), model=model, rope=0).only
        assert row.rope_probabilities.a == pytest.approx(0.5, abs=0.02)
        assert row.verdict.value in ("?", "<", ">")
    with pytest.raises(InputError, match="at least 3 data sets"):
        oc.compare(_sets([0.1, 0.2]))


@pytest.mark.parametrize("model", ["student", "t", "bootstrap"])
@pytest.mark.parametrize("n", [3, 4])
def test_three_results(model: str, n: int) -> None:
    """Few, but told: no overflow, JSON there and back, and a finding."""
    frame = pd.DataFrame({"q": range(n), "a": [0.1, 0.5, 0.4, 0.9][:n], "b": [0.3, 0.1, 0.35, 0.2][:n]})
    answer = oc.compare(oc.scores(frame, item="q"), model=model)

    assert oc.Comparison.from_json(answer.to_json()) == answer
    assert answer.words
    assert "OC107" in {note.code for note in answer.findings}
    with pytest.raises(InputError, match="needs at least 3"):
        oc.compare(oc.scores(frame[:2], item="q"), model=model)


def test_what_is_observed_is_what_is_estimated() -> None:
    """Unequal groups and data sets: means of means where the model estimates these, else all items alike."""
    rng = np.random.default_rng(8)
    group = np.array([0] * 60 + [each for each in range(1, 9) for _ in range(2)])
    frame = pd.DataFrame({"g": group, "i": range(76), "a": rng.normal(0, 0.01, 76) + np.where(group == 0, -0.2, 0.05)})
    frame["b"] = 0.0
    data = oc.scores(frame, item="i", group="g", systems=["a", "b"])
    whole = {model: oc.compare(data, model=model).only for model in ("hierarchical", "bootstrap")}

    assert whole["hierarchical"].observed == pytest.approx(frame.groupby("g")["a"].mean().mean())
    assert whole["bootstrap"].observed == pytest.approx(frame["a"].mean())
    for row in whole.values():
        assert row.difference.hdi.low < row.observed < row.difference.hdi.high
        assert row.additional_items is None
        assert row.pairing is None
    sets = oc.scores(frame, data_set="g", systems=["a", "b"])
    for model in ("hierarchical", "bootstrap"):
        row = oc.compare(sets, model=model).only
        assert row.observed == pytest.approx(frame.groupby("g")["a"].mean().mean())
        assert row.difference.hdi.low < row.observed < row.difference.hdi.high
    assert oc.rank(sets).names[0] == "a"
    for model in ("student", "t"):
        with pytest.raises(InputError, match="requires independent results"):
            oc.compare(data, model=model)


def test_the_t_model_and_the_mean() -> None:
    """Where the centre of most differences is not their mean, it is told."""
    rng = np.random.default_rng(9)
    differences = np.where(np.arange(300) < 270, 0.012, -0.3) + rng.normal(0, 0.003, 300)
    frame = pd.DataFrame({"q": range(300), "a": 0.5 + differences, "b": 0.5})
    answer = oc.compare(oc.scores(frame, item="q"), model="student")

    assert any(note.code == "OC213" and "outliers" in note.message for note in answer.findings)
    assert answer.only.pairing is None or answer.only.pairing.narrower < 0.5


def test_all_differences_the_same() -> None:
    frame = pd.DataFrame({"q": range(8), "a": np.linspace(0, 1, 8)})
    answer = oc.compare(oc.scores(frame.assign(b=frame["a"] - 0.1), item="q"), rope=0.01)
    assert any("all differences are equal" in note.message for note in answer.findings)
    assert answer.only.pairing is None


def test_small_units_have_no_rope_of_five_hundredths() -> None:
    """Seconds of some milliseconds are not practically the same because they are below .05."""
    rng = np.random.default_rng(10)
    frame = pd.DataFrame({"q": range(40), "v1": rng.uniform(0.01, 0.02, 40)})
    answer = oc.compare(oc.scores(frame.assign(v2=3 * frame["v1"]), item="q", lower_is_better=True))
    assert answer.only.verdict.value == "<<"
    assert "OC303" in {note.code for note in answer.findings}


def test_groups_of_a_classifier_are_counted(probabilities: pd.DataFrame) -> None:
    """Few groups are few, however many items they have; DeLong knows no groups, which are swapped whole."""
    frame = probabilities.assign(doc=np.arange(400) % 5)
    for given in ({"group": "doc"}, {"item": "doc"}):
        row = oc.compare(oc.scores(frame, truth="gold", positive="yes", systems=["old", "new"], **given)).only
        assert row.model == "paired (cluster jackknife)"
        assert "OC212" in {note.code for note in row.findings}
        assert [(test.name, test.p_value >= 2 / 2**5) for test in row.tests] == [("permutation_exact", True)]


def test_missing_is_not_the_best() -> None:
    frame = pd.DataFrame({"q": range(9), "v1": np.arange(9.0) + 1, "v2": [None, *np.arange(8.0)]})
    with pytest.raises(InputError, match="not the worst"):
        oc.scores(frame, item="q", lower_is_better=True, missing="wrong")
    assert len(oc.scores(frame, item="q", lower_is_better=True, missing="drop")) == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "least"), [("student", 0.93), ("t", 0.93), ("hierarchical", 0.9), ("data_sets", 0.9)]
)
def test_coverage_of_results(model: str, least: float) -> None:
    """95% intervals hold the truth at least so often, in 200 worlds of 12 units (error .016); not always."""
    from outclass.models.student import data_sets_law, grouped_law, student_law, t_law

    rng = np.random.default_rng(11)
    unit = np.repeat(np.arange(12), 5)
    held = []
    for _ in range(200):
        between, within = rng.normal(0, 1, 12), rng.normal(0, 1, 60)
        both = between[unit] + within
        given = {"student": (between,), "t": (between,), "hierarchical": (both, unit), "data_sets": (both, unit, 0.0)}
        laws = {"student": student_law, "t": t_law, "hierarchical": grouped_law, "data_sets": data_sets_law}
        law = laws[model](*given[model])
        hdi = law.hdi(0.95)
        held.append(hdi.low <= 0 <= hdi.high)
    assert least - 0.045 < np.mean(held) < 0.995


def test_an_item_that_occurs_twice_is_told() -> None:
    """One id written twice makes its rows runs of one item: another model, and the answer says why."""
    table = {"id": [*range(39), 38], "a": [at % 7 / 7 for at in range(40)], "b": [at % 5 / 5 for at in range(40)]}
    told = [each.message for each in oc.compare(oc.scores(table, item="id")).findings if each.code == "OC114"]
    assert "40 rows belong to 39 items: rows of the same item are treated as repeated runs (a group)." in told
    table["id"] = list(range(40))
    assert "OC114" not in {each.code for each in oc.compare(oc.scores(table, item="id")).findings}
