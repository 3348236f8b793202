"""LiveBench: `ground_truth_judgment.jsonl`, or a long table of questions, models and scores as JSON."""

import math
from collections.abc import Iterator
from typing import Any, Final

from outclass.data.logs.files import Head, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, number_in
from outclass.errors import FileError, InputError, quoted

NAME: Final = "livebench"
TITLE: Final = "judgments of LiveBench"
OPTIONS: Final = ("duplicates",)
DUPLICATES: Final = ("first", "last", "mean")


def claims(head: Head) -> bool:
    """Look at the fields of the first record."""
    return not head.packed and head.has("question_id", "model", "score") and (head.has("task") or head.has("category"))


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the judgments: a run for each model and task."""
    if asked.duplicates not in (None, *DUPLICATES):
        raise InputError(f"⟨duplicates⟩ must be one of {quoted(DUPLICATES)}, got {quoted([asked.duplicates])}.")
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    categories: dict[tuple[str, str], Any] = {}
    with streamed(head.path) as stream:
        for place, row in enumerate(stream.records(), start=1):
            if not isinstance(row, dict) or not {"question_id", "model", "score"} <= row.keys():
                raise FileError(f"record {place:,} of {quoted([head.path.name])} is no judgment of a question.")
            key = str(row["model"]), str(row.get("task") or row.get("category"))
            item = str(row["question_id"]) + (f" turn {row['turn']}" if row.get("turn") not in (None, 1) else "")
            found.setdefault(key, {}).setdefault(item, []).append(number_in(row["score"]))
            categories[key] = str(row.get("category") or "")
    _check(found, head, asked)
    for key, own in found.items():
        samples, notes = Samples(), 0
        for item, scores in own.items():
            notes += len(set(scores)) > 1
            samples.add(item, {"score": _one(scores, asked.duplicates)}, metadata={"category": categories[key]})
        told = f"{notes:,} questions of {key[0]} were judged twice with different scores"
        yield LogRun(
            system=key[0],
            task=key[1],
            harness=NAME,
            path=str(head.path),
            samples=samples,
            findings=(("OC513", f"{told}: the {asked.duplicates} counts."),) if notes else (),
        )


def _check(found: dict[tuple[str, str], dict[str, list[float]]], head: Head, asked: Asked) -> None:
    """Refuse judgments of one question that differ, unless it is said which counts."""
    if not found:
        raise FileError(f"{quoted([head.path.name])} has no judgments.")
    twice = [item for own in found.values() for item, scores in own.items() if len(scores) > 1]
    differ = [item for own in found.values() for item, scores in own.items() if len(set(scores)) > 1]
    if differ and asked.duplicates is None:
        raise InputError(
            f"{len(twice):,} questions of {quoted([head.path.name])} were judged more than once by one model, and "
            f"{len(differ):,} of them differ, such as {quoted(differ, most=3)}: say which counts "
            "(⟨duplicates=first⟩, last or mean)."
        )


def _one(scores: list[float], which: str | None) -> float:
    if which == "mean":
        return sum(scores) / len(scores) if not any(map(math.isnan, scores)) else math.nan
    return scores[-1] if which == "last" else scores[0]
