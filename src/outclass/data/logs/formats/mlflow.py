"""MLflow: `eval_results_table.json`, columns and rows of what `mlflow.evaluate` found."""

from collections.abc import Iterator
from typing import Any, Final

from outclass.data.logs.files import Head, digest, whole_json
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, is_score, number_in
from outclass.errors import FileError, quoted

NAME: Final = "mlflow"
TITLE: Final = "a table of MLflow"
_FILE: Final = "eval_results_table.json"
SCORE: Final = "/score"
INPUTS: Final = ("inputs", "input", "question", "questions", "prompt", "query", "request")
TARGETS: Final = ("targets", "target", "ground_truth", "expected", "expected_response")
FOLDERS: Final = ("artifacts", "eval_results", "evaluation")  # between a run and its table
READABLE: Final = 60  # letters of a question that tell an item


def claims(head: Head) -> bool:
    """Look at the name, and for columns and rows."""
    return not head.packed and head.name == _FILE and head.has("columns")


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the rows: an item is what was asked, a metric each column that ends in /score."""
    table = whole_json(head.path)
    columns, rows = (table.get("columns"), table.get("data")) if isinstance(table, dict) else (None, None)
    if (
        not isinstance(columns, list)
        or not isinstance(rows, list)
        or not all(isinstance(each, str) for each in columns)
    ):
        raise FileError(f"{quoted([head.path.name])} is no table with columns and data.")
    metrics = {name.removesuffix(SCORE): place for place, name in enumerate(columns) if name.endswith(SCORE)}
    asked_in = [place for place, name in enumerate(columns) if name.lower() in INPUTS] or [0]
    targets = [place for place, name in enumerate(columns) if name.lower() in TARGETS]
    if not metrics:
        raise FileError(f"{quoted([head.path.name])} has no column that ends in /score, so it has no results per item.")
    samples = Samples()
    times: dict[str, int] = {}
    for at, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise FileError(f"row {at:,} of {quoted([head.path.name])} has not as many cells as there are columns.")
        told = " ".join(str(row[place]) for place in asked_in)
        item = told if len(told) <= READABLE else f"{told[:READABLE]}… {digest(told)[:8]}"
        times[item] = times.get(item, 0) + 1
        scores = {name: number_in(row[place]) for name, place in metrics.items() if is_number_or_none(row[place])}
        target = digest(*(row[place] for place in targets)) if targets else None
        samples.add(item, scores, epoch=times[item], hashes=(digest(told), None, target, None))
    folder = head.path.absolute().parent
    while folder.name in FOLDERS:
        folder = folder.parent
    yield LogRun(system=folder.name or "run", task="mlflow", harness=NAME, path=str(head.path), samples=samples)


def is_number_or_none(value: Any) -> bool:
    """Return whether a cell holds a score, or nothing."""
    return value is None or is_score(value)
