"""MTEB: a file per task with its main score. Tasks are data sets, not items: a result is one number for each."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.files import Head, whole_json
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in
from outclass.errors import FileError, InputError, quoted

NAME: Final = "mteb"
TITLE: Final = "a result of MTEB"
TASK: Final = "MTEB"
METRIC: Final = "main_score"
USUAL_SPLIT: Final = "test"
USUAL_SUBSETS: Final = ("default", "en", "eng")


def claims(head: Head) -> bool:
    """Look for a task, its revision and its scores."""
    return not head.packed and head.has("task_name", "scores") and head.has("dataset_revision")


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the main score of a task: of the test split, and of the usual subset if there are several."""
    found = whole_json(head.path)
    scores = found.get("scores") if isinstance(found, dict) else None
    if not isinstance(scores, dict) or not scores:
        raise FileError(f"{quoted([head.path.name])} has no scores.")
    split = USUAL_SPLIT if USUAL_SPLIT in scores else str(next(iter(scores)))
    subsets = [each for each in scores[split] if isinstance(each, dict)] if isinstance(scores[split], list) else []
    own = _chosen(subsets, head)
    if not is_score(own.get(METRIC)):
        raise FileError(f"{quoted([head.path.name])} has no main_score in split {quoted([split])}.")
    task, samples = str(found["task_name"]), Samples()
    told = f"{found.get('dataset_revision')}, split {split}, subset {own.get('hf_subset', 'default')}"
    samples.add(task, {METRIC: number_in(own[METRIC])}, hashes=(None, None, told, None))
    yield LogRun(
        system=_system(head.path),
        task=task,
        harness=NAME,
        path=str(head.path),
        samples=samples,
        data_sets=True,
        free={"mteb": str(found.get("mteb_version"))},
    )


def _chosen(subsets: list[dict[str, Any]], head: Head) -> Mapping[str, Any]:
    if len(subsets) <= 1:
        return subsets[0] if subsets else {}
    for name in USUAL_SUBSETS:
        if own := [each for each in subsets if each.get("hf_subset") == name]:
            return own[0]
    names = [each.get("hf_subset") for each in subsets]
    raise InputError(
        f"{quoted([head.path.name])} has {len(subsets)} subsets ({quoted(names, most=5)}), which are not data sets of "
        "their own: leave the file out, or one subset in it."
    )


def _system(path: Path) -> str:
    """Return the model: results lie in <model>/<revision>/<Task>.json."""
    folder = path.absolute().parent
    return (folder.parent.name or folder.name or "model").replace("__", "/")
