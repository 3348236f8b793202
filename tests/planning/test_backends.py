"""Back ends: the same decisions on every library of arrays, and one sentence where a library or a device is missing."""

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from strict import StrictLibrary

import outclass as oc
from outclass import measures
from outclass.errors import InputError
from outclass.inference.distribution import Interval
from outclass.models import model_of
from outclass.models.prior import prior_of
from outclass.planning import backends, intervals
from outclass.planning.intervals import Rule, verdicts
from outclass.planning.posteriors import DRAWN
from outclass.planning.scenario import Scenario, of_rates

WORLDS = {
    "usual": (Scenario(0.3, of_rates(0.8, 0.7, None, "p"), of_rates(0.05, 0.08, None, "n")), 500),
    "no errors": (Scenario(0.5, of_rates(0.99, 0.99, None, "p"), (0.0, 0.0, 0.0, 1.0)), 200),
    "a rare class": (Scenario(0.02, of_rates(0.8, 0.6, None, "p"), of_rates(0.01, 0.02, None, "n")), 300),
    "strong agreement": (Scenario(0.1, (0.78, 0.02, 0.01, 0.19), (0.03, 0.003, 0.003, 0.964)), 400),
    "duplicates": (Scenario(0.5, (0.8, 0.0, 0.0, 0.2), (0.1, 0.0, 0.0, 0.9)), 50),
    "few items": (Scenario(0.4, of_rates(0.8, 0.6, None, "p"), of_rates(0.1, 0.2, None, "n")), 12),
    "in double precision": (Scenario(0.3, of_rates(0.8, 0.7, None, "p"), of_rates(0.05, 0.08, None, "n")), 3_000_000),
}
OTHERS = [name for name in backends.installed() if name != "numpy"]
WORDS: dict[str, Any] = {"prevalence": 0.3, "recalls": (0.8, 0.6), "false_positive_rates": (0.05, 0.1)}


def rule_of(model: str, measure: str, backend: str = "numpy") -> Rule:
    own = measures.get(measure)
    prior = prior_of(model_of(model).prior).of(own, model)
    return Rule(measure=own, priors={model: prior}, rope=Interval(-0.05, 0.05), hdi_mass=0.95, backend=backend)


def asked_of(model: str) -> list[str]:
    """Every measure that the model knows."""
    return {"goutte": ["f1", "precision", "fbeta:2"], "sign": ["accuracy", "error"]}.get(model, list(measures.MEASURES))


def test_jax_is_there() -> None:
    """At least one library beside NumPy is tested for real: the developers' environment has JAX."""
    assert "jax" in OTHERS


@pytest.mark.parametrize("model", DRAWN)
def test_array_code_needs_operators_alone(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels run on arrays that are not NumPy's, with every measure, and find the same."""
    found = {}
    for library in (None, StrictLibrary()):
        if library is not None:
            monkeypatch.setattr(intervals, "backend_of", lambda name, device=None, library=library: library)
        for world in ("usual", "no errors"):
            scenario, items = WORLDS[world]
            joints = scenario.simulate(items, 20, np.random.default_rng(1))
            for measure in asked_of(model):
                ends = intervals.intervals(joints, model, rule_of(model, measure), np.random.default_rng(2))
                kept = found.setdefault((world, measure), ends)
                assert np.array_equal(kept, ends, equal_nan=True)


# Libraries that compile take a second for each model and measure.
EVERY = [("paired", "f1"), ("paired", "mcc"), ("unpaired", "kappa"), ("goutte", "f1"), ("sign", "error")]
COMPILED = [
    *(("usual", *each) for each in EVERY),
    *((world, "paired", "f1") for world in ("no errors", "few items", "in double precision")),
]
COMPILED_TOO = [
    pytest.param(world, *each, marks=pytest.mark.full)
    for world in WORLDS
    for each in EVERY
    if (world, *each) not in COMPILED
]


@pytest.mark.parametrize(("world", "model", "measure"), [*COMPILED, *COMPILED_TOO])
@pytest.mark.parametrize("name", OTHERS)
def test_libraries_agree(name: str, world: str, model: str, measure: str) -> None:
    """From the same seed the same sets, and the same intervals but for rounding: .02 stds where they are searched."""
    scenario, items = WORLDS[world]
    joints = scenario.simulate(items, 60, np.random.default_rng(1))
    rule = rule_of(model, measure)
    usual = intervals.intervals(joints, model, rule, np.random.default_rng(2))
    found = intervals.intervals(joints, model, replace(rule, backend=name), np.random.default_rng(2))
    stds = np.maximum(usual[:, 1] - usual[:, 0], 1e-9) / 3.92
    off = np.abs(found - usual) / stds[:, None]
    border = np.abs(np.abs(usual) - 0.05).min(axis=1) / stds
    differs = verdicts(found, rule.rope) != verdicts(usual, rule.rope)

    assert off.max() < 0.02
    assert np.median(off) < 1e-4
    assert not differs[border > 0.02].any()


@pytest.mark.parametrize("name", [*OTHERS, "auto", "numpy"])
@pytest.mark.parametrize("about", ["scenario", "pilot"])
def test_plans_are_the_same(name: str, about: str) -> None:
    """A plan by another library is that of NumPy, from a scenario and from a pilot."""
    pilot = {"truth": [1, 0] * 20, "a": [1, 0] * 20, "b": [1, 0, 0, 1] + [1, 0] * 18}
    asked = WORDS if about == "scenario" else {"pilot": pilot, "truth": "truth", "systems": ["a", "b"], "positive": 1}
    asked = {**asked, "n": 300, "goal": ["decided"], "sets": 100}
    (usual,), (found,) = (oc.plan(**asked, backend=each).powers for each in (None, name))

    assert abs(usual.probability - found.probability) <= 0.01


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """How many sets are computed at a time changes nothing."""
    scenario, items = WORLDS["no errors"]
    joints = scenario.simulate(items, 50, np.random.default_rng(1))
    usual = intervals.intervals(joints, "paired", rule_of("paired", "f1"), np.random.default_rng(2))
    monkeypatch.setattr(type(backends.backend_of("numpy")), "elements", 1)
    found = intervals.intervals(joints, "paired", rule_of("paired", "f1"), np.random.default_rng(2))

    assert np.allclose(usual, found, rtol=0, atol=1e-6)


# --- devices ----------------------------------------------------------------------------------------------------------


class NoDriverError(Exception):
    """What CuPy raises without a driver."""


def _torch(gpus: int) -> Any:
    """PyTorch as far as its back end uses it, on NumPy's arrays, which say where they were sent."""
    sent: list[str] = []

    def tensor(values: Any, device: str) -> Any:
        sent.append(device)
        return values.view(_Tensor)

    return SimpleNamespace(
        cuda=SimpleNamespace(is_available=lambda: gpus > 0, device_count=lambda: gpus),
        inference_mode=nullcontext,
        tensor=tensor,
        where=np.where,
        sort=lambda values: SimpleNamespace(values=np.sort(values)),
        sent=sent,
    )


class _Tensor(np.ndarray):
    def cpu(self) -> Any:
        return self

    def numpy(self) -> Any:
        return self.view(np.ndarray)


def _cupy(gpus: int) -> Any:
    """CuPy as far as its back end uses it."""
    sent: list[str] = []

    def count() -> int:
        if not gpus:
            raise NoDriverError
        return gpus

    def device(place: int) -> Any:
        sent.append(f"cuda:{place}")
        return nullcontext()

    runtime = SimpleNamespace(getDeviceCount=count, CUDARuntimeError=NoDriverError)
    return SimpleNamespace(
        cuda=SimpleNamespace(runtime=runtime, Device=device),
        asarray=np.asarray,
        asnumpy=np.asarray,
        where=np.where,
        sort=np.sort,
        cumsum=np.cumsum,
        sent=sent,
    )


MADE = {"torch": _torch, "cupy": _cupy}


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Put a stand-in in a library's place: it has the calls that the back end makes, as the library documents them."""

    def put(name: str, gpus: int) -> Any:
        module = ModuleType(name)
        module.__dict__.update(MADE[name](gpus).__dict__)
        monkeypatch.setitem(sys.modules, name, module)
        real = backends.find_spec
        monkeypatch.setattr(backends, "find_spec", lambda asked: module if asked == name else real(asked))
        return module

    backends.backend_of.cache_clear()
    yield put
    backends.backend_of.cache_clear()


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize(("device", "where"), [(None, "cuda"), ("cuda", "cuda"), ("cuda:1", "cuda:1")])
def test_the_device_computes(name: str, device: str | None, where: str, stand_in: Any) -> None:
    """Arrays are sent to the device that was asked for, or to the GPU; what comes back is a NumPy array."""
    module = stand_in(name, gpus=2)
    joints = WORLDS["no errors"][0].simulate(200, 10, np.random.default_rng(1))
    rule = rule_of("paired", "f1")
    usual = intervals.intervals(joints, "paired", rule, np.random.default_rng(2))
    found = intervals.intervals(joints, "paired", replace(rule, backend=name, device=device), np.random.default_rng(2))

    assert np.allclose(usual, found, rtol=0, atol=1e-6)
    assert {each.removesuffix(":0") for each in module.sent} == {where}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("device", ["cuda:2", "tpu", ""])
def test_a_device_that_is_not_there(name: str, device: str, stand_in: Any) -> None:
    """A device that the library does not find is an error that names those that it finds."""
    stand_in(name, gpus=2)

    with pytest.raises(InputError, match=r"finds no device .*cuda:0, cuda:1"):
        oc.plan(**WORDS, n=50, backend=name, device=device)


def test_no_gpu(stand_in: Any) -> None:
    """Without a GPU CuPy has no device at all; PyTorch takes the processor, unless it is asked for a GPU."""
    stand_in("cupy", gpus=0)
    with pytest.raises(InputError, match="CuPy finds no device 'cuda:0'"):
        oc.plan(**WORDS, n=50, backend="cupy")
    module = stand_in("torch", gpus=0)
    with pytest.raises(InputError, match="PyTorch finds no device 'cuda'"):
        oc.plan(**WORDS, n=50, backend="torch", device="cuda")
    oc.plan(**WORDS, n=50, sets=10, backend="torch")

    assert set(module.sent) == {"cpu"}


@pytest.mark.parametrize(("gpus", "used"), [(0, False), (1, True)])
def test_auto_takes_a_gpu(gpus: int, used: bool, stand_in: Any) -> None:
    """'auto' is a library with a GPU, and NumPy where there is none."""
    module = stand_in("torch", gpus=gpus)
    oc.plan(**WORDS, n=50, sets=10, backend="auto")

    assert bool(module.sent) is used


OWN_RATIO = replace(measures.get("recall"), name="mine", title="mine")


@pytest.mark.parametrize("measure", ["f1", "fbeta:2", "utility:tp=2,fp=-1", "kappa", "mcc"])
def test_measures_of_every_library(measure: str) -> None:
    """Measures with a parameter are not taken for the user's own."""
    (found,) = oc.plan(**WORDS, n=50, sets=10, measure=measure, backend="jax").powers

    assert 0 <= found.probability <= 1


def test_own_functions_are_given_doubles() -> None:
    """A user's function is called with NumPy arrays in double precision."""
    seen = set()

    def own(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        seen.update({type(tp), tp.dtype})
        return tp / (tp + fp + fn)

    oc.plan(**WORDS, n=50, sets=10, measure=own)

    assert np.dtype(np.float32) not in seen
    assert np.ndarray in seen


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"backend": "abacus"}, "unknown back end"),
        ({"backend": 3}, "backend must be a name"),
        ({"device": "cuda"}, "NumPy computes on the processor only"),
        ({"backend": "jax", "device": "nosuch"}, "JAX finds no device 'nosuch'"),
        ({"backend": "auto", "device": "cpu"}, "chooses the device itself"),
        ({"backend": "numpy", "goal": "significant"}, "backend is not used with tests"),
        ({"backend": "jax", "measure": lambda tp, fp, fn, tn: tp - fp}, "is your own"),
        ({"backend": "jax", "measure": OWN_RATIO}, "is your own"),
    ],
)
def test_what_cannot_compute(asked: dict[str, Any], told: str) -> None:
    """Each is an error that says why, before anything is simulated."""
    with pytest.raises(InputError, match=told):
        oc.plan(**WORDS, n=50, sets=10, **asked)


def test_a_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is not installed, or cannot be loaded, is one sentence."""
    backends.backend_of.cache_clear()
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="needs PyTorch, which is not installed"):
        oc.plan(**WORDS, n=50, backend="torch")
    monkeypatch.setattr(backends, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(InputError, match="CuPy cannot be loaded"):
        oc.plan(**WORDS, n=50, backend="cupy")
