"""OpenAI evals: JSON lines of events, of which those of type `match` say whether an answer is right."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from outclass.data.logs.files import Head, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, number_in
from outclass.data.names import stem_of
from outclass.errors import FileError, quoted

NAME: Final = "openai-evals"
TITLE: Final = "a log of OpenAI evals"


def claims(head: Head) -> bool:
    """Look for the specification in the first line, or for an event."""
    if head.packed or head.listed:
        return False
    return head.has("sample_id", "type", "data") or (head.has("spec") and isinstance(head.first["spec"], dict))


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the matches of all samples."""
    spec: Mapping[str, Any] = {}
    samples, seen, errors = Samples(), set(), dict[str, str]()
    with streamed(head.path) as stream:
        for event in stream.records():
            if not isinstance(event, dict):
                raise FileError(f"{quoted([head.path.name])} has a line that is no event.")
            if isinstance(event.get("spec"), dict):
                spec = event["spec"]
            data, item = event.get("data"), str(event.get("sample_id"))
            if event.get("type") == "error":
                errors[item] = str(data)[:80]
            if event.get("type") != "match" or not isinstance(data, dict):
                continue
            if item in seen:
                raise FileError(
                    f"sample {quoted([item])} of {quoted([head.path.name])} has several matches: which one "
                    "counts is not "
                    "known."
                )
            seen.add(item)
            _add(samples, item, data)
    for item, why in errors.items():
        if item not in seen:
            samples.add(item, {}, error=why)
    if not seen:
        raise FileError(f"{quoted([head.path.name])} has no events of type match, so it has no results per sample.")
    models = spec.get("completion_fns")
    model = models[0] if isinstance(models, list) and models else spec.get("model_name")
    yield LogRun(
        system=str(model or stem_of(head.path)),
        task=str(spec.get("eval_name") or spec.get("base_eval") or "eval"),
        harness=NAME,
        path=str(head.path),
        key=str(spec.get("created_at") or spec.get("run_id") or ""),
        samples=samples,
        free={"split": str(spec.get("split"))},
    )


def _add(samples: Samples, item: str, data: Mapping[str, Any]) -> None:
    expected, picked = data.get("expected"), data.get("picked", data.get("sampled"))
    gold = expected[0] if isinstance(expected, list) and len(expected) == 1 else expected
    samples.add(
        item,
        {"correct": number_in(data.get("correct"))},
        gold=gold if isinstance(gold, str) else None,
        answer=picked if isinstance(picked, str) else None,
        hashes=(None, None, None if expected is None else str(expected)[:2_000], None),
    )
