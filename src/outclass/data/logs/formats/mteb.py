"""MTEB: a file per task with its main score. Tasks are data sets, not items: a result is one number for each."""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from outclass.data.logs.files import Head, whole_json
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, list_in, mapping_in, number_in
from outclass.errors import FileError, quoted

NAME: Final = "mteb"
TITLE: Final = "a result of MTEB"
TASK: Final = "MTEB"
METRIC: Final = "main_score"
USUAL_SPLIT: Final = "test"
REPEATS: Final = "scores_per_experiment"
CLOSE: Final = 1e-9


def claims(head: Head) -> bool:
    """Look for a task, its revision and its scores."""
    return not head.packed and head.has("task_name", "scores") and head.has("dataset_revision")


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the main score of every subset of the test split; one of them is compared, the usual one if it is there."""
    found = whole_json(head.path)
    scores = found.get("scores") if isinstance(found, dict) else None
    if not isinstance(scores, dict) or not scores:
        raise FileError(f"{quoted([head.path.name])} has no scores.")
    split = USUAL_SPLIT if USUAL_SPLIT in scores else str(next(iter(scores)))
    subsets = [each for each in list_in(scores[split]) if isinstance(each, dict) and is_score(each.get(METRIC))]
    if not subsets:
        raise FileError(f"{quoted([head.path.name])} has no main_score in split {quoted([split])}.")
    task = str(found["task_name"])
    for own in subsets:
        subset, samples = str(own.get("hf_subset") or "default"), Samples()
        told = f"{found.get('dataset_revision')}, split {split}, subset {subset}"
        for epoch, score in enumerate(_repeats(own), 1):
            samples.add(task, {METRIC: score}, epoch=epoch, hashes=(None, None, told, None))
        yield LogRun(
            system=_system(head.path),
            task=task,
            harness=NAME,
            path=str(head.path),
            samples=samples,
            variant=("subset", subset),
            data_sets=True,
            free={"mteb": str(found.get("mteb_version"))},
        )


def _repeats(own: Mapping[str, Any]) -> list[float]:
    """Return the main score of each experiment, such as those of a classifier on other training samples.

    The file does not say which of its metrics is the main one: it is the one whose mean over experiments is the main
    score. If none is, or several differ, the main score is all that is known.
    """
    main = number_in(own[METRIC])
    experiments = [mapping_in(each) for each in list_in(own.get(REPEATS))]
    found: list[list[float]] = []
    for name in experiments[0] if experiments else ():
        if all(is_score(each.get(name)) for each in experiments):
            column = [number_in(each[name]) for each in experiments]
            if math.isclose(sum(column) / len(column), main, abs_tol=CLOSE) and not any(
                all(math.isclose(a, b, abs_tol=CLOSE) for a, b in zip(column, each, strict=True)) for each in found
            ):
                found.append(column)
    return found[0] if len(found) == 1 else [main]


def _system(path: Path) -> str:
    """Return the model: results lie in <model>/<revision>/<Task>.json."""
    folder = path.absolute().parent
    return (folder.parent.name or folder.name or "model").replace("__", "/")
