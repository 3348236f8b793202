"""tau-bench: a list of tasks, trials and rewards; the system is the name of the file."""

from collections.abc import Iterator
from typing import Final

from outclass.data.logs.files import Head, streamed
from outclass.data.logs.formats import Asked
from outclass.data.logs.run import LogRun, Samples, number_in
from outclass.data.names import stem_of
from outclass.errors import FileError, quoted

NAME: Final = "tau"
TITLE: Final = "a log of tau-bench"


def claims(head: Head) -> bool:
    """Look at the fields of the first record."""
    return not head.packed and head.has("task_id", "trial", "reward")


def read(head: Head, asked: Asked) -> Iterator[LogRun]:
    """Read the trials of each task."""
    samples, seen = Samples(), set()
    with streamed(head.path) as stream:
        for place, record in enumerate(stream.records(), start=1):
            trial = record.get("trial") if isinstance(record, dict) else None
            if not isinstance(trial, int) or "task_id" not in record:
                raise FileError(f"record {place:,} of {quoted([head.path.name])} is no trial of a task.")
            key = (str(record["task_id"]), trial)
            if key in seen:
                raise FileError(f"trial {trial} of task {quoted(key[:1])} occurs twice in {quoted([head.path.name])}.")
            seen.add(key)
            samples.add(key[0], {"reward": number_in(record.get("reward"))}, epoch=trial + 1)
    yield LogRun(system=stem_of(head.path), task="tau-bench", harness=NAME, path=str(head.path), samples=samples)
