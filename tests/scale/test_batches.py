"""Batches and simulations through joblib: the same numbers on one core, on all, and on a cluster."""

import os
import pickle
import threading
import time
from collections.abc import Iterator
from typing import Any

import joblib
import numpy as np
import pytest

import outclass as oc
from outclass.ask import compare as comparing
from outclass.errors import InputError
from outclass.inference import lazy
from outclass.measures import MEASURES
from outclass.parallel import _threads, side_by_side

MANY = 12


@pytest.fixture(scope="module")
def outcomes() -> oc.Outcomes:
    """Four systems on items of six classes: 36 comparisons label by label."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 6, 600)
    said = [np.where(rng.random(600) < 0.25, rng.integers(0, 6, 600), truth) for _ in range(4)]
    rows = np.stack([truth, *said], axis=1).tolist()
    return oc.Outcomes.of_rows(("a", "b", "c", "d"), rows, [1] * 600)


@pytest.fixture
def batched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a dozen comparisons for a batch."""
    monkeypatch.setattr(comparing, "BATCH", MANY)
    monkeypatch.setattr(comparing, "TOGETHER", 5)


@pytest.mark.usefixtures("batched")
@pytest.mark.parametrize("backend", ["sequential", "threading", "loky"])
def test_a_batch_is_its_comparisons(backend: str, outcomes: oc.Outcomes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever it is computed, a batch gives what its comparisons give one by one, in order, and says how far it is."""
    told: list[tuple[int, int]] = []
    with joblib.parallel_config(backend=backend, n_jobs=2):
        found = oc.compare(outcomes, by="label", progress=lambda done, whole: told.append((done, whole)))
    monkeypatch.setattr(comparing, "BATCH", 10**9)
    alone = oc.compare(outcomes, by="label")

    assert len(found) == 36
    assert found.to_json() == alone.to_json()
    assert told[-1] == (36, 36)
    assert len(told) == 8
    assert found[7].posterior.cdf(0.01) == alone[7].posterior.cdf(0.01)


@pytest.mark.usefixtures("batched")
def test_a_measure_of_ones_own_goes_along(outcomes: oc.Outcomes) -> None:
    """A function that only this process knows reaches the others; a mistake in it comes back as a sentence."""
    weight = 3

    def wrong(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        raise ValueError("no such luck")

    with joblib.parallel_config(n_jobs=2):
        found = oc.compare(outcomes, by="label", measure=lambda tp, fp, fn, tn: (tp * weight) / (tp * weight + fp + fn))
        with pytest.raises(oc.errors.InputError, match="failed: no such luck"):
            oc.compare(outcomes, by="label", measure=wrong)

    assert len(found) == 36
    assert np.isfinite(found[0].difference.mean)


@pytest.mark.parametrize("model", ["paired", "unpaired"])
@pytest.mark.parametrize("measure", [*MEASURES, "fbeta:2", "utility:tp=2,fp=-1"])
def test_answers_are_small(measure: str, model: str) -> None:
    """An answer is sent in a few kilobytes, and its posterior is made again where it arrives, to the last digit."""
    answer = oc.compare([1, 0, 1, 0] * 50, [1, 0, 0, 0] * 50, [1, 1, 1, 0] * 50, measure=measure, model=model)
    sent = pickle.dumps(answer)
    arrived = pickle.loads(sent)

    assert len(sent) < 6_000
    assert arrived.to_json() == answer.to_json()
    at = np.array([-0.1, 0.01, 0.2])
    assert np.array_equal(arrived.posterior.cdf(at), answer.posterior.cdf(at))
    assert arrived.systems[0].posterior is not None
    assert arrived.only.before is not None
    assert arrived.only.before.cdf(0.1) == answer.only.before.cdf(0.1)


def test_few_laws_are_held(outcomes: oc.Outcomes) -> None:
    """What was asked for last is kept, and no more."""
    answer = pickle.loads(pickle.dumps(oc.compare(outcomes, by="label")))
    first = answer[0].posterior
    assert answer[0].posterior is first
    for row in answer:
        row.posterior.cdf(0.0)
    assert len(lazy._LATEST) <= 8


@pytest.mark.parametrize("threads", [True, False])
def test_cores_are_what_joblib_was_told(threads: bool) -> None:
    """A configuration limits the cores; outside of one all are taken."""
    tasks = [(number,) for number in range(8)]

    def where(number: int) -> tuple[int, int]:
        time.sleep(0.05)
        return os.getpid(), threading.get_ident()

    with joblib.parallel_config(n_jobs=1):
        alone = set(side_by_side(where, tasks, threads=threads))
    with joblib.parallel_config(n_jobs=2):
        both = set(side_by_side(where, tasks, threads=threads))

    assert alone == {(os.getpid(), threading.get_ident())}
    assert alone.isdisjoint(both)


def test_order_and_errors() -> None:
    """Results come in order, from threads and processes; an error of one task is raised."""
    tasks = [(number,) for number in range(20)]

    assert list(side_by_side(str, tasks, jobs=2)) == [str(number) for number in range(20)]
    assert list(side_by_side(str, tasks, jobs=2, threads=True)) == [str(number) for number in range(20)]
    assert list(side_by_side(str, [])) == []
    with pytest.raises(ZeroDivisionError):
        list(side_by_side(divmod, [(1, 1), (1, 0), (2, 1)], jobs=2))


@pytest.fixture(scope="module")
def dask_cluster() -> Iterator[None]:
    """A local cluster of Dask: a scheduler and two workers, processes of their own."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        yield


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("dask_cluster", "batched")
def test_on_a_dask_cluster(outcomes: oc.Outcomes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch, a simulation, and the draws of a bootstrap, on Dask's workers."""
    scenario = {
        "prevalence": 0.3,
        "recalls": (0.8, 0.7),
        "false_positive_rates": (0.1, 0.1),
        "n": [200, 300],
        "sets": 200,
    }
    with joblib.parallel_config(backend="dask"):
        batch = oc.compare(outcomes, by="label")
        power = oc.plan(**scenario)
        ranked = oc.rank(outcomes)
    monkeypatch.setattr(comparing, "BATCH", 10**9)

    assert batch.to_json() == oc.compare(outcomes, by="label").to_json()
    assert power.to_json() == oc.plan(**scenario).to_json()
    assert ranked.to_json() == oc.rank(outcomes).to_json()


def test_nobody_waits_for_what_nobody_will_see() -> None:
    """A mistake (or an interrupt) in one task is told while the others are still at work."""
    gate, done = threading.Event(), []

    def work(number: int) -> None:
        if number == 0:
            raise InputError("a mistake")
        gate.wait(60)
        done.append(number)

    with pytest.raises(InputError, match="a mistake"):
        list(_threads(work, [(0,), (1,), (2,), (3,)], 2))
    assert done == []
    gate.set()
