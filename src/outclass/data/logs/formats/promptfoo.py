"""promptfoo: `output.json` of any version, and what it exports."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from outclass.data.logs.files import Head, digest, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in, short_values
from outclass.errors import FileError, quoted

NAME: Final = "promptfoo"
TITLE: Final = "an output of promptfoo"
PLACES: Final = ("results", "results.results", "data.results.results")  # of the rows, in each version
FAILED: Final = 2  # the `failureReason` of an error, 1 being a failed assertion
NOTHING_ASSERTED: Final = "No assertions"
READABLE: Final = 60  # letters of what tells an item
LOWER: Final = frozenset(("latencyMs", "cost"))


def claims(head: Head) -> bool:
    """Look at the fields of the object, or of what is inside."""
    found = head.first
    if head.packed or head.listed or not isinstance(found, dict):
        return False
    if isinstance(inner := found.get("data"), dict):
        found = inner
    rows = found.get("results")
    if isinstance(rows, dict):
        return "evalId" in found or "shareableUrl" in found or "table" in rows or _is_row(rows.get("results"))
    return _is_row(rows)


def _is_row(rows: Any) -> bool:
    first = rows[0] if isinstance(rows, list) and rows else None
    return (
        isinstance(first, dict) and "prompt" in first and ("success" in first or "vars" in first or "testCase" in first)
    )


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the rows: each provider with each prompt is a system."""
    found: dict[tuple[str, str], _Collected] = {}
    rows = 0
    with streamed(head.path) as stream:
        for path, key, row in stream.walk(*PLACES):
            if path not in PLACES or not isinstance(key, int):
                continue
            rows += 1
            if not isinstance(row, dict) or not isinstance(row.get("prompt"), dict):
                raise FileError(f"row {rows:,} of {quoted([head.path.name])} has no prompt, so it is no result.")
            provider, prompt = _provider(row), str(row["prompt"].get("label") or row["prompt"].get("display") or "")
            found.setdefault((provider, prompt), _Collected()).add(row)
    if not found:
        raise FileError(f"{quoted([head.path.name])} has no results per test case.")
    providers, prompts = ({key[place] for key in found} for place in (0, 1))
    for (provider, prompt), own in found.items():
        several = [provider] if len(providers) > 1 or len(prompts) == 1 else []
        several += [_readable(prompt)] if len(prompts) > 1 else []
        notes = []
        if own.nothing == len(own.samples):
            told = f"every row of {provider} passed because nothing is asserted"
            notes.append(("OC508", f"{told}: {own.nothing} of {own.nothing} rows have no assertion."))
        yield LogRun(
            system=" · ".join(each for each in several if each) or "promptfoo",
            task="promptfoo",
            harness=NAME,
            path=str(head.path),
            samples=own.samples,
            usual=("success",) if "success" in own.samples.scores else (),
            lower=LOWER,
            free={"provider": provider, "prompt": _readable(prompt)},
            findings=tuple(notes),
        )


class _Collected:
    """The rows of one system."""

    def __init__(self) -> None:
        self.samples = Samples()
        self.times: dict[str, int] = {}
        self.nothing = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Add a row; the same variables again are a further epoch."""
        case = row.get("testCase")
        case = case if isinstance(case, dict) else {}
        variables = case.get("vars", row.get("vars"))
        variables = variables if isinstance(variables, dict) else {}
        told = json.dumps(variables, sort_keys=True, ensure_ascii=False)
        item = told if len(told) <= READABLE else f"{told[:READABLE]}… {digest(told)[:8]}"
        self.times[item] = self.times.get(item, 0) + 1
        grading = row.get("gradingResult")
        reason = grading.get("reason") if isinstance(grading, dict) else None
        self.nothing += reason == NOTHING_ASSERTED
        response = row.get("response", row.get("providerResponse"))
        output = response.get("output") if isinstance(response, dict) else None
        asserted = case.get("assert")
        self.samples.add(
            item,
            _scores(row),
            epoch=self.times[item],
            answer=output if isinstance(output, str) else None,
            hashes=(digest(told), None, digest(json.dumps(asserted, sort_keys=True)) if asserted else None, None),
            error=_error(row, grading),
            metadata=short_values(variables, "vars") | short_values(case.get("metadata"), "metadata"),
        )


def _provider(row: Mapping[str, Any]) -> str:
    found = row.get("provider")
    if isinstance(found, dict):
        return str(found.get("label") or found.get("id") or "")
    return str(found or "")


def _scores(row: Mapping[str, Any]) -> dict[str, float]:
    found = {name: number_in(row[name]) for name in ("success", "score", *LOWER) if is_score(row.get(name))}
    named = row.get("namedScores")
    for name, value in named.items() if isinstance(named, dict) else ():
        if is_score(value):
            found.setdefault(str(name), number_in(value))
    return {name: found[name] for name in sorted(found, key=lambda each: each in LOWER)}


def _error(row: Mapping[str, Any], grading: Any) -> str | None:
    """Return why there is no answer: a failed assertion is none of these, although it is told in the same place."""
    reason = row.get("failureReason")
    failed = reason == FAILED if reason is not None else bool(row.get("error")) and not grading
    return str(row.get("error") or "error")[:80] if failed else None


def _readable(prompt: str) -> str:
    line = " ".join(prompt.split())
    return line if len(line) <= READABLE else f"{line[:READABLE]}…"
