"""Work side by side, through joblib: on all cores here, or wherever a back end that the user chose runs it.

`with joblib.parallel_config(backend="dask"):` (or ray, or spark) around a call takes its simulations, bootstraps and
batches there. Nothing random depends on where, or beside what, a task runs: each brings its own seed.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def side_by_side(
    function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]], *, jobs: int | None = None, threads: bool = False
) -> Iterator[Result]:
    """Call a function with the arguments of every task; the results come in order, as they are done.

    `jobs` is how many at once: None is what `joblib.parallel_config` says, or else as many as there are cores.
    `threads` is for functions that are busy in NumPy, which lets threads run side by side; the others need processes.
    """
    listed = list(tasks)
    if len(listed) == 1:
        yield function(*listed[0])
        return
    if threads and "joblib" not in sys.modules:
        # Nobody can have chosen a back end; and joblib takes longer to load than small work takes.
        yield from _threads(function, listed, cores() if jobs is None or jobs < 1 else jobs)
        return
    from joblib import Parallel, delayed, parallel  # loaded for large work alone

    if jobs is None:
        # Outside of any configuration joblib would take one core.
        jobs = parallel.get_active_backend()[1] or -1
    calls = [delayed(function)(*task) for task in listed]
    options: dict[str, Any] = {"n_jobs": jobs} | ({"prefer": "threads"} if threads else {})
    try:
        results = Parallel(return_as="generator", **options)(calls)
    except ValueError:
        # Some back ends give their results back all at once.
        results = Parallel(**options)(calls)
    yield from results


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def stop() -> None:
    """End the processes of a batch that nobody waits for any more."""
    if "joblib.externals.loky" in sys.modules:
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=True, kill_workers=True)


def _threads(function: Callable[..., Result], tasks: list[tuple[Any, ...]], many: int) -> Iterator[Result]:
    pool = ThreadPoolExecutor(max_workers=many)
    try:
        for job in [pool.submit(function, *task) for task in tasks]:
            yield job.result()
    finally:
        # After an interrupt, or a mistake in one task, nobody waits for the others; otherwise they are done.
        pool.shutdown(wait=False, cancel_futures=True)
