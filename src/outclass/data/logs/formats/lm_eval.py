"""lm-evaluation-harness: `samples_<task>_<time>.jsonl`, with the results of the same time beside them."""

import math
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.files import Head, digest, head_of, streamed, whole_json
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in, short_values
from outclass.errors import FileError, OutclassError, quoted

NAME: Final = "lm-eval"
TITLE: Final = "a log of lm-evaluation-harness"
_NAMED: Final = re.compile(
    r"samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?))?\.jsonl?", re.DOTALL
)
_KNOWN: Final = frozenset(
    ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash")
) | {"target_hash", "schema_version"}
LABELS: Final = ("f1", "mcc", "macro_f1", "micro_f1", "weighted_f1", "f1_macro", "f1_micro", "matthews_corrcoef")
BRIER: Final = "brier_score"  # a pair of the right class and of the probabilities, which NumPy printed
NEAR: Final = 1e-9  # how near the mean is to that of the results
PRINTED: Final = 1e-6  # the same of probabilities, of which eight digits are printed
LOWER: Final = re.compile(r"brier_score|.*perplexity.*|bits_per_byte|ter")
PAIR: Final = 2
# What the header must agree on; the prompt, the few-shot examples and versions may be what is compared.
FREE: Final = {"n-shot": "few-shot examples", "versions": "version of the task"}


def claims(head: Head) -> bool:
    """Look at the name, and at the fields of the first line."""
    if head.packed:
        return False
    return head.has("doc_id") and (_NAMED.fullmatch(head.name) is not None or head.has("resps", "filtered_resps"))


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the samples of a task: a run for each filter."""
    match = _NAMED.fullmatch(head.name)
    task, time = (match["task"], match["time"] or "") if match else (Path(head.name).stem, "")
    header = _header(head.path.parent, time)
    found: dict[str, _Collected] = {}
    with streamed(head.path) as stream:
        for line, record in enumerate(stream.records(), start=1):
            if not isinstance(record, dict) or "doc_id" not in record:
                raise FileError(f"record {line:,} of {quoted([head.path.name])} has no doc_id, so it is no sample.")
            _add(found, record, head.path, line)
    if not found:
        raise FileError(f"{quoted([head.path.name])} has no samples.")
    system = str(header.get("model_name") or head.path.absolute().parent.name or "model")
    for name, own in found.items():
        yield from own.runs(system, task, name, time, head.path, header)


@lru_cache(maxsize=8)
def _header_at(folder: Path, time: str, seen: tuple[tuple[str, int], ...]) -> Mapping[str, Any]:
    for name, _ in seen:
        head = head_of(folder / name)
        if head is None or head.packed or not isinstance(head.first, dict):
            continue
        try:
            found = whole_json(folder / name)
        except OutclassError:
            continue  # a summary that cannot be read says nothing; the samples are there
        if isinstance(found, dict) and isinstance(found.get("results"), dict):
            return found
    return {}


def _header(folder: Path, time: str) -> Mapping[str, Any]:
    """Return the results of the same time in the same folder, whatever their name begins with."""
    ends = (f"{time}.json", f"{time}.json.gz") if time else (".json", ".json.gz")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(ends) and each.is_file())
    names = [name for name in names if not name.startswith("samples_")]
    if not time and len(names) > 1:
        names = [name for name in names if name.startswith("results")][:1]
    return _header_at(folder, time, tuple((name, (folder / name).stat().st_mtime_ns) for name in names))


class _Collected:
    """The samples of one filter."""

    def __init__(self) -> None:
        self.samples, self.parts = Samples(), Samples()
        self.unsupported: dict[str, str] = {}
        self.labels: dict[str, None] = {}
        self.seen: set[str] = set()

    def runs(
        self, system: str, task: str, name: str, time: str, path: Path, header: Mapping[str, Any]
    ) -> Iterator[LogRun]:
        """Return the run, and another one for metrics that are lists with an entry for each part of an answer."""
        lower = _lower(header, task, [*self.samples.scores, *self.parts.scores])
        for samples in (self.samples, self.parts):
            if len(samples):
                run = LogRun(
                    system=system,
                    task=task,
                    harness=NAME,
                    path=str(path),
                    key=time,
                    samples=samples,
                    variant=("filter", name),
                    lower=lower,
                    labels=tuple(self.labels) if samples is self.samples else (),
                    unsupported=self.unsupported,
                    free=_free(header, task),
                )
                yield _checked(run, header) if samples is self.samples else run


def _add(found: dict[str, _Collected], record: dict[str, Any], path: Path, line: int) -> None:
    values, name = _values(record)
    own = found.get(name) or found.setdefault(name, _Collected())
    item = _id(record["doc_id"])
    if item in own.seen:
        raise FileError(f"doc_id {quoted([item])} occurs twice in {quoted([path.name])} (record {line:,}).")
    own.seen.add(item)
    scores: dict[str, float] = {}
    pair: list[Any] | None = None
    parts: dict[str, list[Any]] = {}
    for metric, value in values.items():
        if is_score(value) or value is None:
            scores[metric] = number_in(value)
        elif metric == BRIER and (loss := _brier(value)) is not None:
            scores[metric] = loss
        elif isinstance(value, list) and len(value) == PAIR and metric in LABELS and not _holds_lists(value):
            own.labels[metric], pair = None, value
        elif isinstance(value, list) and value and all(isinstance(each, bool) for each in value):
            parts[metric] = value
        else:
            own.unsupported[metric] = "a list" if isinstance(value, list) else type(value).__name__
    gold, answer = (pair[0], pair[1]) if pair else _labels(record)
    doc = record.get("doc")
    question = str(record.get("doc_hash") or digest(doc))
    target = str(record.get("target_hash") or digest(record.get("target")))
    prompt = record.get("prompt_hash")
    about = short_values(doc, "doc")
    hashes = (question, None, target, None if prompt is None else str(prompt))
    own.samples.add(item, scores, gold=gold, answer=answer, hashes=hashes, metadata=about)
    for place in range(max(map(len, parts.values()), default=0)):
        of_part = {metric: float(value[place]) for metric, value in parts.items() if place < len(value)}
        own.parts.add(
            f"{item}.{place}", of_part, hashes=(question, None, None, None), metadata={"document": item, **about}
        )


def _values(record: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the metrics of a sample by name, and its filter."""
    named = record.get("metrics")
    if isinstance(named, list) and all(isinstance(each, str) for each in named):
        return {name: record.get(name) for name in named}, str(record.get("filter") or "none")
    found: dict[str, Any] = {}
    filters = []
    for key, value in record.items():
        if key not in _KNOWN and (is_score(value) or isinstance(value, list)):
            metric, _, name = key.partition(",")
            found[metric] = value
            filters.append(name)
    return found, str(record.get("filter") or next(filter(None, filters), "none"))


def _labels(record: dict[str, Any]) -> tuple[Any, Any]:
    """Return what is right and what was said: of multiple choice, the number of the choice."""
    target, said = record.get("target"), record.get("filtered_resps")
    answer = said[0] if isinstance(said, list) and said else None
    if isinstance(answer, list) and answer and isinstance(said, list):
        # The log-likelihood of each choice, since 2024 as text, and whether it is what would be said first.
        likely = [_number(each[0]) for each in said if isinstance(each, list) and each]
        whole = len(likely) == len(said) > 1 and not any(map(math.isnan, likely))
        answer = likely.index(max(likely)) if whole else None
    if isinstance(target, str) and isinstance(answer, int):
        target = target.strip()
    return target, answer


def _number(value: Any) -> float:
    """Return a number, or one that is written as text; nan of anything else."""
    try:
        return float(value) if is_number(value) or isinstance(value, str) else math.nan
    except (ValueError, OverflowError):
        return math.nan


def _brier(value: Any) -> float | None:
    """Return the Brier score of a sample, the squared distance of the probabilities from what is right."""
    if not isinstance(value, list) or len(value) != PAIR or not isinstance(value[0], int):
        return None
    right, given = value
    found = given.strip("[] \n").split() if isinstance(given, str) else given
    chances = [_number(each) for each in found] if isinstance(found, list) else []
    if not 0 <= right < len(chances) or not all(0 <= each <= 1 for each in chances):
        return None
    return math.fsum((each - (place == right)) ** 2 for place, each in enumerate(chances))


def is_number(value: Any) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _holds_lists(values: list[Any]) -> bool:
    return any(isinstance(each, list | dict) for each in values)


def _id(value: Any) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _lower(header: Mapping[str, Any], task: str, metrics: list[str]) -> frozenset[str]:
    said = _of(header, "higher_is_better", task)
    said = said if isinstance(said, dict) else {}
    return frozenset(
        name for name in metrics if (said[name] is False if name in said else LOWER.fullmatch(name) is not None)
    )


def _of(header: Mapping[str, Any], key: str, task: str) -> Any:
    found = header.get(key)
    return found.get(task) if isinstance(found, dict) else None


def _free(header: Mapping[str, Any], task: str) -> dict[str, str]:
    found = {title: _of(header, key, task) for key, title in FREE.items()}
    config = header.get("config")
    config = config if isinstance(config, dict) else {}
    found["limit"] = config.get("limit")
    found["generation settings"] = config.get("gen_kwargs")
    found["chat template"] = header.get("chat_template_sha")
    found["system instruction"] = header.get("system_instruction_sha")
    found["lm_eval"] = header.get("lm_eval_version")
    return {name: str(value) for name, value in found.items()} if header else {}


def _checked(run: LogRun, header: Mapping[str, Any]) -> LogRun:
    """Compare what the header says with the samples that are there."""
    from dataclasses import replace

    notes = []
    stated = _of(header, "n-samples", run.task)
    effective = stated.get("effective") if isinstance(stated, dict) else None
    truncated = is_number(effective) and effective != len(run.samples)
    if truncated:
        told = (
            f"the log of {run.system} on {run.task} has {len(run.samples):,} samples, but its results are of "
            f"{effective:,}"
        )
        notes.append(("OC502", f"{told}: samples are missing, or were not written."))
    results = _of(header, "results", run.task)
    for metric in run.samples.scores if isinstance(results, dict) and not truncated else ():
        mean = results.get(f"{metric},{run.variant[1]}")
        near = PRINTED if metric == BRIER else NEAR
        if is_number(mean) and math.isfinite(mean) and abs(mean - run.mean(metric)) > near * max(1.0, abs(mean)):
            told = (
                f"the mean {metric} of {run.system} on {run.task} is {run.mean(metric):.6g}, but its results say "
                f"{mean:.6g}"
            )
            notes.append(("OC503", f"{told}: the metric is no mean of its samples, or they are not the same."))
    return replace(run, findings=tuple(notes))
