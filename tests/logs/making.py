"""Small evaluation logs of every format, as their harnesses write them."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

REAL: Final = Path(__file__).parents[3] / "shared" / "logs"
TIME: Final = "2026-01-02T03-04-05.678"


def hashed(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def lm_eval(
    folder: Path,
    model: str,
    scores: Sequence[Any],
    *,
    task: str = "gsm8k",
    metric: str = "exact_match",
    filters: Mapping[str, Sequence[Any]] | None = None,
    time: str = TIME,
    gold: Sequence[Any] | None = None,
    question: str = "question",
    header: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Path:
    """Write a task of lm-evaluation-harness, and the results beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for name, own in (filters or {"none": scores}).items():
        for place, score in enumerate(own):
            doc = {"q": f"{question} {place}", "level": f"l{place % 3}"}
            target = gold[place] if gold is not None else f"answer {place}"
            record = {"doc_id": place, "doc": doc, "target": target, "arguments": {}, "resps": [["x"]]}
            record |= {"filtered_resps": ["[invalid]" if score == 0 else "y"], "filter": name, "metrics": [metric]}
            record |= {"doc_hash": hashed(doc), "prompt_hash": hashed(place), "target_hash": hashed(target)}
            lines.append({**record, metric: score, **(more or {})})
    path = folder / f"samples_{task}_{time}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    results = {"results": {task: {}}, "model_name": model, "n-samples": {task: {"effective": len(scores)}}}
    (folder / f"results_{time}.json").write_text(json.dumps({**results, **(header or {})}), encoding="utf-8")
    return path


def sample(
    item: Any, value: Any, *, epoch: int = 1, target: Any = "A", scorer: str = "choice", **more: Any
) -> dict[str, Any]:
    """Return a sample of Inspect."""
    score = {"value": value, "answer": more.pop("answer", "A"), **more.pop("score", {})}
    found = {"id": item, "epoch": epoch, "input": f"question {item}", "choices": ["a", "b"], "target": target}
    return {**found, "scores": {scorer: score}, **more}


def header_of(model: str, task: str = "arc", **more: Any) -> dict[str, Any]:
    """Return the header of a log of Inspect."""
    plan = {"model": model, "task": task, "created": TIME, **more.pop("eval", {})}
    return {"version": 2, "status": "success", "eval": plan, **more}


def inspect_eval(
    path: Path, header: Mapping[str, Any] | None, samples: Sequence[Any], *, method: int = zipfile.ZIP_DEFLATED
) -> Path:
    """Write an archive of Inspect; without a header an unfinished one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", method) as archive:
        if header is None:
            archive.writestr("_journal/start.json", json.dumps({"version": 2, **header_of("m")}))
            archive.writestr("_journal/summaries/1.json", json.dumps(samples))
            return path
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(samples))
    return path


def inspect_json(path: Path, header: Mapping[str, Any], samples: Sequence[Any]) -> Path:
    """Write a log of Inspect as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**header, "samples": samples}), encoding="utf-8")
    return path


def helm(folder: Path, model: str, scores: Mapping[str, Sequence[Any]], metric: str = "exact_match") -> Path:
    """Write a run of HELM; `scores` are by split, None for an instance that was not counted."""
    folder.mkdir(parents=True, exist_ok=True)
    records = []
    for split, own in scores.items():
        for place, score in enumerate(own):
            stat = {"name": {"name": metric, "split": split}, "count": int(score is not None), "mean": score or 0.0}
            records.append({"instance_id": f"{split}{place}", "train_trial_index": 0, "stats": [stat]})
    (folder / "per_instance_stats.json").write_text(json.dumps(records), encoding="utf-8")
    spec = {"name": f"mmlu:subject=law,model={model.replace('/', '_')}", "adapter_spec": {"model": model}}
    (folder / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    return folder


def row(variables: Mapping[str, Any], *, success: bool, provider: str = "openai:x", **more: Any) -> dict[str, Any]:
    """Return a row of promptfoo."""
    found = {
        "provider": {"id": provider},
        "prompt": {"label": "Say {{x}}"},
        "success": success,
        "score": float(success),
    }
    case = {"vars": dict(variables), "assert": [{"type": "equals", "value": "y"}]}
    return {**found, "testCase": case, "namedScores": {}, "latencyMs": 5, "cost": 0.1, "failureReason": 0, **more}


def promptfoo(path: Path, rows: Sequence[Any]) -> Path:
    """Write an output of promptfoo."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": list(rows)}}), encoding="utf-8")
    return path


def tau(path: Path, trials: Sequence[Sequence[float]]) -> Path:
    """Write a log of tau-bench: rewards by task and trial."""
    path.parent.mkdir(parents=True, exist_ok=True)
    found = [
        {"task_id": task, "trial": trial, "reward": reward}
        for task, own in enumerate(trials)
        for trial, reward in enumerate(own)
    ]
    path.write_text(json.dumps(found), encoding="utf-8")
    return path
