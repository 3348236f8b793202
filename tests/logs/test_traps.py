"""The traps of each format: each has a log in which falling into it would give another number, or a number at all."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from making import (
    REAL,
    TIME,
    header_of,
    helm,
    inspect_eval,
    inspect_json,
    lm_eval,
    promptfoo,
    row,
    sample,
    tau,
)

import outclass as oc
from outclass.errors import InputError, OutclassError
from outclass.report.words.evidence import own_test

RIGHT = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0]
LESS = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0]


def _codes(answer: Any) -> set[str]:
    return {each.code for each in answer.findings}


def _told(answer: Any, code: str) -> str:
    return next(each.message for each in answer.findings if each.code == code)


# --- lm-evaluation-harness ------------------------------------------------------------------------------------------


def _filters(folder: Path, model: str) -> Path:
    """The case of the issue: strict .10, nine of ten invalid; flexible .80; all lines together .45."""
    strict, flexible = [1.0] + [0.0] * 9, [1.0] * 8 + [0.0] * 2
    return lm_eval(folder, model, strict, filters={"strict-match": strict, "flexible-extract": flexible})


def test_filters_are_never_pooled(tmp_path: Path) -> None:
    """Several filters stop with the mean of each and how many answers could not be extracted."""
    _filters(tmp_path, "m")

    with pytest.raises(InputError, match=r"strict-match \(mean exact_match 0.100, 9 of 10 answers") as told:
        oc.evaluate(tmp_path)
    assert "flexible-extract (mean exact_match 0.800" in str(told.value)
    assert oc.evaluate(tmp_path, filter="flexible-extract").rows[0].system.observed == pytest.approx(0.8)
    with pytest.raises(InputError, match="Did you mean 'strict-match'"):
        oc.evaluate(tmp_path, filter="strict")


def test_two_models_in_one_folder_are_told_apart_by_time(tmp_path: Path) -> None:
    """Each run takes the model of the results of its own time."""
    lm_eval(tmp_path, "org/model-1.5", RIGHT, time="2026-01-02T03-04-05.1")
    lm_eval(tmp_path, "org/model-1.5@v2", LESS, time="2026-01-02T03-04-06.1")

    assert oc.logs(tmp_path).systems == ("org/model-1.5", "org/model-1.5@v2")


def test_two_runs_of_one_model_are_two_runs(tmp_path: Path) -> None:
    """They are never pooled nor one of them left out in silence; on request the latest counts, or each as an epoch."""
    first, second = "2026-01-02T03-04-05.1", "2026-01-02T03-04-06.1"
    lm_eval(tmp_path, "m", RIGHT, time=first)
    path = lm_eval(tmp_path, "m", LESS, time=second)

    assert len(oc.logs(tmp_path).runs) == 2
    with pytest.raises(InputError, match=r"2 runs of 'm' on 'gsm8k'.*log_runs='latest'"):
        oc.evaluate(tmp_path)
    latest = oc.evaluate(tmp_path, log_runs="latest")
    assert latest.rows[0].system.observed == pytest.approx(3 / 8)
    assert "only the latest" in _told(latest, "OC513")
    both = oc.logs(tmp_path, log_runs="all").matched()
    assert both.epochs == 2
    assert both.means()["m"] == [(a + b) / 2 for a, b in zip(RIGHT, LESS, strict=True)]
    named = oc.logs({"old": tmp_path / f"samples_gsm8k_{first}.jsonl", "new": path})
    assert named.systems == ("old", "new")


def test_without_results_the_folder_names_the_model(tmp_path: Path) -> None:
    """A log whose results are gone is still read; its folder is named after the model."""
    lm_eval(tmp_path / "org__model", "m", RIGHT)
    (tmp_path / "org__model" / f"results_{TIME}.json").unlink()

    assert oc.logs(tmp_path).systems == ("org__model",)


def test_old_logs_are_arrays_without_a_list_of_metrics(tmp_path: Path) -> None:
    """Of 2024: one JSON array, metrics as further keys such as 'acc,none'."""
    rows = [
        {"doc_id": at, "doc": {}, "target": 1, "resps": [], "filtered_resps": [], "acc,none": s}
        for at, s in enumerate(RIGHT)
    ]
    (tmp_path / f"samples_arc_{TIME}.json").write_text(json.dumps(rows))

    logs = oc.logs(tmp_path)

    assert logs.metrics == ("acc",)
    assert logs.matched().means()[logs.systems[0]] == RIGHT


def test_pairs_of_labels_are_labels(tmp_path: Path) -> None:
    """`f1` of GLUE is a pair of gold and prediction per line: it goes to F1 itself."""
    gold, said = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0], [1, 0, 0, 1, 1, 1, 0, 0, 1, 0]
    other = [1, 1, 0, 1, 1, 0, 0, 1, 1, 0]
    for model, own in (("a", said), ("b", other)):
        lm_eval(tmp_path / model, model, [[g, s] for g, s in zip(gold, own, strict=True)], task="mrpc", metric="f1")

    answer = oc.compare(tmp_path, positive="1")

    assert answer.only.measure.name == "f1"
    assert answer.only.observed == pytest.approx(0.8 - 2 * 4 / (5 + 6))
    assert oc.compare(tmp_path, measure="mcc", positive="1").only.measure.name == "mcc"


def test_lists_that_are_no_scores_are_named(tmp_path: Path) -> None:
    """A perplexity is a log-likelihood and a length per line, which cannot be averaged."""
    lm_eval(tmp_path, "m", [[-3.5, 7]] * 8, metric="word_perplexity")

    with pytest.raises(InputError, match="'word_perplexity' holds a list per sample"):
        oc.evaluate(tmp_path, metric="word_perplexity")


def test_parts_of_an_answer_are_grouped_by_document(tmp_path: Path) -> None:
    """IFEval has a list of booleans per document: items of their own, in groups."""
    for model, shift in (("a", 0), ("b", 1)):
        lists = [[True, (at + shift) % 2 == 0] for at in range(8)]
        lm_eval(tmp_path / model, model, lists, task="ifeval", metric="inst_level_strict_acc")

    data = oc.read(tmp_path, metric="inst_level_strict_acc", group="document")

    assert (len(data), len(set(data.group))) == (16, 8)


def test_directions(tmp_path: Path) -> None:
    """What the results say of the direction counts; else Brier scores and perplexities are losses."""
    for model in "ab":
        lm_eval(tmp_path / model, model, [0.2, 0.3, 0.1, 0.4], metric="brier_score")
        said = {"higher_is_better": {"other": {"speed": False}}}
        lm_eval(tmp_path / f"{model}2", model, [0.2, 0.3, 0.1, 0.4], task="other", metric="speed", header=said)

    assert not oc.read(tmp_path, metric="brier_score").higher_is_better
    assert not oc.read(tmp_path, metric="speed").higher_is_better


def test_results_that_are_not_the_mean_of_the_samples(tmp_path: Path) -> None:
    """The mean is held against the results, to 1e-9."""
    lm_eval(tmp_path, "m", RIGHT, header={"results": {"gsm8k": {"exact_match,none": 0.5}}})
    lm_eval(tmp_path / "ok", "m2", RIGHT, header={"results": {"gsm8k": {"exact_match,none": 5 / 8}}})

    assert "0.625" in _told(oc.evaluate(tmp_path / f"samples_gsm8k_{TIME}.jsonl"), "OC503")
    assert "OC503" not in _codes(oc.evaluate(tmp_path / "ok"))


def test_a_broken_scorer_is_told(tmp_path: Path) -> None:
    """Two right of 5,000 is a floor; one score for all is no information."""
    lm_eval(tmp_path / "a", "a", [1.0, 1.0] + [0.0] * 4998)
    lm_eval(tmp_path / "b", "b", [0.0] * 5000)

    told = _told(oc.compare(tmp_path), "OC508")

    assert "floor" in told or "every item" in told
    assert {"OC508"} <= _codes(oc.compare(tmp_path))


def test_what_was_run_differently_is_listed(tmp_path: Path) -> None:
    """Few-shot examples, chat template, versions may differ: it is said which do."""
    for model, shots in (("a", 0), ("b", 5)):
        lm_eval(tmp_path / model, model, RIGHT if shots else LESS, header={"n-shot": {"gsm8k": shots}})

    assert "few-shot examples ('0' and '5')" in _told(oc.compare(tmp_path), "OC504")


def test_duplicate_documents_are_an_error(tmp_path: Path) -> None:
    """A document that occurs twice in one filter is no further item."""
    path = lm_eval(tmp_path, "m", RIGHT)
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")

    with pytest.raises(OutclassError, match="doc_id '0' occurs twice"):
        oc.logs(tmp_path)


# --- Inspect ----------------------------------------------------------------------------------------------------------


def _inspect(folder: Path, model: str, values: list[Any], **more: Any) -> Path:
    header = header_of(model, **more.pop("header", {}))
    return inspect_eval(
        folder / f"{model}.eval", header, [sample(at, value, **more) for at, value in enumerate(values)]
    )


def test_grades(tmp_path: Path) -> None:
    """C, I, P and N are 1, 0, a half and 0; words and numbers are what they say; NaN and null are no score."""
    values = ["C", "I", "P", "N", "yes", "No", "0.25", True, 3, float("nan"), None, "TRUE"]
    _inspect(tmp_path, "m", values)

    scores = oc.logs(tmp_path).found.all[0][1].samples.scores["choice"]

    assert [None if math.isnan(each) else each for each in scores] == [1, 0, 0.5, 0, 1, 0, 0.25, 1, 3, None, None, 1]
    assert "2 unscored" in _told(oc.evaluate(tmp_path), "OC515")


def test_the_answer_c_is_no_grade(tmp_path: Path) -> None:
    """The value C is a grade; the answer C and the target C are choices."""
    samples = [sample(at, "I" if at else "C", answer="C", target="C" if not at else "A") for at in range(6)]
    inspect_eval(tmp_path / "m.eval", header_of("m"), samples)

    assert oc.logs(tmp_path).matched().means()["m"] == [1, 0, 0, 0, 0, 0]


def test_the_last_member_of_a_name_counts(tmp_path: Path) -> None:
    """A member that was written twice counts as it was written last."""
    import zipfile

    path = _inspect(tmp_path, "m", ["I"] * 5)
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("summaries.json", json.dumps([sample(at, "C") for at in range(5)]))

    assert oc.logs(tmp_path).matched().means()["m"] == [1.0] * 5


def test_zstandard(tmp_path: Path) -> None:
    """Archives of 2026 are compressed with Zstandard."""
    zstandard = pytest.importorskip("zstandard")
    from zipped import zipped_by

    real = REAL / "inspect/flow/logs1/2026-01-09T18-27-59+00-00_gpqa-diamond_nbjF337MtumE8dao4wZ3vj.eval"
    path = zipped_by(zstandard, real, tmp_path / "z.eval")

    assert oc.logs(path).to_dict()["runs"][0]["means"] == oc.logs(real).to_dict()["runs"][0]["means"]
    assert oc.logs(path).runs[0]["epochs"] == 4


def test_without_summaries_samples_are_read(tmp_path: Path) -> None:
    """Archives of the first versions have samples only."""
    import zipfile

    with zipfile.ZipFile(tmp_path / "m.eval", "w") as archive:
        archive.writestr("header.json", json.dumps(header_of("m")))
        for at in range(5):
            archive.writestr(f"samples/{at}_epoch_1.json", json.dumps(sample(at, "C" if at else "I")))

    assert sum(oc.logs(tmp_path).matched().means()["m"]) == 4


def test_unfinished_and_failed_logs(tmp_path: Path) -> None:
    """A log without a header, or of a status other than success, is read on request only."""
    started = inspect_eval(tmp_path / "started.eval", None, [sample(at, "C") for at in range(5)])
    failed = inspect_eval(tmp_path / "failed.eval", {**header_of("f"), "status": "error"}, [sample(1, "C")])

    for path, words in ((started, "not finished"), (failed, "status 'error'")):
        with pytest.raises(OutclassError, match=words):
            oc.evaluate(path)
    assert len(oc.logs(started, unfinished=True).matched().keys) == 5
    assert oc.logs(failed, unfinished=True).runs[0]["items"] == 1
    with pytest.raises(OutclassError, match="'cancelled'"):
        oc.logs(REAL / "inspect/core_analysis/2025-05-12T20-28-13-04-00_popularity.json")


def test_invalidated_samples_are_left_out(tmp_path: Path) -> None:
    """Samples with an invalidation do not count, in archives and in JSON."""
    samples = [sample(at, "C", **({"invalidation": {"author": "x"}} if at == 0 else {})) for at in range(6)]
    inspect_json(tmp_path / "m.json", header_of("m"), samples)

    answer = oc.evaluate(tmp_path)

    assert answer.rows[0].items == 5
    assert "1 invalidated" in _told(answer, "OC515")


def test_ids_are_compared_as_text(tmp_path: Path) -> None:
    """An id is an integer in one log and a text in the other."""
    inspect_eval(tmp_path / "a.eval", header_of("a"), [sample(at, "C") for at in range(6)])
    texts = [{**sample(at, "I" if at % 2 else "C"), "id": str(at)} for at in reversed(range(6))]
    inspect_json(tmp_path / "b.json", header_of("b"), texts)

    assert oc.compare(tmp_path).rows[0].observed == pytest.approx(0.5)


def test_tasks_of_other_names(tmp_path: Path) -> None:
    """Tasks of two names with the same questions are compared, which is said; with others they are not."""
    values = ["C", "I", "C", "C", "I", "C"]
    inspect_eval(tmp_path / "a.eval", header_of("a", "mmlu_subset"), [sample(at, v) for at, v in enumerate(values)])
    same = [sample(at, v) for at, v in enumerate(reversed(values))]
    inspect_eval(tmp_path / "b.eval", header_of("b", "mmlu_subset_cot"), same)
    others = [{**sample(at, "C"), "input": f"other {at}"} for at in range(6)]
    inspect_eval(tmp_path / "c.eval", header_of("c", "mmlu_hard"), others)

    assert "mmlu_subset_cot" in _told(oc.compare(tmp_path / "a.eval", tmp_path / "b.eval"), "OC509")
    with pytest.raises(oc.NotComparable, match="different tasks"):
        oc.compare(tmp_path / "a.eval", tmp_path / "c.eval")


def test_scorers(tmp_path: Path) -> None:
    """Several scorers have a row each; a dictionary is a metric per key; a ranking needs one of them."""
    for model, value in (("a", "C"), ("b", "I")):
        samples = []
        for at in range(6):
            own = sample(at, value if at else "C")
            own["scores"]["judge"] = {"value": {"style": at / 10, "facts": 1.0 - at / 10}}
            samples.append(own)
        inspect_eval(tmp_path / f"{model}.eval", header_of(model), samples)

    assert [row.measure.title for row in oc.compare(tmp_path).rows] == ["choice", "judge.style", "judge.facts"]
    assert [row.measure.title for row in oc.compare(tmp_path, scorer="judge").rows] == ["judge.style", "judge.facts"]
    with pytest.raises(InputError, match="several metrics; name one"):
        oc.rank(tmp_path)
    assert oc.rank(tmp_path, scorer="choice").systems[0].system.name == "a"


def test_metrics_are_told_apart(tmp_path: Path) -> None:
    """Several metrics in one answer have names of their own wherever rows are listed: in CSV, tables and sentences."""
    for model, value in (("a", "C"), ("b", "I")):
        samples = []
        for at in range(8):
            own = sample(at, value if at else "C", metadata={"kind": "xy"[at % 2]})
            own["scores"]["judge"] = {"value": {"style": at / 10, "facts": 1.0 - at / 10}}
            samples.append(own)
        inspect_eval(tmp_path / f"{model}.eval", header_of(model), samples)
    names = ["choice", "judge.style", "judge.facts"]

    compared, evaluated = oc.compare(tmp_path), oc.evaluate(tmp_path)
    sliced = oc.compare(tmp_path, by="metadata.kind")

    for answer in (compared, evaluated):
        assert list(dict.fromkeys(row.measure.name for row in answer.rows)) == names
        assert all(name in str(answer) for name in names)
        assert all(name in answer.to_csv() for name in names)
    assert own_test(compared.rows[0]) is not None  # although its measure has the name of a metric
    assert {family.measure for family in sliced.families} == set(names)


def test_lists_of_values_are_no_scores(tmp_path: Path) -> None:
    """A list as the value of a score stops."""
    _inspect(tmp_path, "m", [[1, 0]])

    with pytest.raises(InputError, match="lists of values"):
        oc.logs(tmp_path)


def test_edited_scores(tmp_path: Path) -> None:
    """The edited value counts, and edits are counted."""
    _inspect(tmp_path, "m", ["C", "I", "C", "C", "C"], score={"history": [{"value": "I"}]})

    assert "5 scores of m on arc were edited" in _told(oc.evaluate(tmp_path), "OC510")


def test_refusals_are_counted_apart(tmp_path: Path) -> None:
    """N is a refusal: it counts as the scorer graded it, and a second row compares how often."""
    _inspect(tmp_path, "a", ["C", "N", "C", "N", "C", "C", "N", "I"])
    _inspect(tmp_path, "b", ["C", "I", "C", "I", "C", "C", "I", "C"])

    answer = oc.compare(tmp_path)

    assert [row.measure.title for row in answer.rows] == ["choice", "refusal"]
    assert answer.rows[1].observed == pytest.approx(3 / 8)
    assert not answer.rows[1].measure.higher_is_better
    assert "'a' 3" in _told(answer, "OC507")


def test_a_filtered_answer_is_a_refusal(tmp_path: Path) -> None:
    """An answer that a content filter cut off is a refusal."""
    output = {"choices": [{"stop_reason": "content_filter", "message": {}}]}
    inspect_json(tmp_path / "m.json", header_of("m"), [sample(at, "I", output=output if at else {}) for at in range(5)])

    assert oc.logs(tmp_path).runs[0]["refusals"] == 4


@pytest.mark.parametrize(
    "plan",
    [
        {"model_roles": {"grader": {"model": "%s"}}},
        {"scorers": [{"name": "choice", "options": {"model": "%s"}}]},
        {"task_args": {"grader_model": "%s"}},
    ],
    ids=["roles", "options of the scorer", "arguments of the task"],
)
def test_graders(tmp_path: Path, plan: dict[str, Any]) -> None:
    """Two graders are two scales: not comparable, wherever the log names them."""
    for model, grader in (("a", "gpt-4o"), ("b", "claude-3")):
        own = json.loads(json.dumps(plan).replace("%s", grader))
        _inspect(tmp_path, model, ["C", "I", "C", "I", "C"], header={"eval": own})

    with pytest.raises(oc.NotComparable, match="the same grader on 'arc': 'gpt-4o' and 'claude-3'"):
        oc.compare(tmp_path)


def test_grades_that_could_not_be_read(tmp_path: Path) -> None:
    """A grade that was not found is a failure of the grader and no wrong answer: 6 of 20."""
    lost = {"explanation": "Grade not found in model output: hmm"}
    samples = [sample(at, "I" if at < 6 else "C", score=lost if at < 6 else {}) for at in range(20)]
    inspect_eval(tmp_path / "m.eval", header_of("m"), samples)

    answer = oc.evaluate(tmp_path)

    assert (answer.rows[0].system.observed, answer.rows[0].items) == (1.0, 14)
    assert "6 of 20 samples" in _told(answer, "OC511")


def test_failures_are_not_wrong_answers(tmp_path: Path) -> None:
    """A sample that failed is left out in both; if the verdict would be another one, that is said."""
    good = [sample(at, "C" if at % 10 else "I") for at in range(400)]
    bad = [sample(at, "C" if at % 10 else "I", **({"error": "timeout"} if at % 4 == 1 else {})) for at in range(400)]
    inspect_eval(tmp_path / "a.eval", header_of("a"), good)
    inspect_eval(tmp_path / "b.eval", header_of("b"), bad)

    answer = oc.compare(tmp_path)

    assert (answer.rows[0].observed, answer.rows[0].items) == (0.0, 300)
    assert "'b' 100" in _told(answer, "OC505")
    assert "with failed samples as wrong answers" in _told(answer, "OC506")


def test_samples_that_a_limit_stopped_are_counted(tmp_path: Path) -> None:
    """A limit is no failure: the score stays, and how many were stopped is said, of summaries and of whole samples."""
    good = [sample(at, "C" if at % 3 else "I") for at in range(30)]
    short = [sample(at, "C" if at % 5 else "I", **({"limit": "token"} if at % 5 == 0 else {})) for at in range(30)]
    whole = [{**each, "limit": {"type": "message", "limit": 8}} if at < 2 else each for at, each in enumerate(good)]
    inspect_eval(tmp_path / "a.eval", header_of("a"), good)
    inspect_eval(tmp_path / "b.eval", header_of("b"), short)
    inspect_json(tmp_path / "c.json", header_of("c"), whole)

    answer = oc.compare(tmp_path / "a.eval", tmp_path / "b.eval")
    logs = oc.logs(tmp_path)

    assert (answer.only.items, answer.only.observed) == (30, pytest.approx(20 / 30 - 24 / 30))
    assert "'a' 0; 'b' 6 (token 6)" in _told(answer, "OC518")
    assert [each["limits"] for each in logs.runs] == [0, 6, 2]
    assert "'c' 2 (message 2)" in " ".join(str(logs).split())


def test_several_epochs_are_one_item(tmp_path: Path) -> None:
    """Items are averaged over their epochs, however many there are."""
    for model, turns in (("a", 4), ("b", 2)):
        own = [
            sample(at, "C" if (at + epoch) % 3 else "I", epoch=epoch)
            for at in range(9)
            for epoch in range(1, turns + 1)
        ]
        inspect_eval(tmp_path / f"{model}.eval", header_of(model), own)

    found = oc.logs(tmp_path).matched()

    assert (len(found.keys), found.epochs) == (9, 4)
    assert set(found.means()["b"]) == {0.5, 1.0}


# --- HELM -------------------------------------------------------------------------------------------------------------


def test_splits_are_never_mixed() -> None:
    """The test split counts, and it is said: 1 of 9, not 1 of 10."""
    answer = oc.evaluate(REAL / "helm/mmlu-subject=philosophy,method=multiple_choice_joint,model=openai_gpt2")

    assert answer.rows[0].system.observed == pytest.approx(1 / 9)
    assert "'valid'" in _told(answer, "OC513")


def test_a_count_of_zero_is_missing(tmp_path: Path) -> None:
    """An instance whose metric was not counted has no score, rather than the 0 that stands there."""
    helm(tmp_path, "openai/gpt2", {"test": [1.0, None, 1.0, 0.0, 1.0, None]})

    answer = oc.evaluate(tmp_path)

    assert (answer.rows[0].items, answer.rows[0].system.observed) == (4, 0.75)


def test_the_task_of_helm_has_no_model(tmp_path: Path) -> None:
    """Runs of two models have the same task; folders with equals signs are no NAME=PATH."""
    for model in ("openai/gpt2", "meta/llama-3.1-8b@v1"):
        helm(tmp_path / f"mmlu:subject=law,model={model.replace('/', '_')}", model, {"test": [1.0, 0.0, 1.0, 1.0]})

    logs = oc.logs(*map(str, sorted(tmp_path.iterdir())))

    assert set(logs.systems) == {"openai/gpt2", "meta/llama-3.1-8b@v1"}
    assert logs.tasks == ("mmlu:subject=law",)


def test_perturbed_instances_and_trials(tmp_path: Path) -> None:
    """Perturbed instances do not count, and trials are epochs; perturbed stats of an instance are no second score."""
    folder = helm(tmp_path, "openai/gpt2", {"test": [1.0, 0.0, 1.0]})
    path = folder / "per_instance_stats.json"
    records = json.loads(path.read_text())
    noisy = {
        **records[0]["stats"][0],
        "name": {"name": "exact_match", "split": "test", "perturbation": {"name": "typo"}},
    }
    noisy["mean"] = 0.0
    records[0]["stats"].append(noisy)
    again = [{**each, "train_trial_index": 1} for each in records]
    perturbed = [{**each, "perturbation": {"name": "typo"}} for each in records]
    path.write_text(json.dumps([*records, *perturbed, *again]))

    logs = oc.logs(folder)

    assert logs.matched().means() == {"openai/gpt2": [1.0, 0.0, 1.0]}
    assert (logs.runs[0]["epochs"], logs.runs[0]["samples"]) == (2, 6)


# --- promptfoo and tau-bench ------------------------------------------------------------------------------------------


def test_errors_are_no_failed_assertions(tmp_path: Path) -> None:
    """`failureReason` 2 is an error; 1 is a failed assertion, whose reason also stands under `error`."""
    rows = [row({"x": at}, success=at > 2) for at in range(6)]
    rows[0] |= {"failureReason": 2, "error": "API error"}
    rows[1] |= {"failureReason": 1, "error": "Expected output to equal y"}
    path = promptfoo(tmp_path / "out.json", rows)

    answer = oc.evaluate(path)

    assert (answer.rows[0].items, answer.rows[0].system.observed) == (5, 0.6)


def test_items_are_their_variables(tmp_path: Path) -> None:
    """Items are known by their variables, not by their place; the same again is an epoch."""
    first = [row({"x": at}, success=at % 2 == 0, testIdx=at) for at in range(6)]
    second = [row({"x": at}, success=at % 3 == 0, provider="b", testIdx=5 - at) for at in reversed(range(6))]
    path = promptfoo(tmp_path / "out.json", [*first, *second, *first])

    found = oc.logs(path).matched()

    assert found.systems == ("openai:x", "b")
    assert (len(found.keys), found.epochs) == (6, 2)
    assert oc.read(path).difference("openai:x", "b").tolist() == [0, 0, 1, -1, 1, 0]


def test_named_scores_are_metrics(tmp_path: Path) -> None:
    """Each named score is a metric of its own."""
    rows = [row({"x": at}, success=True, namedScores={"tone": at / 10}) for at in range(5)]

    assert oc.logs(promptfoo(tmp_path / "o.json", rows), metric="tone").matched().means()["openai:x"] == [
        0,
        0.1,
        0.2,
        0.3,
        0.4,
    ]


def test_costs_are_losses() -> None:
    """Cost and latency are better if lower."""
    path = REAL / "promptfoo/examples_simple-cli_output.json"

    assert not oc.read(path, metric="cost").higher_is_better
    assert not oc.read(path, metric="latencyMs").higher_is_better
    assert oc.read(path, metric="score").higher_is_better


@pytest.mark.parametrize(
    "name", ["test_server_v3evalToShare", "test_server_v4evalToShare", "examples_simple-test_output"]
)
def test_versions_of_promptfoo(name: str) -> None:
    """Outputs of versions 1 to 4 are read."""
    logs = oc.logs(REAL / f"promptfoo/{name}.json")

    assert len(logs.systems) == 2
    assert logs.metrics == ("success",)


def test_trials_are_epochs(tmp_path: Path) -> None:
    """Trials of a task are epochs of an item; one that occurs twice is an error."""
    path = tau(tmp_path / "gpt-4o.json", [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    twice = tmp_path / "twice.json"
    twice.write_text(json.dumps([{"task_id": 1, "trial": 0, "reward": 1.0}] * 2))

    assert oc.logs(path).matched().means() == {"gpt-4o": [0.5, 1.0, 0.0]}
    with pytest.raises(OutclassError, match="trial 0 of task '1' occurs twice"):
        oc.logs(twice)


def test_averages_over_tasks(tmp_path: Path) -> None:
    """Every question has the same weight, or every task, as a sample of tasks or as the tasks of this suite."""
    sizes = {"t0": 60, "t1": 24, "t2": 12, "t3": 12, "t4": 12, "t5": 12}
    differences = {}
    for task, size in sizes.items():
        every = 4 if task == "t0" else 2
        own = {"a": [float(at % 3 > 0) for at in range(size)]}
        own["b"] = [float(each > 0 and at % every > 0) for at, each in enumerate(own["a"])]
        differences[task] = sum(own["a"]) / size - sum(own["b"]) / size
        for model, scores in own.items():
            lm_eval(tmp_path / model, model, scores, task=task)
    of_items = sum(differences[task] * size for task, size in sizes.items()) / sum(sizes.values())
    of_tasks = sum(differences.values()) / len(sizes)

    by_item = oc.compare(tmp_path).only
    by_task = oc.compare(tmp_path, group="task", average="groups").only
    fixed = oc.compare(tmp_path, group="task", average="groups", model="strata").only

    assert by_item.observed == pytest.approx(of_items)
    assert [by_task.observed, fixed.observed] == pytest.approx([of_tasks] * 2)
    assert of_items != pytest.approx(of_tasks)
    assert fixed.model_key == "grouped_values.strata"


def test_repeats_that_the_harness_reduced(tmp_path: Path) -> None:
    """Several answers to a question with one score, as of maj@8, are one item and no epochs."""
    lm_eval(tmp_path, "m", RIGHT, more={"resps": [["x"] * 8]}, filters={"maj@8": RIGHT})

    (run,) = oc.logs(tmp_path).runs

    assert (run["items"], run["samples"], run["epochs"]) == (8, 8, 1)


def test_unequal_epochs(tmp_path: Path) -> None:
    """One log has two epochs and the other three: items are averaged over what each has."""
    for model, epochs in (("a", 2), ("b", 3)):
        own = [
            sample(at, "C" if (at + epoch) % 2 else "I", epoch=epoch + 1) for at in range(8) for epoch in range(epochs)
        ]
        inspect_eval(tmp_path / f"{model}.eval", header_of(model), own)

    means = oc.logs(tmp_path).matched().means()

    assert means["a"] == [0.5] * 8
    assert means["b"] == pytest.approx([1 / 3, 2 / 3] * 4)
