"""Formats of which no log could be had: files as the harness's own source writes them, with the trap of each."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest

import outclass as oc
from outclass.errors import InputError, OutclassError


def _write(path: Path, content: Any, *, lines: bool = False) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(each) + "\n" for each in content) if lines else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def _codes(answer: Any) -> set[str]:
    return {each.code for each in answer.findings}


# --- EvalPlus ---------------------------------------------------------------------------------------------------------


def _new(values: list[list[tuple[str, str | None]]], version: str = "v1") -> dict[str, Any]:
    problems = {
        f"HumanEval/{at}": [{"base_status": base, "plus_status": plus} for base, plus in own]
        for at, own in enumerate(values)
    }
    return {"date": "2026", "hash": version, "eval": problems}


def test_evalplus(tmp_path: Path) -> None:
    """The further tests count with the base tests alone, and several generations are epochs."""
    values: list[list[tuple[str, str | None]]] = [
        [("pass", "pass"), ("fail", "pass")],
        [("pass", "fail"), ("pass", "pass")],
        [("fail", "fail"), ("timeout", "fail")],
        [("pass", "pass"), ("pass", "pass")],
    ]
    path = _write(tmp_path / "org--m-1.5_vllm_temp_0.8_eval_results.json", _new(values))
    old = {
        f"HumanEval/{at}": {"base": [["success", [1]]] * 2, "plus": [["failed", []], ["success", []]]}
        for at in range(4)
    }
    other = _write(tmp_path / "old_model" / "eval_results.json", {"hash": "v1", "eval": old})

    logs = oc.logs(path, other)

    assert logs.systems == ("org--m-1.5_vllm_temp_0.8", "old_model")
    assert logs.matched("base").means() == {logs.systems[0]: [0.5, 1, 0, 1], "old_model": [1, 1, 1, 1]}
    assert logs.matched("plus").means() == {logs.systems[0]: [0.5, 0.5, 0, 1], "old_model": [0.5] * 4}


def test_evalplus_of_another_version(tmp_path: Path) -> None:
    """Problems of two versions are not comparable."""
    paths = [_write(tmp_path / f"{v}_eval_results.json", _new([[("pass", "pass")]] * 4, v)) for v in ("v1", "v2")]

    with pytest.raises(oc.NotComparable, match="version of the problems"):
        oc.compare(*paths)


# --- SWE-bench --------------------------------------------------------------------------------------------------------


def _entry(name: str, resolved: list[bool], stated: float | None = None) -> dict[str, Any]:
    ids = [f"{repo}__{repo}-{at}" for at, repo in zip(range(len(resolved)), "aabbccddee", strict=False)]
    own = {each: {"resolved": good, "cost": 0.5, "api_calls": 9} for each, good in zip(ids, resolved, strict=True)}
    share = 100 * sum(resolved) / len(resolved) if stated is None else stated
    return {"name": name, "resolved": share, "per_instance_details": own}


def test_swe_bench(tmp_path: Path) -> None:
    """Entries without instances, or with others than they state, are left out and named; groups are repositories."""
    results = [
        _entry("a", [True] * 6 + [False] * 4),
        _entry("b", [True] * 3 + [False] * 7),
        _entry("inflated", [True] + [False] * 9, stated=52.8),
        {"name": "closed", "resolved": 70.0, "per_instance_details": None},
    ]
    boards = [{"name": "bash-only", "results": results}, {"name": "Lite", "results": []}]
    path = _write(tmp_path / "leaderboards.json", {"leaderboards": boards})

    with pytest.raises(InputError, match="2 leaderboards; choose one"):
        oc.rank(path)
    logs = oc.logs(path, board="bash-only")
    data = oc.read(logs, group="repo")

    assert logs.systems == ("a", "b")
    assert {"OC503", "OC516"} <= _codes(oc.rank(path, board="bash-only"))
    assert len(set(data.group)) == 5
    assert not oc.read(logs, metric="cost").higher_is_better


def _report(folder: Path, name: str, resolved: list[int], errors: list[int], infra: list[int], many: int = 8) -> Path:
    ids = [f"org__{'ab'[at % 2]}-{at}" for at in range(many)]
    own = {"resolved_ids": resolved, "error_ids": errors, "infra_failure_ids": infra, "empty_patch_ids": [many - 1]}
    failed = [at for at in range(many - 1) if at not in (*resolved, *errors)]
    lists = {key: [ids[at] for at in value] for key, value in {**own, "unresolved_ids": failed}.items()}
    report = {"resolved_instances": len(resolved), **lists, "incomplete_ids": ["org__c-99"], "schema_version": 2}
    return _write(folder / name, report)


def test_swe_bench_report(tmp_path: Path) -> None:
    """The harness's report lists all that ran: errors count as failures, unless it was the machine."""
    a = _report(tmp_path, "org__a-1.5.run1.json", [0, 1, 2, 3], [4], [])
    b = _report(tmp_path, "b.run1.json", [0, 1], [4, 5], [5])
    broken = _write(tmp_path / "c.run1.json", {"resolved_ids": ["x-1"], "unresolved_ids": ["x-1"]})

    logs = oc.logs(a, b)

    assert logs.systems == ("org/a-1.5", "b")
    assert logs.matched().means() == {"org/a-1.5": [1, 1, 0, 0, 1, 1, 0], "b": [1, 0, 0, 0, 1, 0, 0]}
    assert "OC505" in _codes(oc.compare(a, b))
    assert len(set(oc.read(logs, group="repo").group)) == 2
    with pytest.raises(OutclassError, match="resolved and not, such as 'x-1'"):
        oc.logs(broken)


def _experiment(folder: Path, system: str, resolved: list[int], **more: Any) -> Path:
    found = {"no_generation": [], "no_logs": [], "resolved": [f"org__a-{at}" for at in resolved], **more}
    return _write(folder / "evaluation" / "verified" / system / "results" / "results.json", found)


def test_swe_bench_experiments(tmp_path: Path) -> None:
    """A published result lists no failures: they are the instances that other logs name, which is said."""
    a = _experiment(tmp_path, "2025_a", [0, 1, 2, 3, 4, 5], no_generation=["org__a-8"])
    _experiment(tmp_path, "2025_b", [0, 1, 6], no_logs=["org__a-7"])
    details = {f"org__a-{at}": {"resolved": at < 4, "cost": 0.1, "api_calls": 3} for at in range(12)}
    _write(tmp_path / "evaluation" / "bash-only" / "2025_c" / "per_instance_details.json", details)
    verified = tmp_path / "evaluation" / "verified"

    found = oc.compare(verified / "2025_a", verified / "2025_b")
    ranked = oc.logs(verified / "2025_a", tmp_path / "evaluation" / "bash-only")

    assert found.only.observed == pytest.approx((6 - 3) / 9)
    assert "OC517" in _codes(found)
    assert "shares are of the 9 of 500 instances that these logs name, since 2025_a lists no failures: 2 " in str(
        [each.message for each in found.findings]
    )
    assert ranked.matched().systems == ("2025_a", "2025_c")
    with pytest.raises(OutclassError, match="together with the log of another system"):
        oc.logs(a)
    with pytest.raises(OutclassError, match="lists no instances"):
        oc.logs(_write(tmp_path / "odd" / "results.json", {"resolved": [None, {"a": 1}, 3], "no_logs": 5}))


# --- AlpacaEval and arenas --------------------------------------------------------------------------------------------


def _preference(
    at: int, preference: float | None, system: str, baseline: str = "gpt4", judge: str = "j"
) -> dict[str, Any]:
    found = {"instruction": f"do {at}", "dataset": "koala", "generator_1": baseline, "generator_2": system}
    return {**found, "annotator": judge, "preference": preference}


def test_alpaca_eval(tmp_path: Path) -> None:
    """Preferences run from 1 to 2; 0 and 1.5 are ties; null is missing."""
    given = [1.0, 2.0, 1.5, 0, None, 1.8]
    path = _write(tmp_path / "annotations.json", [_preference(at, each, "m") for at, each in enumerate(given)])

    answer = oc.evaluate(path)

    assert answer.rows[0].system.observed == pytest.approx((0 + 1 + 0.5 + 0.5 + 0.8) / 5)
    assert oc.logs(path).matched("win").means()["m"] == [0, 1, 0.5, 0.5, 1]


@pytest.mark.parametrize("what", ["baseline", "judge"])
def test_alpaca_eval_against_another(tmp_path: Path, what: str) -> None:
    """Preferences over two baselines, or of two judges, are not comparable."""
    for name in ("a", "b"):
        more = {what: name}
        _write(tmp_path / name / "annotations.json", [_preference(at, 1.2, name, **more) for at in range(5)])

    with pytest.raises(oc.NotComparable, match=r"baseline of the judge|annotator"):
        oc.compare(tmp_path / "a", tmp_path / "b")


def test_battles(tmp_path: Path) -> None:
    """Both orders of a question are one item, not two."""
    rows = []
    for at, (first, second) in enumerate(
        [("model_a", "model_b"), ("model_a", "model_a"), ("tie", "tie"), ("model_b", "model_a")]
    ):
        rows += [{"question_id": at, "model_a": "x", "model_b": "y", "winner": first}]
        rows += [{"question_id": at, "model_a": "y", "model_b": "x", "winner": second}]
    path = _write(tmp_path / "battles.jsonl", rows, lines=True)

    assert oc.logs(path).matched().means() == {"x": [1.0, 0.5, 0.5, 0.0], "y": [0.0, 0.5, 0.5, 1.0]}


# --- LiveBench --------------------------------------------------------------------------------------------------------


def _judgment(model: str, at: int, score: float) -> dict[str, Any]:
    return {
        "question_id": f"q{at}",
        "model": model,
        "score": score,
        "task": "zebra",
        "category": "reasoning",
        "turn": 1,
    }


def test_livebench(tmp_path: Path) -> None:
    """Equal duplicates are one judgment; of different ones it must be said which counts."""
    rows = [_judgment(model, at, float(at % 2 == 0)) for model in ("a", "b") for at in range(6)]
    same = _write(tmp_path / "same" / "ground_truth_judgment.jsonl", [*rows, rows[0]], lines=True)
    path = _write(tmp_path / "differ" / "ground_truth_judgment.jsonl", [*rows, _judgment("a", 0, 0.5)], lines=True)

    assert len(oc.logs(same).matched().keys) == 6
    with pytest.raises(InputError, match="duplicates='first'"):
        oc.compare(path)
    assert [oc.logs(path, duplicates=each).matched().means()["a"][0] for each in ("first", "last", "mean")] == [
        1,
        0.5,
        0.75,
    ]
    assert "OC513" in _codes(oc.compare(path, duplicates="mean"))


# --- OpenAI evals -----------------------------------------------------------------------------------------------------


def _events(model: str, right: list[bool]) -> list[dict[str, Any]]:
    spec = {"spec": {"completion_fns": [model], "eval_name": "coqa.dev.v0", "created_at": "2026"}}
    matches = [
        {
            "run_id": "r",
            "sample_id": f"coqa.{at}",
            "type": "match",
            "data": {"correct": good, "expected": "x", "picked": "y"},
        }
        for at, good in enumerate(right)
    ]
    return [
        spec,
        {"run_id": "r", "sample_id": "coqa.0", "type": "sampling", "data": {}},
        *matches,
        {"final_report": {}},
    ]


def test_openai_evals(tmp_path: Path) -> None:
    """Events of type match count; several of one sample stop."""
    a = _write(tmp_path / "a.jsonl", _events("gpt-4.1", [True, False, True, True]), lines=True)
    b = _write(tmp_path / "b.jsonl", _events("gpt-5@x", [True, False, False, False]), lines=True)
    twice = _write(tmp_path / "c.jsonl", [*_events("m", [True]), _events("m", [False])[2]], lines=True)

    assert oc.compare(a, b).rows[0].observed == pytest.approx(0.5)
    assert oc.logs(a, b).systems == ("gpt-4.1", "gpt-5@x")
    with pytest.raises(OutclassError, match="several matches"):
        oc.logs(twice)


# --- DeepEval ---------------------------------------------------------------------------------------------------------


def _run(judge: str, scores: list[float | None]) -> dict[str, Any]:
    cases = []
    for at, score in enumerate(scores):
        data: dict[str, Any] = {"name": "Relevancy", "threshold": 0.5, "evaluationModel": judge}
        data |= {"error": "timeout"} if score is None else {"score": score, "success": score >= 0.5}
        cases.append({"name": f"c{at}", "input": f"question {at}", "order": 9 - at, "metricsData": [data]})
    return {"testCases": cases, "conversationalTestCases": []}


def test_deepeval(tmp_path: Path) -> None:
    """Scores and successes are metrics; an error is no score; two judges are not comparable."""
    a = _write(tmp_path / "test_run_a.json", _run("gpt-4o", [0.9, 0.2, 0.7, None, 0.5]))
    b = _write(tmp_path / "app" / ".deepeval" / ".latest_run_full.json", _run("gpt-4o", [0.8, 0.1, 0.7, 0.3, 0.9]))
    c = _write(tmp_path / "test_run_c.json", _run("claude", [0.8, 0.1, 0.7, 0.3, 0.9]))

    logs = oc.logs(a, b)

    assert logs.systems == ("test_run_a", "app")
    assert logs.metrics == ("Relevancy",)
    assert oc.compare(logs).rows[0].observed == pytest.approx((0.1 + 0.1 + 0 - 0.4) / 4)
    assert oc.read(logs, metric="Relevancy.success").difference("test_run_a", "app").tolist() == [0, 0, 0, 0]
    assert "OC505" in _codes(oc.compare(logs))
    with pytest.raises(oc.NotComparable, match="judge of Relevancy"):
        oc.compare(a, c)


# --- MLflow -----------------------------------------------------------------------------------------------------------


def test_mlflow(tmp_path: Path) -> None:
    """Columns that end in /score are metrics; the run names the system; another target is another item."""
    columns = ["inputs", "targets", "outputs", "exact/score", "exact/justification"]
    for name, scores, target in (("run1", [1, 0, 1, 1], "t"), ("run2", [0, 0, 1, 0], "t"), ("run3", [1, 1, 1, 1], "u")):
        data = [[f"q{at}", target, "o", score, "because"] for at, score in enumerate(scores)]
        _write(tmp_path / name / "artifacts" / "eval_results_table.json", {"columns": columns, "data": data})

    answer = oc.compare(tmp_path / "run1", tmp_path / "run2")

    assert [each.name for each in answer.only.systems] == ["run1", "run2"]
    assert answer.only.observed == pytest.approx(0.5)
    with pytest.raises(oc.NotComparable, match="4 gold answers"):
        oc.compare(tmp_path / "run1", tmp_path / "run3")


# --- MTEB -------------------------------------------------------------------------------------------------------------


def _mteb(folder: Path, model: str, scores: dict[str, float], revision: str = "r") -> None:
    for task, score in scores.items():
        found = {"task_name": task, "dataset_revision": revision, "mteb_version": "1.2"}
        own = [{"hf_subset": "default", "main_score": score}, {"hf_subset": "fr", "main_score": 0.0}]
        _write(folder / model / "rev1" / f"{task}.json", {**found, "scores": {"test": own, "dev": own}})


def test_mteb(tmp_path: Path) -> None:
    """Tasks are data sets and not items; another revision of one is another data set."""
    tasks = {f"T{at}": 0.5 + at / 20 for at in range(6)}
    _mteb(tmp_path, "org__small", tasks)
    _mteb(tmp_path, "org__large", {task: score + 0.01 * (at + 1) for at, (task, score) in enumerate(tasks.items())})
    _mteb(tmp_path / "new", "org__other", tasks, "r2")

    data = oc.read([tmp_path / "org__small", tmp_path / "org__large"])

    assert data.systems == ("org/small", "org/large")
    assert data.data_set is not None
    assert oc.compare([tmp_path / "org__small", tmp_path / "org__large"]).rows[0].observed < 0
    with pytest.raises(oc.NotComparable, match="6 gold answers"):
        oc.compare([tmp_path / "org__small", tmp_path / "new"])


def test_mteb_with_subsets(tmp_path: Path) -> None:
    """Many subsets are not many data sets: one is compared, the usual one or the one that is asked for."""
    for model, lead in (("a", 0.1), ("b", 0.0)):
        for task in ("Massive", "Other"):
            own = [{"hf_subset": each, "main_score": 0.5 + lead * (each == "fr")} for each in ("fr", "de")]
            found = {"task_name": task, "dataset_revision": "r", "scores": {"test": own}}
            _write(tmp_path / model / "r" / f"{task}.json", found)
    paths = [tmp_path / "a", tmp_path / "b"]

    with pytest.raises(InputError, match=r"several subsets; choose one \(`split=…`\): fr \(mean main_score 0.6"):
        oc.read(paths)
    with pytest.raises(InputError, match="no log has a split 'it'"):
        oc.read(paths, split="it")
    assert oc.read(paths, split="fr").difference("a", "b").tolist() == pytest.approx([0.1, 0.1])
    assert oc.logs(*paths, split="de").matched().means()["a"] == [0.5, 0.5]


def test_mteb_experiments_are_repeats(tmp_path: Path) -> None:
    """Experiments are repeats of a data set, whose score is their mean; the data sets stay the unit."""
    for model, lead in (("a", 0.0625), ("b", 0.0)):
        for at in range(6):
            runs = [{"accuracy": 0.5 + lead + run / 64, "f1": 0.25 + run / 64, "ap": None} for run in range(4)]
            own = {"hf_subset": "default", "main_score": 0.5 + lead + 1.5 / 64, "f1": 0.25, "accuracy": 0.5 + lead}
            found = {"task_name": f"T{at}", "dataset_revision": "r"}
            scores = {"test": [{**own, "scores_per_experiment": runs}]}
            _write(tmp_path / model / "r" / f"T{at}.json", {**found, "scores": scores})

    logs = oc.logs(tmp_path / "a", tmp_path / "b")
    data = oc.read(logs)

    assert {each["epochs"] for each in logs.runs} == {4}
    assert logs.matched().means()["a"] == [0.5 + 0.0625 + 1.5 / 64] * 6
    assert data.data_set is not None
    assert data.difference("a", "b").tolist() == [0.0625] * 6


# --- lighteval --------------------------------------------------------------------------------------------------------


def _details(folder: Path, model: str, rows: list[dict[str, Any]], task: str = "lighteval|gsm8k|0") -> Path:
    time = "2026-01-02T03-04-05.678"
    path = folder / "details" / model / time / f"details_{task}_{time}.parquet"
    path.parent.mkdir(parents=True)
    pa.parquet.write_table(pa.Table.from_pylist(rows), path)
    return path


def test_lighteval(tmp_path: Path) -> None:
    """Tasks keep their pipes, models their owners; documents are known by their questions, not by their place."""
    rows = [
        {
            "doc": {"id": str(at), "query": f"q{at}", "choices": ["a", "b"], "gold_index": [at % 2]},
            "metric": {"em": at % 3 / 2},
        }
        for at in range(6)
    ]
    _details(tmp_path, "org/small", rows)
    _details(tmp_path, "org/large", [{**row, "metric": {"em": 1.0}} for row in reversed(rows)])

    logs = oc.logs(tmp_path)

    assert logs.systems == ("org/large", "org/small")
    assert logs.tasks == ("lighteval|gsm8k|0",)
    assert oc.compare(logs).rows[0].observed == pytest.approx(0.5)


def test_old_lighteval(tmp_path: Path) -> None:
    """Before 2025 the columns were example, metrics and hashes."""
    rows = [{"example": f"q{at}", "metrics": {"acc": at % 2}, "hashes": {"hash_examples": f"h{at}"}} for at in range(6)]
    _details(tmp_path, "m", rows, "leaderboard|arc:challenge|25")

    assert oc.logs(tmp_path).matched("acc").means()["m"] == [0, 1, 0, 1, 0, 1]
