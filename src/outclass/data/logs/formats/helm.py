"""HELM: a folder with `per_instance_stats.json`, `run_spec.json` and `scenario_state.json`."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.files import Head, digest, streamed, whole_json
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, list_in, mapping_in, number_in
from outclass.errors import FileError, quoted

NAME: Final = "helm"
TITLE: Final = "a run of HELM"
_FILE, _SPEC, _STATE = "per_instance_stats.json", "run_spec.json", "scenario_state.json"
_OF_MODEL: Final = ("model=", "model_deployment=")
LOWER: Final = ("perplexity", "bits_per_byte", "logprob_per_byte", "inference_runtime", "bias", "toxic", "latency")
Key = tuple[str, int]
Said = tuple[str | None, str | None, tuple[str | None, str | None, str | None, str | None]]


def claims(head: Head) -> bool:
    """Look at the name, which is always the same."""
    return not head.packed and head.name == _FILE


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the instances of a run: each split is a run of its own."""
    folder = head.path.parent
    spec = _json(folder, _SPEC)
    name = str(spec.get("name") or folder.name)
    adapter = mapping_in(spec.get("adapter_spec"))
    model = str(adapter.get("model") or adapter.get("model_deployment") or _model_in(name) or folder.name)
    said = _said(folder)
    splits: dict[str, Samples] = {}
    perturbed = 0
    with streamed(head.path) as stream:
        for place, record in enumerate(stream.records(), start=1):
            if not isinstance(record, dict) or not isinstance(record.get("stats"), list) or "instance_id" not in record:
                raise FileError(f"record {place:,} of {quoted([head.path])} is no instance with its stats.")
            if record.get("perturbation"):
                perturbed += 1
                continue
            _add(splits, record, said)
    if not splits:
        raise FileError(f"{quoted([head.path])} has no instances.")
    for split, samples in splits.items():
        metrics = tuple(samples.scores)
        yield LogRun(
            system=model,
            task=_task(name),
            harness=NAME,
            path=str(head.path),
            samples=samples,
            variant=("split", split),
            usual=_usual(spec, metrics),
            lower=frozenset(each for each in metrics if any(word in each for word in LOWER)),
            free=_free(adapter),
            left_out={"perturbed": perturbed} if perturbed else {},
        )


def _add(splits: dict[str, Samples], record: Mapping[str, Any], said: Mapping[Key, Said]) -> None:
    scores: dict[str, dict[str, float]] = {}
    for stat in record["stats"]:
        name = stat.get("name") if isinstance(stat, dict) else None
        if not isinstance(name, dict) or name.get("perturbation") or "name" not in name:
            continue
        mean = stat.get("mean") if stat.get("count") else None
        value = number_in(mean) if is_score(mean) else math.nan  # a count of 0 is no score of 0
        scores.setdefault(str(name.get("split") or "all"), {})[str(name["name"])] = value
    item, trial = str(record["instance_id"]), record.get("train_trial_index") or 0
    trial = trial if isinstance(trial, int) else 0
    gold, answer, hashes = said.get((item, trial), (None, None, (None, None, None, None)))
    for split, own in scores.items():
        splits.setdefault(split, Samples()).add(item, own, epoch=trial + 1, gold=gold, answer=answer, hashes=hashes)


def _said(folder: Path) -> dict[Key, Said]:
    """Return what was asked and answered, if the run holds it."""
    path = _there(folder, _STATE)
    found: dict[Key, Said] = {}
    if path is None:
        return found
    with streamed(path) as stream:
        for where, key, state in stream.walk("request_states"):
            if where != "request_states" or key is None or not isinstance(state, dict):
                continue
            instance = state.get("instance")
            if not isinstance(instance, dict) or instance.get("perturbation"):
                continue
            trial = state.get("train_trial_index") or 0
            if "id" in instance and isinstance(trial, int):
                found[str(instance["id"]), trial] = _answered(instance, state)
    return found


def _answered(instance: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    references = [each for each in list_in(instance.get("references")) if isinstance(each, dict)]
    texts = [_text(each.get("output")) for each in references]
    right = [text for text, each in zip(texts, references, strict=True) if "correct" in list_in(each.get("tags"))]
    letters = state.get("output_mapping")
    gold = right[0] if len(right) == 1 else None
    if isinstance(letters, dict):
        gold = next((letter for letter, text in letters.items() if text in right), gold)
    result, request = state.get("result"), state.get("request")
    completions = result.get("completions") if isinstance(result, dict) else None
    first = completions[0] if isinstance(completions, list) and completions else None
    answer = first.get("text") if isinstance(first, dict) else None
    prompt = request.get("prompt") if isinstance(request, dict) else None
    hashes = (digest(_text(instance.get("input"))), digest(*texts), digest(*right), digest(prompt) if prompt else None)
    return gold, answer.strip() if isinstance(answer, str) else None, hashes


def _text(value: Any) -> str:
    return str(value.get("text", "")) if isinstance(value, dict) else str(value or "")


def _there(folder: Path, name: str) -> Path | None:
    return next((folder / each for each in (name, f"{name}.gz") if (folder / each).is_file()), None)


def _json(folder: Path, name: str) -> Mapping[str, Any]:
    path = _there(folder, name)
    found = whole_json(path) if path is not None else {}
    return found if isinstance(found, dict) else {}


def _model_in(name: str) -> str:
    parts = name.partition(":")[2].split(",")
    return next((part.partition("=")[2] for part in parts if part.startswith(_OF_MODEL)), "")


def _task(name: str) -> str:
    """Return the name of a run without its model."""
    scenario, _, arguments = name.partition(":")
    kept = [each for each in arguments.split(",") if each and not each.startswith(_OF_MODEL)]
    return f"{scenario}:{','.join(kept)}" if kept else scenario


def _usual(spec: Mapping[str, Any], metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first metric that the run was asked for, as HELM's own tables mostly show it."""
    for each in list_in(spec.get("metric_specs")):
        for name in list_in(mapping_in(mapping_in(each).get("args")).get("names")):
            if name in metrics:
                return (name,)
    return ("exact_match",) if "exact_match" in metrics else metrics[:1]


def _free(adapter: Mapping[str, Any]) -> dict[str, str]:
    names = ("method", "max_train_instances", "max_eval_instances", "num_outputs", "temperature", "max_tokens")
    found = {name.replace("_", " "): str(adapter.get(name)) for name in names}
    instructions = adapter.get("instructions")
    return found | ({"instructions": digest(instructions)[:8]} if instructions else {})
