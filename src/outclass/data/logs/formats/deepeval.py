"""DeepEval: `.deepeval/.latest_run_full.json` and `test_run_*.json`."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from outclass.data.logs.files import Head, digest, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in
from outclass.data.names import stem_of
from outclass.errors import FileError, quoted

NAME: Final = "deepeval"
TITLE: Final = "a test run of DeepEval"
CASES: Final = "testCases"
READABLE: Final = 60  # letters of an input that tell an item
SUCCESS: Final = "success"


def claims(head: Head) -> bool:
    """Look for test cases."""
    return not head.packed and head.has(CASES)


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the test cases: each metric has its score, and whether it succeeded."""
    samples, judges, about = Samples(), dict[str, dict[str, None]](), dict[str, Any]()
    times: dict[str, int] = {}
    with streamed(head.path) as stream:
        for path, key, case in stream.walk(CASES):
            if key is None:
                about[path] = case
                continue
            if not isinstance(case, dict):
                raise FileError(f"{quoted([head.path.name])} has a test case that is no object.")
            told = str(case.get("input", case.get("name", "")))
            item = told if len(told) <= READABLE else f"{told[:READABLE]}… {digest(told)[:8]}"
            times[item] = times.get(item, 0) + 1
            scores, errors = _scores(case, judges)
            expected = case.get("expectedOutput")
            samples.add(
                item,
                scores,
                epoch=times[item],
                gold=expected,
                answer=case.get("actualOutput"),
                hashes=(digest(told), None, digest(expected) if expected is not None else None, None),
                error=errors[0] if errors and not scores else None,
            )
    if not samples.scores:
        raise FileError(f"{quoted([head.path.name])} has no test cases with scores (metricsData).")
    yield LogRun(
        system=_system(about, head),
        task="deepeval",
        harness=NAME,
        path=str(head.path),
        samples=samples,
        usual=tuple(name for name in samples.scores if not name.endswith(f".{SUCCESS}")),
        fixed={f"judge of {name}": ", ".join(models) for name, models in judges.items()},
    )


def _scores(case: Mapping[str, Any], judges: dict[str, dict[str, None]]) -> tuple[dict[str, float], list[str]]:
    scores: dict[str, float] = {}
    errors = []
    data = case.get("metricsData")
    for each in data if isinstance(data, list) else ():
        if not isinstance(each, dict) or "name" not in each:
            continue
        name = str(each["name"])
        if each.get("evaluationModel"):
            judges.setdefault(name, {})[str(each["evaluationModel"])] = None
        if each.get("error"):
            errors.append(str(each["error"])[:80])
            continue
        if is_score(each.get("score")):
            scores[name] = number_in(each["score"])
        if isinstance(each.get(SUCCESS), bool):
            scores[f"{name}.{SUCCESS}"] = float(each[SUCCESS])
    return scores, errors


def _system(about: Mapping[str, Any], head: Head) -> str:
    settings = about.get("hyperparameters")
    model = settings.get("model") if isinstance(settings, dict) else None
    if isinstance(model, str) and model:
        return model
    folder = head.path.absolute().parent
    hidden = folder.name == ".deepeval"
    return folder.parent.name if hidden else stem_of(head.path)
