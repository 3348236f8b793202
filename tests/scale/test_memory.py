"""Memory: thousands of questions in one process leave nothing behind."""

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outclass as oc
from outclass.inference import lazy

Ask = Callable[[np.ndarray, np.ndarray, np.ndarray], object]

QUESTIONS: dict[str, Ask] = {
    "f1": oc.compare,
    "accuracy": lambda truth, a, b: oc.compare(truth, a, b, measure="accuracy"),
    "evaluate": lambda truth, a, b: oc.evaluate(truth, a),
    "test": oc.test,
    "counts": lambda truth, a, b: oc.compare(wins=(int((a > b).sum()) + 1, int((b > a).sum())), items=len(truth)),
}
WARM, MORE = 10, 60
MOST = 200_000  # bytes: one row that stayed from each call would be three times as much


def _data(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return other data, and other numbers of items, for every seed."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 150 + seed % 97)
    said = [np.where(rng.random(len(truth)) < 0.2, 1 - truth, truth) for _ in range(2)]
    return truth, said[0], said[1]


def _caches() -> list[Any]:
    """Return what remembers results in the whole library, of functions that last."""
    return [
        each
        for each in gc.get_objects()
        if type(each).__name__ == "_lru_cache_wrapper"
        and each.__module__.startswith("outclass")
        and "<locals>" not in each.__qualname__
    ]


def _held() -> int:
    """Return the bytes that are held beside what caches remember."""
    for cache in _caches():
        cache.cache_clear()
    lazy._LATEST.clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_stays(question: str) -> None:
    """Calls with other data each time leave nothing behind but what caches remember."""
    ask = QUESTIONS[question]
    tracemalloc.start()
    try:
        for seed in range(WARM):
            ask(*_data(seed))
        before = _held()
        for seed in range(WARM, WARM + MORE):
            ask(*_data(seed))
        after = _held()
    finally:
        tracemalloc.stop()

    assert after - before < MOST


def test_caches_are_bounded() -> None:
    """What remembers without end does not depend on the data; other caches are small, or remember mere numbers."""
    for ask in QUESTIONS.values():
        ask(*_data(1))
    endless = {each: each.cache_info().currsize for each in _caches() if each.cache_parameters()["maxsize"] is None}
    for seed, ask in enumerate(QUESTIONS.values()):
        ask(*_data(2 + seed))
    numbers = ("outclass.measures.repeated", "outclass.planning.intervals", "outclass.studies.features")
    others = [each for each in _caches() if each not in endless]

    assert endless
    assert len(others) > 5
    assert {each: each.cache_info().currsize for each in endless} == endless
    assert all(each.__module__ in numbers or each.cache_parameters()["maxsize"] <= 512 for each in others)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory of a process is read from /proc")
def test_a_process_stays_as_large(full: bool) -> None:
    """Once caches are full, hundreds of calls (in full, 5,000) take no more memory, whatever they ask."""
    page = 4096 / 1e6

    def size() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * page

    seeds = iter(range(10_000))

    def asked(many: int) -> None:
        for _ in range(many):
            seed = next(seeds)
            list(QUESTIONS.values())[seed % len(QUESTIONS)](*_data(seed))

    asked(500 if full else 300)
    before = size()
    asked(4_500 if full else 300)

    assert size() - before < 25


def test_a_batch_is_held_in_little_memory() -> None:
    """A row of a batch is some ten kilobytes: ten thousand of them take a hundred megabytes."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 5, 300)
    said = [np.where(rng.random(300) < 0.2, rng.integers(0, 5, 300), truth) for _ in range(6)]
    names = tuple(f"s{place}" for place in range(6))
    data = oc.Outcomes.of_rows(names, np.stack([truth, *said], axis=1).tolist(), [1] * 300)
    oc.compare(data.selected(names[:2]), by="label")
    tracemalloc.start()
    try:
        before = _held()
        found = oc.compare(data, by="label")
        held = _held() - before
    finally:
        tracemalloc.stop()

    assert len(found) == 75
    assert held / len(found) < 25_000
