"""Inspect: `.eval` archives and `.json` logs."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.archive import Archive
from outclass.data.logs.files import Head, digest, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, list_in, mapping_in, number_in, short_values
from outclass.errors import FileError, InputError, quoted

NAME: Final = "inspect"
TITLE: Final = "a log of Inspect"
OPTIONS: Final = ("unfinished",)
GRADES: Final = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
REFUSED: Final = "N"
FILTERED: Final = "content_filter"
UNREADABLE: Final = "Grade not found"  # how the explanation of a grade begins that could not be read
NOT_GRADED: Final = ("grader_failed", "scoring_failed")  # since 2026 the reason of a score says so
REFUSAL: Final = "refusal"  # likewise
COMPARED: Final = 5_000  # letters of a question: summaries cut what is longer
_HEADER, _START, _SUMMARIES = "header.json", "_journal/start.json", "summaries.json"


def claims(head: Head) -> bool:
    """Look for an archive of that ending, or for the fields of a header."""
    if head.packed == "zip":
        return head.name.lower().endswith(".eval")
    return (
        not head.packed and head.has("eval") and isinstance(head.first["eval"], dict) and "task" in head.first["eval"]
    )


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read a log: one run, with a metric for each scorer."""
    if head.name.lower().endswith(".eval"):
        with Archive(head.path) as archive:
            header = _header(archive, asked)
            _check(header, head.path, asked)
            yield _run(header, _with_filtered(archive, _samples_in(archive, header)), head.path)
        return
    header = {}
    with streamed(head.path) as stream:
        for path, key, value in stream.walk("samples", "header"):
            if key is None and "." not in path:
                header[path] = value
    whole = header if "eval" in header else {}
    if not isinstance(whole.get("eval"), dict):
        raise FileError(f"{quoted([head.path.name])} has no header (eval), so it is no log of Inspect.")
    _check(whole, head.path, asked)
    with streamed(head.path) as stream:
        samples = (value for path, key, value in stream.walk("samples") if path == "samples" and key is not None)
        yield _run(whole, samples, head.path)


def _header(archive: Archive, asked: Asked) -> dict[str, Any]:
    names = archive.names
    if _HEADER not in names:
        if not asked.unfinished or _START not in names:
            raise FileError(
                f"{quoted([archive.path.name])} has no {_HEADER}: the run was not finished. Read what there is with "
                "⟨unfinished=True⟩, or wait."
            )
        found = archive.json(_START)
        found = {**found, "status": "started"} if isinstance(found, dict) else found
    else:
        found = archive.json(_HEADER)
    if not isinstance(found, dict) or not isinstance(found.get("eval"), dict):
        raise FileError(f"{quoted([archive.path.name])} has no header (eval), so it is no log of Inspect.")
    return found


def _check(header: Mapping[str, Any], path: Path, asked: Asked) -> None:
    status = header.get("status")
    if status != "success" and not asked.unfinished:
        error = header.get("error")
        why = str(error.get("message", "")) if isinstance(error, dict) else ""
        first = why.strip().splitlines()[0][:120] if why.strip() else ""
        raise FileError(
            f"{quoted([path.name])} has the status {quoted([status])}{f' ({first})' if first else ''}, not "
            "success. Run "
            "it again, or use what there is with ⟨unfinished=True⟩."
        )


def _samples_in(archive: Archive, header: Mapping[str, Any]) -> Iterator[Any]:
    """Return summaries of samples, which are enough; samples themselves where these do not say all."""
    names = archive.names
    journal = [name for name in names if name.startswith("_journal/summaries/") and name.endswith(".json")]
    samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
    if header.get("invalidated") and samples:
        yield from map(archive.json, samples)
    elif _SUMMARIES in names:
        yield from archive.stream(_SUMMARIES).records()
    elif journal:
        for name in journal:
            yield from archive.stream(name).records()
    else:
        yield from map(archive.json, samples)


def _with_filtered(archive: Archive, samples: Iterable[Any]) -> Iterator[Any]:
    """Return samples with their output, if it was filtered: summaries do not hold that, and samples are large."""
    word = f'"{FILTERED}"'.encode()
    names = [name for name in archive.names if name.startswith("samples/") and archive.holds(name, word)]
    filtered = {(str(each.get("id")), each.get("epoch")): each.get("output") for each in _objects(archive, names)}
    for sample in samples:
        key = (str(sample.get("id")), sample.get("epoch")) if filtered and isinstance(sample, dict) else None
        yield sample if key is None or key not in filtered else {**sample, "output": filtered[key]}


def _objects(archive: Archive, names: Iterable[str]) -> Iterator[dict[str, Any]]:
    return (each for each in map(archive.json, names) if isinstance(each, dict) and isinstance(each.get("epoch"), int))


def _run(header: Mapping[str, Any], samples: Iterable[Any], path: Path) -> LogRun:
    plan = header["eval"]
    own = _Collected(path)
    for sample in samples:
        own.add(sample)
    if not own.many:
        raise FileError(f"{quoted([path.name])} has no samples: they were not written to the log.")
    if not own.samples.scores:
        told = f"{own.many:,} {'sample' if own.many == 1 else 'samples'}, none scored"
        if own.many > 0 and all(own.samples.error) and len(own.samples) == own.many:
            raise FileError(
                f"{quoted([path.name])} has {told}, because all samples failed ({own.samples.error[0]}). Run it again."
            )
        raise FileError(f"{quoted([path.name])} has {told}: run a scorer over the log first (inspect score).")
    system, task = str(plan.get("model") or "model"), str(plan.get("task") or "task")
    notes = list(own.findings(system, task))
    return LogRun(
        system=system,
        task=task,
        harness=NAME,
        path=str(path),
        key=str(plan.get("created") or ""),
        samples=own.samples,
        fixed={"grader": _grader(header)} | _scorers(plan),
        free=_free(header),
        findings=tuple(notes),
        left_out={name: many for name, many in own.left_out.items() if many},
    )


class _Collected:
    """The samples, and what was noticed of them."""

    def __init__(self, path: Path) -> None:
        self.samples, self.path, self.many = Samples(), path, 0
        self.left_out = {"invalidated": 0, "unscored": 0, "grade not found": 0}
        self.edited = 0
        self.seen: set[tuple[str, int]] = set()

    def add(self, sample: Any) -> None:
        """Add a sample, or the summary of one."""
        if not isinstance(sample, dict) or "id" not in sample:
            raise FileError(f"sample {self.many + 1:,} of {quoted([self.path.name])} has no id.")
        self.many += 1
        if sample.get("invalidation"):
            self.left_out["invalidated"] += 1
            return
        item, epoch = str(sample["id"]), sample.get("epoch") or 1
        if not isinstance(epoch, int) or (item, epoch) in self.seen:
            raise FileError(f"sample {quoted([item])} occurs twice in {quoted([self.path.name])} in one epoch.")
        self.seen.add((item, epoch))
        scores: dict[str, float] = {}
        answers, refused = [], _is_filtered(sample)
        given = sample.get("scores")
        for scorer, score in given.items() if isinstance(given, dict) else ():
            if isinstance(score, dict):
                scores |= self._scores(scorer, score)
                answers.append(score.get("answer"))
                refused = refused or score.get("value") == REFUSED or score.get("reason") == REFUSAL
        if "score" in sample and isinstance(sample["score"], dict):  # before there could be several
            scores |= self._scores("score", sample["score"])
            answers.append(sample["score"].get("answer"))
        target, choices = sample.get("target"), sample.get("choices")
        hashes = (
            digest(text_of(sample.get("input"))[:COMPARED]),
            None if choices is None else digest(json.dumps(choices)),
            None if target is None else digest(json.dumps(target)),
            None,
        )
        self.samples.add(
            item,
            scores,
            epoch=epoch,
            gold=_one(target),
            answer=_one(answers[0]) if answers else None,
            hashes=hashes,
            error=_error(sample.get("error")),
            refused=refused,
            limit=_limit(sample.get("limit")),
            metadata=short_values(sample.get("metadata"), "metadata"),
        )

    def _scores(self, scorer: str, score: Mapping[str, Any]) -> dict[str, float]:
        self.edited += bool(score.get("history"))
        value = score.get("value")
        if isinstance(value, dict):
            return {f"{scorer}.{key}": self._number(own, scorer) for key, own in value.items()}
        unreadable = str(score.get("explanation") or "").startswith(UNREADABLE) and value in ("I", 0)
        if unreadable or score.get("reason") in NOT_GRADED:
            self.left_out["grade not found"] += 1
            return {scorer: math.nan}
        return {scorer: self._number(value, scorer)}

    def _number(self, value: Any, scorer: str) -> float:
        if isinstance(value, bool | int | float) and not (isinstance(value, float) and math.isnan(value)):
            return number_in(value)
        if isinstance(value, str):
            text = value.strip()
            if text in GRADES or text.lower() in WORDS:
                return GRADES[text] if text in GRADES else WORDS[text.lower()]
            try:
                number = float(text)
            except ValueError:
                raise InputError(
                    f"scorer {quoted([scorer])} of {quoted([self.path.name])} has the value {quoted([value[:40]])}, "
                    "which is no grade and no number. Name another scorer (⟨scorer⟩)."
                ) from None
            if not math.isnan(number):
                return number_in(number)
        if isinstance(value, list):
            raise InputError(
                f"scorer {quoted([scorer])} of {quoted([self.path.name])} has lists of values, which are no scores."
            )
        self.left_out["unscored"] += 1
        return math.nan

    def findings(self, system: str, task: str) -> Iterator[tuple[str, str]]:
        """Return what was noticed."""
        if self.edited:
            yield (
                "OC510",
                f"{self.edited:,} scores of {system} on {task} were edited by hand; the edited ones are used.",
            )
        if many := self.left_out["grade not found"]:
            told = (
                f"the grader of {system} on {task} gave no grade that could be read for {many:,} of {self.many:,} "
                "samples"
            )
            yield "OC511", f"{told}: they are left out, not counted as wrong."


def text_of(content: Any) -> str:
    """Return the text of a question: of messages their texts, since summaries hold no images."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(map(text_of, content))
    if isinstance(content, dict):
        return text_of(content.get("content", content.get("text", "")))
    return ""


def _one(value: Any) -> str | None:
    """Return a gold answer or an answer as text; of a list its only entry."""
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    return value.strip() if isinstance(value, str) else None


def _error(error: Any) -> str | None:
    if not error:
        return None
    return str(error.get("message") or "error")[:80] if isinstance(error, dict) else str(error)[:80]


def _limit(limit: Any) -> str | None:
    """Return the kind of a limit: a summary has it as text, a sample as an object."""
    kind = limit.get("type") or "limit" if isinstance(limit, dict) else limit
    return str(kind)[:40] if kind else None


def _is_filtered(sample: Mapping[str, Any]) -> bool:
    output = sample.get("output")
    choices = output.get("choices") if isinstance(output, dict) else None
    return isinstance(choices, list) and any(
        isinstance(each, dict) and each.get("stop_reason") == FILTERED for each in choices
    )


def _grader(header: Mapping[str, Any]) -> str:
    """Return the models that grade, wherever the log names them."""
    plan = header["eval"]
    options = [mapping_in(each).get("options") for each in list_in(plan.get("scorers"))]
    options += [mapping_in(each).get("params") for each in list_in(mapping_in(header.get("results")).get("scores"))]
    found = [_model(mapping_in(plan.get("model_roles")).get("grader"))]
    found += [_model(value) for each in options for key, value in mapping_in(each).items() if "model" in key]
    for key, value in mapping_in(plan.get("task_args")).items():
        if any(word in str(key).lower() for word in ("grader", "judge", "scorer_model")):
            found.append(_model(value))
    return ", ".join(sorted({each for each in found if each}))


def _model(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_model, value)))
    return str(value.get("model") or "") if isinstance(value, dict) else value if isinstance(value, str) else ""


def _scorers(plan: Mapping[str, Any]) -> dict[str, str]:
    """Return the options of each scorer but its model, which is told as the grader."""
    found = {}
    for scorer in map(mapping_in, list_in(plan.get("scorers"))):
        options = scorer.get("options")
        if isinstance(options, dict):
            own = {key: value for key, value in options.items() if "model" not in key}
            told = json.dumps(own, sort_keys=True) if own else "none"
            found[f"options of scorer {scorer.get('name')}"] = told if len(told) <= 80 else f"digest {digest(told)}"
    return found


def _free(header: Mapping[str, Any]) -> dict[str, str]:
    plan = header["eval"]
    steps = header.get("plan")
    steps = steps.get("steps") if isinstance(steps, dict) else None
    config, packages = plan.get("config"), plan.get("packages")
    found = {
        "version of the task": plan.get("task_version"),
        "limit": config.get("limit") if isinstance(config, dict) else None,
        "inspect_ai": packages.get("inspect_ai") if isinstance(packages, dict) else None,
        "prompt and solver": digest(json.dumps(steps, sort_keys=True))[:8] if steps else None,
        "generation settings": json.dumps(plan.get("model_generate_config") or {}, sort_keys=True)[:80],
        "task arguments": json.dumps(plan.get("task_args") or {}, sort_keys=True)[:80],
    }
    return {name: str(value) for name, value in found.items()}
